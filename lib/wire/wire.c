/* Reads protobuf fields one at a time from a source's window. */
#include "wire/wire.h"

#include <inttypes.h>
#include <string.h>

#define NUMBER_MAX ((1u << 29) - 1)

static const char damaged[] = "the file is damaged or cut short; fetch it again";

static enum opshift_status malformed(struct opshift_error *error, enum opshift_fault fault, uint64_t offset,
                                     const char *what)
{
    return opshift_fail_at(error, OPSHIFT_MALFORMED, fault, offset, "%s; %s", what, damaged);
}

/* The bytes to read next, from source_view. */
struct wire_reader {
    const uint8_t *data;
    uint64_t offset; /* of data[0] */
    size_t at, size;
};

static enum opshift_status long_varint_read(struct wire_reader *reader, const char *cut, uint64_t *value,
                                            struct opshift_error *error)
{
    size_t start = reader->at;
    *value = 0;
    for (unsigned shift = 0; reader->at < reader->size; shift += 7) {
        uint8_t byte = reader->data[reader->at++];
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return OPSHIFT_OK;
        if (reader->at - start == WIRE_VARINT_MAX)
            return malformed(error, OPSHIFT_FAULT_VARINT, reader->offset + start, "a varint of more than 10 bytes");
    }
    return malformed(error, OPSHIFT_FAULT_CUT_SHORT, reader->offset + start, cut);
}

/* Fast path: most varints have one byte. */
static inline enum opshift_status varint_read(struct wire_reader *reader, const char *cut, uint64_t *value,
                                              struct opshift_error *error)
{
    if (reader->at == reader->size || reader->data[reader->at] >= 0x80)
        return long_varint_read(reader, cut, value, error);
    *value = reader->data[reader->at++];
    return OPSHIFT_OK;
}

static enum opshift_status fixed_read(struct wire_reader *reader, size_t size, uint64_t *value,
                                      struct opshift_error *error)
{
    if (reader->size - reader->at < size)
        return malformed(error, OPSHIFT_FAULT_CUT_SHORT, reader->offset + reader->at,
                         "its message ends inside a fixed-size value");
    *value = 0;
    for (size_t i = 0; i < size; i++)
        *value |= (uint64_t)reader->data[reader->at++] << (8 * i);
    return OPSHIFT_OK;
}

static inline enum opshift_status tag_read(struct wire_reader *reader, struct wire_field *field,
                                           struct opshift_error *error)
{
    uint64_t tag;
    enum opshift_status status = varint_read(reader, "its message ends inside a tag", &tag, error);
    if (status)
        return status;
    if (tag >> 3 == 0 || tag >> 3 > NUMBER_MAX)
        return opshift_fail_at(error, OPSHIFT_MALFORMED, OPSHIFT_FAULT_FIELD_NUMBER, field->record,
                               "field number %" PRIu64 " does not exist; %s", tag >> 3, damaged);
    field->number = (uint32_t)(tag >> 3);
    field->type = (enum wire_type)(tag & 7);
    return OPSHIFT_OK;
}

/* A length exceeds its message. */
static enum opshift_status too_long(const struct wire_field *field, uint64_t left, struct opshift_error *error)
{
    return opshift_fail_at(error, OPSHIFT_MALFORMED, OPSHIFT_FAULT_LENGTH, field->record,
                           "field %" PRIu32 " is %" PRIu64 " bytes long, but only %" PRIu64
                           " are left of its message; %s",
                           field->number, field->size, left, damaged);
}

static inline enum opshift_status value_read(struct wire_reader *reader, struct wire_field *field, uint64_t end,
                                             struct opshift_error *error)
{
    enum opshift_status status;
    field->value = 0;
    field->offset = reader->offset + reader->at;
    switch (field->type) {
    case WIRE_VARINT:
        status = varint_read(reader, "its message ends inside a varint", &field->value, error);
        break;
    case WIRE_FIXED64:
        status = fixed_read(reader, 8, &field->value, error);
        break;
    case WIRE_FIXED32:
        status = fixed_read(reader, 4, &field->value, error);
        break;
    case WIRE_BYTES:
        status = varint_read(reader, "its message ends inside a length", &field->size, error);
        field->offset = reader->offset + reader->at;
        if (status == OPSHIFT_OK && field->size > end - field->offset)
            status = too_long(field, end - field->offset, error);
        return status;
    case WIRE_GROUP:
    case WIRE_GROUP_END:
        return opshift_fail_at(error, OPSHIFT_MALFORMED, OPSHIFT_FAULT_GROUP, field->record,
                               "field %" PRIu32 " is a group, which ONNX does not have; %s", field->number, damaged);
    default:
        return opshift_fail_at(error, OPSHIFT_MALFORMED, OPSHIFT_FAULT_NO_WIRE_TYPE, field->record,
                               "field %" PRIu32 " has wire type %d, which does not exist; %s", field->number,
                               (int)field->type, damaged);
    }
    field->size = reader->offset + reader->at - field->offset;
    return status;
}

