/* Pairs the graphs and nodes of both models, by names and never by position alone. */
#include "verify/verify.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "convert/plan_store.h"
#include "schema/schema.h"

struct node *match_partner(const struct side *side, const struct node *node, const struct side *other,
                           struct graph *other_graph)
{
    for (uint32_t i = 0; i < node->output_count; i++) {
        name_id name = node_outputs(node)[i];
        if (name == NAME_NONE)
            continue;
        if (side->other[name] == NAME_NO_MEMORY)
            return NULL;
        struct definition definition = scope_find(other->scopes, other_graph, side->other[name]);
        bool found = definition.kind == DEFINED_NODE && definition.graph == other_graph;
        return found ? &other_graph->nodes[definition.index] : NULL;
    }
    return NULL;
}

bool match_has_counterpart(const struct comparison *comparison, const struct graph_pair *pair, const struct node *node)
{
    const struct side *before = &comparison->before;
    for (uint32_t i = 0; i < node->output_count; i++) {
        name_id name = node_outputs(node)[i];
        if (name != NAME_NONE && before->other[name] != NAME_NO_MEMORY &&
            scope_find(comparison->after.scopes, pair->after, before->other[name]).kind != DEFINED_NOWHERE)
            return true;
    }
    return false;
}

int64_t match_opset_after(const struct comparison *comparison, const struct graph_pair *pair, name_id domain)
{
    name_id other = comparison->before.other[domain];
    return other == NAME_NO_MEMORY ? 0 : graph_opset(comparison->after.model, pair->after, other);
}

bool match_version_moved(const struct comparison *comparison, const struct graph_pair *pair, const struct node *node)
{
    const struct names *names = comparison->before.model->names;
    const char *domain = names_text(names, node_domain(node)), *op_type = names_text(names, node->op_type);
    int64_t from = graph_opset(comparison->before.model, pair->before, node_domain(node));
    int64_t to = match_opset_after(comparison, pair, node_domain(node));
    uint32_t count;
    if (!schema_knows(domain))
        return from != to && scope_callee(comparison->before.scopes, node) == NULL;
    const struct schema *versions = schema_versions(domain, op_type, &count);
    for (uint32_t i = 0; i < count; i++)
        if ((versions[i].since > from) != (versions[i].since > to))
            return true;
    return false;
}

static enum opshift_status add_pair(struct comparison *comparison, struct graph *before, struct graph *after,
                                    struct opshift_error *error)
{
    if (!list_grow(&comparison->pairs, comparison->pair_count, &comparison->pair_room, sizeof(*comparison->pairs)))
        return opshift_no_memory(error);
    comparison->pairs[comparison->pair_count++] = (struct graph_pair){before, after};
    return OPSHIFT_OK;
}

/* ---- nodes ---- */

static name_id other_name(const struct comparison *comparison, name_id name)
{
    return comparison->before.other[name];
}

/* Compares texts of names that may be newer than the lookup of one model's names in the other. */
static bool same_text(const struct comparison *comparison, name_id before, name_id after)
{
    return bytes_same(names_bytes(comparison->before.model->names, before),
                      names_bytes(comparison->after.model->names, after));
}

/* The same attributes, ignoring subgraphs, which are compared as graphs. */
static enum opshift_status same_attributes(struct comparison *comparison, struct node *before, struct node *after,
                                           bool *same, struct opshift_error *error)
{
    struct attribute_range *lists[2] = {NULL, NULL};
    size_t counts[2] = {0, 0};
    struct arena *arena = arena_new(0);
    enum opshift_status status = arena == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK)
        status = node_attributes(comparison->before.model, before, arena, &lists[0], &counts[0], error);
    if (status == OPSHIFT_OK)
        status = node_attributes(comparison->after.model, after, arena, &lists[1], &counts[1], error);
    *same = counts[0] == counts[1];
    for (size_t i = 0; status == OPSHIFT_OK && *same && i < counts[0]; i++) {
        if (attribute_is_graph(lists[0][i].type) && attribute_is_graph(lists[1][i].type))
            *same = same_text(comparison, lists[0][i].name, lists[1][i].name);
        else
            status = rest_same_bytes(comparison, lists[0][i].range, lists[1][i].range, same, error);
    }
    arena_free(arena);
    return status;
}

