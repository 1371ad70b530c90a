/* Operators of ONNX Runtime are what its documentation says that they compute. */
#include "tests/equal/compared.h"

#include "tests/tap/tap.h"

static const struct equal_case cases[] = {
    {"QuickGelu", "<float k = {1.702}> { t = Mul (x, k) s = Sigmoid (t) y = Mul (x, s) }",
     "{ y = com.microsoft.QuickGelu (x) }", "proved", NULL},
    {"QuickGelu of another alpha", "<float k = {1.7}> { t = Mul (x, k) s = Sigmoid (t) y = Mul (x, s) }",
     "{ y = com.microsoft.QuickGelu (x) }", "differs; y 3-3 differs", NULL},
    {"Swish", "{ s = Sigmoid (x) y = Mul (x, s) }", "{ y = com.microsoft.QuickGelu <alpha = 1.0> (x) }", "proved",
     NULL},
    {"Gelu",
     "<float r = {1.41421356}, float one = {1}, float half = {0.5}> { d = Div (x, r) e = Erf (d) a = Add (e, one) m = "
     "Mul (x, a) y = Mul "
     "(m, half) }",
     "{ y = com.microsoft.Gelu (x) }", "tested; y 5-1 tested", NULL},
    {"FusedMatMul",
     "<float k = {0.5}> { t = Transpose <perm = [0, 2, 1]> (x) m = MatMul (x, t) a = MatMul (m, x) y = Mul (a, k) }",
     "{ m = com.microsoft.FusedMatMul <transB = 1> (x, x) y = com.microsoft.FusedMatMul <alpha = 0.5> (m, x) }",
     "proved", NULL},
    {"FusedMatMul without its transposition", "{ t = Transpose <perm = [0, 2, 1]> (x) y = MatMul (x, t) }",
     "{ y = com.microsoft.FusedMatMul <transA = 1> (x, x) }", "differs; y 1-1 differs", NULL},
    {"SkipLayerNormalization",
     "<float[4] s = {1, 2, 3, 4}> { a = Add (x, x) y = LayerNormalization <axis = -1, epsilon = 0.001> (a, s) }",
     "<float[4] s = {1, 2, 3, 4}> { y = com.microsoft.SkipLayerNormalization <epsilon = 0.001> (x, x, s) }", "proved",
     NULL},
    {"MultiHeadAttention",
     "<int64[4] s = {0, 0, 2, 2}, float k = {0.70710678}, int64[3] t = {0, 0, 4}> { a = Reshape (x, s) q = Transpose "
     "<perm = [0, 2, 1, 3]> (a) b = Transpose <perm = [0, 2, 3, 1]> (a) m = MatMul (q, b) f = Mul (m, k) w = Softmax "
     "<axis = -1> (f) o = MatMul (w, q) r = Transpose <perm = [0, 2, 1, 3]> (o) y = Reshape (r, t) }",
     "{ y = com.microsoft.MultiHeadAttention <num_heads = 2> (x, x, x) }", "proved", NULL},
    {"Attention of another scale",
     "<float[4, 12] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7, 8, 1, 0, 1, 0, 1, 0, 1, "
     "0, 1, "
     "0, 1, 0, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3}, float[12] b = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2}> { y = "
     "com.microsoft.Attention <num_heads = 2> (x, w, b) }",
     "<float[4, 12] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7, 8, 1, 0, 1, 0, 1, 0, 1, "
     "0, 1, "
     "0, 1, 0, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3}, float[12] b = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2}> { y = "
     "com.microsoft.Attention <num_heads = 2, scale = 0.5> (x, w, b) }",
     "differs; y 6-6 differs", NULL},
    {"Attention with a mask", "{ y = Relu (x) }",
     "<float[4, 12] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7, 8, 1, 0, 1, 0, 1, 0, 1, "
     "0, 1, "
     "0, 1, 0, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3}, float[12] b = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2}, int32[1] m = "
     "{4}> "
     "{ y = com.microsoft.Attention <num_heads = 2> (x, w, b, m) }",
     "not shown; y 1-1 not shown", NULL},
    {"what is not known", "{ y = Relu (x) }", "{ y = com.microsoft.Secret (x) }", "not shown; y 1-1 not shown", NULL},
};

int main(void)
{
    check_cases("g (float[N, 4, 4] x) => (float[A, B, C] y)", cases, COUNT(cases));
    return done();
}
