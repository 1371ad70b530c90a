/* Prints tensors, the same text for raw and typed data. */
#include "model/text_write.h"

#include <inttypes.h>
#include <string.h>

#include "model/text_element.h"

static bool is_external(const Onnx__TensorProto *tensor)
{
    return tensor->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
}

/* Number of values in the typed field of this element type. */
static size_t typed_count(const Onnx__TensorProto *tensor, enum text_field field)
{
    switch (field) {
    case FIELD_INT32:
        return tensor->n_int32_data;
    case FIELD_INT64:
        return tensor->n_int64_data;
    case FIELD_UINT64:
        return tensor->n_uint64_data;
    case FIELD_FLOAT:
        return tensor->n_float_data;
    case FIELD_DOUBLE:
        return tensor->n_double_data;
    case FIELD_STRING:
        return tensor->n_string_data;
    case FIELD_NONE:
        break;
    }
    return 0;
}

static size_t payload_count(const Onnx__TensorProto *tensor)
{
    return (tensor->raw_data.len != 0) + (tensor->n_int32_data != 0) + (tensor->n_int64_data != 0) +
           (tensor->n_uint64_data != 0) + (tensor->n_float_data != 0) + (tensor->n_double_data != 0) +
           (tensor->n_string_data != 0);
}

/* The bits of number `at`, as in raw_data. Raw data is little-endian; elements of less than a byte share
 * one, the first in its low bits. */
static uint64_t raw_number(const Onnx__TensorProto *tensor, const struct text_element *element, uint64_t at)
{
    uint64_t bits = 0;
    if (element->bits < 8) {
        uint64_t bit = at * element->bits;
        return (uint64_t)tensor->raw_data.data[bit / 8] >> bit % 8 & ((1u << element->bits) - 1);
    }
    size_t size = element->bits / 8;
    for (size_t i = 0; i < size; i++)
        bits |= (uint64_t)tensor->raw_data.data[at * size + i] << (8 * i);
    return bits;
}

static uint64_t typed_number(const Onnx__TensorProto *tensor, const struct text_element *element, uint64_t at)
{
    uint64_t bits = 0;
    uint32_t word;
    switch (element->field) {
    case FIELD_INT32:
        if (element->bits >= 8)
            return (uint64_t)(int64_t)tensor->int32_data[at];
        bits = at * element->bits;
        return (uint64_t)(uint8_t)tensor->int32_data[bits / 8] >> bits % 8 & ((1u << element->bits) - 1);
    case FIELD_INT64:
        return (uint64_t)tensor->int64_data[at];
    case FIELD_UINT64:
        return tensor->uint64_data[at];
    case FIELD_FLOAT:
        memcpy(&word, &tensor->float_data[at], sizeof(word));
        return word;
    case FIELD_DOUBLE:
        memcpy(&bits, &tensor->double_data[at], sizeof(bits));
        return bits;
    default:
        return 0;
    }
}

/* Sign-extends for the element type. */
static int64_t signed_number(uint64_t bits, const struct text_element *element)
{
    uint64_t sign = UINT64_C(1) << (element->bits - 1), mask = (sign << 1) - 1;
    bits &= mask;
    return element->least < 0 && bits & sign ? (int64_t)(bits | ~mask) : (int64_t)bits;
}

/* Does the value fit? A typed field is wider than most of its element types. */
static bool fits(const Onnx__TensorProto *tensor, const struct text_element *element)
{
    for (size_t i = 0; i < tensor->n_int32_data; i++) {
        int32_t value = tensor->int32_data[i];
        if (element->bits < 8 ? value < 0 || value > 255 : value < element->least || value > element->greatest)
            return false;
    }
    for (size_t i = 0; i < tensor->n_uint64_data; i++)
        if (tensor->uint64_data[i] > (uint64_t)element->greatest)
            return false;
    for (size_t i = 0; tensor->data_type == OPSHIFT_TYPE_BOOL && i < tensor->raw_data.len; i++)
        if (tensor->raw_data.data[i] > 1)
            return false;
    return true;
}

const char *text_tensor_obstacle(const Onnx__TensorProto *tensor)
{
    const struct text_element *element = text_element(tensor->data_type);
    uint64_t count, bits;
    if (!element)
        return "its element type is unknown";
    if (tensor->segment)
        return "it is a segment of a tensor";
    if (is_external(tensor))
        return payload_count(tensor) ? "it has data both inside and outside the model" : NULL;
    if (!text_count(tensor->dims, tensor->n_dims, &count) ||
        __builtin_mul_overflow(count, element->per_element, &count) || count > UINT64_MAX / 64)
        return "its dims are negative or too big";
    if (payload_count(tensor) > 1)
        return "it has data in more than one field";
    bits = count * element->bits;
    if (element->field == FIELD_STRING)
        return tensor->n_string_data == count && !tensor->raw_data.len ? NULL : "its data does not match its dims";
    if (tensor->raw_data.len)
        return tensor->raw_data.len != bits / 8 + (bits % 8 != 0) ? "its data does not match its dims"
               : !fits(tensor, element)                           ? "its data does not fit its element type"
                                                                  : NULL;
    if (element->bits < 8)
        count = bits / 8 + (bits % 8 != 0);
    if (typed_count(tensor, element->field) != count || payload_count(tensor) != (count != 0))
        return "its data does not match its dims";
    return fits(tensor, element) ? NULL : "its data does not fit its element type";
}

