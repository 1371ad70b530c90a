/* Fixes: the fixed model, with no finding left to fix and the same results of each Split. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "check/check.h"
#include "tests/check/append.h"
#include "tests/tap/tap.h"

#define HEAD(opset)      "<ir_version: 8, opset_import: [\"\" : " #opset "]>\n"
#define TEXT(opset, ...) HEAD(opset) __VA_ARGS__
/* An If with one output; a branch is "float[2] p) { p = Neg (x)". */
#define BRANCHES(node, then_branch, else_branch)                                                                       \
    TEXT(13, "g (bool c, float[2] x) => (float[2] y)\n{ " node " (c) <then_branch = t () => (" then_branch             \
             " }, else_branch = e () => (" else_branch " }> }")
#define ABS "float[2] q) { q = Abs (x)"

static const struct {
    const char *id;
    const char *what;
    const char *before, *after; /* whole models; after NULL: no fix */
    const char *told;           /* descriptions of the fixes, one per line */
    bool same;                  /* verify reports them as equal */
} cases[] = {
    {"SPL004", "num_outputs that is missing", TEXT(18, "g (float[6] x) => (float[] a, float[] b) { a, b = Split (x) }"),
     TEXT(18, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }"),
     "-a, b = Split (x)\n+a, b = Split <num_outputs = 2> (x)\n", false},
    {"SPL004", "num_outputs that would not cut equal parts",
     TEXT(18, "g (float[7] x) => (float[] a, float[] b) { a, b = Split (x) }"), NULL, "", false},
    {"SPL020", "the axis of Split-1", TEXT(1, "g (float[6] x) => (float[] a, float[] b) { a, b = Split (x) }"),
     TEXT(1, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <axis = 0> (x) }"),
     "-a, b = Split (x)\n+a, b = Split <axis = 0> (x)\n", true},
    {"SPL021", "a negative axis before opset 11",
     TEXT(2, "g (float[2,6] x) => (float[] a, float[] b) { a, b = Split <axis = -1> (x) }"),
     TEXT(2, "g (float[2,6] x) => (float[] a, float[] b) { a, b = Split <axis = 1> (x) }"),
     "-a, b = Split <axis = -1> (x)\n+a, b = Split <axis = 1> (x)\n", true},
    {"SPL021", "a negative axis of an unknown rank",
     TEXT(2, "g (float[] x) => (float[] a, float[] b) { a, b = Split <axis = -1> (x) }"), NULL, "", false},
    {"SPL023", "a last part of nothing",
     TEXT(18, "g (float[4] x) => (float[] a, float[] b, float[] c) { a, b, c = Split <num_outputs = 3> (x) }"),
     TEXT(18, "g (float[4] x) => (float[] a, float[] b, float[] c)\n<int64[3] a_split = {2, 2, 0}>\n"
              "{ a, b, c = Split (x, a_split) }"),
     "-a, b, c = Split <num_outputs = 3> (x)\n+a, b, c = Split (x, a_split)\n+int64[3] a_split = {2, 2, 0}\n", true},
    {"SPL024", "parts of a dim of 0",
     TEXT(18, "g (float[0] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }"),
     TEXT(18, "g (float[0] x) => (float[] a, float[] b)\n<int64[2] a_split = {0, 0}>\n{ a, b = Split (x, a_split) }"),
     "-a, b = Split <num_outputs = 2> (x)\n+a, b = Split (x, a_split)\n+int64[2] a_split = {0, 0}\n", true},
    {"SPL025", "a shorter last part, of a node with a name, where there is an initializer",
     TEXT(18, "g (float[10] x) => (float[] a, float[] b)\n<float[1] w = {1.0}>\n"
              "{ [cut] a, b = Split <num_outputs = 2, axis = 0> (s) s = Add (x, w) }"),
     NULL, "", false},
    {"SPL025", "a shorter last part",
     TEXT(18, "g (float[9] x) => (float[] a, float[] b)\n<float[1] w = {1.0}>\n"
              "{ s = Add (x, w) [cut] a, b = Split <num_outputs = 2, axis = 0> (s) }"),
     TEXT(18, "g (float[9] x) => (float[] a, float[] b)\n<float[1] w = {1.0}, int64[2] cut_split = {5, 4}>\n"
              "{ s = Add (x, w) [cut] a, b = Split <axis = 0> (s, cut_split) }"),
     "-[cut] a, b = Split <num_outputs = 2, axis = 0> (s)\n+[cut] a, b = Split <axis = 0> (s, cut_split)\n"
     "+int64[2] cut_split = {5, 4}\n",
     true},
    {"SPL026", "a dim beyond what floats count",
     TEXT(18, "g (uint8[33554438] x) => (uint8[] a, uint8[] b) { a, b = Split <num_outputs = 2> (x) }"),
     TEXT(18, "g (uint8[33554438] x) => (uint8[] a, uint8[] b)\n<int64[2] a_split = {16777219, 16777219}>\n"
              "{ a, b = Split (x, a_split) }"),
     "-a, b = Split <num_outputs = 2> (x)\n+a, b = Split (x, a_split)\n+int64[2] a_split = {16777219, 16777219}\n",
     false},
    {"SPL027", "an output without a name",
     TEXT(13, "g (float[6] x, float[1] a_unread) => (float[] a, float[] b) { a, \"\", b = Split (x) }"),
     TEXT(13, "g (float[6] x, float[1] a_unread) => (float[] a, float[] b) { a, a_unread_1, b = Split (x) }"),
     "-a, \"\", b = Split (x)\n+a, a_unread_1, b = Split (x)\n", true},
    {"SPL028", "more parts than outputs", TEXT(18, "g (float[6] x) => (float[] a) { a = Split <num_outputs = 3> (x) }"),
     TEXT(18, "g (float[6] x) => (float[] a) { a, a_unread, a_unread_1 = Split <num_outputs = 3> (x) }"),
     "-a = Split <num_outputs = 3> (x)\n+a, a_unread, a_unread_1 = Split <num_outputs = 3> (x)\n", true},
    {"SPL029", "an empty second input",
     TEXT(18, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x, \"\") }"),
     TEXT(18, "g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }"),
     "-a, b = Split <num_outputs = 2> (x, \"\")\n+a, b = Split <num_outputs = 2> (x)\n", true},
    {"SPL030", "lengths as an input of Split-1",
     TEXT(1, "g (float[6] x) => (float[] a, float[] b)\n<float[2] n = {2, 4}>\n{ a, b = Split <axis = 0> (x, n) }"),
     TEXT(1, "g (float[6] x) => (float[] a, float[] b)\n<float[2] n = {2, 4}>\n"
             "{ a, b = Split <axis = 0, split = [2, 4]> (x) }"),
     "-a, b = Split <axis = 0> (x, n)\n+a, b = Split <axis = 0, split = [2, 4]> (x)\n", true},
    {"SPL040", "one part", TEXT(13, "g (float[6] x) => (float[] a) { a = Split <axis = 0> (x) }"),
     TEXT(13, "g (float[6] x) => (float[] a) { a = Identity (x) }"), "-a = Split <axis = 0> (x)\n+a = Identity (x)\n",
     true},
    {"SPL040", "one part whose length is not known to be all",
     TEXT(13, "g (float[N] x) => (float[] a)\n<int64[1] n = {6}> { a = Split (x, n) }"), NULL, "", false},
    {"GRF004", "nodes of one name, in a graph that uses the next name for a value and for a node",
     TEXT(13,
          "g (float[2] x) => (float[2] y) { [n] n_1 = Neg (x) [n] t = Abs (n_1) [n_2] u = Exp (t) [n] y = Log (u) }"),
     TEXT(13,
          "g (float[2] x) => (float[2] y) { [n] n_1 = Neg (x) [n_3] t = Abs (n_1) [n_2] u = Exp (t) [n_4] y = Log (u) "
          "}"),
     "-[n] t = Abs (n_1)\n+[n_3] t = Abs (n_1)\n-[n] y = Log (u)\n+[n_4] y = Log (u)\n", false},
    {"GRF004", "nodes of one name in two graphs",
     BRANCHES("[n] y = If", "float[2] p) { [n] p = Neg (x)", "float[2] q) { [n] q = Abs (x)"), NULL, "", false},
    {"GRF007", "outer values that a branch gives, one of them twice",
     TEXT(13,
          "g (bool c, float[2] x) => (float[2] y, float[2] z, float[2] u)\n{ y, z, u = If (c) <then_branch = t () => "
          "(float[2] x, float[2] p, float[2] x) { p = Neg (x) }, else_branch = e () => (float[2] q, float[2] x, "
          "float[2] x) { q = Abs (x) }> }"),
     TEXT(13,
          "g (bool c, float[2] x) => (float[2] y, float[2] z, float[2] u)\n{ y, z, u = If (c) <then_branch = t () => "
          "(float[2] x_1, float[2] p, float[2] x_2) { p = Neg (x) x_1 = Identity (x) x_2 = Identity (x) }, "
          "else_branch = e () => (float[2] q, float[2] x_3, float[2] x_4) { q = Abs (x) x_3 = Identity (x) x_4 = "
          "Identity (x) }> }"),
     "-float[2] x\n+x_1 = Identity (x)\n+float[2] x_1\n-float[2] x\n+x_2 = Identity (x)\n+float[2] x_2\n-float[2] "
     "x\n+x_3 = Identity (x)\n+float[2] x_3\n-float[2] x\n+x_4 = Identity (x)\n+float[2] x_4\n",
     false},
    {"GRF007", "an outer value that is all of a branch", BRANCHES("y = If", "float[2] x) {", ABS),
     BRANCHES("y = If", "float[2] x_1) { x_1 = Identity (x)", ABS), "-float[2] x\n+x_1 = Identity (x)\n+float[2] x_1\n",
     false},
    {"GRF007", "an outer sequence, of which older opsets have no Identity",
     TEXT(13, "g (bool c, seq(float[2]) x, int64 n) => (seq(float[2]) y)\n{ y = If (c) <then_branch = t () => "
              "(seq(float[2]) x) { }, "
              "else_branch = e () => (seq(float[2]) q) { q = SequenceErase (x, n) }> }"),
     NULL, "", false},
    {"GRF012", "nodes in the wrong order, moved no further than they must",
     TEXT(13, "g (float[2] x) => (float[2] y) { y = Abs (c) c = Add (a, b) b = Neg (x) a = Exp (x) d = Log (x) }"),
     TEXT(13, "g (float[2] x) => (float[2] y) { a = Exp (x) b = Neg (x) c = Add (a, b) y = Abs (c) d = Log (x) }"),
     "-c = Add (a, b)\n-b = Neg (x)\n-a = Exp (x)\n+a = Exp (x)\n+b = Neg (x)\n+c = Add (a, b)\n", false},
    {"GRF012", "a node before the one with a subgraph that reads it",
     TEXT(13, "g (bool c, float[2] x) => (float[] y)\n{ y = If (c) <then_branch = t () => (p) { p = Neg (v) }, "
              "else_branch = e () => (q) { q = Abs (x) }> v = Exp (x) }"),
     TEXT(13,
          "g (bool c, float[2] x) => (float[] y)\n{ v = Exp (x) y = If (c) <then_branch = t () => (p) { p = Neg (v) "
          "}, else_branch = e () => (q) { q = Abs (x) }> }"),
     "-v = Exp (x)\n+v = Exp (x)\n", false},
    {"GRF013", "initializers that nobody reads, but not what a caller may give",
     TEXT(13, "g (float[2] x, float[1] k = {3.0}) => (float[2] y)\n<float[1] v = {1.0}, float[1] w = {2.0}>\n"
              "{ y = Neg (x) }"),
     TEXT(13, "g (float[2] x, float[1] k = {3.0}) => (float[2] y) { y = Neg (x) }"),
     "-float[1] v = {1.0}\n-float[1] w = {2.0}\n", false},
    {"GRF014", "a chain of nodes that nobody reads, but not one of another domain",
     "<ir_version: 8, opset_import: [\"\" : 13, \"d\" : 1]>\n"
     "g (float[2] x) => (float[2] y) { a = Exp (x) b = Abs (a) c = d.Print (x) y = Neg (x) }",
     "<ir_version: 8, opset_import: [\"\" : 13, \"d\" : 1]>\n"
     "g (float[2] x) => (float[2] y) { c = d.Print (x) y = Neg (x) }",
     "-b = Abs (a)\n-a = Exp (x)\n", false},
    {"GRF015", "a type for nothing", TEXT(13, "g (float[2] x) => (float[2] y)\n<float[2] old> { y = Neg (x) }"),
     TEXT(13, "g (float[2] x) => (float[2] y) { y = Neg (x) }"), "-float[2] old\n", false},
    {"GRF034", "a type that is declared twice",
     TEXT(13, "g (float[2] x) => (float[2] y)\n<float[2] t, float[2] t> { t = Neg (x) y = Abs (t) }"),
     TEXT(13, "g (float[2] x) => (float[2] y)\n<float[2] t> { t = Neg (x) y = Abs (t) }"), "-float[2] t\n", false},
    {"GRF034", "two types for one name",
     TEXT(13, "g (float[2] x) => (float[2] y)\n<float[2] t, float[N] t> { t = Neg (x) y = Abs (t) }"), NULL, "", false},
    {"PRT044", "an import that is there twice",
     "<ir_version: 8, opset_import: [\"\" : 13, \"\" : 13]>\ng (float[2] x) => (float[2] y) { y = Neg (x) }",
     TEXT(13, "g (float[2] x) => (float[2] y) { y = Neg (x) }"), "-opset_import: [\"\" : 13]\n", false},
    {"PRT028", "an entry that is there twice",
     "<ir_version: 8, opset_import: [\"\" : 13], metadata_props: [\"k\": \"v\", \"k\": \"v\"]>\n"
     "g (float[2] x) => (float[2] y) { y = Neg (x) }",
     "<ir_version: 8, opset_import: [\"\" : 13], metadata_props: [\"k\": \"v\"]>\n"
     "g (float[2] x) => (float[2] y) { y = Neg (x) }",
     "-metadata_props: [\"k\": \"v\"]\n", false},
    {"PRT028", "a key with two values",
     "<ir_version: 8, opset_import: [\"\" : 13], metadata_props: [\"k\": \"v\", \"k\": \"w\"]>\n"
     "g (float[2] x) => (float[2] y) { y = Neg (x) }",
     NULL, "", false},
};

