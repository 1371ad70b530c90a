/* Pairs nodes of two graphs: by name, by outputs, then by position; and finds the moved ones. */

#include "diff/diff.h"
#include "model/fields.h"

struct node_digest {
    name_id name, op_type, domain, output; /* output: the first named one */
    name_id whole;                         /* all inputs and outputs */
    uint32_t mate;                         /* UINT32_MAX: none */
    uint32_t next;                         /* next one with the same key; UINT32_MAX: the last */
};

struct nodes {
    struct node_digest *items[2];
    size_t counts[2];
};

/* ---- keys of nodes ---- */

/* whole: room for a key. */
static enum opshift_status digest_outputs(struct diff *diff, int side, const struct records *children,
                                          struct buffer *whole, struct node_digest *digest, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    whole->size = 0;
    buffer_add(whole, &digest->op_type, sizeof(digest->op_type));
    for (size_t i = 0; i < children->count && status == OPSHIFT_OK; i++) {
        const struct record *child = &children->items[i];
        name_id key = NAME_NONE;
        if (child->number != NODE_INPUT && child->number != NODE_OUTPUT)
            continue;
        status = record_key(diff, side, child, &key, error);
        if (child->number == NODE_OUTPUT && digest->output == NAME_NONE)
            digest->output = key;
        buffer_add_byte(whole, (uint8_t)child->number);
        buffer_add(whole, &key, sizeof(key));
    }
    digest->whole = whole->failed ? NAME_NO_MEMORY : names_add(diff->keys, whole->data, whole->size);
    return status == OPSHIFT_OK && digest->whole == NAME_NO_MEMORY ? opshift_no_memory(error) : status;
}

static enum opshift_status digest_read(struct diff *diff, int side, const struct record *node, struct arena *scratch,
                                       struct buffer *whole, struct node_digest *digest, struct opshift_error *error)
{
    struct records children;
    digest->mate = UINT32_MAX;
    arena_clear(scratch);
    enum opshift_status status = records_read(diff, side, node->offset, node->size, 0, scratch, &children, error);
    if (status == OPSHIFT_OK)
        status = record_key(diff, side, records_find(&children, NODE_NAME), &digest->name, error);
    if (status == OPSHIFT_OK)
        status = record_key(diff, side, records_find(&children, NODE_OP_TYPE), &digest->op_type, error);
    if (status == OPSHIFT_OK)
        status = record_key(diff, side, records_find(&children, NODE_DOMAIN), &digest->domain, error);
    if (status == OPSHIFT_OK)
        status = digest_outputs(diff, side, &children, whole, digest, error);
    return status;
}

static enum opshift_status digests_read(struct diff *diff, struct nodes *nodes, int side, struct records list,
                                        struct arena *arena, struct opshift_error *error)
{
    struct arena *scratch = arena_new(DIFF_MEMORY_MAX);
    struct buffer whole = {0};
    nodes->counts[side] = list.count;
    nodes->items[side] = arena_alloc(arena, list.count + 1, sizeof(struct node_digest));
    enum opshift_status status = scratch && nodes->items[side] ? OPSHIFT_OK : opshift_no_memory(error);
    for (size_t i = 0; i < list.count && status == OPSHIFT_OK; i++)
        status = digest_read(diff, side, &list.items[i], scratch, &whole, &nodes->items[side][i], error);
    buffer_free(&whole);
    arena_free(scratch);
    return status;
}

/* ---- pairs ---- */

typedef name_id (*digest_key)(const struct node_digest *digest);

static name_id key_name(const struct node_digest *digest)
{
    return digest->name;
}

static name_id key_output(const struct node_digest *digest)
{
    return digest->output;
}

static name_id key_whole(const struct node_digest *digest)
{
    return digest->whole;
}

static void pair(struct nodes *nodes, size_t left, size_t right)
{
    nodes->items[0][left].mate = (uint32_t)right;
    nodes->items[1][right].mate = (uint32_t)left;
}

