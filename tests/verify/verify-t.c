/* Verification: right conversions are proved or tested, wrong ones are caught, and nothing else may change. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/report.h"
#include "tests/tap/tap.h"
#include "tests/verify/pair.h"

#define SUMS "each output is the Slice from the sum of the lengths before it to the sum with its own"

#define BEYOND_DIMS                                                                                                    \
    "not the result of rules/opset-10/slice.yaml: input 2; the two have other constants that are too "                 \
    "large to draw dims around"

/* 64 numbers, in two orders. */
#define EIGHT(first)             first "0, " first "1, " first "2, " first "3, " first "4, " first "5, " first "6, " first "7"
#define HALF_OF_THEM(a, b, c, d) EIGHT(a) ", " EIGHT(b) ", " EIGHT(c) ", " EIGHT(d)
#define PLACES                   HALF_OF_THEM("60", "61", "62", "63") ", " HALF_OF_THEM("64", "65", "66", "67")
#define PLACES_ANEW              HALF_OF_THEM("64", "65", "66", "67") ", " HALF_OF_THEM("60", "61", "62", "63")
#define COLUMNS                  HALF_OF_THEM("", "", "", "") ", " HALF_OF_THEM("", "", "", "")
#define SCATTERED(opset, op, count, places, columns)                                                                   \
    MODEL(opset, "(float[700] x) => (float[] y) <int64[" count "] " op "_places = {" places "}, float[" count          \
                 "] v = {" columns "}> { y = " op " (x, " op "_places, v) }")

static const struct pair_case right[] = {
    {"nothing changed", MODEL(13, "(float[4] x) => (float[2] a, float[2] b) { a, b = Split(x) }"),
     MODEL(13, "(float[4] x) => (float[2] a, float[2] b) { a, b = Split(x) }"), NULL, NULL, NULL},
    {"an attribute became a constant",
     MODEL(11, "(float[N] x) => (float[2] a, float[4] b) { a, b = Split<split = [2, 4]>(x) }"),
     MODEL(13,
           "(float[N] x) => (float[2] a, float[4] b) { s = Constant<value = int64[2] {2, 4}>() a, b = Split(x, s) }"),
     "proved", "the same list of lengths", NULL},
    {"an attribute became an initializer",
     MODEL(11, "(float[N] x) => (float[2] a, float[4] b) { a, b = Split<split = [2, 4]>(x) }"),
     MODEL(13, "(float[N] x) => (float[2] a, float[4] b) <int64[2] s = {2, 4}> { a, b = Split(x, s) }"), "proved",
     "the same list of lengths", NULL},
    {"an initializer became an attribute",
     MODEL(13, "(float[N] x) => (float[2] a, float[4] b) <int64[2] s = {2, 4}> { a, b = Split(x, s) }"),
     MODEL(11, "(float[N] x) => (float[2] a, float[4] b) { a, b = Split<split = [2, 4]>(x) }"), "proved",
     "the same list of lengths", NULL},
    {"equal parts became num_outputs", MODEL(13, "(float[N] x) => (float[M] a, float[M] b) { a, b = Split(x) }"),
     MODEL(18, "(float[N] x) => (float[M] a, float[M] b) { a, b = Split<num_outputs = 2>(x) }"), "proved",
     "equal parts are chunks wherever the number of parts divides", NULL},
    {"num_outputs that divides was dropped",
     MODEL(18, "(float[4] x) => (float[2] a, float[2] b) { a, b = Split<num_outputs = 2>(x) }"),
     MODEL(13, "(float[4] x) => (float[2] a, float[2] b) { a, b = Split(x) }"), "proved",
     "the number of parts divides the dim", NULL},
    {"num_outputs that does not divide became a list",
     MODEL(18, "(float[5] x) => (float[3] a, float[2] b) { a, b = Split<num_outputs = 2>(x) }"),
     MODEL(13, "(float[5] x) => (float[3] a, float[2] b) <int64[2] s = {3, 2}> { a, b = Split(x, s) }"), "proved",
     "the list holds the parts of the known dim", NULL},
    {"num_outputs became computed lengths",
     MODEL(18, "(float[N] x) => (float[M] a, float[K] b) { a, b = Split<num_outputs = 2>(x) }"),
     MODEL(13, "(float[N] x) => (float[M] a, float[K] b) <int64[1] one = {1}, int64[1] two = {2}> {"
               " d = Shape(x) p = Add(d, one) c = Div(p, two) r = Sub(d, c) s = Concat<axis = 0>(c, r)"
               " a, b = Split(x, s) }"),
     "proved", "the computed lengths are the parts of every dim up to 2^40: 2 * q + r, followed for each r", NULL},
    {"lengths at run time became Slices",
     MODEL(13, "(float[N] x, int64[2] s) => (float[M] a, float[K] b) { a, b = Split(x, s) }"),
     MODEL(11, "(float[N] x, int64[2] s) => (float[M] a, float[K] b) <int64[1] zero = {0}, int64[1] one = {1}, "
               "int64[1] two = {2}> { c = Slice(s, zero, one) d = Slice(s, one, two) e = Add(c, d)"
               " a = Slice(x, zero, c) b = Slice(x, c, e) }"),
     "proved", SUMS, NULL},
    {"lengths at run time stayed",
     MODEL(13, "(float[N] x, int64[2] s) => (float[M] a, float[K] b) { a, b = Split(x, s) }"),
     MODEL(18, "(float[N] x, int64[2] s) => (float[M] a, float[K] b) { a, b = Split(x, s) }"), "proved",
     "the same value gives the lengths", NULL},
    {"a negative axis was counted from the front",
     MODEL(11, "(float[2, N] x) => (float[2, M] a, float[2, M] b) { a, b = Split<axis = -1>(x) }"),
     MODEL(10, "(float[2, N] x) => (float[2, M] a, float[2, M] b) { a, b = Split<axis = 1>(x) }"), "proved",
     "the same number of parts", NULL},
    {"another operator's axes became an input",
     MODEL(11, "(float[1, 2] x) => (float[2] y) { y = Squeeze<axes = [0]>(x) }"),
     MODEL(13, "(float[1, 2] x) => (float[2] y) <int64[1] s = {0}> { y = Squeeze(x, s) }"), "by rule",
     "result of rules/opset-13/squeeze.yaml", NULL},
    {"an operator whose default moved", MODEL(11, "(float[1, 2] x) => (float[1, 2] y) { y = Hardmax(x) }"),
     MODEL(13, "(float[1, 2] x) => (float[1, 2] y) { y = Hardmax<axis = 1>(x) }"), "by rule",
     "result of rules/opset-13/hardmax.yaml", NULL},
    {"a node that is kept though the rules rewrite it, and does the same",
     MODEL(11, "(float[1, 2] x) => (float[1, 2] y) { y = Hardmax(x) }"),
     MODEL(13, "(float[1, 2] x) => (float[1, 2] y) { y = Hardmax(x) }"), "tested",
     "not proved: not the result of rules/opset-13/hardmax.yaml: attribute 'axis'", NULL},
    {"a node between that does nothing, and is left out",
     MODEL(11, "(float[N, 1, M] x) => (float[N, M] y) { t = Identity(x) y = Squeeze<axes = [1]>(t) }"),
     MODEL(13, "(float[N, 1, M] x) => (float[N, M] y) <int64[1] a = {1}> { y = Squeeze(x, a) }"), "tested",
     "not proved: not the result of rules/opset-13/squeeze.yaml: input 0", NULL},
    {"a node that no kernel computes",
     MODEL(19, "(float[1, 4, 1] x) => (float[1, 3, 2] y) { y = DFT<inverse = 1, onesided = 1>(x) }"),
     MODEL(20, "(float[1, 4, 1] x) => (float[1, 3, 2] y) <int64 a = {1}> { "
               "y = DFT<inverse = 1, onesided = 1>(x, \"\", a) }"),
     "by rule",
     "result of rules/opset-20/dft.yaml; not run: DFT: an inverse transform of one side is not computed "
     "here",
     NULL},
};

