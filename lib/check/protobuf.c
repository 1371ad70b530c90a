/* PRT: the table of checks on files that are not models, malformed bytes, and messages that parsers interpret
 * differently. */
#include "check/protobuf.h"
#include "check/family.h"

const struct check checks_protobuf[] = {
    /* ---- malformed files: these ids stand for failures (check_of_fault) ---- */
    {CHECK(PRT001), .scope = CHECK_FAILURE},
    {CHECK(PRT002), .scope = CHECK_FAILURE},
    {CHECK(PRT003), .scope = CHECK_FAILURE},
    {CHECK(PRT004), .scope = CHECK_FAILURE},
    {CHECK(PRT005), .scope = CHECK_FAILURE},
    {CHECK(PRT006), .scope = CHECK_FAILURE},
    {CHECK(PRT007), .scope = CHECK_FAILURE},
    {CHECK(PRT008), .scope = CHECK_FAILURE},
    {CHECK(PRT009), .scope = CHECK_FAILURE},
    {CHECK(PRT010), .scope = CHECK_FAILURE},
    {CHECK(PRT011), .scope = CHECK_FAILURE},
    {CHECK(PRT012), .scope = CHECK_FAILURE},
    {CHECK(PRT013), .scope = CHECK_FAILURE},
    {CHECK(PRT014), .scope = CHECK_FAILURE},
    {CHECK(PRT015), .scope = CHECK_FAILURE},
    {CHECK(PRT016), .scope = CHECK_FAILURE},
    /* ---- fields ---- */
    {CHECK(PRT020), .scope = CHECK_PART, .notes = 1u << NOTE_UNKNOWN, .find_part = unknown_field},
    {CHECK(PRT021), .scope = CHECK_PART, .notes = 1u << NOTE_TWICE, .find_part = message_twice},
    {CHECK(PRT022), .scope = CHECK_PART, .notes = 1u << NOTE_TWICE, .find_part = scalar_twice},
    {CHECK(PRT023), .scope = CHECK_PART, .notes = 1u << NOTE_ONE_OF, .find_part = two_alternatives},
    {CHECK(PRT024), .scope = CHECK_PART, .notes = 1u << NOTE_NOT_UTF8, .find_part = not_utf8},
    {CHECK(PRT025), .scope = CHECK_PART, .notes = 1u << NOTE_NUL, .find_part = nul_in_text},
    {CHECK(PRT026), .scope = CHECK_PART, .notes = 1u << NOTE_OVERLONG, .find_part = overlong_varint},
    {CHECK(PRT027), .scope = CHECK_PART, .fields = enumeration_fields, .find_part = enum_unknown},
    {CHECK(PRT028), .scope = CHECK_PART, .fields = metadata_fields, .find_part = metadata_key_twice,
     FIXED_BY(metadata_unite)},
    {CHECK(PRT029), .scope = CHECK_PART, .fields = newer_fields, .find_part = field_before_its_version},
    {CHECK(PRT030), .scope = CHECK_PART, .fields = element_type_fields, .find_part = type_before_its_version},
    /* ---- the header ---- */
    {CHECK(PRT040), .scope = CHECK_MODEL, .find = ir_version_missing},
    {CHECK(PRT041), .scope = CHECK_MODEL, .find = ir_version_unknown},
    {CHECK(PRT042), .scope = CHECK_MODEL, .find = imports_missing},
    {CHECK(PRT043), .scope = CHECK_MODEL, .find = imports_too_early},
    {CHECK(PRT044), .scope = CHECK_PART, .fields = import_fields, .find_part = import_twice, FIXED_BY(import_unite)},
    {CHECK(PRT045), .scope = CHECK_PART, .fields = import_fields, .find_part = import_conflict},
    {CHECK(PRT046), .scope = CHECK_PART, .fields = import_fields, .find_part = import_version_invalid},
    /* ---- attributes and values ---- */
    {CHECK(PRT050), .scope = CHECK_PART, .kind = &onnx__attribute_proto__descriptor, .find_part = attribute_two_values},
    {CHECK(PRT051), .scope = CHECK_PART, .kind = &onnx__attribute_proto__descriptor,
     .find_part = attribute_other_field},
    {CHECK(PRT052), .scope = CHECK_PART, .kind = &onnx__attribute_proto__descriptor, .find_part = attribute_no_type,
     FIXED_BY(attribute_type_add)},
    {CHECK(PRT053), .scope = CHECK_PART, .kind = &onnx__attribute_proto__descriptor,
     .find_part = attribute_reference_and_value},
    {CHECK(PRT055), .scope = CHECK_PART, .kind = &onnx__tensor_shape_proto__dimension__descriptor,
     .has = UINT64_C(1) << 1, .find_part = value_negative_dim, FIXED_BY(negative_dim_remove)},
    /* ---- tensors ---- */
    {CHECK(PRT060), .scope = CHECK_PART, .kind = &onnx__tensor_proto__descriptor, .find_part = tensor_type_unknown},
    {CHECK(PRT061), .scope = CHECK_PART, .kind = &onnx__tensor_proto__descriptor, .find_part = tensor_negative_dim},
    {CHECK(PRT062), .scope = CHECK_PART, .kind = &onnx__tensor_proto__descriptor, .find_part = tensor_two_fields},
    {CHECK(PRT063), .scope = CHECK_PART, .kind = &onnx__tensor_proto__descriptor, .find_part = tensor_other_field},
    {CHECK(PRT064), .scope = CHECK_PART, .kind = &onnx__tensor_proto__descriptor, .find_part = tensor_raw_strings},
    {CHECK(PRT065), .scope = CHECK_PART, .kind = &onnx__tensor_proto__descriptor, .find_part = tensor_size},
    {CHECK(PRT066), .scope = CHECK_PART, .kind = &onnx__tensor_proto__descriptor, .find_part = tensor_segment},
    {CHECK(PRT067), .scope = CHECK_PART, .kind = &onnx__sparse_tensor_proto__descriptor, .find_part = sparse_form},
    {CHECK(PRT068), .scope = CHECK_PART, .kind = &onnx__sparse_tensor_proto__descriptor, .find_part = sparse_range},
    {CHECK(PRT069), .scope = CHECK_PART, .kind = &onnx__sparse_tensor_proto__descriptor, .find_part = sparse_order},
    {CHECK(PRT070), .scope = CHECK_PART, .kind = &onnx__tensor_proto__descriptor, .find_part = tensor_range},
    {0},
};

