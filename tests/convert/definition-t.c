/* Steps at which an operator's definition changed: nodes with the same meaning at both opsets are converted, others
 * are refused. */
#include <stddef.h>

#include "tests/convert/case.h"
#include "tests/tap/tap.h"

#define KEPT(name, from, ir, to, rest)                                                                                 \
    {                                                                                                                  \
        name, MODEL(from, ir, rest), to, .after = MODEL(to, ir, rest)                                                  \
    }
#define REFUSED(name, from, ir, to, rest, refusal)                                                                     \
    {                                                                                                                  \
        name, MODEL(from, ir, rest), to, .words = refusal                                                              \
    }
/* Kept on an assumption, which --strict refuses. */
#define ASSUMED(name, from, ir, to, rest, refusal)                                                                     \
    KEPT(name, from, ir, to, rest),                                                                                    \
    {                                                                                                                  \
        name ", strictly", MODEL(from, ir, rest), to, .words = refusal, .goal.strict = true                            \
    }
#define LIKE(like, type) "g (float[2] x, " like ") => (" type "[2] y) { y = CastLike (x, t) }"
#define UNKNOWN(opset)                                                                                                 \
    "<ir_version: 11, opset_import: [\"\" : " #opset ", \"my\" : 1]> g (float[2] x) => (float[2] y) "                  \
    "{ t = my.F (x) y = CastLike (x, t) }"
#define HOT(type) "g (" type "[2] i, int64[1] d, float[2] v) => (float[2, N] y) { y = OneHot (i, d, v) }"
#define POOL(attributes)                                                                                               \
    "g (float[1, 1, 3] x) => (float[1, 1, N] y) { y = AveragePool <ceil_mode = 1, " attributes "> (x) }"
#define MASKED(keys)                                                                                                   \
    "g (float[1, 1, 2, 8] q, float[1, 1, 4, 8] k, float[2, " #keys "] m) => (float[1, 1, 2, 8] y) "                    \
    "{ y = Attention (q, k, k, m) }"
#define CLIP(least, most)                                                                                              \
    "g (float[2] x) => (float[2] y) <float a = {" #least "}, float b = {" #most "}> { y = Clip (x, a, b) }"
#define BATCH(outputs)                                                                                                 \
    "g (float[1, 3, 2, 2] x, float[3] s) => (float[1, 3, 2, 2] y) { " outputs " = BatchNormalization (x, s, s, s, s) " \
    "}"

