/* OPS: operators against their schemas. */
#include "tests/check/expect.h"
#include "tests/tap/tap.h"

#define G "g (float[2,3] x) => (float[2,3] y) "

#define BATCH "g (float[1,3,2,2] x, float[3] s, float[3] b, float[3] m, float[3] v) => (float[1,3,2,2] y) "

static const struct lint_case cases[] = {
    {"a domain that is not imported, once", MODEL(13, 8, "g (float[2] x) => (float[2] y) { t = c.F (x) y = c.F (t) }"),
     "OPS001 graph/node[0]: the model imports no opset of domain 'c', which this operator is of; add it to "
     "opset_import"},
    {"an opset of the future", MODEL(99, 8, G "{ y = Neg (x) }"),
     "OPS002 model: opset 99 of domain 'ai.onnx' is not known; known are 1 to 28"},
    {"the newest opset", MODEL(28, 8, G "{ y = Neg (x) }"), ""},
    {"a misspelt operator", MODEL(13, 8, G "{ y = Sigmiod (x) }"),
     "OPS003 graph/node[0]: domain 'ai.onnx' has no operator 'Sigmiod'; did you mean 'Sigmoid'?"},
    {"an operator like no other", MODEL(13, 8, G "{ y = Frobnicate (x) }"),
     "OPS003 graph/node[0]: domain 'ai.onnx' has no operator 'Frobnicate'; correct the name, or set its domain"},
    {"an operator of a later opset", MODEL(13, 8, G "{ y = HardSwish (x) }"),
     "OPS004 graph/node[0]: HardSwish exists from opset 14 on, and opset 13 is imported; convert the model to 14"},
    {"an operator that was taken out",
     MODEL(10, 8, "g (float[1,1,2,2] x, float[4] s) => (float[1,1,4,4] y) { y = Upsample (x, s) }"),
     "OPS005 graph/node[0]: Upsample was removed at opset 10, and opset 10 is imported; use its replacement"},
    {"the same while it was there",
     MODEL(9, 8, "g (float[1,1,2,2] x, float[4] s) => (float[1,1,4,4] y) { y = Upsample (x, s) }"), ""},
    {"a misspelt attribute", MODEL(13, 8, G "{ y = LeakyRelu <alhpa = 0.1> (x) }"),
     "OPS007 graph/node[0]: LeakyRelu has no attribute 'alhpa'; did you mean 'alpha'?"},
    {"an attribute of a later version",
     MODEL(17, 8, "g (float[4] x) => (float[2] y, float[2] z) { y, z = Split <num_outputs = 2> (x) }"),
     "OPS007 graph/node[0]: Split has the attribute 'num_outputs' from opset 18 on, and opset 17 is imported; remove "
     "it"},
    {"an attribute of an earlier version",
     MODEL(13, 8, "g (float[2,1] x) => (float[2] y) { y = Squeeze <axes = [1]> (x) }"),
     "OPS007 graph/node[0]: Squeeze has 'axes' as input 1 from opset 13 on, not as an attribute, and opset 13 is "
     "imported; give it as that input"},
    {"the same at its version", MODEL(12, 8, "g (float[2,1] x) => (float[2] y) { y = Squeeze <axes = [1]> (x) }"), ""},
    {"an attribute that is missing", MODEL(13, 8, "g (float[2] x) => (int32[2] y) { y = Cast (x) }"),
     "OPS008 graph/node[0]: Cast-13 needs the attribute 'to'; give it"},
    {"an attribute of another type", MODEL(13, 8, G "{ y = LeakyRelu <alpha = 1> (x) }"),
     "OPS009 graph/node[0]: attribute 'alpha' is INT, and LeakyRelu-6 wants FLOAT; correct its type"},
    {"an attribute that is given three times",
     MODEL(13, 8, G "{ y = LeakyRelu <alpha = 0.1, alpha = 0.2, alpha = 0.3> (x) }"),
     "OPS010 graph/node[0]: attribute 'alpha' is given more than once; keep the intended one"},
    {"a value in the wrong case",
     MODEL(13, 8,
           "g (float[1,4,2,2] x) => (float[1,1,4,4] y) { y = DepthToSpace <blocksize = 2, mode = \"crd\"> (x) }"),
     "OPS011 graph/node[0]: attribute 'mode' of DepthToSpace-13 is 'crd'; it may be one of: DCR CRD"},
    {"a value of a later version",
     MODEL(18, 8, "g (float[2] x, int64[2] p) => (float[n] y) { y = Pad <mode = \"wrap\"> (x, p) }"),
     "OPS011 graph/node[0]: attribute 'mode' of Pad-18 is 'wrap'; it may be one of: constant reflect edge"},
    {"the same at that version",
     MODEL(19, 8, "g (float[2] x, int64[2] p) => (float[n] y) { y = Pad <mode = \"wrap\"> (x, p) }"), ""},
    {"no element type", MODEL(13, 8, "g (float[2] x) => (float[2] y) { y = Cast <to = 99> (x) }"),
     "OPS011 graph/node[0]: attribute 'to' is 99, which is not an element type; use the number of one (1 is float)"},
    {"two inputs of one wrong type, once", MODEL(13, 8, "g (bool[2] x) => (bool[2] y) { y = Sub (x, x) }"),
     "OPS015 graph/node[0]: input 0 ('A') is bool, which is not a type of Sub-13 there; it takes float, int32, int64, "
     "float16, double, uint32, uint64, bfloat16"},
    {"too few inputs", MODEL(13, 8, G "{ y = Add (x) }"),
     "OPS012 graph/node[0]: Add-13 needs at least 2 inputs and has 1; give the others"},
    {"too many inputs", MODEL(13, 8, G "{ y = Neg (x, x) }"),
     "OPS012 graph/node[0]: Neg-13 has at most 1 input, not 2; remove the others"},
    {"an input left out behind the last", MODEL(13, 8, G "{ y = Neg (x, \"\") }"),
     "OPS012 graph/node[0]: Neg-13 has at most 1 input, not 2; remove the others"},
    {"inputs left out that the next version has",
     MODEL(17, 8, "g (float[2,3] x, int64[4] p) => (float[N,M] y) { y = Pad (x, p, \"\", \"\") }"),
     "OPS012 graph/node[0]: Pad-13 has at most 3 inputs, not 4; remove the others, or convert the model to 18, which "
     "takes "
     "them"},
    {"an output left out behind the last",
     MODEL(7, 8,
           "g (float[1,1,2,2] x) => (float[1,1,1,1] y) "
           "{ y, \"\" = MaxPool <kernel_shape = [2, 2]> (x) }"),
     "OPS014 graph/node[0]: MaxPool-1 has at most 1 output, not 2; remove the others, or convert the model to 8, which "
     "takes "
     "them"},
    {"an attribute that is not needed yet",
     MODEL(1, 3, "g (float[1,1,2,2] x) => (float[1,1,1,1] y) { y = LpPool (x) }"), ""},
    {"and then is", MODEL(2, 3, "g (float[1,1,2,2] x) => (float[1,1,1,1] y) { y = LpPool (x) }"),
     "OPS008 graph/node[0]: LpPool-2 needs the attribute 'kernel_shape'; give it"},
    {"a value of Constant that came later", MODEL(11, 6, "g () => (int64[1] y) { y = Constant <value_ints = [1]> () }"),
     "OPS007 graph/node[0]: Constant has the attribute 'value_ints' from opset 12 on, and opset 11 is imported; remove "
     "it, or convert the model to 12"},
    {"statistics of which some are left out",
     MODEL(9, 4, BATCH "{ y, \"\", \"\", c, d = BatchNormalization (x, s, b, m, v) }"),
     "OPS021 graph/node[0]: BatchNormalization-9 has only its first output, or all five, but output 1 is omitted; name "
     "all, or only the first"},
    {"all statistics", MODEL(9, 4, BATCH "{ y, a, e, c, d = BatchNormalization (x, s, b, m, v) }"), ""},
    {"statistics without training", MODEL(15, 8, BATCH "{ y, a, e = BatchNormalization (x, s, b, m, v) }"),
     "OPS021 graph/node[0]: BatchNormalization-15 has one output if training_mode is 0, but others are named; remove "
     "them, or set training_mode"},
    {"statistics of training",
     MODEL(15, 8, BATCH "{ y, a, e = BatchNormalization <training_mode = 1> (x, s, b, m, v) }"), ""},
    {"a type that a Cast does not give yet",
     MODEL(13, 9, "g (float[2] x) => (float8e5m2[2] y) { y = Cast <to = 19> (x) }"),
     "OPS022 graph/node[0]: output 0 ('output') is float8e5m2, which Cast-13 does not give; it gives float, uint8, "
     "int8, "
     "uint16, int16, int32, int64, string, bool, float16, double, uint32, uint64, bfloat16"},
    {"the same where it does", MODEL(19, 9, "g (float[2] x) => (float8e5m2[2] y) { y = Cast <to = 19> (x) }"), ""},
    {"integers of a Constant below opset 9",
     MODEL(8, 3, "g () => (int64[1] y) { y = Constant <value = int64[1] {1}> () }"),
     "OPS025 graph/node[0]: output 0 ('output') is int64, which Constant-1 does not give; it gives float, float16, "
     "double"},
    {"min above max", MODEL(10, 5, "g (float[2] x) => (float[2] y) { y = Clip <min = 1.0, max = 0.0> (x) }"),
     "OPS023 graph/node[0]: min is above max, which Clip-6 does not define; from opset 12 on the result is max "
     "everywhere"},
    {"min above max, as inputs",
     MODEL(11, 6, "g (float[2] x) => (float[2] y) <float a = {1}, float b = {0}> { y = Clip (x, a, b) }"),
     "OPS023 graph/node[0]: min is above max, which Clip-11 does not define; from opset 12 on the result is max "
     "everywhere"},
    {"min above max where it is defined",
     MODEL(12, 6, "g (float[2] x) => (float[2] y) <float a = {1}, float b = {0}> { y = Clip (x, a, b) }"), ""},
    {"one bound alone", MODEL(10, 5, "g (float[2] x) => (float[2] y) { y = Clip <min = 1.0> (x) }"), ""},
    {"windows of Attention at opset 25",
     MODEL(25, 11, "g (float[1,1,4,8] q) => (float[1,1,4,8] y) { y = Attention <left_window_size = 2> (q, q, q) }"),
     "OPS024 graph/node[0]: 'left_window_size' was added to Attention after opset 25 had been published; a runtime "
     "that uses Attention-24 refuses the node, or ignores the window; use an equivalent attn_mask"},
    {"Attention without windows",
     MODEL(25, 11, "g (float[1,1,4,8] q) => (float[1,1,4,8] y) { y = Attention (q, q, q) }"), ""},
    {"an input left out that is needed", MODEL(13, 9, G "{ y = Add (\"\", x) }"),
     "OPS013 graph/node[0]: input 0 ('A') of Add-13 is omitted, but it is required; add it"},
    {"an input left out that is optional", MODEL(13, 8, G "{ y = Clip (x, \"\", \"\") }"), ""},
    {"too many outputs", MODEL(13, 8, "g (float[2] x) => (float[2] y, float[2] z) { y, z = Neg (x) }"),
     "OPS014 graph/node[0]: Neg-13 has at most 1 output, not 2; remove the others"},
    {"a type that an operator does not take", MODEL(13, 8, "g (int32[2] x) => (int32[2] y) { y = Sqrt (x) }"),
     "OPS015 graph/node[0]: input 0 ('X') is int32, which is not a type of Sqrt-13 there; it takes float, float16, "
     "double, "
     "bfloat16"},
    {"what follows from it", MODEL(13, 8, "g (int32[2] x) => (int32[2] y) { t = Sqrt (x) y = Exp (t) }"),
     "OPS015 graph/node[0]: input 0 ('X') is int32, which is not a type of Sqrt-13 there; it takes float, float16, "
     "double, "
     "bfloat16"},
    {"two types for one variable", MODEL(13, 8, "g (float[2] x, double[2] z) => (float[2] y) { y = Add (x, z) }"),
     "OPS016 graph/node[0]: input 0 is float and input 1 is double, and Add-13 requires the same type for both; insert "
     "a Cast before one of them"},
    {"two types for two variables", MODEL(13, 8, "g (float[2] x, int64[2] z) => (float[2] y) { y = Pow (x, z) }"), ""},
    {"an axis out of range", MODEL(13, 8, G "{ y = Softmax <axis = 2> (x) }"),
     "OPS017 graph/node[0]: axis 2 is outside [-2, 1]; use an axis in this range"},
    {"the first axis from the end", MODEL(13, 8, G "{ y = Softmax <axis = -2> (x) }"), ""},
    {"axes of a reduction",
     MODEL(13, 8, "g (float[2,3] x) => (float[2] y) { y = ReduceMax <axes = [0, -2], keepdims = 0> (x) }"),
     "OPS017 graph/node[0]: axis -2 is listed twice; list it once"},
    {"an axis too long to be squeezed",
     MODEL(12, 8, "g (float[2,3] x) => (float[2] y) { y = Squeeze <axes = [1]> (x) }"),
     "OPS017 graph/node[0]: axis 1 is to go, and it is 3 long; only one of length 1 can"},
    {"matrices that do not fit", MODEL(13, 8, "g (float[2,3] x, float[2,4] z) => (float[2,4] y) { y = MatMul (x, z) }"),
     "OPS018 graph/node[0]: the shapes [2,3] and [2,4] do not fit: 3 columns on the left, 2 rows on the right; make "
     "them equal"},
    {"matrices of which one is not known",
     MODEL(13, 8, "g (float[2,n] x, float[2,4] z) => (float[2,4] y) { y = MatMul (x, z) }"), ""},
    {"a transposed matrix",
     MODEL(13, 8, "g (float[2,3] x, float[4,3] z) => (float[2,4] y) { y = Gemm <transB = 1> (x, z) }"), ""},
    {"a transposed matrix that does not fit",
     MODEL(13, 8, "g (float[2,3] x, float[3,4] z) => (float[2,3] y) { y = Gemm <transB = 1> (x, z) }"),
     "OPS018 graph/node[0]: the shapes [2,3] and [3,4] (transposed) do not fit: 3 columns on the left, 4 rows on the "
     "right; make them equal"},
    {"parts that do not fit",
     MODEL(13, 8, "g (float[2,3] x, float[3,3] z) => (float[2,6] y) { y = Concat <axis = 1> (x, z) }"),
     "OPS018 graph/node[0]: inputs 0 and 1 have the shapes [2,3] and [3,3], which may differ only at the axis of the "
     "concatenation; make the other dims equal"},
    {"parts that fit",
     MODEL(13, 8, "g (float[2,3] x, float[3,3] z) => (float[5,3] y) { y = Concat <axis = 0> (x, z) }"), ""},
    {"shapes that do not broadcast", MODEL(13, 8, "g (float[2,3] x, float[2] z) => (float[2,3] y) { y = Add (x, z) }"),
     "OPS018 graph/node[0]: input 1 has the shape [2], which is incompatible with 3 at its axis 0; make them equal, or "
     "one of them 1"},
    {"shapes that do", MODEL(13, 8, "g (float[2,3] x, float[2,1] z) => (float[2,3] y) { y = Add (x, z) }"), ""},
    {"weights for other channels",
     MODEL(13, 8, "g (float[1,3,4,4] x, float[8,2,1,1] w) => (float[1,8,4,4] y) { y = Conv (x, w) }"),
     "OPS018 graph/node[0]: the input has 3 channels, and the weights [8,2,1,1] in 1 group want 2; correct one of "
     "them"},
    {"an axis twice in an order",
     MODEL(13, 8, "g (float[2,3] x) => (float[3,2] y) { y = Transpose <perm = [1, 1]> (x) }"),
     "OPS019 graph/node[0]: perm is not a permutation of the axes 0 to 1: 1 is there twice; list each once"},
    {"an order of too few axes", MODEL(13, 8, "g (float[2,3] x) => (float[3,2] y) { y = Transpose <perm = [0]> (x) }"),
     "OPS019 graph/node[0]: perm lists 1 axes, and the input has 2; list each once"},
    {"a new shape for more elements",
     MODEL(13, 8, "g (float[2,3] x) => (float[4,2] y) <int64[2] s = {4, 2}> { y = Reshape (x, s) }"),
     "OPS020 graph/node[0]: 6 elements of the shape [2,3] do not fit into the new one, which takes 8; correct the new "
     "shape"},
    {"a new shape with an open dim",
     MODEL(13, 8, "g (float[2,3] x) => (float[n,2] y) <int64[2] s = {-1, 2}> { y = Reshape (x, s) }"), ""},
    {"an open dim that does not come out",
     MODEL(13, 8, "g (float[2,3] x) => (float[n,4] y) <int64[2] s = {-1, 4}> { y = Reshape (x, s) }"),
     "OPS020 graph/node[0]: 6 elements of the shape [2,3] do not fit into the new one, which takes a multiple of 4; "
     "correct "
     "the new shape"},
};

int main(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        lint_finds(&cases[i], "", NULL);
    lint_examples("OPS");
    return done();
}
