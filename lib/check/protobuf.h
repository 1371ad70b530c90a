/* PRT: what its table names; each looks at one message, or at the model. */
#ifndef CHECK_PROTOBUF_H
#define CHECK_PROTOBUF_H

#include "check/part.h"
#include "model/fields.h"

typedef enum opshift_status part_find(struct part_context *context, const struct part *part,
                                      struct opshift_error *error);
typedef enum opshift_status subject_check(struct checking *checking, const struct subject *subject,
                                          struct opshift_error *error);

/* ---- any message (protobuf_field.c) ---- */

part_find unknown_field, message_twice, scalar_twice, two_alternatives, not_utf8, nul_in_text, overlong_varint;
part_find enum_unknown, metadata_key_twice, field_before_its_version, type_before_its_version;

/* The fields of messages of this kind that concern a check: bits by number. */
typedef uint64_t part_fields(const ProtobufCMessageDescriptor *kind);

part_fields element_type_fields, enumeration_fields, metadata_fields, newer_fields;

/* ---- attributes and values (protobuf_value.c) ---- */

part_find attribute_two_values, attribute_other_field, attribute_no_type, attribute_reference_and_value;
part_find value_negative_dim;
part_fields dim_value_fields;

/* ---- what fixes (protobuf_fix.c) ---- */

typedef enum opshift_status part_fix(struct checking *checking, const struct finding *finding,
                                     struct opshift_error *error);

part_fix metadata_unite, import_unite, attribute_type_add, negative_dim_remove;

/* ---- tensors (protobuf_tensor.c) ---- */

part_find tensor_type_unknown, tensor_negative_dim, tensor_two_fields, tensor_other_field, tensor_raw_strings;
part_find tensor_size, tensor_range, tensor_segment, sparse_form, sparse_range, sparse_order;

/* What a TensorProto says of itself. */
struct tensor_facts {
    int64_t type;
    const char *type_name; /* NULL: unknown */
    const int64_t *dims;   /* valid until the next part_numbers */
    size_t rank;
    bool negative;  /* one of the dims */
    bool overflow;  /* more elements than an int64 counts */
    uint64_t count; /* elements */
    uint64_t size;  /* bytes; 0 for strings */
    bool external;
};
enum opshift_status tensor_read_facts(struct part_context *context, const struct part *part, struct tensor_facts *facts,
                                      struct opshift_error *error);
/* Is the same key there twice among a part's entries in a field? Then in which of the records. */
enum opshift_status entry_key_twice(struct part_context *context, const struct part *part, uint32_t number,
                                    struct wire_field *second, struct opshift_error *error);

/* Where a tensor's external data lies, valid until the next tensor; NULL: its data is in the model (external_data.c).
 */
enum opshift_status part_location(struct part_context *context, const struct part *part, const char **location,
                                  struct opshift_error *error);

/* ---- the model's header (protobuf_model.c) ---- */

subject_check ir_version_missing, ir_version_unknown, imports_missing, imports_too_early;
/* Of the model and of its functions. */
part_find import_twice, import_conflict, import_version_invalid;
part_fields import_fields;

#endif