static const struct conversion_case cases[] = {
    ASSUMED("OneHot of indices that may be negative, up", 10, 5, 11, HOT("int64"), "an index may be negative"),
    KEPT("OneHot of unsigned indices", 10, 5, 11, HOT("uint8")),
    KEPT("and down", 11, 6, 10, HOT("uint8")),
    REFUSED("OneHot along an axis that is not known below", 11, 6, 10,
            "g (uint8[2] i, int64[1] d, float[2] v) => (float[N, 2] y) { y = OneHot <axis = -2> (i, d, v) }",
            "a negative axis other than -1 does not exist below opset 11"),
    REFUSED(
        "a type that the source's version does not take either", 13, 7, 11,
        "g (uint8[3] x) => (uint8[3] y) { y = Relu (x) }",
        "OPS015 input-type: 'x' is uint8, which Relu takes neither at the opset of the model nor at 6; insert a Cast"),
    REFUSED("Cast of an infinity to float8e4m3fnuz", 23, 11, 24,
            "g (float[2] x) => (float8e4m3fnuz[2] y) { y = Cast <to = 18> (x) }",
            "an infinity becomes NaN in float8e4m3fnuz below opset 24"),
    REFUSED("and to float8e5m2fnuz, down", 24, 11, 23,
            "g (float[2] x) => (float8e5m2fnuz[2] y) { y = Cast <to = 20> (x) }",
            "an infinity becomes the greatest finite float8e5m2fnuz from opset 24 on"),
    KEPT("Cast to float8e5m2", 23, 11, 24, "g (float[2] x) => (float8e5m2[2] y) { y = Cast <to = 19> (x) }"),
    REFUSED("CastLike to float8e4m3fnuz, up", 23, 11, 24, LIKE("float8e4m3fnuz[1] t", "float8e4m3fnuz"),
            "an infinity becomes NaN in float8e4m3fnuz below opset 24"),
    REFUSED("CastLike to float8e5m2fnuz, down", 24, 11, 23, LIKE("float8e5m2fnuz[1] t", "float8e5m2fnuz"),
            "an infinity becomes the greatest finite float8e5m2fnuz from opset 24 on"),
    KEPT("CastLike to float8e5m2", 23, 11, 24, LIKE("float8e5m2[1] t", "float8e5m2")),
    {"CastLike to a type that is not known", UNKNOWN(23), 24, .after = UNKNOWN(24)},
    {"CastLike to a type that is not known, strictly", UNKNOWN(23), 24, .words = "an infinity becomes NaN",
     .goal.strict = true},
    KEPT("Attention with a mask for all keys", 24, 11, 23, MASKED(4)),
    REFUSED("with one of unknown rank", 24, 11, 23,
            "g (float[1, 2, 4, 3] q, float[1, 2, 4, 3] k, float[1, 2, 4, 3] v, float[] m) => (float[1, 2, 4, 3] y) "
            "{ y = Attention (q, k, v, m) }",
            "attn_mask may be shorter than the keys"),
    REFUSED("a window in the padding, up", 21, 10, 22, POOL("kernel_shape = [1], pads = [0, 1], strides = [2]"),
            "with ceil_mode a window begins in the padding at the end"),
    REFUSED("and down", 22, 10, 21, POOL("kernel_shape = [1], pads = [0, 1], strides = [2]"),
            "with ceil_mode a window begins in the padding at the end"),
    KEPT("windows that begin before it", 21, 10, 22, POOL("kernel_shape = [2], pads = [0, 0], strides = [2]")),
    REFUSED(
        "windows over a dim that is not known", 21, 10, 22,
        "g (float[1, 1, N] x) => (float[1, 1, M] y) { y = MaxPool <ceil_mode = 1, kernel_shape = [2], strides = [2]> "
        "(x) }",
        "with ceil_mode a window may begin in the padding at the end"),
    REFUSED("Clip with min above max", 12, 6, 11, CLIP(1, 0), "min may be above max"),
    KEPT("Clip with min below it", 12, 6, 11, CLIP(0, 1)),
    ASSUMED("Clip with bounds of run time", 12, 6, 11,
            "g (float[2] x, float a, float b) => (float[2] y) { y = Clip (x, a, b) }", "min may be above max"),
    KEPT("Clip of float without bounds", 10, 6, 11, "g (float[2] x) => (float[2] y) { y = Clip (x) }"),
    KEPT("Clip of float16 without bounds", 10, 6, 11, "g (float16[2] x) => (float16[2] y) { y = Clip (x) }"),
    {"Clip of a type that is not known, strictly", MODEL(10, 6, "g (x) => (y) { y = Clip (x) }"), 11,
     .words =
         "an absent bound is the one of float32 below opset 11, and that of double from 11 on; declare the type of "
         "the data",
     .goal.strict = true},
    REFUSED(
        "Clip of double with one bound, before there were defaults", 5, 6, 6,
        "g (double[2] x) => (double[2] y) { y = Clip <min = 1.0> (x) }",
        "an absent bound is that of double below opset 6, and the one of float32 from 6 on; cast the data to float"),
    KEPT("Clip of double with both", 5, 6, 6,
         "g (double[2] x) => (double[2] y) { y = Clip <min = 1.0, max = 2.0> (x) }"),
    KEPT("Clip with one bound of run time", 12, 6, 11, "g (float[2] x, float a) => (float[2] y) { y = Clip (x, a) }"),
    REFUSED("LpPool without kernel_shape", 1, 3, 2, "g (float[1, 1, 2] x) => (float[1, 1, 2] y) { y = LpPool (x) }",
            "kernel_shape is not given, and opset 2 needs it"),
    REFUSED("BatchNormalization with saved statistics alone", 9, 4, 14, BATCH("y, \"\", \"\", c, d"),
            "the node updates its statistics"),
    REFUSED("with a running variance alone, down", 14, 7, 13, BATCH("y, \"\", c"), "the node updates its statistics"),
    KEPT("with one output", 9, 4, 14, BATCH("y")),
};

int main(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check_case(&cases[i]);
    return done();
}
