/* What is computed alike from the same values is one value. */
#include "tests/equal/compared.h"

#include "tests/tap/tap.h"

static const struct equal_case cases[] = {
    {"names and order", "{ a = Relu (x) b = Neg (x) y = Sub (a, b) }", "{ q = Neg (x) p = Relu (x) y = Sub (p, q) }",
     "proved", NULL},
    {"inputs of Sub in another order", "{ a = Relu (x) y = Sub (a, x) }", "{ a = Relu (x) y = Sub (x, a) }",
     "differs; y 1-1 differs", NULL},
    {"inputs of Mul in another order", "{ a = Relu (x) y = Mul (a, x) }", "{ a = Relu (x) y = Mul (x, a) }", "proved",
     NULL},
    {"computed once", "{ a = Relu (x) b = Relu (x) y = Add (a, b) }", "{ a = Relu (x) y = Add (a, a) }", "proved",
     NULL},
    {"defaults written out", "{ y = Softmax (x) }", "{ y = Softmax <axis = -1> (x) }", "proved", NULL},
    {"an axis counted from the end", "{ y = Softmax <axis = 1> (x) }", "{ y = Softmax <axis = -1> (x) }", "proved",
     NULL},
    {"another axis", "{ y = Softmax <axis = 0> (x) }", "{ y = Softmax <axis = 1> (x) }", "differs; y 1-1 differs",
     NULL},
    {"an absent input at the end", "{ y = Clip (x) }", "{ y = Clip (x, \"\", \"\") }", "proved", NULL},
    {"constants that are computed", "<float one = {1}, float two = {2}> { s = Add (one, two) y = Mul (x, s) }",
     "<float three = {3}> { y = Mul (x, three) }", "proved", NULL},
    {"a dim that is known of a shape that is not",
     "<int64 one = {1}> { s = Shape (x) d = Gather (s, one) f = Cast <to = 1> (d) y = Mul (x, f) }",
     "{ f = Constant <value = float {6.0}> () y = Mul (x, f) }", "tested; y 4-1 tested", NULL},
    {"an If with a constant condition",
     "{ c = Constant <value = bool {1}> () y = If (c) <then_branch = t () => (p) { p = Relu (x) }, else_branch = e () "
     "=> (q) { q = Neg "
     "(x) }> }",
     "{ y = Relu (x) }", "proved", NULL},
    {"bodies under other names",
     "<int64 n = {2}> { c = Constant <value = bool {1}> () y = Loop (n, c, x) <body = b (int64 i, bool k, float[N, 6] "
     "v) => (bool "
     "k2, float[N, 6] w) { k2 = Identity (k) w = Relu (v) }> }",
     "<int64 n = {2}> { d = Constant <value = bool {1}> () y = Loop (n, d, x) <body = other (int64 j, bool go, "
     "float[N, 6] u) => "
     "(bool go, float[N, 6] z) { z = Relu (u) }> }",
     "proved", NULL},
    {"random nodes keep their order", "{ a = RandomNormalLike (x) b = RandomNormalLike (x) y = Sub (a, b) }",
     "{ a = RandomNormalLike (x) b = RandomNormalLike (x) y = Sub (a, b) }", "proved", NULL},
};

static const struct equal_case windows[] = {
    {"strides, dilations and pads that are what their absence means", "{ y = MaxPool <kernel_shape = [3, 3]> (x) }",
     "{ y = MaxPool <kernel_shape = [3, 3], strides = [1, 1], dilations = [1, 1], pads = [0, 0, 0, 0], auto_pad = "
     "\"NOTSET\"> (x) }",
     "proved", NULL},
    {"another stride", "{ y = MaxPool <kernel_shape = [3, 3]> (x) }",
     "{ y = MaxPool <kernel_shape = [3, 3], strides = [1, 2]> (x) }", "differs; y 1-1 differs", NULL},
    {"another pad", "{ y = MaxPool <kernel_shape = [3, 3]> (x) }",
     "{ y = MaxPool <kernel_shape = [3, 3], pads = [0, 0, 0, 1]> (x) }", "differs; y 1-1 differs", NULL},
    {"pads that auto_pad makes", "{ y = MaxPool <kernel_shape = [3, 3]> (x) }",
     "{ y = MaxPool <kernel_shape = [3, 3], auto_pad = \"SAME_UPPER\"> (x) }", "differs; y 1-1 differs", NULL},
    {"pads of a shape that is given",
     "<float[3, 3, 2, 2] w = {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, "
     "2, "
     "3, 4, 1, 2, 3, 4}> { y = ConvTranspose <output_shape = [7, 7]> (x, w) }",
     "<float[3, 3, 2, 2] w = {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, "
     "2, "
     "3, 4, 1, 2, 3, 4}> { y = ConvTranspose (x, w) }",
     "differs; y 1-1 differs", NULL},
};

/* Functions are opened, with what each call gives them. */
static void test_functions(void)
{
    static const char called[] =
        "<ir_version: 8, opset_import: [\"\" : 13, \"d\" : 1]> g (float[N, 6] x) => (float[N, 6] y) "
        "{ a = d.F <k = -1> (x) y = d.F <k = 0> (a) }\n"
        "<domain: \"d\", opset_import: [\"\" : 13]> F <k> (v) => (w) { a = Softmax <axis: int = "
        "@k> (v) w = Relu (a) }";
    static const char flat[] = "<ir_version: 8, opset_import: [\"\" : 13]> g (float[N, 6] x) => (float[N, 6] y) "
                               "{ a = Softmax (x) b = Relu (a) c = Softmax <axis = 0> (b) y = Relu (c) }";
    struct compared result;
    compare_texts(called, flat, NULL, &result);
    is_string("proved", result.text, "two calls of a function");
}

int main(void)
{
    check_cases("g (float[N, 6] x) => (float[A, B] y)", cases, COUNT(cases));
    check_cases("g (float[N, 3, 8, 8] x) => (float[A, B, C, D] y)", windows, COUNT(windows));
    test_functions();
    return done();
}