static const struct pair_case wrong[] = {
    {"lengths swapped", MODEL(11, "(float[6] x) => (float[M] a, float[K] b) { a, b = Split<split = [2, 4]>(x) }"),
     MODEL(13, "(float[6] x) => (float[M] a, float[K] b) <int64[2] s = {4, 2}> { a, b = Split(x, s) }"), "differs",
     "float [6]: output 'a' was of shape [2] and is of shape [4]", NULL},
    {"an axis off by one", MODEL(11, "(float[2, 2] x) => (float[M, K] a, float[M, K] b) { a, b = Split<axis = 0>(x) }"),
     MODEL(13, "(float[2, 2] x) => (float[M, K] a, float[M, K] b) { a, b = Split<axis = 1>(x) }"), "differs",
     "float [2,2]: output 'a' was of shape [1,2] and is of shape [2,1]", NULL},
    {"num_outputs dropped though it may not divide",
     MODEL(18, "(float[N] x) => (float[M] a, float[K] b) { a, b = Split<num_outputs = 2>(x) }"),
     MODEL(13, "(float[N] x) => (float[M] a, float[K] b) { a, b = Split(x) }"), "differs",
     "float [5]: output 'a' cannot be computed any more: Split: the dim 5 cannot be divided into 2 equal parts; write "
     "explicit "
     "lengths",
     NULL},
    {"a list where any dim was taken", MODEL(13, "(float[N] x) => (float[M] a, float[K] b) { a, b = Split(x) }"),
     MODEL(18, "(float[N] x) => (float[M] a, float[K] b) <int64[2] s = {2, 2}> { a, b = Split(x, s) }"), "differs",
     "float [0]: output 'a' cannot be computed any more: Split: the lengths sum to 4, and the dim is 0; make the "
     "lengths cover axis 0 of 'input'",
     NULL},
    {"another input",
     MODEL(11, "(float[2] x, float[2] z) => (float[1] a, float[1] b) { a, b = Split<split = [1, 1]>(x) }"),
     MODEL(13, "(float[2] x, float[2] z) => (float[1] a, float[1] b) <int64[2] s = {1, 1}> { a, b = Split(z, s) }"),
     "differs", "float [2]: output 'a' differs first at element 0 of shape [1]: -3720358.75 was 1.1418449995917072e+38",
     NULL},
    {"a Slice that starts too late", MODEL(13, "(float[N] x) => (float[M] a, float[K] b) { a, b = Split(x) }"),
     MODEL(11, "(float[N] x) => (float[M] a, float[K] b) <int64[1] zero = {0}, int64[1] two = {2}> {"
               " d = Shape(x) h = Div(d, two) a = Slice(x, zero, h) b = Slice(x, two, d) }"),
     "differs", "float [2]: output 'b' was of shape [1] and is of shape [0]", NULL},
    {"lengths that a caller may override are written in",
     MODEL(13, "(float[4] x, int64[2] s = {1, 3}) => (float[M] a, float[K] b) { a, b = Split(x, s) }"),
     MODEL(11, "(float[4] x, int64[2] s = {1, 3}) => (float[M] a, float[K] b) { a, b = Split<split = [1, 3]>(x) }"),
     "differs", "float [4]: output 'a' was of shape [2] and is of shape [1]", NULL},
};