static struct opshift_error error;

static struct opshift_model *open_text(const char *text, char **bytes)
{
    size_t size;
    struct opshift_model *model = NULL;
    if (opshift_text_to_model(text, strlen(text), "model.txt", bytes, &size, &error) == OPSHIFT_OK)
        opshift_model_open_memory(*bytes, size, NULL, &model, &error);
    return model;
}

/* Freed by the caller. */
static char *text_of(struct opshift_model *model)
{
    char *text = NULL;
    size_t size;
    if (opshift_model_to_text(model, &text, &size, &error))
        return strdup(error.text);
    return text;
}

static void add_lines(struct buffer *out, char sign, const char *text)
{
    while (*text) {
        size_t size = strcspn(text, "\n");
        buffer_print(out, "%c%.*s\n", sign, (int)size, text);
        text += size + 1;
    }
}

/* Fixes findings of one check; *told is freed by the caller. -1: failure. */
static int64_t fix(struct opshift_model *model, const char *id, char **told)
{
    struct opshift_lint *lint = NULL;
    struct opshift_fixes *fixes = NULL;
    struct buffer words = {0};
    int64_t count = -1;
    *told = NULL;
    if (opshift_lint_new(&(struct opshift_lint_options){.select = &id, .select_count = 1}, &lint, &error) ==
            OPSHIFT_OK &&
        opshift_lint_fix(lint, model, &fixes, &error) == OPSHIFT_OK) {
        count = (int64_t)opshift_fixes_count(fixes);
        for (size_t i = 0; i < opshift_fixes_count(fixes); i++) {
            add_lines(&words, '-', opshift_fixes_at(fixes, i)->before);
            add_lines(&words, '+', opshift_fixes_at(fixes, i)->after);
        }
        buffer_add_text(&words, "");
        *told = buffer_take(&words);
    }
    opshift_fixes_free(fixes);
    opshift_lint_free(lint);
    return count;
}

