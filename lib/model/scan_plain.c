/* What most nodes, value infos and initializers are, read in one go: small, whole in the source's window, without
 * graphs and without anything unusual. All else, and all that is wrong, is left to the scan that goes field by field.
 */
#include "model/scan_part.h"
#include "model/seen.h"

#include <string.h>

#define SIZE_MAX_PLAIN 2048u /* bytes of a message */
#define RANK_MAX_PLAIN 8u
#define NAMES_COMING   8u /* fetched beforehand */

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

static inline unsigned number_of(const struct piece *piece)
{
    return piece->tag >> 3;
}

static inline enum wire_type type_of(const struct piece *piece)
{
    return (enum wire_type)(piece->tag & 7);
}

/* Where a message lies in memory. False: it is too large, or cannot be read. */
static bool view_open(struct scan *scan, const struct wire_field *field, struct view *view)
{
    struct opshift_error ignored;
    if (field->size > SIZE_MAX_PLAIN)
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

static bool view_next_any(struct view *view, struct piece *piece)
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

/* The next field. False: the message ends (view->at is its end), or goes on in a way that is not plain. */
static inline bool view_next(struct view *view, struct piece *piece)
{
    const uint8_t *at = view->at;
    size_t left = (size_t)(view->end - at);
    /* What most are: a tag and a length of one byte each, and bytes. */
    if (left < 2 || (at[0] & 0x87) != WIRE_BYTES || at[1] >= 0x80 || at[1] > left - 2)
        return view_next_any(view, piece);
    *piece = (struct piece){.tag = at[0], .data = at + 2, .size = at[1]};
    view->at = at + 2 + at[1];
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

static inline bool piece_name(struct scan *scan, const struct piece *piece, name_id *name)
{
    *name = names_add(scan->model->names, piece->data, piece->size);
    return *name != NAME_NO_MEMORY;
}

/* A name of a list that most probably goes on as it was met before, in the outputs of nodes or in the value infos. */
static inline bool piece_next_name(struct scan *scan, const struct piece *piece, name_id *last)
{
    name_id guess = *last + 1;
    *last = names_add_guessed(scan->model->names, guess, piece->data, piece->size);
    scan->guessed = *last == guess && guess + 1 < names_count(scan->model->names);
    return *last != NAME_NO_MEMORY;
}

/* Many nodes read what the one before them gives, or what it reads. */
static inline bool piece_input(struct scan *scan, const struct piece *piece, name_id *name)
{
    *name = names_add_either(scan->model->names, scan->last_output, scan->last_input, piece->data, piece->size);
    return *name != NAME_NO_MEMORY;
}

static inline bool piece_output(struct scan *scan, const struct piece *piece, name_id *name)
{
    bool known = piece_next_name(scan, piece, &scan->last_output);
    *name = scan->last_output;
    return known;
}

/* Many nodes do what the one before them did. */
static inline bool piece_op_type(struct scan *scan, const struct piece *piece, struct node *node)
{
    scan->last_op_type = names_add_guessed(scan->model->names, scan->last_op_type, piece->data, piece->size);
    node->op_type = scan->last_op_type & INT32_MAX;
    return scan->last_op_type != NAME_NO_MEMORY;
}

/* Nothing that the index needs: no graphs. */
static bool attribute_is_plain(struct scan *scan, const struct piece *attribute, uint32_t depth)
{
    struct view view = {attribute->data, attribute->data + attribute->size};
    struct piece piece;
    if (depth > scan->model->limits.nesting)
        return false;
    while (view_next(&view, &piece))
        if (!piece_is_plain(scan, FORM_ATTRIBUTE, &piece, depth))
            return false;
    return view.at == view.end;
}

static bool node_piece(struct scan *scan, const struct piece *piece, uint32_t depth, struct node *node,
                       uint64_t *attributes)
{
    switch (number_of(piece)) {
    case 1: /* all of them before the outputs, as everybody writes them */
        return node->output_count == 0 && piece_input(scan, piece, &scan->slab[node->input_count++]);
    case 2:
        return piece_output(scan, piece, &scan->slab[node->input_count + node->output_count++]);
    case 4:
        return piece_op_type(scan, piece, node);
    case 5:
        ++*attributes;
        return attribute_is_plain(scan, piece, depth + 1);
    case 7: /* "ai.onnx" has two spellings */
    case 8: /* an overload, which few have */
        return piece->size == 0;
    default:
        return true;
    }
}

/* A node that stands here, as is likely, will ask for its names: all but the first are new in most, and in no cache. */
static void names_coming(const struct scan *scan, const uint8_t *at)
{
    const struct source *source = scan->model->source;
    struct view view = {at, source->window + source->window_size};
    struct piece piece;
    if (!view_next(&view, &piece))
        return;
    view = (struct view){piece.data, piece.data + piece.size};
    for (unsigned i = 0; i < NAMES_COMING && view_next(&view, &piece) && number_of(&piece) <= 2; i++)
        if (i > 0)
            names_expect(scan->model->names, piece.data, piece.size);
}

/* All fields of a node, which has no others before. */
static bool node_read(struct scan *scan, const struct view *around, uint32_t depth, struct node *node)
{
    const struct opshift_limits *limits = &scan->model->limits;
    struct view view = *around;
    struct piece piece;
    uint64_t attributes = 0;
    while (view_next(&view, &piece))
        if ((piece.tag != (5 << 3 | WIRE_BYTES) && !piece_is_plain(scan, FORM_NODE, &piece, depth)) ||
            !node_piece(scan, &piece, depth, node, &attributes))
            return false;
    return view.at == view.end && attributes <= limits->attributes && node->output_count <= limits->outputs;
}

bool scan_node_plain(struct scan *scan, const struct spot *around, struct node *node)
{
    struct view view;
    /* A name takes two bytes at least. */
    if (!view_open(scan, &around->field, &view) || scan_slab_reserve(scan, (size_t)around->field.size / 2 + 1))
        return false;
    if (!scan->guessed)
        names_coming(scan, view.end);
    node->range = range_of(&around->field);
    if (!node_read(scan, &view, around->depth + 1, node)) {
        *node = (struct node){0};
        return false;
    }
    uint32_t count = node->input_count + node->output_count;
    node->names = count ? scan->slab : NULL;
    scan->last_input = node->input_count ? *scan->slab : scan->last_input;
    scan->slab += count;
    scan->slab_left -= count;
    return true;
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

bool scan_value_plain(struct scan *scan, const struct spot *around, struct value_info *value)
{
    uint32_t depth = around->depth + 1;
    unsigned number = 0, types = 0;
    struct view view;
    struct piece piece;
    if (!view_open(scan, &around->field, &view))
        return false;
    value->name = NAME_NONE;
    while (view_next(&view, &piece)) {
        if (!(number_of(&piece) == 2 ? type_is_plain(scan, &piece, depth, &number)
                                     : piece_is_plain(scan, FORM_VALUE, &piece, depth)) ||
            (number_of(&piece) == 1 && !piece_next_name(scan, &piece, &scan->last_value)))
            return false;
        types += number_of(&piece) == 2;
        if (number_of(&piece) == 1)
            value->name = scan->last_value;
    }
    /* Of two types, the second is merged into the first: it may also stand in what was not read. */
    bool whole = view.at == view.end;
    if (whole && types == 1)
        range_set_type(&value->range, number & SEEN_NUMBERS);
    return whole;
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
