/* Functions that nothing calls: where one cannot be converted, they are removed. */
#include "convert/planner.h"

static bool is_unused(const struct planner *planner, const struct graph *graph)
{
    return graph->function && !scope_is_reached(planner->around.scopes, graph->function);
}

/* The first blocked node of a graph; NULL: none. */
static const struct node *blocked_find(const struct conversion_plan *plan, const struct graph *graph)
{
    for (uint32_t i = 0; plan->graphs[graph->number] && i < graph->node_count; i++) {
        const struct plan_entry *entry = plan_entry_find(plan, graph, &graph->nodes[i]);
        if (entry && entry->fate == OPSHIFT_BLOCKED)
            return &graph->nodes[i];
    }
    return NULL;
}

bool unused_blocks(const struct planner *planner, const struct conversion_plan *plan)
{
    for (uint32_t i = 0; plan->blocker_count && !planner->goal->strict && i < planner->model->graph_count; i++) {
        const struct graph *graph = planner->model->graphs[i];
        if (is_unused(planner, graph) && blocked_find(plan, graph))
            return true;
    }
    return false;
}

static enum opshift_status assume(struct planner *planner, const struct graph *graph, const struct node *node,
                                  struct opshift_error *error)
{
    const struct plan_entry *entry = plan_entry_find(planner->blocked, graph, node);
    const char *why = entry->words && entry->words->why ? entry->words->why : "it is blocked";
    const char *words = arena_print(
        planner->plan->arena, "functions that no graph calls are removed, as this node cannot be converted: %s", why);
    const struct plan_assumption assumption = {.kind = ASSUMED_WORDS, .words = words};
    return words ? plan_assume(planner->plan, graph, node, &assumption, error) : opshift_no_memory(error);
}

enum opshift_status unused_remove(struct planner *planner, struct opshift_error *error)
{
    const struct opshift_model *model = planner->model;
    bool *removed = arena_alloc(planner->plan->arena, model->function_count, sizeof(*removed));
    enum opshift_status status = removed ? OPSHIFT_OK : opshift_no_memory(error);
    planner->plan->removed = removed;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graph_count; i++) {
        const struct graph *graph = model->graphs[i];
        if (!is_unused(planner, graph))
            continue;
        removed[graph->function - model->functions] = true;
        const struct node *node = blocked_find(planner->blocked, graph);
        if (node)
            status = assume(planner, graph, node, error);
    }
    return status;
}
