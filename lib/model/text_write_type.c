/* Prints types. */
#include "model/text_write.h"

#include <inttypes.h>

#include "model/tensor.h"
#include "model/text_read.h"

static const char *element_obstacle(int32_t type)
{
    return type_name((enum opshift_type)type) ? NULL : "the element type is unknown";
}

static const char *nested_obstacle(const Onnx__TypeProto *type, unsigned depth)
{
    if (!type)
        return "a type inside it is missing";
    if (depth > TEXT_NESTING_MAX)
        return "it is nested too deep";
    switch (type->value_case) {
    case ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE:
        return element_obstacle(type->tensor_type->elem_type);
    case ONNX__TYPE_PROTO__VALUE_SPARSE_TENSOR_TYPE:
        return element_obstacle(type->sparse_tensor_type->elem_type);
    case ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE:
        return nested_obstacle(type->sequence_type->elem_type, depth + 1);
    case ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE:
        return nested_obstacle(type->optional_type->elem_type, depth + 1);
    case ONNX__TYPE_PROTO__VALUE_MAP_TYPE:
        if (element_obstacle(type->map_type->key_type))
            return "the key type is unknown";
        return nested_obstacle(type->map_type->value_type, depth + 1);
    case ONNX__TYPE_PROTO__VALUE_OPAQUE_TYPE:
        return type->opaque_type->domain.len && !type->opaque_type->name.len ? "it has a domain and no name" : NULL;
    default:
        return "it is empty";
    }
}

const char *text_type_obstacle(const Onnx__TypeProto *type)
{
    return nested_obstacle(type, 1);
}

static void write_dim(struct text_writer *writer, struct text_owner owner, const Onnx__TensorShapeProto__Dimension *dim)
{
    if (dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE)
        buffer_print(writer->out, "%" PRId64, dim->dim_value);
    else if (dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM)
        text_write_name(writer->out, dim->dim_param);
    else
        buffer_add_byte(writer->out, '?');
    if (dim->has_denotation)
        text_note_string(writer, owner, "a dim's denotation", dim->denotation);
    text_note_unknown(writer, owner, &dim->base);
}

/* No brackets for a scalar, [] for an unknown rank. */
static void write_shape(struct text_writer *writer, struct text_owner owner, const Onnx__TensorShapeProto *shape)
{
    if (!shape)
        buffer_add_text(writer->out, "[]");
    if (!shape || !shape->n_dim)
        return;
    for (size_t i = 0; i < shape->n_dim; i++) {
        buffer_add_text(writer->out, i ? ", " : "[");
        write_dim(writer, owner, shape->dim[i]);
    }
    buffer_add_byte(writer->out, ']');
}

static void write_opaque(struct buffer *out, const Onnx__TypeProto__Opaque *opaque)
{
    buffer_add_text(out, "opaque(");
    if (opaque->has_domain) {
        text_write_name(out, opaque->domain);
        buffer_add_text(out, ", ");
    }
    if (opaque->has_name)
        text_write_name(out, opaque->name);
    buffer_add_byte(out, ')');
}

static void write_map(struct text_writer *writer, struct text_owner owner, const Onnx__TypeProto__Map *map)
{
    buffer_print(writer->out, "map(%s, ", type_name((enum opshift_type)map->key_type));
    text_write_type(writer, owner, map->value_type);
    buffer_add_byte(writer->out, ')');
}

static void write_inside(struct text_writer *writer, struct text_owner owner, const char *word,
                         const Onnx__TypeProto *type)
{
    buffer_print(writer->out, "%s(", word);
    text_write_type(writer, owner, type);
    buffer_add_byte(writer->out, ')');
}

void text_write_type(struct text_writer *writer, struct text_owner owner, const Onnx__TypeProto *type)
{
    switch (type->value_case) {
    case ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE:
        buffer_add_text(writer->out, type_name((enum opshift_type)type->tensor_type->elem_type));
        write_shape(writer, owner, type->tensor_type->shape);
        break;
    case ONNX__TYPE_PROTO__VALUE_SPARSE_TENSOR_TYPE:
        buffer_print(writer->out, "sparse_tensor(%s",
                     type_name((enum opshift_type)type->sparse_tensor_type->elem_type));
        write_shape(writer, owner, type->sparse_tensor_type->shape);
        buffer_add_byte(writer->out, ')');
        break;
    case ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE:
        write_inside(writer, owner, "seq", type->sequence_type->elem_type);
        break;
    case ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE:
        write_inside(writer, owner, "optional", type->optional_type->elem_type);
        break;
    case ONNX__TYPE_PROTO__VALUE_MAP_TYPE:
        write_map(writer, owner, type->map_type);
        break;
    case ONNX__TYPE_PROTO__VALUE_OPAQUE_TYPE:
        write_opaque(writer->out, type->opaque_type);
        break;
    default:
        break;
    }
    if (type->has_denotation)
        text_note_string(writer, owner, "denotation of the type", type->denotation);
    text_note_unknown(writer, owner, &type->base);
}
