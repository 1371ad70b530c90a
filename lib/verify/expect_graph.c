/* Compares a subgraph of a planned node with the graph of the second model, ignoring the names of local values. */
#include "verify/expect_graph.h"

#include <string.h>

/* Values looked at for all names together. Beyond it, the graphs are not shown to be the same. */
#define STEPS_MOST (UINT64_C(1) << 30)

/* A value of the planned graph and the corresponding one. */
struct inner_pair {
    const ProtobufCBinaryData *planned, *after;
};

struct graph_matching {
    struct arena *arena;
    const struct outer_values *outer;
    struct inner_pair *pairs; /* inner ones last */
    size_t count, room;
    uint64_t steps; /* at most what is looked at */
    bool same;
};

static bool pair_add(struct graph_matching *matching, const ProtobufCBinaryData *planned,
                     const ProtobufCBinaryData *after)
{
    if (matching->count == matching->room) {
        size_t room = matching->room ? matching->room * 2 : 16;
        struct inner_pair *grown = arena_alloc(matching->arena, room, sizeof(*grown));
        if (grown == NULL)
            return false;
        if (matching->count)
            memcpy(grown, matching->pairs, matching->count * sizeof(*grown));
        matching->pairs = grown;
        matching->room = room;
    }
    matching->same &= (planned->len == 0) == (after->len == 0);
    matching->pairs[matching->count++] = (struct inner_pair){planned, after};
    return true;
}

static enum opshift_status match_read(struct graph_matching *matching, const ProtobufCBinaryData *planned,
                                      const ProtobufCBinaryData *after, struct opshift_error *error)
{
    if (planned->len == 0 || after->len == 0) {
        matching->same &= planned->len == after->len;
        return OPSHIFT_OK;
    }
    matching->steps += matching->count;
    if (matching->steps > STEPS_MOST) {
        matching->same = false;
        return OPSHIFT_OK;
    }
    for (size_t i = matching->count; i-- > 0;) {
        bool is_planned = bytes_same(bytes_of(*matching->pairs[i].planned), bytes_of(*planned));
        bool is_after = bytes_same(bytes_of(*matching->pairs[i].after), bytes_of(*after));
        if (!is_planned && !is_after)
            continue;
        matching->same &= is_planned && is_after;
        return OPSHIFT_OK;
    }
    bool same = false;
    enum opshift_status status = matching->outer->match(matching->outer->data, planned, after, &same, error);
    matching->same &= same;
    return status;
}

static enum opshift_status match_graph(struct graph_matching *matching, const Onnx__GraphProto *planned,
                                       const Onnx__GraphProto *after, struct opshift_error *error);

static bool same_plain(struct arena *arena, const Onnx__AttributeProto *a, const Onnx__AttributeProto *b)
{
    size_t size = onnx__attribute_proto__get_packed_size(a);
    uint8_t *bytes = size == onnx__attribute_proto__get_packed_size(b) ? arena_alloc(arena, 2, size + 1) : NULL;
    if (bytes == NULL)
        return false;
    onnx__attribute_proto__pack(a, bytes);
    onnx__attribute_proto__pack(b, bytes + size);
    return memcmp(bytes, bytes + size, size) == 0;
}

static enum opshift_status match_attribute(struct graph_matching *matching, const Onnx__AttributeProto *planned,
                                           const Onnx__AttributeProto *after, struct opshift_error *error)
{
    if (planned->g == NULL && planned->n_graphs == 0) {
        matching->same &= same_plain(matching->arena, planned, after);
        return OPSHIFT_OK;
    }
    matching->same &= (planned->g == NULL) == (after->g == NULL) && planned->n_graphs == after->n_graphs;
    enum opshift_status status = OPSHIFT_OK;
    if (matching->same && planned->g)
        status = match_graph(matching, planned->g, after->g, error);
    for (size_t i = 0; status == OPSHIFT_OK && matching->same && i < planned->n_graphs; i++)
        status = match_graph(matching, planned->graphs[i], after->graphs[i], error);
    return status;
}