/* Nodes with subgraphs: the same operator, names, other attributes and number of subgraphs. */
static enum opshift_status same_head(struct comparison *comparison, struct node *before, struct node *after, bool *same,
                                     struct opshift_error *error)
{
    uint32_t count = before->input_count + before->output_count;
    name_id names[] = {node_name(comparison->before.model, before), node_name(comparison->after.model, after)};
    const char *what;
    if (names[0] == NAME_NO_MEMORY || names[1] == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    *same = before->input_count == after->input_count && before->output_count == after->output_count &&
            other_name(comparison, before->op_type) == after->op_type &&
            other_name(comparison, node_domain(before)) == node_domain(after) &&
            same_text(comparison, names[0], names[1]) &&
            other_name(comparison, node_overload(before)) == node_overload(after);
    for (uint32_t i = 0; i < count && *same; i++)
        *same = other_name(comparison, before->names[i]) == after->names[i];
    enum opshift_status status = rest_same_head(comparison, before, after, &what, error);
    *same = *same && status == OPSHIFT_OK && what == NULL;
    return *same ? same_attributes(comparison, before, after, same, error) : status;
}

/* Subgraphs of a node with more than this are paired only if they have the same order on both sides. */
#define REORDERED_GRAPHS_MAX 16u

static bool is_in_order(const struct comparison *comparison, const struct node *before, const struct node *after)
{
    for (uint32_t i = 0; i < node_subgraph_count(before); i++)
        if (other_name(comparison, node_subgraphs(before)[i]->owner_attribute) !=
            node_subgraphs(after)[i]->owner_attribute)
            return false;
    return true;
}

/* The index of the n-th graph of an attribute; the number of graphs: none. */
static uint32_t find_graph(const struct node *node, name_id attribute, uint32_t place)
{
    uint32_t i = 0;
    while (i < node_subgraph_count(node) && (node_subgraphs(node)[i]->owner_attribute != attribute || place-- > 0))
        i++;
    return i;
}

bool match_subgraphs(const struct comparison *comparison, const struct node *before, const struct node *after,
                     struct graph_pair *pairs)
{
    uint32_t count = node_subgraph_count(before);
    if (count != node_subgraph_count(after))
        return false;
    bool in_order = is_in_order(comparison, before, after);
    if (!in_order && count > REORDERED_GRAPHS_MAX)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct graph *graph = node_subgraphs(before)[i];
        uint32_t place = 0, at = i;
        for (uint32_t k = 0; !in_order && k < i; k++)
            place += node_subgraphs(before)[k]->owner_attribute == graph->owner_attribute;
        if (!in_order)
            at = find_graph(after, other_name(comparison, graph->owner_attribute), place);
        if (at == count)
            return false;
        if (pairs != NULL)
            pairs[i] = (struct graph_pair){graph, node_subgraphs(after)[at]};
    }
    return true;
}

/* Does convert put other nodes, with graphs of their own, in the node's place? */
static bool plan_replaces(const struct comparison *comparison, const struct graph *graph, const struct node *node)
{
    const struct plan_entry *entry = comparison->plan ? plan_entry_find(comparison->plan, graph, node) : NULL;
    return entry && entry->replaced;
}

