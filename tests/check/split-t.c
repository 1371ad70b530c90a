/* SPL: errors of Split, and unportable forms. */
#include <string.h>

#include "tests/check/expect.h"
#include "tests/tap/tap.h"

#define FUNCTION(graph)                                                                                                \
    "<ir_version: 8, opset_import: [\"\" : 18, \"f\" : 1]>\n" graph                                                    \
    "\n<domain: \"f\", opset_import: [\"\" : 18]>\npart <k> (x) => (a, b) { a, b = Split <num_outputs : int = @k> "    \
    "(x) }"

static const struct lint_case cases[] = {
    {"a scalar", MODEL(13, 8, "g (float x) => (float[] y) { y = Split (x) }"),
     "SPL001 graph/node[0]: the input 'x' is a scalar, which has no axis to split; add a dim before, or remove the "
     "Split"},
    {"a value of rank 1", MODEL(13, 8, "g (float[6] x) => (float[] y, float[] z) { y, z = Split (x) }"), ""},
    {"a value of unknown rank", MODEL(13, 8, "g (float[] x) => (float[] y, float[] z) { y, z = Split <axis = 7> (x) }"),
     ""},
    {"an axis behind the last",
     MODEL(13, 8, "g (float[2,6] x) => (float[] a, float[] b) { a, b = Split <axis = 2> (x) }"),
     "SPL002 graph/node[0]: axis 2 is outside [-2, 1], the axes of a tensor of rank 2; use the intended one"},
    {"an axis before the first",
     MODEL(13, 8, "g (float[2,6] x) => (float[] a, float[] b) { a, b = Split <axis = -3> (x) }"),
     "SPL002 graph/node[0]: axis -3 is outside [-2, 1], the axes of a tensor of rank 2; use the intended one"},
    {"an axis of more than 32 bits, of an unknown rank",
     MODEL(13, 8, "g (float[] x) => (float[] a, float[] b) { a, b = Split <axis = 4294967296> (x) }"),
     "SPL002 graph/node[0]: axis 4294967296 is beyond the axes of any tensor; use the intended one"},
    {"the last axis", MODEL(13, 8, "g (float[2,6] x) => (float[] a, float[] b) { a, b = Split <axis = -1> (x) }"), ""},
    {"num_outputs and lengths",
     MODEL(18, 8,
           "g (float[6] x) => (float[] a, float[] b)\n"
           "<int64[2] n = {2, 4}>\n"
           "{ a, b = Split <num_outputs = 2> (x, n) }"),
     "SPL003 graph/node[0]: both num_outputs and lengths are given; remove one of them"},
    {"num_outputs and lengths of an unknown dim",
     MODEL(18, 8,
           "g (float[N] x, int64[2] n) => (float[] a, float[] b)\n"
           "{ a, b = Split <num_outputs = 2> (x, n) }"),
     "SPL003 graph/node[0]: both num_outputs and lengths are given; remove one of them"},
    {"an attribute and an input of lengths",
     MODEL(1, 3,
           "g (float[6] x) => (float[] a, float[] b)\n"
           "<float[2] n = {2, 4}>\n"
           "{ a, b = Split <axis = 0, split = [2, 4]> (x, n) }"),
     "SPL003 graph/node[0]: lengths are given as attribute 'split' and as input 'n'; remove one of them"},
    {"an empty second input is no list",
     MODEL(18, 8, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x, \"\") }"),
     "SPL029 graph/node[0]: num_outputs is given with an empty second input; remove the empty input"},
    {"neither num_outputs nor lengths", MODEL(18, 8, "g (float[N] x) => (float[] a, float[] b) { a, b = Split (x) }"),
     "SPL004 graph/node[0]: neither num_outputs nor lengths are given, but Split-18 requires one of them; set "
     "num_outputs = 2"},
    {"neither, where none is needed", MODEL(17, 8, "g (float[N] x) => (float[] a, float[] b) { a, b = Split (x) }"),
     ""},
    {"num_outputs of 0",
     MODEL(18, 8, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 0> (x) }"),
     "SPL005 graph/node[0]: num_outputs is 0 and must be at least 1; set it to 2, the number of outputs"},
    {"num_outputs below 0, of an unknown dim",
     MODEL(18, 8, "g (float[N] x) => (float[] a, float[] b) { a, b = Split <num_outputs = -1> (x) }"),
     "SPL005 graph/node[0]: num_outputs is -1 and must be at least 1; set it to 2, the number of outputs"},
    {"num_outputs of more than a node may have",
     MODEL(18, 8, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2147483648> (x) }"),
     "SPL005 graph/node[0]: num_outputs is 2147483648, more than the 2147483647 outputs that a node may have; set it "
     "to 2, the number of outputs"},
    {"num_outputs below the outputs",
     MODEL(18, 8, "g (float[6] x) => (float[] a, float[] b, float[] c) { a, b, c = Split <num_outputs = 2> (x) }"),
     "SPL006 graph/node[0]: num_outputs is 2, and there are 3 outputs; set it to 3, or remove outputs"},
    {"num_outputs above the outputs is no error",
     MODEL(18, 8, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 3> (x) }"),
     "SPL028 graph/node[0]: num_outputs is 3, and there are 2 outputs; name an output for each part, also if it is not "
     "used"},
    {"a last part of less than nothing",
     MODEL(18, 8,
           "g (float[5] x) => (float[] a, float[] b, float[] c, float[] d)\n"
           "{ a, b, c, d = Split <num_outputs = 4> (x) }"),
     "SPL007 graph/node[0]: 4 chunks of ceil(5 / 4) = 2 leave -1 for the last one; write explicit lengths"},
    {"a last part of nothing is no error",
     MODEL(18, 8, "g (float[4] x) => (float[] a, float[] b, float[] c) { a, b, c = Split <num_outputs = 3> (x) }"),
     "SPL023 graph/node[0]: num_outputs = 3 cuts 4 into chunks of 2 and leaves 0 for the last; write explicit lengths"},
    {"equal parts of an odd dim", MODEL(2, 8, "g (float[7] x) => (float[] a, float[] b) { a, b = Split (x) }"),
     "SPL008 graph/node[0]: the dim 7 cannot be divided into 2 equal parts; write explicit lengths"},
    {"equal parts of an even dim", MODEL(2, 8, "g (float[6] x) => (float[] a, float[] b) { a, b = Split (x) }"), ""},
    {"lengths of rank 0",
     MODEL(13, 8, "g (float[6] x) => (float[] y) { n = Constant <value_int = 6> () y = Split (x, n) }"),
     "SPL009 graph/node[1]: the lengths 'n' have rank 0 and must be a list (rank 1); give them one dim, of 1"},
    {"lengths of rank 2 that a caller gives",
     MODEL(13, 8, "g (float[6] x, int64[1,2] n) => (float[] a, float[] b) { a, b = Split (x, n) }"),
     "SPL009 graph/node[0]: the lengths 'n' have rank 2 and must be a list (rank 1); give them one dim, of 2"},
    {"lengths that a caller gives",
     MODEL(13, 8, "g (float[6] x, int64[2] n) => (float[] a, float[] b) { a, b = Split (x, n) }"), ""},
    {"lengths with a fraction",
     MODEL(1, 8,
           "g (float[6] x) => (float[] a, float[] b)\n"
           "<float[2] n = {2.5, 3.5}>\n"
           "{ a, b = Split <axis = 0> (x, n) }"),
     "SPL010 graph/node[0]: length 0 is 2.5; lengths are whole numbers"},
    {"whole lengths as floats",
     MODEL(1, 8,
           "g (float[6] x) => (float[] a, float[] b)\n"
           "<float[2] n = {2, 4}>\n"
           "{ a, b = Split <axis = 0> (x, n) }"),
     "SPL030 graph/node[0]: the lengths are Split-1's second input, which readers read as another type or ignore; "
     "write them as attribute `split`"},
    {"an empty list", MODEL(11, 8, "g (float[N] x) => (float[] a, float[] b) { a, b = Split <split : ints = []> (x) }"),
     "SPL011 graph/node[0]: the list of lengths is empty, and there are 2 outputs; write a length for each, or leave "
     "the list away for equal parts"},
    {"an empty list as an input",
     MODEL(13, 8,
           "g (float[N] x) => (float[] a, float[] b)\n"
           "<int64[0] n = {}>\n"
           "{ a, b = Split (x, n) }"),
     "SPL011 graph/node[0]: the list of lengths is empty, and there are 2 outputs; write a length for each, or leave "
     "the list away for equal parts"},
    {"fewer lengths than outputs",
     MODEL(11, 8, "g (float[6] x) => (float[] a, float[] b, float[] c) { a, b, c = Split <split = [2, 4]> (x) }"),
     "SPL012 graph/node[0]: there are 2 lengths and 3 outputs; there must be a length for each output"},
    {"more lengths than outputs, known by their shape alone",
     MODEL(13, 8, "g (float[6] x, int64[3] n) => (float[] a, float[] b) { a, b = Split (x, n) }"),
     "SPL012 graph/node[0]: there are 3 lengths and 2 outputs; there must be a length for each output"},
    {"a negative length that makes the sum fit",
     MODEL(11, 8,
           "g (float[6] x) => (float[] a, float[] b, float[] c)\n"
           "{ a, b, c = Split <split = [-1, 3, 4]> (x) }"),
     "SPL013 graph/node[0]: length 0 is -1; lengths are 0 or more, and none means \"the rest\""},
    {"a length of -1 of an unknown dim",
     MODEL(13, 8,
           "g (float[N] x) => (float[] a, float[] b)\n"
           "<int64[2] n = {2, -1}>\n"
           "{ a, b = Split (x, n) }"),
     "SPL013 graph/node[0]: length 1 is -1; lengths are 0 or more, and none means \"the rest\""},
    {"lengths whose sum no dim can hold",
     MODEL(11, 8, "g (float[N] x) => (float[] a, float[] b) { a, b = Split <split = [9223372036854775807, 1]> (x) }"),
     "SPL014 graph/node[0]: the lengths sum to more than 2^63 - 1; no dim is that long"},
    {"the longest lengths there are",
     MODEL(11, 8, "g (float[N] x) => (float[] a, float[] b) { a, b = Split <split = [9223372036854775806, 1]> (x) }"),
     ""},
    {"lengths of another sum",
     MODEL(13, 8,
           "g (float[6] x) => (float[] a, float[] b)\n"
           "<int64[2] n = {2, 5}>\n"
           "{ a, b = Split (x, n) }"),
     "SPL015 graph/node[0]: the lengths sum to 7, and the dim is 6; make the lengths cover axis 0 of 'x'"},
    {"lengths of the sum",
     MODEL(13, 8,
           "g (float[6] x) => (float[] a, float[] b)\n"
           "<int64[2] n = {2, 4}>\n"
           "{ a, b = Split (x, n) }"),
     ""},
    {"lengths of another sum, in a branch",
     MODEL(13, 8,
           "g (bool c, float[6] x) => (float[] y)\n"
           "{ y = If (c) <\n"
           "  then_branch = t () => (float[] a) { a, b = Split <axis = 0> (x) },\n"
           "  else_branch = e () => (float[] p)\n"
           "  <int64[2] n = {4, 5}> { p, q = Split (x, n) }> }"),
     "SPL042 graph/node[0]/then_branch/node[0]: it has an unused output 'b'; Slice can compute only the other parts\n"
     "SPL015 graph/node[0]/else_branch/node[0]: the lengths sum to 9, and the dim is 6; make the lengths cover axis 0 "
     "of 'x'"},
    {"an output that is declared longer",
     MODEL(13, 8,
           "g (float[6] x) => (float[5] a, float[4] b)\n"
           "<int64[2] n = {2, 4}>\n"
           "{ a, b = Split (x, n) }"),
     "SPL016 graph/node[0]: output 'a' is declared to be 5 long at axis 0, but will be 2; remove the declared shape, "
     "or correct it"},
    {"an output that is declared with another rank",
     MODEL(13, 8,
           "g (float[6] x) => (float[2,1] a, float[4] b)\n"
           "<int64[2] n = {2, 4}>\n"
           "{ a, b = Split (x, n) }"),
     "SPL016 graph/node[0]: output 'a' is declared with rank 2, and the input has rank 1; remove the declared shape, "
     "or correct it"},
    {"an inner value that is declared shorter",
     MODEL(13, 8,
           "g (float[6] x) => (float[] c, float[] d)\n"
           "<float[1] a>\n"
           "{ a, b = Split (x) c = Neg (a) d = Neg (b) }"),
     "SPL016 graph/node[0]: output 'a' is declared to be 1 long at axis 0, but will be 3; remove the declared shape, "
     "or correct it"},
    {"outputs that are declared as they are",
     MODEL(13, 8,
           "g (float[6] x) => (float[2] a, float[N] b)\n"
           "<int64[2] n = {2, 4}>\n"
           "{ a, b = Split (x, n) }"),
     ""},
    {"no axis at opset 1",
     MODEL(1, 8, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <split = [2, 4]> (x) }"),
     "SPL020 graph/node[0]: Split-1 has no default for axis, and none is given; write axis = 0, which most readers "
     "use"},
    {"no axis at opset 2",
     MODEL(2, 8, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <split = [2, 4]> (x) }"), ""},
    {"a negative axis below opset 11",
     MODEL(10, 8, "g (float[2,6] x) => (float[] a, float[] b) { a, b = Split <axis = -1> (x) }"),
     "SPL021 graph/node[0]: axis -1 is negative, which Split-2 does not define; write axis = 1"},
    {"a negative axis below opset 11, of an unknown rank",
     MODEL(2, 8, "g (float[] x) => (float[] a, float[] b) { a, b = Split <axis = -1> (x) }"),
     "SPL021 graph/node[0]: axis -1 is negative, which Split-2 does not define; count the axis from the front"},
    {"a negative axis at opset 11",
     MODEL(11, 8, "g (float[2,6] x) => (float[] a, float[] b) { a, b = Split <axis = -1> (x) }"), ""},
    {"a length of 0",
     MODEL(13, 8,
           "g (float[6] x) => (float[] a, float[] b)\n"
           "<int64[2] n = {0, 6}>\n"
           "{ a, b = Split (x, n) }"),
     "SPL022 graph/node[0]: length 0 is 0, so that output is empty; remove the output if it is not used"},
    {"lengths of 0 of a dim of 0",
     MODEL(13, 8,
           "g (float[0] x) => (float[] a, float[] b)\n"
           "<int64[2] n = {0, 0}>\n"
           "{ a, b = Split (x, n) }"),
     ""},
    {"num_outputs on a dim of 0",
     MODEL(18, 8, "g (float[0] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }"),
     "SPL024 graph/node[0]: num_outputs with a dim of 0; write explicit lengths (0 each)"},
    {"equal parts of a dim of 0", MODEL(13, 8, "g (float[0] x) => (float[] a, float[] b) { a, b = Split (x) }"), ""},
    {"a shorter last part",
     MODEL(18, 8, "g (float[10] x) => (float[] a, float[] b, float[] c) { a, b, c = Split <num_outputs = 3> (x) }"),
     "SPL025 graph/node[0]: num_outputs = 3 does not divide 10: the parts are 4 long and the last one 2; write "
     "explicit lengths"},
    {"equal parts by num_outputs",
     MODEL(18, 8, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }"), ""},
    {"num_outputs on an unknown dim",
     MODEL(18, 8, "g (float[N] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }"), ""},
    {"num_outputs on a dim above 2^24",
     MODEL(18, 8, "g (float[33554438] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }"),
     "SPL026 graph/node[0]: num_outputs cuts a dim of 33554438, more than 2^24; write explicit lengths"},
    {"num_outputs on a dim of 2^24",
     MODEL(18, 8, "g (float[16777216] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }"), ""},
    {"an output without a name", MODEL(13, 8, "g (float[6] x) => (float[] a, float[] b) { a, \"\", b = Split (x) }"),
     "SPL027 graph/node[0]: output 1 has no name; name it, also if it is not used"},
    {"lengths that a caller may override",
     MODEL(13, 8, "g (float[6] x, int64[2] n = {2, 4}) => (float[] a, float[] b) { a, b = Split (x, n) }"),
     "SPL031 graph/node[0]: the lengths 'n' are both an initializer and a graph input, so a caller may give others; "
     "remove 'n' from the graph's inputs"},
    {"the same where IR 3 wants it so",
     MODEL(13, 3, "g (float[6] x, int64[2] n = {2, 4}) => (float[] a, float[] b) { a, b = Split (x, n) }"), ""},
    {"equal parts of an unknown dim, to opset 18",
     MODEL(13, 8, "g (float[N] x) => (float[] a, float[] b) { a, b = Split (x) }"),
     "SPL032 graph/node[0]: it makes equal parts of a dim that is known only at run time: at opset 18 a dim that 2 "
     "does not divide is no error, and the last part gets shorter; make sure that the dim is divisible"},
    {"equal parts of a known dim, to opset 18",
     MODEL(13, 8, "g (float[6] x) => (float[] a, float[] b) { a, b = Split (x) }"), ""},
    {"one output", MODEL(13, 8, "g (float[6] x) => (float[] a) { a = Split (x) }"),
     "SPL040 graph/node[0]: it has one output, so it only copies its input; use Identity, or read 'x' instead of 'a'"},
    {"a part of a part",
     MODEL(13, 8,
           "g (float[8,2] x) => (float[] a, float[] b, float[] c) { a, t = Split (x) b, c = Split <axis = -2> (t) }"),
     "SPL041 graph/node[1]: it splits 't', an output of a Split along the same axis; use one Split with all lengths"},
    {"a part of a part along another axis",
     MODEL(13, 8,
           "g (float[8,2] x) => (float[] a, float[] b, float[] c) { a, t = Split (x) b, c = Split <axis = 1> (t) }"),
     ""},
    {"a part of a part along the least of all numbers",
     MODEL(13, 8,
           "g (float[8,2] x) => (float[] a, float[] b, float[] c)\n"
           "{ a, t = Split (x) b, c = Split <axis = -9223372036854775808> (t) }"),
     "SPL002 graph/node[1]: axis -9223372036854775808 is outside [-2, 1], the axes of a tensor of rank 2; use the "
     "intended one"},
    {"a part of a part that somebody else reads",
     MODEL(13, 8,
           "g (float[8] x) => (float[] t, float[] b, float[] c, float[] a) { a, t = Split (x) b, c = Split (t) }"),
     ""},
    {"a part of a part of an unknown dim",
     MODEL(13, 8, "g (float[N] x) => (float[] a, float[] b, float[] c) { a, t = Split (x) b, c = Split (t) }"), ""},
    {"an output that is not used", MODEL(13, 8, "g (float[6] x) => (float[] a) { a, b = Split (x) }"),
     "SPL042 graph/node[0]: it has an unused output 'b'; Slice can compute only the other parts"},
    {"two outputs that nobody reads", MODEL(13, 8, "g (float[6] x) => (float[] a) { a, b, c = Split (x) }"),
     "SPL042 graph/node[0]: 2 of its 3 outputs are not used ('b' first); Slice can compute only the other parts"},
    {"outputs that nobody reads, all of them, which GRF014 says",
     MODEL(13, 8, "g (float[6] x) => (float[] y) { y = Neg (x) a, b = Split (x) }"), ""},
    {"an output that a branch reads",
     MODEL(13, 8,
           "g (bool c, float[6] x) => (float[] y)\n"
           "{ a, b = Split (x)\n"
           "  y = If (c) <then_branch = t () => (float[] p) { p = Neg (a) },\n"
           "              else_branch = e () => (float[] q) { q = Neg (b) }> }"),
     ""},
    {"lengths behind an Identity",
     MODEL(13, 8,
           "g (float[6] x) => (float[] a, float[] b)\n"
           "<int64[2] k = {2, 4}>\n"
           "{ n = Identity (k) a, b = Split (x, n) }"),
     "SPL043 graph/node[1]: the lengths 'n' are constant, but computed by Identity; write them as an "
     "initializer"},
    {"lengths from a Constant",
     MODEL(13, 8,
           "g (float[6] x) => (float[] a, float[] b)\n"
           "{ n = Constant <value_ints = [2, 4]> () a, b = Split (x, n) }"),
     ""},
    {"a function's num_outputs, which all calls agree on",
     FUNCTION("g (float[6] x) => (float[] a, float[] b) { a, b = f.part <k = 0> (x) }"),
     "SPL005 function[0]:part/node[0]: num_outputs is 0 and must be at least 1; set it to 2, the number of outputs"},
    {"a function's num_outputs, which the calls do not agree on",
     FUNCTION("g (float[6] x) => (float[] a, float[] b, float[] c, float[] d)\n"
              "{ a, b = f.part <k = 0> (x) c, d = f.part <k = 2> (x) }"),
     ""},
    {"a function's num_outputs, which a call does not give",
     FUNCTION("g (float[6] x) => (float[] a, float[] b) { a, b = f.part (x) }"),
     "SPL004 function[0]:part/node[0]: node 0 (part) gives no value for the function's attribute 'k', which has no "
     "default: both num_outputs and the lengths are missing in this call; set num_outputs there"},
};

int main(void)
{
    struct opshift_lint_options to_18 = {.to = 18};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        lint_finds(&cases[i], "SPL", strstr(cases[i].what, "to opset 18") ? &to_18 : NULL);
    lint_examples("SPL");
    return done();
}
