/* GRF: names, definitions, and how graphs and functions hang together. */
#include "tests/check/expect.h"
#include "tests/tap/tap.h"

static const struct lint_case cases[] = {
    {"an output that two nodes give", MODEL(13, 8, "g (float[2] x) => (float[2] y) { y = Neg (x) y = Abs (x) }"),
     "GRF001 graph/node[1]: output 'y' is defined already by node 0 (Neg); give one of them another name"},
    {"outputs with names of their own", MODEL(13, 8, "g (float[2] x) => (float[2] y) { t = Neg (x) y = Abs (t) }"), ""},
};

int main(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        lint_finds(&cases[i], "GRF", NULL);
    lint_examples("GRF");
    return done();
}
