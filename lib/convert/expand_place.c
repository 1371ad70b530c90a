/* Puts the converted nodes of a replacement into the plan, in place of the node. */
#include "convert/expand.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "convert/inner_graph.h"
#include "convert/new_nodes.h"
#include "wire/wire.h"

/* The model's value for a value of the small model. */
struct placed_value {
    name_id name;                  /* NAME_NONE: no name yet */
    const struct tensor *constant; /* the value is this constant, and gets a name when it is read; NULL: none */
    uint32_t input;                /* the node's input at this position, counted from 1; 0: none */
    bool is_read;
    bool is_given; /* by a node of the graph that is placed */
    bool is_input; /* of the graph whose initializers are moved */
};

/* A value that a subgraph shadows, restored after the subgraph. */
struct placed_before {
    name_id number;
    struct placed_value value;
};

/* A renamed initializer of a graph of the node. */
struct placed_initializer {
    Onnx__TensorProto *tensor;
    name_id number; /* of its value */
};

/* Nodes that grow in number while they are placed. */
struct placed_nodes {
    Onnx__NodeProto **items;
    uint32_t count, room;
};

struct placing {
    struct planner *planner;
    struct draft *draft;
    const struct expanded *expanded;
    const struct names *names;   /* of the small model */
    struct placed_value *values; /* by number */
    struct buffer before;        /* struct placed_before */
    struct buffer moved;         /* struct placed_initializer: they wait for the graph that is being placed */
    bool *read;                  /* by position of the draft's inputs */
    bool *placed;                /* by number of the node's graphs: its nodes were placed before */
    uint32_t node_count;         /* nodes that were placed from the node's graphs */
    bool is_graph;               /* what is placed is a graph of the node itself, which may read values around it */
    bool keeps_names;            /* its values keep their names */
    struct buffer *nodes;
    struct buffer metadata; /* for each node */
};

static name_id number_of(const struct placing *placing, ProtobufCBinaryData text)
{
    name_id number = NAME_NONE;
    return names_find(placing->names, text.data, text.len, &number) ? number : NAME_NONE;
}

static struct placed_value *value_of(const struct placing *placing, const char *text)
{
    return &placing->values[number_of(placing, binary_of(text))];
}