/* Saves the edited model and opens it. */
static struct opshift_model *written(struct opshift_model *model, struct opshift_output **output)
{
    struct opshift_model *after = NULL;
    if (opshift_model_write(model, "-", NULL, output, &error) == OPSHIFT_OK)
        opshift_output_open(*output, &after, &error);
    return after;
}

static void one_case(size_t i)
{
    char *bytes = NULL, *wanted_bytes = NULL, *told = NULL, *again = NULL, *wanted = NULL, *seen = NULL;
    struct opshift_output *output = NULL;
    struct opshift_model *model = open_text(cases[i].before, &bytes);
    struct opshift_model *expected = open_text(cases[i].after ? cases[i].after : cases[i].before, &wanted_bytes);
    bool opened = model && expected;
    if (!ok(opened && fix(model, cases[i].id, &told) >= 0, "%s: %s: fixed", cases[i].id, cases[i].what))
        diag("%s", error.text);
    struct opshift_model *after = opened ? written(model, &output) : NULL;
    if (ok(after != NULL, "written, and opened")) {
        is_string(cases[i].told, told, "what is told");
        is_string(wanted = text_of(expected), seen = text_of(after), "the whole model");
        is_int(0, fix(after, cases[i].id, &again), "nothing is left to fix");
        if (cases[i].same)
            is_int(OPSHIFT_OK, opshift_verify(model, after, NULL, NULL, &error), "it computes the same: %s",
                   error.text);
    }
    free(wanted);
    free(seen);
    free(told);
    free(again);
    opshift_model_free(after);
    opshift_output_free(output);
    opshift_model_free(model);
    opshift_model_free(expected);
    opshift_text_free(bytes);
    opshift_text_free(wanted_bytes);
}

