/* Split at each of its versions: outputs, and the message of each error. */
#include "tests/kernel/call.h"

#include <stdio.h>

#include "tests/tap/tap.h"

static const struct call_case lengths[] = {
    {"an attribute of lengths", 11, "a, b = Split<split = [1, 2]>(x)", {"float[3]"}, "float[1]{0} float[2]{1,2}"},
    {"an input of lengths", 13, "a, b = Split(x, s)", {"float[3]", "int64[2]{2,1}"}, "float[2]{0,1} float[1]{2}"},
    {"lengths of the input's own type at opset 1",
     1,
     "a, b = Split<axis = 0>(x, s)",
     {"float[3]", "float[2]{2,1}"},
     "float[2]{0,1} float[1]{2}"},
    {"equal parts by the number of outputs", 13, "a, b = Split(x)", {"int8[4]"}, "int8[2]{0,1} int8[2]{2,3}"},
    {"an absent input is no input", 13, "a, b = Split(x, \"\")", {"int8[4]", NULL}, "int8[2]{0,1} int8[2]{2,3}"},
    {"the middle axis",
     2,
     "a, b = Split<axis = 1, split = [1, 2]>(x)",
     {"int32[2,3,2]"},
     "int32[2,1,2]{0,1,6,7} int32[2,2,2]{2,3,4,5,8,9,10,11}"},
    {"an axis from the end",
     11,
     "a, b = Split<axis = -1, split = [1, 2]>(x)",
     {"int32[2,3]"},
     "int32[2,1]{0,3} int32[2,2]{1,2,4,5}"},
    {"a negative axis at opset 2", 2, "a, b = Split<axis = -1>(x)", {"int32[2]"}, "int32[1]{0} int32[1]{1}"},
    {"a part of no length", 11, "a, b = Split<split = [0, 3]>(x)", {"bool[3]{1,0,1}"}, "bool[0]{} bool[3]{1,0,1}"},
    {"an axis of no length", 13, "a, b = Split(x)", {"double[0,2]"}, "double[0,2]{} double[0,2]{}"},
    {"no elements beside the axis", 13, "a, b = Split<axis = 1>(x)", {"double[0,2]"}, "double[0,1]{} double[0,1]{}"},
    {"one output is a copy", 18, "a = Split<num_outputs = 1>(x)", {"int64[2]"}, "int64[2]{0,1}"},
    {"an output without a name keeps its place", 13, "a, \"\", c = Split(x)", {"int64[3]"}, "int64[1]{0} int64[1]{2}"},
};

static const struct call_case chunks[] = {
    {"chunks that divide", 18, "a, b = Split<num_outputs = 2>(x)", {"uint8[4]"}, "uint8[2]{0,1} uint8[2]{2,3}"},
    {"a shorter last chunk", 18, "a, b = Split<num_outputs = 2>(x)", {"uint8[3]"}, "uint8[2]{0,1} uint8[1]{2}"},
    {"an empty last chunk",
     18,
     "a, b, c = Split<num_outputs = 3>(x)",
     {"uint8[4]"},
     "uint8[2]{0,1} uint8[2]{2,3} uint8[0]{}"},
    {"chunks of nothing", 18, "a, b = Split<num_outputs = 2>(x)", {"uint8[0]"}, "uint8[0]{} uint8[0]{}"},
    {"outputs at the end left off",
     18,
     "a, b = Split<num_outputs = 3>(x)",
     {"uint8[5]"},
     "uint8[2]{0,1} uint8[2]{2,3}"},
    {"a last chunk below nothing",
     18,
     "a, b, c, d = Split<num_outputs = 4>(x)",
     {"uint8[5]"},
     "Split: 4 chunks of ceil(5 / 4) = 2 leave -1 for the last one; write explicit lengths"},
    {"more chunks than can be counted",
     18,
     "a = Split<num_outputs = 9223372036854775807>(x)",
     {"uint8[5]"},
     "Split: num_outputs is 9223372036854775807, more than the 2147483647 outputs that a node may have; set it to 1, "
     "the "
     "number of outputs"},
    {"num_outputs of 0",
     18,
     "a = Split<num_outputs = 0>(x)",
     {"uint8[5]"},
     "Split: num_outputs is 0 and must be at least 1; set it to 1, the number of outputs"},
    {"num_outputs below the number of outputs",
     18,
     "a, b, c = Split<num_outputs = 2>(x)",
     {"uint8[6]"},
     "Split: num_outputs is 2, and there are 3 outputs; set it to 3, or remove outputs"},
    {"both ways at once",
     18,
     "a, b = Split<num_outputs = 2>(x, s)",
     {"uint8[2]", "int64[2]{1,1}"},
     "Split: both num_outputs and lengths are given; remove one of them"},
    {"neither way",
     18,
     "a, b = Split(x)",
     {"uint8[2]"},
     "Split: neither num_outputs nor lengths are given, but Split-18 requires one of them; set num_outputs = 2"},
};

