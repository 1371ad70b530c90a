/* The public read-only walk over a model: accessors use the index; attributes are decoded on request. */
#include <stdlib.h>

#include "model/model.h"
#include "model/text_write.h"
#include "run/values.h"

static const struct graph *graph_of(const struct opshift_graph *graph)
{
    return (const struct graph *)graph;
}

static const struct node *node_of(const struct opshift_node *node)
{
    return (const struct node *)node;
}

static const struct opshift_graph *graph_shown(const struct graph *graph)
{
    return (const struct opshift_graph *)graph;
}

/* ---- the model ---- */

size_t opshift_model_import_count(const struct opshift_model *model)
{
    return model->import_count;
}

const char *opshift_model_import_domain(const struct opshift_model *model, size_t index)
{
    return index < model->import_count ? names_text(model->names, model->imports[index].domain) : NULL;
}

int64_t opshift_model_import_version(const struct opshift_model *model, size_t index)
{
    return index < model->import_count ? model->imports[index].version : 0;
}

const struct opshift_graph *opshift_model_graph(const struct opshift_model *model)
{
    return graph_shown(model->main);
}

size_t opshift_model_function_count(const struct opshift_model *model)
{
    return model->function_count;
}

const char *opshift_model_function_name(const struct opshift_model *model, size_t index)
{
    return index < model->function_count ? names_text(model->names, model->functions[index].name) : NULL;
}

const char *opshift_model_function_domain(const struct opshift_model *model, size_t index)
{
    return index < model->function_count ? names_text(model->names, model->functions[index].domain) : NULL;
}

const struct opshift_graph *opshift_model_function_body(const struct opshift_model *model, size_t index)
{
    return index < model->function_count ? graph_shown(model->functions[index].body) : NULL;
}

/* ---- graphs ---- */

const char *opshift_graph_name(const struct opshift_model *model, const struct opshift_graph *graph)
{
    return names_text(model->names, graph_of(graph)->name);
}

size_t opshift_graph_node_count(const struct opshift_graph *graph)
{
    return graph_of(graph)->node_count;
}

const struct opshift_node *opshift_graph_node(const struct opshift_graph *graph, size_t index)
{
    const struct graph *inner = graph_of(graph);
    return index < inner->node_count ? (const struct opshift_node *)&inner->nodes[index] : NULL;
}

static const struct value_info *value_list(const struct graph *graph, enum opshift_value_list list, size_t *count)
{
    switch (list) {
    case OPSHIFT_LIST_INPUTS:
        *count = graph->input_count;
        return graph->inputs;
    case OPSHIFT_LIST_OUTPUTS:
        *count = graph->output_count;
        return graph->outputs;
    case OPSHIFT_LIST_VALUE_INFOS:
        *count = graph->value_count;
        return graph->values;
    }
    *count = 0;
    return NULL;
}

static const struct value_info *value_at(const struct opshift_graph *graph, enum opshift_value_list list, size_t index)
{
    size_t count;
    const struct value_info *values = value_list(graph_of(graph), list, &count);
    return index < count ? &values[index] : NULL;
}

size_t opshift_graph_value_count(const struct opshift_graph *graph, enum opshift_value_list list)
{
    size_t count;
    value_list(graph_of(graph), list, &count);
    return count;
}

const char *opshift_graph_value_name(const struct opshift_model *model, const struct opshift_graph *graph,
                                     enum opshift_value_list list, size_t index)
{
    const struct value_info *value = value_at(graph, list, index);
    return value ? names_text(model->names, value->name) : NULL;
}

static enum opshift_status type_write(const Onnx__ValueInfoProto *message, struct buffer *text,
                                      struct opshift_error *error)
{
    struct text_writer writer = {.out = text};
    const char *obstacle = message->type ? text_type_obstacle(message->type) : NULL;
    if (obstacle)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "value '%.*s': its type has no text: %s",
                            (int)message->name.len, (const char *)message->name.data, obstacle);
    if (message->type)
        text_write_type(&writer, (struct text_owner){"value", message->name}, message->type);
    buffer_free(&writer.notes);
    return text->failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

