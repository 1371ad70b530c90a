/* Tables, checks and plan. Two large models are prepared at the same time: a second thread does all that concerns the
 * first model alone. */
#include "verify/prepare.h"

#include "convert/plan_store.h"

/* Of fewer nodes, the models are prepared one after the other. */
#define NODES_WORTH_A_THREAD 1000u

void side_end(struct side *side)
{
    if (side->calls.model)
        parameters_free(&side->calls);
    fold_free(side->fold);
    types_free(side->types);
    scopes_free(side->scopes);
}

/* first: the first model, which given shapes and inputs must fit. */
static enum opshift_status side_start(struct side *side, const struct opshift_verify_options *how, bool first,
                                      struct opshift_error *error)
{
    struct opshift_model *model = side->model;
    struct fold_options options = {.freeze_initializers = how->freeze_initializers};
    enum opshift_status status = scopes_new(model, &side->scopes, error);
    side->calls = (struct surroundings){.model = model, .scopes = side->scopes};
    if (status == OPSHIFT_OK)
        status = scopes_count_uses(side->scopes, error);
    if (status == OPSHIFT_OK)
        status = types_new(model, side->scopes, &side->types, error);
    if (status == OPSHIFT_OK && options.freeze_initializers)
        types_freeze(side->types);
    if (status == OPSHIFT_OK)
        status = types_give(side->types, how->given, first ? error : NULL);
    if (status == OPSHIFT_USAGE && !first)
        status = OPSHIFT_OK; /* the second model may lack such a dim */
    if (status == OPSHIFT_OK)
        status = fold_new(model, side->scopes, side->types, &options, &side->fold, error);
    return status;
}

static void side_check(struct preparation *preparation, bool first)
{
    struct comparison *comparison = preparation->comparison;
    struct side *side = first ? &comparison->before : &comparison->after;
    struct opshift_error *why = first ? &preparation->before_why : &preparation->after_why;
    why->status = side_start(side, comparison->options, first, why);
    if (why->status == OPSHIFT_OK)
        validity_find(first ? &preparation->before : &preparation->after, side, first ? "before" : "after");
}

static void first_plan(struct preparation *preparation)
{
    struct opshift_error *why = &preparation->plan_why;
    if (preparation->before_why.status == OPSHIFT_OK)
        why->status = expect_plan(preparation->comparison, &preparation->goal, false, why);
}

/* For pthread_create. */
static void *first_prepare(void *data)
{
    struct preparation *preparation = data;
    side_check(preparation, true);
    pthread_mutex_lock(&preparation->lock);
    while (!preparation->may_end)
        pthread_cond_wait(&preparation->signalled, &preparation->lock);
    pthread_mutex_unlock(&preparation->lock);
    if (preparation->has_goal)
        first_plan(preparation);
    return NULL;
}

/* Lets the thread plan, or end without a plan. */
static void thread_signal(struct preparation *preparation, bool has_goal)
{
    pthread_mutex_lock(&preparation->lock);
    preparation->has_goal = has_goal;
    preparation->may_end = true;
    pthread_cond_signal(&preparation->signalled);
    pthread_mutex_unlock(&preparation->lock);
}

static void thread_join(struct preparation *preparation)
{
    pthread_join(preparation->thread, NULL);
    pthread_mutex_destroy(&preparation->lock);
    pthread_cond_destroy(&preparation->signalled);
    preparation->running = false;
}

static bool is_large(const struct opshift_model *model)
{
    uint64_t nodes = 0;
    for (uint32_t i = 0; i < model->graph_count; i++)
        nodes += model->graphs[i]->node_count;
    return nodes >= NODES_WORTH_A_THREAD;
}

/* Can the models be read at the same time? */
static bool are_apart(const struct opshift_model *before, const struct opshift_model *after)
{
    struct source *base = NULL;
    size_t count;
    source_stretches(after->source, &count, &base);
    return before != after && base != before->source;
}

void prepare_begin(struct preparation *preparation, struct comparison *comparison)
{
    preparation->comparison = comparison;
    if (!is_large(comparison->before.model))
        return;
    pthread_mutex_init(&preparation->lock, NULL);
    pthread_cond_init(&preparation->signalled, NULL);
    preparation->running = pthread_create(&preparation->thread, NULL, first_prepare, preparation) == 0;
    preparation->checked = preparation->running;
}

void prepare_wait(struct preparation *preparation)
{
    if (!preparation->running)
        return;
    thread_signal(preparation, false);
    thread_join(preparation);
}

/* Does what is left of the first model, and all of the second. */
static void both_prepare(struct preparation *preparation)
{
    if (preparation->running) {
        thread_signal(preparation, true);
        side_check(preparation, false);
        thread_join(preparation);
        return;
    }
    if (!preparation->checked)
        side_check(preparation, true);
    preparation->checked = true;
    side_check(preparation, false);
    first_plan(preparation);
}

/* Has the second model the functions of the plan's model, which has them once for each case? */
static bool has_cases(const struct comparison *comparison)
{
    const struct opshift_model *cases = comparison->plan->model, *after = comparison->after.model;
    uint32_t found = 0;
    for (uint32_t i = 0; i < cases->function_count; i++) {
        if (plan_removes(comparison->plan, &cases->functions[i]))
            continue;
        if (found == after->function_count || !bytes_same(names_bytes(cases->names, cases->functions[i].name),
                                                          names_bytes(after->names, after->functions[found].name)))
            return false;
        found++;
    }
    return found == after->function_count;
}

/* Compares with the model of a plan that writes functions once for each case, where the second model has them so. */
static enum opshift_status cases_take(struct preparation *preparation, struct opshift_error *error)
{
    struct comparison *comparison = preparation->comparison;
    if (comparison->plan == NULL || comparison->plan->first == NULL)
        return OPSHIFT_OK;
    if (!has_cases(comparison))
        return expect_plan(comparison, &preparation->goal, true, error);
    side_end(&comparison->before);
    comparison->before = (struct side){.model = comparison->plan->model};
    return side_start(&comparison->before, comparison->options, true, error);
}

enum opshift_status prepare_models(struct preparation *preparation, struct opshift_error *error)
{
    struct comparison *comparison = preparation->comparison;
    if (!are_apart(comparison->before.model, comparison->after.model))
        prepare_wait(preparation);
    enum opshift_status status = expect_goal_read(comparison, &preparation->goal, error);
    if (status)
        return status;
    both_prepare(preparation);
    status = error_give(error, preparation->before_why.status, &preparation->before_why);
    if (status == OPSHIFT_OK)
        status = error_give(error, preparation->after_why.status, &preparation->after_why);
    if (status == OPSHIFT_OK)
        status = validity_report(comparison, &preparation->before, error);
    if (status == OPSHIFT_OK)
        status = validity_report(comparison, &preparation->after, error);
    if (status == OPSHIFT_OK)
        status = error_give(error, preparation->plan_why.status, &preparation->plan_why);
    return status ? status : cases_take(preparation, error);
}

void prepare_end(struct preparation *preparation)
{
    prepare_wait(preparation);
    validity_end(&preparation->before);
    validity_end(&preparation->after);
}
