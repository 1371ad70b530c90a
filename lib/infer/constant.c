/* Types of Constant nodes, and the values of small Constants and initializers. */
#include "infer/frame.h"
#include "infer/shape.h"

#include <string.h>

#include "model/tensor_head.h"
#include "wire/wire.h"

static bool text_is(const struct inference *inference, name_id id, const char *text)
{
    return names_is(inference->model->names, id, text, strlen(text));
}

/* ---- small values ---- */

static enum opshift_status initializer_read(struct inference *inference, const struct initializer *initializer,
                                            struct tensor **tensor, struct opshift_error *error)
{
    return initializer_tensor(inference->model, initializer, INFER_BYTES_MAX, inference->arena, tensor, error);
}

static struct tensor *tensor_from_ints(struct inference *inference, const Onnx__AttributeProto *message, bool list)
{
    struct tensor *tensor =
        tensor_from_int64(inference->arena, list ? message->ints : &message->i, list ? message->n_ints : 1);
    if (tensor && !list)
        tensor->rank = 0;
    return tensor;
}

static struct tensor *tensor_from_floats(struct inference *inference, const Onnx__AttributeProto *message, bool list)
{
    int64_t count = list ? (int64_t)message->n_floats : 1;
    struct tensor *tensor;
    if (tensor_new(inference->arena, OPSHIFT_TYPE_FLOAT, list ? 1 : 0, &count, &tensor, NULL) != OPSHIFT_OK)
        return NULL;
    if (count > 0)
        memcpy(tensor->data, list ? message->floats : &message->f, (size_t)count * sizeof(float));
    return tensor;
}

