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
    {"labels that have the classes",
     HEAD("[\"\" : 13]") "g (float[3,5] x, int64[3,5] t) => (float y) { y = SoftmaxCrossEntropyLoss (x, t) }",
     "OPS018 graph/node[0]: input 0 has the shape [3,5] and input 1 [3,5], which must be the same without axis 1, the "
     "classes"},
    {"labels of another size",
     HEAD("[\"\" : 13]") "g (float[3,5,7] x, int64[3,6] t) => (float y) { y = NegativeLogLikelihoodLoss (x, t) }",
     "OPS018 graph/node[0]: input 0 has the shape [3,5,7] and input 1 [3,6], which must be the same without axis 1, "
     "the classes"},
    {"strings in rows", HEAD("[\"\" : 13]") "g (string[2,3] x) => (string[n] y) { y = StringNormalizer (x) }",
     "OPS018 graph/node[0]: the input has the shape [2,3]; it must be [C] or [1,C], with C above 0"},
    {"n-grams behind the pool",
     HEAD("[\"\" : 13]") "g (int32[4] x) => (float y) { y = TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, "
                         "max_gram_length = 2, max_skip_count = 0, ngram_counts = [0, 4], ngram_indexes = [0, 1], "
                         "pool_int64s = [1, 2]> (x) }",
     "OPS011 graph/node[0]: ngram_counts has 4 at position 1, and the pool has 2 items; the numbers must ascend, up to "
     "that"},
    {"stacks of matrices that do not fit",
     HEAD("[\"\" : 13]") "g (float[2,3,4] x, float[3,4,5] z) => (float y) { y = MatMul (x, z) }",
     "OPS018 graph/node[0]: the shapes [2,3,4] and [3,4,5] do not fit: 2 matrices on the left, 3 on the right; make "
     "them equal, or one of them 1"},
    {"a matrix added that does not fit",
     HEAD("[\"\" : 13]") "g (float[2,3] x, float[3,4] z, float[2,3] c) => (float y) { y = Gemm (x, z, c) }",
     "OPS018 graph/node[0]: input 2 has the shape [2,3], which does not broadcast to [2,4]; make each of its last axes "
     "1 or equal"},
    {"a matrix that is no square", HEAD("[\"\" : 13]") "g (float[2,3] x) => (float y) { y = Det (x) }",
     "OPS018 graph/node[0]: the input has the shape [2,3]; its last two axes must be equally long"},
    {"a negative axis of Flatten below 11",
     HEAD("[\"\" : 9]") "g (float[2,3] x) => (float y) { y = Flatten <axis = -1> (x) }",
     "OPS017 graph/node[0]: axis -1 is outside [0, 2]; use a value in this range"},
    {"a negative size", HEAD("[\"\" : 13]") "g () => (float y) <int64[2] s = {2, -1}> { y = ConstantOfShape (s) }",
     "OPS018 graph/node[0]: dim 1 of the shape is -1; it must be 0 or more"},
    {"a value of two elements",
     HEAD("[\"\" : 13]") "g () => (float y) <int64[1] s = {2}> { y = ConstantOfShape <value = float[2] {1, 2}> (s) }",
     "OPS011 graph/node[0]: value has 2 elements; it must have one"},
    {"a shape to which it does not expand",
     HEAD("[\"\" : 13]") "g (float[2,4] x) => (float y) <int64[2] s = {3, 4}> { y = Expand (x, s) }",
     "OPS018 graph/node[0]: the input has the shape [2,4], and the new one 3 at position 0; make them equal, or one of "
     "them 1"},
    {"negative repeats", HEAD("[\"\" : 13]") "g (float[2,4] x) => (float y) <int64[2] s = {1, -4}> { y = Tile (x, s) }",
     "OPS018 graph/node[0]: repeats has -4 at position 1; it must be 0 or more"},
    {"too many repeats",
     HEAD("[\"\" : 13]") "g (float[2,4] x) => (float y) <int64[2] s = {1, 9223372036854775807}> { y = Tile (x, s) }",
     "OPS018 graph/node[0]: axis 1 of the result has more than 2^63 elements; correct the numbers"},
    {"pads that overflow",
     HEAD("[\"\" : 13]") "g (float[2,4] x) => (float y) <int64[4] s = {0, 9223372036854775807, 0, 0}> { y = Pad (x, s) "
                         "}",
     "OPS018 graph/node[0]: axis 1 of the result has more than 2^63 elements; correct the numbers"},
    {"pads that take away too much",
     HEAD("[\"\" : 13]") "g (float[2,4] x) => (float y) <int64[4] s = {0, -3, 0, -3}> { y = Pad (x, s) }",
     "OPS018 graph/node[0]: the pads take 3 and 3 elements from axis 1, which has 4; take no more than it has"},
    {"pads of other axes",
     HEAD("[\"\" : 18]") "g (float[2,4] x) => (float y) <int64[4] s = {0, 1, 0, 1}, int64[1] a = {1}> { y = Pad (x, s, "
                         "\"\", a) }",
     "OPS018 graph/node[0]: pads has 4 numbers and axes 1; give two for each axis"},
    {"a range without end",
     HEAD("[\"\" : 13]") "g () => (float y) <int64 a = {1}, int64 b = {5}, int64 c = {0}> { y = Range (a, b, c) }",
     "OPS018 graph/node[0]: delta is 0, so the range has no end; give another step"},
    {"a copied dim that the input does not have",
     HEAD("[\"\" : 13]") "g (float[2,3] x) => (float y) <int64[3] s = {2, 3, 0}> { y = Reshape (x, s) }",
     "OPS020 graph/node[0]: dim 2 of the new shape is 0, for the input's own, which has 2 axes; give a number"},
    {"an open dim beside a 0",
     HEAD("[\"\" : 13]") "g (float[0,3] x) => (float y) <int64[2] s = {0, -1}> { y = Reshape (x, s) }",
     "OPS020 graph/node[0]: the dim that is -1 does not follow from the others, of which one is 0; give a number"},
    {"a kernel_shape of other weights",
     HEAD("[\"\" : 13]") "g (float[1,3,8,8] x, float[3,3,2,2] w) => (float y) { y = Conv <kernel_shape = [3, 2]> (x, "
                         "w) }",
     "OPS018 graph/node[0]: kernel_shape has 3 at position 0, and the weights have the shape [3,3,2,2]; make them "
     "equal"},
    {"a window longer than the input",
     HEAD("[\"\" : 13]") "g (float[1,3,3,8] x) => (float y) { y = MaxPool <kernel_shape = [8, 2]> (x) }",
     "OPS018 graph/node[0]: the window is 8 long at axis 2, which has 3 elements with its padding; use a smaller "
     "window"},
    {"transposed weights of fewer axes",
     HEAD("[\"\" : 13]") "g (float[1,3,8,8] x, float[3,3,2] w) => (float y) { y = ConvTranspose (x, w) }",
     "OPS018 graph/node[0]: the input has the shape [1,3,8,8] and the weights [3,3,2]; they must have as many axes"},
    {"an output_shape of fewer axes",
     HEAD("[\"\" : 13]") "g (float[1,3,8,8] x, float[3,3,2,2] w) => (float y) { y = ConvTranspose <output_shape = [9]> "
                         "(x, w) }",
     "OPS011 graph/node[0]: output_shape has 1 numbers, and the input has 4 axes; give one for each but the first two"},
    {"channels that do not divide",
     HEAD("[\"\" : 13]") "g (float[1,3,8,8] x, float[3,3,2,2] w) => (float y) { y = ConvTranspose <group = 2> (x, w) }",
     "OPS018 graph/node[0]: 3 channels do not divide into 2 groups; correct one of them"},
    {"a bias of other filters",
     HEAD("[\"\" : 13]") "g (float[1,4,8,8] x, float[4,3,2,2] w, float[3] b) => (float y) { y = ConvTranspose <group = "
                         "2> (x, w, b) }",
     "OPS018 graph/node[0]: the bias has the shape [3], and there are 6 filters; use one number for each"},
    {"indices of another shape",
     HEAD("[\"\" : 13]") "g (float[1,1,4,4] x, int64[1,1,4,3] i) => (float y) { y = MaxUnpool <kernel_shape = [2, 2], "
                         "strides = [2, 2]> (x, i) }",
     "OPS018 graph/node[0]: input 0 has the shape [1,1,4,4] and input 1 [1,1,4,3]; they must be equal"},
    {"an output_shape without the first axes",
     HEAD("[\"\" : 13]") "g (float[1,1,4,4] x, int64[1,1,4,4] i) => (float y) <int64[2] s = {8, 8}> { y = MaxUnpool "
                         "<kernel_shape = [2, 2], strides = [2, 2]> (x, i, s) }",
     "OPS018 graph/node[0]: output_shape has 2 numbers, and the input has 4 axes; give one for each"},
    {"starts and ends of other lengths",
     HEAD("[\"\" : 13]") "g (float[4,4] x) => (float y) <int64[2] a = {0, 0}, int64[2] b = {2, 2}, int64[2] c = {0, "
                         "1}, int64[2] d = {1, 0}> { y = Slice (x, a, b, c, d) }",
     "OPS018 graph/node[0]: steps has 0 at position 1; a step must not be 0"},
    {"ends that are too few",
     HEAD("[\"\" : 9]") "g (float[4,4] x) => (float y) { y = Slice <starts = [0, 0], ends = [1]> (x) }",
     "OPS018 graph/node[0]: starts has 2 numbers and ends 1; they must be equally long"},
    {"an axis of Slice",
     HEAD("[\"\" : 13]") "g (float[4,4] x) => (float y) <int64[1] a = {0}, int64[1] b = {2}, int64[1] c = {2}> { y = "
                         "Slice (x, a, b, c) }",
     "OPS017 graph/node[0]: axis 2 is outside [-2, 1]; use an axis in this range"},
    {"an index behind the end",
     HEAD("[\"\" : 13]") "g (float[2,4] x) => (float y) <int64[1] i = {7}> { y = Gather (x, i) }",
     "OPS018 graph/node[0]: index 7 is outside of the axis, which has 2 elements; use one of them"},
    {"indices of more axes than the data",
     HEAD("[\"\" : 13]") "g (float[2,4] x, int64[3,3] i) => (float y) { y = GatherND (x, i) }",
     "OPS018 graph/node[0]: the data has 2 axes, the indices 2, and batch_dims is 0; the last axis of the indices must "
     "be 1 to the number of the data's other axes long"},
    {"more than there are",
     HEAD("[\"\" : 13]") "g (float[2,4] x) => (float v, int64 i) <int64[1] k = {5}> { v, i = TopK (x, k) }",
     "OPS018 graph/node[0]: k is 5, and axis 1 has 4 elements; k must be from 0 to that"},
    {"a depth of 0",
     HEAD("[\"\" : 13]") "g (int64[2] x) => (float y) <int64 d = {0}, float[2] v = {0, 1}> { y = OneHot (x, d, v) }",
     "OPS018 graph/node[0]: depth is 0; it must be at least 1"},
    {"updates of another shape",
     HEAD("[\"\" : 13]") "g (float[3,3] x, int64[2,3] i, float[2,2] u) => (float y) { y = ScatterElements <axis = 0> "
                         "(x, i, u) }",
     "OPS018 graph/node[0]: input 1 has the shape [2,3] and input 2 [2,2]; they must be equal"},
    {"indices of fewer axes than the data",
     HEAD("[\"\" : 13]") "g (float[3,3] x, int64[2] i, float[2] u) => (float y) { y = ScatterElements <axis = 0> (x, "
                         "i, u) }",
     "OPS018 graph/node[0]: the data has the shape [3,3] and the indices [2]; they must have as many axes"},
    {"parts of another size",
     HEAD("[\"\" : 13]") "g (float[4,5] x, int64[2,1] i, float[2,4] u) => (float y) { y = ScatterND (x, i, u) }",
     "OPS018 graph/node[0]: the indices have the shape [2,1], the data [4,5] and the updates [2,4]; these must be one "
     "part of the data for each index"},
    {"sizes for fewer axes",
     HEAD("[\"\" : 13]") "g (float[1,1,4,4] x) => (float y) <float[3] s = {1, 1, 2}> { y = Resize (x, \"\", s) }",
     "OPS018 graph/node[0]: the list of scales or sizes has 3 numbers, and the input has 4 axes; give one for each"},
    {"scales and sizes",
     HEAD("[\"\" : 13]") "g (float[1,1,4,4] x) => (float y) <float[4] s = {1, 1, 2, 2}, int64[4] z = {1, 1, 8, 8}> { y "
                         "= Resize (x, \"\", s, z) }",
     "OPS018 graph/node[0]: both scales and sizes are given; give one of them"},
    {"neither scales nor sizes", HEAD("[\"\" : 13]") "g (float[1,1,4,4] x) => (float y) { y = Resize (x) }",
     "OPS018 graph/node[0]: neither scales nor sizes are given; give one of them"},
    {"sizes for other axes",
     HEAD("[\"\" : 18]") "g (float[1,1,4,4] x) => (float y) <int64[3] z = {1, 8, 8}> { y = Resize <axes = [2, 3]> (x, "
                         "\"\", \"\", z) }",
     "OPS018 graph/node[0]: sizes has 3 numbers, and there are 2 axes; give one for each"},
    {"scales of Upsample for fewer axes",
     HEAD("[\"\" : 9]") "g (float[1,1,4,4] x) => (float y) <float[3] s = {1, 1, 2}> { y = Upsample (x, s) }",
     "OPS018 graph/node[0]: scales has 3 numbers, and there are 4 axes; give one for each"},
    {"statistics of each channel where each element has its own",
     HEAD("[\"\" : 7]") "g (float[1,3,2,2] x, float[3] s) => (float y) { y = BatchNormalization <spatial = 0> (x, s, "
                        "s, s, s) }",
     "OPS018 graph/node[0]: input 1 has the shape [3], and it needs [3,2,2] where spatial is 0; give one number for "
     "each, or set spatial to 1"},
    {"a scale of another size",
     HEAD("[\"\" : 17]") "g (float[2,4] x, float[3] s) => (float y) { y = LayerNormalization (x, s) }",
     "OPS018 graph/node[0]: input 1 has the shape [3], which does not broadcast to [2,4]; make each of its last axes 1 "
     "or equal"},
    {"a scale of another size for RMSNormalization",
     HEAD("[\"\" : 23]") "g (float[2,4] x, float[3] s) => (float y) { y = RMSNormalization (x, s) }",
     "OPS018 graph/node[0]: input 1 has the shape [3], which does not broadcast to [2,4]; make each of its last axes 1 "
     "or equal"},
    {"slopes without axes for the image",
     HEAD("[\"\" : 13]") "g (float[1,4,3,3] x, float[4] s) => (float y) { y = PRelu (x, s) }",
     "OPS018 graph/node[0]: input 1 has the shape [4], which does not broadcast to [1,4,3,3]; make each of its last "
     "axes 1 or equal"},
    {"scales of another axis",
     HEAD("[\"\" : 13]") "g (int8[2,4] x, float[2] s) => (float y) { y = DequantizeLinear (x, s) }",
     "OPS018 graph/node[0]: there are 2 scales, and axis 1 has 4 elements; give one for each, or set the axis"},
    {"an axis of scales",
     HEAD("[\"\" : 13]") "g (int8[2,4] x, float[4] s) => (float y) { y = DequantizeLinear <axis = 5> (x, s) }",
     "OPS017 graph/node[0]: axis 5 is outside [-2, 1]; use an axis in this range"},
    {"zero points of another number",
     HEAD("[\"\" : 13]") "g (float[2,4] x, float[4] s, int8[2] z) => (int8 y) { y = QuantizeLinear (x, s, z) }",
     "OPS018 graph/node[0]: input 1 has the shape [4] and input 2 [2]; they must be equal"},
    {"a grid of three coordinates",
     HEAD("[\"\" : 16]") "g (float[1,1,4,4] x, float[1,2,2,3] z) => (float y) { y = GridSample (x, z) }",
     "OPS018 graph/node[0]: the input has the shape [1,1,4,4] and the grid [1,2,2,3]; it must have as many axes, and 2 "
     "coordinates in the last one"},
    {"channels that are no blocks",
     HEAD("[\"\" : 13]") "g (float[1,6,4,4] x) => (float y) { y = DepthToSpace <blocksize = 2> (x) }",
     "OPS018 graph/node[0]: 6 channels do not divide into blocks of 4; correct blocksize"},
    {"rows that are no blocks",
     HEAD("[\"\" : 13]") "g (float[1,6,5,4] x) => (float y) { y = SpaceToDepth <blocksize = 2> (x) }",
     "OPS018 graph/node[0]: 5 rows do not divide into blocks of 2; correct blocksize"},
    {"a shape for more axes",
     HEAD("[\"\" : 18]") "g (float[4,4] x) => (float y) <int64[3] s = {2, 2, 2}> { y = CenterCropPad (x, s) }",
     "OPS018 graph/node[0]: shape has 3 numbers, and there are 2 axes; give one for each"},
    {"three parts of a number", HEAD("[\"\" : 17]") "g (float[1,8,3] x) => (float y) { y = DFT (x) }",
     "OPS018 graph/node[0]: the last axis of the input has 3 elements; it must have 1 (real) or 2 (complex)"},
    {"the axis of the parts", HEAD("[\"\" : 17]") "g (float[1,8,2] x) => (float y) { y = DFT <axis = 2> (x) }",
     "OPS017 graph/node[0]: axis 2 is the last one, which holds real and imaginary part; use another"},
    {"a letter too many",
     HEAD("[\"\" : 13]") "g (float[2,3] x, float[3,4] z) => (float y) { y = Einsum <equation = \"ijk,jk->i\"> (x, z) }",
     "OPS018 graph/node[0]: input 0 has the shape [2,3], and its term in the equation 3 letters; give one for each "
     "axis"},
    {"a letter for two sizes",
     HEAD("[\"\" : 13]") "g (float[2,3] x, float[4,5] z) => (float y) { y = Einsum <equation = \"ij,jk->ik\"> (x, z) }",
     "OPS018 graph/node[0]: input 1 has the shape [4,5], and the letter of its axis 0 stands for 3 elsewhere; make "
     "them equal, or one of them 1"},
    {"a term too many",
     HEAD("[\"\" : 13]") "g (float[2,3] x) => (float y) { y = Einsum <equation = \"ij,jk->ik\"> (x) }",
     "OPS011 graph/node[0]: the equation is not valid: it has not one term for each input; correct it"},
    {"a digit in an equation",
     HEAD("[\"\" : 13]") "g (float[2,3] x) => (float y) { y = Einsum <equation = \"i1->i\"> (x) }",
     "OPS011 graph/node[0]: the equation is not valid: a term has another character than letters and one ellipsis; "
     "correct it"},
    {"a letter of no input",
     HEAD("[\"\" : 13]") "g (float[2,3] x) => (float y) { y = Einsum <equation = \"ij->ik\"> (x) }",
     "OPS011 graph/node[0]: the equation is not valid: the result must have letters of the inputs, each once; correct "
     "it"},
    {"gates of another cell",
     HEAD("[\"\" : 14]") "g (float[5,1,8] x, float[1,9,8] w, float[1,9,3] r) => (float y) { y = LSTM <hidden_size = 3> "
                         "(x, w, r) }",
     "OPS018 graph/node[0]: input 1 ('W') of LSTM-14 has the shape [1,9,8]; its axis 1 must be 12 long"},
    {"directions that the weights do not have",
     HEAD("[\"\" : 14]") "g (float[5,1,8] x, float[1,9,8] w, float[1,9,3] r) => (float y) { y = GRU <hidden_size = 3, "
                         "direction = \"bidirectional\"> (x, w, r) }",
     "OPS018 graph/node[0]: input 1 ('W') of GRU-14 has the shape [1,9,8]; its axis 0 must be 2 long"},
    {"a state of another batch",
     HEAD("[\"\" : 14]") "g (float[5,1,8] x, float[1,3,8] w, float[1,3,3] r, float[1,2,3] h) => (float y) { y = RNN "
                         "<hidden_size = 3> (x, w, r, \"\", \"\", h) }",
     "OPS018 graph/node[0]: input 5 ('initial_h') of RNN-14 has the shape [1,2,3]; its axis 1 must be 1 long"},
    {"packed heads without their number",
     HEAD("[\"\" : 23]") "g (float[1,4,8] q) => (float y) { y = Attention <kv_num_heads = 2> (q, q, q) }",
     "OPS018 graph/node[0]: input 0 has the shape [1,4,8], with packed heads, and 'q_num_heads' is not given; give it"},
    {"packed heads of no size",
     HEAD("[\"\" : 23]") "g (float[1,4,8] q) => (float y) { y = Attention <kv_num_heads = 2, q_num_heads = 3> (q, q, "
                         "q) }",
     "OPS018 graph/node[0]: input 0 has the shape [1,4,8], and 8 do not divide into 3 heads; correct 'q_num_heads'"},
    {"queries of more axes",
     HEAD("[\"\" : 23]") "g (float[1,2,4,8] q, float[1,4,8] k) => (float y) { y = Attention <kv_num_heads = 2, "
                         "q_num_heads = 2> (q, k, k) }",
     "OPS018 graph/node[0]: input 0 has the shape [1,2,4,8] and input 1 [1,4,8]; they must have as many axes"},
    {"heads that do not divide",
     HEAD("[\"\" : 23]") "g (float[1,3,4,8] q, float[1,2,4,8] k) => (float y) { y = Attention (q, k, k) }",
     "OPS018 graph/node[0]: 3 heads of queries do not divide into 2 of keys; make them a multiple"},
    {"queries of another head size",
     HEAD("[\"\" : 23]") "g (float[1,2,4,8] q, float[1,2,4,7] k) => (float y) { y = Attention (q, k, k) }",
     "OPS018 graph/node[0]: input 0 ('Q') of Attention-23 has the shape [1,2,4,8]; its axis 3 must be 7 long"},
    {"a rule without its input",
     HEAD("[\"\" : 27]") "g (float[1,4,8] q) => (float y) { y, z = LinearAttention <q_num_heads = 2, kv_num_heads = 2> "
                         "(q, q, q) }",
     "OPS018 graph/node[0]: the update rule needs the input 'decay', which is omitted; give it"},
    {"a state of another size",
     HEAD("[\"\" : 27]") "g (float[1,4,8] q, float[1,2,4,3] s) => (float y) { y, z = LinearAttention <q_num_heads = 2, "
                         "kv_num_heads = 2, update_rule = \"linear\"> (q, q, q, s) }",
     "OPS018 graph/node[0]: input 3 ('past_state') of LinearAttention-27 has the shape [1,2,4,3]; its axis 3 must be 4 "
     "long"},
    {"a kernel without elements",
     HEAD("[\"\" : 27]") "g (float[1,4,8] x, float[4,1,0] w) => (float y) { y, z = CausalConvWithState (x, w) }",
     "OPS018 graph/node[0]: the kernel has no elements; it must have at least one"},
    {"a state of another kernel",
     HEAD("[\"\" : 27]") "g (float[1,4,8] x, float[4,1,3] w, float[1,4,3] s) => (float y) { y, z = CausalConvWithState "
                         "(x, w, \"\", s) }",
     "OPS018 graph/node[0]: input 3 ('past_state') of CausalConvWithState-27 has the shape [1,4,3]; its axis 2 must be "
     "2 long"},
    {"keys without values",
     HEAD("[\"\" : 13, \"ai.onnx.ml\" : 2]") "g (int64[2] x) => (string[2] y) { y = ai.onnx.ml.LabelEncoder "
                                             "<keys_int64s = [1], values_strings = [\"a\", \"b\"]> (x) }",
     "OPS011 graph/node[0]: there are 1 keys and 2 values; give a value for each key"},
    {"more scanned inputs than there are",
     HEAD("[\"\" : 13]") "g (float[3] x) => (float[3] y) { y = Scan <num_scan_inputs = 2, body = b (float v) => (float "
                         "v2) { v2 = Identity (v) }> (x) }",
     "OPS011 graph/node[0]: num_scan_inputs is 2, and there are 1 inputs; it must not be more"},
    {"axes of other scanned inputs",
     HEAD("[\"\" : 13]") "g (float[3] x) => (float[3] y) { y = Scan <num_scan_inputs = 1, scan_input_axes = [0, 0], "
                         "body = b (float v) => (float v2) { v2 = Identity (v) }> (x) }",
     "OPS011 graph/node[0]: scan_input_axes has 2 numbers, and 1 inputs are scanned; give one for each"},
    {"a condition of two",
     HEAD("[\"\" : 13]") "g (bool[2] c) => (float y) { y = If <then_branch = a () => (float v) { v = Constant "
                         "<value_float = 1.0> () }, else_branch = b () => (float w) { w = Constant <value_float = 2.0> "
                         "() }> (c) }",
     "OPS018 graph/node[0]: input 0 ('cond') of If-13 has the shape [2]; it must be one number"},
    {"an n-gram length without its start",
     HEAD("[\"\" : 13]") "g (int32[4] x) => (float y) { y = TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, "
                         "max_gram_length = 2, max_skip_count = 0, ngram_counts = [0], ngram_indexes = [0, 1], "
                         "pool_int64s = [1, 2]> (x) }",
     "OPS011 graph/node[0]: max_gram_length is 2, and ngram_counts has 1 numbers; give one for each length"},
    {"a kernel of no elements",
     HEAD("[\"\" : 13]") "g (float[1,3,8,8] x, float[3,3,0,2] w) => (float y) { y = Conv (x, w) }",
     "OPS018 graph/node[0]: the weights have the shape [3,3,0,2], a kernel of no elements; give it some"},
    {"a ratio with an axis", HEAD("[\"\" : 13]") "g (float[2] x, float[1] r) => (float y) { y = Dropout (x, r) }",
     "OPS018 graph/node[0]: input 1 ('ratio') of Dropout-13 has the shape [1]; it must be a scalar"},
    {"one cache of two",
     HEAD("[\"\" : 23]") "g (float[1,1,2,4] q, float[1,1,3,4] p) => (float y) { y = Attention (q, q, q, \"\", p) }",
     "OPS018 graph/node[0]: past_key and past_value come together, and one is omitted; give both"},
    {"a mask of other keys",
     HEAD("[\"\" : 23]") "g (float[1,1,2,4] q, bool[2,3] m) => (float y) { y = Attention (q, q, q, m) }",
     "OPS018 graph/node[0]: the mask has the shape [2,3], and there are 2 queries and 2 keys; its last axes must be "
     "these, or 1"},
    {"an odd head",
     HEAD("[\"\" : 23]") "g (float[1,1,2,3] x, float[2,1] c) => (float y) { y = RotaryEmbedding (x, c, c) }",
     "OPS018 graph/node[0]: 3 of the 3 elements of a head cannot be turned in pairs; give an even number"},
    {"packed heads to be turned",
     HEAD("[\"\" : 23]") "g (float[1,2,4] x, float[2,2] c) => (float y) { y = RotaryEmbedding (x, c, c) }",
     "OPS011 graph/node[0]: the input has 3 axes, with packed heads, and num_heads is not given; give it"},
    {"caches of another head",
     HEAD("[\"\" : 23]") "g (float[1,1,2,4] x, float[1,2,3] c) => (float y) { y = RotaryEmbedding (x, c, c) }",
     "OPS018 graph/node[0]: input 1 ('cos_cache') of RotaryEmbedding-23 has the shape [1,2,3]; its axis 2 must be 2 "
     "long"},
    {"an update longer than the cache",
     HEAD("[\"\" : 24]") "g (float[1,3,1] x, float[1,4,1] u) => (float y) { y = TensorScatter (x, u) }",
     "OPS018 graph/node[0]: the cache has the shape [1,3,1] and the update [1,4,1], which may only be shorter along "
     "axis 1"},
    {"gates of another shape", HEAD("[\"\" : 28]") "g (float[2] x, float[1] z) => (float y) { y = SwiGLU (x, z) }",
     "OPS018 graph/node[0]: input 0 has the shape [2] and input 1 [1]; they must be equal"},
    {"a remainder of floats", HEAD("[\"\" : 13]") "g (float[2] x, float[2] z) => (float y) { y = Mod (x, z) }",
     "OPS011 graph/node[0]: the inputs are float, for which fmod must be 1; set it"},
    {"a sum without broadcast", HEAD("[\"\" : 6]") "g (float[2,3] x, float[3] z) => (float y) { y = Add (x, z) }",
     "OPS018 graph/node[0]: input 0 has the shape [2,3] and input 1 [3]; they must be equal"},
    {"axes that the input does not have",
     HEAD("[\"\" : 13]") "g (float[2,3] x) => (float y) { y = MeanVarianceNormalization (x) }",
     "OPS017 graph/node[0]: axis 2 is outside [-2, 1]; use an axis in this range"},
    {"channels that make no groups",
     HEAD("[\"\" : 21]") "g (float[1,3,4] x, float[3] s) => (float y) { y = GroupNormalization <num_groups = 2> (x, s, "
                         "s) }",
     "OPS018 graph/node[0]: 3 channels do not divide into 2 groups; correct num_groups"},
    {"blocks of other elements",
     HEAD("[\"\" : 18]") "g (float[1,5,4] x) => (float y) <int64[2] i = {4, 4}, int64[2] b = {2, 2}> { y = Col2Im (x, "
                         "i, b) }",
     "OPS018 graph/node[0]: axis 1 of the input has 5 elements, which do not divide into blocks of 4; correct "
     "block_shape"},
    {"a size of three",
     HEAD("[\"\" : 20]") "g (float[1,2,3] t) => (float y) <int64[3] s = {1, 1, 4}> { y = AffineGrid (t, s) }",
     "OPS018 graph/node[0]: the size has 3 numbers; it must have 4 or 5"},
    {"a size below 0",
     HEAD("[\"\" : 20]") "g (float[1,2,3] t) => (float y) <int64[4] s = {1, 1, -4, 4}> { y = AffineGrid (t, s) }",
     "OPS018 graph/node[0]: the size has -4 at position 2; it must be 0 or more"},
    {"a theta of another space",
     HEAD("[\"\" : 20]") "g (float[1,3,4] t) => (float y) <int64[4] s = {1, 1, 4, 4}> { y = AffineGrid (t, s) }",
     "OPS018 graph/node[0]: input 0 ('theta') of AffineGrid-20 has the shape [1,3,4]; its axis 1 must be 2 long"},
    {"a transform of length 0",
     HEAD("[\"\" : 17]") "g (float[1,8,1] x) => (float y) <int64 n = {0}> { y = DFT (x, n) }",
     "OPS018 graph/node[0]: input 1 is 0; it must be at least 1"},
    {"a window of a negative size", HEAD("[\"\" : 17]") "g () => (float y) <int64 n = {-1}> { y = HannWindow (n) }",
     "OPS018 graph/node[0]: the size is -1; it must be 0 or more"},
    {"frames longer than the signal",
     HEAD("[\"\" : 17]") "g (float[1,3,1] x) => (float y) <int64 s = {1}, int64 n = {4}> { y = STFT (x, s, \"\", n) }",
     "OPS018 graph/node[0]: a frame has 4 elements, and the signal 3; use shorter frames"},
    {"a window of another length than the frames",
     HEAD("[\"\" : 17]") "g (float[1,8,1] x, float[3] w) => (float y) <int64 s = {1}, int64 n = {4}> { y = STFT (x, s, "
                         "w, n) }",
     "OPS018 graph/node[0]: input 2 ('window') of STFT-17 has the shape [3]; its axis 0 must be 4 long"},
    {"one side of complex numbers",
     HEAD("[\"\" : 17]") "g (float[1,8,2] x) => (float y) <int64 s = {1}, int64 n = {4}> { y = STFT (x, s, \"\", n) }",
     "OPS018 graph/node[0]: the signal is complex, so its transform has two sides; set onesided to 0"},
    {"a signal of three parts",
     HEAD("[\"\" : 17]") "g (float[1,8,3] x) => (float y) <int64 s = {1}, int64 n = {4}> { y = STFT (x, s, \"\", n) }",
     "OPS018 graph/node[0]: the last axis of the signal has 3 elements; it must have 1 (real) or 2 (complex)"},
    {"too few activations",
     HEAD("[\"\" : 14]") "g (float[5,1,8] x, float[1,12,8] w, float[1,12,3] r) => (float y) { y = LSTM <hidden_size = "
                         "3, activations = [\"Tanh\"]> (x, w, r) }",
     "OPS011 graph/node[0]: activations lists 1; it must list 3, 3 for each direction"},
    {"an activation that is none",
     HEAD("[\"\" : 14]") "g (float[5,1,8] x, float[1,3,8] w, float[1,3,3] r) => (float y) { y = RNN <hidden_size = 3, "
                         "activations = [\"Tangent\"]> (x, w, r) }",
     "OPS011 graph/node[0]: activation 'Tangent' is not one of those that the standard names; use one of them"},
    {"a crop without its region",
     HEAD("[\"\" : 13]") "g (float[1,1,4,4] x) => (float y) <float[4] s = {1, 1, 2, 2}> { y = Resize "
                         "<coordinate_transformation_mode = \"tf_crop_and_resize\"> (x, \"\", s) }",
     "OPS018 graph/node[0]: tf_crop_and_resize needs the input 'roi', the region; give it"},
    {"offsets of other places",
     HEAD("[\"\" : 19]") "g (float[1,1,3,3] x, float[1,1,2,2] w, float[1,4,2,2] o) => (float y) { y = DeformConv (x, "
                         "w, o) }",
     "OPS018 graph/node[0]: input 2 ('offset') of DeformConv-19 has the shape [1,4,2,2]; its axis 1 must be 8 long"},
    {"pads that take away the result",
     HEAD("[\"\" : 13]") "g (float[1,1,1,1] x, float[1,1,1,1] w) => (float y) { y = ConvTranspose <pads = [1, 0, 1, "
                         "0]> (x, w) }",
     "OPS018 graph/node[0]: axis 2 of the result has 1 elements, of which the pads take 1 and 1; take no more than it "
     "has"},
};

int main(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        lint_finds(&cases[i], "OPS", NULL);
    return done();
}
