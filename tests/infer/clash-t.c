/* Nodes that cannot be computed: what inference reports, and what stays of their outputs. */
#include "infer/clash.h"
#include "tests/infer/subject.h"

static void outputs_keep_declarations(void)
{
    struct infer_subject subject;
    if (subject_open(&subject, "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                               "g (float[I, 2] x, float[4] z) => (float[I, 7] y, float[I, 7] w)\n"
                               "{ y = Add (x, z) u = MatMul (x, z) w = Relu (y) v = Relu (u) }")) {
        type_is(&subject, NULL, "y", "float[I,7]", "an invalid node's output is what is declared");
        type_is(&subject, NULL, "w", "float[I,7]", "and so is what follows");
        type_is(&subject, NULL, "v", "float[]", "without a declaration it has an element type alone");
        ok(types_clashed(subject.types, subject.model->main, 0), "the node is known as invalid");
        ok(!types_clashed(subject.types, subject.model->main, 2), "those behind it are not");
    }
    subject_close(&subject);
}

static void clashes_are_told(void)
{
    struct infer_subject subject;
    struct opshift_error error = {0};
    struct arena *arena = arena_new(0);
    const struct clash *clashes = NULL;
    size_t count = 0;
    if (subject_open(&subject, "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                               "g (float[2, 3] x) => (float[] y) { y = Softmax <axis = 2> (x) z = Relu (x) }")) {
        is_int(OPSHIFT_OK, types_clashes(subject.types, subject.model->main, 0, arena, &clashes, &count, &error),
               "clashes are found");
        if (is_int(1, (int64_t)count, "one"))
            is_string("axis 2 is outside [-2, 1]; use an axis in this range", clashes[0].words, "with its words");
        types_clashes(subject.types, subject.model->main, 1, arena, &clashes, &count, &error);
        is_int(0, (int64_t)count, "none at a valid node");
    }
    subject_close(&subject);
    arena_free(arena);
}

static void unknown_attributes(void)
{
    struct infer_subject subject;
    if (subject_open(&subject, "<ir_version: 8, opset_import: [\"\" : 18]>\n"
                               "g (float[2, 3, 4] x) => (float[2, 1, 4] y, z)\n"
                               "{ y = ReduceMean <axes = [1]> (x) z = ReduceMean <keepdims = 0> (x) }")) {
        type_is(&subject, NULL, "y", "float[2,1,4]", "an attribute of another version: the declaration is kept");
        ok(types_clashed(subject.types, subject.model->main, 0), "the node is known as invalid");
        type_is(&subject, NULL, "z", "float", "with attributes of this version the shape is inferred");
    }
    subject_close(&subject);
}

int main(void)
{
    unknown_attributes();
    outputs_keep_declarations();
    clashes_are_told();
    return done();
}
