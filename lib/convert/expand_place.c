/* Puts the converted nodes of a replacement into the plan, in place of the node. */
#include "convert/expand.h"

#include <stdlib.h>
#include <string.h>

#include "convert/new_nodes.h"
#include "wire/wire.h"

/* The model's value for a value of the small model. */
struct placed_value {
    name_id name;                  /* NAME_NONE: no name yet */
    const struct tensor *constant; /* the value is this constant, and gets a name when it is read; NULL: none */
    uint32_t input;                /* the node's input at this position, counted from 1; 0: none */
};

/* A value that a subgraph shadows, restored after the subgraph. */
struct placed_before {
    name_id number;
    struct placed_value value;
};

struct placing {
    struct planner *planner;
    struct draft *draft;
    const struct expanded *expanded;
    const struct names *names;   /* of the small model */
    struct placed_value *values; /* by number */
    struct buffer before;        /* struct placed_before */
    bool *read;                  /* by position of the draft's inputs */
    struct buffer *nodes;
};

static name_id number_of(const struct placing *placing, ProtobufCBinaryData text)
{
    name_id number = NAME_NONE;
    return names_find(placing->names, text.data, text.len, &number) ? number : NAME_NONE;
}

static struct placed_value *value_of(const struct placing *placing, const char *text)
{
    return &placing->values[number_of(placing, (ProtobufCBinaryData){strlen(text), (uint8_t *)(uintptr_t)text})];
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

/* The name under which nodes read a value of the small model. */
static enum opshift_status read_value(struct placing *placing, ProtobufCBinaryData *text, struct opshift_error *error)
{
    if (text->len == 0)
        return OPSHIFT_OK;
    struct placed_value *value = &placing->values[number_of(placing, *text)];
    enum opshift_status status = OPSHIFT_OK;
    const char *suffix = names_text(placing->names, number_of(placing, *text));
    if (value->name == NAME_NONE && value->constant)
        status = shared_constant(placing->planner, placing->draft, value->constant, suffix, &value->name, error);
    if (status)
        return status;
    if (value->input)
        placing->read[value->input - 1] = true;
    *text = text_of(placing, value->name);
    return OPSHIFT_OK;
}

/* The name of a value that a node or a subgraph defines. */
static enum opshift_status define_value(struct placing *placing, bool inside, ProtobufCBinaryData *text,
                                        struct opshift_error *error)
{
    if (text->len == 0)
        return OPSHIFT_OK;
    name_id number = number_of(placing, *text);
    struct placed_value *value = &placing->values[number];
    if (inside) {
        const struct placed_before before = {number, *value};
        buffer_add(&placing->before, &before, sizeof(before));
        *value = (struct placed_value){.name = NAME_NONE};
    }
    if (value->name == NAME_NONE)
        value->name =
            new_nodes_fresh(placing->planner->around.scopes, placing->draft, names_text(placing->names, number));
    if (value->name == NAME_NO_MEMORY || placing->before.failed)
        return opshift_no_memory(error);
    *text = text_of(placing, value->name);
    return OPSHIFT_OK;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------ */

static enum opshift_status rename_node(struct placing *placing, const Onnx__NodeProto *node, bool inside,
                                       Onnx__NodeProto *renamed, struct opshift_error *error);

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

static enum opshift_status rename_nodes(struct placing *placing, const Onnx__GraphProto *graph,
                                        Onnx__NodeProto ***renamed, struct opshift_error *error)
{
    struct arena *arena = placing->draft->arena;
    Onnx__NodeProto *copies = arena_alloc(arena, graph->n_node, sizeof(*copies));
    enum opshift_status status = OPSHIFT_OK;
    *renamed = arena_alloc(arena, graph->n_node, sizeof(**renamed));
    if (copies == NULL || *renamed == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < graph->n_node; i++) {
        (*renamed)[i] = &copies[i];
        status = rename_node(placing, graph->node[i], true, &copies[i], error);
    }
    return status;
}

/* Renames the values of a subgraph; the names that it defines are local. */
static enum opshift_status rename_graph(struct placing *placing, const Onnx__GraphProto *graph,
                                        Onnx__GraphProto **renamed, struct opshift_error *error)
{
    size_t first = placing->before.size;
    Onnx__GraphProto *copy = arena_copy(placing->draft->arena, graph, sizeof(*graph));
    if (copy == NULL)
        return opshift_no_memory(error);
    *renamed = copy;
    copy->n_value_info = copy->n_initializer = 0;
    enum opshift_status status = rename_values(placing, graph->input, graph->n_input, true, &copy->input, error);
    if (status == OPSHIFT_OK)
        status = place_inner_constants(placing, graph, error);
    if (status == OPSHIFT_OK)
        status = rename_nodes(placing, graph, &copy->node, error);
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

/* A copy of the node with the model's names and without a node name. */
static enum opshift_status rename_node(struct placing *placing, const Onnx__NodeProto *node, bool inside,
                                       Onnx__NodeProto *renamed, struct opshift_error *error)
{
    struct arena *arena = placing->draft->arena;
    enum opshift_status status = OPSHIFT_OK;
    *renamed = *node;
    renamed->has_name = 0;
    renamed->name = (ProtobufCBinaryData){0};
    renamed->input = arena_alloc(arena, node->n_input, sizeof(*renamed->input));
    renamed->output = arena_alloc(arena, node->n_output, sizeof(*renamed->output));
    if (renamed->input == NULL || renamed->output == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < node->n_input; i++) {
        renamed->input[i] = node->input[i];
        status = read_value(placing, &renamed->input[i], error);
    }
    if (status == OPSHIFT_OK && has_graph(node))
        status = rename_attributes(placing, renamed, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < node->n_output; i++) {
        renamed->output[i] = node->output[i];
        status = define_value(placing, inside, &renamed->output[i], error);
    }
    return status;
}

/* The node that gives the first output takes the name and the doc_string of the replaced node. */
static bool is_heir(const struct placing *placing, const Onnx__NodeProto *node)
{
    const struct draft *draft = placing->draft;
    for (uint32_t i = 0; i < draft->output_count; i++) {
        const char *output = i < draft->replacement->output_count ? draft->replacement->outputs[i] : NULL;
        if (draft->outputs[i] == NAME_NONE || output == NULL)
            continue;
        for (size_t k = 0; k < node->n_output; k++)
            if (node->output[k].len == strlen(output) && memcmp(node->output[k].data, output, strlen(output)) == 0)
                return true;
        return false;
    }
    return false;
}

static enum opshift_status add_node(struct placing *placing, const Onnx__NodeProto *node, struct opshift_error *error)
{
    const struct draft *draft = placing->draft;
    struct buffer words = {0};
    Onnx__NodeProto renamed;
    enum opshift_status status = rename_node(placing, node, false, &renamed, error);
    if (status == OPSHIFT_OK && is_heir(placing, node)) {
        name_id name = node_name(draft->model, draft->node);
        status = name == NAME_NO_MEMORY ? opshift_no_memory(error) : node_words(placing->draft, &words, error);
        renamed.has_name = status == OPSHIFT_OK && name != NAME_NONE;
        if (renamed.has_name)
            renamed.name = text_of(placing, name);
    }
    if (status == OPSHIFT_OK) {
        struct buffer *nodes = placing->nodes;
        size_t size = onnx__node_proto__get_packed_size(&renamed);
        uint8_t head[WIRE_HEAD_MAX];
        buffer_add(nodes, head, wire_put_head(head, graph_node_field(draft->graph), size + words.size));
        if (buffer_reserve(nodes, size))
            nodes->size += onnx__node_proto__pack(&renamed, nodes->data + nodes->size);
        buffer_add(nodes, words.data, words.size);
        status = nodes->failed || words.failed ? opshift_no_memory(error) : OPSHIFT_OK;
    }
    buffer_free(&words);
    return status;
}

/* ---- the whole replacement --------------------------------------------------------------------------------------- */

/* Drops the names that the node read and that the new nodes do not read. */
static enum opshift_status drop_inputs(struct placing *placing, struct opshift_error *error)
{
    const struct draft *draft = placing->draft;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->node->input_count; i++) {
        name_id name = node_inputs(draft->node)[i];
        bool read = false;
        for (uint32_t k = 0; k < draft->input_count && !read; k++)
            read = placing->read[k] && draft->inputs[k].kind == VALUE_NAME && draft->inputs[k].name == name;
        if (name != NAME_NONE && !read)
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
    const struct expanded *expanded = planner->expanded;
    const struct names *names = expansions_names(planner->expansions);
    struct placing placing = {.planner = planner, .draft = draft, .expanded = expanded, .names = names, .nodes = nodes};
    enum opshift_status status = OPSHIFT_OK;
    placing.values = arena_alloc(draft->arena, names_count(names), sizeof(*placing.values));
    placing.read = arena_alloc(draft->arena, draft->input_count, sizeof(*placing.read));
    if (placing.values == NULL || placing.read == NULL)
        return opshift_no_memory(error);
    place_inputs(&placing);
    place_rest(&placing);
    for (size_t i = 0; status == OPSHIFT_OK && i < expanded->graph->n_node; i++)
        status = add_node(&placing, expanded->graph->node[i], error);
    for (size_t i = 0; i < expanded->file_count; i++)
        add_origin(&planner->origin, expanded->files[i]);
    if (status == OPSHIFT_OK)
        status = drop_inputs(&placing, error);
    buffer_free(&placing.before);
    return status;
}
