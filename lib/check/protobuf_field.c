/* PRT: faults possible in any message: unknown or duplicate fields, invalid UTF-8, duplicate keys. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/protobuf.h"

enum opshift_status unknown_field(struct part_context *context, const struct part *part, struct opshift_error *error)
{
    return context_add_field(context, part, &part->notes[NOTE_UNKNOWN], error,
                             "%s has a field %" PRIu32 ", which ONNX does not have; readers drop it",
                             part->kind->short_name, part->notes[NOTE_UNKNOWN].number);
}

/* The first singular field that occurs more than once. */
static const ProtobufCFieldDescriptor *field_twice(const struct part *part, bool messages)
{
    for (uint32_t number = 0; part->repeated >> number != 0; number++) {
        const ProtobufCFieldDescriptor *known = part->repeated >> number & 1 ? part_known(part, number) : NULL;
        if (known != NULL && (known->type == PROTOBUF_C_TYPE_MESSAGE) == messages)
            return known;
    }
    return NULL;
}

enum opshift_status message_twice(struct part_context *context, const struct part *part, struct opshift_error *error)
{
    const ProtobufCFieldDescriptor *known = field_twice(part, true);
    if (known == NULL)
        return OPSHIFT_OK;
    return context_add_field(context, part, part_last(part, known->id), error,
                             "%s.%s is given %" PRIu32 " times; readers merge them into one; write it once",
                             part->kind->short_name, known->name, part->fields[known->id].count);
}

enum opshift_status scalar_twice(struct part_context *context, const struct part *part, struct opshift_error *error)
{
    const ProtobufCFieldDescriptor *known = field_twice(part, false);
    if (known == NULL)
        return OPSHIFT_OK;
    return context_add_field(context, part, part_last(part, known->id), error,
                             "%s.%s is given %" PRIu32 " times, and only the last one counts; write it once",
                             part->kind->short_name, known->name, part->fields[known->id].count);
}

enum opshift_status two_alternatives(struct part_context *context, const struct part *part, struct opshift_error *error)
{
    return context_add_field(context, part, &part->notes[NOTE_ONE_OF], error,
                             "%s.%s is set beside an alternative to it; only the last one counts",
                             part->kind->short_name, part_known(part, part->notes[NOTE_ONE_OF].number)->name);
}

enum opshift_status not_utf8(struct part_context *context, const struct part *part, struct opshift_error *error)
{
    return context_add_field(context, part, &part->notes[NOTE_NOT_UTF8], error,
                             "%s.%s is not UTF-8; write it in that encoding", part->kind->short_name,
                             part_known(part, part->notes[NOTE_NOT_UTF8].number)->name);
}

enum opshift_status nul_in_text(struct part_context *context, const struct part *part, struct opshift_error *error)
{
    return context_add_field(context, part, &part->notes[NOTE_NUL], error,
                             "%s.%s contains a NUL character, at which readers in C cut it; remove it",
                             part->kind->short_name, part_known(part, part->notes[NOTE_NUL].number)->name);
}

enum opshift_status overlong_varint(struct part_context *context, const struct part *part, struct opshift_error *error)
{
    return context_add_field(context, part, &part->notes[NOTE_OVERLONG], error,
                             "%s.%s is written with more bytes than necessary; another writer produces other bytes",
                             part->kind->short_name, part_known(part, part->notes[NOTE_OVERLONG].number)->name);
}

/* ---- enumerations ---- */

/* The fields for element types, which are plain integers in our proto and in ONNX's. */
static bool is_element_type(const ProtobufCMessageDescriptor *kind, uint32_t number)
{
    if (kind == &onnx__type_proto__tensor__descriptor || kind == &onnx__type_proto__sparse_tensor__descriptor ||
        kind == &onnx__type_proto__map__descriptor)
        return number == 1;
    return kind == &onnx__tensor_proto__descriptor && number == 2;
}

uint64_t element_type_fields(const ProtobufCMessageDescriptor *kind)
{
    if (kind == &onnx__attribute_proto__descriptor)
        return UINT64_C(1) << 3;
    return (uint64_t)is_element_type(kind, 1) << 1 | (uint64_t)is_element_type(kind, 2) << 2;
}

/* A tensor's data_type has its own check. */
static bool is_enumeration(const ProtobufCMessageDescriptor *kind, const ProtobufCFieldDescriptor *known)
{
    return known->type == PROTOBUF_C_TYPE_ENUM ||
           (is_element_type(kind, known->id) && kind != &onnx__tensor_proto__descriptor);
}