/* Fast path: a tag, and a varint or a length, of one or two bytes each. False: anything else, or malformed. */
static inline bool short_read(const struct wire_reader *reader, uint64_t end, struct wire_field *field)
{
    const uint8_t *data = reader->data;
    if (reader->size < 3)
        return false;
    size_t at = data[0] < 0x80 ? 1 : 2;
    uint32_t tag = at == 1 ? data[0] : (data[0] & 0x7fu) | (uint32_t)data[1] << 7;
    size_t value_at = at;
    uint64_t value = data[at++];
    if (value >= 0x80 && at < reader->size)
        value = (value & 0x7f) | (uint64_t)data[at++] << 7;
    bool is_bytes = (tag & 7) == WIRE_BYTES;
    if (tag < 8 || (value_at == 2 && data[1] >= 0x80) || data[at - 1] >= 0x80 ||
        !(is_bytes || (tag & 7) == WIRE_VARINT))
        return false;
    field->number = tag >> 3;
    field->type = (enum wire_type)(tag & 7);
    field->record = reader->offset;
    field->offset = reader->offset + (is_bytes ? at : value_at);
    field->size = is_bytes ? value : at - value_at;
    field->value = is_bytes ? 0 : value;
    return field->size <= end - field->offset;
}

enum opshift_status wire_next_any(struct wire_cursor *cursor, struct wire_field *field, struct opshift_error *error)
{
    struct wire_reader reader = {.offset = cursor->at, .size = 2 * WIRE_VARINT_MAX};
    if (reader.size > cursor->end - cursor->at)
        reader.size = (size_t)(cursor->end - cursor->at);
    enum opshift_status status = source_view(cursor->source, cursor->at, reader.size, &reader.data, error);
    if (status)
        return status;
    if (short_read(&reader, cursor->end, field)) {
        cursor->at = field->offset + field->size;
        return OPSHIFT_OK;
    }
    field->record = cursor->at;
    status = tag_read(&reader, field, error);
    if (status == OPSHIFT_OK)
        status = value_read(&reader, field, cursor->end, error);
    if (status == OPSHIFT_OK)
        cursor->at = field->offset + field->size;
    return status;
}

/* Size of a field with a short head, behind its tag; 0: use the general path. */
static inline size_t short_size(const uint8_t *data, size_t left, enum wire_type type)
{
    size_t size = type == WIRE_FIXED64 ? 8 : type == WIRE_FIXED32 ? 4 : 1;
    if (size > left)
        return 0;
    if (type == WIRE_BYTES)
        return *data < 0x80 && *data < left ? 1 + (size_t)*data : 0;
    while (type == WIRE_VARINT && data[size - 1] >= 0x80)
        if (size++ == left || size == WIRE_VARINT_MAX)
            return 0;
    return size;
}

void wire_pass_alike(struct wire_cursor *cursor, const struct wire_field *field)
{
    const struct source *source = cursor->source;
    uint64_t within = cursor->at - source->window_offset, end = cursor->end - source->window_offset;
    if (end > source->window_size)
        end = source->window_size;
    if (within >= end || field->number > 15)
        return;
    const uint8_t *data = source->window + within, *last = source->window + end, *start = data;
    uint8_t tag = (uint8_t)(field->number << 3 | (unsigned)field->type);
    for (size_t size = 1; data < last && *data == tag && size > 0; data += size)
        if ((size = short_size(data + 1, (size_t)(last - data) - 1, field->type)) > 0)
            size++;
    cursor->at += (uint64_t)(data - start);
}

