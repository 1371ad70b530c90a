/* PRT: attributes whose type and fields are inconsistent, and invalid dims. */
#include <inttypes.h>

#include "check/protobuf.h"

#define VALUE_FIELDS UINT64_C(0xc0cffc) /* a bit for each field with an attribute_field_type */

/* The fields that hold values, as bits by number. */
static uint64_t values_set(const struct part *part)
{
    return part->counted & VALUE_FIELDS;
}

static uint32_t first_of(uint64_t fields)
{
    return (uint32_t)__builtin_ctzll(fields);
}

enum opshift_status attribute_two_values(struct part_context *context, const struct part *part,
                                         struct opshift_error *error)
{
    uint64_t set = values_set(part), others = set & (set - 1);
    if (others == 0)
        return OPSHIFT_OK;
    return context_add_field(context, part, part_last(part, first_of(others)), error,
                             "both %s and %s are set; keep the intended one", part_known(part, first_of(set))->name,
                             part_known(part, first_of(others))->name);
}

enum opshift_status attribute_other_field(struct part_context *context, const struct part *part,
                                          struct opshift_error *error)
{
    uint64_t set = values_set(part);
    int64_t type = (int64_t)part_last(part, ATTRIBUTE_FIELD_TYPE)->value;
    if (set == 0 || (set & (set - 1)) != 0 || type == 0 || type == attribute_field_type(first_of(set)) ||
        protobuf_c_enum_descriptor_get_value(&onnx__attribute_proto__attribute_type__descriptor, (int)type) == NULL)
        return OPSHIFT_OK;
    return context_add_field(context, part, part_last(part, ATTRIBUTE_FIELD_TYPE), error,
                             "type says %s, but the value is in the field %s, which is %s's; correct the type",
                             attribute_type_name((Onnx__AttributeProto__AttributeType)type, "unknown"),
                             part_known(part, first_of(set))->name,
                             attribute_type_name(attribute_field_type(first_of(set)), "unknown"));
}

enum opshift_status attribute_no_type(struct part_context *context, const struct part *part,
                                      struct opshift_error *error)
{
    if (part_last(part, ATTRIBUTE_FIELD_TYPE)->value != 0 || checking_ir_version(context->checking) < 2)
        return OPSHIFT_OK;
    return context_add(context, part, NULL, error,
                       "it has no type, which is required since ir_version 2; add the type");
}

enum opshift_status attribute_reference_and_value(struct part_context *context, const struct part *part,
                                                  struct opshift_error *error)
{
    const struct wire_field *reference = part_last(part, ATTRIBUTE_FIELD_REFERENCE);
    if (reference->size == 0 || values_set(part) == 0)
        return OPSHIFT_OK;
    const char *name = part_text(context, part, ATTRIBUTE_FIELD_REFERENCE);
    if (name == NULL)
        return opshift_no_memory(error);
    return context_add_field(context, part, reference, error,
                             "it refers to the function's attribute '%s' and also has a value; keep one of the two",
                             name);
}

/* ---- types of values ---- */

/* TensorShapeProto.Dimension.dim_value */
enum opshift_status value_negative_dim(struct part_context *context, const struct part *part,
                                       struct opshift_error *error)
{
    int64_t dim = (int64_t)part_last(part, 1)->value;
    if (dim >= 0)
        return OPSHIFT_OK;
    return context_add_field(context, part, part_last(part, 1), error,
                             "a dim is %" PRId64 "; for an unknown dim remove dim_value, or set dim_param", dim);
}
