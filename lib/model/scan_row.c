/* Plain nodes and value infos in a row, as most are: small, whole in the source's window, without graphs and without
 * anything unusual. Their names are gathered before they are looked up, so that the table of names
 * is fetched from memory meanwhile. All else, and all that is wrong, is left to the scan that goes field by field. */
#include "model/scan_view.h"

#define NAMES_MAX 256u
#define NOWHERE   UINT32_MAX

/* ---- names ---------------------------------------------------------------------------------------------------- */

struct gathered {
    struct name_text texts[NAMES_MAX];
    uint32_t count;
    name_id next;           /* the name that an output or a value info may have */
    uint32_t input, output; /* of nodes: the first ones of the node before */
};

static inline void gather(struct gathered *names, name_id next)
{
    names->count = 0;
    names->next = next;
    names->input = names->output = NOWHERE;
}

/* same: as in struct name_text. False: no room. */
static inline bool name_put(struct gathered *names, const struct piece *piece, uint32_t same)
{
    if (names->count == NAMES_MAX)
        return false;
    names->texts[names->count++] = (struct name_text){piece->data, (uint32_t)piece->size, same};
    return true;
}

static inline bool is_at(const struct gathered *names, uint32_t index, const struct piece *piece)
{
    if (index >= names->count || piece->size == 0)
        return false;
    const struct name_text *text = &names->texts[index];
    return text->size == piece->size &&
           ends_same(text->data, piece->data, piece->size, ends_of(piece->data, piece->size));
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

/* A name of a list that may go on as another did, which may have had others between. */
static inline bool listed_put(const struct scan *scan, struct gathered *names, const struct piece *piece)
{
    const struct names *all = scan->model->names;
    name_id guess = names->next;
    if (guess == NAME_NONE ||
        (!names_is(all, guess, piece->data, piece->size) && !names_is(all, ++guess, piece->data, piece->size)))
        return name_put(names, piece, names->count);
    names->next = guess + 1;
    return name_put(names, piece, NAME_KNOWN | guess);
}

/* What may come after the last name of a list, once it is known. known: ids below that are not new. */
static inline name_id next_of(const struct gathered *names, name_id last, name_id known)
{
    return last < known ? last + 1 : names->next;
}

/* ---- nodes ---------------------------------------------------------------------------------------------------- */

/* An operator or a domain: there are few. */
static inline bool common_read(struct scan *scan, const struct piece *piece, name_id *name)
{
    *name = NAME_NONE;
    if (piece->size == 0)
        return true;
    bool same;
    struct met *met = scan_common_place(scan, piece->data, piece->size, &same);
    if (!same) {
        name_id added = names_add(scan->model->names, piece->data, piece->size);
        if (added == NAME_NO_MEMORY)
            return false;
        *met = (struct met){names_bytes(scan->model->names, added), added};
    }
    *name = met->name;
    return true;
}

static inline bool domain_read(struct scan *scan, const struct piece *piece, name_id *domain)
{
    *domain = NAME_NONE;
    return scan_domain_is_onnx(piece->data, piece->size) || common_read(scan, piece, domain);
}

/* Nothing that the index needs: no graphs. kept: it is one that many nodes may have, and who reads one asks for its
 * name. */
static bool attribute_is_plain(struct scan *scan, struct view view, uint32_t depth, bool kept)
{
    struct piece piece;
    if (depth > scan->model->limits.nesting)
        return false;
    while (view_next(&view, &piece)) {
        if (!piece_is_plain(scan, FORM_ATTRIBUTE, &piece, depth) &&
            (type_of(&piece) != WIRE_BYTES ||
             !scan_packed_is_plain(scan_forms[FORM_ATTRIBUTE].frame, number_of(&piece), piece.data, piece.size)))
            return false;
        if (kept && piece.tag == PIECE_BYTES(1) &&
            names_keep(scan->model->names, piece.data, piece.size) == NAME_NO_MEMORY)
            return false;
    }
    return view.at == view.end;
}

/* One that was met before is as plain as it was then. */
static inline bool attribute_read(struct scan *scan, const struct piece *piece, uint32_t depth)
{
    struct view view = {piece->data, piece->data + piece->size};
    /* A level takes two bytes at least. */
    if (piece->size > WHOLE_SIZE || piece->size == 0 || scan->model->limits.nesting < depth + WHOLE_SIZE / 2)
        return attribute_is_plain(scan, view, depth, false);
    struct whole *met = &scan->attributes[piece->size];
    if (met->size > 0 && ends_same(met->bytes, piece->data, piece->size, ends_of(piece->data, piece->size)))
        return true;
    if (!attribute_is_plain(scan, view, depth, true))
        return false;
    met->size = (uint8_t)piece->size;
    memcpy(met->bytes, piece->data, piece->size);
    return true;
}

static inline size_t listed_place(const uint8_t *data, size_t size)
{
    return (size + data[size - 1]) % LISTED_COUNT;
}

static inline bool listed_is(const struct listed *met, const uint8_t *data, size_t size)
{
    return met->size == size && ends_same(met->bytes, data, size, ends_of(data, size));
}

static void listed_set(struct listed *met, const uint8_t *data, size_t size, unsigned number)
{
    met->size = (uint8_t)size;
    met->number = (uint16_t)number;
    memcpy(met->bytes, data, size);
}

/* Who reads attributes that many nodes have asks for their names, also those of long ones. */
static void attributes_keep(struct scan *scan, const uint8_t *data, size_t size)
{
    struct view list = {data, data + size};
    struct piece attribute, piece;
    while (view_next(&list, &attribute))
        for (struct view view = {attribute.data, attribute.data + attribute.size}; view_next(&view, &piece);)
            if (piece.tag == PIECE_BYTES(1))
                names_keep(scan->model->names, piece.data, piece.size); /* without memory, who asks looks for it */
}

/* The number of a node's attributes: of the records that stand in these bytes. 0: they have none. */
static inline unsigned attributes_number(struct scan *scan, const uint8_t *data, size_t size)
{
    if (size == 0 || size > SEEN_SIZE)
        return size == 0 ? ATTRIBUTES_NONE : 0;
    struct listed *met = &scan->lists[listed_place(data, size)];
    if (listed_is(met, data, size))
        return met->number;
    bool known;
    void *seen =
        seen_value(&scan->model->seen_lists, scan->model->arena, sizeof(struct listed_value), data, size, &known);
    if (seen == NULL || seen_number(seen) >= ATTRIBUTES_NONE)
        return 0;
    if (!known)
        attributes_keep(scan, data, size);
    listed_set(met, data, size, seen_number(seen));
    return met->number;
}

/* Everything but where its names are. has_inside: of it and *domain an inside is still to be made. */
static bool node_read(struct scan *scan, struct view view, uint32_t depth, struct gathered *names, struct node *node,
                      name_id *domain)
{
    const struct opshift_limits *limits = &scan->model->limits;
    uint32_t first = names->count, guess = names->output, inputs = 0, outputs = 0, attributes = 0;
    name_id op_type = NAME_NONE;
    struct view list = {view.at, view.at}; /* from the first attribute to the last */
    bool apart = false;
    struct piece piece;
    *domain = NAME_NONE;
    for (const uint8_t *at = view.at; view_next(&view, &piece); at = view.at) {
        if (piece.tag == PIECE_BYTES(1)) { /* all of them before the outputs, as everybody writes them */
            if (outputs > 0 || !input_put(names, &piece, &guess))
                return false;
            inputs++;
        } else if (piece.tag == PIECE_BYTES(2)) {
            if (!listed_put(scan, names, &piece))
                return false;
            outputs++;
        } else if (piece.tag == PIECE_BYTES(4)) {
            if (!common_read(scan, &piece, &op_type))
                return false;
        } else if (piece.tag == PIECE_BYTES(5)) {
            if (!attribute_read(scan, &piece, depth + 1))
                return false;
            if (attributes++ == 0)
                list.at = at;
            else
                apart = apart || list.end != at;
            list.end = view.at;
        } else if (piece.tag == PIECE_BYTES(7)) {
            if (!domain_read(scan, &piece, domain))
                return false;
        } else if (piece.tag == PIECE_BYTES(8)) { /* an overload, which few have */
            if (piece.size > 0)
                return false;
        } else if (piece.tag != PIECE_BYTES(3) && !piece_is_plain(scan, FORM_NODE, &piece, depth)) {
            return false; /* 3, its name, is read when somebody asks for it */
        }
    }
    if (view.at != view.end || attributes > limits->attributes || outputs > limits->outputs)
        return false;
    node->op_type = op_type & INT32_MAX;
    node->has_inside = *domain != NAME_NONE;
    node->input_count = inputs;
    node->output_count = outputs;
    if (attributes == 0 || !apart)
        range_set_type(&node->range, attributes_number(scan, list.at, (size_t)(list.end - list.at)));
    names->input = inputs ? first : names->input;
    names->output = outputs ? first + inputs : names->output;
    return true;
}

/* What nodes have that have nothing but a domain: those of one domain stand together. NULL: no memory. */
static struct inside *inside_of(struct scan *scan, name_id domain)
{
    if (scan->foreign && scan->foreign->domain == domain)
        return scan->foreign;
    struct inside *inside;
    if (scan_take(scan, 1, sizeof *inside, &inside))
        return NULL;
    *inside = (struct inside){.domain = domain};
    return scan->foreign = inside;
}

/* Names with room for an inside in front of them, and that. False: no memory. */
static bool inside_make(struct scan *scan, struct node *node, name_id domain)
{
    size_t own = (size_t)node->input_count + node->output_count;
    struct inside *inside = inside_of(scan, domain);
    if (inside == NULL || scan_slab_reserve(scan, INSIDE_ROOM + own))
        return false;
    if (node->names)
        memcpy(scan->slab + INSIDE_ROOM, node->names, own * sizeof *node->names);
    node->names = scan->slab + INSIDE_ROOM;
    scan->slab += INSIDE_ROOM + own;
    scan->slab_left -= INSIDE_ROOM + own;
    node_set_inside(node, inside);
    return true;
}

/* Gives nodes the names that were gathered from them, and their domains. False: no memory. */
static bool nodes_name(struct scan *scan, const struct gathered *names, struct node *nodes, const name_id *domains,
                       size_t count)
{
    name_id known = names_count(scan->model->names);
    names_expect(scan->model->names, names->count, range_record(nodes->range), source_size(scan->model->source));
    if (scan_slab_reserve(scan, names->count) ||
        !names_add_all(scan->model->names, names->texts, names->count, scan->slab))
        return false;
    if (names->output != NOWHERE)
        scan->next_output = next_of(names, scan->slab[names->output], known);
    for (struct node *node = nodes; node < nodes + count; node++) {
        uint32_t own = node->input_count + node->output_count;
        node->names = own ? scan->slab : NULL;
        scan->slab = own ? scan->slab + own : scan->slab; /* there is none before the first name */
        scan->slab_left -= own;
    }
    for (size_t i = 0; i < count; i++)
        if (nodes[i].has_inside && !inside_make(scan, &nodes[i], domains[i]))
            return false;
    return true;
}

size_t scan_nodes_plain(struct scan *scan, struct spot *around, struct node *nodes, size_t most)
{
    struct gathered names;
    name_id domains[ROW_MAX];
    struct row row;
    struct view view;
    size_t count = 0;
    if (!row_open(scan, around, &row))
        return 0;
    gather(&names, scan->next_output);
    for (most = most < ROW_MAX ? most : ROW_MAX; count < most; count++) {
        uint32_t before = names.count;
        if (row_next(&row, &view, &nodes[count].range) &&
            node_read(scan, view, around->depth + 1, &names, &nodes[count], &domains[count]))
            continue;
        names.count = before;
        break;
    }
    if (count == 0 || !nodes_name(scan, &names, nodes, domains, count))
        return 0;
    around->cursor.at = range_end(nodes[count - 1].range);
    return count;
}

/* ---- value infos ---------------------------------------------------------------------------------------------- */

/* A TypeProto that was met before is as plain as it was then. */
static inline bool value_type(struct scan *scan, const struct piece *piece, uint32_t depth, unsigned *number)
{
    *number = 0;
    /* A level takes two bytes at least. */
    if (piece->size > SEEN_SIZE || piece->size == 0 || scan->model->limits.nesting < depth + SEEN_SIZE / 2)
        return piece_is_plain(scan, FORM_VALUE, piece, depth);
    struct listed *met = &scan->types[listed_place(piece->data, piece->size)];
    if (!listed_is(met, piece->data, piece->size)) {
        bool known;
        void *seen = model_seen_type(scan->model, (struct bytes){piece->data, piece->size}, &known);
        if (!known && !piece_is_plain(scan, FORM_VALUE, piece, depth)) {
            if (seen)
                seen_forget(seen);
            return false;
        }
        listed_set(met, piece->data, piece->size, seen ? seen_number(seen) : 0);
    }
    *number = met->number;
    return true;
}

/* Everything but its name, which is gathered. */
static bool value_read(struct scan *scan, struct view view, uint32_t depth, struct gathered *names,
                       struct value_info *value)
{
    unsigned types = 0, number = 0;
    uint32_t first = names->count;
    struct piece piece;
    while (view_next(&view, &piece)) {
        if (piece.tag == PIECE_BYTES(1)) {
            if (names->count > first || !listed_put(scan, names, &piece))
                return false;
        } else if (piece.tag == PIECE_BYTES(2)) {
            if (!value_type(scan, &piece, depth, &number))
                return false;
            types++;
        } else if (!piece_is_plain(scan, FORM_VALUE, &piece, depth)) {
            return false;
        }
    }
    if (view.at != view.end || names->count == first)
        return false;
    /* Of two types, the second is merged into the first: it may also stand in what was not read. */
    if (types == 1)
        range_set_type(&value->range, number & SEEN_NUMBERS);
    return true;
}

/* Gives value infos the names that were gathered from them, one from each. False: no memory. */
static bool values_name(struct scan *scan, const struct gathered *names, struct value_info *values, size_t count)
{
    name_id ids[ROW_MAX], known = names_count(scan->model->names);
    names_expect(scan->model->names, count, range_record(values->range), source_size(scan->model->source));
    if (!names_add_all(scan->model->names, names->texts, count, ids))
        return false;
    for (size_t i = 0; i < count; i++)
        values[i].name = ids[i];
    scan->next_value = next_of(names, ids[count - 1], known);
    return true;
}

size_t scan_values_plain(struct scan *scan, struct spot *around, struct value_info *values, size_t most)
{
    struct gathered names;
    struct row row;
    struct view view;
    size_t count = 0;
    if (!row_open(scan, around, &row))
        return 0;
    gather(&names, scan->next_value);
    most = most < ROW_MAX ? most : ROW_MAX;
    while (count < most && row_next(&row, &view, &values[count].range) &&
           value_read(scan, view, around->depth + 1, &names, &values[count]))
        count++;
    if (count == 0 || !values_name(scan, &names, values, count))
        return 0;
    around->cursor.at = range_end(values[count - 1].range);
    return count;
}