static enum check_id id_of_fault(const struct opshift_error *why)
{
    static const enum check_id ids[] = {
        [OPSHIFT_FAULT_EMPTY] = PRT002,        [OPSHIFT_FAULT_LFS_POINTER] = PRT003,
        [OPSHIFT_FAULT_COMPRESSED] = PRT004,   [OPSHIFT_FAULT_TEXT] = PRT005,
        [OPSHIFT_FAULT_FOREIGN] = PRT006,      [OPSHIFT_FAULT_CUT_SHORT] = PRT007,
        [OPSHIFT_FAULT_LENGTH] = PRT008,       [OPSHIFT_FAULT_VARINT] = PRT009,
        [OPSHIFT_FAULT_FIELD_NUMBER] = PRT010, [OPSHIFT_FAULT_GROUP] = PRT011,
        [OPSHIFT_FAULT_NO_WIRE_TYPE] = PRT012, [OPSHIFT_FAULT_WIRE_TYPE] = PRT013,
        [OPSHIFT_FAULT_NO_GRAPH] = PRT014,     [OPSHIFT_FAULT_TWO_GRAPHS] = PRT015,
        [OPSHIFT_FAULT_NESTING] = LIM001,      [OPSHIFT_FAULT_MEMORY] = LIM002,
        [OPSHIFT_FAULT_IMPORTS] = LIM003,      [OPSHIFT_FAULT_DEFAULT_GRAPH] = LIM004,
        [OPSHIFT_FAULT_COUNT] = LIM011,        [OPSHIFT_FAULT_IR] = PRT006,
    };
    enum check_id id = (size_t)why->fault < COUNT(ids) ? ids[why->fault] : CHECK_NONE;
    if (id)
        return id;
    return why->status == OPSHIFT_IO ? PRT001 : PRT016;
}

const struct check *check_of_fault(const struct opshift_error *why)
{
    return check_by_id(id_of_fault(why));
}
