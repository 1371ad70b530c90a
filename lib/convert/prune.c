/* Removes what a rewrite left unread: the constants that became attributes, and what made them. */
#include "convert/convert.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

/* Beside names, `dropped` has graphs by their numbers, with this bit: the names behind one were read there. */
#define DROPPED_GRAPH (UINT32_C(1) << 31)

static enum opshift_status dropped_add(struct conversion *conversion, uint32_t entry, struct opshift_error *error)
{
    if (conversion->dropped_count == conversion->dropped_room) {
        uint32_t room = conversion->dropped_room ? conversion->dropped_room * 2 : 64;
        uint32_t *grown = realloc(conversion->dropped, room * sizeof(*grown));
        if (grown == NULL)
            return opshift_no_memory(error);
        conversion->dropped = grown;
        conversion->dropped_room = room;
    }
    conversion->dropped[conversion->dropped_count++] = entry;
    return OPSHIFT_OK;
}

static enum opshift_status less_read_open(struct conversion *conversion, struct opshift_error *error)
{
    if (conversion->less_read != NULL)
        return OPSHIFT_OK;
    conversion->name_count = names_count(conversion->model->names);
    conversion->less_read = calloc(conversion->name_count / 8 + 1, 1);
    return conversion->less_read ? scopes_count_uses(conversion->scopes, error) : opshift_no_memory(error);
}

enum opshift_status prune_drop(struct conversion *conversion, struct graph *graph, name_id name,
                               struct opshift_error *error)
{
    enum opshift_status status = less_read_open(conversion, error);
    if (status || name >= conversion->name_count)
        return status;
    scope_drop_use(conversion->scopes, name);
    conversion->less_read[name / 8] |= (uint8_t)(1 << name % 8);
    if (conversion->dropped_count == 0 || conversion->dropped_graph != graph->number)
        status = dropped_add(conversion, graph->number | DROPPED_GRAPH, error);
    conversion->dropped_graph = graph->number;
    return status ? status : dropped_add(conversion, name, error);
}

/* What is read less may be what this graph defines; in a function it is nothing of another graph's. */
static bool is_own(const struct conversion *conversion, struct graph *graph, name_id name)
{
    return graph->kind == GRAPH_FUNCTION || scope_find(conversion->scopes, graph, name).graph == graph;
}

void prune_leave(struct conversion *conversion, struct graph *graph, uint32_t first)
{
    if (graph->kind != GRAPH_SUB && graph->kind != GRAPH_FUNCTION)
        return;
    for (uint32_t i = graph->kind == GRAPH_SUB ? first : conversion->dropped_left; i < conversion->dropped_count; i++) {
        name_id name = conversion->dropped[i];
        if (!(name & DROPPED_GRAPH) && is_own(conversion, graph, name))
            conversion->less_read[name / 8] &= (uint8_t) ~(1 << name % 8);
    }
    if (graph->kind == GRAPH_FUNCTION)
        conversion->dropped_left = conversion->dropped_count;
}

static bool unread(const struct conversion *conversion, name_id name)
{
    return scope_uses(conversion->scopes, name) == 0;
}

static enum opshift_status remove_record(struct conversion *conversion, struct graph *graph, struct range range,
                                         struct opshift_error *error)
{
    return model_edit(conversion->model, graph->message, range_record(range), range_length(range), (struct bytes){0},
                      error);
}

/* A name that a graph no longer defines: what the graph says of it goes at the end, in one walk of its records. */
struct gone {
    struct graph *graph;
    name_id name;
    bool input; /* the graph input of this name goes too */
};

static enum opshift_status gone_add(struct conversion *conversion, struct graph *graph, name_id name, bool input,
                                    struct opshift_error *error)
{
    bool declared;
    enum opshift_status status = types_declares(conversion->types, graph, name, &declared, error);
    if (status || !declared)
        return status;
    if (conversion->gone_count == conversion->gone_room) {
        uint32_t room = conversion->gone_room ? conversion->gone_room * 2 : 64;
        struct gone *grown = realloc(conversion->gone, room * sizeof(*grown));
        if (grown == NULL)
            return opshift_no_memory(error);
        conversion->gone = grown;
        conversion->gone_room = room;
    }
    conversion->gone[conversion->gone_count++] = (struct gone){graph, name, input};
    return OPSHIFT_OK;
}

static int gone_order(const void *a, const void *b)
{
    const struct gone *left = a, *right = b;
    if (left->graph->number != right->graph->number)
        return left->graph->number < right->graph->number ? -1 : 1;
    return left->name < right->name ? -1 : left->name > right->name;
}

/* The value infos, or the inputs, of one graph that speak of names in gone (sorted). */
static enum opshift_status remove_infos(struct conversion *conversion, const struct gone *gone, uint32_t gone_count,
                                        bool inputs, struct opshift_error *error)
{
    struct graph *graph = gone->graph;
    const struct value_info *infos = inputs ? graph->inputs : graph->values;
    uint32_t count = inputs ? graph->input_count : graph->value_count;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        struct gone key = {.graph = graph, .name = infos[i].name};
        const struct gone *found = bsearch(&key, gone, gone_count, sizeof(*gone), gone_order);
        if (found && (!inputs || found->input))
            status = remove_record(conversion, graph, infos[i].range, error);
    }
    return status;
}

static enum opshift_status remove_gone(struct conversion *conversion, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (conversion->gone_count)
        sort_items(conversion->gone, conversion->gone_count, sizeof(*conversion->gone), gone_order);
    for (uint32_t end, start = 0; status == OPSHIFT_OK && start < conversion->gone_count; start = end) {
        const struct gone *gone = &conversion->gone[start];
        bool inputs = false;
        for (end = start; end < conversion->gone_count && conversion->gone[end].graph == gone->graph; end++)
            inputs |= conversion->gone[end].input;
        status = remove_infos(conversion, gone, end - start, false, error);
        if (status == OPSHIFT_OK && inputs)
            status = remove_infos(conversion, gone, end - start, true, error);
    }
    return status;
}

