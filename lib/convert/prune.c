/* Removes values that a rewrite leaves unused: constants that became attributes, and the nodes that computed them. */
#include "convert/planner.h"

#include <stdlib.h>

#include "base/list.h"

/* Items of `dropped` with this bit are graph numbers: the names after one were read in that graph. */
#define DROPPED_GRAPH (UINT32_C(1) << 31)

static enum opshift_status dropped_add(struct pruning *pruning, uint32_t entry, struct opshift_error *error)
{
    if (!list_grow(&pruning->dropped, pruning->dropped_count, &pruning->dropped_room, sizeof(*pruning->dropped)))
        return opshift_no_memory(error);
    pruning->dropped[pruning->dropped_count++] = entry;
    return OPSHIFT_OK;
}

static enum opshift_status less_read_open(struct planner *planner, struct opshift_error *error)
{
    struct pruning *pruning = &planner->pruning;
    if (pruning->less_read != NULL)
        return OPSHIFT_OK;
    pruning->name_count = names_count(planner->model->names);
    pruning->less_read = calloc(pruning->name_count / 8 + 1, 1);
    return pruning->less_read ? scopes_count_uses(planner->around.scopes, error) : opshift_no_memory(error);
}

enum opshift_status prune_drop(struct planner *planner, struct graph *graph, name_id name, struct opshift_error *error)
{
    struct pruning *pruning = &planner->pruning;
    enum opshift_status status = less_read_open(planner, error);
    if (status || name == NAME_NONE || name >= pruning->name_count)
        return status;
    scope_drop_use(planner->around.scopes, name);
    pruning->less_read[name / 8] |= (uint8_t)(1 << name % 8);
    if (pruning->dropped_count == 0 || pruning->dropped_graph != graph->number)
        status = dropped_add(pruning, graph->number | DROPPED_GRAPH, error);
    pruning->dropped_graph = graph->number;
    return status ? status : dropped_add(pruning, name, error);
}

/* Can this graph define a name that lost a use? Names of a function's graph belong to no other graph. */
static bool is_own(const struct planner *planner, struct graph *graph, name_id name)
{
    return graph->kind == GRAPH_FUNCTION || scope_find(planner->around.scopes, graph, name).graph == graph;
}

void prune_leave(struct planner *planner, struct graph *graph, uint32_t first)
{
    struct pruning *pruning = &planner->pruning;
    if (graph->kind != GRAPH_SUB && graph->kind != GRAPH_FUNCTION)
        return;
    for (uint32_t i = graph->kind == GRAPH_SUB ? first : pruning->dropped_left; i < pruning->dropped_count; i++) {
        name_id name = pruning->dropped[i];
        if (!(name & DROPPED_GRAPH) && is_own(planner, graph, name))
            pruning->less_read[name / 8] &= (uint8_t) ~(1 << name % 8);
    }
    if (graph->kind == GRAPH_FUNCTION)
        pruning->dropped_left = pruning->dropped_count;
}

static bool unread(const struct planner *planner, name_id name)
{
    return scope_uses(planner->around.scopes, name) == 0;
}

/* A name that a graph no longer defines; its declarations are removed at the end, in one pass over the graph's
 * records. */
struct gone {
    struct graph *graph;
    name_id name;
    bool input; /* the graph input of this name is removed, too */
};

static enum opshift_status gone_add(struct planner *planner, struct graph *graph, name_id name, bool input,
                                    struct opshift_error *error)
{
    struct pruning *pruning = &planner->pruning;
    bool declared;
    enum opshift_status status = types_declares(planner->around.types, graph, name, &declared, error);
    if (status || !declared)
        return status;
    if (!list_grow(&pruning->gone, pruning->gone_count, &pruning->gone_room, sizeof(*pruning->gone)))
        return opshift_no_memory(error);
    pruning->gone[pruning->gone_count++] = (struct gone){graph, name, input};
    return OPSHIFT_OK;
}

static int gone_order(const void *a, const void *b)
{
    const struct gone *left = a, *right = b;
    if (left->graph->number != right->graph->number)
        return left->graph->number < right->graph->number ? -1 : 1;
    return left->name < right->name ? -1 : left->name > right->name;
}

/* Finds the value infos, or the inputs, of one graph whose names are in `gone` (sorted). */
static enum opshift_status remove_infos(struct planner *planner, const struct gone *gone, uint32_t gone_count,
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
            status = plan_remove_records(planner->plan, graph, range_record(infos[i].range), range_end(infos[i].range),
                                         error);
    }
    return status;
}

static enum opshift_status remove_gone(struct planner *planner, struct opshift_error *error)
{
    const struct pruning *pruning = &planner->pruning;
    enum opshift_status status = OPSHIFT_OK;
    if (pruning->gone_count)
        qsort(pruning->gone, pruning->gone_count, sizeof(*pruning->gone), gone_order);
    for (uint32_t end, start = 0; status == OPSHIFT_OK && start < pruning->gone_count; start = end) {
        const struct gone *gone = &pruning->gone[start];
        bool inputs = false;
        for (end = start; end < pruning->gone_count && pruning->gone[end].graph == gone->graph; end++)
            inputs |= pruning->gone[end].input;
        status = remove_infos(planner, gone, end - start, false, error);
        if (status == OPSHIFT_OK && inputs)
            status = remove_infos(planner, gone, end - start, true, error);
    }
    return status;
}

