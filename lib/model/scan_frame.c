/* Messages that the scan has no use for, such as types, are stepped through all the same: whether each field ends where
 * its message does. What does not is noted for those who hand such bytes on; lint says more of it. */
#include "model/scan_part.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"

#define PACKED_LOOKED 65536u /* bytes of packed varints; of more, the last one is looked at */

/* TensorProto.data_location: it is seen, so no tensor that has one is plain. */
static bool says_place(const ProtobufCMessageDescriptor *message, const ProtobufCFieldDescriptor *field)
{
    return message == &onnx__tensor_proto__descriptor && field->id == 14;
}

/* The row of a message's type, which is made with those of all messages below it. */
unsigned scan_frame_add(struct scan *scan, const ProtobufCMessageDescriptor *descriptor)
{
    for (unsigned i = 0; i < scan->frame_count; i++)
        if (scan->frames[i].descriptor == descriptor)
            return i;
    assert(scan->frame_count < FRAME_MAX); /* all of them are added at each open: a message too many fails every test */
    unsigned made = scan->frame_count++;
    struct frame *frame = &scan->frames[made];
    *frame = (struct frame){.descriptor = descriptor};
    for (unsigned i = 0; i < descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &descriptor->fields[i];
        if (field->id >= FRAME_FIELDS || says_place(descriptor, field))
            continue;
        if (field->type == PROTOBUF_C_TYPE_MESSAGE)
            frame->below[field->id] = (uint8_t)(scan_frame_add(scan, field->descriptor) + 1);
        else
            frame->plain[field_wire_type(field)] |= 1u << field->id;
    }
    return made;
}

static inline const uint8_t *varint_end(const uint8_t *at, const uint8_t *end)
{
    for (const uint8_t *most = end - at > 10 ? at + 10 : end; at < most;)
        if (*at++ < 0x80)
            return at;
    return NULL;
}

static bool is_whole(const struct scan *scan, unsigned kind, const uint8_t *at, const uint8_t *end, uint32_t levels)
{
    const struct frame *frame = &scan->frames[kind];
    while (at < end) {
        unsigned tag = *at++, number = tag >> 3, type = tag & 7;
        size_t size = type == WIRE_FIXED32 ? 4 : type == WIRE_FIXED64 ? 8 : 0;
        if (tag >= 0x80 || type > WIRE_FIXED32)
            return false;
        if (type == WIRE_VARINT && (at = varint_end(at, end)) == NULL)
            return false;
        if (type == WIRE_BYTES && (at == end || (size = *at++) >= 0x80)) {
            if (at == end || *at >= 0x80)
                return false;
            size = (size & 0x7f) | (size_t)*at++ << 7;
        }
        if (size > (size_t)(end - at))
            return false;
        if (type == WIRE_BYTES && frame->below[number]) {
            if (levels == 0 || !is_whole(scan, frame->below[number] - 1u, at, at + size, levels - 1))
                return false;
        } else if (!(frame->plain[type] >> number & 1)) {
            return false;
        }
        at += size;
    }
    return true;
}

bool scan_frame_is_plain(struct scan *scan, unsigned kind, const uint8_t *data, size_t size, uint32_t levels)
{
    /* A level takes two bytes at least. */
    if (size > WHOLE_SIZE || levels < WHOLE_SIZE / 2)
        return is_whole(scan, kind, data, data + size, levels);
    struct whole *whole = &scan->whole[hash_bytes(data, size, kind) >> (64 - WHOLE_BITS)];
    if (whole->kind == kind + 1 && whole->size == size && memcmp(whole->bytes, data, size) == 0)
        return true;
    if (!is_whole(scan, kind, data, data + size, levels))
        return false;
    whole->kind = (uint8_t)(kind + 1);
    whole->size = (uint8_t)size;
    memcpy(whole->bytes, data, size);
    return true;
}

static enum opshift_status packed_refuse(const ProtobufCMessageDescriptor *message,
                                         const ProtobufCFieldDescriptor *known, const struct wire_field *field,
                                         struct opshift_error *error)
{
    return opshift_fail_at(error, OPSHIFT_MALFORMED, OPSHIFT_FAULT_CUT_SHORT, field->record,
                           "%s.%s ends in the middle of a value; the file is damaged or cut short; fetch it again",
                           message->short_name, known->name);
}

static enum opshift_status packed_check(const struct scan *scan, const ProtobufCMessageDescriptor *message,
                                        const ProtobufCFieldDescriptor *known, const struct wire_field *field,
                                        struct opshift_error *error)
{
    enum wire_type type = field_wire_type(known);
    if (field->size == 0)
        return OPSHIFT_OK;
    if (type != WIRE_VARINT)
        return field->size % (type == WIRE_FIXED32 ? 4 : 8) ? packed_refuse(message, known, field, error) : OPSHIFT_OK;
    size_t size = field->size <= PACKED_LOOKED ? (size_t)field->size : 1;
    const uint8_t *at = source_window(scan->model->source, field->offset + field->size - size, size, error);
    if (at == NULL)
        return error->status;
    for (const uint8_t *end = at + size; at != NULL && at < end;)
        at = varint_end(at, end);
    return at == NULL ? packed_refuse(message, known, field, error) : OPSHIFT_OK;
}

static enum opshift_status frame_walk(const struct scan *scan, const ProtobufCMessageDescriptor *message,
                                      const struct wire_field *around, struct opshift_error *error);

static enum opshift_status field_walk(const struct scan *scan, const ProtobufCMessageDescriptor *message,
                                      const ProtobufCFieldDescriptor *known, const struct wire_field *field,
                                      struct opshift_error *error)
{
    enum opshift_status status = field_check_wire(message, known, field, error);
    if (status)
        return status;
    if (known->type == PROTOBUF_C_TYPE_MESSAGE)
        return frame_walk(scan, known->descriptor, field, error);
    if (says_place(message, known) && field->value == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)
        scan->model->has_external = true;
    bool packed = field->type == WIRE_BYTES && field_wire_type(known) != WIRE_BYTES;
    return packed ? packed_check(scan, message, known, field, error) : OPSHIFT_OK;
}

/* Its depth was checked. */
static enum opshift_status frame_walk(const struct scan *scan, const ProtobufCMessageDescriptor *message,
                                      const struct wire_field *around, struct opshift_error *error)
{
    struct wire_cursor cursor = {scan->model->source, around->offset, around->offset + around->size};
    for (;;) {
        struct wire_field field;
        bool found;
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status || !found)
            return status;
        const ProtobufCFieldDescriptor *known = protobuf_c_message_descriptor_get_field(message, field.number);
        status = known ? field_walk(scan, message, known, &field, error) : OPSHIFT_OK;
        if (status)
            return status;
    }
}

enum opshift_status scan_frame(struct scan *scan, const struct spot *spot, const ProtobufCFieldDescriptor *known)
{
    struct opshift_model *model = scan->model;
    struct opshift_error error = {0};
    if (model->broken)
        return OPSHIFT_OK;
    enum opshift_status status = field_walk(scan, spot->form->descriptor, known, &spot->field, &error);
    if (status == OPSHIFT_OK)
        return OPSHIFT_OK;
    if (status == OPSHIFT_IO || status == OPSHIFT_MEMORY) {
        *scan->error = error;
        return status;
    }
    status = scan_take(scan, 1, sizeof *model->broken, &model->broken);
    if (status == OPSHIFT_OK)
        *model->broken = error;
    return status;
}
