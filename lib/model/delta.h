/* What an edit says of a record that stays for the most part. A delta is the record's tag, how many bytes the tag and
 * the length had (a byte), the length that it gets, and pieces of the payload, each of which keeps some bytes, removes
 * some and adds some. What stands behind the last piece stays. A piece is three varints, for what it keeps, removes and
 * adds, and the bytes that it adds. */
#ifndef MODEL_DELTA_H
#define MODEL_DELTA_H

#include "base/file.h"
#include "wire/wire.h"

#define DELTA_RECORD_MAX ((size_t)32 << 10) /* bytes of the record, which is read at once */
#define DELTA_HEAD_MAX   (2 + WIRE_VARINT_MAX)
#define DELTA_PIECE_MAX  (3 * WIRE_VARINT_MAX) /* bytes of a piece beside what it adds */

/* A delta while it is written; starts with delta_start. */
struct delta {
    uint8_t *pieces, *end;
    int64_t growth; /* of the payload */
};

/* Room for DELTA_HEAD_MAX bytes, for DELTA_PIECE_MAX for each piece, and for all that is added. */
static inline struct delta delta_start(uint8_t *room)
{
    return (struct delta){.pieces = room + DELTA_HEAD_MAX, .end = room + DELTA_HEAD_MAX};
}

void delta_add(struct delta *delta, size_t kept, size_t removed, struct bytes added);
/* The whole delta: the number of the record's field (up to 15), and how many bytes head and payload have. */
struct bytes delta_end(struct delta *delta, uint32_t number, size_t head_size, size_t size);

/* How many bytes the record gets. */
size_t delta_size(struct bytes delta);
/* The record that the delta makes of one of `size` bytes at offset, behind what was made before. IO, MEMORY. */
enum opshift_status delta_apply(struct bytes delta, struct source *source, uint64_t offset, size_t size,
                                struct buffer *made, struct opshift_error *error);

#endif