static ProtobufCBinaryData text_of(const struct placing *placing, name_id name)
{
    struct bytes bytes = names_bytes(placing->draft->model->names, name);
    return (ProtobufCBinaryData){bytes.size, (uint8_t *)(uintptr_t)bytes.data};
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static void place_inputs(struct placing *placing)
{
    const struct draft *draft = placing->draft;
    const struct replacement *replacement = draft->replacement;
    for (uint32_t i = 0; i < replacement->input_count && i < draft->input_count; i++) {
        const struct draft_input *input = &draft->inputs[i];
        if (replacement->inputs[i] == NULL || !draft_input_present(draft, i))
            continue;
        struct placed_value *value = value_of(placing, replacement->inputs[i]);
        *value = (struct placed_value){.input = i + 1};
        if (input->kind == VALUE_NAME)
            value->name = input->name;
        else
            value->constant = input->literal;
    }
}

/* Constants that are not inputs of the node, and the node's outputs. */
static void place_rest(struct placing *placing)
{
    const struct draft *draft = placing->draft;
    const struct replacement *replacement = draft->replacement;
    const Onnx__GraphProto *graph = placing->expanded->graph;
    for (size_t i = 0; i < graph->n_initializer; i++) {
        struct placed_value *value = &placing->values[number_of(placing, graph->initializer[i]->name)];
        if (value->input == 0)
            value->constant = placing->expanded->constants[i];
    }
    for (size_t i = 0; i < replacement->output_count && i < draft->output_count; i++)
        if (replacement->outputs[i] && draft->outputs[i] != NAME_NONE && draft->outputs[i] != NAME_FRESH)
            value_of(placing, replacement->outputs[i])->name = draft->outputs[i];
}

/* The name under which nodes read a value of the small model; number: of *text. */
static enum opshift_status read_numbered(struct placing *placing, name_id number, ProtobufCBinaryData *text,
                                         struct opshift_error *error)
{
    if (text->len == 0)
        return OPSHIFT_OK;
    struct placed_value *value = &placing->values[number];
    enum opshift_status status = OPSHIFT_OK;
    const char *suffix = names_text(placing->names, number);
    if (value->name == NAME_NONE && value->constant)
        status = shared_constant(placing->planner, placing->draft, value->constant, suffix, &value->name, error);
    if (status)
        return status;
    if (value->name == NAME_NONE) /* a value around a graph of the node */
        return OPSHIFT_OK;
    if (value->input)
        placing->read[value->input - 1] = true;
    value->is_read = true;
    *text = text_of(placing, value->name);
    return OPSHIFT_OK;
}

static enum opshift_status read_value(struct placing *placing, ProtobufCBinaryData *text, struct opshift_error *error)
{
    return read_numbered(placing, number_of(placing, *text), text, error);
}

/* The name of a value that a node or a subgraph defines; number: of *text. */
static enum opshift_status define_numbered(struct placing *placing, bool inside, name_id number,
                                           ProtobufCBinaryData *text, struct opshift_error *error)
{
    if (text->len == 0)
        return OPSHIFT_OK;
    struct placed_value *value = &placing->values[number];
    if (inside) {
        const struct placed_before before = {number, *value};
        buffer_add(&placing->before, &before, sizeof(before));
        *value = (struct placed_value){.name = NAME_NONE};
    }
    if (value->name == NAME_NONE && (placing->keeps_names || (placing->is_graph && inside)))
        value->name = names_add(placing->draft->model->names, text->data, text->len);
    else if (value->name == NAME_NONE)
        value->name =
            new_nodes_fresh(placing->planner->around.scopes, placing->draft, names_text(placing->names, number));
    if (value->name == NAME_NO_MEMORY || placing->before.failed)
        return opshift_no_memory(error);
    *text = text_of(placing, value->name);
    return OPSHIFT_OK;
}

static enum opshift_status define_value(struct placing *placing, bool inside, ProtobufCBinaryData *text,
                                        struct opshift_error *error)
{
    return define_numbered(placing, inside, number_of(placing, *text), text, error);
}

/* ---- nodes ------------------------------------------------------------------------------------------------------ */

static enum opshift_status rename_node(struct placing *placing, const Onnx__NodeProto *node, const name_id *numbers,
                                       bool inside, Onnx__NodeProto *renamed, struct opshift_error *error);

static enum opshift_status place_call(struct placing *placing, const Onnx__NodeProto *call, bool inside,
                                      struct placed_nodes *nodes, struct opshift_error *error);

static enum opshift_status rename_values(struct placing *placing, Onnx__ValueInfoProto *const *values, size_t count,
                                         bool defines, Onnx__ValueInfoProto ***renamed, struct opshift_error *error)
{
    struct arena *arena = placing->draft->arena;
    Onnx__ValueInfoProto *copies = arena_alloc(arena, count, sizeof(*copies));
    enum opshift_status status = OPSHIFT_OK;
    *renamed = arena_alloc(arena, count, sizeof(**renamed));
    if (copies == NULL || *renamed == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        copies[i] = *values[i];
        (*renamed)[i] = &copies[i];
        status =
            defines ? define_value(placing, true, &copies[i].name, error) : read_value(placing, &copies[i].name, error);
    }
    return status;
}

static void mark_inputs(struct placing *placing, const Onnx__GraphProto *graph, bool is_input)
{
    for (size_t i = 0; i < graph->n_input; i++)
        placing->values[number_of(placing, graph->input[i]->name)].is_input = is_input;
}

/* Renames the initializers of a graph of the node; they wait in placing->moved for the graph that takes them. */
static enum opshift_status move_initializers(struct placing *placing, const Onnx__GraphProto *graph, bool inside,
                                             struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (graph->n_sparse_initializer)
        return opshift_fail(error, OPSHIFT_NO,
                            "its graph has sparse constants, which cannot be moved into other nodes; write them dense");
    mark_inputs(placing, graph, true);
    for (size_t i = 0; status == OPSHIFT_OK && i < graph->n_initializer; i++) {
        struct placed_initializer moved = {
            arena_copy(placing->draft->arena, graph->initializer[i], sizeof(*moved.tensor)),
            number_of(placing, graph->initializer[i]->name)};
        if (moved.tensor == NULL)
            return opshift_no_memory(error);
        if (placing->values[moved.number].is_input) /* the node always gives the input */
            continue;
        status = define_value(placing, inside, &moved.tensor->name, error);
        buffer_add(&placing->moved, &moved, sizeof(moved));
    }
    mark_inputs(placing, graph, false);
    return status == OPSHIFT_OK && placing->moved.failed ? opshift_no_memory(error) : status;
}

/* Adds the initializers that wait, from the given size on, to a placed graph. */
static enum opshift_status take_moved(struct placing *placing, size_t from, Onnx__GraphProto *graph,
                                      struct opshift_error *error)
{
    size_t count = (placing->moved.size - from) / sizeof(struct placed_initializer);
    graph->initializer = arena_alloc(placing->draft->arena, count, sizeof(*graph->initializer));
    if (placing->moved.failed || graph->initializer == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        struct placed_initializer moved;
        memcpy(&moved, placing->moved.data + from + i * sizeof(moved), sizeof(moved));
        graph->initializer[i] = moved.tensor;
    }
    graph->n_initializer = count;
    placing->moved.size = from;
    return OPSHIFT_OK;
}

/* Constants of a subgraph are added to the plan like all others. */
static enum opshift_status place_inner_constants(struct placing *placing, const Onnx__GraphProto *graph,
                                                 struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < graph->n_initializer; i++) {
        struct tensor *tensor = NULL;
        name_id number = number_of(placing, graph->initializer[i]->name);
        const struct placed_before before = {number, placing->values[number]};
        buffer_add(&placing->before, &before, sizeof(before));
        status = tensor_decode(placing->draft->arena, graph->initializer[i], &tensor, error);
        placing->values[number] = (struct placed_value){.constant = tensor};
    }
    return status;
}