/* Nodes that cannot be run: the rules define their results. */
static const struct pair_case unrun[] = {
    {"an axis that the rules do not write", MODEL(11, "(float[1, 2] x) => (float[1, 2] y) { y = Hardmax(x) }"),
     MODEL(13, "(float[1, 2] x) => (float[1, 2] y) { y = Hardmax<axis = 0>(x) }"), "differs",
     "output 'y' differs first at element 1 of shape [1,2]: 1 was 0", NULL},
    {"an attribute that the rules do not write",
     MODEL(19, "(float[1, 4, 1] x) => (float[1, 3, 2] y) { y = DFT<inverse = 1, onesided = 1>(x) }"),
     MODEL(20, "(float[1, 4, 1] x) => (float[1, 3, 2] y) <int64 a = {1}> { y = DFT<onesided = 1>(x, \"\", a) }"),
     "differs",
     "not the result of rules/opset-20/dft.yaml: attribute 'inverse'; and it cannot be run to see "
     "whether that does the same: DFT: an inverse transform of one side is not computed here",
     NULL},
    {"a node that is kept though the rules rewrite it",
     MODEL(19, "(float[1, 4, 1] x) => (float[1, 3, 2] y) { y = DFT<inverse = 1, onesided = 1>(x) }"),
     MODEL(20, "(float[1, 4, 1] x) => (float[1, 3, 2] y) { y = DFT<inverse = 1, onesided = 1>(x) }"), "differs",
     "not the result of rules/opset-20/dft.yaml: the number of inputs; and it cannot be run to see "
     "whether that does the same: DFT: an inverse transform of one side is not computed here",
     NULL},
    {"an attribute of a node whose operator did not change",
     MODEL(11, "(float[1, 2] x) => (float[1, 2] y) { y = LpPool<kernel_shape = [1]>(x) }"),
     MODEL(13, "(float[1, 2] x) => (float[1, 2] y) { y = LpPool<kernel_shape = [2]>(x) }"), "differs",
     "is another, though LpPool is the same at both opsets: attribute 'kernel_shape'", NULL},
    {"a default that is written out, at the same opset",
     MODEL(17, "(float[2, 3] x) => (float[3, 2] y) <int64[2] s = {3, 2}> { y = Reshape(x, s) }"),
     MODEL(17, "(float[2, 3] x) => (float[3, 2] y) <int64[2] s = {3, 2}> { y = Reshape<allowzero = 0>(x, s) }"),
     "by rule", "the same operator, attributes and inputs", NULL},
    {"a default that is not written any more",
     MODEL(17, "(float[2, 3] x) => (float[2, 1] y) { y = ReduceMax<keepdims = 1, axes = [1]>(x) }"),
     MODEL(17, "(float[2, 3] x) => (float[2, 1] y) { y = ReduceMax<axes = [1]>(x) }"), "by rule",
     "the same operator, attributes and inputs", NULL},
    {"the default with another sign, of a node that cannot be run",
     MODEL(9, "(float[4611686018427387904] x) => (float[n] y) { y = Pad<pads = [1, 1]>(x) }"),
     MODEL(9, "(float[4611686018427387904] x) => (float[n] y) { y = Pad<pads = [1, 1], value = -0.0>(x) }"), "differs",
     "is another, though Pad is the same at both opsets: attribute 'value'", NULL},
    {"another value than the default",
     MODEL(17, "(float[2, 3] x) => (float[] y) { y = ReduceMax<keepdims = 0, axes = [1]>(x) }"),
     MODEL(17, "(float[2, 3] x) => (float[] y) { y = ReduceMax<axes = [1]>(x) }"), "differs",
     "output 'y' was of shape [2] and is of shape [2,1]", NULL},
    {"other operators for a node that is to be kept",
     MODEL(17, "(float[2, 3] x, float[2, 3] z) => (bool[2, 3] y) { y = GreaterOrEqual(x, z) }"),
     MODEL(17, "(float[2, 3] x, float[2, 3] z) => (bool[2, 3] y) { g = Greater(x, z) e = Equal(x, z) y = Or(g, e) }"),
     "not shown",
     "is another, though GreaterOrEqual is the same at both opsets: the operator; runs on drawn inputs show no "
     "difference",
     NULL},
    {"other operators, which do something else",
     MODEL(17, "(float[2, 3] x, float[2, 3] z) => (bool[2, 3] y) { y = GreaterOrEqual(x, z) }"),
     MODEL(17, "(float[2, 3] x, float[2, 3] z) => (bool[2, 3] y) { l = Less(x, z) y = Not(l) }"), "differs",
     "output 'y' differs first at element 1 of shape [2,3]: 1 was 0", NULL},
    {"an attribute of a node that the rules keep",
     MODEL(21, "(float[2, 2] x) => (int32[2, 1] y) { y = Multinomial<sample_size = 1>(x) }"),
     MODEL(22, "(float[2, 2] x) => (int32[2, 1] y) { y = Multinomial<sample_size = 2>(x) }"), "differs",
     "is another, though it is to be kept: rules/opset-22/compatible.yaml: attribute 'sample_size'", NULL},
    {"a node between that is lost",
     MODEL(13, "(float[2] x) => (float[1] a, float[1] b) { y = RandomUniformLike(x) a, b = Split(y) }"),
     MODEL(13, "(float[2] x) => (float[1] a, float[1] b) { a, b = Split(x) }"), "not shown",
     "there is no built-in kernel for RandomUniformLike at opset 13; the two cuts are not seen to be one for every dim",
     NULL},
};

