/* Plain nodes in a row, as most nodes are: without graphs, without a domain and without anything unusual. Their names
 * are gathered before they are looked up, so that the table of names is fetched from memory meanwhile. All else, and
 * all that is wrong, is left to the scan that goes field by field. */
#include "model/scan_view.h"

#define NODES_MAX 32u
#define NAMES_MAX 256u
#define NOWHERE   UINT32_MAX

/* Names, of which no two need be looked up that are near each other. */
struct gathered {
    struct name_text texts[NAMES_MAX];
    uint32_t count;
    uint32_t input, output; /* the first of the node before */
};

static inline bool is_at(const struct gathered *names, uint32_t index, const struct piece *piece)
{
    if (index >= names->count || piece->size == 0)
        return false;
    const struct name_text *text = &names->texts[index];
    return text->size == piece->size &&
           ends_same(text->data, piece->data, piece->size, ends_of(piece->data, piece->size));
}

/* same: as in struct name_text. False: no room. */
static inline bool name_put(struct gathered *names, const struct piece *piece, uint32_t same)
{
    if (names->count == NAMES_MAX)
        return false;
    names->texts[names->count++] = (struct name_text){piece->data, (uint32_t)piece->size, same};
    return true;
}

/* Many nodes read what the one before them gives, in the same order, or what it reads. *guess: of the next one. */
static inline bool input_put(struct gathered *names, const struct piece *piece, uint32_t *guess)
{
    uint32_t same = names->count;
    if (is_at(names, *guess, piece))
        same = *guess;
    else if (is_at(names, names->input, piece))
        same = names->input;
    if (same != names->count)
        *guess = same + 1;
    return name_put(names, piece, same);
}

/* There are few, each in a place that follows from its bytes. */
static inline bool op_type_read(struct scan *scan, const struct piece *piece, name_id *op_type)
{
    if (piece->size == 0) {
        *op_type = NAME_NONE;
        return true;
    }
    name_id *known = &scan->op_types[(piece->size + piece->data[0]) % COUNT(scan->op_types)];
    *known = names_add_guessed(scan->model->names, *known, piece->data, piece->size);
    *op_type = *known;
    return *op_type != NAME_NO_MEMORY;
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

/* Everything but its range and where its names are. */
static bool node_read(struct scan *scan, struct view view, uint32_t depth, struct gathered *names, struct node *node)
{
    const struct opshift_limits *limits = &scan->model->limits;
    uint32_t first = names->count, guess = names->output, inputs = 0, outputs = 0, attributes = 0;
    name_id op_type = NAME_NONE;
    struct piece piece;
    while (view_next(&view, &piece))
        switch (piece.tag) {
        case PIECE_BYTES(1): /* all of them before the outputs, as everybody writes them */
            if (outputs > 0 || !input_put(names, &piece, &guess))
                return false;
            inputs++;
            break;
        case PIECE_BYTES(2):
            if (!name_put(names, &piece, names->count))
                return false;
            outputs++;
            break;
        case PIECE_BYTES(3): /* its name is read when somebody asks for it */
            break;
        case PIECE_BYTES(4):
            if (!op_type_read(scan, &piece, &op_type))
                return false;
            break;
        case PIECE_BYTES(5):
            if (!attribute_is_plain(scan, &piece, depth + 1))
                return false;
            attributes++;
            break;
        case PIECE_BYTES(7): /* "ai.onnx" has two spellings */
        case PIECE_BYTES(8): /* an overload, which few have */
            if (piece.size > 0)
                return false;
            break;
        default:
            if (!piece_is_plain(scan, FORM_NODE, &piece, depth))
                return false;
        }
    if (view.at != view.end || attributes > limits->attributes || outputs > limits->outputs)
        return false;
    node->op_type = op_type & INT32_MAX;
    node->has_inside = 0;
    node->input_count = inputs;
    node->output_count = outputs;
    names->input = inputs ? first : names->input;
    names->output = outputs ? first + inputs : names->output;
    return true;
}

/* Nodes whose names were gathered in their order. False: no memory. */
static bool nodes_name(struct scan *scan, const struct gathered *names, struct node *nodes, size_t count)
{
    if (scan_slab_reserve(scan, names->count) ||
        !names_add_all(scan->model->names, names->texts, names->count, scan->slab))
        return false;
    for (struct node *node = nodes; node < nodes + count; node++) {
        uint32_t own = node->input_count + node->output_count;
        node->names = own ? scan->slab : NULL;
        scan->slab += own;
        scan->slab_left -= own;
    }
    return true;
}

size_t scan_nodes_plain(struct scan *scan, struct spot *around, struct node *nodes, size_t most)
{
    struct gathered names;
    struct row row;
    struct view view;
    size_t count = 0;
    names.count = 0;
    names.input = names.output = NOWHERE;
    if (!row_open(scan, around, &row))
        return 0;
    for (most = most < NODES_MAX ? most : NODES_MAX; count < most; count++) {
        uint32_t before = names.count;
        if (row_next(&row, &view, &nodes[count].range) &&
            node_read(scan, view, around->depth + 1, &names, &nodes[count]))
            continue;
        names.count = before;
        break;
    }
    if (count == 0 || !nodes_name(scan, &names, nodes, count))
        return 0;
    around->cursor.at = range_end(nodes[count - 1].range);
    return count;
}