static bool nodes_add(struct placing *placing, struct placed_nodes *nodes, Onnx__NodeProto *node)
{
    if (!arena_list_grow(placing->draft->arena, &nodes->items, nodes->count, &nodes->room, sizeof(*nodes->items)))
        return false;
    nodes->items[nodes->count++] = node;
    return true;
}

static bool is_call(const struct placing *placing, const Onnx__NodeProto *node)
{
    return !placing->is_graph && bytes_are(bytes_of(node->domain), GRAPH_CALL_DOMAIN);
}

/* inside: the nodes stand in a subgraph. */
static enum opshift_status place_nodes(struct placing *placing, const Onnx__GraphProto *graph, bool inside,
                                       struct placed_nodes *nodes, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < graph->n_node; i++) {
        if (is_call(placing, graph->node[i])) {
            status = place_call(placing, graph->node[i], inside, nodes, error);
            continue;
        }
        Onnx__NodeProto *copy = arena_alloc(placing->draft->arena, 1, sizeof(*copy));
        if (copy == NULL || !nodes_add(placing, nodes, copy))
            return opshift_no_memory(error);
        status = rename_node(placing, graph->node[i], NULL, inside, copy, error);
    }
    return status;
}

/* Renames the values of a subgraph; the names that it defines are local. */
static enum opshift_status rename_graph(struct placing *placing, const Onnx__GraphProto *graph,
                                        Onnx__GraphProto **renamed, struct opshift_error *error)
{
    size_t first = placing->before.size, moved = placing->moved.size;
    struct placed_nodes nodes = {0};
    Onnx__GraphProto *copy = arena_copy(placing->draft->arena, graph, sizeof(*graph));
    if (copy == NULL)
        return opshift_no_memory(error);
    *renamed = copy;
    copy->n_value_info = copy->n_initializer = copy->n_quantization_annotation = 0;
    enum opshift_status status = rename_values(placing, graph->input, graph->n_input, true, &copy->input, error);
    if (status == OPSHIFT_OK)
        status = placing->is_graph ? move_initializers(placing, graph, true, error)
                                   : place_inner_constants(placing, graph, error);
    if (status == OPSHIFT_OK)
        status = place_nodes(placing, graph, true, &nodes, error);
    copy->node = nodes.items;
    copy->n_node = nodes.count;
    if (status == OPSHIFT_OK)
        status = take_moved(placing, moved, copy, error);
    if (status == OPSHIFT_OK)
        status = rename_values(placing, graph->output, graph->n_output, false, &copy->output, error);
    while (placing->before.size > first) {
        struct placed_before before;
        placing->before.size -= sizeof(before);
        memcpy(&before, placing->before.data + placing->before.size, sizeof(before));
        placing->values[before.number] = before.value;
    }
    return status;
}

static bool has_graph(const Onnx__NodeProto *node)
{
    for (size_t i = 0; i < node->n_attribute; i++)
        if (node->attribute[i]->g || node->attribute[i]->n_graphs)
            return true;
    return false;
}

