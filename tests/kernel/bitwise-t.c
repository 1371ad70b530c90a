/* Bits of integers, shifts, bits seen as another type, running products, and functions with a wall at opset 24 and 28.
 */
#include "tests/kernel/call.h"
#include "tests/tap/tap.h"

static const struct call_case cases[] = {
    {"BitwiseAnd stretches", 18, "y = BitwiseAnd(a, b)", {"int8[2,1]{-1,6}", "int8[2]{3,4}"}, "int8[2,2]{3,4,2,4}"},
    {"BitwiseXor", 18, "y = BitwiseXor(a, b)", {"uint8[2]{255,6}", "uint8[2]{3,4}"}, "uint8[2]{252,2}"},
    {"BitwiseOr of floats",
     18,
     "y = BitwiseOr(a, b)",
     {"float[1]", "float[1]"},
     "BitwiseOr: input 0 is float, must be of an integer type"},
    {"BitwiseNot", 18, "y = BitwiseNot(a)", {"int16[3]{0,-1,7}"}, "int16[3]{-1,0,-8}"},
    {"BitShift loses bits",
     11,
     "y = BitShift<direction = \"LEFT\">(a, b)",
     {"uint8[2]{255,1}", "uint8[2]{4,8}"},
     "uint8[2]{240,0}"},
    {"BitShift by more than there are",
     11,
     "y = BitShift<direction = \"RIGHT\">(a, b)",
     {"uint64[2]{-1,8}", "uint64[2]{64,1}"},
     "uint64[2]{0,4}"},
    {"BitShift without a direction",
     11,
     "y = BitShift(a, b)",
     {"uint8[1]", "uint8[1]"},
     "BitShift: attribute 'direction' is required"},
    {"BitShift to nowhere",
     11,
     "y = BitShift<direction = \"UP\">(a, b)",
     {"uint8[1]", "uint8[1]"},
     "BitShift: attribute 'direction' is 'UP', must be LEFT or RIGHT"},
    {"BitShift of signed integers",
     11,
     "y = BitShift<direction = \"LEFT\">(a, b)",
     {"int8[1]", "int8[1]"},
     "BitShift: input 0 is int8, must be of an unsigned integer type"},
    {"BitCast", 26, "y = BitCast<to = 6>(a)", {"float[2]{1,-0}"}, "int32[2]{1065353216,-2147483648}"},
    {"BitCast to another width",
     26,
     "y = BitCast<to = 7>(a)",
     {"float[2]"},
     "BitCast: elements of type float cannot be seen as type 7: widths differ"},
    {"CumProd", 26, "y = CumProd(x, a)", {"int32[4]{1,2,3,4}", "int32{0}"}, "int32[4]{1,2,6,24}"},
    {"CumProd from the end, without the element itself",
     26,
     "y = CumProd<exclusive = 1, reverse = 1>(x, a)",
     {"float[3]{2,3,4}", "int64{-1}"},
     "float[3]{12,4,1}"},
    {"Swish", 24, "y = Swish<alpha = 2.0>(x)", {"float[4]{0,1,nan,inf}"}, "float[4]{0,0.880797,nan,inf}"},
    {"SwiGLU", 28, "y = SwiGLU(a, b)", {"float[2]{0,1}", "float[2]{5,2}"}, "float[2]{0,1.46212}"},
    {"SwiGLU does not stretch",
     28,
     "y = SwiGLU(a, b)",
     {"float[2]", "float[1]"},
     "SwiGLU: input 1 has shape [1], must have [2]"},
    {"Shrink", 9, "y = Shrink<lambd = 1.0, bias = 0.5>(x)", {"float[4]{-2,-1,1.5,nan}"}, "float[4]{-1.5,0,1,nan}"},
    {"Shrink of integers", 9, "y = Shrink<lambd = 1.0, bias = 1.0>(x)", {"int8[3]{-2,0,2}"}, "int8[3]{-1,0,1}"},
};

int main(void)
{
    call_check_all(cases, COUNT(cases));
    return done();
}