enum opshift_status opshift_graph_value_type(struct opshift_model *model, const struct opshift_graph *graph,
                                             enum opshift_value_list list, size_t index, char **text,
                                             struct opshift_error *error)
{
    const struct value_info *value = value_at(graph, list, index);
    struct buffer written = {0};
    Onnx__ValueInfoProto *message = NULL;
    enum opshift_status status = OPSHIFT_OK;
    *text = NULL;
    if (value == NULL)
        return opshift_fail(error, OPSHIFT_USAGE, "there is no value %zu in this list of the graph", index);
    struct arena *arena = arena_new(0);
    if (arena == NULL)
        return opshift_no_memory(error);
    if (range_size(value->range) > 0) /* inputs and outputs of a function are names without types */
        status = range_decode(model, value->range, &onnx__value_info_proto__descriptor, arena, &message, error);
    if (status == OPSHIFT_OK && message)
        status = type_write(message, &written, error);
    arena_free(arena);
    if (status == OPSHIFT_OK && (*text = buffer_take(&written)) == NULL)
        status = opshift_no_memory(error);
    buffer_free(&written);
    return status ? opshift_within(error, status, "%s", model->name) : OPSHIFT_OK;
}

/* ---- initializers ---- */

static const struct initializer *initializer_at(const struct opshift_graph *graph, size_t index)
{
    const struct graph *inner = graph_of(graph);
    return index < inner->initializer_count ? &inner->initializers[index] : NULL;
}

size_t opshift_graph_initializer_count(const struct opshift_graph *graph)
{
    return graph_of(graph)->initializer_count;
}

const char *opshift_graph_initializer_name(const struct opshift_model *model, const struct opshift_graph *graph,
                                           size_t index)
{
    const struct initializer *initializer = initializer_at(graph, index);
    return initializer ? names_text(model->names, initializer->name) : NULL;
}

enum opshift_type opshift_graph_initializer_type(const struct opshift_graph *graph, size_t index)
{
    const struct initializer *initializer = initializer_at(graph, index);
    return initializer ? initializer->type : OPSHIFT_TYPE_UNDEFINED;
}

size_t opshift_graph_initializer_rank(const struct opshift_graph *graph, size_t index)
{
    const struct initializer *initializer = initializer_at(graph, index);
    return initializer ? initializer->rank : 0;
}

const int64_t *opshift_graph_initializer_dims(const struct opshift_graph *graph, size_t index)
{
    const struct initializer *initializer = initializer_at(graph, index);
    return initializer && initializer->rank ? initializer->dims : NULL;
}

bool opshift_graph_initializer_is_sparse(const struct opshift_graph *graph, size_t index)
{
    const struct initializer *initializer = initializer_at(graph, index);
    return initializer && initializer->sparse;
}

bool opshift_graph_initializer_is_external(const struct opshift_graph *graph, size_t index)
{
    const struct initializer *initializer = initializer_at(graph, index);
    return initializer && initializer->external;
}

/* Takes over the value's arena contents, or frees the value. */
static enum opshift_status value_finish(struct opshift_value **value, struct tensor *tensor, enum opshift_status status)
{
    if (status == OPSHIFT_OK) {
        value_set_tensor(*value, tensor);
        return OPSHIFT_OK;
    }
    opshift_value_free(*value);
    *value = NULL;
    return status;
}

