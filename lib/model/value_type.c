/* Reads a value info's declared type: a tensor's element type and dims, or another kind of type. */
#include <stdlib.h>

#include "base/buffer.h"
#include "model/model.h"
#include "wire/wire.h"

/* Schemas have no deeper types; deeper levels are omitted. */
#define OTHER_DEPTH_MAX 8

static void other_write(struct buffer *text, const Onnx__TypeProto *type)
{
    for (unsigned depth = 0; type != NULL && depth < OTHER_DEPTH_MAX; depth++) {
        const char *element;
        switch (type->value_case) {
        case ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE:
            buffer_add_text(text, "seq(");
            type = type->sequence_type->elem_type;
            continue;
        case ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE:
            buffer_add_text(text, "optional(");
            type = type->optional_type->elem_type;
            continue;
        case ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE:
            buffer_add_text(text, "tensor(");
            element = type_name((enum opshift_type)type->tensor_type->elem_type);
            if (element != NULL)
                buffer_add_text(text, element);
            for (unsigned close = 0; element != NULL && close <= depth; close++)
                buffer_add_text(text, ")");
            return;
        case ONNX__TYPE_PROTO__VALUE_MAP_TYPE:
            buffer_add_text(text, "map(");
            return;
        case ONNX__TYPE_PROTO__VALUE_SPARSE_TENSOR_TYPE:
            buffer_add_text(text, "sparse_tensor(");
            return;
        case ONNX__TYPE_PROTO__VALUE_OPAQUE_TYPE:
            buffer_add_text(text, "opaque(");
            return;
        default:
            return;
        }
    }
}

static enum opshift_status other_read(const Onnx__TypeProto *declared, struct arena *arena, struct value_type *type,
                                      struct opshift_error *error)
{
    struct buffer text = {0};
    other_write(&text, declared);
    char *written = buffer_take(&text);
    if (written == NULL)
        return opshift_no_memory(error);
    if (*written != '\0')
        type->other = arena_print(arena, "%s", written);
    bool lost = *written != '\0' && type->other == NULL;
    free(written);
    return lost ? opshift_no_memory(error) : OPSHIFT_OK;
}

