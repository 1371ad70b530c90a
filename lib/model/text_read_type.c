/* Parses types: float[N, 2], seq(int64), map(string, float[]). */
#include "model/text_read.h"

#include "model/tensor.h"

static enum opshift_type next_element_type(const struct text_reader *reader)
{
    const struct token *token = &reader->token;
    return token->kind == TOKEN_NAME ? type_find((const char *)token->text.data, token->text.size)
                                     : OPSHIFT_TYPE_UNDEFINED;
}

static enum opshift_type read_element_type(struct text_reader *reader)
{
    enum opshift_type type = next_element_type(reader);
    if (type == OPSHIFT_TYPE_UNDEFINED)
        text_fail(reader, "an element type");
    text_next(reader);
    return type;
}

static void read_dim(struct text_reader *reader, Onnx__TensorShapeProto__Dimension *dim)
{
    if (text_accept(reader, '?'))
        return;
    if (text_is_name(reader)) {
        dim->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM;
        dim->dim_param = text_name(reader, "a dim's name");
    } else if (reader->token.kind == TOKEN_INTEGER) {
        dim->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
        dim->dim_value = text_int64(reader, INT64_MIN, INT64_MAX, "a dim of 64 bits");
    } else {
        text_fail(reader, "a dim: a number, a name or '?'");
    }
}

/* No brackets: rank 0; []: unknown rank (no shape). */
static Onnx__TensorShapeProto *read_shape(struct text_reader *reader)
{
    bool bracket = text_accept(reader, '[');
    if (bracket && text_accept(reader, ']'))
        return NULL;
    Onnx__TensorShapeProto *shape = text_message(reader, &onnx__tensor_shape_proto__descriptor);
    if (!shape || !bracket)
        return shape;
    struct text_list dims = {0};
    do {
        Onnx__TensorShapeProto__Dimension *dim =
            text_list_add_message(reader, &dims, &onnx__tensor_shape_proto__dimension__descriptor);
        if (dim)
            read_dim(reader, dim);
    } while (text_more(reader, ']'));
    shape->n_dim = dims.count;
    shape->dim = dims.items;
    return shape;
}

static void read_tensor_type(struct text_reader *reader, Onnx__TypeProto *type)
{
    Onnx__TypeProto__Tensor *tensor = text_message(reader, &onnx__type_proto__tensor__descriptor);
    if (!tensor)
        return;
    type->value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
    type->tensor_type = tensor;
    tensor->has_elem_type = true;
    tensor->elem_type = (int32_t)read_element_type(reader);
    tensor->shape = read_shape(reader);
}

static void read_sparse_type(struct text_reader *reader, Onnx__TypeProto *type)
{
    Onnx__TypeProto__SparseTensor *sparse = text_message(reader, &onnx__type_proto__sparse_tensor__descriptor);
    if (!sparse)
        return;
    type->value_case = ONNX__TYPE_PROTO__VALUE_SPARSE_TENSOR_TYPE;
    type->sparse_tensor_type = sparse;
    sparse->has_elem_type = true;
    sparse->elem_type = (int32_t)read_element_type(reader);
    sparse->shape = read_shape(reader);
}

static void read_sequence_type(struct text_reader *reader, Onnx__TypeProto *type)
{
    Onnx__TypeProto__Sequence *sequence = text_message(reader, &onnx__type_proto__sequence__descriptor);
    if (!sequence)
        return;
    type->value_case = ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE;
    type->sequence_type = sequence;
    sequence->elem_type = text_type(reader);
}

static void read_optional_type(struct text_reader *reader, Onnx__TypeProto *type)
{
    Onnx__TypeProto__Optional *optional = text_message(reader, &onnx__type_proto__optional__descriptor);
    if (!optional)
        return;
    type->value_case = ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE;
    type->optional_type = optional;
    optional->elem_type = text_type(reader);
}

static void read_map_type(struct text_reader *reader, Onnx__TypeProto *type)
{
    Onnx__TypeProto__Map *map = text_message(reader, &onnx__type_proto__map__descriptor);
    if (!map)
        return;
    type->value_case = ONNX__TYPE_PROTO__VALUE_MAP_TYPE;
    type->map_type = map;
    map->has_key_type = true;
    map->key_type = (int32_t)read_element_type(reader);
    text_expect(reader, ',');
    map->value_type = text_type(reader);
}

/* opaque(), opaque(name), opaque(domain, name) */
static void read_opaque_type(struct text_reader *reader, Onnx__TypeProto *type)
{
    Onnx__TypeProto__Opaque *opaque = text_message(reader, &onnx__type_proto__opaque__descriptor);
    if (!opaque)
        return;
    type->value_case = ONNX__TYPE_PROTO__VALUE_OPAQUE_TYPE;
    type->opaque_type = opaque;
    if (text_is(reader, ')'))
        return;
    opaque->has_name = true;
    opaque->name = text_dotted(reader, "a name of an opaque type").whole;
    if (text_accept(reader, ',')) {
        opaque->has_domain = true;
        opaque->domain = opaque->name;
        opaque->name = text_dotted(reader, "a name of an opaque type").whole;
    }
}

static const struct {
    const char *word;
    void (*read)(struct text_reader *reader, Onnx__TypeProto *type);
} kinds[] = {
    {"seq", read_sequence_type},         {"map", read_map_type},       {"optional", read_optional_type},
    {"sparse_tensor", read_sparse_type}, {"opaque", read_opaque_type},
};

bool text_is_type(const struct text_reader *reader)
{
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (text_is_word(reader, kinds[i].word))
            return true;
    return next_element_type(reader) != OPSHIFT_TYPE_UNDEFINED;
}

static void read_any_type(struct text_reader *reader, Onnx__TypeProto *type)
{
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (text_is_word(reader, kinds[i].word)) {
            text_next(reader);
            text_expect(reader, '(');
            kinds[i].read(reader, type);
            text_expect(reader, ')');
            return;
        }
    if (next_element_type(reader) == OPSHIFT_TYPE_UNDEFINED)
        text_fail(reader, "a type");
    else
        read_tensor_type(reader, type);
}

Onnx__TypeProto *text_type(struct text_reader *reader)
{
    Onnx__TypeProto *type = text_message(reader, &onnx__type_proto__descriptor);
    if (text_enter(reader))
        read_any_type(reader, type);
    text_leave(reader);
    return type;
}