enum opshift_status opshift_graph_initializer_value(struct opshift_model *model, const struct opshift_graph *graph,
                                                    size_t index, struct opshift_value **value,
                                                    struct opshift_error *error)
{
    const struct initializer *initializer = initializer_at(graph, index);
    struct tensor *tensor = NULL;
    *value = NULL;
    if (initializer == NULL)
        return opshift_fail(error, OPSHIFT_USAGE, "there is no initializer %zu in the graph", index);
    enum opshift_status status = value_new(value, error);
    if (status)
        return status;
    status = initializer_tensor(model, initializer, VALUE_BYTES_MAX, (*value)->arena, &tensor, error);
    if (status)
        opshift_within(error, status, "%s: initializer '%s'", model->name, names_text(model->names, initializer->name));
    return value_finish(value, tensor, status);
}

/* ---- nodes ---- */

const char *opshift_node_name(struct opshift_model *model, const struct opshift_node *node)
{
    name_id name = node_name(model, node_of(node));
    return name == NAME_NO_MEMORY ? NULL : names_text(model->names, name);
}

const char *opshift_node_operator(const struct opshift_model *model, const struct opshift_node *node)
{
    return names_text(model->names, node_of(node)->op_type);
}

const char *opshift_node_domain(const struct opshift_model *model, const struct opshift_node *node)
{
    return names_text(model->names, node_domain(node_of(node)));
}

size_t opshift_node_input_count(const struct opshift_node *node)
{
    return node_of(node)->input_count;
}

const char *opshift_node_input(const struct opshift_model *model, const struct opshift_node *node, size_t index)
{
    const struct node *inner = node_of(node);
    return index < inner->input_count ? names_text(model->names, node_inputs(inner)[index]) : NULL;
}

size_t opshift_node_output_count(const struct opshift_node *node)
{
    return node_of(node)->output_count;
}

const char *opshift_node_output(const struct opshift_model *model, const struct opshift_node *node, size_t index)
{
    const struct node *inner = node_of(node);
    return index < inner->output_count ? names_text(model->names, node_outputs(inner)[index]) : NULL;
}

size_t opshift_node_graph_count(const struct opshift_node *node)
{
    return node_subgraph_count(node_of(node));
}

const struct opshift_graph *opshift_node_graph(const struct opshift_node *node, size_t index)
{
    const struct node *inner = node_of(node);
    return index < node_subgraph_count(inner) ? graph_shown(node_subgraphs(inner)[index]) : NULL;
}

/* ---- attributes ---- */

struct opshift_attributes {
    struct opshift_model *model;
    struct arena *arena;
    struct attribute_range *ranges;
    Onnx__AttributeProto **messages;
    size_t count;
};

static enum opshift_status attributes_read(struct opshift_attributes *attributes, const struct node *node,
                                           struct opshift_error *error)
{
    struct opshift_model *model = attributes->model;
    enum opshift_status status =
        node_attributes(model, node, attributes->arena, &attributes->ranges, &attributes->count, error);
    if (status)
        return status;
    attributes->messages = arena_alloc(attributes->arena, attributes->count + 1, sizeof(*attributes->messages));
    if (attributes->messages == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < attributes->count && status == OPSHIFT_OK; i++)
        status = attribute_decode(model, &attributes->ranges[i], attributes->arena, &attributes->messages[i], error);
    return status;
}

enum opshift_status opshift_node_attributes(struct opshift_model *model, const struct opshift_node *node,
                                            struct opshift_attributes **attributes, struct opshift_error *error)
{
    struct opshift_attributes *made = calloc(1, sizeof(*made));
    *attributes = NULL;
    if (made == NULL)
        return opshift_no_memory(error);
    made->model = model;
    made->arena = arena_new(0);
    enum opshift_status status = made->arena ? attributes_read(made, node_of(node), error) : opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        *attributes = made;
    else
        opshift_attributes_free(made);
    return status ? opshift_within(error, status, "%s", model->name) : OPSHIFT_OK;
}

void opshift_attributes_free(struct opshift_attributes *attributes)
{
    if (attributes == NULL)
        return;
    arena_free(attributes->arena);
    free(attributes);
}

size_t opshift_attributes_count(const struct opshift_attributes *attributes)
{
    return attributes->count;
}