static enum opshift_status same_node(struct comparison *comparison, struct graph_pair pair, struct node *before,
                                     struct node *after, bool *same, struct opshift_error *error)
{
    uint32_t count = node_subgraph_count(before);
    enum opshift_status status = rest_same_bytes(comparison, before->range, after->range, same, error);
    if (status != OPSHIFT_OK || count == 0)
        return status;
    struct graph_pair *pairs = calloc(count, sizeof(*pairs));
    if (pairs == NULL)
        return opshift_no_memory(error);
    bool paired = !plan_replaces(comparison, pair.before, before) && match_subgraphs(comparison, before, after, pairs);
    if (!*same && paired)
        status = same_head(comparison, before, after, same, error);
    /* Graphs with the same bytes are compared, too: their operators may have another meaning at another opset. So
     * are those of nodes that differ elsewhere. */
    for (uint32_t i = 0; status == OPSHIFT_OK && paired && i < count; i++)
        status = add_pair(comparison, pairs[i].before, pairs[i].after, error);
    free(pairs);
    return status;
}

static bool has_name(const struct node *node)
{
    for (uint32_t i = 0; i < node->output_count; i++)
        if (node_outputs(node)[i] != NAME_NONE)
            return true;
    return false;
}

/* Nodes without a named output cannot be found by name: they are paired in order. */
static struct node *next_nameless(struct graph *graph, uint32_t *at)
{
    while (*at < graph->node_count && has_name(&graph->nodes[*at]))
        ++*at;
    return *at < graph->node_count ? &graph->nodes[(*at)++] : NULL;
}

/* All nodes count as changed until a counterpart is found. */
static enum opshift_status mark_all(struct side *side, struct arena *arena, struct graph *graph,
                                    struct opshift_error *error)
{
    bool *changed = arena_alloc(arena, graph->node_count + UINT64_C(1), sizeof(*changed));
    if (changed == NULL)
        return opshift_no_memory(error);
    memset(changed, true, graph->node_count);
    side->changed[graph->number] = changed;
    return OPSHIFT_OK;
}

static enum opshift_status match_nodes(struct comparison *comparison, struct graph_pair pair,
                                       struct opshift_error *error)
{
    uint32_t nameless = 0;
    enum opshift_status status = mark_all(&comparison->before, comparison->arena, pair.before, error);
    if (status == OPSHIFT_OK)
        status = mark_all(&comparison->after, comparison->arena, pair.after, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < pair.before->node_count; i++) {
        struct node *node = &pair.before->nodes[i];
        struct node *partner = has_name(node) ? match_partner(&comparison->before, node, &comparison->after, pair.after)
                                              : next_nameless(pair.after, &nameless);
        bool same = false;
        if (partner != NULL)
            status = same_node(comparison, pair, node, partner, &same, error);
        if (!same)
            continue;
        comparison->before.changed[pair.before->number][i] = false;
        comparison->after.changed[pair.after->number][partner - pair.after->nodes] = false;
    }
    return status;
}

/* ---- functions ---- */

static bool same_name(const struct comparison *comparison, const struct function *before, const struct function *after)
{
    return other_name(comparison, before->name) == after->name &&
           other_name(comparison, before->domain) == after->domain &&
           other_name(comparison, before->overload) == after->overload;
}

static const char *function_place(struct comparison *comparison, struct opshift_model *model,
                                  const struct function *function)
{
    const char *place = arena_print(comparison->arena, "function '%s.%s'", names_text(model->names, function->domain),
                                    names_text(model->names, function->name));
    return place == NULL ? "function" : place;
}

/* Functions usually have the same order: the search starts where the last one was found. */
static enum opshift_status match_functions(struct comparison *comparison, struct opshift_error *error)
{
    struct opshift_model *before = comparison->before.model, *after = comparison->after.model;
    bool *found = arena_alloc(comparison->arena, after->function_count + UINT64_C(1), sizeof(*found));
    uint32_t next = 0;
    if (found == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < before->function_count; i++) {
        uint32_t tried = 0;
        while (tried < after->function_count &&
               (found[next % after->function_count] ||
                !same_name(comparison, &before->functions[i], &after->functions[next % after->function_count]))) {
            next++;
            tried++;
        }
        if (tried == after->function_count) {
            next -= tried;
            if (comparison->plan == NULL || !plan_removes(comparison->plan, &before->functions[i]))
                rest_difference(comparison, function_place(comparison, before, &before->functions[i]), "is lost");
            continue;
        }
        struct function *partner = &after->functions[next % after->function_count];
        if (next >= after->function_count)
            rest_difference(comparison, function_place(comparison, before, &before->functions[i]), "stands elsewhere");
        found[next % after->function_count] = true;
        next = next % after->function_count + 1;
        enum opshift_status status = add_pair(comparison, before->functions[i].body, partner->body, error);
        if (status != OPSHIFT_OK)
            return status;
    }
    for (uint32_t i = 0; i < after->function_count; i++)
        if (!found[i])
            rest_difference(comparison, function_place(comparison, after, &after->functions[i]), "is new");
    return OPSHIFT_OK;
}

