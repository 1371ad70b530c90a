/* The protobuf wire format: tags, varints, lengths (protobuf.dev, "Encoding"). Every length is checked before use. */
#ifndef WIRE_WIRE_H
#define WIRE_WIRE_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"

enum wire_type {
    WIRE_VARINT = 0,
    WIRE_FIXED64 = 1,
    WIRE_BYTES = 2,
    WIRE_GROUP = 3,
    WIRE_GROUP_END = 4,
    WIRE_FIXED32 = 5
};

/* One field of a source. For WIRE_BYTES, offset and size are the payload's; for the others value holds it. `number`
 * and `type` are not adjacent: one load of both, just after two stores, would stall (store forwarding). */
struct wire_field {
    uint32_t number;
    uint64_t record; /* where its tag starts */
    uint64_t offset; /* where its payload starts */
    uint64_t size;   /* bytes of payload; the record ends at offset + size */
    uint64_t value;  /* varint, fixed64, fixed32 */
    enum wire_type type;
};

struct wire_cursor {
    struct source *source;
    uint64_t at, end;
};

/* Reads the next field before cursor->end. *found is false at the end. MALFORMED with the offset: truncated, a varint
 * of more than 10 bytes, field number 0 or above 2^29-1, a length beyond the end, a group (proto2 groups are not ONNX).
 */
static inline enum opshift_status wire_next(struct wire_cursor *cursor, struct wire_field *field, bool *found,
                                            struct opshift_error *error);
/* The general case of wire_next; not at the end. */
enum opshift_status wire_next_any(struct wire_cursor *cursor, struct wire_field *field, struct opshift_error *error);
/* Skips the following fields with the same tag in the current window that have a short head: unpacked elements. */
void wire_pass_alike(struct wire_cursor *cursor, const struct wire_field *field);
/* Fails (MALFORMED) unless the field has this type; `what` names the field ("NodeProto.input"). */
enum opshift_status wire_expect(const struct wire_field *field, enum wire_type type, const char *what,
                                struct opshift_error *error);

/* The payload of a record at `at` with a tag of one byte and a length of one or two. NULL: another form, or it does not
 * end before the end. */
static inline const uint8_t *wire_short_bytes(const uint8_t *at, const uint8_t *end, size_t *size)
{
    size_t left = (size_t)(end - at);
    if (left < 2 || (at[0] & 0x87) != WIRE_BYTES)
        return NULL;
    *size = at[1];
    if (at[1] < 0x80)
        return *size <= left - 2 ? at + 2 : NULL;
    if (left < 3 || at[2] >= 0x80)
        return NULL;
    *size = (at[1] & 0x7fu) | (size_t)at[2] << 7;
    return *size <= left - 3 ? at + 3 : NULL;
}

#define WIRE_VARINT_MAX 10u /* size of the longest varint */

static inline size_t wire_varint_size(uint64_t value)
{
    size_t size = 1;
    for (; value >= 0x80; value >>= 7)
        size++;
    return size;
}

/* Returns the number of bytes written. */
static inline size_t wire_put_varint(uint8_t *to, uint64_t value)
{
    size_t size = 0;
    for (; value >= 0x80; value >>= 7)
        to[size++] = (uint8_t)(value | 0x80);
    to[size++] = (uint8_t)value;
    return size;
}

void wire_add_varint(struct buffer *buffer, uint64_t value);
void wire_add_tag(struct buffer *buffer, uint32_t number, enum wire_type type);
void wire_add_bytes(struct buffer *buffer, uint32_t number, const void *data, size_t size);
void wire_add_int(struct buffer *buffer, uint32_t number, uint64_t value);
/* Appends the bytes of a source from one offset to another. IO, MEMORY. */
enum opshift_status wire_copy(struct source *source, uint64_t from, uint64_t end, struct buffer *out,
                              struct opshift_error *error);
/* The same for the whole record of a field. */
static inline enum opshift_status wire_copy_field(struct source *source, const struct wire_field *field,
                                                  struct buffer *out, struct opshift_error *error)
{
    return wire_copy(source, field->record, field->offset + field->size, out, error);
}
/* A message without tag and length. */
void wire_add_packed(struct buffer *buffer, const ProtobufCMessage *message);
/* The same in the arena. Data NULL: no memory. */
struct bytes wire_pack(struct arena *arena, const ProtobufCMessage *message);
/* The same as a record: tag, length, message. */
void wire_add_message(struct buffer *buffer, uint32_t number, const ProtobufCMessage *message);
/* Do two messages have the same bytes? False also without memory. */
bool wire_same_messages(struct arena *arena, const ProtobufCMessage *one, const ProtobufCMessage *other);
/* Writes the tag and the length of a bytes field. Returns the number of bytes written, at most WIRE_HEAD_MAX. */
#define WIRE_HEAD_MAX (2 * WIRE_VARINT_MAX)
size_t wire_put_head(uint8_t *to, uint32_t number, size_t size);
/* Writes a varint field. */
size_t wire_put_int(uint8_t *to, uint32_t number, uint64_t value);

/* Reads most fields: a tag of one byte, and a varint of one byte or a length of one byte and its payload. False:
 * another form, not in the current window, malformed, or the end; nothing is changed then, except *field. */
static inline bool wire_next_short(struct wire_cursor *cursor, struct wire_field *field)
{
    const struct source *source = cursor->source;
    uint64_t at = cursor->at, within = at - source->window_offset;
    if (within >= source->window_pairs)
        return false;
    const uint8_t *data = source->window + within;
    uint8_t tag = data[0], value = data[1];
    bool is_bytes = tag & WIRE_BYTES; /* else it is WIRE_VARINT, or refused */
    uint64_t head = 1 + (uint64_t)is_bytes, size = is_bytes ? value : 1;
    if (tag < 8 || (tag & 0x85) || value >= 0x80 || at + head + size > cursor->end)
        return false;
    field->number = tag >> 3;
    field->type = is_bytes ? WIRE_BYTES : WIRE_VARINT;
    field->record = at;
    field->offset = at + head;
    field->size = size;
    field->value = is_bytes ? 0 : value;
    cursor->at = at + head + size;
    return true;
}

static inline enum opshift_status wire_next(struct wire_cursor *cursor, struct wire_field *field, bool *found,
                                            struct opshift_error *error)
{
    *found = cursor->at < cursor->end;
    return !*found || wire_next_short(cursor, field) ? OPSHIFT_OK : wire_next_any(cursor, field, error);
}

#endif
