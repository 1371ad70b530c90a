/* OPS: attributes, axes and shapes that an operator does not accept, each with its message. */
#include "tests/check/expect.h"
#include "tests/tap/tap.h"

#define HEAD(imports) "<ir_version: 10, opset_import: " imports ">\n"

static const struct lint_case cases[] = {
    {"a number below its range",
     HEAD("[\"\" : 13]") "g (float[1,4,2,2] x) => (float y) { y = SpaceToDepth <blocksize = 0> (x) }",
     "OPS011 graph/node[0]: attribute 'blocksize' of SpaceToDepth-13 is 0; it must be at least 1"},
    {"a number that is neither 0 nor 1",
     HEAD("[\"\" : 14]") "g (float[2,3] x, int64 a) => (float y) { y = CumSum <reverse = 2> (x, a) }",
     "OPS011 graph/node[0]: attribute 'reverse' of CumSum-14 is 2; it must be 0 or 1"},
    {"a number out of a range of four",
     HEAD("[\"\" : 23]") "g (float[1,1,4,8] q) => (float y) { y, \"\", \"\", z = Attention <qk_matmul_output_mode = 4> "
                         "(q, q, q) }",
     "OPS011 graph/node[0]: attribute 'qk_matmul_output_mode' of Attention-23 is 4; it must be from 0 to 3"},
    {"a stride of 0",
     HEAD("[\"\" : 13]") "g (float[1,1,8,8] x) => (float y) { y = MaxPool <kernel_shape = [2, 2], strides = [1, 0]> "
                         "(x) }",
     "OPS011 graph/node[0]: attribute 'strides' of MaxPool-12 has 0 at position 1; each number must be at least 1"},
    {"a kernel with too few axes",
     HEAD("[\"\" : 13]") "g (float[1,1,8,8] x) => (float y) { y = MaxPool <kernel_shape = [2]> (x) }",
     "OPS011 graph/node[0]: attribute 'kernel_shape' of MaxPool-12 has 1 numbers, and the input has 4 axes, 2 of them "
     "spatial; give 1 for each spatial one"},
    {"paddings of one side alone",
     HEAD("[\"\" : 13]") "g (float[1,1,8,8] x) => (float y) { y = MaxPool <kernel_shape = [2, 2], pads = [1, 1]> (x) }",
     "OPS011 graph/node[0]: attribute 'pads' of MaxPool-12 has 2 numbers, and the input has 4 axes, 2 of them spatial; "
     "give 2 for each spatial one"},
    {"paddings below 0",
     HEAD("[\"\" : 13]") "g (float[1,1,8,8] x) => (float y) { y = AveragePool <kernel_shape = [2, 2], pads = [0, 0, 0, "
                         "-1]> (x) }",
     "OPS011 graph/node[0]: attribute 'pads' of AveragePool-11 has -1 at position 3; each number must be at least 0"},
    {"a list of another length",
     HEAD("[\"\" : 13]") "g (float[1,3,8,8] x, float[1,5] r) => (float y) { y = MaxRoiPool <pooled_shape = [2, 2, 2]> "
                         "(x, r) }",
     "OPS011 graph/node[0]: attribute 'pooled_shape' of MaxRoiPool-1 lists 3; it must list 2"},
    {"weights that are too few",
     HEAD("[\"\" : 13]") "g (int32[4] x) => (float y) { y = TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, "
                         "max_gram_length = 1, max_skip_count = 0, ngram_counts = [0], ngram_indexes = [0, 1], "
                         "pool_int64s = [1, 2], weights = [1.0]> (x) }",
     "OPS011 graph/node[0]: attribute 'weights' of TfIdfVectorizer-9 lists 1 and 'ngram_indexes' 2; they must be "
     "equally long"},
    {"no pool",
     HEAD("[\"\" : 13]") "g (int32[4] x) => (float y) { y = TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, "
                         "max_gram_length = 1, max_skip_count = 0, ngram_counts = [0], ngram_indexes = [0, 1]> (x) }",
     "OPS011 graph/node[0]: TfIdfVectorizer-9 needs one of the attributes pool_int64s pool_strings; give it"},
    {"two values of a Constant",
     HEAD("[\"\" : 13]") "g () => (float y) { y = Constant <value_float = 1.0, value_int = 1> () }",
     "OPS011 graph/node[0]: Constant-13 has 2 of the attributes value value_int value_ints value_float value_floats "
     "value_string value_strings sparse_value; keep the intended one"},
    {"an attribute that needs another",
     HEAD("[\"\" : 13, \"ai.onnx.ml\" : 1]") "g (int64[2] x) => (string[2] y) { y = ai.onnx.ml.CategoryMapper "
                                             "<cats_int64s = [1]> (x) }",
     "OPS011 graph/node[0]: attribute 'cats_int64s' of CategoryMapper-1 needs 'cats_strings'; give both"},
    {"lists of categories that differ",
     HEAD("[\"\" : 13, \"ai.onnx.ml\" : 1]") "g (int64[2] x) => (string[2] y) { y = ai.onnx.ml.CategoryMapper "
                                             "<cats_int64s = [1], cats_strings = [\"a\", \"b\"]> (x) }",
     "OPS011 graph/node[0]: attribute 'cats_strings' of CategoryMapper-1 lists 2 and 'cats_int64s' 1; they must be "
     "equally long"},
    {"an input of too few axes",
     HEAD("[\"\" : 13]") "g (float[4,8] x, float[1,12,8] w, float[1,12,3] r) => (float y) { y = LSTM <hidden_size = 3> "
                         "(x, w, r) }",
     "OPS018 graph/node[0]: input 0 ('X') of LSTM-7 has the shape [4,8]; it must have 3 axes"},
    {"an input of too many axes",
     HEAD("[\"\" : 13]") "g (float[1,4,2,2] x, int64[1,2] i) => (float y) { y = Reshape (x, i) }",
     "OPS018 graph/node[0]: input 1 ('shape') of Reshape-13 has the shape [1,2]; it must have 1 axis"},
    {"an input of axes out of a range",
     HEAD("[\"\" : 23]") "g (float[2,4] q, float[1,1,4,8] k) => (float y) { y = Attention (q, k, k) }",
     "OPS018 graph/node[0]: input 0 ('Q') of Attention-23 has the shape [2,4]; it must have 3 or 4 axes"},
    {"more than one number", HEAD("[\"\" : 14]") "g (float[2,3] x, int64[2] k) => (float y) { y = Trilu (x, k) }",
     "OPS018 graph/node[0]: input 1 ('k') of Trilu-14 has the shape [2]; it must be one number"},
    {"boxes of five numbers",
     HEAD("[\"\" : 16]") "g (float[1,3,8,8] x, float[2,5] r, int64[2] b) => (float y) { y = RoiAlign (x, r, b) }",
     "OPS018 graph/node[0]: input 1 ('rois') of RoiAlign-16 has the shape [2,5]; its axis 1 must be 4 long"},
    {"boxes of more images",
     HEAD("[\"\" : 16]") "g (float[1,3,8,8] x, float[2,4] r, int64[3] b) => (float y) { y = RoiAlign (x, r, b) }",
     "OPS018 graph/node[0]: input 2 ('batch_indices') of RoiAlign-16 has the shape [3] and input 1 ('rois') [2,4]; "
     "axis 0 of the former and 0 of the latter must be equally long"},
    {"no groups",
     HEAD("[\"\" : 13]") "g (float[1,3,8,8] x, float[3,1,2,2] w) => (float y) { y = Conv <group = 0> (x, w) }",
     "OPS011 graph/node[0]: attribute 'group' of Conv-11 is 0; it must be at least 1"},
    {"a reference to a parameter",
     HEAD("[\"\" : 13]") "g (float[1,1,8,8] x) => (float y) { y = MaxPool <kernel_shape = [2, 2]> (x) }", ""},
};

int main(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        lint_finds(&cases[i], "OPS", NULL);
    return done();
}