static enum opshift_status rename_attributes(struct placing *placing, Onnx__NodeProto *node,
                                             struct opshift_error *error)
{
    struct arena *arena = placing->draft->arena;
    Onnx__AttributeProto *const *before = node->attribute;
    Onnx__AttributeProto *copies = arena_alloc(arena, node->n_attribute, sizeof(*copies));
    enum opshift_status status = OPSHIFT_OK;
    node->attribute = arena_alloc(arena, node->n_attribute, sizeof(*node->attribute));
    if (copies == NULL || node->attribute == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < node->n_attribute; i++) {
        copies[i] = *before[i];
        node->attribute[i] = &copies[i];
        if (copies[i].g)
            status = rename_graph(placing, before[i]->g, &copies[i].g, error);
        if (copies[i].n_graphs)
            copies[i].graphs = arena_alloc(arena, copies[i].n_graphs, sizeof(*copies[i].graphs));
        for (size_t k = 0; status == OPSHIFT_OK && k < copies[i].n_graphs; k++)
            status = copies[i].graphs ? rename_graph(placing, before[i]->graphs[k], &copies[i].graphs[k], error)
                                      : opshift_no_memory(error);
    }
    return status;
}

/* A copy of the node with the model's names and without a node name. numbers: of its inputs, then of its outputs; NULL:
 * they are looked up. */
static enum opshift_status rename_node(struct placing *placing, const Onnx__NodeProto *node, const name_id *numbers,
                                       bool inside, Onnx__NodeProto *renamed, struct opshift_error *error)
{
    struct arena *arena = placing->draft->arena;
    enum opshift_status status = OPSHIFT_OK;
    if (placing->is_graph && placing->node_count++ == EXPANDED_NODES_MOST)
        return opshift_fail(error, OPSHIFT_NO, "that would be more than %u nodes; keep the opset", EXPANDED_NODES_MOST);
    *renamed = *node;
    if (!placing->keeps_names) {
        renamed->has_name = 0;
        renamed->name = (ProtobufCBinaryData){0};
    }
    renamed->input = arena_alloc(arena, node->n_input, sizeof(*renamed->input));
    renamed->output = arena_alloc(arena, node->n_output, sizeof(*renamed->output));
    if (renamed->input == NULL || renamed->output == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < node->n_input; i++) {
        renamed->input[i] = node->input[i];
        status = numbers ? read_numbered(placing, numbers[i], &renamed->input[i], error)
                         : read_value(placing, &renamed->input[i], error);
    }
    if (status == OPSHIFT_OK && has_graph(node))
        status = rename_attributes(placing, renamed, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < node->n_output; i++) {
        renamed->output[i] = node->output[i];
        status = numbers ? define_numbered(placing, inside, numbers[node->n_input + i], &renamed->output[i], error)
                         : define_value(placing, inside, &renamed->output[i], error);
    }
    return status;
}

/* The node that gives the first output takes the name and the doc_string of the replaced node; all take its metadata.
 */
static bool is_heir(const struct placing *placing, const Onnx__NodeProto *node)
{
    const struct draft *draft = placing->draft;
    for (uint32_t i = 0; i < draft->output_count; i++) {
        const char *output = i < draft->replacement->output_count ? draft->replacement->outputs[i] : NULL;
        if (draft->outputs[i] == NAME_NONE || output == NULL)
            continue;
        for (size_t k = 0; k < node->n_output; k++)
            if (bytes_are(bytes_of(node->output[k]), output))
                return true;
        return false;
    }
    return false;
}