static void count_key(struct marks *marks, name_id key, uint32_t index)
{
    if (marks->stamp[key] != marks->now) {
        marks->stamp[key] = marks->now;
        marks->count[key] = 0;
    }
    marks->count[key]++;
    marks->value[key] = index;
}

/* Pairs nodes whose key is unique on their side; one_operator: and that have the same operator. */
static enum opshift_status pair_unique(struct diff *diff, struct nodes *nodes, digest_key key, bool one_operator,
                                       struct arena *arena, struct opshift_error *error)
{
    struct marks *marks = &diff->marks;
    bool *unique = arena_alloc(arena, nodes->counts[0] + 1, sizeof(*unique));
    enum opshift_status status = unique == NULL ? opshift_no_memory(error) : marks_clear(diff, error);
    if (status)
        return status;
    for (size_t i = 0; i < nodes->counts[0]; i++)
        count_key(marks, key(&nodes->items[0][i]), (uint32_t)i);
    for (size_t i = 0; i < nodes->counts[0]; i++)
        unique[i] = marks->count[key(&nodes->items[0][i])] == 1 && key(&nodes->items[0][i]) != NAME_NONE;
    marks->now++;
    for (size_t i = 0; i < nodes->counts[1]; i++)
        count_key(marks, key(&nodes->items[1][i]), (uint32_t)i);
    for (size_t i = 0; i < nodes->counts[0]; i++) {
        const struct node_digest *left = &nodes->items[0][i];
        if (!unique[i] || left->mate != UINT32_MAX || marks->stamp[key(left)] != marks->now)
            continue;
        const struct node_digest *right = &nodes->items[1][marks->value[key(left)]];
        bool alike = left->op_type == right->op_type && left->domain == right->domain;
        if (marks->count[key(left)] == 1 && right->mate == UINT32_MAX && (alike || !one_operator))
            pair(nodes, i, marks->value[key(left)]);
    }
    return OPSHIFT_OK;
}

