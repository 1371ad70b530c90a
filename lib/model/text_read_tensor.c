/* Parses tensors: float[2] {1.0, 2.0}, float[8] = ["location": "weights.bin"].
 *
 * Extensions of the published syntax: decimals for float16 and bfloat16 (an integer is the bits), the
 * elements of 4-bit and 2-bit types one by one, and sparse tensors: sparse_tensor(float[9]) {float[2] {1.0, 2.0},
 * int64[2] {0, 7}}, the values, then the indices. */
#include "model/text_read.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "model/text_element.h"

static void read_strings(struct text_reader *reader, Onnx__TensorProto *tensor)
{
    struct text_list list = {0};
    do {
        ProtobufCBinaryData value = text_string(reader);
        ProtobufCBinaryData *place = text_list_add(reader, &list, sizeof(*place));
        if (place)
            *place = value;
    } while (text_more(reader, '}'));
    tensor->n_string_data = list.count;
    tensor->string_data = list.items;
}

static void read_floats(struct text_reader *reader, Onnx__TensorProto *tensor)
{
    struct text_list list = {0};
    do {
        float value = text_float(reader);
        float *place = text_list_add(reader, &list, sizeof(*place));
        if (place)
            *place = value;
    } while (text_more(reader, '}'));
    tensor->n_float_data = list.count;
    tensor->float_data = list.items;
}

static void read_doubles(struct text_reader *reader, Onnx__TensorProto *tensor)
{
    struct text_list list = {0};
    do {
        double value = text_double(reader);
        double *place = text_list_add(reader, &list, sizeof(*place));
        if (place)
            *place = value;
    } while (text_more(reader, '}'));
    tensor->n_double_data = list.count;
    tensor->double_data = list.items;
}

static void read_int64s(struct text_reader *reader, Onnx__TensorProto *tensor)
{
    struct text_list list = {0};
    do {
        int64_t value = text_int64(reader, INT64_MIN, INT64_MAX, "an int64");
        int64_t *place = text_list_add(reader, &list, sizeof(*place));
        if (place)
            *place = value;
    } while (text_more(reader, '}'));
    tensor->n_int64_data = list.count;
    tensor->int64_data = list.items;
}

static void read_uint64s(struct text_reader *reader, Onnx__TensorProto *tensor, const struct text_element *element)
{
    struct text_list list = {0};
    do {
        uint64_t value = text_uint64(reader, (uint64_t)element->greatest,
                                     element->bits == 32 ? "a uint32 from 0 to 4294967295" : "a uint64");
        uint64_t *place = text_list_add(reader, &list, sizeof(*place));
        if (place)
            *place = value;
    } while (text_more(reader, '}'));
    tensor->n_uint64_data = list.count;
    tensor->uint64_data = list.items;
}

/* The bits of the small float nearest to value, ties to even; overflow gives infinity. */
static int32_t small_float(double value, const struct text_element *element)
{
    int bias = (1 << (element->exponent - 1)) - 1, infinite = (2 * bias + 1) << element->mantissa;
    int sign = signbit(value) ? 1 << (element->exponent + element->mantissa) : 0;
    if (isnan(value))
        return sign | infinite | 1 << (element->mantissa - 1);
    if (value == 0)
        return sign;
    int exponent = 0;
    if (isinf(value) || (frexp(value, &exponent), exponent > bias + 1))
        return sign | infinite;
    /* Subnormal numbers have the exponent of the least normal one. */
    int step = (exponent - 1 < 1 - bias ? 1 - bias : exponent - 1) - element->mantissa;
    int steps = (int)nearbyint(ldexp(fabs(value), -step));
    int shifts = step + element->mantissa + bias - 1;
    return sign | (steps + (shifts << element->mantissa));
}

static int32_t read_int32(struct text_reader *reader, const struct text_element *element, const char *what)
{
    if (element->exponent && text_is_number(reader) && reader->token.kind != TOKEN_INTEGER)
        return small_float(text_double(reader), element);
    return (int32_t)text_int64(reader, element->least, element->greatest, what);
}

/* 4-bit and 2-bit elements share a byte, the first in its low bits. */
static void pack(struct text_list *list, uint8_t bits)
{
    uint32_t *numbers = list->items;
    size_t per_byte = 8u / bits, bytes = list->count / per_byte + (list->count % per_byte != 0);
    for (size_t i = 0; i < bytes; i++) {
        uint32_t byte = 0;
        for (size_t k = 0; k < per_byte && i * per_byte + k < list->count; k++)
            byte |= (numbers[i * per_byte + k] & ((1u << bits) - 1)) << (k * bits);
        numbers[i] = byte;
    }
    list->count = bytes;
}

/* Returns the count of numbers before packing. */
static size_t read_int32s(struct text_reader *reader, Onnx__TensorProto *tensor, const struct text_element *element)
{
    char what[80];
    const char *type = type_name((enum opshift_type)tensor->data_type);
    snprintf(what, sizeof(what), "%s %s from %" PRId64 " to %" PRId64, type[0] == 'i' ? "an" : "a", type,
             element->least, element->greatest);
    struct text_list list = {0};
    do {
        int32_t value = read_int32(reader, element, what);
        int32_t *place = text_list_add(reader, &list, sizeof(*place));
        if (place)
            *place = value;
    } while (text_more(reader, '}'));
    size_t count = list.count;
    if (element->bits < 8)
        pack(&list, element->bits);
    tensor->n_int32_data = list.count;
    tensor->int32_data = list.items;
    return count;
}

