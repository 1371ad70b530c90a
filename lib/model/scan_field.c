/* Reads fields in the scan: checks wire types and depth, adds names. */
#include "model/scan_part.h"

#include <stdio.h>
#include <string.h>

#define WINDOW_MAX 65536u

static enum opshift_status too_deep(struct scan *scan, uint64_t record)
{
    return opshift_fail_at(scan->error, OPSHIFT_UNSUPPORTED, OPSHIFT_FAULT_NESTING, record,
                           "messages are nested deeper than %" PRIu32
                           " levels; if the file is to be trusted, raise the limit 'nesting'",
                           scan->model->limits.nesting);
}

/* Maximum levels below a message of this type, if the type is not recursive. */
static uint32_t levels_below(const ProtobufCMessageDescriptor *descriptor)
{
    if (descriptor == &onnx__tensor_proto__descriptor || descriptor == &onnx__tensor_annotation__descriptor)
        return 1;
    if (descriptor == &onnx__sparse_tensor_proto__descriptor)
        return 2;
    if (descriptor == &onnx__string_string_entry_proto__descriptor)
        return 0;
    return UINT32_MAX;
}

/* Checks that the message and all below it are within the nesting limit. A level takes at least two bytes, so most
 * messages are too small to need a walk. */
static enum opshift_status check_depth(struct scan *scan, const ProtobufCMessageDescriptor *descriptor,
                                       const struct wire_field *field, uint32_t depth)
{
    uint32_t limit = scan->model->limits.nesting;
    if (depth > limit)
        return too_deep(scan, field->record);
    if (field->size / 2 <= limit - depth || levels_below(descriptor) <= limit - depth)
        return OPSHIFT_OK;
    struct wire_cursor cursor = {scan->model->source, field->offset, field->offset + field->size};
    for (;;) {
        struct wire_field inner;
        bool found;
        enum opshift_status status = wire_next(&cursor, &inner, &found, scan->error);
        if (status || !found)
            return status;
        const ProtobufCFieldDescriptor *known = field_find(descriptor, inner.number);
        if (known != NULL && known->type == PROTOBUF_C_TYPE_MESSAGE && inner.type == WIRE_BYTES)
            status = check_depth(scan, known->descriptor, &inner, depth + 1);
        if (status)
            return status;
    }
}

enum opshift_status field_refuse_wire(const ProtobufCMessageDescriptor *message, const ProtobufCFieldDescriptor *known,
                                      const struct wire_field *field, struct opshift_error *error)
{
    char name[96];
    snprintf(name, sizeof name, "%s.%s", message->short_name, known->name);
    return wire_expect(field, field_wire_type(known), name, error);
}

static enum opshift_status message_check(struct scan *scan, const struct scan_place *spot,
                                         const ProtobufCFieldDescriptor *known)
{
    const struct wire_field *field = &spot->field;
    if (field->number < 32 && spot->parts & SCAN_PART(field->number))
        return spot->depth + 1 > scan->model->limits.nesting ? too_deep(scan, field->record) : OPSHIFT_OK;
    enum opshift_status status = check_depth(scan, known->descriptor, field, spot->depth + 1);
    return status ? status : scan_frame(scan, spot, known);
}

/* Packed numbers, or a wrong wire type. */
__attribute__((noinline)) static enum opshift_status packed_check(struct scan *scan, const struct scan_place *spot,
                                                                  const ProtobufCFieldDescriptor *known)
{
    enum opshift_status status = field_check_wire(spot->message, known, &spot->field, scan->error);
    return status ? status : scan_frame(scan, spot, known);
}

/* Checks a known field: its wire type, and the depth below it. */
static inline enum opshift_status field_check(struct scan *scan, const struct scan_place *spot,
                                              const ProtobufCFieldDescriptor *known)
{
    if (spot->field.type != field_wire_type(known))
        return packed_check(scan, spot, known);
    return known->type == PROTOBUF_C_TYPE_MESSAGE ? message_check(scan, spot, known) : OPSHIFT_OK;
}

/* Not inlined, so that scan_next saves no registers. */
__attribute__((noinline)) static enum opshift_status scan_next_any(struct scan *scan, struct scan_place *spot,
                                                                   bool *found)
{
    for (;;) {
        enum opshift_status status = wire_next(&spot->cursor, &spot->field, found, scan->error);
        if (status || !*found)
            return status;
        const ProtobufCFieldDescriptor *known = field_find(spot->message, spot->field.number);
        if (known)
            return field_check(scan, spot, known);
    }
}

/* Most fields are short values. */
enum opshift_status scan_next(struct scan *scan, struct scan_place *spot, bool *found)
{
    *found = spot->cursor.at < spot->cursor.end;
    if (!*found)
        return OPSHIFT_OK;
    bool is_short = wire_next_short(&spot->cursor, &spot->field);
    const ProtobufCFieldDescriptor *known = is_short ? field_find(spot->message, spot->field.number) : NULL;
    return known ? field_check(scan, spot, known) : scan_next_any(scan, spot, found);
}

/* Checks the memory after a name was added that may be new. */
static enum opshift_status name_check(struct scan *scan, name_id name)
{
    if (name < scan->names)
        return OPSHIFT_OK;
    scan->names = names_count(scan->model->names);
    return name == NAME_NO_MEMORY ? opshift_no_memory(scan->error) : scan_check_memory(scan, 0);
}

static enum opshift_status long_name(struct scan *scan, const struct wire_field *field, name_id *name)
{
    enum opshift_status status = scan_check_memory(scan, field->size);
    if (status == OPSHIFT_OK)
        status = name_read(scan->model, field, name, scan->error);
    return status ? status : name_check(scan, *name);
}

enum opshift_status scan_name(struct scan *scan, const struct wire_field *field, name_id *name)
{
    const uint8_t *data;
    if (field->size > WINDOW_MAX)
        return long_name(scan, field, name);
    enum opshift_status status =
        source_view(scan->model->source, field->offset, (size_t)field->size, &data, scan->error);
    if (status)
        return status;
    *name = names_add(scan->model->names, data, (size_t)field->size);
    return name_check(scan, *name);
}

enum opshift_status scan_domain(struct scan *scan, const struct wire_field *field, name_id *name)
{
    enum opshift_status status = scan_name(scan, field, name);
    struct bytes text = status ? (struct bytes){0} : names_bytes(scan->model->names, *name);
    if (text.size == 7 && memcmp(text.data, "ai.onnx", 7) == 0) /* the same as the empty one */
        *name = NAME_NONE;
    return status;
}

enum opshift_status scan_push_name(struct scan *scan, const struct wire_field *field, struct stack *stack)
{
    name_id name = NAME_NONE;
    enum opshift_status status = scan_name(scan, field, &name);
    return status ? status : scan_stack_push(scan, stack, &name, sizeof name);
}