static enum opshift_status write_node(struct placing *placing, const Onnx__NodeProto *node, const struct buffer *words,
                                      struct opshift_error *error)
{
    struct buffer *nodes = placing->nodes;
    size_t size = onnx__node_proto__get_packed_size(node);
    uint8_t head[WIRE_HEAD_MAX];
    buffer_add(nodes, head, wire_put_head(head, graph_node_field(placing->draft->graph), size + words->size));
    wire_add_packed(nodes, &node->base);
    buffer_add(nodes, words->data, words->size);
    return nodes->failed || words->failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

static enum opshift_status add_call(struct placing *placing, const Onnx__NodeProto *call, struct opshift_error *error)
{
    const struct buffer none = {0};
    struct placed_nodes nodes = {0};
    enum opshift_status status = place_call(placing, call, false, &nodes, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < nodes.count; i++)
        status = write_node(placing, nodes.items[i], &none, error);
    return status;
}

static enum opshift_status add_node(struct placing *placing, size_t at, struct opshift_error *error)
{
    const Onnx__NodeProto *node = placing->expanded->graph->node[at];
    const struct draft *draft = placing->draft;
    struct buffer words = {0};
    const struct buffer *added = &placing->metadata;
    Onnx__NodeProto renamed;
    if (is_call(placing, node))
        return add_call(placing, node, error);
    enum opshift_status status = rename_node(placing, node, placing->expanded->numbers[at], false, &renamed, error);
    if (status == OPSHIFT_OK && is_heir(placing, node)) {
        name_id name = node_name(draft->model, draft->node);
        status = name == NAME_NO_MEMORY ? opshift_no_memory(error) : node_words(placing->draft, true, &words, error);
        added = &words;
        renamed.has_name = status == OPSHIFT_OK && name != NAME_NONE;
        if (renamed.has_name)
            renamed.name = text_of(placing, name);
    }
    if (status == OPSHIFT_OK)
        status = write_node(placing, &renamed, added, error);
    buffer_free(&words);
    return status;
}

/* ---- a graph of the node ---------------------------------------------------------------------------------------- */

/* The place among the node's graphs of the only one that a call names; a rule refuses a node with others. */
static uint32_t called_graph(const struct placing *placing, const Onnx__NodeProto *call)
{
    const struct draft *draft = placing->draft;
    uint32_t at = 0;
    for (uint32_t i = 0; i < node_subgraph_count(draft->node); i++) {
        struct bytes name = names_bytes(draft->model->names, node_subgraphs(draft->node)[i]->owner_attribute);
        if (bytes_same(name, bytes_of(call->op_type)))
            at = i;
    }
    return at;
}

static void mark_given(struct placing *placing, const Onnx__GraphProto *graph)
{
    for (size_t i = 0; i < graph->n_node; i++)
        for (size_t k = 0; k < graph->node[i]->n_output; k++)
            placing->values[number_of(placing, graph->node[i]->output[k])].is_given = true;
}

static bool name_of(const struct placing *placing, ProtobufCBinaryData text, name_id *name)
{
    return names_find(placing->draft->model->names, text.data, text.len, name);
}

/* The graph's inputs are the values that the call reads. */
static enum opshift_status bind_inputs(struct placing *outer, struct placing *inner, const Onnx__GraphProto *graph,
                                       const Onnx__NodeProto *call, struct opshift_error *error)
{
    for (size_t i = 0; i < graph->n_input; i++) {
        ProtobufCBinaryData text = call->input[i];
        enum opshift_status status = read_value(outer, &text, error);
        if (status)
            return status;
        if (text.len == 0 || !name_of(outer, text, &inner->values[number_of(inner, graph->input[i]->name)].name))
            return opshift_fail(error, OPSHIFT_NO, "input %zu of its graph would be absent", i);
    }
    return OPSHIFT_OK;
}

/* Adds `output` = Identity (`input`), or (input NULL) a Constant of the tensor. */
static enum opshift_status add_plain(struct placing *placing, ProtobufCBinaryData *input, Onnx__TensorProto *tensor,
                                     ProtobufCBinaryData output, struct placed_nodes *nodes,
                                     struct opshift_error *error)
{
    struct arena *arena = placing->draft->arena;
    Onnx__NodeProto *node = arena_alloc(arena, 1, sizeof(*node));
    Onnx__AttributeProto *value = arena_alloc(arena, 1, sizeof(*value));
    Onnx__AttributeProto **values = arena_alloc(arena, 1, sizeof(*values));
    ProtobufCBinaryData *outputs = arena_copy(arena, &output, sizeof(output));
    if (node == NULL || value == NULL || values == NULL || outputs == NULL || !nodes_add(placing, nodes, node))
        return opshift_no_memory(error);
    onnx__node_proto__init(node);
    onnx__attribute_proto__init(value);
    node->has_op_type = 1;
    node->op_type = binary_of(input ? "Identity" : "Constant");
    node->n_input = input != NULL;
    node->input = input;
    node->n_output = 1;
    node->output = outputs;
    if (input)
        return OPSHIFT_OK;
    values[0] = value;
    value->has_name = value->has_type = 1;
    value->name = binary_of("value");
    value->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR;
    value->t = tensor;
    node->attribute = values;
    node->n_attribute = 1;
    return OPSHIFT_OK;
}

/* The call's outputs are those of the graph's nodes. What the graph only passes on, or gives twice, needs an Identity:
 * its place in `copies` is set. */
static enum opshift_status bind_outputs(struct placing *outer, struct placing *inner, bool inside,
                                        const Onnx__GraphProto *graph, const Onnx__NodeProto *call, name_id *copies,
                                        struct opshift_error *error)
{
    mark_given(inner, graph);
    for (size_t i = 0; i < graph->n_output; i++) {
        ProtobufCBinaryData text = call->output[i];
        struct placed_value *value = &inner->values[number_of(inner, graph->output[i]->name)];
        enum opshift_status status = define_value(outer, inside, &text, error);
        name_id name = NAME_NONE;
        if (status)
            return status;
        if (text.len == 0 || !name_of(outer, text, &name))
            continue;
        if (value->name == NAME_NONE && value->is_given)
            value->name = name;
        else
            copies[i] = name;
    }
    return OPSHIFT_OK;
}

static enum opshift_status add_copies(struct placing *inner, const Onnx__GraphProto *graph, const name_id *copies,
                                      struct placed_nodes *nodes, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < graph->n_output; i++) {
        if (copies[i] == NAME_NONE)
            continue;
        ProtobufCBinaryData *input = arena_copy(inner->draft->arena, &graph->output[i]->name, sizeof(*input));
        if (input == NULL)
            return opshift_no_memory(error);
        status = read_value(inner, input, error);
        if (status == OPSHIFT_OK)
            status = add_plain(inner, input, NULL, text_of(inner, copies[i]), nodes, error);
    }
    return status;
}