/* The elements up to the closing brace; returns the count of numbers. */
static size_t read_elements(struct text_reader *reader, Onnx__TensorProto *tensor, const struct text_element *element)
{
    switch (element->field) {
    case FIELD_INT32:
        return read_int32s(reader, tensor, element);
    case FIELD_INT64:
        read_int64s(reader, tensor);
        return tensor->n_int64_data;
    case FIELD_UINT64:
        read_uint64s(reader, tensor, element);
        return tensor->n_uint64_data;
    case FIELD_FLOAT:
        read_floats(reader, tensor);
        return tensor->n_float_data;
    case FIELD_DOUBLE:
        read_doubles(reader, tensor);
        return tensor->n_double_data;
    case FIELD_STRING:
        read_strings(reader, tensor);
        return tensor->n_string_data;
    case FIELD_NONE:
        break;
    }
    return 0;
}

static void read_braces(struct text_reader *reader, Onnx__TensorProto *tensor)
{
    const struct text_element *element = text_element(tensor->data_type);
    struct token open = reader->token;
    uint64_t wanted, seen = 0;
    if (!text_count(tensor->dims, tensor->n_dims, &wanted) ||
        __builtin_mul_overflow(wanted, element->per_element, &wanted)) {
        text_refuse(reader, &open, "the dims before the data are negative or make too many elements");
        return;
    }
    text_expect(reader, '{');
    if (!text_accept(reader, '}'))
        seen = read_elements(reader, tensor, element);
    if (seen != wanted)
        text_refuse(reader, &open, "expected %" PRIu64 " %s, as the dims say, found %" PRIu64, wanted,
                    element->field == FIELD_STRING ? "strings" : "numbers", seen);
}

void text_pairs(struct text_reader *reader, size_t *count, Onnx__StringStringEntryProto ***pairs)
{
    struct text_list list = {0};
    text_expect(reader, '[');
    if (text_accept(reader, ']'))
        return;
    do {
        Onnx__StringStringEntryProto *pair =
            text_list_add_message(reader, &list, &onnx__string_string_entry_proto__descriptor);
        if (!pair)
            return;
        pair->has_key = pair->has_value = true;
        pair->key = text_string(reader);
        text_expect(reader, ':');
        pair->value = text_string(reader);
    } while (text_more(reader, ']'));
    *count = list.count;
    *pairs = list.items;
}

/* The dims of a type as numbers; no shape ([]) counts as a scalar. */
static void set_dims(struct text_reader *reader, const Onnx__TensorShapeProto *shape, size_t *count, int64_t **dims)
{
    struct text_list list = {0};
    for (size_t i = 0; shape && i < shape->n_dim; i++) {
        int64_t *place = text_list_add(reader, &list, sizeof(*place));
        if (!place)
            return;
        if (shape->dim[i]->value_case != ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE) {
            text_fail(reader, "only numbers as dims before the data of a tensor");
            return;
        }
        *place = shape->dim[i]->dim_value;
    }
    *count = list.count;
    *dims = list.items;
}

Onnx__TensorProto *text_tensor_data(struct text_reader *reader, const Onnx__TypeProto *type, ProtobufCBinaryData name)
{
    Onnx__TensorProto *tensor = text_message(reader, &onnx__tensor_proto__descriptor);
    if (!tensor)
        return NULL;
    if (!type || type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE) {
        text_fail(reader, "a tensor's type before the data");
        return NULL;
    }
    tensor->has_name = name.data != NULL;
    tensor->name = name;
    tensor->has_data_type = true;
    tensor->data_type = type->tensor_type->elem_type;
    set_dims(reader, type->tensor_type->shape, &tensor->n_dims, &tensor->dims);
    if (text_is(reader, '[')) {
        tensor->has_data_location = true;
        tensor->data_location = ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
        text_pairs(reader, &tensor->n_external_data, &tensor->external_data);
    } else if (text_is(reader, '{')) {
        read_braces(reader, tensor);
    } else {
        text_fail(reader, "the data of a tensor: '{' or '['");
    }
    return tensor;
}

bool text_is_tensor_rest(const struct text_reader *reader)
{
    return text_is(reader, '{') || text_is(reader, '=') || text_is_name(reader);
}

static ProtobufCBinaryData read_optional_name(struct text_reader *reader)
{
    ProtobufCBinaryData name = {0};
    if (text_is_name(reader))
        name = text_name(reader, "a tensor's name");
    text_accept(reader, '=');
    return name;
}

Onnx__TensorProto *text_tensor_rest(struct text_reader *reader, const Onnx__TypeProto *type)
{
    ProtobufCBinaryData name = read_optional_name(reader);
    return text_tensor_data(reader, type, name);
}

Onnx__SparseTensorProto *text_sparse_data(struct text_reader *reader, const Onnx__TypeProto *type,
                                          ProtobufCBinaryData name)
{
    Onnx__SparseTensorProto *sparse = text_message(reader, &onnx__sparse_tensor_proto__descriptor);
    if (!sparse)
        return NULL;
    set_dims(reader, type->sparse_tensor_type->shape, &sparse->n_dims, &sparse->dims);
    text_expect(reader, '{');
    struct token values = reader->token;
    sparse->values = text_tensor_rest(reader, text_type(reader));
    if (sparse->values && sparse->values->data_type != type->sparse_tensor_type->elem_type)
        text_fail_at(reader, &values, "values of the sparse tensor's type %s",
                     type_name((enum opshift_type)type->sparse_tensor_type->elem_type));
    if (sparse->values && name.data) {
        sparse->values->has_name = true;
        sparse->values->name = name;
    }
    text_expect(reader, ',');
    sparse->indices = text_tensor_rest(reader, text_type(reader));
    text_expect(reader, '}');
    return sparse;
}

Onnx__SparseTensorProto *text_sparse_rest(struct text_reader *reader, const Onnx__TypeProto *type)
{
    ProtobufCBinaryData name = read_optional_name(reader);
    return text_sparse_data(reader, type, name);
}
