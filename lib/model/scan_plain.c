/* What most value infos and initializers are, read in one go: small, whole in the source's window and without anything
 * unusual. All else, and all that is wrong, is left to the scan that goes field by field. */
#include "model/scan_view.h"
#include "model/seen.h"

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

/* A TypeProto that was met before is as plain as it was then; each level of it takes two bytes at least. */
static bool type_is_plain(struct scan *scan, const struct piece *piece, uint32_t depth, unsigned *number)
{
    bool known = false;
    void *seen = NULL;
    if (scan->model->limits.nesting >= depth + SEEN_SIZE / 2 && type_of(piece) == WIRE_BYTES)
        seen = model_seen_type(scan->model, (struct bytes){piece->data, piece->size}, &known);
    *number = seen ? seen_number(seen) : 0;
    if (known || piece_is_plain(scan, FORM_VALUE, piece, depth))
        return true;
    if (seen)
        seen_forget(seen);
    return false;
}

/* The type of a value info; in a row many are as the one before. */
struct told {
    struct bytes type; /* it lies in the window, and is plain */
    unsigned number;
};

static bool value_type(struct scan *scan, const struct piece *piece, uint32_t depth, struct told *told)
{
    if (piece->size > 0 && piece->size == told->type.size &&
        ends_same(told->type.data, piece->data, piece->size, ends_of(piece->data, piece->size)))
        return true;
    if (!type_is_plain(scan, piece, depth, &told->number))
        return false;
    told->type = (struct bytes){piece->data, piece->size};
    return true;
}

/* In the order in which nodes gave them, which may have given others between. */
static inline bool value_name(struct scan *scan, const struct piece *piece, name_id *name)
{
    name_id last = scan->last_value;
    *name = names_add_either(scan->model->names, last + 1, last + 2, piece->data, piece->size);
    scan->last_value = *name;
    return *name != NAME_NO_MEMORY;
}

static bool value_read(struct scan *scan, struct view view, uint32_t depth, struct told *told, struct value_info *value)
{
    unsigned types = 0;
    struct piece piece;
    value->name = NAME_NONE;
    while (view_next(&view, &piece)) {
        if (piece.tag == PIECE_BYTES(1)) {
            if (!value_name(scan, &piece, &value->name))
                return false;
        } else if (piece.tag == PIECE_BYTES(2)) {
            if (!value_type(scan, &piece, depth, told))
                return false;
            types++;
        } else if (!piece_is_plain(scan, FORM_VALUE, &piece, depth)) {
            return false;
        }
    }
    /* Of two types, the second is merged into the first: it may also stand in what was not read. */
    bool whole = view.at == view.end;
    if (whole && types == 1)
        range_set_type(&value->range, told->number & SEEN_NUMBERS);
    return whole;
}

size_t scan_values_plain(struct scan *scan, struct spot *around, struct value_info *values, size_t most)
{
    struct row row;
    struct view view;
    struct told told = {0};
    size_t count = 0;
    if (!row_open(scan, around, &row))
        return 0;
    while (count < most && row_next(&row, &view, &values[count].range) &&
           value_read(scan, view, around->depth + 1, &told, &values[count]))
        count++;
    if (count > 0)
        around->cursor.at = range_end(values[count - 1].range);
    return count;
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
