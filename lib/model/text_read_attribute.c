/* Parses attributes: axis = 1, ids : ints = [], body = inner () => (q) {...}. */
#include "model/text_read.h"

#include <string.h>

#include "model/text_attribute.h"

/* A graph, whose name (or string) was read already. */
static void read_graph(struct text_reader *reader, Onnx__AttributeProto *value, ProtobufCBinaryData name)
{
    value->type = ATTRIBUTE(GRAPH);
    value->g = text_message(reader, &onnx__graph_proto__descriptor);
    if (!value->g)
        return;
    value->g->has_name = true;
    value->g->name = name;
    text_graph_rest(reader, value->g);
}

/* A type, or a tensor that starts with its type. */
static void read_typed(struct text_reader *reader, Onnx__AttributeProto *value)
{
    Onnx__TypeProto *type = text_type(reader);
    if (!type)
        return;
    if (!text_is_tensor_rest(reader)) {
        value->type = ATTRIBUTE(TYPE_PROTO);
        value->tp = type;
    } else if (type->value_case == ONNX__TYPE_PROTO__VALUE_SPARSE_TENSOR_TYPE) {
        value->type = ATTRIBUTE(SPARSE_TENSOR);
        value->sparse_tensor = text_sparse_rest(reader, type);
    } else {
        value->type = ATTRIBUTE(TENSOR);
        value->t = text_tensor_rest(reader, type);
    }
}

static void read_string_or_graph(struct text_reader *reader, Onnx__AttributeProto *value)
{
    ProtobufCBinaryData text = text_string(reader);
    if (text_is(reader, '(')) {
        read_graph(reader, value, text);
        return;
    }
    value->type = ATTRIBUTE(STRING);
    value->has_s = true;
    value->s = text;
}

static void read_float(struct text_reader *reader, Onnx__AttributeProto *value)
{
    value->type = ATTRIBUTE(FLOAT);
    value->has_f = true;
    value->f = text_float(reader);
}

static void read_int(struct text_reader *reader, Onnx__AttributeProto *value)
{
    value->type = ATTRIBUTE(INT);
    value->has_i = true;
    value->i = text_int64(reader, INT64_MIN, INT64_MAX, "an integer of 64 bits");
}

/* One value; `wanted` (or UNDEFINED) may turn an integer into a float; it is checked at the end. */
static void read_single(struct text_reader *reader, Onnx__AttributeProto *value, enum attribute_type wanted)
{
    struct token start = reader->token;
    if (reader->token.kind == TOKEN_STRING)
        read_string_or_graph(reader, value);
    else if (reader->token.kind == TOKEN_INTEGER && wanted != ATTRIBUTE(FLOAT))
        read_int(reader, value);
    else if (text_is_number(reader))
        read_float(reader, value);
    else if (text_is_type(reader))
        read_typed(reader, value);
    else if (reader->token.kind == TOKEN_NAME)
        read_graph(reader, value, text_name(reader, "a graph"));
    else
        text_fail(reader, "%s", wanted ? attribute_noun(wanted) : "a value: a number, string, type, tensor or graph");
    if (wanted && value->type != wanted)
        text_fail_at(reader, &start, "%s", attribute_noun(wanted));
}

static void add_to_list(struct text_reader *reader, struct text_list *list, const Onnx__AttributeProto *value)
{
    size_t size;
    const void *data = attribute_element(value, &size);
    void *place = data ? text_list_add(reader, list, size) : NULL;
    if (place)
        memcpy(place, data, size);
}

/* A list of values behind the bracket; without a declared type the first value decides. */
static void read_list(struct text_reader *reader, Onnx__AttributeProto *attribute)
{
    enum attribute_type wanted = attribute_single(attribute->type);
    struct text_list list = {0};
    if (text_is(reader, ']') && !wanted)
        text_fail(reader, "a value, or the list's type before the '=', as in 'name : ints = []'");
    if (text_accept(reader, ']'))
        return;
    do {
        Onnx__AttributeProto value = ONNX__ATTRIBUTE_PROTO__INIT;
        read_single(reader, &value, wanted);
        wanted = value.type;
        add_to_list(reader, &list, &value);
    } while (text_more(reader, ']'));
    attribute->type = attribute_plural(wanted);
    attribute_set_list(attribute, list.items, list.count);
}

static void read_type_word(struct text_reader *reader, Onnx__AttributeProto *attribute)
{
    if (reader->token.kind == TOKEN_NAME)
        attribute->type = attribute_find((const char *)reader->token.text.data, reader->token.text.size);
    if (!attribute->type)
        text_fail(reader, "an attribute's type: int, float, string, tensor, graph, sparse_tensor, type_proto, or a "
                          "plural of one");
    text_next(reader);
}

void text_attribute_rest(struct text_reader *reader, Onnx__AttributeProto *attribute)
{
    if (text_accept(reader, ':'))
        read_type_word(reader, attribute);
    text_expect(reader, '=');
    bool list = attribute_is_list(attribute->type);
    if (text_accept(reader, '@')) {
        attribute->has_ref_attr_name = true;
        attribute->ref_attr_name = text_name(reader, "the name of an attribute of the function");
    } else if (text_is(reader, '[') && (list || !attribute->type)) {
        text_next(reader);
        read_list(reader, attribute);
    } else if (list) {
        text_fail(reader, "'['");
    } else {
        read_single(reader, attribute, attribute->type);
    }
    attribute->has_type = attribute->type != ATTRIBUTE(UNDEFINED);
}

void text_attributes(struct text_reader *reader, struct text_list *list)
{
    do {
        Onnx__AttributeProto *attribute = text_list_add_message(reader, list, &onnx__attribute_proto__descriptor);
        if (!attribute)
            return;
        attribute->has_name = true;
        attribute->name = text_name(reader, "an attribute's name");
        text_attribute_rest(reader, attribute);
    } while (text_more(reader, '>'));
}