/* ---- models ---- */

/* The training graphs of both models, in order. */
static enum opshift_status match_training(struct comparison *comparison, struct opshift_error *error)
{
    struct opshift_model *models[2] = {comparison->before.model, comparison->after.model};
    uint32_t at[2] = {0, 0};
    for (;;) {
        struct graph *graphs[2] = {NULL, NULL};
        for (int i = 0; i < 2; i++)
            while (at[i] < models[i]->graph_count && graphs[i] == NULL) {
                struct graph *graph = models[i]->graphs[at[i]++];
                graphs[i] = graph->kind == GRAPH_TRAINING ? graph : NULL;
            }
        if (graphs[0] == NULL && graphs[1] == NULL)
            return OPSHIFT_OK;
        if (graphs[0] == NULL || graphs[1] == NULL) {
            rest_difference(comparison, "training graphs", "a graph is %s", graphs[0] == NULL ? "new" : "lost");
            return OPSHIFT_OK;
        }
        enum opshift_status status = add_pair(comparison, graphs[0], graphs[1], error);
        if (status != OPSHIFT_OK)
            return status;
    }
}

static enum opshift_status side_make(struct comparison *comparison, struct side *side, struct opshift_error *error)
{
    side->other_count = names_count(side->model->names);
    side->other = arena_alloc(comparison->arena, side->other_count, sizeof(*side->other));
    side->changed = arena_alloc(comparison->arena, side->model->graph_count, sizeof(*side->changed));
    return side->other == NULL || side->changed == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* Looks up each name of the first model in the second, where most have the same order. */
static enum opshift_status map_names(struct comparison *comparison, struct opshift_error *error)
{
    struct side *before = &comparison->before, *after = &comparison->after;
    enum opshift_status status = side_make(comparison, before, error);
    if (status == OPSHIFT_OK)
        status = side_make(comparison, after, error);
    if (status != OPSHIFT_OK)
        return status;
    for (name_id name = 0; name < after->other_count; name++)
        after->other[name] = NAME_NO_MEMORY;
    name_id likely = NAME_NONE;
    for (name_id name = 0; name < before->other_count; name++) {
        if (names_find_likely(after->model->names, names_bytes(before->model->names, name), likely,
                              &before->other[name])) {
            after->other[before->other[name]] = name;
            likely = before->other[name] + 1;
        } else {
            before->other[name] = NAME_NO_MEMORY;
        }
    }
    return OPSHIFT_OK;
}

enum opshift_status match_models(struct comparison *comparison, struct opshift_error *error)
{
    enum opshift_status status = map_names(comparison, error);
    if (status == OPSHIFT_OK)
        status = add_pair(comparison, comparison->before.model->main, comparison->after.model->main, error);
    if (status == OPSHIFT_OK)
        status = match_training(comparison, error);
    if (status == OPSHIFT_OK)
        status = match_functions(comparison, error);
    /* The list grows during the walk: each node with subgraphs adds them. */
    for (uint32_t i = 0; status == OPSHIFT_OK && i < comparison->pair_count; i++)
        status = match_nodes(comparison, comparison->pairs[i], error);
    if (status == OPSHIFT_OK)
        status = uses_count(&comparison->before, comparison->arena, error);
    return status == OPSHIFT_OK ? uses_count(&comparison->after, comparison->arena, error) : status;
}
