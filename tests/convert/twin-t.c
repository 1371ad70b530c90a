/* Nodes that say the same: what becomes of each is what would become of it alone, as where all that is rewritten is
 * listed, for which no node is taken for another. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "tests/convert/case.h"
#include "tests/tap/tap.h"

#define FUNCTIONS(opset, nodes, functions)                                                                             \
    "<ir_version: 8, opset_import: [\"\" : " #opset                                                                    \
    ", \"f\" : 1]> g (float[6] x, float[6] y, float[4, 6] z) => (float[] "                                             \
    "a) " nodes " " functions

static const struct {
    const char *what;
    int64_t opset;
    const char *text;
} cases[] = {
    {"one as the other", 13,
     MODEL(11, 8,
           "g (float[6] x, float[6] y) => (float[2] a, float[4] b, float[2] c, float[4] d) "
           "{ [one] a, b = Split <split = [2, 4]> (x) c, d = Split <split = [2, 4]> (y) }")},
    {"a negative axis, of values of several ranks", 2,
     MODEL(13, 8,
           "g (float[6] x, float[1, 6] y, float[1, 1, 6] z) => (float[3] a, float[3] b, float[1, 3] c, float[1, 3] d, "
           "float[1, 1, 3] e, float[1, 1, 3] f) "
           "{ a, b = Split <axis = -1> (x) c, d = Split <axis = -1> (y) e, f = Split <axis = -1> (z) }")},
    {"dims that divide, that do not, of nothing, and unknown", 18,
     MODEL(
         13, 8,
         "g (float[6] x, float[0] y, float[N] z, float[33554432] w) => (float[3] a, float[3] b) "
         "{ a, b = Split (x) c, d = Split (y) e, f = Split (z) i, j = Split (w) k, l = Split (x) m, n = Split (z) }")},
    {"more dims than are kept", 13,
     MODEL(18, 8,
           "g (float[2] p, float[4] q, float[6] r, float[7] s, float[9] t, float[11] u, float[7] v) => (float[1] a) "
           "{ a, b = Split <num_outputs = 2> (p) c, d = Split <num_outputs = 2> (q) e, f = Split <num_outputs = 2> (r) "
           "i, j = Split <num_outputs = 2> (s) k, l = Split <num_outputs = 2> (t) m, n = Split <num_outputs = 2> (u) "
           "o, w = Split <num_outputs = 2> (v) x, y = Split <num_outputs = 2> (s) }")},
    {"an output that is not there", 13,
     MODEL(18, 8,
           "g (float[7] x, float[7] y) => (float[3] a) "
           "{ a, b = Split <num_outputs = 3> (x) c, d = Split <num_outputs = 3> (y) }")},
    {"other lengths under the same attributes", 11,
     MODEL(13, 8,
           "g (float[6] x) => (float[2] a, float[4] b, float[4] c, float[2] d) "
           "<int64[2] k = {2, 4}, int64[2] l = {4, 2}, int64[2] m = {2, 4}> "
           "{ a, b = Split (x, k) c, d = Split (x, l) e, f = Split (x, m) }")},
    {"lengths that a caller may override", 11,
     MODEL(13, 8,
           "g (float[6] x, int64[2] l) => (float[2] a, float[4] b) <int64[2] k = {2, 4}, int64[2] l = {2, 4}> "
           "{ a, b = Split (x, k) c, d = Split (x, l) }")},
    {"another type, which the target lacks", 11,
     MODEL(13, 8,
           "g (bfloat16[6] x, float[6] y) => (float[3] a) { a, b = Split (y) c, d = Split (x) e, f = Split (y) }")},
    {"lengths that do not fit one of the inputs", 13,
     MODEL(11, 8,
           "g (float[6] x, float[7] y) => (float[2] a, float[4] b) "
           "{ a, b = Split <split = [2, 4]> (x) c, d = Split <split = [2, 4]> (y) }")},
    {"outputs that are declared, one of them wrongly", 13,
     MODEL(11, 8,
           "g (float[6] x) => (float[2] a, float[4] b, float[3] c, float[4] d) "
           "{ a, b = Split <split = [2, 4]> (x) c, d = Split <split = [2, 4]> (x) }")},
    {"an output without a name, and one that is given twice", 13,
     MODEL(11, 8,
           "g (float[6] x) => (float[2] a) { a, b = Split <split = [2, 4]> (x) c, \"\" = Split <split = [2, 4]> (x) "
           "d, d = Split <split = [2, 4]> (x) }")},
    {"in graphs of their own", 13,
     MODEL(11, 8,
           "g (bool c, float[6] x) => (float[2] y) { y = If (c) <then_branch = t () => (float[2] a) "
           "{ a, b = Split <split = [2, 4]> (x) }, else_branch = e () => (float[2] d) "
           "{ d, f = Split <split = [2, 4]> (x) h, i = Split <split = [2, 4]> (x) }> }")},
    {"attributes that become inputs, one, both or none of them", 11,
     MODEL(10, 5,
           "g (float[6] x) => (float[6] a) { a = Clip <min = 0.0, max = 6.0> (x) b = Clip <min = 0.0> (x) c = Clip (x) "
           "d = Clip <min = 0.0, max = 6.0> (a) e = Clip <min = 0.0> (b) f = Clip (c) h = Clip <max = 6.0> (c) }")},
    {"inputs that become attributes", 11,
     MODEL(13, 8,
           "g (float[6] x) => (float[1, 6] a) <int64[1] k = {0}, int64[1] l = {1}> "
           "{ a = Unsqueeze (x, k) b = Unsqueeze (x, k) c = Unsqueeze (x, l) d = Squeeze (a, k) e = Squeeze (b, k) "
           "f = Squeeze (b) }")},
    {"in functions, whose constants are nodes", 13,
     FUNCTIONS(11, "{ a, b = f.cut (x) c, d = f.cut (y) e, f = f.other (x) }",
               "<domain: \"f\", opset_import: [\"\" : 11]> cut (x) => (a, d) "
               "{ a, b = Split <split = [2, 4]> (x) r = Relu (x) c, d = Split <split = [2, 4]> (r) "
               "e, f = Split <split = [4, 2]> (x) } "
               "<domain: \"f\", opset_import: [\"\" : 11]> other (x) => (a, d) "
               "{ a, b = Split <split = [2, 4]> (x) c, d = Split <split = [2, 4]> (x) }")},
    {"in graphs within functions", 13,
     FUNCTIONS(11, "{ a, b = f.cut (x) }",
               "<domain: \"f\", opset_import: [\"\" : 11]> cut (x) => (a, b) "
               "{ k = Constant <value = bool {1}> () a = If (k) <then_branch = t () => (p) "
               "{ p, q = Split <split = [2, 4]> (x) u, v = Split <split = [2, 4]> (x) }, else_branch = e () => (r) "
               "{ r, s = Split <split = [2, 4]> (x) }> c, b = Split <split = [2, 4]> (x) }")},
    {"in functions, whose constants go", 11,
     FUNCTIONS(13, "{ a, b = f.cut (x) c, d = f.other (y) }",
               "<domain: \"f\", opset_import: [\"\" : 13]> cut (x) => (a, d) "
               "{ k = Constant <value_ints = [2, 4]> () l = Constant <value_ints = [4, 2]> () "
               "a, b = Split (x, k) c, d = Split (x, k) e, f = Split (x, l) } "
               "<domain: \"f\", opset_import: [\"\" : 13]> other (x) => (a, d) "
               "{ k = Constant <value_ints = [2, 4]> () a, b = Split (x, k) c, d = Split (x, k) r = Relu (k) }")},
    {"Constants, of which some differ, and some stand for what a call gives", 11,
     FUNCTIONS(
         13,
         "<int64[2] m = {2, 4}> { k = Constant <value_ints = [2, 4]> () l = Constant <value_ints = [2, 4]> () "
         "a = Concat <axis = 0> (k, l, m) b = f.cut <sp = [1, 2]> (x) c = f.other <sp = [3]> (x) }",
         "<domain: \"f\", opset_import: [\"\" : 13]> cut <sp> (x) => (a) "
         "{ k = Constant <value_ints = [2, 4]> () l = Constant <value_ints = [4, 2]> () "
         "m = Constant <value_int = 2> () n = Constant <value_ints = [2, 4]> () a = Concat <axis = 0> (k, l, n) } "
         "<domain: \"f\", opset_import: [\"\" : 13]> other <sp> (x) => (a) "
         "{ k = Constant <value_ints = [2, 4]> () l = Constant <value_ints: ints = @sp> () "
         "m = Constant <value_float = 2.0> () n = Constant <value_ints: ints = @sp> () "
         "a = Concat <axis = 0> (k, l, n) }")},
    {"of functions whose calls give each an axis of its own", 13,
     FUNCTIONS(18, "{ a, b = f.cut <ax = 0> (z) c, d = f.other <ax = 1> (z) }",
               "<domain: \"f\", opset_import: [\"\" : 18]> cut <ax> (z) => (a, b) "
               "{ a, b, i = Split <axis: int = @ax, num_outputs = 3> (z) } "
               "<domain: \"f\", opset_import: [\"\" : 18]> other <ax> (z) => (a, b) "
               "{ a, b, i = Split <axis: int = @ax, num_outputs = 3> (z) }")},
    {"of functions that are called with other lengths", 11,
     FUNCTIONS(13, "{ a, b = f.cut <sp = [2, 4]> (x) c, d = f.other <sp = [4, 2]> (x) }",
               "<domain: \"f\", opset_import: [\"\" : 13]> cut <sp> (x) => (a, b) "
               "{ k = Constant <value_ints: ints = @sp> () a, b = Split (x, k) } "
               "<domain: \"f\", opset_import: [\"\" : 13]> other <sp> (x) => (a, b) "
               "{ k = Constant <value_ints: ints = @sp> () a, b = Split (x, k) c, d = Split (x, k) }")},
    {"of the model and of a function", 13,
     FUNCTIONS(11, "{ a, b = Split <split = [2, 4]> (x) c, d = f.cut (x) }",
               "<domain: \"f\", opset_import: [\"\" : 11]> cut (x) => (a, b) { a, b = Split <split = [2, 4]> (x) }")},
    {"below IR 4, where constants are nodes", 13,
     MODEL(11, 3,
           "g (float[6] x) => (float[2] a) { r = Relu (x) a, b = Split <split = [2, 4]> (r) "
           "c, d = Split <split = [2, 4]> (x) }")},
};

/* What becomes of a model: its text, or why it is refused. */
static char *outcome(const char *text, int64_t opset, bool listed, const char *what)
{
    char *bytes = NULL, *seen = NULL;
    struct opshift_error error = {0};
    struct opshift_report *report = NULL;
    const struct opshift_goal goal = {.opset = opset};
    struct opshift_model *model = open_text(text, &bytes, what);
    if (model && opshift_convert(model, &goal, listed ? &report : NULL, &error))
        seen = strdup(error.text);
    else if (model)
        seen = saved_text(model, what);
    opshift_report_free(report);
    opshift_model_free(model);
    opshift_text_free(bytes);
    return seen;
}

