/* Runs what rules keep or make on edges: dims 0 and 1, limits of the types, constants and what is beside them. Nodes
 * that are alike (operator, attributes, types, small constants) are run once. */
#include "verify/edges.h"

#include <string.h>

#include "base/buffer.h"
#include "base/list.h"
#include "run/draw.h"

/* Inputs with more bytes are weights: their nodes are too expensive to run often. */
#define WEIGHT_SIZE (UINT64_C(1) << 16)
/* A constant with at most as many bytes counts with its value. */
#define CONSTANT_SIZE 512u
/* Attributes with more bytes count by their place in the file. */
#define ATTRIBUTE_BYTES_MAX 4096u
/* Steps of one run, of one set, and of all sets (kernel/budget.h). */
#define RUN_STEPS (UINT64_C(1) << 22)
#define SET_STEPS (UINT64_C(1) << 25)
#define ALL_STEPS (UINT64_C(1) << 28)
/* Steps that one run costs besides what is computed. */
#define OWN_STEPS 4000u
/* Attempts to find dims that the first side accepts, and then also smaller ones. */
#define BASE_ATTEMPTS 100u
/* Open dims of which each is drawn as 0 and as 1. */
#define DIMS_VARIED 8u
/* Edges of a type are about as many. */
#define EDGES UINT64_C(20)
/* Runs of a sweep of reals alone; of a node that is kept. */
#define SWEEPS_REAL 20u
#define SWEEPS_KEPT 4u

struct edge_set {
    struct bytes key;
    const char *why; /* the difference; NULL: none was found */
    bool undefined;  /* what differs is what the second side does not compute */
    bool ran;        /* at least one run was compared */
};

struct edge_sets {
    struct table table;
    struct edge_set *items;
    uint32_t count, room;
    uint64_t steps;
    struct buffer key; /* of the node at hand */
};

void edges_free(struct edge_sets *sets)
{
    if (sets != NULL)
        buffer_free(&sets->key);
}

/* ---- which nodes are alike ---- */

static void add_number(struct buffer *key, uint64_t number)
{
    buffer_add(key, &number, sizeof(number));
}

/* Is the name a constant that is cheap to read? */
static bool is_small_constant(const struct side *side, struct graph *graph, name_id name)
{
    struct definition found = scope_find(side->scopes, graph, name);
    if (found.kind == DEFINED_INITIALIZER)
        return range_size(found.graph->initializers[found.index].range) <= CONSTANT_SIZE;
    if (found.kind != DEFINED_NODE)
        return false;
    const struct node *node = &found.graph->nodes[found.index];
    return node->input_count == 0 && range_size(node->range) <= CONSTANT_SIZE;
}

/* *heavy: the input is a weight. */
static enum opshift_status add_input(struct comparison *comparison, struct graph *graph, name_id name, bool *heavy,
                                     struct opshift_error *error)
{
    struct side *side = &comparison->before;
    struct buffer *key = &comparison->edges->key;
    struct value_type type = {.rank = -1};
    const struct tensor *constant = NULL;
    enum opshift_status status = types_find(side->types, graph, name, &type, error);
    uint64_t size = 1;
    if (status == OPSHIFT_OK && is_small_constant(side, graph, name))
        status = fold_constant_briefly(side->fold, graph, name, &constant, NULL, error);
    if (status)
        return status;
    if (constant != NULL && constant->type != OPSHIFT_TYPE_STRING) {
        add_number(key, 1 + constant->rank);
        buffer_add(key, constant->dims, constant->rank * sizeof(*constant->dims));
        buffer_add(key, constant->data, (size_t)type_size(constant->type, constant->count));
    }
    for (int32_t i = 0; i < type.rank; i++)
        if (__builtin_mul_overflow(size, type.dims[i] < 0 ? 1 : (uint64_t)type.dims[i], &size))
            size = UINT64_MAX;
    *heavy |= size > WEIGHT_SIZE / 4;
    add_number(key, (uint64_t)type.type << 32 | (uint32_t)type.rank);
    add_number(key, (uintptr_t)type.dims); /* equal types are the same one */
    return OPSHIFT_OK;
}