const char *opshift_attributes_name(const struct opshift_attributes *attributes, size_t index)
{
    return index < attributes->count ? names_text(attributes->model->names, attributes->ranges[index].name) : NULL;
}

enum opshift_attribute_type opshift_attributes_type(const struct opshift_attributes *attributes, size_t index)
{
    return index < attributes->count ? (enum opshift_attribute_type)attributes->ranges[index].type
                                     : OPSHIFT_ATTRIBUTE_UNDEFINED;
}

const char *opshift_attributes_reference(const struct opshift_attributes *attributes, size_t index)
{
    return index < attributes->count ? names_text(attributes->model->names, attributes->ranges[index].reference) : NULL;
}

/* The message of an attribute, if it has this type. */
static const Onnx__AttributeProto *attribute_of(const struct opshift_attributes *attributes, size_t index,
                                                enum opshift_attribute_type type)
{
    return opshift_attributes_type(attributes, index) == type ? attributes->messages[index] : NULL;
}

int64_t opshift_attributes_int(const struct opshift_attributes *attributes, size_t index)
{
    const Onnx__AttributeProto *message = attribute_of(attributes, index, OPSHIFT_ATTRIBUTE_INT);
    return message ? message->i : 0;
}

float opshift_attributes_float(const struct opshift_attributes *attributes, size_t index)
{
    const Onnx__AttributeProto *message = attribute_of(attributes, index, OPSHIFT_ATTRIBUTE_FLOAT);
    return message ? message->f : 0;
}

const int64_t *opshift_attributes_ints(const struct opshift_attributes *attributes, size_t index, size_t *count)
{
    const Onnx__AttributeProto *message = attribute_of(attributes, index, OPSHIFT_ATTRIBUTE_INTS);
    *count = message ? message->n_ints : 0;
    return message ? message->ints : NULL;
}

const float *opshift_attributes_floats(const struct opshift_attributes *attributes, size_t index, size_t *count)
{
    const Onnx__AttributeProto *message = attribute_of(attributes, index, OPSHIFT_ATTRIBUTE_FLOATS);
    *count = message ? message->n_floats : 0;
    return message ? message->floats : NULL;
}

static const ProtobufCBinaryData *strings_of(const struct opshift_attributes *attributes, size_t index, size_t *count)
{
    const Onnx__AttributeProto *one = attribute_of(attributes, index, OPSHIFT_ATTRIBUTE_STRING);
    const Onnx__AttributeProto *many = attribute_of(attributes, index, OPSHIFT_ATTRIBUTE_STRINGS);
    *count = one ? 1 : many ? many->n_strings : 0;
    return one ? &one->s : many ? many->strings : NULL;
}

size_t opshift_attributes_string_count(const struct opshift_attributes *attributes, size_t index)
{
    size_t count;
    strings_of(attributes, index, &count);
    return count;
}

const char *opshift_attributes_string(const struct opshift_attributes *attributes, size_t index, size_t position,
                                      size_t *size)
{
    size_t count;
    const ProtobufCBinaryData *strings = strings_of(attributes, index, &count);
    *size = position < count ? strings[position].len : 0;
    return position < count ? (const char *)strings[position].data : NULL;
}

enum opshift_status opshift_attributes_tensor(const struct opshift_attributes *attributes, size_t index,
                                              struct opshift_value **value, struct opshift_error *error)
{
    const Onnx__AttributeProto *message = attribute_of(attributes, index, OPSHIFT_ATTRIBUTE_TENSOR);
    struct tensor *tensor = NULL;
    *value = NULL;
    if (message == NULL || message->t == NULL)
        return opshift_fail(error, OPSHIFT_USAGE, "attribute %zu is no tensor", index);
    enum opshift_status status = value_new(value, error);
    if (status)
        return status;
    status = model_tensor(attributes->model, message->t, (*value)->arena, &tensor, error);
    return value_finish(value, tensor, status);
}