/* Is this an operator of ai.onnx without subgraphs whose outputs lost all uses by a rewrite? */
static bool removable(const struct planner *planner, const struct node *node)
{
    if (node_domain(node) != NAME_NONE || node_subgraph_count(node))
        return false;
    for (uint32_t i = 0; i < node->output_count; i++) {
        name_id name = node_outputs(node)[i];
        if (name != NAME_NONE && name < planner->pruning.name_count && !unread(planner, name))
            return false;
    }
    return true;
}

enum opshift_status prune_node(struct planner *planner, struct graph *graph, const struct node *node, bool *pruned,
                               struct opshift_error *error)
{
    *pruned = removable(planner, node);
    if (!*pruned)
        return OPSHIFT_OK;
    enum opshift_status status = prune_replaced(planner, graph, node, error);
    planner->plan->removed_count++;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->output_count; i++)
        if (node_outputs(node)[i] != NAME_NONE)
            status = gone_add(planner, graph, node_outputs(node)[i], false, error);
    return status;
}

enum opshift_status prune_replaced(struct planner *planner, struct graph *graph, const struct node *node,
                                   struct opshift_error *error)
{
    enum opshift_status status = plan_remove_node(planner->plan, graph, node, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->input_count; i++)
        status = prune_drop(planner, graph, node_inputs(node)[i], error);
    return status;
}

enum opshift_status prune_gone(struct planner *planner, struct graph *graph, name_id name, struct opshift_error *error)
{
    return gone_add(planner, graph, name, false, error);
}

/* Marks an initializer to remove; marks: by graph, a bit for each initializer, NULL: none in that graph. False: no
 * memory. */
static bool mark(struct planner *planner, uint8_t **marks, const struct definition *found)
{
    uint8_t **bits = &marks[found->graph->number];
    if (*bits == NULL)
        *bits = arena_bytes(planner->scratch, found->graph->initializer_count / 8 + 1);
    if (*bits != NULL)
        (*bits)[found->index / 8] |= (uint8_t)(1 << found->index % 8);
    return *bits != NULL;
}

/* Where inputs cannot be overridden (IR < 4), an initializer that is also a graph input is removed with the input;
 * above, the input is part of the model's interface, and both stay. */
static bool inputs_stay(const struct planner *planner)
{
    return planner->model->ir_version == 0 || planner->model->ir_version >= 4;
}

static enum opshift_status mark_unread(struct planner *planner, uint8_t **marks, struct opshift_error *error)
{
    const struct pruning *pruning = &planner->pruning;
    bool stay = inputs_stay(planner);
    struct graph *graph = planner->model->main;
    for (uint32_t i = 0; i < pruning->dropped_count; i++) {
        name_id name = pruning->dropped[i];
        if (name & DROPPED_GRAPH)
            graph = planner->model->graphs[name & ~DROPPED_GRAPH];
        if (name & DROPPED_GRAPH || !unread(planner, name))
            continue;
        struct definition found = scope_find(planner->around.scopes, graph, name);
        if (found.kind != DEFINED_INITIALIZER || (stay && scope_is_input(planner->around.scopes, found.graph, name)))
            continue;
        if (!mark(planner, marks, &found))
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

/* Adjacent ones are removed together; not sparse and dense ones, since new initializers stand behind the last dense
 * one. */
static enum opshift_status remove_marked(struct planner *planner, const uint8_t *marks, struct graph *graph,
                                         struct opshift_error *error)
{
    bool stay = inputs_stay(planner), sparse = false;
    uint64_t from = 0, until = 0;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->initializer_count; i++) {
        const struct initializer *initializer = &graph->initializers[i];
        if ((marks[i / 8] >> i % 8 & 1) == 0)
            continue;
        planner->plan->removed_count++;
        if (until != range_record(initializer->range) || sparse != initializer->sparse) {
            if (until > 0)
                status = plan_remove_records(planner->plan, graph, from, until, error);
            from = range_record(initializer->range);
            sparse = initializer->sparse;
        }
        until = range_end(initializer->range);
        if (status == OPSHIFT_OK)
            status = gone_add(planner, graph, initializer->name,
                              !stay && scope_is_input(planner->around.scopes, graph, initializer->name), error);
    }
    return status || until == 0 ? status : plan_remove_records(planner->plan, graph, from, until, error);
}

enum opshift_status prune_initializers(struct planner *planner, struct opshift_error *error)
{
    const struct opshift_model *model = planner->model;
    if (planner->pruning.dropped_count == 0)
        return remove_gone(planner, error);
    uint8_t **marks = arena_alloc(planner->scratch, model->graph_count, sizeof(*marks));
    if (marks == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = mark_unread(planner, marks, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graph_count; i++)
        if (marks[i] != NULL)
            status = remove_marked(planner, marks[i], model->graphs[i], error);
    return status ? status : remove_gone(planner, error);
}

void prune_free(struct pruning *pruning)
{
    free(pruning->less_read);
    free(pruning->dropped);
    free(pruning->gone);
}
