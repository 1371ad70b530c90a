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

struct scan_place scan_spot(const struct scan *scan, const ProtobufCMessageDescriptor *message, uint64_t offset,
                            uint64_t size, uint32_t depth)
{
    return (struct scan_place){
        .message = message, .cursor = {scan->model->source, offset, offset + size}, .depth = depth};
}

/* Does another function scan this message? Some types always, some only inside a graph, a function or the model.
 */
static bool is_scanned(const ProtobufCMessageDescriptor *around, const void *below)
{
    bool graph = around == &onnx__graph_proto__descriptor || around == &onnx__function_proto__descriptor;
    if (below == &onnx__operator_set_id_proto__descriptor)
        return graph || around == &onnx__model_proto__descriptor;
    if (below == &onnx__value_info_proto__descriptor || below == &onnx__tensor_proto__descriptor ||
        below == &onnx__sparse_tensor_proto__descriptor)
        return graph;
    return below == &onnx__graph_proto__descriptor || below == &onnx__node_proto__descriptor ||
           below == &onnx__attribute_proto__descriptor || below == &onnx__function_proto__descriptor ||
           below == &onnx__training_info_proto__descriptor;
}

/* Checks a known field: its wire type, and the depth below it. */
static enum opshift_status field_check(struct scan *scan, const struct scan_place *spot,
                                       const ProtobufCFieldDescriptor *known)
{
    const struct wire_field *field = &spot->field;
    enum opshift_status status = field_check_wire(spot->message, known, field, scan->error);
    if (status)
        return status;
    if (known->type != PROTOBUF_C_TYPE_MESSAGE) /* packed numbers, or a scalar */
        return field->type == WIRE_BYTES && field_wire_type(known) != WIRE_BYTES ? scan_frame(scan, spot, known)
                                                                                 : OPSHIFT_OK;
    if (known->descriptor == &onnx__tensor_annotation__descriptor ||
        known->descriptor == &onnx__node_device_configuration_proto__descriptor ||
        known->descriptor == &onnx__training_info_proto__descriptor)
        scan->model->names_outside = true;
    if (is_scanned(spot->message, known->descriptor))
        return spot->depth + 1 > scan->model->limits.nesting ? too_deep(scan, field->record) : OPSHIFT_OK;
    status = check_depth(scan, known->descriptor, field, spot->depth + 1);
    return status ? status : scan_frame(scan, spot, known);
}

enum opshift_status scan_next(struct scan *scan, struct scan_place *spot, bool *found)
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

enum opshift_status scan_names_check(struct scan *scan)
{
    uint64_t memory = names_memory(scan->model->names);
    if (memory == scan->names)
        return OPSHIFT_OK;
    scan->names = memory;
    return scan_check_memory(scan, 0);
}

enum opshift_status scan_name(struct scan *scan, const struct wire_field *field, name_id *name)
{
    if (field->size > WINDOW_MAX) {
        enum opshift_status status = scan_check_memory(scan, field->size);
        if (status == OPSHIFT_OK)
            status = name_read(scan->model, field, name, scan->error);
        return status ? status : scan_names_check(scan);
    }
    const uint8_t *data;
    enum opshift_status status =
        source_view(scan->model->source, field->offset, (size_t)field->size, &data, scan->error);
    if (status)
        return status;
    *name = names_add(scan->model->names, data, (size_t)field->size);
    return *name == NAME_NO_MEMORY ? opshift_no_memory(scan->error) : scan_names_check(scan);
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