/* Two models that do not do the same, which some runs of small tensors would not show. */
static const struct pair_case unshown[] = {
    {"a default axis that moved, of unknown rank", MODEL(12, "(float[] x) => (float[] y) { y = Softmax(x) }"),
     MODEL(13, "(float[] x) => (float[] y) { y = Softmax(x) }"), "differs",
     "output 'y' differs first at element 0 of shape [2]: 0.62245935201644897 was 1", NULL},
    {"an end beyond what is usually drawn",
     MODEL(9, "(float[N] x) => (float[M] y) { y = Slice<starts = [0], ends = [100]>(x) }"),
     MODEL(10, "(float[N] x) => (float[M] y) <int64[1] s = {0}, int64[1] e = {50}> { y = Slice(x, s, e) }"), "differs",
     "output 'y' was of shape [100] and is of shape [50]", NULL},
    {"an end beyond what is ever drawn",
     MODEL(9, "(float[N] x) => (float[M] y) { y = Slice<starts = [0], ends = [5000]>(x) }"),
     MODEL(10, "(float[N] x) => (float[M] y) <int64[1] s = {0}, int64[1] e = {6000}> { y = Slice(x, s, e) }"),
     "not shown", BEYOND_DIMS, NULL},
    {"two ends beyond what is ever drawn, in the other order",
     MODEL(9, "(float[N, M] x) => (float[] y) { y = Slice<axes = [0, 1], starts = [0, 0], ends = [1000, 2000]>(x) }"),
     MODEL(10, "(float[N, M] x) => (float[] y) <int64[2] s = {0, 0}, int64[2] e = {2000, 1000}, int64[2] a = {0, 1}> { "
               "y = Slice(x, s, e, a) }"),
     "not shown", BEYOND_DIMS, NULL},
    {"starts and ends that changed places",
     MODEL(9, "(float[N] x) => (float[] y) { y = Slice<starts = [1000], ends = [2000]>(x) }"),
     MODEL(10, "(float[N] x) => (float[] y) <int64[1] s = {2000}, int64[1] e = {1000}> { y = Slice(x, s, e) }"),
     "not shown",
     "not the result of rules/opset-10/slice.yaml: input 1; the two have other constants that "
     "are too large to draw dims around",
     NULL},
    {"64 numbers in another order are positions, and too large to draw dims around",
     SCATTERED(10, "Scatter", "64", PLACES, COLUMNS), SCATTERED(11, "ScatterElements", "64", PLACES_ANEW, COLUMNS),
     "not shown",
     "not the result of rules/opset-11/scatter.yaml: input 1; the two have other constants that are too large to draw "
     "dims around",
     NULL},
    {"65 numbers in another order are data", SCATTERED(10, "Scatter", "65", PLACES ", 678", COLUMNS ", 8"),
     SCATTERED(11, "ScatterElements", "65", PLACES_ANEW ", 678", COLUMNS ", 8"), "tested",
     "not proved: not the result of rules/opset-11/scatter.yaml: input 1", NULL},
    {"other operators, with a constant that inputs meet",
     MODEL(15, "(float[N] x, int32[N] l) => (int32[N] y) { y = CastLike(x, l) }"),
     MODEL(14, "(float[N] x, int32[N] l) => (int32[N] y) <int32 m = {5000}, int32 z = {7}> { "
               "t = Cast<to = 6>(x) q = Equal(t, m) y = Where(q, z, t) }"),
     "differs", "output 'y' differs first at element 2 of shape [3]: 7 was 5000", NULL},
    {"other operators, with a constant that no input meets",
     MODEL(15, "(float[N] x, int32[N] l) => (int32[N] y) { y = CastLike(x, l) }"),
     MODEL(14, "(float[N] x, int32[N] l) => (int32[N] y) <int32 m = {70000}, int32 z = {7}, float h = {3.3}> { "
               "t = Cast<to = 6>(x) k = Div(x, h) i = Cast<to = 6>(k) q = Equal(i, m) y = Where(q, z, t) }"),
     "not shown",
     "not the result of rules/opset-15/castlike.yaml: the operator; runs on drawn inputs show no "
     "difference",
     NULL},
    {"the same in front of what the rules make",
     MODEL(11, "(float[1, N] x) => (float[N] y) { y = Squeeze<axes = [0]>(x) }"),
     MODEL(
         13,
         "(float[1, N] x) => (float[N] y) <int64[1] a = {0}, float m = {70000.0}, float z = {7.0}, float h = {3.3}> { "
         "k = Div(x, h) q = Equal(k, m) t = Where(q, z, x) y = Squeeze(t, a) }"),
     "not shown",
     "not the result of rules/opset-13/squeeze.yaml: input 0; runs on drawn inputs show no "
     "difference",
     NULL},
    {"axes that are left out", MODEL(11, "(float[N, M] x) => (float[M] y) { y = Squeeze<axes = [0]>(x) }"),
     MODEL(13, "(float[N, M] x) => (float[M] y) { y = Squeeze(x) }"), "differs",
     "output 'y' was of shape [1] and is of shape []", NULL},
    {"a ratio that matters to the mask in training alone",
     MODEL(11, "(float[N] x) => (float[N] y, bool[N] m) { y, m = Dropout<ratio = 0.3>(x) }"),
     MODEL(12, "(float[N] x) => (float[N] y, bool[N] m) { y, m = Dropout(x) }"), "not shown",
     "convert refuses it: from opset 11 to 12: the mask's content in inference is defined only from opset 12 on; "
     "remove "
     "the output",
     NULL},
    {"a flag that is neither 0 nor 1",
     MODEL(11, "(float[N, M] x) => (float[N, K] y) { y = ReduceSum<axes = [1], keepdims = 2>(x) }"),
     MODEL(13, "(float[N, M] x) => (float[N, K] y) <int64[1] a = {1}> { y = ReduceSum<keepdims = 1>(x, a) }"),
     "not shown",
     "not the result of rules/opset-13/reducesum.yaml: attribute 'keepdims'; keepdims is 2, which is "
     "neither 0 "
     "nor 1",
     NULL},
    {"an order that is not asked for any more",
     MODEL(9, "(float[N] x) => (float[2] y, int64[2] i) { y, i = TopK<k = 2>(x) }"),
     MODEL(11, "(float[N] x) => (float[2] y, int64[2] i) <int64[1] k = {2}> { y, i = TopK<sorted = 0>(x, k) }"),
     "not shown",
     "not the result of rules/opset-10/topk.yaml, rules/opset-11/topk.yaml: attribute 'sorted'; "
     "runs may not show its effect",
     NULL},
    {"what convert refuses", MODEL(8, "(float[] x, float[] z) => (float[] y) { y = Sum(x, z) }"),
     MODEL(7, "(float[] x, float[] z) => (float[] y) { y = Sum(x, z) }"), "differs",
     "output 'y' cannot be computed any more: Sum: input 1 of shape [1] differs from [3]; shapes do not stretch before "
     "opset 8",
     NULL},
};

/* Split<num_outputs = 3> at 18, as Split at 13 with the lengths `last` computes from d (the dim), c (the chunk). */
#define CHUNKS(what, chunk, last, verdict, why)                                                                        \
    {                                                                                                                  \
        what,                                                                                                          \
            MODEL(18, "(float[2, N] x) => (float[] a, float[] b, float[] c) { a, b, c = Split<axis = 1, "              \
                      "num_outputs = 3>(x) }"),                                                                        \
            MODEL(13, "(float[2, N] x) => (float[] a, float[] b, float[] c) <int64[1] one = {1}, int64[1] two = {2}, " \
                      "int64[1] three = {3}> { s = Shape(x) d = Gather(s, one) " chunk " " last                        \
                      " l = Concat<axis = 0>(k, k, m) a, b, c = Split<axis = 1>(x, l) }"),                             \
            verdict, why, NULL                                                                                         \
    }