/* Of the initializers that wait, only those that are read stay. At the top, where no new graph takes them, they become
 * Constant nodes. */
static enum opshift_status keep_read_initializers(struct placing *placing, bool inside, struct placed_nodes *nodes,
                                                  struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    size_t kept = 0;
    for (size_t at = 0; status == OPSHIFT_OK && at < placing->moved.size; at += sizeof(struct placed_initializer)) {
        struct placed_initializer moved;
        memcpy(&moved, placing->moved.data + at, sizeof(moved));
        if (!placing->values[moved.number].is_read)
            continue;
        if (!inside && moved.tensor->n_external_data)
            return opshift_fail(error, OPSHIFT_NO,
                                "its graph has a constant whose data is in another file; store it in the model");
        if (inside)
            memcpy(placing->moved.data + sizeof(moved) * kept++, &moved, sizeof(moved));
        else
            status = add_plain(placing, NULL, moved.tensor, moved.tensor->name, nodes, error);
    }
    placing->moved.size = kept * sizeof(struct placed_initializer);
    return status;
}

/* Places the nodes of a graph whose inputs and outputs have names. */
static enum opshift_status place_graph(struct placing *inner, const Onnx__GraphProto *graph, bool inside,
                                       const name_id *copies, struct placed_nodes *nodes, struct opshift_error *error)
{
    struct placed_nodes own = {0};
    enum opshift_status status = move_initializers(inner, graph, false, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < graph->n_node; i++) /* whatever the order of the nodes is */
        for (size_t k = 0; status == OPSHIFT_OK && k < graph->node[i]->n_output; k++) {
            ProtobufCBinaryData name = graph->node[i]->output[k];
            status = define_value(inner, false, &name, error);
        }
    if (status == OPSHIFT_OK)
        status = place_nodes(inner, graph, false, &own, error);
    if (status == OPSHIFT_OK)
        status = add_copies(inner, graph, copies, &own, error);
    if (status == OPSHIFT_OK)
        status = keep_read_initializers(inner, inside, nodes, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < own.count; i++)
        if (!nodes_add(inner, nodes, own.items[i]))
            status = opshift_no_memory(error);
    return status;
}

/* The nodes of the graph that the call names, as the plan converts them, take the call's place. The first time, in a
 * new graph, they keep their names, which no other graph around them has. */