/* *tensor NULL: not a small constant. */
static enum opshift_status node_read(struct inference *inference, const struct node *node, struct tensor **tensor,
                                     struct opshift_error *error)
{
    struct attribute_range *attributes;
    size_t count;
    Onnx__AttributeProto *message;
    enum opshift_status status = node_attributes(inference->model, node, inference->arena, &attributes, &count, error);
    if (status == OPSHIFT_OK)
        frame_resolve(inference, attributes, &count);
    if (status || count != 1 || attributes[0].reference != NAME_NONE ||
        range_size(attributes[0].range) > INFER_BYTES_MAX)
        return status;
    if (!inference_goes_on(inference, attribute_decode(inference->model, &attributes[0], inference->arena, &message,
                                                       inference_error(inference))))
        return OPSHIFT_OK;
    switch (attributes[0].type) {
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT:
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS:
        *tensor =
            tensor_from_ints(inference, message, attributes[0].type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
        return OPSHIFT_OK;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT:
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS:
        *tensor =
            tensor_from_floats(inference, message, attributes[0].type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS);
        return OPSHIFT_OK;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR:
        return message->t ? model_tensor(inference->model, message->t, inference->arena, tensor, error) : OPSHIFT_OK;
    default:
        return OPSHIFT_OK;
    }
}

bool constant_tensor(struct inference *inference, const struct definition *definition, struct tensor **tensor)
{
    *tensor = NULL;
    enum opshift_status status = OPSHIFT_OK;
    if (definition->kind == DEFINED_INITIALIZER)
        status = initializer_read(inference, &definition->graph->initializers[definition->index], tensor,
                                  inference_error(inference));
    else if (definition->kind == DEFINED_NODE)
        status = node_read(inference, &definition->graph->nodes[definition->index], tensor, inference_error(inference));
    return inference_goes_on(inference, status) && *tensor;
}

/* ---- types of Constants ---- */

static bool tensor_header(struct inference *inference, uint64_t offset, uint64_t size, struct value_type *type)
{
    struct tensor_head head;
    enum opshift_status status =
        tensor_head_read(inference->model->source, offset, size, &head, inference_error(inference));
    if (!inference_goes_on(inference, status) || !shape_new(inference, type, head.rank))
        return false;
    type->type = head.type;
    for (uint32_t i = 0; i < head.rank; i++)
        type->dims[i] = head.dims[i] >= 0 ? head.dims[i] : -1;
    return true;
}

/* The last field with this number in an attribute; false: absent. */
static bool attribute_field(struct inference *inference, const struct attribute_range *attribute, uint32_t number,
                            struct wire_field *last)
{
    struct wire_cursor cursor = {inference->model->source, range_offset(attribute->range), range_end(attribute->range)};
    struct wire_field field;
    bool found = true, seen = false;
    while (inference_goes_on(inference, wire_next(&cursor, &field, &found, inference_error(inference))) && found) {
        if (field.number == number && field.type == WIRE_BYTES) {
            *last = field;
            seen = true;
        }
    }
    return seen;
}

enum setting_state attribute_tensor_type(struct inference *inference, enum attribute_id id, struct value_type *type)
{
    const struct schema_attribute *known = schema_attribute(inference->operation.schema, id);
    size_t count;
    const struct attribute_range *attributes = inference_attributes(inference, &count);
    for (size_t i = 0; i < count; i++) {
        const struct attribute_range *attribute = &attributes[i];
        if (known == NULL || !text_is(inference, attribute->name, known->name))
            continue;
        struct wire_field tensor;
        if (attribute->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR ||
            !attribute_field(inference, attribute, 5, &tensor) ||
            !tensor_header(inference, tensor.offset, tensor.size, type))
            return SETTING_UNKNOWN;
        return SETTING_GIVEN;
    }
    return SETTING_ABSENT;
}

/* Of the one attribute of a Constant. */
static size_t list_count(const struct inference *inference)
{
    const Onnx__AttributeProto *message;
    if (!operation_decode(&inference->operation, 0, &message))
        return SIZE_MAX;
    return message->n_floats + message->n_ints + message->n_strings;
}

static void constant_list(struct inference *inference, enum opshift_type type)
{
    struct value_type *output = &inference->outputs[0];
    size_t count = list_count(inference);
    output->type = type;
    output->is_tensor = true;
    if (shape_new(inference, output, 1) && count != SIZE_MAX)
        output->dims[0] = (int64_t)count;
}

/* A sparse_value has the shape of its dims (3) and the type of its values (1). */
static void constant_sparse(struct inference *inference)
{
    const Onnx__AttributeProto *message;
    struct value_type *output = &inference->outputs[0];
    if (!operation_decode(&inference->operation, 0, &message) || message->sparse_tensor == NULL ||
        message->sparse_tensor->values == NULL)
        return;
    const Onnx__SparseTensorProto *sparse = message->sparse_tensor;
    if (sparse->values->data_type > 0 && sparse->values->data_type < OPSHIFT_TYPE_COUNT)
        output->type = (enum opshift_type)sparse->values->data_type;
    if (shape_new(inference, output, sparse->n_dims))
        for (size_t i = 0; i < sparse->n_dims; i++)
            output->dims[i] = sparse->dims[i] >= 0 ? sparse->dims[i] : -1;
}

void shape_constant(struct inference *inference)
{
    static const struct {
        const char *attribute;
        enum opshift_type type;
        bool list;
    } forms[] = {
        {"value_int", OPSHIFT_TYPE_INT64, false},     {"value_ints", OPSHIFT_TYPE_INT64, true},
        {"value_float", OPSHIFT_TYPE_FLOAT, false},   {"value_floats", OPSHIFT_TYPE_FLOAT, true},
        {"value_string", OPSHIFT_TYPE_STRING, false}, {"value_strings", OPSHIFT_TYPE_STRING, true},
    };
    /* Exactly one value attribute is required. */
    size_t count;
    const struct attribute_range *attribute = inference_attributes(inference, &count);
    if (inference->node->output_count != 1 || count != 1)
        return;
    struct value_type *output = &inference->outputs[0];
    *output = type_unknown;
    if (text_is(inference, attribute->name, "value")) {
        if (attribute_tensor_type(inference, ATTRIBUTE_VALUE, output) < SETTING_DEFAULT)
            *output = type_unknown;
    } else if (text_is(inference, attribute->name, "sparse_value")) {
        constant_sparse(inference);
    }
    for (size_t i = 0; i < COUNT(forms); i++) {
        if (!text_is(inference, attribute->name, forms[i].attribute))
            continue;
        if (forms[i].list)
            constant_list(inference, forms[i].type);
        else if (shape_new(inference, output, 0))
            output->type = forms[i].type;
    }
}
