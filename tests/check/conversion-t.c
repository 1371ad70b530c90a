/* CNV: blockers of a conversion, and conversions without blockers. */
#include "tests/check/expect.h"
#include "tests/tap/tap.h"

static const struct {
    int64_t to;
    struct lint_case row;
} cases[] = {
    {12,
     {"lengths of run time below 13, where no Slice helps",
      MODEL(13, 8,
            "g (float[N] x, int64[2] n) => (float[] a, "
            "float[] b) { a, b = Split (x, n) }"),
      ""}},
    {9,
     {"lengths of run time below 10",
      MODEL(13, 8,
            "g (float[N] x, int64[2] n) => (float[] a, float[] b) "
            "{ a, b = Split (x, n) }"),
      "CNV001 graph/node[0]: opset 13 to 12: input 1 is known only at run time (it is a graph input), and at opset 12 "
      "it would be attribute 'split'; make it constant, or go to opset 10 or up"}},
    {9,
     {"constant lengths below 10",
      MODEL(13, 8,
            "g (float[4] x) => (float[] a, float[] b)\n<int64[2] n = {1, 3}>\n"
            "{ a, b = Split (x, n) }"),
      ""}},
    {9,
     {"every blocker, in the order of the file",
      MODEL(13, 8,
            "g (string[N] x) => (string[M] y) "
            "{ a = StringNormalizer (x) b = Identity (a) y = StringNormalizer (b) }"),
      "CNV001 graph/node[0]: opset 10 to 9: the operator does not exist below this opset; replace it in the model, or "
      "stay at this opset or above\n"
      "CNV001 graph/node[2]: opset 10 to 9: the operator does not exist below this opset; replace it in the model, or "
      "stay at this opset or above"}},
    {10, {"where it exists", MODEL(13, 8, "g (string[N] x) => (string[M] y) { y = StringNormalizer (x) }"), ""}},
    {9,
     {"in a branch",
      MODEL(13, 8,
            "g (bool c, string[2] x) => (string[2] y) { y = If (c) <then_branch = a () => "
            "(string[2] p) { p = StringNormalizer (x) }, else_branch = b () => (string[2] q) { q = Identity (x) }> }"),
      "CNV001 graph/node[0]/then_branch/node[0]: opset 10 to 9: the operator does not exist below this opset; replace "
      "it in the model, or stay at this opset or above"}},
    {11,
     {"not of a node that is wrong", MODEL(13, 8, "g (float[N] x) => (float[N] y) { y = Celu (x, x) }"),
      "OPS012 graph/node[0]: Celu-12 has at most 1 input, not 2; remove the others"}},
    {11,
     {"nothing of a model whose opsets contradict each other",
      "<ir_version: 8, opset_import: [\"\" : 13, \"\" : 12]>\ng (float[N] x) => (float[N] y) { y = Celu (x) }",
      "PRT045 model: opset 12 of ai.onnx is imported, but 13 is too; keep the one for which the nodes were written"}},
    {12,
     {"a type that is not known",
      "<ir_version: 8, opset_import: [\"\" : 13, \"my\" : 1]>\n"
      "g (float[N] x) => (float[N] y) { t = my.F (x) y = Neg (t) }",
      "CNV002 graph/node[1]: assumed: type of 't' is not bfloat16"}},
    {12,
     {"a type that is declared",
      "<ir_version: 8, opset_import: [\"\" : 13, \"my\" : 1]>\n"
      "g (float[N] x) => (float[N] y)\n<float[N] t>\n{ t = my.F (x) y = Neg (t) }",
      "CNV002 graph/node[1]: assumed: type of 't' is float, as declared"}},
    {10,
     {"an axis that stays negative, for the rank is not known",
      "<ir_version: 8, opset_import: [\"\" : 11, \"my\" : 1]>\n"
      "g (float[N] x) => (float[N] y, float[N] z)\n{ t = my.F (x) y, z = Split <axis = -1> (t) }",
      "CNV003 graph/node[1]: axis is negative and the input's rank is unknown: kept, as the checker and runtimes read "
      "it at this opset too"}},
    {18,
     {"what Split's own check says is not said again",
      MODEL(13, 8, "g (float[N] x) => (float[] a, float[] b) { a, b = Split (x) }"),
      "SPL032 graph/node[0]: it makes equal parts of a dim that is known only at run time: at opset 18 a dim that 2 "
      "does not divide is no error, and the last part gets shorter; make sure that the dim is divisible"}},
};

int main(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct opshift_lint_options options = {.to = cases[i].to};
        lint_finds(&cases[i].row, "", &options);
    }
    return done();
}