/* The operator and the last preceding paired node: the same for all nodes of one gap. */
static enum opshift_status gap_keys(struct diff *diff, struct nodes *nodes, int side, name_id *keys,
                                    struct opshift_error *error)
{
    uint32_t gap = UINT32_MAX;
    for (size_t i = 0; i < nodes->counts[side]; i++) {
        const struct node_digest *digest = &nodes->items[side][i];
        uint32_t parts[3] = {gap, digest->op_type, digest->domain};
        if (digest->mate != UINT32_MAX) {
            gap = side == 0 ? (uint32_t)i : digest->mate;
            continue;
        }
        keys[i] = names_add(diff->keys, parts, sizeof(parts));
        if (keys[i] == NAME_NO_MEMORY)
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

/* Pairs the remaining nodes with the same operator and the same neighbours, in order. */
static enum opshift_status pair_gaps(struct diff *diff, struct nodes *nodes, struct arena *arena,
                                     struct opshift_error *error)
{
    struct marks *marks = &diff->marks;
    name_id *keys[2];
    enum opshift_status status = OPSHIFT_OK;
    for (int side = 0; side < 2 && status == OPSHIFT_OK; side++) {
        keys[side] = arena_alloc(arena, nodes->counts[side] + 1, sizeof(name_id));
        status = keys[side] == NULL ? opshift_no_memory(error) : gap_keys(diff, nodes, side, keys[side], error);
    }
    if (status == OPSHIFT_OK)
        status = marks_clear(diff, error);
    if (status)
        return status;
    for (size_t i = nodes->counts[1]; i > 0; i--) {
        name_id key = keys[1][i - 1];
        if (nodes->items[1][i - 1].mate != UINT32_MAX)
            continue;
        nodes->items[1][i - 1].next = marks->stamp[key] == marks->now ? marks->value[key] : UINT32_MAX;
        marks->stamp[key] = marks->now;
        marks->value[key] = (uint32_t)(i - 1);
    }
    for (size_t i = 0; i < nodes->counts[0]; i++) {
        name_id key = keys[0][i];
        if (nodes->items[0][i].mate != UINT32_MAX || marks->stamp[key] != marks->now || marks->value[key] == UINT32_MAX)
            continue;
        uint32_t right = marks->value[key];
        marks->value[key] = nodes->items[1][right].next;
        pair(nodes, i, right);
    }
    return OPSHIFT_OK;
}

static enum opshift_status pair_all(struct diff *diff, struct nodes *nodes, struct arena *arena,
                                    struct opshift_error *error)
{
    enum opshift_status status = pair_unique(diff, nodes, key_name, true, arena, error);
    if (status == OPSHIFT_OK)
        status = pair_unique(diff, nodes, key_output, false, arena, error);
    if (status == OPSHIFT_OK)
        status = pair_unique(diff, nodes, key_name, false, arena, error);
    if (status == OPSHIFT_OK)
        status = pair_unique(diff, nodes, key_whole, true, arena, error);
    return status == OPSHIFT_OK ? pair_gaps(diff, nodes, arena, error) : status;
}

/* ---- report ---- */

static struct diff_place place_of(const struct diff_place *parent, const struct node_digest *digest, size_t index)
{
    return (struct diff_place){.parent = parent,
                               .group = parent->group == NULL ? "nodes" : parent->group,
                               .what = "node",
                               .key = digest->name,
                               .op_type = digest->op_type,
                               .index = (int64_t)index};
}

static enum opshift_status tell(struct diff *diff, const struct diff_place *parent, struct nodes *nodes,
                                struct records a, struct records b, const bool *stays, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; i < a.count && status == OPSHIFT_OK; i++) {
        const struct node_digest *digest = &nodes->items[0][i];
        struct diff_place place = place_of(parent, digest, i);
        status = diff_go_on(diff, a.items[i].offset, error);
        if (digest->mate == UINT32_MAX) {
            diff_add(diff, &place, CHANGE_REMOVED, NULL, NULL, NULL, NULL);
            continue;
        }
        if (!stays[i] && !diff_ignores(diff, OPSHIFT_DIFF_ORDER))
            diff_add_moved(diff, &place, i, digest->mate);
        if (status == OPSHIFT_OK)
            status = message_compare(diff, &place, &onnx__node_proto__descriptor, &a.items[i], &b.items[digest->mate],
                                     error);
    }
    for (size_t i = 0; i < b.count && status == OPSHIFT_OK; i++) {
        struct diff_place place = place_of(parent, &nodes->items[1][i], i);
        if (nodes->items[1][i].mate == UINT32_MAX)
            diff_add(diff, &place, CHANGE_ADDED, NULL, NULL, NULL, NULL);
    }
    return status;
}

enum opshift_status nodes_compare(struct diff *diff, const struct diff_place *place, struct records a, struct records b,
                                  struct opshift_error *error)
{
    struct nodes nodes = {{NULL, NULL}, {0, 0}};
    struct arena *arena = arena_new(DIFF_MEMORY_MAX);
    uint32_t *mates = arena == NULL ? NULL : arena_alloc(arena, a.count + 1, sizeof(*mates));
    bool *stays = arena == NULL ? NULL : arena_alloc(arena, a.count + 1, sizeof(*stays));
    enum opshift_status status = mates == NULL || stays == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK)
        status = digests_read(diff, &nodes, 0, a, arena, error);
    if (status == OPSHIFT_OK)
        status = digests_read(diff, &nodes, 1, b, arena, error);
    if (status == OPSHIFT_OK)
        status = pair_all(diff, &nodes, arena, error);
    for (size_t i = 0; i < a.count && status == OPSHIFT_OK; i++)
        mates[i] = nodes.items[0][i].mate;
    if (status == OPSHIFT_OK && !order_find(mates, a.count, stays, arena))
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = tell(diff, place, &nodes, a, b, stays, error);
    arena_free(arena);
    return status;
}