static enum opshift_status add_attributes(struct comparison *comparison, const struct node *node, struct arena *arena,
                                          struct opshift_error *error)
{
    struct opshift_model *model = comparison->before.model;
    struct buffer *key = &comparison->edges->key;
    struct attribute_range *ranges = NULL;
    size_t count = 0;
    enum opshift_status status =
        node->attributes_from == 0 ? OPSHIFT_OK : node_attributes(model, node, arena, &ranges, &count, error);
    add_number(key, count);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        uint64_t size = range_size(ranges[i].range);
        const uint8_t *bytes = NULL;
        add_number(key, size);
        if (size > ATTRIBUTE_BYTES_MAX)
            add_number(key, range_offset(ranges[i].range));
        else if ((status = source_view(model->source, range_offset(ranges[i].range), size, &bytes, error)) ==
                 OPSHIFT_OK)
            buffer_add(key, bytes, (size_t)size);
    }
    return status;
}

/* The key of a node; *heavy: it is too expensive to run. */
static enum opshift_status key_make(struct comparison *comparison, const struct graph_pair *pair,
                                    const struct node *node, const struct planned_node *planned, struct arena *arena,
                                    bool *heavy, struct opshift_error *error)
{
    struct buffer *key = &comparison->edges->key;
    key->size = 0;
    add_number(key, (uint64_t)node->op_type << 32 | node_domain(node));
    add_number(key, (uint64_t)planned->fate << 32 | planned->record_count << 8 | (uint64_t)planned->is_replaced << 4 |
                        planned->replaced_as);
    const struct function *function = scope_callee(comparison->before.scopes, node);
    add_number(key, (uintptr_t)function);
    add_number(key, (uint64_t)node->input_count << 32 | node->output_count);
    for (uint32_t i = 0; i < node->output_count; i++)
        buffer_add_byte(key, node_outputs(node)[i] != NAME_NONE);
    enum opshift_status status = OPSHIFT_OK;
    *heavy = false;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->input_count; i++) {
        buffer_add_byte(key, node_inputs(node)[i] != NAME_NONE);
        if (node_inputs(node)[i] != NAME_NONE)
            status = add_input(comparison, pair->before, node_inputs(node)[i], heavy, error);
    }
    return status == OPSHIFT_OK ? add_attributes(comparison, node, arena, error) : status;
}

/* NULL: no memory. */
static struct edge_set *set_add(struct comparison *comparison, uint64_t hash)
{
    struct edge_sets *sets = comparison->edges;
    const uint8_t *key = arena_copy(comparison->arena, sets->key.data, sets->key.size);
    if (key == NULL || !table_reserve(&sets->table, 1) ||
        !arena_list_grow(comparison->arena, &sets->items, sets->count, &sets->room, sizeof(*sets->items)))
        return NULL;
    hash = sets->count == 0 ? table_hash(&sets->table, sets->key.data, sets->key.size) : hash;
    sets->items[sets->count] = (struct edge_set){.key = {key, sets->key.size}};
    table_put(&sets->table, hash, sets->count);
    return &sets->items[sets->count++];
}

/* Data that cannot be read is a finding of others; its nodes are not run. */
static enum opshift_status unread(enum opshift_status status, struct opshift_error *error)
{
    bool reading = status == OPSHIFT_IO || status == OPSHIFT_MALFORMED || status == OPSHIFT_UNSUPPORTED;
    return reading ? error_forget(error) : status;
}