uint64_t enumeration_fields(const ProtobufCMessageDescriptor *kind)
{
    uint64_t fields = 0;
    for (unsigned i = 0; i < kind->n_fields; i++)
        if (is_enumeration(kind, &kind->fields[i]))
            fields |= UINT64_C(1) << kind->fields[i].id;
    return fields;
}

static bool value_is_known(const struct part *part, const ProtobufCFieldDescriptor *known)
{
    int64_t value = (int64_t)part_last(part, known->id)->value;
    if (known->type == PROTOBUF_C_TYPE_ENUM)
        return value == (int32_t)value && protobuf_c_enum_descriptor_get_value(known->descriptor, (int)value);
    return value >= 0 && value < OPSHIFT_TYPE_COUNT;
}

enum opshift_status enum_unknown(struct part_context *context, const struct part *part, struct opshift_error *error)
{
    for (uint64_t left = context->concerned; left != 0; left &= left - 1) {
        const ProtobufCFieldDescriptor *known = part_known(part, (uint32_t)__builtin_ctzll(left));
        if (value_is_known(part, known))
            continue;
        return context_add_field(context, part, part_last(part, known->id), error,
                                 "%s.%s is %" PRId64
                                 ", which is unknown; write the model with the version of ONNX of its readers",
                                 part->kind->short_name, known->name, (int64_t)part_last(part, known->id)->value);
    }
    return OPSHIFT_OK;
}

/* ---- keys ---- */

#define KEY_SIZE_MAX 4096u
#define KEYS_KEPT    64u /* slots that are kept for the next part */

/* The key of an entry; {0}: none. */
static enum opshift_status key_read(struct source *source, const struct wire_field *entry, struct wire_field *key,
                                    struct opshift_error *error)
{
    struct wire_cursor cursor = {source, entry->offset, entry->offset + entry->size};
    *key = (struct wire_field){0};
    for (bool found = true; found;) {
        struct wire_field field;
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status)
            return status;
        if (found && field.number == 1 && field.type == WIRE_BYTES)
            *key = field;
    }
    return OPSHIFT_OK;
}

static bool key_is(struct source *source, const struct wire_field *key, const uint8_t *data, size_t size)
{
    uint8_t bytes[KEY_SIZE_MAX];
    return key->size == size && (size == 0 || (source_read(source, key->offset, bytes, size, NULL) == OPSHIFT_OK &&
                                               memcmp(bytes, data, size) == 0));
}

/* Adds a key of at most KEY_SIZE_MAX bytes to this part's keys, which must have room. *met: it is a duplicate. */
static enum opshift_status key_add(struct part_context *context, struct wire_field *keys, const struct wire_field *key,
                                   bool *met, struct opshift_error *error)
{
    struct source *source = context->checking->model->source;
    struct table *table = &context->key_table;
    uint8_t data[KEY_SIZE_MAX];
    size_t size = (size_t)key->size;
    enum opshift_status status = size ? source_read(source, key->offset, data, size, error) : OPSHIFT_OK;
    if (status)
        return status;
    if (!table_reserve(table, 1))
        return opshift_no_memory(error);
    uint64_t hash = table_hash(table, data, size);
    for (uint32_t at = 0, item; !*met && (item = table_next(table, hash, &at)) != TABLE_NONE;)
        *met = key_is(source, &keys[item], data, size);
    if (*met)
        return OPSHIFT_OK;
    keys[table->count] = *key;
    table_put(table, hash, table->count);
    return OPSHIFT_OK;
}

/* Clears the table of keys, and shrinks it after a part with many keys. */
static void keys_forget(struct part_context *context)
{
    if (context->key_table.room > KEYS_KEPT)
        table_free(&context->key_table);
    table_clear(&context->key_table);
}

