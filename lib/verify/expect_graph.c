/* Compares a subgraph of a planned node with the graph of the second model, ignoring the names of local values. */
#include "verify/expect_graph.h"

#include "base/list.h"
#include "model/names.h"
#include "wire/wire.h"

enum { PLANNED, AFTER };

/* A value of the planned graph and the corresponding one. */
struct inner_pair {
    name_id names[2];
    uint32_t hidden[2]; /* the pairs of an outer graph whose names these two hide; 0: none */
};

struct graph_matching {
    struct arena *arena;
    const struct outer_values *outer;
    struct names *names;      /* of the values of both */
    uint32_t *latest[2];      /* by name: the innermost pair with it, counted from 1; 0: none */
    struct inner_pair *pairs; /* inner ones last */
    uint32_t count, room, name_room;
    bool same;
};

/* NAME_NO_MEMORY. */
static name_id name_add(struct graph_matching *matching, const ProtobufCBinaryData *text)
{
    name_id name = names_add(matching->names, text->data, text->len);
    while (name != NAME_NO_MEMORY && name >= matching->name_room) {
        uint32_t room = matching->name_room;
        for (int i = 0; i < 2; i++) {
            room = matching->name_room;
            if (!arena_list_grow(matching->arena, &matching->latest[i], room, &room, sizeof(*matching->latest[i])))
                return NAME_NO_MEMORY;
        }
        matching->name_room = room;
    }
    return name;
}

static bool pair_add(struct graph_matching *matching, const ProtobufCBinaryData *planned,
                     const ProtobufCBinaryData *after)
{
    struct inner_pair pair = {.names = {name_add(matching, planned), name_add(matching, after)}};
    matching->same &= (planned->len == 0) == (after->len == 0);
    if (pair.names[PLANNED] == NAME_NO_MEMORY || pair.names[AFTER] == NAME_NO_MEMORY)
        return false;
    if (!arena_list_grow(matching->arena, &matching->pairs, matching->count, &matching->room, sizeof(*matching->pairs)))
        return false;
    for (int i = 0; i < 2; i++) {
        uint32_t *latest = &matching->latest[i][pair.names[i]];
        pair.hidden[i] = *latest;
        *latest = matching->count + 1;
    }
    matching->pairs[matching->count++] = pair;
    return true;
}

/* Drops the pairs of a graph, from `first` on. */
static void pairs_drop(struct graph_matching *matching, uint32_t first)
{
    while (matching->count > first) {
        const struct inner_pair *pair = &matching->pairs[--matching->count];
        for (int i = 0; i < 2; i++)
            matching->latest[i][pair->names[i]] = pair->hidden[i];
    }
}

static uint32_t pair_find(const struct graph_matching *matching, int which, const ProtobufCBinaryData *text)
{
    name_id name;
    bool known = names_find(matching->names, text->data, text->len, &name);
    return known && name < matching->name_room ? matching->latest[which][name] : 0;
}

static enum opshift_status match_read(struct graph_matching *matching, const ProtobufCBinaryData *planned,
                                      const ProtobufCBinaryData *after, struct opshift_error *error)
{
    if (planned->len == 0 || after->len == 0) {
        matching->same &= planned->len == after->len;
        return OPSHIFT_OK;
    }
    uint32_t pairs[2] = {pair_find(matching, PLANNED, planned), pair_find(matching, AFTER, after)};
    bool same = pairs[PLANNED] == pairs[AFTER];
    enum opshift_status status = OPSHIFT_OK;
    if (pairs[PLANNED] == 0 && pairs[AFTER] == 0)
        status = matching->outer->match(matching->outer->data, planned, after, &same, error);
    matching->same &= same;
    return status;
}

static enum opshift_status match_graph(struct graph_matching *matching, const Onnx__GraphProto *planned,
                                       const Onnx__GraphProto *after, struct opshift_error *error);

static enum opshift_status match_attribute(struct graph_matching *matching, const Onnx__AttributeProto *planned,
                                           const Onnx__AttributeProto *after, struct opshift_error *error)
{
    if (planned->g == NULL && planned->n_graphs == 0) {
        matching->same &= wire_same_messages(matching->arena, &planned->base, &after->base);
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
    return a->n_external_data == 0 && wire_same_messages(arena, &left.base, &right.base);
}

static enum opshift_status match_graph(struct graph_matching *matching, const Onnx__GraphProto *planned,
                                       const Onnx__GraphProto *after, struct opshift_error *error)
{
    uint32_t first = matching->count;
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
    pairs_drop(matching, first);
    return status;
}

enum opshift_status expect_same_graphs(const Onnx__AttributeProto *planned, const Onnx__AttributeProto *after,
                                       const struct outer_values *outer, struct arena *arena, bool *same,
                                       struct opshift_error *error)
{
    struct graph_matching matching = {.arena = arena, .outer = outer, .names = names_new(), .same = true};
    enum opshift_status status =
        matching.names ? match_attribute(&matching, planned, after, error) : opshift_no_memory(error);
    *same = matching.same;
    names_free(matching.names);
    return status;
}
