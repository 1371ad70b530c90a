/* Models from text, and the inferred types of their values. */
#ifndef TESTS_INFER_SUBJECT_H
#define TESTS_INFER_SUBJECT_H

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "infer/types.h"
#include "tests/tap/tap.h"

/* A model from text, with its inference. */
struct infer_subject {
    char *bytes;
    struct opshift_model *model;
    struct scopes *scopes;
    struct types *types;
};

/* From a model's bytes, which must stay valid. */
static inline bool subject_open_bytes(struct infer_subject *subject, const void *bytes, size_t size)
{
    struct opshift_error error = {0};
    if (opshift_model_open_memory(bytes, size, NULL, &subject->model, &error) == OPSHIFT_OK &&
        scopes_new(subject->model, &subject->scopes, &error) == OPSHIFT_OK &&
        types_new(subject->model, subject->scopes, &subject->types, &error) == OPSHIFT_OK)
        return true;
    return ok(false, "the model opens: %s", error.text);
}

static inline bool subject_open(struct infer_subject *subject, const char *text)
{
    struct opshift_error error = {0};
    size_t size;
    memset(subject, 0, sizeof(*subject));
    if (opshift_text_to_model(text, strlen(text), "test", &subject->bytes, &size, &error) == OPSHIFT_OK)
        return subject_open_bytes(subject, subject->bytes, size);
    return ok(false, "the text reads: %s", error.text);
}

static inline void subject_close(struct infer_subject *subject)
{
    types_free(subject->types);
    scopes_free(subject->scopes);
    opshift_model_free(subject->model);
    opshift_text_free(subject->bytes);
}

/* As in the textual syntax: "float[2,N,?]", "float" for a scalar, "float[]" for an unknown rank; "?" for an unknown
 * type. */
static inline char *type_text(const struct infer_subject *subject, const struct value_type *type)
{
    struct buffer out = {0};
    if (type->other != NULL) {
        const struct value_type *inner = type;
        while (inner && inner->other)
            inner = inner->element;
        buffer_add_text(&out, type->other);
        if (inner && inner->rank >= 0) {
            char *shape = type_text(subject, inner);
            buffer_print(&out, " of %s", shape);
            free(shape);
        }
        return buffer_take(&out);
    }
    buffer_add_text(&out, type->type != OPSHIFT_TYPE_UNDEFINED ? type_name(type->type) : "?");
    for (int32_t i = 0; i < type->rank; i++) {
        buffer_add_text(&out, i == 0 ? "[" : ",");
        if (type->dims[i] >= 0)
            buffer_print(&out, "%lld", (long long)type->dims[i]);
        else
            buffer_add_text(&out,
                            type->params[i] != NAME_NONE ? names_text(subject->model->names, type->params[i]) : "?");
    }
    if (type->rank > 0)
        buffer_add_text(&out, "]");
    else if (type->rank < 0 && type->type != OPSHIFT_TYPE_UNDEFINED)
        buffer_add_text(&out, "[]");
    return buffer_take(&out);
}

/* NULL: the main graph. */
static inline struct graph *subject_graph(const struct infer_subject *subject, const char *name)
{
    struct opshift_model *model = subject->model;
    for (uint32_t i = 0; name != NULL && i < model->graph_count; i++)
        if (strcmp(names_text(model->names, model->graphs[i]->name), name) == 0)
            return model->graphs[i];
    return model->main;
}

/* Infers the type of a name seen from the graph of that name (NULL: the main one). */
static inline void type_is(struct infer_subject *subject, const char *graph_name, const char *name, const char *wanted,
                           const char *what)
{
    struct opshift_model *model = subject->model;
    struct opshift_error error = {0};
    struct value_type type;
    name_id id;
    struct graph *graph = subject_graph(subject, graph_name);
    if (!names_find(model->names, name, strlen(name), &id)) {
        ok(false, "%s: there is no name %s", what, name);
        return;
    }
    enum opshift_status status = types_find(subject->types, graph, id, &type, &error);
    if (status != OPSHIFT_OK) {
        ok(false, "%s: %s", what, error.text);
        return;
    }
    char *text = type_text(subject, &type);
    is_string(wanted, text, "%s", what);
    free(text);
}

/* One node, and the inferred type of y. The opset is also that of ai.onnx.ml, which has 5. */
struct node_case {
    int opset;
    const char *inputs, *constants, *nodes, *wanted;
};

static inline void check_cases(const struct node_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct buffer text = {0};
        buffer_print(
            &text,
            "<ir_version: 8, opset_import: [\"\" : %d, \"ai.onnx.ml\" : %d]> g (%s) => (float unrelated) <%s> { %s }",
            cases[i].opset, cases[i].opset < 5 ? cases[i].opset : 5, cases[i].inputs, cases[i].constants,
            cases[i].nodes);
        char *model = buffer_take(&text);
        struct infer_subject subject;
        if (subject_open(&subject, model))
            type_is(&subject, NULL, "y", cases[i].wanted, cases[i].nodes);
        subject_close(&subject);
        free(model);
    }
}

#endif