enum opshift_status entry_key_twice(struct part_context *context, const struct part *part, uint32_t number,
                                    struct wire_field *second, struct opshift_error *error)
{
    struct source *source = context->checking->model->source;
    struct wire_cursor cursor = {source, range_offset(part->range), range_end(part->range)};
    *second = (struct wire_field){0};
    if (part->fields[number].count < 2)
        return OPSHIFT_OK;
    struct wire_field *keys = calloc(part->fields[number].count, sizeof(*keys));
    enum opshift_status status = keys ? OPSHIFT_OK : opshift_no_memory(error);
    for (bool found = true; status == OPSHIFT_OK && found && second->number == 0;) {
        struct wire_field field, key;
        bool met = false;
        status = wire_next(&cursor, &field, &found, error);
        if (status || !found || field.number != number)
            continue;
        status = key_read(source, &field, &key, error);
        if (status == OPSHIFT_OK && key.size <= KEY_SIZE_MAX)
            status = key_add(context, keys, &key, &met, error);
        if (met)
            *second = key;
    }
    keys_forget(context);
    free(keys);
    return status;
}

static const ProtobufCFieldDescriptor *metadata_field(const ProtobufCMessageDescriptor *kind)
{
    return protobuf_c_message_descriptor_get_field_by_name(kind, "metadata_props");
}

uint64_t metadata_fields(const ProtobufCMessageDescriptor *kind)
{
    const ProtobufCFieldDescriptor *field = metadata_field(kind);
    return field == NULL ? 0 : UINT64_C(1) << field->id;
}

enum opshift_status metadata_key_twice(struct part_context *context, const struct part *part,
                                       struct opshift_error *error)
{
    struct wire_field second;
    enum opshift_status status =
        entry_key_twice(context, part, (uint32_t)__builtin_ctzll(context->concerned), &second, error);
    if (status || second.number == 0)
        return status;
    const char *key = field_text(context, &second);
    if (key == NULL)
        return opshift_no_memory(error);
    return context_add_field(context, part, &second, error,
                             "%s.metadata_props has the key '%s' twice; keep the intended entry",
                             part->kind->short_name, key);
}

/* ---- features newer than the model's IR version (ONNX, onnx.proto, enum Version) ---- */

static const struct {
    const ProtobufCMessageDescriptor *kind;
    uint32_t number;
    int64_t ir_version;
} since[] = {
    {&onnx__model_proto__descriptor, 20, 7},      {&onnx__model_proto__descriptor, 25, 8},
    {&onnx__model_proto__descriptor, 26, 11},     {&onnx__graph_proto__descriptor, 14, 5},
    {&onnx__graph_proto__descriptor, 15, 6},      {&onnx__graph_proto__descriptor, 16, 10},
    {&onnx__node_proto__descriptor, 8, 10},       {&onnx__node_proto__descriptor, 9, 10},
    {&onnx__node_proto__descriptor, 10, 11},      {&onnx__attribute_proto__descriptor, 22, 6},
    {&onnx__attribute_proto__descriptor, 23, 6},  {&onnx__function_proto__descriptor, 11, 9},
    {&onnx__function_proto__descriptor, 12, 10},  {&onnx__function_proto__descriptor, 13, 10},
    {&onnx__function_proto__descriptor, 14, 10},  {&onnx__tensor_proto__descriptor, 16, 10},
    {&onnx__value_info_proto__descriptor, 4, 10}, {&onnx__type_proto__descriptor, 8, 8},
    {&onnx__type_proto__descriptor, 9, 8},
};

uint64_t newer_fields(const ProtobufCMessageDescriptor *kind)
{
    uint64_t fields = 0;
    for (size_t i = 0; i < COUNT(since); i++)
        if (since[i].kind == kind)
            fields |= UINT64_C(1) << since[i].number;
    return fields;
}

/* Reported once per field, as all nodes may have it. */
static bool first_time(uint64_t *said, size_t row)
{
    bool first = !(*said >> row & 1);
    *said |= UINT64_C(1) << row;
    return first;
}

/* The text of a string field at the end of a path of messages, ended by 0, for a message: " 'x'"; "": there is none.
 * NULL: no memory. */
static const char *record_name(struct part_context *context, const struct wire_field *record, const uint32_t *path)
{
    struct wire_field at = *record;
    bool found = at.type == WIRE_BYTES;
    for (; found && *path; path++) {
        struct wire_cursor cursor = {context->checking->model->source, at.offset, at.offset + at.size};
        struct wire_field field = {0};
        for (at.size = 0; wire_next(&cursor, &field, &found, NULL) == OPSHIFT_OK && found;)
            if (field.number == *path && field.type == WIRE_BYTES)
                at = field;
        found = at.number == *path && at.size > 0;
    }
    const char *text = found ? field_text(context, &at) : "";
    return text && *text ? arena_print(context->checking->scratch, " '%.80s'", text) : text;
}

