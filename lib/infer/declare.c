/* Writes types: as TypeProtos, and in ONNX's textual syntax. */
#include "infer/declare.h"

#include <inttypes.h>
#include <string.h>

#include "infer/infer.h"

/* ---- as messages ---- */

/* Removes a prefix. False: it does not match. */
static bool text_skip(const char **text, const char *beginning)
{
    size_t size = strlen(beginning);
    if (strncmp(*text, beginning, size) != 0)
        return false;
    *text += size;
    return true;
}

/* The element type inside "seq(" and "optional("; UNDEFINED: unknown. */
static enum opshift_type other_element(const char *text)
{
    while (text_skip(&text, "seq(") || text_skip(&text, "optional("))
        continue;
    const char *end = text_skip(&text, "tensor(") ? strchr(text, ')') : NULL;
    return end ? type_find(text, (size_t)(end - text)) : OPSHIFT_TYPE_UNDEFINED;
}

bool type_is_declarable(const struct value_type *type)
{
    if (type->other)
        return other_element(type->other) != OPSHIFT_TYPE_UNDEFINED;
    return type->is_tensor && type->type != OPSHIFT_TYPE_UNDEFINED;
}

static bool dims_declare(struct arena *arena, const struct opshift_model *model, const struct value_type *type,
                         Onnx__TensorShapeProto *shape)
{
    size_t rank = (size_t)type->rank;
    if (shape->n_dim != rank) {
        shape->dim = arena_alloc(arena, rank + 1, sizeof(Onnx__TensorShapeProto__Dimension *));
        for (size_t i = 0; shape->dim && i < rank; i++) {
            shape->dim[i] = arena_alloc(arena, 1, sizeof(*shape->dim[i]));
            if (shape->dim[i] == NULL)
                return false;
            onnx__tensor_shape_proto__dimension__init(shape->dim[i]);
        }
        shape->n_dim = rank;
    }
    for (size_t i = 0; shape->dim && i < rank; i++) {
        Onnx__TensorShapeProto__Dimension *dim = shape->dim[i];
        dim->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE__NOT_SET;
        if (type->dims[i] >= 0) {
            dim->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
            dim->dim_value = type->dims[i];
        } else if (type->params && type->params[i] != NAME_NONE) {
            struct bytes name = names_bytes(model->names, type->params[i]);
            dim->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM;
            dim->dim_param.data = arena_copy(arena, name.data, name.size);
            dim->dim_param.len = name.size;
            if (dim->dim_param.data == NULL)
                return false;
        }
    }
    return rank == 0 || shape->dim != NULL;
}

/* A tensor of an element type, with the shape of a type. */
static bool tensor_declare(struct arena *arena, const struct opshift_model *model, enum opshift_type element,
                           const struct value_type *shape, Onnx__TypeProto *message)
{
    bool kept = message->value_case == ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE && message->tensor_type;
    Onnx__TypeProto__Tensor *tensor = kept ? message->tensor_type : arena_alloc(arena, 1, sizeof(*tensor));
    if (tensor == NULL)
        return false;
    if (!kept)
        onnx__type_proto__tensor__init(tensor);
    message->value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
    message->tensor_type = tensor;
    tensor->has_elem_type = 1;
    tensor->elem_type = (int32_t)element;
    if (shape == NULL || shape->rank < 0) {
        tensor->shape = NULL;
        return true;
    }
    if (tensor->shape == NULL) {
        tensor->shape = arena_alloc(arena, 1, sizeof(*tensor->shape));
        if (tensor->shape == NULL)
            return false;
        onnx__tensor_shape_proto__init(tensor->shape);
    }
    return dims_declare(arena, model, shape, tensor->shape);
}

static Onnx__TypeProto *type_message(struct arena *arena)
{
    Onnx__TypeProto *message = arena_alloc(arena, 1, sizeof(*message));
    if (message)
        onnx__type_proto__init(message);
    return message;
}

/* "seq(tensor(float))": nested messages. */
static bool other_declare(struct arena *arena, const struct opshift_model *model, const char *text,
                          const struct value_type *type, Onnx__TypeProto *message)
{
    for (;;) {
        bool sequence = text_skip(&text, "seq("), optional = !sequence && text_skip(&text, "optional(");
        if (!sequence && !optional)
            return tensor_declare(arena, model, other_element(text), type, message);
        Onnx__TypeProto *inner = type_message(arena);
        if (inner == NULL)
            return false;
        if (sequence) {
            Onnx__TypeProto__Sequence *list = arena_alloc(arena, 1, sizeof(*list));
            if (list == NULL)
                return false;
            onnx__type_proto__sequence__init(list);
            message->value_case = ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE;
            message->sequence_type = list;
            list->elem_type = inner;
        } else {
            Onnx__TypeProto__Optional *held = arena_alloc(arena, 1, sizeof(*held));
            if (held == NULL)
                return false;
            onnx__type_proto__optional__init(held);
            message->value_case = ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE;
            message->optional_type = held;
            held->elem_type = inner;
        }
        message = inner;
    }
}

const struct value_type *type_innermost(const struct value_type *type)
{
    while (type && type->other)
        type = type->element;
    return type;
}

bool type_declare(struct arena *arena, const struct opshift_model *model, const struct value_type *type,
                  Onnx__ValueInfoProto *info)
{
    if (info->type == NULL)
        info->type = type_message(arena);
    if (info->type == NULL)
        return false;
    if (type->other)
        return other_declare(arena, model, type->other, type_innermost(type), info->type);
    return tensor_declare(arena, model, type->type, type, info->type);
}

Onnx__ValueInfoProto *value_info_new(struct arena *arena, const struct opshift_model *model, ProtobufCBinaryData name,
                                     const struct value_type *type)
{
    Onnx__ValueInfoProto *info = arena_alloc(arena, 1, sizeof(*info));
    if (info == NULL)
        return NULL;
    onnx__value_info_proto__init(info);
    info->has_name = 1;
    info->name = name;
    return type == NULL || type_declare(arena, model, type, info) ? info : NULL;
}

/* ---- as text ---- */

#define DIM_NAME_SHOWN 120u /* bytes of a dim's name in a message, which may repeat it often */

void type_print(const struct opshift_model *model, const struct value_type *type, struct buffer *out)
{
    if (type->other) {
        buffer_add_text(out, type->other);
        return;
    }
    buffer_add_text(out, type->type != OPSHIFT_TYPE_UNDEFINED ? type_name(type->type) : "?");
    for (int32_t i = 0; i < type->rank; i++) {
        struct bytes name = names_bytes(model->names, type->params[i]);
        buffer_add_byte(out, i == 0 ? '[' : ',');
        if (type->dims[i] >= 0)
            buffer_print(out, "%" PRId64, type->dims[i]);
        else if (type->params[i] != NAME_NONE && name.size > DIM_NAME_SHOWN)
            buffer_print(out, "%.*s...", (int)DIM_NAME_SHOWN, (const char *)name.data);
        else if (type->params[i] != NAME_NONE)
            buffer_add(out, name.data, name.size);
        else
            buffer_add_byte(out, '?');
    }
    if (type->rank > 0)
        buffer_add_byte(out, ']');
    else if (type->rank < 0 && type->type != OPSHIFT_TYPE_UNDEFINED)
        buffer_add_text(out, "[]");
}