static void write_number(struct text_writer *writer, const struct text_element *element, uint64_t bits)
{
    float single;
    double wide;
    uint32_t word = (uint32_t)bits;
    switch (element->field) {
    case FIELD_UINT64:
        buffer_print(writer->out, "%" PRIu64, bits);
        break;
    case FIELD_FLOAT:
        memcpy(&single, &word, sizeof(single));
        text_write_float(writer, single);
        break;
    case FIELD_DOUBLE:
        memcpy(&wide, &bits, sizeof(wide));
        text_write_double(writer, wide);
        break;
    default:
        buffer_print(writer->out, "%" PRId64, signed_number(bits, element));
    }
}

static void write_braces(struct text_writer *writer, const Onnx__TensorProto *tensor)
{
    const struct text_element *element = text_element(tensor->data_type);
    uint64_t count = 0;
    text_count(tensor->dims, tensor->n_dims, &count);
    count *= element->per_element;
    buffer_add_byte(writer->out, '{');
    for (uint64_t i = 0; i < count; i++) {
        buffer_add_text(writer->out, i ? ", " : "");
        if (element->field == FIELD_STRING)
            text_write_string(writer->out, tensor->string_data[i]);
        else if (tensor->raw_data.len)
            write_number(writer, element, raw_number(tensor, element, i));
        else
            write_number(writer, element, typed_number(tensor, element, i));
    }
    buffer_add_byte(writer->out, '}');
}

static void note_tensor(struct text_writer *writer, const Onnx__TensorProto *tensor)
{
    struct text_owner owner = {"tensor", tensor->name};
    if (tensor->has_doc_string)
        text_note_string(writer, owner, "doc_string", tensor->doc_string);
    text_note_pairs(writer, owner, "metadata_props", tensor->n_metadata_props, tensor->metadata_props);
    if (!is_external(tensor))
        text_note_pairs(writer, owner, "external_data", tensor->n_external_data, tensor->external_data);
    if (writer->odd_nan)
        text_note(writer, owner, "the bits of NaNs", NULL);
    writer->odd_nan = false;
    text_note_unknown(writer, owner, &tensor->base);
}

static void write_dims(struct buffer *out, size_t count, const int64_t *dims)
{
    for (size_t i = 0; i < count; i++)
        buffer_print(out, "%s%" PRId64, i ? ", " : "[", dims[i]);
    buffer_add_text(out, count ? "]" : "");
}

void text_write_tensor_data(struct text_writer *writer, const Onnx__TensorProto *tensor)
{
    if (is_external(tensor))
        text_write_pairs(writer->out, tensor->n_external_data, tensor->external_data);
    else
        write_braces(writer, tensor);
    note_tensor(writer, tensor);
}

/* " name" and " = ", if needed; without '=' the list of an external scalar would be parsed as its dims. */
static void write_name(struct buffer *out, bool has_name, ProtobufCBinaryData name, bool equals)
{
    buffer_add_byte(out, ' ');
    if (has_name) {
        text_write_name(out, name);
        buffer_add_byte(out, ' ');
    }
    buffer_add_text(out, equals ? "= " : "");
}

void text_write_tensor(struct text_writer *writer, const Onnx__TensorProto *tensor, bool initializer)
{
    buffer_add_text(writer->out, type_name((enum opshift_type)tensor->data_type));
    write_dims(writer->out, tensor->n_dims, tensor->dims);
    write_name(writer->out, initializer || tensor->has_name, tensor->name, initializer || is_external(tensor));
    text_write_tensor_data(writer, tensor);
}

const char *text_sparse_obstacle(const Onnx__SparseTensorProto *sparse)
{
    if (!sparse->values || !sparse->indices)
        return "it lacks values or indices";
    const char *obstacle = text_tensor_obstacle(sparse->values);
    return obstacle ? obstacle : text_tensor_obstacle(sparse->indices);
}

void text_write_sparse(struct text_writer *writer, const Onnx__SparseTensorProto *sparse, bool initializer)
{
    Onnx__TensorProto values = *sparse->values;
    values.has_name = false;
    buffer_print(writer->out, "sparse_tensor(%s", type_name((enum opshift_type)values.data_type));
    write_dims(writer->out, sparse->n_dims, sparse->dims);
    buffer_add_byte(writer->out, ')');
    write_name(writer->out, initializer || sparse->values->has_name, sparse->values->name, initializer);
    buffer_add_byte(writer->out, '{');
    text_write_tensor(writer, &values, false);
    buffer_add_text(writer->out, ", ");
    text_write_tensor(writer, sparse->indices, false);
    buffer_add_byte(writer->out, '}');
    text_note_unknown(writer, (struct text_owner){"sparse tensor", sparse->values->name}, &sparse->base);
}
