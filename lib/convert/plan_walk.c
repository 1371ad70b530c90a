/* The public interface for walking a plan. */
#include <stdlib.h>

#include "base/option_struct.h"
#include "convert/plan.h"

static const struct conversion_plan *plan_of(const struct opshift_plan *plan)
{
    return (const struct conversion_plan *)plan;
}

enum opshift_status opshift_plan_new(struct opshift_model *model, const struct opshift_goal *goal,
                                     struct opshift_plan **plan, struct opshift_error *error)
{
    struct conversion_plan *made = NULL;
    struct opshift_goal full;
    *plan = NULL;
    enum opshift_status status = OPTIONS_COPY(goal, &full, error);
    if (status == OPSHIFT_OK)
        status = plan_new(model, &full, &made, error);
    *plan = (struct opshift_plan *)made;
    return status ? opshift_within(error, status, "%.256s", model->name) : OPSHIFT_OK;
}

void opshift_plan_free(struct opshift_plan *plan)
{
    plan_free((struct conversion_plan *)plan);
}

size_t opshift_plan_blocker_count(const struct opshift_plan *plan)
{
    return plan_blocker_count(plan_of(plan));
}

/* ---- one node ---- */

struct opshift_planned {
    struct arena *arena;
    struct planned_node node;
};

enum opshift_status opshift_plan_find(const struct opshift_plan *plan, const struct opshift_graph *graph,
                                      const struct opshift_node *node, struct opshift_planned **planned,
                                      struct opshift_error *error)
{
    struct opshift_planned *made = calloc(1, sizeof(*made));
    *planned = NULL;
    if (made == NULL)
        return opshift_no_memory(error);
    made->arena = arena_new(0);
    const struct graph *given = (const struct graph *)graph, *planned_graph = plan_graph_find(plan_of(plan), given, 0);
    const struct node *there = &planned_graph->nodes[(const struct node *)node - given->nodes];
    enum opshift_status status = made->arena
                                     ? plan_find(plan_of(plan), planned_graph, there, made->arena, &made->node, error)
                                     : opshift_no_memory(error);
    if (status)
        opshift_planned_free(made);
    else
        *planned = made;
    return status;
}

void opshift_planned_free(struct opshift_planned *planned)
{
    if (planned == NULL)
        return;
    arena_free(planned->arena);
    free(planned);
}

enum opshift_fate opshift_planned_fate(const struct opshift_planned *planned)
{
    return planned->node.fate;
}

const char *opshift_planned_why(const struct opshift_planned *planned)
{
    return planned->node.fate == OPSHIFT_BLOCKED ? planned->node.why : NULL;
}

static const char *const *texts_of(const struct opshift_planned *planned, enum opshift_planned_list list, size_t *count)
{
    switch (list) {
    case OPSHIFT_PLANNED_RULES:
        *count = planned->node.rule_count;
        return planned->node.rules;
    case OPSHIFT_PLANNED_ASSUMPTIONS:
        *count = planned->node.assumption_count;
        return planned->node.assumptions;
    case OPSHIFT_PLANNED_NOTES:
        *count = planned->node.note_count;
        return planned->node.notes;
    }
    *count = 0;
    return NULL;
}

size_t opshift_planned_count(const struct opshift_planned *planned, enum opshift_planned_list list)
{
    size_t count;
    texts_of(planned, list, &count);
    return count;
}

const char *opshift_planned_text(const struct opshift_planned *planned, enum opshift_planned_list list, size_t index)
{
    size_t count;
    const char *const *texts = texts_of(planned, list, &count);
    return index < count ? texts[index] : NULL;
}

size_t opshift_planned_record_count(const struct opshift_planned *planned)
{
    return planned->node.record_count;
}

const void *opshift_planned_record(const struct opshift_planned *planned, size_t index, size_t *size)
{
    bool there = index < planned->node.record_count;
    *size = there ? planned->node.records[index].size : 0;
    return there ? planned->node.records[index].data : NULL;
}