/* The graphs that compute lengths, followed for every dim. */
static const struct pair_case followed[] = {
    CHUNKS("chunks, rounded up", "p = Add(d, two) k = Div(p, three)", "t = Mul(k, two) m = Sub(d, t)", "proved",
           "the computed lengths are the parts of every dim up to 2^40: 3 * q + r, followed for each r"),
    CHUNKS("chunks, rounded down", "k = Div(d, three)", "t = Mul(k, two) m = Sub(d, t)", "differs",
           "float [2,7]: output 'a' was of shape [2,3] and is of shape [2,2]"),
    CHUNKS("chunks, the last of which is wrong where nothing is left over", "p = Add(d, three) k = Div(p, three)",
           "t = Mul(k, two) m = Sub(d, t)", "differs",
           "float [2,6]: output 'a' was of shape [2,2] and is of shape [2,3]"),
    CHUNKS("a way that is not followed", "p = Add(d, two) k = Div(p, three)",
           "t = Mul(k, two) u = Sub(d, t) m = Max(u, u)", "tested",
           "not proved: its lengths are computed: Max is not followed"),
    {"Slices in the wrong order",
     MODEL(13, "(float[N] x, int64[2] s) => (float[M] a, float[K] b) { a, b = Split(x, s) }"),
     MODEL(11, "(float[N] x, int64[2] s) => (float[M] a, float[K] b) <int64[1] zero = {0}, int64[1] one = {1}, "
               "int64[1] two = {2}> { c = Slice(s, zero, one) d = Slice(s, one, two) e = Add(c, d)"
               " b = Slice(x, zero, c) a = Slice(x, c, e) }"),
     "differs",
     "float [4]: output 'a' differs first at element 0 of shape [2]: 6.6489505456956977e-08 was 1.1418449995917072e+38",
     NULL},
};

/* Two models of these graphs, both at opset 13. */
#define TWO(what, before, after, difference)                                                                           \
    {                                                                                                                  \
        what, MODEL(13, before), MODEL(13, after), NULL, NULL, difference                                              \
    }

#define FUNCTION(name, version)                                                                                        \
    "<domain: \"our\", opset_import: [\"\" : " #version "]>\n" name " (x) => (y) { y = Neg(x) }\n"

static const struct pair_case orders[] = {
    TWO("initializers change places",
        "(float[1] x) => (float[1] y) <float[1] v = {1}, float[1] w = {2}> { y = Neg(x) }",
        "(float[1] x) => (float[1] y) <float[1] w = {2}, float[1] v = {1}> { y = Neg(x) }",
        "initializer 'v': is elsewhere in its list"),
    TWO("inputs change places", "(float[1] x, float[1] z) => (float[1] y) { y = Neg(x) }",
        "(float[1] z, float[1] x) => (float[1] y) { y = Neg(x) }", "input 'x': is elsewhere in its list"),
    TWO("an input is new", "(float[1] x) => (float[1] y) { y = Neg(x) }",
        "(float[1] x, float[1] z) => (float[1] y) { y = Neg(x) }", "input 'z': is new"),
    TWO("an output is lost", "(float[1] x) => (float[1] y, float[1] z) { y = Neg(x) z = Neg(y) }",
        "(float[1] x) => (float[1] y) { y = Neg(x) z = Neg(y) }", "output 'z': is lost"),
    TWO("a value's type is another", "(float[N] x) => (float[M] y) <float[2] v> { v = Neg(x) y = Neg(v) }",
        "(float[N] x) => (float[M] y) <float[3] v> { v = Neg(x) y = Neg(v) }", "value info 'v': is another"),
    TWO("a value's type is lost", "(float[N] x) => (float[M] y) <float[2] v> { v = Neg(x) y = Neg(v) }",
        "(float[N] x) => (float[M] y) { v = Neg(x) y = Neg(v) }", "value info 'v': is lost"),
    TWO("a value's type is new", "(float[N] x) => (float[M] y) { v = Neg(x) y = Neg(v) }",
        "(float[N] x) => (float[M] y) <float[2] v> { v = Neg(x) y = Neg(v) }", "value info 'v': is new"),
    TWO("nodes change places", "(float[1] x) => (float[1] y, float[1] z) { y = Neg(x) z = Identity(x) }",
        "(float[1] x) => (float[1] y, float[1] z) { z = Identity(x) y = Neg(x) }",
        "node 1 (Identity): stands elsewhere"),
    {"a new constant stands behind its reader",
     MODEL(11, "(float[2] x) => (float[1] a, float[1] b) { a, b = Split<split = [1, 1]>(x) }"),
     MODEL(13,
           "(float[2] x) => (float[1] a, float[1] b) { a, b = Split(x, s) s = Constant<value = int64[2] {1, 1}>() }"),
     "proved", "the same list of lengths", "node 0 (Split): reads 's', which is made behind it"},
    {"functions change places",
     MODEL(13, "(float[1] x) => (float[1] y) { y = Neg(x) }\n") FUNCTION("A", 13) FUNCTION("B", 13),
     MODEL(13, "(float[1] x) => (float[1] y) { y = Neg(x) }\n") FUNCTION("B", 13) FUNCTION("A", 13), NULL, NULL,
     "function 'our.B': stands elsewhere"},
    {"the opset of a function alone is another",
     MODEL(13, "(float[1] x) => (float[1] y) { y = Neg(x) }\n") FUNCTION("A", 13),
     MODEL(13, "(float[1] x) => (float[1] y) { y = Neg(x) }\n") FUNCTION("A", 14), NULL, NULL,
     "function 'A': the opset import of ai.onnx was 13 and is 14; it has to be 13"},
    {"the opset of a function stays behind",
     MODEL(13, "(float[1] x) => (float[1] y) { y = Neg(x) }\n") FUNCTION("A", 13),
     MODEL(14, "(float[1] x) => (float[1] y) { y = Neg(x) }\n") FUNCTION("A", 13), NULL, NULL,
     "function 'A': the opset import of ai.onnx was 13 and is 13; it has to be 14"},
    {"a rewritten Split is called otherwise",
     MODEL(13, "(float[2] x) => (float[1] a, float[1] b) { [cut] a, b = Split(x) }"),
     MODEL(18, "(float[2] x) => (float[1] a, float[1] b) { [other] a, b = Split<num_outputs = 2>(x) }"), "differs",
     "the field name is another", NULL},
    {"the outputs of a Split change places", MODEL(13, "(float[2] x) => (float[1] a, float[1] b) { a, b = Split(x) }"),
     MODEL(18, "(float[2] x) => (float[1] a, float[1] b) { b, a = Split<num_outputs = 2>(x) }"), "differs",
     "float [2]: output 'a' differs first at element 0 of shape [1]: -8.6193140305113047e-05 was "
     "1.1418449995917072e+38",
     NULL},
};

