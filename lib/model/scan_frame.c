/* Checks the fields of messages that the index does not need, such as types: each must end inside its message. The
 * first fault is recorded for code that copies such bytes; lint reports them in detail. */
#include "model/scan_part.h"

#define PACKED_PART  65536u /* bytes of packed varints checked per read */
#define PACKED_BLOCK 64u    /* bytes per block, for vectorization */

static enum opshift_status packed_refuse(const ProtobufCMessageDescriptor *message,
                                         const ProtobufCFieldDescriptor *known, const struct wire_field *field,
                                         const char *what, struct opshift_error *error)
{
    return opshift_fail_at(error, OPSHIFT_MALFORMED, OPSHIFT_FAULT_CUT_SHORT, field->record,
                           "%s.%s %s; the file is damaged or cut short; fetch it again", message->short_name,
                           known->name, what);
}

/* Returns 0x80 or more if one of count bytes is followed by nine more bytes with the continuation bit. Reads nine bytes
 * behind them. */
static inline uint8_t varint_goes_on(const uint8_t *at, size_t count)
{
    uint8_t any = 0;
    for (size_t i = 0; i < count; i++)
        any |= at[i] & at[i + 1] & at[i + 2] & at[i + 3] & at[i + 4] & at[i + 5] & at[i + 6] & at[i + 7] & at[i + 8] &
               at[i + 9];
    return any;
}

/* Checks consecutive varints: none is too long, and the last ends at the end of the bytes. */
static bool varints_are_whole(const uint8_t *at, size_t size, bool last)
{
    uint8_t any = 0;
    size_t count = size < WIRE_VARINT_MAX ? 0 : size - (WIRE_VARINT_MAX - 1), i = 0;
    for (; count - i >= PACKED_BLOCK; i += PACKED_BLOCK)
        any |= varint_goes_on(at + i, PACKED_BLOCK);
    any |= varint_goes_on(at + i, count - i);
    return any < 0x80 && (!last || at[size - 1] < 0x80);
}

/* last: the last varint must end there. */
static enum opshift_status varints_check(struct source *source, uint64_t at, uint64_t end, bool last, bool *whole,
                                         struct opshift_error *error)
{
    while (*whole && at < end) {
        size_t size = end - at < PACKED_PART ? (size_t)(end - at) : PACKED_PART;
        const uint8_t *data;
        enum opshift_status status = source_view(source, at, size, &data, error);
        if (status)
            return status;
        *whole = varints_are_whole(data, size, last && at + size == end);
        /* The next part starts with the bytes whose continuation is not checked yet. */
        at += at + size < end ? size - (WIRE_VARINT_MAX - 1) : size;
    }
    return OPSHIFT_OK;
}

static enum opshift_status packed_check(const struct scan *scan, const ProtobufCMessageDescriptor *message,
                                        const ProtobufCFieldDescriptor *known, const struct wire_field *field,
                                        struct opshift_error *error)
{
    enum wire_type type = field_wire_type(known);
    if (type != WIRE_VARINT && field->size % (type == WIRE_FIXED32 ? 4 : 8))
        return packed_refuse(message, known, field, "ends in the middle of a value", error);
    if (type != WIRE_VARINT)
        return OPSHIFT_OK;
    bool whole = true;
    for (uint64_t at = field->offset, end = at + field->size, start; whole && at < end;) {
        uint64_t hole = source_hole(scan->model->source, at, end - at, &start), until = hole ? start : end;
        enum opshift_status status = varints_check(scan->model->source, at, until, !hole, &whole, error);
        if (status)
            return status;
        at = until + hole;
    }
    return whole ? OPSHIFT_OK : packed_refuse(message, known, field, "has a value that does not end", error);
}

/* A field that is no message: packed numbers, or TensorProto.data_location. */
static inline enum opshift_status value_check(const struct scan *scan, const ProtobufCMessageDescriptor *message,
                                              const ProtobufCFieldDescriptor *known, const struct wire_field *field,
                                              struct opshift_error *error)
{
    if (field->type == WIRE_BYTES && field_wire_type(known) != WIRE_BYTES)
        return packed_check(scan, message, known, field, error);
    if (known->id == 14 && message == &onnx__tensor_proto__descriptor &&
        field->value == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)
        scan->model->has_external = true;
    return OPSHIFT_OK;
}

/* The message's depth must have been checked. */
static enum opshift_status frame_walk(const struct scan *scan, const ProtobufCMessageDescriptor *message,
                                      uint64_t offset, uint64_t size, struct opshift_error *error)
{
    struct wire_cursor cursor = {scan->model->source, offset, offset + size};
    for (bool found;;) {
        struct wire_field field;
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status || !found)
            return status;
        const ProtobufCFieldDescriptor *known = field_find(message, field.number);
        if (known == NULL)
            continue;
        status = field_check_wire(message, known, &field, error);
        if (status == OPSHIFT_OK && known->type == PROTOBUF_C_TYPE_MESSAGE)
            status = frame_walk(scan, known->descriptor, field.offset, field.size, error);
        else if (status == OPSHIFT_OK)
            status = value_check(scan, message, known, &field, error);
        if (status)
            return status;
    }
}

enum opshift_status scan_frame(struct scan *scan, const struct scan_place *spot, const ProtobufCFieldDescriptor *known)
{
    struct opshift_model *model = scan->model;
    if (model->broken)
        return OPSHIFT_OK;
    const struct wire_field *field = &spot->field;
    enum opshift_status status = known->type == PROTOBUF_C_TYPE_MESSAGE
                                     ? frame_walk(scan, known->descriptor, field->offset, field->size, scan->error)
                                     : value_check(scan, spot->message, known, field, scan->error);
    if (status == OPSHIFT_OK || status == OPSHIFT_IO || status == OPSHIFT_MEMORY)
        return status;
    struct opshift_error *broken;
    status = scan_take(scan, 1, sizeof *broken, &broken);
    if (status == OPSHIFT_OK) {
        *broken = *scan->error;
        model->broken = broken;
        error_forget(scan->error);
    }
    return status;
}
