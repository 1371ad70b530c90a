/* PRT: attributes whose type and fields are inconsistent, and invalid dims. */
#include <inttypes.h>

#include "check/protobuf.h"

/* AttributeProto's fields for values, and the type of each. */
static const struct {
    uint32_t number;
    int type;
} values[] = {
    {2, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT},
    {3, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT},
    {4, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING},
    {5, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR},
    {6, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH},
    {7, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS},
    {8, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS},
    {9, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRINGS},
    {10, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSORS},
    {11, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPHS},
    {14, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TYPE_PROTO},
    {15, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TYPE_PROTOS},
    {22, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__SPARSE_TENSOR},
    {23, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__SPARSE_TENSORS},
};

enum { ATTRIBUTE_TYPE = 20, ATTRIBUTE_REFERENCE = 21 };

int attribute_type_of_field(uint32_t number)
{
    for (size_t i = 0; i < COUNT(values); i++)
        if (values[i].number == number)
            return values[i].type;
    return 0;
}

/* The rows of the fields that are set: their number, and the first two. */
static size_t values_set(const struct part *part, size_t rows[2])
{
    size_t count = 0;
    for (size_t i = 0; i < COUNT(values); i++)
        if (part->fields[values[i].number].count) {
            if (count < 2)
                rows[count] = i;
            count++;
        }
    return count;
}

static const char *type_in_words(int64_t type)
{
    const ProtobufCEnumValue *value =
        protobuf_c_enum_descriptor_get_value(&onnx__attribute_proto__attribute_type__descriptor, (int)type);
    return value ? value->name : "unknown";
}

enum opshift_status attribute_two_values(struct look *look, const struct part *part, struct opshift_error *error)
{
    size_t rows[2];
    if (values_set(part, rows) < 2)
        return OPSHIFT_OK;
    return look_add_field(
        look, part, &part->fields[values[rows[1]].number].last, error, "both %s and %s are set; keep the intended one",
        part_known(part, values[rows[0]].number)->name, part_known(part, values[rows[1]].number)->name);
}

enum opshift_status attribute_other_field(struct look *look, const struct part *part, struct opshift_error *error)
{
    size_t rows[2];
    int64_t type = (int64_t)part->fields[ATTRIBUTE_TYPE].value;
    if (values_set(part, rows) != 1 || type == 0 || type == values[rows[0]].type ||
        protobuf_c_enum_descriptor_get_value(&onnx__attribute_proto__attribute_type__descriptor, (int)type) == NULL)
        return OPSHIFT_OK;
    return look_add_field(look, part, &part->fields[ATTRIBUTE_TYPE].last, error,
                          "type says %s, but the value is in the field %s, which is %s's; correct the type",
                          type_in_words(type), part_known(part, values[rows[0]].number)->name,
                          type_in_words(values[rows[0]].type));
}

enum opshift_status attribute_no_type(struct look *look, const struct part *part, struct opshift_error *error)
{
    if (part->fields[ATTRIBUTE_TYPE].value != 0 || checking_ir_version(look->checking) < 2)
        return OPSHIFT_OK;
    return look_add(look, part, NULL, error, "it has no type, which is required since ir_version 2; add the type");
}

enum opshift_status attribute_reference_and_value(struct look *look, const struct part *part,
                                                  struct opshift_error *error)
{
    size_t rows[2];
    const struct part_field *reference = &part->fields[ATTRIBUTE_REFERENCE];
    if (reference->last.size == 0 || values_set(part, rows) == 0)
        return OPSHIFT_OK;
    const char *name = part_text(look, part, ATTRIBUTE_REFERENCE);
    if (name == NULL)
        return opshift_no_memory(error);
    return look_add_field(look, part, &reference->last, error,
                          "it refers to the function's attribute '%s' and also has a value; keep one of the two", name);
}

/* ---- types of values ---- */

enum opshift_status value_negative_dim(struct look *look, const struct part *part, struct opshift_error *error)
{
    int64_t dim = (int64_t)part->fields[1].value;
    if (part->fields[1].count == 0 || dim >= 0)
        return OPSHIFT_OK;
    return look_add_field(look, part, &part->fields[1].last, error,
                          "a dim is %" PRId64 "; for an unknown dim remove dim_value, or set dim_param", dim);
}