static const char *type_text(enum wire_type type)
{
    static const char *const names[] = {"a varint", "8 fixed bytes", "a length and bytes",
                                        "a group",  "a group's end", "4 fixed bytes"};
    return (size_t)type < COUNT(names) ? names[type] : "nothing known";
}

enum opshift_status wire_expect(const struct wire_field *field, enum wire_type type, const char *what,
                                struct opshift_error *error)
{
    if (field->type == type)
        return OPSHIFT_OK;
    return opshift_fail_at(error, OPSHIFT_MALFORMED, OPSHIFT_FAULT_WIRE_TYPE, field->record,
                           "%s (field %" PRIu32 ") is written as %s instead of %s; %s", what, field->number,
                           type_text(field->type), type_text(type), damaged);
}

void wire_add_varint(struct buffer *buffer, uint64_t value)
{
    uint8_t bytes[WIRE_VARINT_MAX];
    buffer_add(buffer, bytes, wire_put_varint(bytes, value));
}

static inline uint64_t tag_of(uint32_t number, enum wire_type type)
{
    return (uint64_t)number << 3 | (uint64_t)type;
}

void wire_add_tag(struct buffer *buffer, uint32_t number, enum wire_type type)
{
    wire_add_varint(buffer, tag_of(number, type));
}

size_t wire_put_head(uint8_t *to, uint32_t number, size_t size)
{
    size_t used = wire_put_varint(to, tag_of(number, WIRE_BYTES));
    return used + wire_put_varint(to + used, size);
}

void wire_add_bytes(struct buffer *buffer, uint32_t number, const void *data, size_t size)
{
    if (size > SIZE_MAX - WIRE_HEAD_MAX || !buffer_reserve(buffer, WIRE_HEAD_MAX + size)) {
        buffer->failed = true;
        return;
    }
    uint8_t *to = buffer->data + buffer->size, *payload = to + wire_put_head(to, number, size);
    if (size > 0)
        memcpy(payload, data, size);
    buffer->size += (size_t)(payload - to) + size;
}

size_t wire_put_int(uint8_t *to, uint32_t number, uint64_t value)
{
    size_t used = wire_put_varint(to, tag_of(number, WIRE_VARINT));
    return used + wire_put_varint(to + used, value);
}

void wire_add_int(struct buffer *buffer, uint32_t number, uint64_t value)
{
    uint8_t bytes[WIRE_HEAD_MAX];
    buffer_add(buffer, bytes, wire_put_int(bytes, number, value));
}

enum opshift_status wire_copy(struct source *source, uint64_t from, uint64_t end, struct buffer *out,
                              struct opshift_error *error)
{
    size_t size = (size_t)(end - from);
    if (size == 0)
        return OPSHIFT_OK;
    if (!buffer_reserve(out, size))
        return opshift_no_memory(error);
    enum opshift_status status = source_read(source, from, out->data + out->size, size, error);
    out->size += size;
    return status;
}

void wire_add_packed(struct buffer *buffer, const ProtobufCMessage *message)
{
    if (buffer_reserve(buffer, protobuf_c_message_get_packed_size(message)))
        buffer->size += protobuf_c_message_pack(message, buffer->data + buffer->size);
}

struct bytes wire_pack(struct arena *arena, const ProtobufCMessage *message)
{
    size_t size = protobuf_c_message_get_packed_size(message);
    uint8_t *data = arena_bytes(arena, size);
    if (data != NULL)
        protobuf_c_message_pack(message, data);
    return (struct bytes){data, size};
}

void wire_add_message(struct buffer *buffer, uint32_t number, const ProtobufCMessage *message)
{
    uint8_t head[WIRE_HEAD_MAX];
    buffer_add(buffer, head, wire_put_head(head, number, protobuf_c_message_get_packed_size(message)));
    wire_add_packed(buffer, message);
}

bool wire_same_messages(struct arena *arena, const ProtobufCMessage *one, const ProtobufCMessage *other)
{
    size_t size = protobuf_c_message_get_packed_size(one);
    uint8_t *bytes = size == protobuf_c_message_get_packed_size(other) ? arena_alloc(arena, 2, size + 1) : NULL;
    if (bytes == NULL)
        return false;
    protobuf_c_message_pack(one, bytes);
    protobuf_c_message_pack(other, bytes + size);
    return memcmp(bytes, bytes + size, size) == 0;
}
