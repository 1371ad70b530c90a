/* What a Split node does, read from models as text. */
#include "dialect/cut.h"

#include <stdio.h>

#include "tests/tap/tap.h"

static const struct {
    const char *what, *text;
    enum node_cut_kind kind;
    int64_t axis, front, dim, parts;
    const char *lengths; /* "": unknown at this time */
} cuts[] = {
    {"equal parts of a known dim", "13]> g (float[6,2] x) => (float[] a, float[] b) { a, b = Split (x) }",
     NODE_CUT_EQUAL, 0, 0, 6, 2, "3,3,"},
    {"of an unknown dim", "13]> g (float[2,N] x) => (float[] a, float[] b) { a, b = Split <axis = -1> (x) }",
     NODE_CUT_EQUAL, -1, 1, -1, 2, ""},
    {"of an unknown rank", "13]> g (float[] x) => (float[] a, float[] b) { a, b = Split <axis = -1> (x) }",
     NODE_CUT_EQUAL, -1, -1, -1, 2, ""},
    {"num_outputs that divides", "18]> g (float[6] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }",
     NODE_CUT_EQUAL, 0, 0, 6, 2, "3,3,"},
    {"num_outputs that leaves a rest",
     "18]> g (float[7] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }", NODE_CUT_LENGTHS, 0, 0, 7,
     2, "4,3,"},
    {"num_outputs that leaves nothing",
     "18]> g (float[4] x) => (float[] a, float[] b, float[] c) { a, b, c = Split <num_outputs = 3> (x) }",
     NODE_CUT_LENGTHS, 0, 0, 4, 3, "2,2,0,"},
    {"num_outputs beyond the outputs",
     "18]> g (float[7] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 3> (x) }", NODE_CUT_LENGTHS, 0, 0, 7,
     3, "3,3,1,"},
    {"num_outputs of an unknown dim",
     "18]> g (float[N] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2> (x) }", NODE_CUT_CHUNKS, 0, 0, -1,
     2, ""},
    {"a dim that the lengths tell",
     "11]> g (float[N] x) => (float[] a, float[] b) { a, b = Split <split = [2, 4]> (x) }", NODE_CUT_LENGTHS, 0, 0, 6,
     2, "2,4,"},
    {"lengths of Split-1 in the data's type",
     "1]> g (float[6] x) => (float[] a, float[] b) <float[2] n = {2, 4}> { a, b = Split <axis = 0> (x, n) }",
     NODE_CUT_LENGTHS, 0, 0, 6, 2, "2,4,"},
    {"lengths that are computed", "13]> g (float[6] x, int64[2] n) => (float[] a, float[] b) { a, b = Split (x, n) }",
     NODE_CUT_COMPUTED, 0, 0, 6, 2, ""},
    {"an empty slot", "13]> g (float[6] x) => (float[] a, float[] c) { a, \"\", c = Split (x) }", NODE_CUT_EQUAL, 0, 0,
     6, 3, "2,2,2,"},
};

static const struct {
    const char *text, *message;
} refusals[] = {
    {"18]> g (float[5] x) => (float[] a, float[] b, float[] c, float[] d) { a, b, c, d = Split <num_outputs = 4> (x) "
     "}",
     "node 0 (Split): SPL007 split-negative-last: 4 chunks of ceil(5 / 4) = 2 leave -1 for the last one; write "
     "explicit "
     "lengths"},
    {"13]> g (float[7] x) => (float[] a, float[] b) { a, b = Split (x) }",
     "node 0 (Split): SPL008 split-uneven: the dim 7 cannot be divided into 2 equal parts; write explicit lengths"},
    {"18]> g (float[N] x) => (float[] a, float[] b) { a, b = Split <num_outputs = 2000000> (x) }",
     "node 0 (Split): num_outputs is 2000000; more than 1048576 parts are not written out"},
};

static struct opshift_model *model_of(const char *text, char **bytes)
{
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    char whole[1024];
    size_t size;
    snprintf(whole, sizeof(whole), "<ir_version: 8, opset_import: [\"\" : %s", text);
    if (opshift_text_to_model(whole, strlen(whole), "t", bytes, &size, &error) ||
        opshift_model_open_memory(*bytes, size, NULL, &model, &error))
        diag("%s", error.text);
    return model;
}

static enum opshift_status read_cut(struct opshift_model *model, struct surroundings *around, struct arena *arena,
                                    struct node_cut *cut, struct opshift_error *error)
{
    enum opshift_status status = surroundings_open(around, model, false, error);
    return status ? status : node_cut_read(around, model->main, &model->main->nodes[0], arena, cut, error);
}

static void test_cuts(void)
{
    for (size_t i = 0; i < COUNT(cuts); i++) {
        char *bytes = NULL, lengths[64] = "";
        struct opshift_model *model = model_of(cuts[i].text, &bytes);
        struct arena *arena = arena_new(0);
        struct surroundings around;
        struct opshift_error error = {0};
        struct node_cut cut;
        enum opshift_status status = read_cut(model, &around, arena, &cut, &error);
        ok(status == OPSHIFT_OK && cut.kind == cuts[i].kind, "%s: %s", cuts[i].what, error.text);
        is_int(cuts[i].axis, cut.split.axis, "its axis");
        is_int(cuts[i].front, cut.split.front, "counted from the front");
        is_int(cuts[i].dim, cut.split.dim, "its dim");
        is_int(cuts[i].parts, cut.parts, "its parts");
        for (int64_t at = 0; cut.lengths && at < cut.parts; at++)
            snprintf(lengths + strlen(lengths), 8, "%d,", (int)cut.lengths[at]);
        is_string(cuts[i].lengths, lengths, "its lengths");
        is_string("node 0 (Split)", cut.place, "its place");
        surroundings_close(&around);
        arena_free(arena);
        opshift_model_free(model);
        opshift_text_free(bytes);
    }
}

static void test_refusals(void)
{
    for (size_t i = 0; i < COUNT(refusals); i++) {
        char *bytes = NULL;
        struct opshift_model *model = model_of(refusals[i].text, &bytes);
        struct arena *arena = arena_new(0);
        struct surroundings around;
        struct opshift_error error = {0};
        struct node_cut cut;
        is_int(OPSHIFT_NO, read_cut(model, &around, arena, &cut, &error), "refused");
        is_string(refusals[i].message, error.text, "in these words");
        surroundings_close(&around);
        arena_free(arena);
        opshift_model_free(model);
        opshift_text_free(bytes);
    }
}

int main(void)
{
    test_cuts();
    test_refusals();
    return done();
}