static const struct call_case mistakes[] = {
    {"no input", 13, "a = Split()", {NULL}, "Split: input 0 is required and absent"},
    {"too many inputs",
     11,
     "a = Split(x, s)",
     {"float[1]", "int64[1]{1}"},
     "Split: has 2 inputs, takes at most 1 at opset 11"},
    {"an attribute of a later version",
     13,
     "a = Split<num_outputs = 1>(x)",
     {"float[1]"},
     "Split: has no attribute 'num_outputs' at opset 13"},
    {"an attribute of an earlier version",
     13,
     "a = Split<split = [1]>(x)",
     {"float[1]"},
     "Split: has no attribute 'split' at opset 13"},
    {"an attribute given twice",
     13,
     "a = Split<axis = 0, axis = 0>(x)",
     {"float[1]"},
     "Split: attribute 'axis' is given twice"},
    {"an attribute of another type",
     13,
     "a = Split<axis = [0]>(x)",
     {"float[1]"},
     "Split: attribute 'axis' is INTS, must be INT"},
    {"a type that came later",
     11,
     "a = Split(x)",
     {"bfloat16[1]"},
     "Split: the input is bfloat16, which is not allowed at opset 11"},
    {"whole numbers at opset 1",
     1,
     "a = Split<axis = 0>(x)",
     {"int64[1]"},
     "Split: the input is int64, which is not allowed at opset 1"},
    {"a scalar",
     13,
     "a = Split(x)",
     {"float{1}"},
     "Split: the input 'input' is a scalar, which has no axis to split; add a dim before, or remove the Split"},
    {"an axis too far",
     13,
     "a = Split<axis = 2>(x)",
     {"float[1,1]"},
     "Split: axis 2 is outside [-2, 1], the axes of a tensor of rank 2; use the intended one"},
    {"an axis beyond 32 bits",
     13,
     "a = Split<axis = 4294967296>(x)",
     {"float[1]"},
     "Split: axis 4294967296 is outside [-1, 0], the axes of a tensor of rank 1; use the intended one"},
    {"a count that is not the outputs'",
     13,
     "a, b = Split(x, s)",
     {"float[3]", "int64[3]{1,1,1}"},
     "Split: there are 3 lengths and 2 outputs; there must be a length for each output"},
    {"a length below 0",
     13,
     "a, b, c = Split(x, s)",
     {"float[6]", "int64[3]{-1,3,4}"},
     "Split: length 0 is -1; lengths are 0 or more, and none means \"the rest\""},
    {"a sum that overflows",
     13,
     "a, b = Split(x, s)",
     {"float[6]", "int64[2]{9223372036854775807,1}"},
     "Split: the lengths sum to more than 2^63 - 1; no dim is that long"},
    {"a sum that is not the dim",
     13,
     "a, b = Split(x, s)",
     {"float[6]", "int64[2]{2,3}"},
     "Split: the lengths sum to 5, and the dim is 6; make the lengths cover axis 0 of 'input'"},
    {"parts that are not equal",
     13,
     "a, b = Split(x)",
     {"float[3]"},
     "Split: the dim 3 cannot be divided into 2 equal parts; write explicit lengths"},
    {"an empty list of lengths",
     13,
     "a = Split(x, s)",
     {"float[3]", "int64[0]"},
     "Split: the list of lengths is empty, and there are 1 outputs; write a length for each, or leave the list away "
     "for "
     "equal parts"},
    {"lengths that are a scalar",
     13,
     "a = Split(x, s)",
     {"float[3]", "int64{3}"},
     "Split: the lengths 'split' have rank 0 and must be a list (rank 1); give them one dim, of 1"},
    {"lengths of another type",
     13,
     "a = Split(x, s)",
     {"float[3]", "int32[1]{3}"},
     "Split: input 1 is int32, must be int64"},
    {"lengths that are not whole",
     1,
     "a, b = Split<axis = 0>(x, s)",
     {"float[3]", "float[2]{1.5,1.5}"},
     "Split: length 0 is 1.5; lengths are whole numbers"},
    {"lengths given twice",
     1,
     "a = Split<axis = 0, split = [3]>(x, s)",
     {"float[3]", "float[1]{3}"},
     "Split: lengths are given as attribute 'split' and as input 'split'; remove one of them"},
};

/* Parts of one and of two elements, of every type. */
static void every_type(void)
{
    for (int type = OPSHIFT_TYPE_FLOAT; type <= OPSHIFT_TYPE_BFLOAT16; type++) {
        const char *name = type_name((enum opshift_type)type);
        char input[64], wanted[128];
        bool text = type == OPSHIFT_TYPE_STRING, truth = type == OPSHIFT_TYPE_BOOL;
        snprintf(input, sizeof(input), "%s[2,3]", name);
        snprintf(wanted, sizeof(wanted), "%s[2,1]{%s} %s[2,2]{%s}", name,
                 truth  ? "0,1"
                 : text ? "s0,s3"
                        : "0,3",
                 name,
                 truth  ? "1,1,1,1"
                 : text ? "s1,s2,s4,s5"
                        : "1,2,4,5");
        call_check(&(struct call_case){name, 13, "a, b = Split<axis = 1>(x, s)", {input, "int64[2]{1,2}"}, wanted});
    }
}

int main(void)
{
    call_check_all(lengths, COUNT(lengths));
    call_check_all(chunks, COUNT(chunks));
    call_check_all(mistakes, COUNT(mistakes));
    every_type();
    return done();
}
