/* Turns a plan into the model's edits. */
#include <stdlib.h>

#include "convert/convert.h"
#include "model/preview.h"

static const struct plan_change *changes_of(const struct conversion_plan *plan, const struct plan_entry *entry)
{
    return (const struct plan_change *)(const void *)plan->changes.data + entry->words->changes;
}

/* Marks the graphs inside replaced nodes: their nodes, as far as they are left, stand in the new records. */
static enum opshift_status find_gone(const struct conversion_plan *plan, bool **gone, struct opshift_error *error)
{
    *gone = calloc(plan->model->graph_count + UINT64_C(1), sizeof(**gone));
    if (*gone == NULL)
        return opshift_no_memory(error);
    for (uint32_t g = 0; g < plan->model->graph_count; g++) {
        const struct graph *graph = plan->model->graphs[g], *parent = graph->parent;
        if (graph->kind != GRAPH_SUB)
            continue;
        const struct plan_entry *entry = plan_entry_find(plan, parent, &parent->nodes[graph->owner]);
        (*gone)[g] = (*gone)[parent->number] || (entry && entry->replaced);
    }
    return OPSHIFT_OK;
}

/* Constant nodes are inserted before all nodes of the graph, so that any of them can read them. */
static enum opshift_status apply_constants(const struct conversion_plan *plan, const bool *gone,
                                           struct opshift_error *error)
{
    size_t count = plan->added.size / sizeof(struct plan_added *);
    struct plan_added *const *added = (struct plan_added *const *)(const void *)plan->added.data;
    uint64_t *places = calloc(plan->model->graph_count + UINT64_C(1), sizeof(*places)); /* 0: not computed yet */
    enum opshift_status status = places ? OPSHIFT_OK : opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        const struct graph *graph = added[i]->constant.graph;
        uint64_t *place = &places[graph->number];
        if (gone[graph->number])
            continue;
        if (*place == 0)
            *place = added[i]->constant.is_node ? range_record(graph->nodes[0].range) : initializer_place(graph);
        status = model_edit_at(plan->model, graph->message, *place, 0, added[i]->place, added[i]->size, error);
    }
    free(places);
    return status;
}

/* Inserts new nodes before a node, and applies the changes inside its record. */
static enum opshift_status apply_inside(const struct conversion_plan *plan, const struct plan_entry *entry,
                                        struct graph *graph, struct node *node, struct opshift_error *error)
{
    const struct plan_change *changes = changes_of(plan, entry);
    enum opshift_status status = OPSHIFT_OK;
    if (entry->size)
        status = model_edit_at(plan->model, graph->message, range_record(node->range), 0, entry->records, entry->size,
                               error);
    struct message *message = status == OPSHIFT_OK ? node_message(plan->model, graph, node) : NULL;
    if (status == OPSHIFT_OK && message == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < entry->words->change_count; i++)
        status = model_edit_at(plan->model, message, changes[i].offset, changes[i].removed, changes[i].place,
                               changes[i].size, error);
    return status;
}

static enum opshift_status apply_node(const struct conversion_plan *plan, const struct plan_walk *at,
                                      struct opshift_error *error)
{
    const struct plan_entry *entry = at->entry;
    if (entry->fate == OPSHIFT_KEPT)
        return OPSHIFT_OK;
    if (entry->inside)
        return apply_inside(plan, entry, at->graph, at->node, error);
    size_t size = entry->fate == OPSHIFT_REWRITTEN ? entry->size : 0;
    return model_edit_at(plan->model, at->graph->message, range_record(at->node->range), range_length(at->node->range),
                         entry->records, size, error);
}

static enum opshift_status apply_nodes(const struct conversion_plan *plan, const bool *gone,
                                       struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (struct plan_walk walk = {0}; status == OPSHIFT_OK && plan_walk_next(plan, &walk);)
        if (!gone[walk.graph->number])
            status = apply_node(plan, &walk, error);
    return status;
}

/* Merges adjacent removals into one edit, except across the place of new initializers. */
static enum opshift_status apply_removals(const struct conversion_plan *plan, const bool *gone,
                                          struct opshift_error *error)
{
    size_t count = plan->removals.size / sizeof(struct plan_removal);
    const struct plan_removal *removals = (const struct plan_removal *)(const void *)plan->removals.data;
    const struct graph *graph = NULL;
    uint64_t border = 0;
    enum opshift_status status = OPSHIFT_OK;
    for (size_t end, start = 0; status == OPSHIFT_OK && start < count; start = end) {
        uint64_t from = removals[start].from, until = removals[start].until;
        if (start == 0 || graph != removals[start].graph) {
            graph = removals[start].graph;
            border = initializer_place(graph);
        }
        for (end = start + 1;
             end < count && removals[end].graph == graph && until != border && removals[end].from == until; end++)
            until = removals[end].until;
        if (gone[graph->number])
            continue;
        status = model_edit(plan->model, removals[start].graph->message, from, until - from, (struct bytes){0}, error);
    }
    return status;
}

/* The edits of the preview with functions for each case become those of the model itself. */
static enum opshift_status adopt(const struct conversion_plan *plan, struct opshift_error *error)
{
    struct opshift_model *result = NULL;
    struct arena *arena = arena_new(0);
    if (arena == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = model_preview(plan->model, arena, &result, error);
    if (status == OPSHIFT_OK)
        status = model_adopt(plan->first, result, error);
    plan->first->is_stamped = true;
    opshift_model_free(result);
    arena_free(arena);
    return status;
}

enum opshift_status plan_apply(struct conversion_plan *plan, struct opshift_error *error)
{
    bool *gone = NULL;
    enum opshift_status status = find_gone(plan, &gone, error);
    model_edits_take(plan->model, &plan->bytes);
    if (status == OPSHIFT_OK)
        status = apply_constants(plan, gone, error);
    if (status == OPSHIFT_OK)
        status = apply_nodes(plan, gone, error);
    if (status == OPSHIFT_OK)
        status = apply_removals(plan, gone, error);
    free(gone);
    if (status == OPSHIFT_OK && plan->inputs.size)
        status = model_edit(plan->model, plan->model->main->message, inputs_place(plan->model->main), 0, plan->inputs,
                            error);
    if (status == OPSHIFT_OK)
        status = header_apply(plan, error);
    return status == OPSHIFT_OK && plan->first ? adopt(plan, error) : status;
}
