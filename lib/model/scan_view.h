/* How the scan reads messages that lie whole in the source's window: field by field, without asking the source. */
#ifndef MODEL_SCAN_VIEW_H
#define MODEL_SCAN_VIEW_H

#include "model/scan_part.h"

#define VIEW_SIZE_MAX 2048u /* bytes of a message that is read so */

/* What is left of a message. */
struct view {
    const uint8_t *at, *end;
};

struct piece {
    uint32_t tag;        /* its number, and in the lowest three bits its type, as in the file */
    const uint8_t *data; /* of bytes */
    size_t size;
    uint64_t value; /* of a varint */
};
#define PIECE_BYTES(number)  ((number) << 3 | (uint32_t)WIRE_BYTES) /* the tag of bytes */
#define PIECE_VARINT(number) ((number) << 3 | (uint32_t)WIRE_VARINT)

static inline unsigned number_of(const struct piece *piece)
{
    return piece->tag >> 3;
}

static inline enum wire_type type_of(const struct piece *piece)
{
    return (enum wire_type)(piece->tag & 7);
}

/* The next number of a packed field. False: it is none. */
bool view_varint(struct view *view, uint64_t *value);

/* The same as view_next, for what it does not see at a glance. */
bool view_next_any(struct view *view, struct piece *piece);

/* The next field. False: the message ends (view->at is its end), or goes on in a way that is not plain. */
static inline bool view_next(struct view *view, struct piece *piece)
{
    const uint8_t *at = view->at;
    size_t size;
    const uint8_t *data = wire_short_bytes(at, view->end, &size);
    if (data) {
        *piece = (struct piece){.tag = at[0], .data = data, .size = size};
        view->at = data + size;
        return true;
    }
    if (at == view->end)
        return false;
    struct view ahead = *view; /* as what another function may change is not kept in registers */
    struct piece other;
    if (!view_next_any(&ahead, &other))
        return false;
    *piece = other;
    *view = ahead;
    return true;
}

/* The same, of a message that has as many numbers of one byte as bytes. */
static inline bool view_next_number(struct view *view, struct piece *piece)
{
    const uint8_t *at = view->at;
    if (view->end - at < 2 || (at[0] & 0x87) != WIRE_VARINT || at[1] >= 0x80)
        return view_next(view, piece);
    *piece = (struct piece){.tag = at[0], .data = at + 1, .size = 1, .value = at[1]};
    view->at = at + 2;
    return true;
}

/* Is a field of a message at this depth known, written as its type is, and no deeper than allowed? */
static inline bool piece_is_plain(struct scan *scan, enum form_kind kind, const struct piece *piece, uint32_t depth)
{
    const struct form *form = &scan_forms[kind];
    uint32_t nesting = scan->model->limits.nesting;
    unsigned number = number_of(piece);
    if (number >= 64)
        return false;
    if (form->plain[type_of(piece)] >> number & 1)
        return true;
    if (type_of(piece) != WIRE_BYTES || !((form->messages & ~form->scanned) >> number & 1) || depth >= nesting)
        return false;
    unsigned below = scan_frames[form->frame].below[number % FRAME_FIELDS];
    return number < FRAME_FIELDS && scan_frame_is_plain(scan, below - 1, piece->data, piece->size, nesting - depth - 1);
}

/* Messages of one field that follow one another in the window. */
#define ROW_MAX 32u /* that are read before their names are looked up */
struct row {
    const uint8_t *at, *end; /* what is left of it */
    uint64_t offset;         /* of at */
    uint8_t tag;
};

/* The row that starts where the spot is. False: there is none, or it cannot be read. */
bool row_open(struct scan *scan, const struct spot *spot, struct row *row);

/* The next message. False: what follows is something else, is large, or is not whole in the window. */
static inline bool row_next(struct row *row, struct view *view, struct range *range)
{
    const uint8_t *at = row->at;
    size_t size;
    const uint8_t *data = wire_short_bytes(at, row->end, &size);
    if (data == NULL || at[0] != row->tag || size > VIEW_SIZE_MAX)
        return false;
    *range = range_make(row->offset, row->offset + (size_t)(data - at), size);
    *view = (struct view){data, data + size};
    row->at = view->end;
    row->offset += (size_t)(view->end - at);
    return true;
}

#endif
