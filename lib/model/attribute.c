/* What stands inside a node, a value info or an initializer, read from its own small range when someone asks. */
#include <inttypes.h>
#include <string.h>

#include "model/external.h"
#include "model/model.h"
#include "wire/wire.h"

enum { NODE_ATTRIBUTE = 5, ATTRIBUTE_NAME = 1, ATTRIBUTE_TYPE = 20 };

/* What protobuf-c may be handed at once. */
#define DECODE_MAX (UINT64_C(64) << 20)

/* Models from before field `type` (IR 1) say it by which value they set. */
static Onnx__AttributeProto__AttributeType type_of_field(uint32_t number)
{
    static const uint8_t types[24] = {
        [2] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT,
        [3] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT,
        [4] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING,
        [5] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR,
        [6] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH,
        [7] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS,
        [8] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS,
        [9] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRINGS,
        [10] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSORS,
        [11] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPHS,
        [14] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TYPE_PROTO,
        [15] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TYPE_PROTOS,
        [22] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__SPARSE_TENSOR,
        [23] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__SPARSE_TENSORS,
    };
    return number < COUNT(types) ? (Onnx__AttributeProto__AttributeType)types[number]
                                 : ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED;
}

static enum opshift_status attribute_name(struct opshift_model *model, const struct wire_field *field, name_id *name,
                                          struct opshift_error *error)
{
    enum opshift_status status = wire_expect(field, WIRE_BYTES, "AttributeProto.name", error);
    if (status)
        return status;
    if (field->size > 4096)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "an attribute's name has %" PRIu64 " bytes; at most 4096 are read", field->size);
    const uint8_t *bytes = source_window(model->source, field->offset, (size_t)field->size, error);
    if (bytes == NULL)
        return error ? error->status : OPSHIFT_IO;
    *name = names_add(model->names, bytes, (size_t)field->size);
    return *name == NAME_NO_MEMORY ? opshift_no_memory(error) : OPSHIFT_OK;
}

static enum opshift_status attribute_walk(struct opshift_model *model, const struct wire_field *record,
                                          struct attribute_range *attribute, struct opshift_error *error)
{
    struct wire_cursor cursor = {model->source, record->offset, record->offset + record->size};
    Onnx__AttributeProto__AttributeType implied = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED;
    struct wire_field field;
    bool found;
    enum opshift_status status;
    *attribute = (struct attribute_range){.range = {record->record, record->offset, record->size}};
    while ((status = wire_next(&cursor, &field, &found, error)) == OPSHIFT_OK && found) {
        if (field.number == ATTRIBUTE_NAME)
            status = attribute_name(model, &field, &attribute->name, error);
        else if (field.number == ATTRIBUTE_TYPE && field.type == WIRE_VARINT)
            attribute->type = (Onnx__AttributeProto__AttributeType)field.value;
        else if (type_of_field(field.number))
            implied = type_of_field(field.number);
        if (status)
            return status;
    }
    if (attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED)
        attribute->type = implied;
    return status;
}

