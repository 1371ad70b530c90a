/* Deltas, written and applied. */
#include "model/delta.h"

#include <assert.h>
#include <string.h>

void delta_add(struct delta *delta, size_t kept, size_t removed, struct bytes added)
{
    uint8_t *to = delta->end;
    if ((kept | removed | added.size) < 0x80) { /* as most are */
        *to++ = (uint8_t)kept;
        *to++ = (uint8_t)removed;
        *to++ = (uint8_t)added.size;
    } else {
        to += wire_put_varint(to, kept);
        to += wire_put_varint(to, removed);
        to += wire_put_varint(to, added.size);
    }
    if (added.size > 0)
        memcpy(to, added.data, added.size);
    delta->end = to + added.size;
    delta->growth += (int64_t)added.size - (int64_t)removed;
}

struct bytes delta_end(struct delta *delta, uint32_t number, size_t head_size, size_t size)
{
    assert(number < 16);
    uint8_t length[WIRE_VARINT_MAX];
    size_t length_size = wire_put_varint(length, (uint64_t)((int64_t)size + delta->growth));
    uint8_t *start = delta->pieces - 2 - length_size;
    start[0] = (uint8_t)(number << 3 | WIRE_BYTES);
    start[1] = (uint8_t)head_size;
    memcpy(start + 2, length, length_size);
    return (struct bytes){start, (size_t)(delta->end - start)};
}

static const uint8_t *number_read(const uint8_t *at, size_t *number)
{
    *number = *at & 0x7f;
    for (unsigned shift = 7; *at++ >= 0x80; shift += 7)
        *number |= (size_t)(*at & 0x7f) << shift;
    return at;
}

static inline const uint8_t *piece_read(const uint8_t *at, size_t *kept, size_t *removed, size_t *added)
{
    *kept = at[0];
    *removed = at[1];
    *added = at[2];
    if ((*kept | *removed | *added) < 0x80)
        return at + 3;
    return number_read(number_read(number_read(at, kept), removed), added);
}

size_t delta_size(struct bytes delta)
{
    size_t size;
    const uint8_t *length = delta.data + 2;
    return 1 + (size_t)(number_read(length, &size) - length) + size;
}

static void pieces_apply(const uint8_t *at, const uint8_t *end, const uint8_t *from, const uint8_t *from_end,
                         uint8_t *to)
{
    for (size_t kept, removed, added; at < end; at += added) {
        at = piece_read(at, &kept, &removed, &added);
        memcpy(to, from, kept);
        memcpy(to + kept, at, added);
        to += kept + added;
        from += kept + removed;
    }
    memcpy(to, from, (size_t)(from_end - from));
}

enum opshift_status delta_apply(struct bytes delta, struct source *source, uint64_t offset, size_t size,
                                struct buffer *made, struct opshift_error *error)
{
    const uint8_t *record = source_window(source, offset, size, error);
    if (record == NULL)
        return error ? error->status : OPSHIFT_IO;
    size_t made_size;
    const uint8_t *length = delta.data + 2, *at = number_read(length, &made_size);
    made_size += 1 + (size_t)(at - length);
    if (!buffer_reserve(made, made_size))
        return opshift_no_memory(error);
    uint8_t *to = made->data + made->size;
    *to++ = delta.data[0];
    while (length < at)
        *to++ = *length++;
    pieces_apply(at, delta.data + delta.size, record + delta.data[1], record + size, to);
    made->size += made_size;
    return OPSHIFT_OK;
}