static const struct pair_case others[] = {
    {"a node is lost", MODEL(13, "(float[2] x) => (float[2] y) { y = Relu(x) z = Relu(y) }"),
     MODEL(13, "(float[2] x) => (float[2] y) { y = Relu(x) }"), NULL, NULL,
     "node 1 (Relu): is lost, and no rewritten node alone reads it"},
    {"a node is new", MODEL(13, "(float[2] x) => (float[2] y) { y = Relu(x) }"),
     MODEL(13, "(float[2] x) => (float[2] y) { y = Relu(x) z = Relu(y) }"), NULL, NULL,
     "node 1 (Relu): is new, and no rewritten node alone reads it"},
    {"an initializer is another", MODEL(13, "(float[2] x) => (float[2] y) <float[1] w = {1}> { y = Add(x, w) }"),
     MODEL(13, "(float[2] x) => (float[2] y) <float[1] w = {2}> { y = Add(x, w) }"), NULL, NULL,
     "initializer 'w': is another"},
    {"an initializer that nobody reads is lost",
     MODEL(13, "(float[2] x) => (float[2] y) <float[1] w = {1}> { y = Relu(x) }"),
     MODEL(13, "(float[2] x) => (float[2] y) { y = Relu(x) }"), NULL, NULL, "initializer 'w': is lost"},
    {"an output is another", MODEL(13, "(float[2] x) => (float[2] y) { y = Relu(x) }"),
     MODEL(13, "(float[2] x) => (float[3] y) { y = Relu(x) }"), NULL, NULL, "output 'y': is another"},
    {"an input is lost", MODEL(13, "(float[2] x, float[2] z) => (float[2] y) { y = Relu(x) }"),
     MODEL(13, "(float[2] x) => (float[2] y) { y = Relu(x) }"), NULL, NULL, "input 'z': is lost"},
    {"an input whose initializer a rewritten node reads is lost, and callers may override it",
     MODEL(13, "(float[6] x, int64[2] s = {2, 4}) => (float[M] a, float[K] b) { a, b = Split(x, s) }"),
     MODEL(18, "(float[6] x) => (float[M] a, float[K] b) <int64[2] s = {2, 4}> { a, b = Split(x, s) }"), "by rule",
     "kept by rules/opset-18/split.yaml", "input 's': is lost"},
    {"below IR 4, an initializer and its input that no rewritten node reads are lost",
     "<ir_version: 3, opset_import: [\"\" : 8]>\nmain (float[2] x, float[2] w = {1, 2}) => (float[2] y) { y = Relu(x) "
     "}",
     "<ir_version: 3, opset_import: [\"\" : 8]>\nmain (float[2] x) => (float[2] y) { y = Relu(x) }", NULL, NULL,
     "input 'w': is lost"},
    {"the producer is another",
     "<ir_version: 8, opset_import: [\"\" : 13], producer_name: \"a\">\n"
     "main (float[2] x) => (float[2] y) { y = Relu(x) }",
     "<ir_version: 8, opset_import: [\"\" : 13], producer_name: \"b\">\n"
     "main (float[2] x) => (float[2] y) { y = Relu(x) }",
     NULL, NULL, "model: the field producer_name is another"},
    {"another domain's opset is another",
     "<ir_version: 8, opset_import: [\"\" : 13, \"our\" : 1]>\n"
     "main (float[2] x) => (float[2] y) { y = Relu(x) }",
     "<ir_version: 8, opset_import: [\"\" : 13, \"our\" : 2000]>\n"
     "main (float[2] x) => (float[2] y) { y = Relu(x) }",
     NULL, NULL, "model: the opset import of 'our' was 1 and is 2000"},
    {"a function is lost",
     "<ir_version: 8, opset_import: [\"\" : 13, \"our\" : 1]>\n"
     "main (float[2] x) => (float[2] y) { y = Relu(x) }\n"
     "<domain: \"our\", opset_import: [\"\" : 13]>\nTwice (x) => (y) { y = Add(x, x) }",
     "<ir_version: 8, opset_import: [\"\" : 13, \"our\" : 1]>\n"
     "main (float[2] x) => (float[2] y) { y = Relu(x) }",
     NULL, NULL, "function 'our.Twice': is lost"},
    {"a node in a function differs",
     "<ir_version: 8, opset_import: [\"\" : 13, \"our\" : 1]>\n"
     "main (float[2] x) => (float[2] y) { y = our.Twice(x) }\n"
     "<domain: \"our\", opset_import: [\"\" : 13]>\nTwice (x) => (y) { y = Add(x, x) }",
     "<ir_version: 8, opset_import: [\"\" : 13, \"our\" : 1]>\n"
     "main (float[2] x) => (float[2] y) { y = our.Twice(x) }\n"
     "<domain: \"our\", opset_import: [\"\" : 13]>\nTwice (x) => (y) { y = Sub(x, x) }",
     "differs", "output 'y' differs first at element 0 of shape [2]: 0 was 2", NULL},
};

#define IF(opset, head, split)                                                                                         \
    "<ir_version: 3, opset_import: [\"\" : " #opset "]>\n"                                                             \
    "main (bool c, float[6] x" head ") => (float[M] y) {"                                                              \
    " y = If (c) <then_branch = yes () => (float[M] a) { a, b = " split " },"                                          \
    " else_branch = no () => (float[M] d) { d = Identity(x) }> }"

