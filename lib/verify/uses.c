/* Counts the readers of each output and initializer: all, and rewritten ones. */

#include "verify/verify.h"

static enum opshift_status make_room(struct side *side, struct arena *arena, struct opshift_error *error)
{
    uint32_t count = side->model->graph_count;
    side->node_uses = arena_alloc(arena, count, sizeof(*side->node_uses));
    side->initializer_uses = arena_alloc(arena, count, sizeof(*side->initializer_uses));
    side->changed_uses = arena_alloc(arena, names_count(side->model->names), sizeof(*side->changed_uses));
    if (side->node_uses == NULL || side->initializer_uses == NULL || side->changed_uses == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        const struct graph *graph = side->model->graphs[i];
        side->node_uses[i] = arena_alloc(arena, graph->node_count + UINT64_C(1), sizeof(struct use_count));
        side->initializer_uses[i] =
            arena_alloc(arena, graph->initializer_count + UINT64_C(1), sizeof(struct use_count));
        if (side->node_uses[i] == NULL || side->initializer_uses[i] == NULL)
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

static void count_use(struct side *side, struct graph *graph, name_id name, bool changed)
{
    struct definition definition = scope_find(side->scopes, graph, name);
    struct use_count *count = NULL;
    if (definition.kind == DEFINED_NODE)
        count = &side->node_uses[definition.graph->number][definition.index];
    else if (definition.kind == DEFINED_INITIALIZER)
        count = &side->initializer_uses[definition.graph->number][definition.index];
    if (count != NULL) {
        count->all++;
        count->changed += changed;
    }
    side->changed_uses[name] += changed;
}

/* A graph without a partner changes with the node that holds it. */
static bool is_changed(const struct side *side, const struct graph *graph, uint32_t node)
{
    while (side->changed[graph->number] == NULL && graph->kind == GRAPH_SUB) {
        node = graph->owner;
        graph = graph->parent;
    }
    return side->changed[graph->number] != NULL && side->changed[graph->number][node];
}

enum opshift_status uses_count(struct side *side, struct arena *arena, struct opshift_error *error)
{
    enum opshift_status status = make_room(side, arena, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < side->model->graph_count; i++) {
        struct graph *graph = side->model->graphs[i];
        for (uint32_t k = 0; k < graph->node_count; k++) {
            bool changed = is_changed(side, graph, k);
            for (uint32_t n = 0; n < graph->nodes[k].input_count; n++)
                if (node_inputs(&graph->nodes[k])[n] != NAME_NONE)
                    count_use(side, graph, node_inputs(&graph->nodes[k])[n], changed);
        }
        bool inside = graph->kind == GRAPH_SUB && side->changed[i] == NULL;
        for (uint32_t k = 0; k < graph->output_count; k++)
            count_use(side, graph, graph->outputs[k].name, inside && is_changed(side, graph, 0));
    }
    return status;
}

bool uses_are_changed(struct use_count count)
{
    return count.changed > 0 && count.changed == count.all;
}
