/* Converts a model: makes the plan and the report, and applies the plan if there are no blockers. */
#include "convert/convert.h"

#include <inttypes.h>

#include "base/option_struct.h"
#include "convert/blockers.h"
#include "convert/unlock.h"

/* Reports the first blocked node in the order of the model. */
static enum opshift_status first_blocker(const struct conversion_plan *plan, struct opshift_error *error)
{
    const struct graph *graph;
    const struct node *node;
    const struct plan_words *words = blockers_first(plan, &graph, &node);
    if (words == NULL)
        return OPSHIFT_NO;
    const char *place = node_place(plan->model, graph, node);
    const char *domain = names_text(plan->model->names, node_domain(node));
    if (words->from == words->to)
        return opshift_fail(error, OPSHIFT_NO, "%s: %s", place, words->why);
    return opshift_fail(error, OPSHIFT_NO, "%s: %s%s%" PRId64 " to %" PRId64 ": %s", place, domain, *domain ? " " : "",
                        words->from, words->to, words->why);
}

/* Maximum number of plans made to find the nearest opset. */
#define NEAREST_MOST 3

/* Finds the nearest opset without blockers, and confirms it with a plan for that opset. */
static enum opshift_status find_nearest(struct conversion_plan *plan, const struct opshift_goal *goal,
                                        struct opshift_error *error)
{
    struct opshift_goal nearer = goal_held(goal);
    struct blocker_groups groups;
    struct arena *arena = arena_new(0);
    enum opshift_status status = arena ? blockers_group(plan, arena, &groups, error) : opshift_no_memory(error);
    int64_t nearest = status ? 0 : blockers_nearest(plan, &groups);
    for (int i = 0; status == OPSHIFT_OK && i < NEAREST_MOST && nearest && nearest != plan->source; i++) {
        struct conversion_plan *other = NULL;
        nearer.opset = nearest;
        status = plan_new(plan_model(plan), &nearer, &other, error);
        if (status == OPSHIFT_OK && plan_blocker_count(other) == 0)
            plan->nearest = nearest;
        nearest = 0;
        if (status == OPSHIFT_OK && plan->nearest == 0)
            status = blockers_group(other, arena, &groups, error);
        if (status == OPSHIFT_OK && plan->nearest == 0)
            nearest = blockers_nearest(other, &groups);
        plan_free(other);
    }
    arena_free(arena);
    return status == OPSHIFT_NO ? OPSHIFT_OK : status;
}

/* Finds options with which the goal's opset would be reached. */
static enum opshift_status find_options(struct conversion_plan *plan, const struct opshift_goal *goal,
                                        struct opshift_error *error)
{
    struct unlock *unlock = unlock_new(plan_model(plan));
    plan->options = json_array();
    enum opshift_status status =
        unlock && plan->options ? unlock_find(unlock, goal, plan, plan->options, error) : opshift_no_memory(error);
    unlock_free(unlock);
    return status;
}

/* A target's form of Split may want an opset that the model cannot reach: then a plan for the nearest that the target
 * takes, if that has no blockers, replaces this one. */
static enum opshift_status plan_else(struct opshift_model *model, const struct opshift_goal *goal,
                                     struct conversion_plan **plan, struct opshift_error *error)
{
    struct opshift_goal other = *goal;
    struct conversion_plan *made = NULL;
    if ((*plan)->blocker_count == 0 || (*plan)->opset_else == 0)
        return OPSHIFT_OK;
    other.opset = (*plan)->opset_else;
    enum opshift_status status = plan_new(model, &other, &made, error);
    if (status == OPSHIFT_OK && made->blocker_count == 0) {
        plan_free(*plan);
        *plan = made;
        return OPSHIFT_OK;
    }
    plan_free(made);
    return status == OPSHIFT_NO ? error_forget(error) : status;
}

/* Applies the plan, which keeps its bytes. */
static enum opshift_status apply_and_keep(struct conversion_plan *plan, struct opshift_error *error)
{
    struct buffer kept = {0};
    buffer_add(&kept, plan->bytes.data, plan->bytes.size);
    if (kept.failed)
        return opshift_no_memory(error);
    enum opshift_status status = plan_apply(plan, error);
    plan->bytes = kept;
    return status;
}

/* kept: gets the plan that was applied, NULL if it fails; may be NULL. */
static enum opshift_status convert_planned(struct opshift_model *model, const struct opshift_goal *goal,
                                           struct conversion_plan **kept, struct opshift_report **report,
                                           struct opshift_error *error)
{
    struct conversion_plan *plan = NULL;
    if (report)
        *report = NULL;
    model_edits_clear(model); /* left by an earlier conversion; this one plans from the source, too */
    enum opshift_status status = plan_new(model, goal, &plan, error);
    if (status == OPSHIFT_OK)
        status = plan_else(model, goal, &plan, error);
    if (status == OPSHIFT_OK && report && plan->blocker_count)
        status = find_nearest(plan, goal, error);
    if (status == OPSHIFT_OK && report && plan->blocker_count)
        status = find_options(plan, goal, error);
    if (status == OPSHIFT_OK && report)
        status = plan_report(plan, goal->brief, report, error);
    if (status == OPSHIFT_OK && plan->blocker_count)
        status = first_blocker(plan, error);
    if (status == OPSHIFT_OK)
        status = kept ? apply_and_keep(plan, error) : plan_apply(plan, error);
    if (status)
        model_edits_clear(model);
    if (status || kept == NULL)
        plan_free(plan);
    if (kept)
        *kept = status ? NULL : plan;
    return status;
}

enum opshift_status model_convert(struct opshift_model *model, const struct opshift_goal *goal,
                                  struct opshift_report **report, struct opshift_error *error)
{
    return convert_planned(model, goal, NULL, report, error);
}

enum opshift_status opshift_convert(struct opshift_model *model, const struct opshift_goal *goal,
                                    struct opshift_report **report, struct opshift_error *error)
{
    return opshift_convert_planned(model, goal, NULL, report, error);
}

enum opshift_status opshift_convert_planned(struct opshift_model *model, const struct opshift_goal *goal,
                                            struct opshift_plan **plan, struct opshift_report **report,
                                            struct opshift_error *error)
{
    struct opshift_goal full;
    struct conversion_plan *kept = NULL;
    enum opshift_status status = OPTIONS_COPY(goal, &full, error);
    if (plan)
        *plan = NULL;
    if (status)
        return status;
    if (model->broken) { /* otherwise it would be copied as it is, and no runtime accepts it */
        if (report)
            *report = NULL;
        status = error_give(error, model->broken->status, model->broken);
    }
    if (status == OPSHIFT_OK)
        status = convert_planned(model, &full, plan ? &kept : NULL, report, error);
    if (plan)
        *plan = (struct opshift_plan *)kept;
    return status ? opshift_within(error, status, "%.256s", model->name) : status;
}