enum opshift_status node_attributes(struct opshift_model *model, const struct node *node, struct arena *arena,
                                    struct attribute_range **attributes, size_t *count, struct opshift_error *error)
{
    struct wire_field field;
    bool found;
    enum opshift_status status;
    *count = 0;
    *attributes = NULL;
    for (int fill = 0; fill < 2; fill++) {
        struct wire_cursor cursor = {model->source, node->range.offset, node->range.offset + node->range.size};
        size_t at = 0;
        while ((status = wire_next(&cursor, &field, &found, error)) == OPSHIFT_OK && found) {
            if (field.number != NODE_ATTRIBUTE)
                continue;
            if (fill && (status = attribute_walk(model, &field, &(*attributes)[at], error)))
                return status;
            at++;
        }
        if (status)
            return status;
        *count = at;
        if (!fill && (*attributes = arena_alloc(arena, at, sizeof(**attributes))) == NULL)
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

/* A range as a message, whole, in the arena; what: for messages. */
static enum opshift_status decode(struct opshift_model *model, struct range range,
                                  const ProtobufCMessageDescriptor *descriptor, struct arena *arena, uint64_t limit,
                                  ProtobufCMessage **message, struct opshift_error *error)
{
    if (range.size > limit)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "%s at byte %" PRIu64 " has %" PRIu64 " bytes; at most %" PRIu64 " are decoded",
                            descriptor->short_name, range.record, range.size, limit);
    uint8_t *bytes = arena_alloc(arena, (size_t)range.size, 1);
    if (bytes == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = source_read(model->source, range.offset, bytes, (size_t)range.size, error);
    if (status)
        return status;
    *message = protobuf_c_message_unpack(descriptor, arena_allocator(arena), (size_t)range.size, bytes);
    if (*message == NULL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "%s at byte %" PRIu64 " does not follow the wire format",
                            descriptor->short_name, range.record);
    return OPSHIFT_OK;
}

enum opshift_status range_decode(struct opshift_model *model, struct range range,
                                 const ProtobufCMessageDescriptor *descriptor, struct arena *arena, void *message,
                                 struct opshift_error *error)
{
    return decode(model, range, descriptor, arena, DECODE_MAX, message, error);
}

enum opshift_status attribute_decode(struct opshift_model *model, const struct attribute_range *attribute,
                                     struct arena *arena, Onnx__AttributeProto **message, struct opshift_error *error)
{
    ProtobufCMessage *base;
    enum opshift_status status =
        decode(model, attribute->range, &onnx__attribute_proto__descriptor, arena, DECODE_MAX, &base, error);
    if (status)
        return status;
    *message = (Onnx__AttributeProto *)base;
    (*message)->type = attribute->type;
    return OPSHIFT_OK;
}

enum opshift_status model_tensor(struct opshift_model *model, const Onnx__TensorProto *message, struct arena *arena,
                                 struct tensor **tensor, struct opshift_error *error)
{
    if (!message->has_data_location || message->data_location != ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)
        return tensor_decode(arena, message, tensor, error);
    if (type_name((enum opshift_type)message->data_type) == NULL || message->data_type == OPSHIFT_TYPE_STRING)
        return opshift_fail(error, OPSHIFT_MALFORMED, "external data of element type %d cannot be read",
                            message->data_type);
    if (message->n_dims > TENSOR_RANK_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the tensor has %zu dims; at most %d are read", message->n_dims,
                            TENSOR_RANK_MAX);
    enum opshift_status status = tensor_new(arena, (enum opshift_type)message->data_type, (uint32_t)message->n_dims,
                                            message->dims, tensor, error);
    if (status)
        return status;
    return external_read(model, message, (*tensor)->data, type_size((*tensor)->type, (*tensor)->count), error);
}

enum opshift_status initializer_tensor(struct opshift_model *model, const struct initializer *initializer,
                                       uint64_t limit, struct arena *arena, struct tensor **tensor,
                                       struct opshift_error *error)
{
    ProtobufCMessage *message;
    const ProtobufCMessageDescriptor *descriptor =
        initializer->sparse ? &onnx__sparse_tensor_proto__descriptor : &onnx__tensor_proto__descriptor;
    uint64_t count = 1;
    for (uint32_t i = 0; i < initializer->rank; i++)
        if (initializer->dims[i] < 0 || __builtin_mul_overflow(count, (uint64_t)initializer->dims[i], &count))
            return opshift_fail(error, OPSHIFT_MALFORMED, "initializer '%s' has a dim that is negative or too large",
                                names_text(model->names, initializer->name));
    if (type_size(initializer->type, count) > limit)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "initializer '%s' has more than %" PRIu64 " bytes",
                            names_text(model->names, initializer->name), limit);
    enum opshift_status status =
        decode(model, initializer->range, descriptor, arena, 2 * limit + 65536, &message, error);
    if (status == OPSHIFT_OK && initializer->sparse)
        status = tensor_decode_sparse(arena, (Onnx__SparseTensorProto *)message, tensor, error);
    else if (status == OPSHIFT_OK)
        status = model_tensor(model, (Onnx__TensorProto *)message, arena, tensor, error);
    return status ? opshift_within(error, status, "initializer '%s'", names_text(model->names, initializer->name))
                  : status;
}

static enum opshift_status shape_dims(struct opshift_model *model, const Onnx__TensorShapeProto *shape,
                                      struct arena *arena, struct value_type *type, struct opshift_error *error)
{
    if (shape->n_dim > TENSOR_RANK_MAX)
        return OPSHIFT_OK;
    type->dims = arena_alloc(arena, shape->n_dim, sizeof(*type->dims));
    type->params = arena_alloc(arena, shape->n_dim, sizeof(*type->params));
    if (type->dims == NULL || type->params == NULL)
        return opshift_no_memory(error);
    type->rank = (int32_t)shape->n_dim;
    for (size_t i = 0; i < shape->n_dim; i++) {
        const Onnx__TensorShapeProto__Dimension *dim = shape->dim[i];
        type->dims[i] = -1;
        if (dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE && dim->dim_value >= 0)
            type->dims[i] = dim->dim_value;
        if (dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM)
            type->params[i] = names_add(model->names, dim->dim_param.data, dim->dim_param.len);
        if (type->params[i] == NAME_NO_MEMORY)
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

enum opshift_status value_info_type(struct opshift_model *model, const struct value_info *value, struct arena *arena,
                                    struct value_type *type, struct opshift_error *error)
{
    *type = (struct value_type){.rank = -1};
    if (value->range.size == 0)
        return OPSHIFT_OK;
    Onnx__ValueInfoProto *message;
    enum opshift_status status =
        range_decode(model, value->range, &onnx__value_info_proto__descriptor, arena, &message, error);
    if (status || message->type == NULL || message->type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE)
        return status;
    const Onnx__TypeProto__Tensor *tensor = message->type->tensor_type;
    type->is_tensor = true;
    if (tensor->has_elem_type && type_name((enum opshift_type)tensor->elem_type))
        type->type = (enum opshift_type)tensor->elem_type;
    return tensor->shape ? shape_dims(model, tensor->shape, arena, type, error) : OPSHIFT_OK;
}