/* One of ours without subgraphs goes when a rewrite dropped all that was read of it. */
static bool removable(const struct conversion *conversion, const struct node *node)
{
    if (node_domain(node) != NAME_NONE || node_subgraph_count(node))
        return false;
    for (uint32_t i = 0; i < node->output_count; i++) {
        name_id name = node_outputs(node)[i];
        if (name != NAME_NONE && name < conversion->name_count && !unread(conversion, name))
            return false;
    }
    return true;
}

enum opshift_status prune_node(struct conversion *conversion, struct graph *graph, const struct node *node,
                               bool *pruned, struct opshift_error *error)
{
    *pruned = removable(conversion, node);
    if (!*pruned)
        return OPSHIFT_OK;
    enum opshift_status status = remove_record(conversion, graph, node->range, error);
    if (status == OPSHIFT_OK)
        status = plan_removed(conversion, graph, node, error);
    conversion->removed_count++;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->output_count; i++)
        if (node_outputs(node)[i] != NAME_NONE)
            status = gone_add(conversion, graph, node_outputs(node)[i], false, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->input_count; i++)
        if (node_inputs(node)[i] != NAME_NONE)
            status = prune_drop(conversion, graph, node_inputs(node)[i], error);
    return status;
}

enum opshift_status prune_replaced(struct conversion *conversion, struct graph *graph, const struct node *node,
                                   struct opshift_error *error)
{
    enum opshift_status status = remove_record(conversion, graph, node->range, error);
    if (status == OPSHIFT_OK)
        status = plan_removed(conversion, graph, node, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->input_count; i++)
        if (node_inputs(node)[i] != NAME_NONE)
            status = prune_drop(conversion, graph, node_inputs(node)[i], error);
    return status;
}

enum opshift_status prune_gone(struct conversion *conversion, struct graph *graph, name_id name,
                               struct opshift_error *error)
{
    return gone_add(conversion, graph, name, false, error);
}

/* Of the initializers that are to go a bit each, by graph. */
struct marks {
    uint8_t **bits; /* NULL: none of that graph */
};

static bool is_marked(const struct marks *marks, const struct graph *graph, uint32_t index)
{
    return marks->bits[graph->number][index / 8] >> index % 8 & 1;
}

/* False: no memory. */
static bool mark(struct conversion *conversion, struct marks *marks, const struct definition *found)
{
    uint8_t **bits = &marks->bits[found->graph->number];
    if (*bits == NULL)
        *bits = arena_bytes(conversion->scratch, found->graph->initializer_count / 8 + 1);
    if (*bits == NULL)
        return false;
    (*bits)[found->index / 8] |= (uint8_t)(1 << found->index % 8);
    return true;
}

/* An initializer that is also a graph input goes with it where no caller may override it (IR < 4); above, the input is
 * part of the model's interface, and both stay. */
static bool inputs_stay(const struct conversion *conversion)
{
    return conversion->model->ir_version == 0 || conversion->model->ir_version >= 4;
}

static enum opshift_status mark_unread(struct conversion *conversion, struct marks *marks, struct opshift_error *error)
{
    bool stay = inputs_stay(conversion);
    struct graph *graph = conversion->model->main;
    for (uint32_t i = 0; i < conversion->dropped_count; i++) {
        name_id name = conversion->dropped[i];
        if (name & DROPPED_GRAPH)
            graph = conversion->model->graphs[name & ~DROPPED_GRAPH];
        if (name & DROPPED_GRAPH || !unread(conversion, name))
            continue;
        struct definition found = scope_find(conversion->scopes, graph, name);
        if (found.kind != DEFINED_INITIALIZER || (stay && scope_is_input(conversion->scopes, found.graph, name)))
            continue;
        if (!mark(conversion, marks, &found))
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

/* Those that stand one behind the other go in one edit; but none with a sparse one, behind the last of all others new
 * ones may be put. */
static enum opshift_status remove_marked(struct conversion *conversion, const struct marks *marks, struct graph *graph,
                                         struct opshift_error *error)
{
    const struct initializer *initializers = graph->initializers;
    uint32_t count = graph->initializer_count;
    bool stay = inputs_stay(conversion);
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t end, start = 0; status == OPSHIFT_OK && start < count; start = end) {
        uint64_t from = range_record(initializers[start].range), until = from;
        for (end = start; end < count && is_marked(marks, graph, end) &&
                          range_record(initializers[end].range) == until && (end == start || !initializers[end].sparse);
             end++) {
            name_id name = initializers[end].name;
            until = range_end(initializers[end].range);
            conversion->removed_count++;
            status = gone_add(conversion, graph, name, !stay && scope_is_input(conversion->scopes, graph, name), error);
            if (status)
                return status;
        }
        if (end > start)
            status = model_edit(conversion->model, graph->message, from, until - from, (struct bytes){0}, error);
        else
            end++;
    }
    return status;
}

enum opshift_status prune_initializers(struct conversion *conversion, struct opshift_error *error)
{
    const struct opshift_model *model = conversion->model;
    if (conversion->dropped_count == 0)
        return remove_gone(conversion, error);
    struct marks marks = {arena_alloc(conversion->scratch, model->graph_count, sizeof(*marks.bits))};
    if (marks.bits == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = mark_unread(conversion, &marks, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graph_count; i++)
        if (marks.bits[i] != NULL)
            status = remove_marked(conversion, &marks, model->graphs[i], error);
    return status ? status : remove_gone(conversion, error);
}
