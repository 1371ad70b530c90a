/* Where a finding stands, for people and for machines. */
#include <inttypes.h>
#include <string.h>

#include "base/shown.h"
#include "lint/lint.h"

const char *text_show(struct arena *arena, const char *text)
{
    struct shown shown = {.data = (const uint8_t *)text, .size = strlen(text)};
    size_t room = 0, size;
    while (shown_next(&shown, &size) != NULL)
        room += size;
    char *copy = arena_alloc(arena, room + 1, 1);
    if (copy != NULL)
        shown_copy(copy, room + 1, text, strlen(text));
    return copy;
}

/* The graph's path; graphs are nested no deeper than messages were allowed to be when the model was opened. */
static const char *graph_print(struct arena *arena, struct opshift_model *model, const struct graph *graph)
{
    switch (graph->kind) {
    case GRAPH_MAIN:
        return "graph";
    case GRAPH_TRAINING:
        return arena_print(arena, "training[%" PRIu32 "]", graph->number);
    case GRAPH_FUNCTION:
        return arena_print(arena, "function[%td]:%s", graph->function - model->functions,
                           names_text(model->names, graph->name));
    case GRAPH_SUB:
        break;
    }
    const char *owner = location_print(arena, model, graph->parent, &graph->parent->nodes[graph->owner]);
    return owner ? arena_print(arena, "%s/%s", owner, names_text(model->names, graph->owner_attribute)) : NULL;
}

const char *location_print(struct arena *arena, struct opshift_model *model, const struct graph *graph,
                           const struct node *node)
{
    if (graph == NULL)
        return "model";
    const char *around = graph_print(arena, model, graph);
    if (around == NULL || node == NULL)
        return around;
    name_id id = node_name(model, node);
    const char *name = names_text(model->names, id);
    return id == NAME_NO_MEMORY
               ? NULL
               : arena_print(arena, "%s/node[%td]%s%s", around, node - graph->nodes, *name ? ":" : "", name);
}

const char *place_print(struct arena *arena, struct opshift_model *model, const struct graph *graph,
                        const struct node *node)
{
    if (graph == NULL || (node == NULL && graph->kind == GRAPH_MAIN))
        return "";
    if (node)
        return node_place_find(model, graph, node);
    if (graph->kind == GRAPH_SUB) {
        const char *owner = node_place_find(model, graph->parent, &graph->parent->nodes[graph->owner]);
        return owner ? arena_print(arena, "%s: %s", owner, names_text(model->names, graph->owner_attribute)) : NULL;
    }
    return arena_print(arena, "%s '%s'", graph->kind == GRAPH_FUNCTION ? "function" : "training graph",
                       names_text(model->names, graph->name));
}
