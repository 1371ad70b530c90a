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

/* One field of a source. For WIRE_BYTES, offset and size are the payload's; for the others value holds it.
 */
struct wire_field {
    uint32_t number;
    enum wire_type type;
    uint64_t record; /* where its tag starts */
    uint64_t offset; /* where its payload starts */
    uint64_t size;   /* bytes of payload; the record ends at offset + size */
    uint64_t value;  /* varint, fixed64, fixed32 */
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
/* Writes the tag and the length of a bytes field. Returns the number of bytes written, at most WIRE_HEAD_MAX. */
#define WIRE_HEAD_MAX (2 * WIRE_VARINT_MAX)
size_t wire_put_head(uint8_t *to, uint32_t number, size_t size);
/* Writes a varint field. */
size_t wire_put_int(uint8_t *to, uint32_t number, uint64_t value);

static inline enum opshift_status wire_next(struct wire_cursor *cursor, struct wire_field *field, bool *found,
                                            struct opshift_error *error)
{
    const struct source *source = cursor->source;
    uint64_t at = cursor->at, left = cursor->end - at, within = at - source->window_offset;
    /* Fast path for most fields: a tag of one byte, and a varint of one byte or a length of one byte and its payload.
     */
    if (left >= 2 && within < source->window_size && source->window_size - within >= 2) {
        const uint8_t *data = source->window + within;
        enum wire_type type = (enum wire_type)(data[0] & 7);
        bool is_bytes = type == WIRE_BYTES && data[1] <= left - 2;
        if (data[0] >= 8 && data[0] < 0x80 && data[1] < 0x80 && (is_bytes || type == WIRE_VARINT)) {
            field->number = data[0] >> 3;
            field->type = type;
            field->record = at;
            field->offset = at + 1 + is_bytes;
            field->size = is_bytes ? data[1] : 1;
            field->value = is_bytes ? 0 : data[1];
            cursor->at = field->offset + field->size;
            *found = true;
            return OPSHIFT_OK;
        }
    }
    *found = left > 0;
    return left > 0 ? wire_next_any(cursor, field, error) : OPSHIFT_OK;
}

#endif
