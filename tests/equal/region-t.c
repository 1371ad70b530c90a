/* What remains apart is run: which values show a difference, and when they are not enough. */
#include "tests/equal/compared.h"

#include "tests/tap/tap.h"

static const struct equal_case vectors[] = {
    {"a factor in two parts", "<float k = {0.3}> { y = Mul (x, k) }",
     "<float k = {0.1}, float l = {3}> { a = Mul (x, k) y = Mul (a, l) }", "rounding; y 1-2 rounding",
     "the same in real numbers"},
    {"a factor that is another by little", "<float k = {6}> { y = Mul (x, k) }",
     "<float k = {6.001}> { y = Mul (x, k) }", "differs; y 1-1 differs", NULL},
    {"the same but for the sign of zeros", "{ y = Abs (x) }", "{ n = Neg (x) y = Max (x, n) }", "tested; y 1-2 tested",
     "the same but for the sign of zeros"},
    {"a number that is compared with", "{ y = Relu (x) }",
     "<float k = {12345.75}, float z = {1}> { r = Relu (x) e = Equal (x, k) y = Where (e, z, r) }",
     "not shown; y 0-2 not shown", "differs on values that may not occur"},
    {"NaN", "{ y = Identity (x) }", "<float z = {0}> { i = IsNaN (x) y = Where (i, z, x) }", "differs; ? 0-2 differs",
     "float [1] is not finite on one side alone"},
    {"a place in a dim that few sizes show", "<int64[1] o = {0}, int64[1] e = {1000}> { y = Slice (x, o, e) }",
     "<int64[1] o = {0}, int64[1] e = {1001}> { y = Slice (x, o, e) }", "differs; y 1-1 differs", NULL},
    {"a place that no size shows", "<int64[1] o = {0}, int64[1] e = {100000}> { y = Slice (x, o, e) }",
     "<int64[1] o = {0}, int64[1] e = {100001}> { y = Slice (x, o, e) }", "not shown; y 1-1 not shown",
     "it has integers that matter for larger dims than those that are run"},
    {"an operator that is not known", "{ y = Relu (x) }", "{ y = d.Secret (x) }", "not shown; y 1-1 not shown", NULL},
    {"another type", "{ y = Relu (x) }", "{ r = Relu (x) y = Cast <to = 11> (r) }", "differs; y 0-1 differs", NULL},
    {"another rank", "<int64[1] o = {0}> { y = Relu (x) }", "<int64[1] o = {0}> { r = Relu (x) y = Unsqueeze (r, o) }",
     "differs; y 0-1 differs", NULL},
    {"Sigmoid as a quotient", "{ y = Sigmoid (x) }",
     "<float one = {1}> { n = Neg (x) e = Exp (n) s = Add (e, one) y = Reciprocal (s) }", "tested; y 1-4 tested", NULL},
};

static const struct equal_case exact[] = {
    {"Relu and Max", "{ y = Relu (x) }", "<float z = {0}> { y = Max (x, z) }", "tested; y 1-1 tested",
     "the same but for the sign of zeros"},
};

/* Bit for bit, rounding differs. */
static void test_exact(void)
{
    static const char *const texts[] = {
        "<ir_version: 8, opset_import: [\"\" : 13]> g (float[N] x) => (float[N] y) <float k = {0.3}> { y = Mul (x, k) "
        "}",
        "<ir_version: 8, opset_import: [\"\" : 13]> g (float[N] x) => (float[N] y) <float k = {0.1}, float l = {3}> "
        "{ a = Mul (x, k) y = Mul (a, l) }"};
    struct compared result;
    compare_texts(texts[0], texts[1], &(struct equal_options){.exact = true}, &result);
    is_string("differs; y 1-2 differs", result.text, "--exact: rounding differs");
    compare_texts(texts[0], texts[0], &(struct equal_options){.exact = true}, &result);
    is_string("proved", result.text, "--exact: the same nodes");
}

int main(void)
{
    check_cases("g (float[N] x) => (float[A] y)", vectors, COUNT(vectors));
    check_cases("g (float[3] x) => (float[3] y)", exact, COUNT(exact));
    test_exact();
    return done();
}