static enum opshift_status shape_read(struct opshift_model *model, const Onnx__TensorShapeProto *shape,
                                      struct arena *arena, struct value_type *type, struct opshift_error *error)
{
    if (shape == NULL)
        return OPSHIFT_OK;
    type->rank = (int32_t)shape->n_dim;
    type->dims = arena_alloc(arena, shape->n_dim, sizeof *type->dims);
    type->params = arena_alloc(arena, shape->n_dim, sizeof *type->params);
    if (type->dims == NULL || type->params == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < shape->n_dim; i++) {
        const Onnx__TensorShapeProto__Dimension *dim = shape->dim[i];
        bool known = dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE && dim->dim_value >= 0;
        type->dims[i] = known ? dim->dim_value : -1;
        type->params[i] = NAME_NONE;
        if (dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM)
            type->params[i] = names_add(model->names, dim->dim_param.data, dim->dim_param.len);
        if (type->params[i] == NAME_NO_MEMORY)
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

/* What a sequence or optional holds; NULL: it is neither. */
static const Onnx__TypeProto *held_type(const Onnx__TypeProto *declared)
{
    if (declared->value_case == ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE)
        return declared->sequence_type->elem_type;
    return declared->value_case == ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE ? declared->optional_type->elem_type : NULL;
}

static enum opshift_status type_read(struct opshift_model *model, const Onnx__TypeProto *declared, unsigned depth,
                                     struct arena *arena, struct value_type *type, struct opshift_error *error)
{
    if (declared == NULL)
        return OPSHIFT_OK;
    if (declared->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE) {
        const Onnx__TypeProto *held = held_type(declared);
        struct value_type *element = held && depth < OTHER_DEPTH_MAX ? arena_alloc(arena, 1, sizeof(*element)) : NULL;
        enum opshift_status status = other_read(declared, arena, type, error);
        if (status || element == NULL)
            return status;
        element->rank = -1;
        type->element = element;
        return type_read(model, held, depth + 1, arena, element, error);
    }
    const Onnx__TypeProto__Tensor *tensor = declared->tensor_type;
    type->is_tensor = true;
    if (tensor->elem_type > 0 && tensor->elem_type < OPSHIFT_TYPE_COUNT)
        type->type = (enum opshift_type)tensor->elem_type;
    return shape_read(model, tensor->shape, arena, type, error);
}

static enum opshift_status declared_decode(struct opshift_model *model, const struct value_info *value,
                                           struct arena *arena, struct value_type *type, struct opshift_error *error)
{
    Onnx__ValueInfoProto *message;
    if (model->scratch == NULL)
        model->scratch = arena_new(0);
    if (model->scratch == NULL)
        return opshift_no_memory(error);
    arena_clear(model->scratch);
    enum opshift_status status =
        range_decode(model, value->range, &onnx__value_info_proto__descriptor, model->scratch, &message, error);
    return status ? status : type_read(model, message->type, 0, arena, type, error);
}

/* ---- tensors, read from their fields: decoded by protobuf-c they would take most of the time of a conversion -------
 */

/* Field numbers of ValueInfoProto, TypeProto, its Tensor, TensorShapeProto and its Dimension. */
enum { VALUE_TYPE = 2, TYPE_TENSOR = 1, TYPE_DENOTATION = 6, TENSOR_ELEMENT = 1, TENSOR_SHAPE = 2, SHAPE_DIM = 1 };
enum { DIM_VALUE = 1, DIM_PARAM = 2, DIM_DENOTATION = 3 };

/* The parts of a declared tensor. */
struct tensor_type_fields {
    struct range type, tensor, shape; /* size 0 and record 0: not found yet */
    uint64_t element;
    uint32_t rank;
};

/* Records a message that may occur once. False: it occurs twice, or has another wire type. */
static bool part_set(struct range *part, const struct wire_field *field)
{
    bool first = part->place == 0 && field->type == WIRE_BYTES;
    *part = range_make(field->record, field->offset, field->size);
    return first;
}

/* Reads a field of one message. False: a field that is not plain. */
static bool declared_field(struct tensor_type_fields *declared, unsigned level, const struct wire_field *field)
{
    switch (level) {
    case 0:
        return field->number == VALUE_TYPE ? part_set(&declared->type, field) : true;
    case 1:
        return field->number == TYPE_TENSOR ? part_set(&declared->tensor, field) : field->number == TYPE_DENOTATION;
    case 2:
        if (field->number == TENSOR_SHAPE)
            return part_set(&declared->shape, field);
        declared->element = field->value;
        return field->number == TENSOR_ELEMENT && field->type == WIRE_VARINT;
    default:
        declared->rank++;
        return field->number == SHAPE_DIM && field->type == WIRE_BYTES;
    }
}

/* *plain false: not a tensor, a duplicate or an unknown field; then protobuf-c decodes it. */
static enum opshift_status declared_find(struct opshift_model *model, struct range value,
                                         struct tensor_type_fields *declared, bool *plain, struct opshift_error *error)
{
    const struct range *inner[] = {&declared->type, &declared->tensor, &declared->shape};
    struct range range = value;
    for (unsigned level = 0; *plain && level <= COUNT(inner); level++) {
        struct wire_cursor cursor = {model->source, range_offset(range), range_end(range)};
        struct wire_field field;
        for (bool found = true; *plain && found;) {
            enum opshift_status status = wire_next(&cursor, &field, &found, error);
            if (status)
                return status;
            *plain = !found || declared_field(declared, level, &field);
        }
        if (level == COUNT(inner) || inner[level]->place == 0)
            break;
        range = *inner[level];
    }
    return OPSHIFT_OK;
}

/* A dim's number or name, whichever comes last. */
static enum opshift_status dim_read(struct opshift_model *model, const struct wire_field *dim, int64_t *value,
                                    name_id *param, bool *plain, struct opshift_error *error)
{
    struct wire_cursor cursor = {model->source, dim->offset, dim->offset + dim->size};
    struct wire_field field;
    *value = -1;
    *param = NAME_NONE;
    for (bool found;;) {
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status || !found)
            return status;
        enum wire_type wanted = field.number == DIM_VALUE ? WIRE_VARINT : WIRE_BYTES;
        *plain &= field.number <= DIM_DENOTATION && field.type == wanted;
        if (field.number == DIM_DENOTATION || !*plain)
            continue;
        *param = NAME_NONE;
        *value = field.number == DIM_VALUE && (int64_t)field.value >= 0 ? (int64_t)field.value : -1;
        if (field.number == DIM_PARAM && (status = name_read(model, &field, param, error)))
            return status;
    }
}

static enum opshift_status dims_read(struct opshift_model *model, const struct tensor_type_fields *declared,
                                     struct arena *arena, struct value_type *type, bool *plain,
                                     struct opshift_error *error)
{
    struct range shape = declared->shape;
    struct wire_cursor cursor = {model->source, range_offset(shape), range_end(shape)};
    struct wire_field field;
    bool found = true;
    type->rank = (int32_t)declared->rank;
    type->dims = arena_alloc(arena, declared->rank, sizeof(*type->dims));
    type->params = arena_alloc(arena, declared->rank, sizeof(*type->params));
    if (type->dims == NULL || type->params == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; *plain && i < declared->rank; i++) {
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status == OPSHIFT_OK && found)
            status = dim_read(model, &field, &type->dims[i], &type->params[i], plain, error);
        if (status)
            return status;
    }
    return OPSHIFT_OK;
}

static enum opshift_status tensor_read(struct opshift_model *model, const struct value_info *value, struct arena *arena,
                                       struct value_type *type, bool *plain, struct opshift_error *error)
{
    struct tensor_type_fields declared = {0};
    enum opshift_status status = declared_find(model, value->range, &declared, plain, error);
    if (status || !*plain || declared.type.place == 0)
        return status;
    *plain = declared.tensor.place != 0 || range_size(declared.type) == 0;
    type->is_tensor = declared.tensor.place != 0;
    if (declared.element > 0 && declared.element < OPSHIFT_TYPE_COUNT)
        type->type = (enum opshift_type)declared.element;
    return declared.shape.place && *plain ? dims_read(model, &declared, arena, type, plain, error) : OPSHIFT_OK;
}

enum opshift_status type_message_read(struct opshift_model *model, const Onnx__TypeProto *message, struct arena *arena,
                                      struct value_type *type, struct opshift_error *error)
{
    *type = (struct value_type){.type = OPSHIFT_TYPE_UNDEFINED, .rank = -1};
    return type_read(model, message, 0, arena, type, error);
}

enum opshift_status value_info_type(struct opshift_model *model, const struct value_info *value, struct arena *arena,
                                    struct value_type *type, struct opshift_error *error)
{
    static const struct value_type unknown = {.type = OPSHIFT_TYPE_UNDEFINED, .rank = -1};
    bool plain = range_size(value->range) <= model->limits.decode;
    *type = unknown;
    if (range_size(value->range) == 0)
        return OPSHIFT_OK;
    enum opshift_status status = plain ? tensor_read(model, value, arena, type, &plain, error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK && !plain) {
        *type = unknown;
        status = declared_decode(model, value, arena, type, error);
    }
    return status ? opshift_within(error, status, "value '%.80s'", names_text(model->names, value->name)) : OPSHIFT_OK;
}
