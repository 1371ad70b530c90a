/* Converts a model: a plan, the report of it, and where nothing is in the way its edits. */
#include "convert/convert.h"

#include <inttypes.h>

#include "base/option_struct.h"

/* The first node in the model that is in the way. */
static enum opshift_status first_blocker(const struct conversion_plan *plan, struct opshift_error *error)
{
    for (uint32_t g = 0; g < plan->model->graph_count; g++) {
        struct graph *graph = plan->model->graphs[g];
        for (uint32_t i = 0; plan->graphs[g] && i < graph->node_count; i++) {
            const struct node *node = &graph->nodes[i];
            const struct plan_entry *entry = plan_entry_find(plan, graph, node);
            if (entry == NULL || entry->fate != NODE_BLOCKED || entry->words == NULL || entry->words->why == NULL)
                continue;
            const struct plan_words *words = entry->words;
            const char *place = node_place(plan->model, graph, node);
            if (words->from == words->to)
                return opshift_fail(error, OPSHIFT_NO, "%s: %s", place, words->why);
            return opshift_fail(error, OPSHIFT_NO, "%s: %" PRId64 " to %" PRId64 ": %s", place, words->from, words->to,
                                words->why);
        }
    }
    return OPSHIFT_NO;
}

enum opshift_status model_convert(struct opshift_model *model, const struct opshift_goal *goal,
                                  struct opshift_report **report, struct opshift_error *error)
{
    struct conversion_plan *plan = NULL;
    if (report)
        *report = NULL;
    model_edits_clear(model); /* of a conversion before this one, which planned from the same source */
    enum opshift_status status = plan_new(model, goal, &plan, error);
    if (status == OPSHIFT_OK && report)
        status = plan_report(plan, goal->brief, report, error);
    if (status == OPSHIFT_OK)
        status = plan->blocker_count ? first_blocker(plan, error) : plan_apply(plan, error);
    if (status)
        model_edits_clear(model);
    plan_free(plan);
    return status;
}

enum opshift_status opshift_convert(struct opshift_model *model, const struct opshift_goal *goal,
                                    struct opshift_report **report, struct opshift_error *error)
{
    struct opshift_goal full;
    enum opshift_status status = OPTIONS_COPY(goal, &full, error);
    if (status)
        return status;
    if (model->broken) { /* it would be handed on as it is, and no reader takes it */
        if (report)
            *report = NULL;
        status = model->broken->status;
        if (error)
            *error = *model->broken;
    }
    if (status == OPSHIFT_OK)
        status = model_convert(model, &full, report, error);
    return status ? opshift_within(error, status, "%.256s", model->name) : status;
}