static enum opshift_status place_call(struct placing *placing, const Onnx__NodeProto *call, bool inside,
                                      struct placed_nodes *nodes, struct opshift_error *error)
{
    struct draft *draft = placing->draft;
    uint32_t number = called_graph(placing, call);
    struct names *names = names_new();
    struct placing inner = {.planner = placing->planner,
                            .draft = draft,
                            .names = names,
                            .node_count = placing->node_count,
                            .is_graph = true,
                            .keeps_names = inside && !placing->placed[number]};
    Onnx__GraphProto *graph = NULL;
    enum opshift_status status = OPSHIFT_OK;
    if (names == NULL)
        return opshift_no_memory(error);
    status = inner_graph_convert(placing->planner, node_subgraphs(draft->node)[number], draft->arena, &graph, error);
    if (status == OPSHIFT_UNSUPPORTED && error)
        error->status = status = OPSHIFT_NO;
    if (status == OPSHIFT_OK && !expanded_names(names, graph))
        status = opshift_no_memory(error);
    name_id *copies = NULL;
    if (status == OPSHIFT_OK) {
        inner.values = arena_alloc(draft->arena, names_count(names), sizeof(*inner.values));
        copies = arena_alloc(draft->arena, graph->n_output, sizeof(*copies));
        status = inner.values && copies ? OPSHIFT_OK : opshift_no_memory(error);
    }
    if (status == OPSHIFT_OK)
        status = bind_inputs(placing, &inner, graph, call, error);
    if (status == OPSHIFT_OK)
        status = bind_outputs(placing, &inner, inside, graph, call, copies, error);
    if (status == OPSHIFT_OK)
        status = place_graph(&inner, graph, inside, copies, nodes, error);
    buffer_add(&placing->moved, inner.moved.data, inner.moved.size);
    placing->node_count = inner.node_count;
    placing->placed[number] = true;
    buffer_free(&inner.before);
    buffer_free(&inner.moved);
    names_free(names);
    return status;
}

/* ---- the whole replacement --------------------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    name_id one = *(const name_id *)a, other = *(const name_id *)b;
    return (one > other) - (one < other);
}

/* Drops the names that the node read and that the new nodes do not read. */
static enum opshift_status drop_inputs(struct placing *placing, struct opshift_error *error)
{
    const struct draft *draft = placing->draft;
    enum opshift_status status = OPSHIFT_OK;
    name_id *read = arena_alloc(draft->arena, draft->input_count, sizeof(*read));
    size_t count = 0;
    if (read == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < draft->input_count; i++)
        if (placing->read[i] && draft->inputs[i].kind == VALUE_NAME)
            read[count++] = draft->inputs[i].name;
    qsort(read, count, sizeof(*read), compare_names);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->node->input_count; i++) {
        name_id name = node_inputs(draft->node)[i];
        if (name != NAME_NONE && bsearch(&name, read, count, sizeof(*read), compare_names) == NULL)
            status = prune_drop(placing->planner, draft->graph, name, error);
    }
    return status;
}

static void add_origin(struct draft_origin *origin, const char *file)
{
    for (uint32_t i = 0; i < origin->count; i++)
        if (strcmp(origin->files[i], file) == 0)
            return;
    if (origin->count < COUNT(origin->files))
        origin->files[origin->count++] = file;
}

enum opshift_status expand_place(struct planner *planner, struct draft *draft, struct buffer *nodes,
                                 struct opshift_error *error)
{
    const struct expanded *expanded = planner->node.expanded;
    const struct names *names = expansions_names(planner->expansions);
    struct placing placing = {.planner = planner, .draft = draft, .expanded = expanded, .names = names, .nodes = nodes};
    enum opshift_status status = OPSHIFT_OK;
    placing.values = arena_alloc(draft->arena, names_count(names), sizeof(*placing.values));
    placing.read = arena_alloc(draft->arena, draft->input_count, sizeof(*placing.read));
    placing.placed = arena_alloc(draft->arena, node_subgraph_count(draft->node), sizeof(*placing.placed));
    if (placing.values == NULL || placing.read == NULL || placing.placed == NULL)
        return opshift_no_memory(error);
    status = node_words(draft, false, &placing.metadata, error);
    if (!node_words_fit(&placing.metadata, expanded->graph->n_node))
        placing.metadata.size = 0;
    place_inputs(&placing);
    place_rest(&placing);
    for (size_t i = 0; status == OPSHIFT_OK && i < expanded->graph->n_node; i++)
        status = add_node(&placing, i, error);
    for (size_t i = 0; i < expanded->file_count; i++)
        add_origin(&planner->node.origin, expanded->files[i]);
    if (status == OPSHIFT_OK)
        status = drop_inputs(&placing, error);
    buffer_free(&placing.before);
    buffer_free(&placing.moved);
    buffer_free(&placing.metadata);
    return status;
}