static enum opshift_status match_attributes(struct graph_matching *matching, const Onnx__NodeProto *planned,
                                            const Onnx__NodeProto *after, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    matching->same &= planned->n_attribute == after->n_attribute;
    for (size_t i = 0; status == OPSHIFT_OK && matching->same && i < planned->n_attribute; i++) {
        const Onnx__AttributeProto *found = NULL;
        for (size_t k = 0; k < after->n_attribute && found == NULL; k++)
            if (bytes_same(bytes_of(planned->attribute[i]->name), bytes_of(after->attribute[k]->name)))
                found = after->attribute[k];
        matching->same &= found != NULL;
        if (found)
            status = match_attribute(matching, planned->attribute[i], found, error);
    }
    return status;
}

static enum opshift_status match_node(struct graph_matching *matching, const Onnx__NodeProto *planned,
                                      const Onnx__NodeProto *after, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    matching->same &= bytes_same(bytes_of(planned->op_type), bytes_of(after->op_type)) &&
                      bytes_same(bytes_of(planned->domain), bytes_of(after->domain)) &&
                      bytes_same(bytes_of(planned->overload), bytes_of(after->overload)) &&
                      planned->n_input == after->n_input && planned->n_output == after->n_output;
    for (size_t i = 0; status == OPSHIFT_OK && matching->same && i < planned->n_input; i++)
        status = match_read(matching, &planned->input[i], &after->input[i], error);
    if (status == OPSHIFT_OK && matching->same)
        status = match_attributes(matching, planned, after, error);
    for (size_t i = 0; status == OPSHIFT_OK && matching->same && i < planned->n_output; i++)
        if (!pair_add(matching, &planned->output[i], &after->output[i]))
            status = opshift_no_memory(error);
    return status;
}

/* The same tensor but for the name. Data in other files is not compared here. */
static bool same_initializer(struct arena *arena, const Onnx__TensorProto *a, const Onnx__TensorProto *b)
{
    Onnx__TensorProto left = *a, right = *b;
    left.name = right.name = (ProtobufCBinaryData){0};
    left.has_name = right.has_name = 0;
    size_t size = onnx__tensor_proto__get_packed_size(&left);
    bool same = a->n_external_data == 0 && size == onnx__tensor_proto__get_packed_size(&right);
    uint8_t *bytes = same ? arena_alloc(arena, 2, size + 1) : NULL;
    if (bytes == NULL)
        return false;
    onnx__tensor_proto__pack(&left, bytes);
    onnx__tensor_proto__pack(&right, bytes + size);
    return memcmp(bytes, bytes + size, size) == 0;
}

static enum opshift_status match_graph(struct graph_matching *matching, const Onnx__GraphProto *planned,
                                       const Onnx__GraphProto *after, struct opshift_error *error)
{
    size_t first = matching->count;
    enum opshift_status status = OPSHIFT_OK;
    matching->same &= planned->n_input == after->n_input && planned->n_output == after->n_output &&
                      planned->n_node == after->n_node && planned->n_initializer == after->n_initializer &&
                      planned->n_sparse_initializer == 0 && after->n_sparse_initializer == 0;
    for (size_t i = 0; status == OPSHIFT_OK && matching->same && i < planned->n_input; i++)
        if (!pair_add(matching, &planned->input[i]->name, &after->input[i]->name))
            status = opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && matching->same && i < planned->n_initializer; i++) {
        matching->same = same_initializer(matching->arena, planned->initializer[i], after->initializer[i]);
        if (!pair_add(matching, &planned->initializer[i]->name, &after->initializer[i]->name))
            status = opshift_no_memory(error);
    }
    for (size_t i = 0; status == OPSHIFT_OK && matching->same && i < planned->n_node; i++)
        status = match_node(matching, planned->node[i], after->node[i], error);
    for (size_t i = 0; status == OPSHIFT_OK && matching->same && i < planned->n_output; i++)
        status = match_read(matching, &planned->output[i]->name, &after->output[i]->name, error);
    matching->count = first;
    return status;
}

enum opshift_status expect_same_graphs(const Onnx__AttributeProto *planned, const Onnx__AttributeProto *after,
                                       const struct outer_values *outer, struct arena *arena, bool *same,
                                       struct opshift_error *error)
{
    struct graph_matching matching = {.arena = arena, .outer = outer, .same = true};
    enum opshift_status status = match_attribute(&matching, planned, after, error);
    *same = matching.same;
    return status;
}