/* What else than its field names a record: the path to a string. */
static const char *since_name(struct part_context *context, size_t row, const struct wire_field *record)
{
    static const uint32_t first[] = {1, 0}, sparse[] = {1, 8, 0};
    const char *kind = since[row].kind->short_name;
    bool listed = strcmp(kind, "ModelProto") == 0 || strcmp(kind, "GraphProto") == 0;
    if (!listed || context->checking->ir_version == 0)
        return "";
    return record_name(context, record,
                       since[row].kind == &onnx__graph_proto__descriptor && record->number == 15 ? sparse : first);
}

/* A feature that the IR version does not have: "place: `what` needs ..." */
static enum opshift_status add_newer(struct part_context *context, const struct part *part,
                                     const struct wire_field *field, const char *what, int64_t needed,
                                     struct opshift_error *error)
{
    struct checking *checking = context->checking;
    if (checking->ir_least < needed)
        checking->ir_least = needed;
    if (checking->ir_version)
        return context_add_field(context, part, field, error, "%s needs IR version %" PRId64, what, needed);
    return context_add_field(context, part, field, error,
                             "%s needs ir_version %" PRId64 ", but the model says %" PRId64 "; raise ir_version", what,
                             needed, checking->model->ir_version);
}

enum opshift_status field_before_its_version(struct part_context *context, const struct part *part,
                                             struct opshift_error *error)
{
    int64_t ir_version = checking_ir_version(context->checking);
    for (size_t i = 0; i < COUNT(since); i++) {
        const struct wire_field *record = part_last(part, since[i].number);
        if (since[i].kind != part->kind || part->fields[since[i].number].count == 0 || ir_version <= 0 ||
            ir_version >= since[i].ir_version || !first_time(&context->fields_said, i))
            continue;
        const char *name = since_name(context, i, record);
        const char *what = name == NULL ? NULL
                                        : arena_print(context->checking->scratch, "%s.%s%s", part->kind->short_name,
                                                      part_known(part, since[i].number)->name, name);
        if (what == NULL)
            return opshift_no_memory(error);
        enum opshift_status status = add_newer(context, part, record, what, since[i].ir_version, error);
        if (status)
            return status;
    }
    return OPSHIFT_OK;
}

/* The IR version that introduced an element type. */
static int64_t type_since(int64_t type)
{
    if (type == OPSHIFT_TYPE_BFLOAT16)
        return 4;
    if (type >= OPSHIFT_TYPE_FLOAT8E4M3FN && type <= OPSHIFT_TYPE_FLOAT8E5M2FNUZ)
        return 9;
    if (type == OPSHIFT_TYPE_UINT4 || type == OPSHIFT_TYPE_INT4)
        return 10;
    if (type == OPSHIFT_TYPE_FLOAT4E2M1)
        return 11;
    if (type == OPSHIFT_TYPE_FLOAT8E8M0)
        return 12;
    return type == OPSHIFT_TYPE_UINT2 || type == OPSHIFT_TYPE_INT2 ? 13 : 0;
}

/* Is the number in an element type's field one? In an attribute its name decides. */
static bool holds_element_type(struct part_context *context, const struct part *part)
{
    static const char *const names[] = {"to", "dtype", "output_dtype"};
    const struct node *node = context->subject->node;
    if (part->kind != &onnx__attribute_proto__descriptor)
        return true;
    if (node == NULL || node_domain(node) != NAME_NONE)
        return false;
    const char *name = part_text(context, part, 1);
    for (size_t i = 0; name && i < COUNT(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

enum opshift_status type_before_its_version(struct part_context *context, const struct part *part,
                                            struct opshift_error *error)
{
    int64_t ir_version = checking_ir_version(context->checking);
    uint32_t number = (uint32_t)__builtin_ctzll(context->concerned);
    int64_t type = (int64_t)part_last(part, number)->value;
    if (ir_version <= 0 || type <= 0 || type >= OPSHIFT_TYPE_COUNT || ir_version >= type_since(type) ||
        !holds_element_type(context, part) || !first_time(&context->types_said, (size_t)type))
        return OPSHIFT_OK;
    const char *what =
        arena_print(context->checking->scratch, "the element type %s", type_name((enum opshift_type)type));
    if (what == NULL)
        return opshift_no_memory(error);
    return add_newer(context, part, part_last(part, number), what, type_since(type), error);
}