/* The set of a node. *set NULL: it is not run on edges. */
static enum opshift_status set_find(struct comparison *comparison, const struct graph_pair *pair,
                                    const struct node *node, const struct planned_node *planned, struct arena *arena,
                                    struct edge_set **set, bool *is_new, struct opshift_error *error)
{
    bool heavy;
    *set = NULL;
    *is_new = false;
    if (comparison->edges == NULL)
        comparison->edges = arena_alloc(comparison->arena, 1, sizeof(*comparison->edges));
    struct edge_sets *sets = comparison->edges;
    if (sets == NULL)
        return opshift_no_memory(error);
    sets->table.arena = comparison->arena;
    enum opshift_status status = key_make(comparison, pair, node, planned, arena, &heavy, error);
    if (status || heavy)
        return unread(status, error);
    if (sets->key.failed)
        return opshift_no_memory(error);
    uint64_t hash = table_hash(&sets->table, sets->key.data, sets->key.size);
    for (uint32_t at = 0, item; (item = table_next(&sets->table, hash, &at)) != TABLE_NONE;)
        if (bytes_same(sets->items[item].key, (struct bytes){sets->key.data, sets->key.size})) {
            *set = &sets->items[item];
            return OPSHIFT_OK;
        }
    if (sets->steps >= ALL_STEPS) /* nodes of further sets are believed */
        return OPSHIFT_OK;
    *is_new = true;
    *set = set_add(comparison, hash);
    return *set == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* ---- the runs of one set ---- */

struct edge_runs {
    struct piece *piece;
    struct edge_sets *sets;
    struct dim_list list;
    uint64_t steps_end;    /* of this set */
    struct run_drawn base; /* what the first accepted run drew */
    uint32_t base_attempt;
    bool kept, tame, modest;
    bool found; /* the base, on which both sides can be run */
};

static bool is_over(const struct edge_runs *runs)
{
    return runs->piece->verdict == VERDICT_DIFFERS || runs->sets->steps >= runs->steps_end;
}

static enum opshift_status run_once(struct edge_runs *runs, struct draw_style style, bool *accepted,
                                    struct opshift_error *error)
{
    struct comparison *comparison = runs->piece->comparison;
    struct budget budget = {.bytes_max = comparison->budget.bytes_max, .steps_max = RUN_STEPS};
    struct budget *all = runs->piece->budget;
    style.constants = &runs->piece->constants;
    style.tame = runs->tame || style.turn % 2 == 1;
    style.mixed = runs->base.has_real;
    style.modest |= runs->modest;
    runs->piece->budget = &budget;
    runs->piece->strict = true;
    enum opshift_status status = piece_run(runs->piece, NULL, &style, accepted, error);
    runs->piece->budget = all;
    runs->piece->strict = false;
    runs->sets->steps += budget.steps + OWN_STEPS;
    /* The second side can be run, and does not define what becomes of these numbers. Nor is NaN or what is beyond all
     * integers defined as one on the first side. */
    bool finite = style.tame || !runs->piece->drawn_last.has_real;
    if (status == OPSHIFT_OK && runs->found && finite && runs->piece->undefined != NULL && budget.met == BUDGET_NONE) {
        piece_differs(runs->piece, runs->piece->undefined);
        runs->piece->is_undefined = true;
    }
    return status;
}

/* An attempt that draws elements of a kind, and unknown ranks as the base attempt does. */
static uint32_t attempt_like(const struct edge_runs *runs, uint32_t kind)
{
    uint32_t attempt = runs->base_attempt;
    while (attempt % SPECIAL_ROUND != kind)
        attempt += DRAWN_RANKS;
    return attempt;
}

/* Finds dims that the first side accepts: above 1, if it can be. */
static enum opshift_status base_find(struct edge_runs *runs, struct opshift_error *error)
{
    int64_t large[DIMS_MAX];
    uint32_t large_count = 0;
    enum opshift_status status = OPSHIFT_OK;
    bool found = false;
    for (uint32_t i = 0; i < runs->list.count; i++)
        if (runs->list.dims[i] > 1)
            large[large_count++] = runs->list.dims[i];
    for (uint32_t i = 0; status == OPSHIFT_OK && !found && i < 2 * BASE_ATTEMPTS && !is_over(runs); i++) {
        bool all = i >= BASE_ATTEMPTS;
        bool modest = runs->modest || i % 2 == 0;
        uint32_t kind = i % SPECIAL_ROUND;
        if (!modest && kind != SPECIAL_SMALL && kind != SPECIAL_FRACTION && kind != SPECIAL_PLACE)
            continue;
        runs->base_attempt = i;
        status = run_once(runs,
                          (struct draw_style){.dims = all ? runs->list.dims : large,
                                              .dim_count = all ? runs->list.count : large_count,
                                              .attempt = i,
                                              .modest = modest},
                          &found, error);
    }
    runs->found = found;
    runs->base = runs->piece->drawn_last;
    return status;
}

/* Runs with other sizes of the open dims. */
static enum opshift_status run_sizes(struct edge_runs *runs, const int64_t *sizes, struct opshift_error *error)
{
    static const uint32_t kinds[] = {SPECIAL_SMALL, SPECIAL_FRACTION};
    enum opshift_status status = OPSHIFT_OK;
    bool accepted;
    for (size_t i = 0; status == OPSHIFT_OK && i < COUNT(kinds) && !is_over(runs); i++)
        status =
            run_once(runs,
                     (struct draw_style){
                         .sizes = sizes, .size_count = runs->base.dim_count, .attempt = attempt_like(runs, kinds[i])},
                     &accepted, error);
    return status;
}

/* Each open dim, and all of them, is 0 and 1. */
static enum opshift_status vary_dims(struct edge_runs *runs, struct opshift_error *error)
{
    uint32_t count = runs->base.dim_count < DIMS_VARIED ? runs->base.dim_count : DIMS_VARIED;
    enum opshift_status status = OPSHIFT_OK;
    for (int64_t size = 0; size <= 1 && count > 0; size++)
        for (uint32_t k = 0; status == OPSHIFT_OK && k <= count; k++) {
            int64_t sizes[DRAWN_DIMS_MAX];
            memcpy(sizes, runs->base.sizes, sizeof(sizes));
            for (uint32_t i = 0; i < runs->base.dim_count; i++)
                sizes[i] = i == k || k == count ? size : sizes[i];
            status = run_sizes(runs, sizes, error);
        }
    return status;
}

/* Sweeps over the edges of the types, of two inputs in all pairs. *refused: runs that the first side refused. */
static enum opshift_status sweep(struct edge_runs *runs, bool uniform, uint64_t turns, uint32_t *refused,
                                 struct opshift_error *error)
{
    const struct run_drawn *base = &runs->base;
    enum opshift_status status = OPSHIFT_OK;
    for (uint64_t i = 0; status == OPSHIFT_OK && i < turns && !is_over(runs); i++) {
        bool accepted;
        status = run_once(runs,
                          (struct draw_style){.sizes = base->sizes,
                                              .size_count = base->dim_count,
                                              .attempt = attempt_like(runs, SPECIAL_EDGE),
                                              .sweeps = true,
                                              .uniform = uniform,
                                              .turn = i},
                          &accepted, error);
        *refused += !accepted;
    }
    return status;
}

/* One number that the first side refuses makes it refuse the run: then each is drawn alone. */
static enum opshift_status sweep_all(struct edge_runs *runs, struct opshift_error *error)
{
    const struct run_drawn *base = &runs->base;
    uint64_t pairs = base->input_count > 1 ? EDGES * EDGES : EDGES, least = base->least_count;
    uint64_t most = runs->kept ? SWEEPS_KEPT : base->has_whole ? pairs : SWEEPS_REAL;
    uint64_t turns = least == 0 ? 0 : (pairs + least - 1) / least;
    uint32_t refused = 0;
    enum opshift_status status = sweep(runs, false, turns < most ? turns : most, &refused, error);
    if (status == OPSHIFT_OK && refused > 0 && base->has_whole && !runs->kept)
        status = sweep(runs, true, pairs, &refused, error);
    return status;
}

static enum opshift_status set_run(struct piece *piece, struct edge_set *set, struct opshift_error *error)
{
    const struct planned_node *planned = &piece->expected->planned;
    struct edge_runs runs = {.piece = piece, .sets = piece->comparison->edges};
    uint64_t runs_before = piece->runs, drawn = piece->drawn;
    struct run_list types = piece->types, shapes = piece->shapes;
    runs.kept = planned->fate == OPSHIFT_KEPT;
    runs.modest = planned->is_conditional;
    runs.tame = planned->is_replaced && planned->replaced_as != REPLACED_EXACTLY;
    runs.steps_end = runs.sets->steps + SET_STEPS < ALL_STEPS ? runs.sets->steps + SET_STEPS : ALL_STEPS;
    enum opshift_status status = piece_dims(piece, &runs.list, error);
    if (status == OPSHIFT_OK)
        status = base_find(&runs, error);
    if (status == OPSHIFT_OK && runs.found && !runs.modest)
        status = vary_dims(&runs, error);
    if (status == OPSHIFT_OK && runs.found && !runs.modest && runs.base.input_count > 0)
        status = sweep_all(&runs, error);
    set->ran = runs.found;
    set->undefined = piece->is_undefined;
    if (piece->verdict == VERDICT_DIFFERS)
        set->why = arena_copy(piece->comparison->arena, piece->why, strlen(piece->why));
    /* The report counts the runs of each node. */
    piece->runs = runs_before;
    piece->drawn = drawn;
    piece->types = types;
    piece->shapes = shapes;
    return unread(status, error);
}

/* The node differs as an alike one did. */
static void differ_alike(struct piece *piece, const struct edge_set *set)
{
    piece_differs(piece, set->why);
    piece->is_undefined = set->undefined;
}

bool edges_are_run(const struct comparison *comparison, const struct graph_pair *pair, const struct node *node)
{
    return pair->before->function == NULL && node_subgraph_count(node) == 0 &&
           scope_callee(comparison->before.scopes, node) == NULL;
}

enum opshift_status edges_verify(struct piece *piece, struct opshift_error *error)
{
    struct edge_set *set = NULL;
    const char *refused = piece->refused;
    bool is_new = false;
    enum opshift_status status = OPSHIFT_OK;
    if (edges_are_run(piece->comparison, piece->pair, piece->node))
        status = set_find(piece->comparison, piece->pair, piece->node, &piece->expected->planned, piece->arena, &set,
                          &is_new, error);
    if (status == OPSHIFT_OK && is_new)
        status = set_run(piece, set, error);
    else if (status == OPSHIFT_OK && set != NULL && set->why != NULL)
        differ_alike(piece, set);
    piece->refused = refused;
    return status;
}

enum opshift_status edges_of_node(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                                  const struct expectation *expectation, struct arena *arena, bool *ran, bool *differs,
                                  struct opshift_error *error)
{
    struct edge_set *set = NULL;
    bool is_new = false;
    *ran = *differs = false;
    enum opshift_status status = set_find(comparison, pair, node, &expectation->planned, arena, &set, &is_new, error);
    *ran = status == OPSHIFT_OK && set != NULL && set->ran;
    if (status || set == NULL || (!is_new && set->why == NULL))
        return status;
    struct piece piece = piece_of(comparison, pair, node, expectation, arena);
    piece.is_expected = true;
    if (is_new)
        status = set_run(&piece, set, error);
    else
        differ_alike(&piece, set);
    *ran = set->ran;
    *differs = status == OPSHIFT_OK && piece.verdict == VERDICT_DIFFERS;
    return *differs ? piece_report(&piece, error) : status;
}
