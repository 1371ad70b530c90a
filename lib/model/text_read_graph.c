/* Parses graphs and nodes. */
#include "model/text_read_graph.h"

void text_value(struct text_reader *reader, Onnx__ValueInfoProto *value)
{
    if (text_is_type(reader))
        value->type = text_type(reader);
    value->has_name = true;
    value->name = text_name(reader, value->type ? "a name after the type" : "a value: a type and a name, or a name");
}

struct graph_values {
    struct text_list infos, initializers, sparse_initializers;
};

static void *add_pointer(struct text_reader *reader, struct text_list *list, void *pointer)
{
    void **place = pointer ? text_list_add(reader, list, sizeof(void *)) : NULL;
    if (place)
        *place = pointer;
    return place;
}

/* The tensor behind '=', dense or sparse. */
static void read_initializer(struct text_reader *reader, const Onnx__ValueInfoProto *value, struct graph_values *values)
{
    if (value->type && value->type->value_case == ONNX__TYPE_PROTO__VALUE_SPARSE_TENSOR_TYPE)
        add_pointer(reader, &values->sparse_initializers, text_sparse_data(reader, value->type, value->name));
    else
        add_pointer(reader, &values->initializers, text_tensor_data(reader, value->type, value->name));
}

/* Value infos with or without data, up to the closing sign; always: keep a value info that has data, too. */
static void read_values(struct text_reader *reader, char close, bool always, struct graph_values *values)
{
    if (text_accept(reader, close))
        return;
    do {
        Onnx__ValueInfoProto *value = text_message(reader, &onnx__value_info_proto__descriptor);
        if (!value)
            return;
        text_value(reader, value);
        bool has_data = text_accept(reader, '=');
        if (has_data)
            read_initializer(reader, value, values);
        if (always || !has_data)
            add_pointer(reader, &values->infos, value);
    } while (text_more(reader, close));
}

static void read_outputs(struct text_reader *reader, struct text_list *list)
{
    text_expect(reader, '(');
    if (text_accept(reader, ')'))
        return;
    do {
        Onnx__ValueInfoProto *value = text_list_add_message(reader, list, &onnx__value_info_proto__descriptor);
        if (value)
            text_value(reader, value);
    } while (text_more(reader, ')'));
}

void text_graph_rest(struct text_reader *reader, Onnx__GraphProto *graph)
{
    struct graph_values values = {0};
    struct text_list outputs = {0};
    if (text_enter(reader) && text_expect(reader, '(')) {
        read_values(reader, ')', true, &values);
        graph->n_input = values.infos.count;
        graph->input = values.infos.items;
        text_expect_arrow(reader);
        read_outputs(reader, &outputs);
        graph->n_output = outputs.count;
        graph->output = outputs.items;
        values.infos = (struct text_list){0};
        if (text_accept(reader, '<'))
            read_values(reader, '>', false, &values);
        graph->n_value_info = values.infos.count;
        graph->value_info = values.infos.items;
        graph->n_initializer = values.initializers.count;
        graph->initializer = values.initializers.items;
        graph->n_sparse_initializer = values.sparse_initializers.count;
        graph->sparse_initializer = values.sparse_initializers.items;
        text_nodes(reader, &graph->n_node, &graph->node);
    }
    text_leave(reader);
}

Onnx__GraphProto *text_graph(struct text_reader *reader)
{
    Onnx__GraphProto *graph = text_message(reader, &onnx__graph_proto__descriptor);
    if (!graph)
        return NULL;
    graph->has_name = true;
    graph->name = text_name(reader, "a graph's name");
    text_graph_rest(reader, graph);
    return graph;
}

static void add_name(struct text_reader *reader, struct text_list *list)
{
    ProtobufCBinaryData name = text_name(reader, "a name, or \"\" for an absent value");
    ProtobufCBinaryData *place = text_list_add(reader, list, sizeof(*place));
    if (place)
        *place = name;
}

static void read_node_outputs(struct text_reader *reader, Onnx__NodeProto *node)
{
    struct text_list names = {0};
    if (!text_is(reader, '='))
        do
            add_name(reader, &names);
        while (text_accept(reader, ','));
    node->n_output = names.count;
    node->output = names.items;
}

static void read_node_inputs(struct text_reader *reader, Onnx__NodeProto *node)
{
    struct text_list names = {0};
    text_expect(reader, '(');
    if (!text_accept(reader, ')'))
        do
            add_name(reader, &names);
        while (text_more(reader, ')'));
    node->n_input = names.count;
    node->input = names.items;
}

/* domain.Operator:overload */
static void read_operator(struct text_reader *reader, Onnx__NodeProto *node)
{
    struct text_dotted dotted = text_dotted(reader, "an operator");
    node->has_op_type = true;
    node->op_type = dotted.whole; /* NULL after an error */
    if (dotted.last) {
        node->op_type.len -= dotted.last;
        node->op_type.data += dotted.last;
        node->has_domain = true;
        node->domain.len = dotted.last - 1;
        node->domain.data = dotted.whole.data;
    }
    if (text_accept(reader, ':')) {
        node->has_overload = true;
        node->overload = text_name(reader, "an overload's name");
    }
}

void text_node(struct text_reader *reader, Onnx__NodeProto *node)
{
    struct text_list attributes = {0};
    if (text_accept(reader, '[')) {
        node->has_name = true;
        node->name = text_name(reader, "a node's name");
        text_expect(reader, ']');
    }
    read_node_outputs(reader, node);
    text_expect(reader, '=');
    read_operator(reader, node);
    if (text_accept(reader, '<'))
        text_attributes(reader, &attributes);
    read_node_inputs(reader, node);
    if (!attributes.count && text_accept(reader, '<'))
        text_attributes(reader, &attributes);
    node->n_attribute = attributes.count;
    node->attribute = attributes.items;
}

void text_nodes(struct text_reader *reader, size_t *count, Onnx__NodeProto ***nodes)
{
    struct text_list list = {0};
    text_expect(reader, '{');
    while (reader->status == OPSHIFT_OK && !text_accept(reader, '}')) {
        if (!text_is(reader, '[') && !text_is(reader, '=') && !text_is_name(reader)) {
            text_fail(reader, "a node or '}'");
            return;
        }
        Onnx__NodeProto *node = text_list_add_message(reader, &list, &onnx__node_proto__descriptor);
        if (node)
            text_node(reader, node);
    }
    *count = list.count;
    *nodes = list.items;
}