/* ---- models that text cannot express ---- */

#define NEG "g (float[2] x) => (float[2] y) { y = Neg (x) }"
#define CAT "g (float[2] x) => (float[4] y) { y = Concat (x, x) }"

static const struct {
    const char *id;
    struct appended made;
    const char *told;
} bytes_cases[] = {
    {"PRT052",
     {"an attribute without its type", HEAD(13) CAT, "\7\1",
      APPEND("\x2a\x08\x0a\x04"
             "axis\x18\0"),
      ""},
     "-y = Concat <axis = 0> (x, x)\n-# in 29 bytes\n+y = Concat <axis = 0> (x, x)\n+# in 32 bytes\n"},
    {"PRT055",
     {"a dim of -1", HEAD(13) NEG, "\7",
      APPEND("\x6a\x18\x0a\x01y\x12\x13\x0a\x11\x08\x01\x12\x0d\x0a\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
      ""},
     "-float[-1] y\n+float[?] y\n"},
};

static void one_bytes_case(size_t i)
{
    size_t size;
    char *told = NULL, *again = NULL, *bytes = model_with(&bytes_cases[i].made, &size);
    struct opshift_model *model = NULL, *after = NULL;
    struct opshift_output *output = NULL;
    if (bytes && opshift_model_open_memory(bytes, size, NULL, &model, &error) == OPSHIFT_OK) {
        is_int(1, fix(model, bytes_cases[i].id, &told), "%s: %s: fixed", bytes_cases[i].id, bytes_cases[i].made.what);
        after = written(model, &output);
    }
    if (ok(after != NULL, "written, and opened: %s", error.text)) {
        is_string(bytes_cases[i].told, told, "what is told");
        is_int(0, fix(after, bytes_cases[i].id, &again), "nothing is left to fix");
    }
    free(told);
    free(again);
    opshift_model_free(after);
    opshift_output_free(output);
    opshift_model_free(model);
    free(bytes);
}

int main(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        one_case(i);
    for (size_t i = 0; i < sizeof(bytes_cases) / sizeof(bytes_cases[0]); i++)
        one_bytes_case(i);
    for (size_t i = 0; i < opshift_check_count(); i++) {
        const struct opshift_check *about = opshift_check_at(i);
        const struct check *check = check_find(about->id);
        if (about->fixable != (check->fix != NULL))
            ok(false, "%s says whether it has a fix", about->id);
    }
    return done();
}
