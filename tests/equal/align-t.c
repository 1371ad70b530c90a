/* Which values of both models may be the same: inputs, outputs, and what lies between. */
#include "tests/equal/compared.h"

#include <stdio.h>

#include "tests/tap/tap.h"

static const struct {
    const char *what, *before, *after, *text, *why;
} cases[] = {
    {"inputs in another order", "g (float[2] x, float[2] z) => (float[2] y) { y = Sub (x, z) }",
     "g (float[2] z, float[2] x) => (float[2] y) { y = Sub (x, z) }", "proved", ""},
    {"swapped inputs", "g (float[2] x, float[2] z) => (float[2] y) { y = Sub (x, z) }",
     "g (float[2] x, float[2] z) => (float[2] y) { y = Sub (z, x) }", "differs; y 1-1 differs", NULL},
    {"other names are paired by position", "g (float[2] x, float[2] z) => (float[2] y) { y = Sub (x, z) }",
     "g (float[2] one, float[2] two) => (float[2] three) { three = Sub (one, two) }", "proved", ""},
    {"an input more", "g (float[2] x) => (float[2] y) { y = Neg (x) }",
     "g (float[2] x, float[2] z) => (float[2] y) { y = Neg (x) }", "not shown",
     "the second model has an input that the first does not have"},
    {"an input less", "g (float[2] x, float[2] z) => (float[2] y) { y = Neg (x) }",
     "g (float[2] x) => (float[2] y) { y = Neg (x) }", "not shown", "the second model lacks an input of the first"},
    {"an output more", "g (float[2] x) => (float[2] y) { y = Neg (x) }",
     "g (float[2] x) => (float[2] y, float[2] z) { y = Neg (x) z = Abs (x) }", "not shown",
     "the second model has an output that the first does not have"},
    {"an output less", "g (float[2] x) => (float[2] y, float[2] z) { y = Neg (x) z = Abs (x) }",
     "g (float[2] x) => (float[2] y) { y = Neg (x) }", "not shown", "the second model lacks an output of the first"},
    {"a smaller shape", "g (float[N] x) => (float[N] y) { y = Neg (x) }",
     "g (float[2] x) => (float[2] y) { y = Neg (x) }", "not shown", "an input is declared with another type or shape"},
    {"a larger shape", "g (float[2] x) => (float[2] y) { y = Neg (x) }",
     "g (float[N] x) => (float[N] y) { y = Neg (x) }", "proved", ""},
    {"a dim that is one of two", "g (float[N, M] x) => (float[N, M] y) { y = Neg (x) }",
     "g (float[N, N] x) => (float[N, N] y) { y = Neg (x) }", "not shown",
     "an input is declared with another type or shape"},
    {"regions between values that are the same",
     "g (float[2] x) => (float[2] y) <float k = {0.1}, float l = {0.2}> { a = Mul (x, k) b = Mul (a, l) c = Exp (b) y "
     "= Mul (c, k) }",
     "g (float[2] x) => (float[2] y) <float k = {0.1}, float m = {0.02}> { p = Mul (x, m) q = Exp (p) y = Mul (q, k) }",
     "rounding; b 2-1 rounding", "the same in real numbers"},
};

int main(void)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        char texts[2][1024];
        struct compared result;
        for (int side = 0; side < 2; side++)
            snprintf(texts[side], sizeof(texts[side]), "<ir_version: 8, opset_import: [\"\" : 13]> %s",
                     side == 0 ? cases[i].before : cases[i].after);
        compare_texts(texts[0], texts[1], NULL, &result);
        is_string(cases[i].text, result.text, "%s (%s)", cases[i].what, result.why);
        if (cases[i].why != NULL && cases[i].why[0] != 't')
            is_string(cases[i].why, result.why, "%s: why", cases[i].what);
    }
    return done();
}