/* More lists of lengths than twins are kept of, and then all of them once more. */
static void many_lengths(bool up)
{
    enum { LISTS = 2500, COUNT = 2 * LISTS };
    struct buffer text = {0};
    buffer_print(&text, "<ir_version: 8, opset_import: [\"\" : %d]> g (float[N] x) => (float[M] a0)\n<", up ? 11 : 13);
    for (int i = 0; i < COUNT; i++)
        if (!up)
            buffer_print(&text, "%sint64[2] s%d = {%d, 1}", i ? ", " : "", i, i % LISTS + 1);
    buffer_add_text(&text, up ? "float one = {1}> {\n" : "> {\n");
    for (int i = 0; i < COUNT; i++)
        if (up)
            buffer_print(&text, "a%d, b%d = Split <split = [%d, 1]> (x)\n", i, i, i % LISTS + 1);
        else
            buffer_print(&text, "a%d, b%d = Split (x, s%d)\n", i, i, i);
    buffer_add_text(&text, "}");
    char *model = buffer_take(&text), *together = outcome(model, up ? 13 : 11, false, "many lists");
    char *alone = outcome(model, up ? 13 : 11, true, "many lists");
    ok(together && alone && alone[0] == '<' && strcmp(alone, together) == 0, "many lists of lengths, %s",
       up ? "up" : "down");
    free(alone);
    free(together);
    free(model);
}

int main(void)
{
    many_lengths(true);
    many_lengths(false);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *together = outcome(cases[i].text, cases[i].opset, false, cases[i].what);
        char *alone = outcome(cases[i].text, cases[i].opset, true, cases[i].what);
        is_string(alone, together, "%s", cases[i].what);
        free(alone);
        free(together);
    }
    return done();
}