static const struct pair_case subgraphs[] = {
    {"an initializer that was an input too left both lists", IF(13, ", int64[2] s = {2, 4}", "Split(x, s)"),
     IF(11, "", "Split<split = [2, 4]>(x)"), "proved", "the same list of lengths", NULL},
    {"lengths swapped in a subgraph", IF(13, ", int64[2] s = {2, 4}", "Split(x, s)"),
     IF(11, "", "Split<split = [4, 2]>(x)"), "differs", "float [6]: output 'a' was of shape [2] and is of shape [4]",
     NULL},
    {"a node lost in a subgraph", IF(13, "", "Split(x) e = Relu(b)"), IF(13, "", "Split(x)"), NULL, NULL,
     "node 0 (If): then_branch: node 1 (Relu): is lost, and no rewritten node alone reads it"},
};

/* A model whose only operator is a call of our.Cut, at this opset; then the function. */
#define CALLS(opset, main, cut)                                                                                        \
    "<ir_version: 8, opset_import: [\"\" : " #opset ", \"our\" : 1]>\n"                                                \
    "main (float[2, 6] x, int64[2] s) => (float[] a, float[] b) {" main "}\n"                                          \
    "<domain: \"our\", opset_import: [\"\" : " #opset ", \"our\" : 1]>\n" cut

/* Split(x, s) at this axis, as Slices; and their length starts. */
#define SLICES(axis)                                                                                                   \
    "zero = Constant<value = int64[1] {0}>() one = Constant<value = int64[1] {1}>() "                                  \
    "two = Constant<value = int64[1] {2}>() axis = Constant<value = int64[1] {" #axis "}>() "                          \
    "p = Slice(s, zero, one, zero) q = Slice(s, one, two, zero) r = Add(p, q) "                                        \
    "a = Slice(x, zero, p, axis) b = Slice(x, p, r, axis)"

/* A function's parameter stays one, in the attribute or behind a Constant, or becomes what the calls make of it. */
static const struct pair_case functions[] = {
    {"a parameter gives the lengths",
     CALLS(11, "a, b = our.Cut<sizes = [1, 1]>(x)",
           "Cut<sizes>(x) => (a, b) { a, b = Split<split: ints = @sizes>(x) }"),
     CALLS(13, "a, b = our.Cut<sizes = [1, 1]>(x)",
           "Cut<sizes>(x) => (a, b) { s = Constant<value_ints: ints = @sizes>() a, b = Split(x, s) }"),
     "proved", "the same parameter of the function gives the lengths", NULL},
    {"a parameter of which nothing is known says whether the axis of a sequence's tensors stays",
     CALLS(13, "a = Relu(x) b = Relu(x)",
           "Cut<keep>(x) => (a, b) { z = Constant<value = int64 {0}>() o = Constant<value = int64 {1}>() "
           "n = Constant<value = int64[2] {2, 6}>() r = Reshape(x, n) "
           "q = SplitToSequence<keepdims: int = @keep>(r) a = SequenceAt(q, z) b = SequenceAt(q, o) }"),
     CALLS(13, "a = Relu(x) b = Relu(x)",
           "Cut<keep>(x) => (a, b) { t = Constant<value = int64[1] {0}>() n = Constant<value = int64[2] {2, 6}>() "
           "r = Reshape(x, n) c, d = Split(r) a = Squeeze(c, t) b = Squeeze(d, t) }"),
     "not shown",
     "SplitToSequence: it depends on a parameter of its function; how many tensors the sequence has is not known",
     NULL},
    {"a parameter becomes the axis of Slices",
     CALLS(13, "a, b = our.Cut<ax = 1>(x, s)", "Cut<ax>(x, s) => (a, b) { a, b = Split<axis: int = @ax>(x, s) }"),
     CALLS(11, "a, b = our.Cut<ax = 1>(x, s)", "Cut<ax>(x, s) => (a, b) {" SLICES(1) "}"), "proved", SUMS, NULL},
    {"a parameter becomes another axis of Slices",
     CALLS(13, "a, b = our.Cut<ax = 1>(x, s)", "Cut<ax>(x, s) => (a, b) { a, b = Split<axis: int = @ax>(x, s) }"),
     CALLS(11, "a, b = our.Cut<ax = 1>(x, s)", "Cut<ax>(x, s) => (a, b) {" SLICES(0) "}"), "differs",
     "output 'a' was of shape [2,3] and is of shape [2,6]", NULL},
    {"a call leaves the parameter to its default",
     CALLS(13, "a, b = our.Cut(x, s)", "Cut<ax: int = 1>(x, s) => (a, b) { a, b = Split<axis: int = @ax>(x, s) }"),
     CALLS(11, "a, b = our.Cut(x, s)", "Cut<ax: int = 1>(x, s) => (a, b) {" SLICES(1) "}"), "proved", SUMS, NULL},
    {"a call leaves out a parameter that has no default, and so the attribute",
     CALLS(13, "a, b = our.Cut(x, s)", "Cut<ax>(x, s) => (a, b) { a, b = Split<axis: int = @ax>(x, s) }"),
     CALLS(11, "a, b = our.Cut(x, s)", "Cut<ax>(x, s) => (a, b) {" SLICES(0) "}"), "proved", SUMS, NULL},
    {"two calls that do not agree",
     CALLS(13, "a, c = our.Cut<ax = 1>(x, s) d, b = our.Cut<ax = 0>(x, s)",
           "Cut<ax>(x, s) => (a, b) { a, b = Split<axis: int = @ax>(x, s) }"),
     CALLS(11, "a, c = our.Cut<ax = 1>(x, s) d, b = our.Cut<ax = 0>(x, s)", "Cut<ax>(x, s) => (a, b) {" SLICES(1) "}"),
     "differs", "output 'd' was of shape [1,6] and is of shape [2,1]", NULL},
    {"a call from inside another function",
     CALLS(13, "a, b = our.Outer<by = 1>(x, s)",
           "Cut<ax>(x, s) => (a, b) { a, b = Split<axis: int = @ax>(x, s) }\n"
           "<domain: \"our\", opset_import: [\"our\" : 1]>\n"
           "Outer<by>(x, s) => (a, b) { a, b = our.Cut<ax: int = @by>(x, s) }"),
     CALLS(11, "a, b = our.Outer<by = 1>(x, s)",
           "Cut<ax>(x, s) => (a, b) {" SLICES(1) "}\n"
                                                 "<domain: \"our\", opset_import: [\"our\" : 1]>\n"
                                                 "Outer<by>(x, s) => (a, b) { a, b = our.Cut<ax: int = @by>(x, s) }"),
     "proved", SUMS, NULL},
    {"a call from inside another function at another axis",
     CALLS(13, "a, b = our.Outer<by = 1>(x, s)",
           "Cut<ax>(x, s) => (a, b) { a, b = Split<axis: int = @ax>(x, s) }\n"
           "<domain: \"our\", opset_import: [\"our\" : 1]>\n"
           "Outer<by>(x, s) => (a, b) { a, b = our.Cut<ax: int = @by>(x, s) }"),
     CALLS(11, "a, b = our.Outer<by = 1>(x, s)",
           "Cut<ax>(x, s) => (a, b) {" SLICES(0) "}\n"
                                                 "<domain: \"our\", opset_import: [\"our\" : 1]>\n"
                                                 "Outer<by>(x, s) => (a, b) { a, b = our.Cut<ax: int = @by>(x, s) }"),
     "differs", "output 'a' was of shape [2,3] and is of shape [2,6]", NULL},
    {"num_outputs that the calls agree on",
     CALLS(18, "a, b = our.Cut<n = 2>(x)", "Cut<n>(x) => (a, b) { a, b = Split<num_outputs: int = @n>(x) }"),
     CALLS(13, "a, b = our.Cut<n = 2>(x)", "Cut<n>(x) => (a, b) { a, b = Split(x) }"), "proved",
     "the number of parts divides the dim", NULL},
};

