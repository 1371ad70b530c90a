/* What most initializers are, read in one go: small, whole in the source's window and without anything unusual. All
 * else, and all that is wrong, is left to the scan that goes field by field. */
#include "model/scan_view.h"

#include <string.h>

#define RANK_MAX_PLAIN 8u

/* Where a message lies in memory. False: it is too large, or cannot be read. */
static bool view_open(struct scan *scan, const struct wire_field *field, struct view *view)
{
    struct opshift_error ignored;
    if (field->size > VIEW_SIZE_MAX)
        return false;
    view->at = source_window(scan->model->source, field->offset, (size_t)field->size, &ignored);
    view->end = view->at ? view->at + field->size : NULL;
    return view->at != NULL;
}

/* Varints of up to two bytes, as tags and lengths are. */
static inline bool short_read(struct view *view, uint64_t *value)
{
    if (view->at == view->end)
        return false;
    *value = *view->at++;
    if (*value < 0x80)
        return true;
    if (view->at == view->end || *view->at >= 0x80)
        return false;
    *value = (*value & 0x7f) | (uint64_t)*view->at++ << 7;
    return true;
}

static inline bool varint_read(struct view *view, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; view->at < view->end && shift < 70; shift += 7) {
        uint8_t byte = *view->at++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

bool view_next_any(struct view *view, struct piece *piece)
{
    struct view ahead = *view;
    uint64_t tag, size = 0;
    if (!short_read(&ahead, &tag))
        return false;
    piece->tag = (uint32_t)tag;
    if (type_of(piece) == WIRE_VARINT) {
        if (!varint_read(&ahead, &piece->value))
            return false;
    } else if (type_of(piece) == WIRE_BYTES) {
        if (!short_read(&ahead, &size))
            return false;
    } else if (type_of(piece) == WIRE_FIXED32) {
        size = 4;
    } else {
        return false;
    }
    if (size > (size_t)(ahead.end - ahead.at))
        return false;
    piece->data = ahead.at;
    piece->size = (size_t)size;
    view->at = ahead.at + size;
    return true;
}

bool row_open(struct scan *scan, const struct spot *spot, struct row *row)
{
    const struct wire_field *field = &spot->field;
    struct source *source = scan->model->source;
    struct opshift_error ignored;
    if (field->size > VIEW_SIZE_MAX || field->number > 15)
        return false;
    row->at = source_window(source, field->record, (size_t)(field->offset + field->size - field->record), &ignored);
    if (row->at == NULL)
        return false;
    uint64_t left = spot->cursor.end - field->record;
    size_t at_hand = source->window_size - (size_t)(row->at - source->window);
    row->end = row->at + (left < at_hand ? (size_t)left : at_hand);
    row->offset = field->record;
    row->tag = (uint8_t)PIECE_BYTES(field->number);
    return true;
}

static inline bool piece_name(struct scan *scan, const struct piece *piece, name_id *name)
{
    *name = names_add(scan->model->names, piece->data, piece->size);
    return *name != NAME_NO_MEMORY;
}

bool scan_tensor_plain(struct scan *scan, const struct spot *around, struct initializer *initializer)
{
    struct initializer read = {.range = initializer->range};
    int64_t dims[RANK_MAX_PLAIN];
    struct view view;
    struct piece piece;
    if (!view_open(scan, &around->field, &view))
        return false;
    while (view_next(&view, &piece)) {
        if (!piece_is_plain(scan, FORM_TENSOR, &piece, around->depth + 1))
            return false;
        if (number_of(&piece) == 1 && (type_of(&piece) != WIRE_VARINT || read.rank == RANK_MAX_PLAIN))
            return false;
        if (number_of(&piece) == 1)
            dims[read.rank++] = (int64_t)piece.value;
        else if (number_of(&piece) == 2)
            /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): view_next() gives a piece. */
            read.type = (enum opshift_type)(int32_t)piece.value;
        else if (number_of(&piece) == 8 && !piece_name(scan, &piece, &read.name))
            return false;
        else if (number_of(&piece) == 14)
            /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): view_next() gives a piece. */
            read.external = piece.value == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
    }
    if (view.at != view.end)
        return false;
    if (read.rank > 0 &&
        (read.rank != scan->last_rank || memcmp(dims, scan->last_dims, read.rank * sizeof *dims) != 0)) {
        int64_t *kept = arena_alloc(scan->model->arena, read.rank, sizeof *dims);
        if (kept == NULL)
            return false;
        scan->last_dims = memcpy(kept, dims, read.rank * sizeof *dims);
        scan->last_rank = read.rank;
    }
    read.dims = read.rank > 0 ? scan->last_dims : NULL;
    *initializer = read;
    return true;
}
