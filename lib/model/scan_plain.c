/* Plain messages in the source's window, taken apart; and initializers in a row, as most small ones are. All else, and
 * all that is wrong, is left to the scan that goes field by field. */
#include "model/scan_view.h"

#include <string.h>

#define RANK_MAX_PLAIN 8u

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

bool view_varint(struct view *view, uint64_t *value)
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
        if (!view_varint(&ahead, &piece->value))
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

/* ---- initializers --------------------------------------------------------------------------------------------- */

/* Many have the dims of the one before. False: no memory. */
static inline bool dims_keep(struct scan *scan, const int64_t *dims, uint32_t rank, int64_t **kept)
{
    uint32_t same = 0;
    *kept = NULL;
    if (rank == 0)
        return true;
    while (rank == scan->last_rank && same < rank && dims[same] == scan->last_dims[same])
        same++;
    if (same < rank) {
        int64_t *copy = arena_alloc(scan->model->arena, rank, sizeof *dims);
        if (copy == NULL)
            return false;
        scan->last_dims = memcpy(copy, dims, rank * sizeof *dims);
        scan->last_rank = rank;
    }
    *kept = scan->last_dims;
    return true;
}

static inline bool is_same(const uint8_t *a, const uint8_t *b, size_t size)
{
    return size == 0 || ends_same(a, b, size, ends_of(b, size));
}

/* The number of a value that is said in so few bytes that it is kept; 0: it has none. */
static unsigned value_number(struct scan *scan, struct bytes before, struct bytes after)
{
    struct said *last = &scan->last_said;
    if (before.size + after.size > sizeof last->bytes)
        return 0;
    if (before.size == last->before && after.size == last->after && is_same(last->bytes, before.data, before.size) &&
        is_same(last->bytes + before.size, after.data, after.size))
        return last->number;
    if (before.size > 0)
        memcpy(last->bytes, before.data, before.size);
    if (after.size > 0)
        memcpy(last->bytes + before.size, after.data, after.size);
    last->before = before.size;
    last->after = after.size;
    bool known;
    const void *seen = seen_value(&scan->model->seen_tensors, scan->model->arena, sizeof(struct tensor *), last->bytes,
                                  before.size + after.size, &known);
    return last->number = seen ? seen_number(seen) : 0;
}

/* Everything but its place and the id of its name. */
static bool tensor_read(struct scan *scan, struct view view, uint32_t depth, struct name_text *name,
                        struct initializer *initializer)
{
    int64_t dims[RANK_MAX_PLAIN];
    uint32_t rank = 0;
    enum opshift_type type = OPSHIFT_TYPE_UNDEFINED;
    bool external = false;
    const uint8_t *start = view.at, *before = view.end, *after = view.end; /* of and behind the name's record */
    struct piece piece;
    name->data = NULL;
    name->size = 0;
    for (const uint8_t *at = start; view_next_number(&view, &piece); at = view.at)
        switch (piece.tag) {
        case PIECE_VARINT(1):
            if (rank == RANK_MAX_PLAIN)
                return false;
            dims[rank++] = (int64_t)piece.value;
            break;
        case PIECE_VARINT(2):
            type = (enum opshift_type)(int32_t)piece.value;
            break;
        case PIECE_BYTES(4): /* float_data */
            if (piece.size % sizeof(float) != 0)
                return false;
            break;
        case PIECE_BYTES(5): /* int32_data, int64_data, uint64_data */
        case PIECE_BYTES(7):
        case PIECE_BYTES(11):
            if (!scan_varints_are_whole(piece.data, piece.size))
                return false;
            break;
        case PIECE_BYTES(8):
            if (name->data)
                return false;
            name->data = piece.data;
            name->size = (uint32_t)piece.size;
            before = at;
            after = view.at;
            break;
        case PIECE_BYTES(9): /* raw_data */
            break;
        case PIECE_BYTES(10): /* double_data */
            if (piece.size % sizeof(double) != 0)
                return false;
            break;
        case PIECE_VARINT(14):
            external = piece.value == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
            break;
        default:
            if (!piece_is_plain(scan, FORM_TENSOR, &piece, depth))
                return false;
        }
    initializer->type = type;
    initializer->rank = rank & INITIALIZER_DIMS_MAX;
    initializer->sparse = false;
    initializer->external = external;
    if (view.at != view.end || !dims_keep(scan, dims, rank, &initializer->dims))
        return false;
    if (!external && type != OPSHIFT_TYPE_STRING)
        range_set_type(&initializer->range, value_number(scan, (struct bytes){start, (size_t)(before - start)},
                                                         (struct bytes){after, (size_t)(view.end - after)}));
    return true;
}

size_t scan_initializers_plain(struct scan *scan, struct spot *around, struct initializer *initializers, size_t most)
{
    struct name_text texts[ROW_MAX];
    name_id ids[ROW_MAX];
    struct row row;
    struct view view;
    size_t count = 0;
    if (!row_open(scan, around, &row))
        return 0;
    most = most < ROW_MAX ? most : ROW_MAX;
    for (; count < most && row_next(&row, &view, &initializers[count].range); count++) {
        if (!tensor_read(scan, view, around->depth + 1, &texts[count], &initializers[count]))
            break;
        texts[count].same = (uint32_t)count;
    }
    if (count == 0)
        return 0;
    names_expect(scan->model->names, count, range_record(initializers->range), source_size(scan->model->source));
    if (!names_add_all(scan->model->names, texts, count, ids))
        return 0;
    for (size_t i = 0; i < count; i++) {
        initializers[i].name = ids[i];
        scan->model->has_external |= initializers[i].external;
    }
    around->cursor.at = range_end(initializers[count - 1].range);
    return count;
}