static void the_certificate(void)
{
    static const char before_text[] = MODEL(13, "(float[2] x) => (float[1] a, float[1] b) { a, b = Split(x) }");
    static const char after_text[] =
        MODEL(18, "(float[2] x) => (float[1] a, float[1] b) { a, b = Split<num_outputs = 2>(x) }");
    struct opened before, after = {0};
    struct opshift_report *report = NULL;
    struct opshift_error error = {0};
    char *text = NULL;
    if (!text_open(before_text, "before", &before) || !text_open(after_text, "after", &after)) {
        ok(false, "the models open");
        return;
    }
    opshift_verify(before.model, after.model, &(struct opshift_verify_options){.seed = 7}, &report, &error);
    const json_t *side = json_object_get(report->root, "before");
    is_int(64, (int64_t)strlen(text_of(side, "sha256")), "the certificate has the hash of the first file");
    is_int(13, json_integer_value(json_object_get(side, "opset")), "and its opset");
    is_string("7", text_of(report->root, "seed"), "and the seed");
    is_string(opshift_version(), text_of(report->root, "version"), "and the version of the tool");
    ok(json_is_true(json_object_get(report->root, "same")), "and the answer");
    opshift_report_text(report, &text, &error);
    is_string(
        "NODE            VERDICT  DETAIL\n"
        "node 0 (Split)  proved   equal parts are chunks wherever the number of parts divides; 1 run: float; [2]\n"
        "before (opset 13) and after (opset 18): no difference; 1 proved, 0 tested, 0 by rule, 0 assumed, 0 differs, 0 "
        "not shown, 0 "
        "other "
        "differences; seed 7\n",
        text, "as text");
    opshift_text_free(text);
    opshift_report_free(report);
    text_close(&before);
    text_close(&after);
}

/* Stops in the middle. */
static bool half(void *data, double progress)
{
    *(double *)data = progress;
    return progress != 0.5;
}

/* A directory with 128 MiB of external data. */
static bool weights_make(const char *directory)
{
    char path[300];
    snprintf(path, sizeof(path), "%s/w.bin", directory);
    if (mkdir(directory, 0777) != 0)
        return false;
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool made = file >= 0 && posix_fallocate(file, 0, 128 << 20) == 0;
    if (file >= 0)
        close(file);
    return made;
}

static void weights_remove(const char *directory)
{
    char path[300];
    snprintf(path, sizeof(path), "%s/w.bin", directory);
    unlink(path);
    rmdir(directory);
}

static void a_stop(void)
{
    static const char text[] =
        MODEL(13, "(float[33554432] x) => (float[33554432] y) <float[33554432] w = [\"location\": "
                  "\"w.bin\"]> { y = Add(x, w) }");
    char work[] = "/tmp/opshift-verify.XXXXXX", directories[2][sizeof(work) + 2];
    struct opshift_model *models[2] = {NULL, NULL};
    struct opshift_error error = {0};
    char *bytes = NULL;
    size_t size = 0;
    double last = 0;
    bool made = mkdtemp(work) != NULL && opshift_text_to_model(text, strlen(text), "text", &bytes, &size, &error) == 0;
    for (int i = 0; i < 2; i++) {
        snprintf(directories[i], sizeof(directories[i]), "%s/%c", work, 'a' + i);
        made = made && weights_make(directories[i]) &&
               opshift_model_open_memory(bytes, size, &(struct opshift_open_options){.directory = directories[i]},
                                         &models[i], &error) == OPSHIFT_OK;
    }
    ok(made, "two models with external data %s", error.text);
    if (made) {
        struct opshift_verify_options options = {.brief = true, .progress = half, .progress_data = &last};
        is_int(OPSHIFT_CANCELLED, opshift_verify(models[0], models[1], &options, NULL, &error),
               "a caller stops the comparison of external data");
        is_double(0.5, last, "in the middle");
        is_string("cancelled", error.text, "and the error tells it");
    }
    for (int i = 0; i < 2; i++) {
        opshift_model_free(models[i]);
        weights_remove(directories[i]);
    }
    opshift_text_free(bytes);
    rmdir(work);
}

int main(void)
{
    check_pairs(right, COUNT(right));
    check_pairs(wrong, COUNT(wrong));
    check_pairs(unshown, COUNT(unshown));
    check_pairs(unrun, COUNT(unrun));
    check_pairs(followed, COUNT(followed));
    check_pairs(orders, COUNT(orders));
    check_pairs(others, COUNT(others));
    check_pairs(subgraphs, COUNT(subgraphs));
    check_pairs(functions, COUNT(functions));
    the_certificate();
    a_stop();
    return done();
}
