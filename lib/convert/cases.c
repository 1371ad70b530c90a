/* Decides where functions are written once for each case: plans the model, plans it again with all cases apart, and
 * brings those together again of which the plan makes the same. */
#include "convert/cases.h"

#include <stdlib.h>
#include <string.h>

#include "model/preview.h"

/* ---- which functions --------------------------------------------------------------------------------------------- */

/* Is the node blocked, or does its fate depend on what is not known? */
static bool is_unsure(const struct plan_entry *entry)
{
    return entry->fate == OPSHIFT_BLOCKED || (entry->words && entry->words->assumptions);
}

/* Marks the functions that have such nodes. */
static bool unsure_find(const struct conversion_plan *plan, bool *wanted)
{
    const struct opshift_model *model = plan->model;
    bool found = false;
    for (struct plan_walk walk = {0}; plan_walk_next(plan, &walk);)
        if (walk.graph->function && is_unsure(walk.entry))
            found = wanted[walk.graph->function - model->functions] = true;
    return found;
}

/* Adds the functions that call a wanted one, themselves or by others. */
static enum opshift_status callers_add(struct opshift_model *model, bool *wanted, struct opshift_error *error)
{
    struct scopes *scopes = NULL;
    uint32_t *queue = calloc(model->function_count + UINT64_C(1), sizeof(*queue)), count = 0;
    if (queue == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = scopes_new(model, &scopes, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->function_count; i++)
        if (wanted[i])
            queue[count++] = i;
    for (uint32_t at = 0; status == OPSHIFT_OK && at < count; at++) {
        uint32_t call_count;
        const struct call *calls = scope_calls(scopes, &model->functions[queue[at]], &call_count);
        for (uint32_t i = 0; i < call_count; i++) {
            const struct function *caller = calls[i].graph->function;
            if (caller == NULL || wanted[caller - model->functions])
                continue;
            wanted[caller - model->functions] = true;
            queue[count++] = (uint32_t)(caller - model->functions);
        }
    }
    free(queue);
    scopes_free(scopes);
    return status;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* How often a function of the first model occurs. */
static uint32_t origin_count(const struct cases *cases, uint32_t origin)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < cases->model->function_count; i++)
        count += cases->origin[i] == origin;
    return count;
}

/* "function 'F', called by node 'y' (F): " */
static bool place_print(struct opshift_model *model, const struct call *call, name_id name, struct graph *body)
{
    struct buffer place = {0};
    struct node *node = &call->graph->nodes[call->node];
    name_id called = node->op_type;
    node->op_type = name & 0x7fffffff; /* as the first model calls it */
    buffer_print(&place, "function '%.80s', called by ", names_text(model->names, name));
    node_place_add(model, call->graph, node, &place);
    node->op_type = called & 0x7fffffff;
    buffer_add_text(&place, ": ");
    buffer_add_byte(&place, '\0');
    body->place = place.failed ? NULL : arena_copy(model->arena, place.data, place.size);
    buffer_free(&place);
    return body->place != NULL;
}

/* Messages name a function that occurs several times as the first model does, and a call. Callers come first. */
static enum opshift_status places_set(const struct cases *cases, const struct opshift_model *first,
                                      struct opshift_error *error)
{
    struct opshift_model *model = cases->model;
    struct scopes *scopes = NULL;
    enum opshift_status status = scopes_new(model, &scopes, error);
    for (bool more = true; status == OPSHIFT_OK && more;) {
        more = false;
        for (uint32_t i = 0; status == OPSHIFT_OK && i < model->function_count; i++) {
            uint32_t count;
            struct graph *body = model->functions[i].body;
            const struct call *call = scope_calls(scopes, &model->functions[i], &count);
            struct bytes text = names_bytes(first->names, first->functions[cases->origin[i]].name);
            name_id name = names_add(model->names, text.data, text.size);
            if (body->place || count == 0 || origin_count(cases, cases->origin[i]) == 1)
                continue;
            const struct function *caller = call->graph->function;
            if (caller && caller->body->place == NULL &&
                origin_count(cases, cases->origin[caller - model->functions]) > 1)
                continue;
            more = true;
            if (name == NAME_NO_MEMORY || !place_print(model, call, name, body))
                status = opshift_no_memory(error);
        }
    }
    scopes_free(scopes);
    return status;
}

/* ---- together again ---------------------------------------------------------------------------------------------- */

/* By function of the cases: the first one of which the plan makes the same. */
static uint32_t *leads_find(const struct cases *cases, const struct case_results *results)
{
    uint32_t count = cases->model->function_count;
    uint32_t *leads = arena_alloc(cases->arena, count + UINT64_C(1), sizeof(*leads));
    uint32_t *first = arena_alloc(cases->arena, count + UINT64_C(1), sizeof(*first));
    if (leads == NULL || first == NULL)
        return NULL;
    for (uint32_t i = count; i > 0; i--)
        first[results->same[i - 1]] = i - 1;
    for (uint32_t i = 0; i < count; i++)
        leads[i] = first[results->same[i]];
    return leads;
}

/* Removes the functions that another one stands for, and renames their calls. */
static enum opshift_status merge_edit(const struct cases *cases, const uint32_t *leads, struct opshift_error *error)
{
    struct opshift_model *model = cases->model;
    struct scopes *scopes = NULL;
    enum opshift_status status = scopes_new(model, &scopes, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->function_count; i++) {
        const struct message *message = model->functions[i].message;
        uint32_t count;
        const struct call *calls = scope_calls(scopes, &model->functions[i], &count);
        struct bytes name = names_bytes(model->names, model->functions[leads[i]].name);
        if (leads[i] == i)
            continue;
        uint64_t record = message_record(message);
        status = model_edit(model, model->message, record, message->offset + message->size - record, (struct bytes){0},
                            error);
        for (uint32_t k = 0; status == OPSHIFT_OK && k < count; k++) {
            const struct function *caller = calls[k].graph->function;
            if (caller == NULL || leads[caller - model->functions] == (uint32_t)(caller - model->functions))
                status = call_rename(model, calls[k].graph, &calls[k].graph->nodes[calls[k].node], name, error);
        }
    }
    scopes_free(scopes);
    return status;
}

/* The model with one function for all cases of which the plan makes the same. merged->model: the first model, if no
 * function is left that is not in it. */
static enum opshift_status merge(struct opshift_model *first, const struct cases *cases, const uint32_t *leads,
                                 struct cases *merged, struct opshift_error *error)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < cases->model->function_count; i++)
        count += leads[i] == i;
    merged->origin = arena_alloc(cases->arena, count + UINT64_C(1), sizeof(*merged->origin));
    if (merged->origin == NULL)
        return opshift_no_memory(error);
    merged->arena = cases->arena;
    for (uint32_t i = 0, at = 0; i < cases->model->function_count; i++)
        if (leads[i] == i)
            merged->origin[at++] = cases->origin[i];
    if (count == first->function_count) {
        merged->model = first;
        return OPSHIFT_OK;
    }
    enum opshift_status status = merge_edit(cases, leads, error);
    if (status == OPSHIFT_OK)
        status = model_preview(cases->model, cases->arena, &merged->model, error);
    model_edits_clear(cases->model);
    return status ? status : places_set(merged, first, error);
}

/* By function of the merged model: the function of the cases that it is. NULL: no memory. */
static uint32_t *numbers_find(const struct cases *cases, const uint32_t *leads)
{
    uint32_t *numbers = arena_alloc(cases->arena, cases->model->function_count + UINT64_C(1), sizeof(*numbers));
    for (uint32_t i = 0, at = 0; numbers && i < cases->model->function_count; i++)
        if (leads[i] == i)
            numbers[at++] = i;
    return numbers;
}

/* Does the plan of the merged model make the same of its functions? */
static enum opshift_status is_as_good(const struct cases *cases, const struct case_results *results,
                                      const struct cases *merged, const uint32_t *numbers,
                                      const struct conversion_plan *plan, bool *good, struct opshift_error *error)
{
    struct case_results those;
    uint32_t count = plan->model->function_count;
    uint32_t *names = arena_alloc(cases->arena, count + UINT64_C(1), sizeof(*names));
    *good = plan->blocker_count == 0;
    if (names == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < count; i++)
        names[i] = results->same[numbers[i]];
    if (!*good)
        return OPSHIFT_OK;
    enum opshift_status status = case_results_find(plan, merged->origin, names, cases->arena, &those, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++)
        *good = *good && bytes_same(those.bytes[i], results->bytes[numbers[i]]);
    return status;
}

/* ---- assumptions ------------------------------------------------------------------------------------------------- */

static void assumptions_drop(struct conversion_plan *plan, const struct graph *graph, const struct node *node)
{
    struct plan_entry *entry = plan_entry_find(plan, graph, node);
    if (entry == NULL || entry->words == NULL)
        return;
    for (const struct plan_assumption *at = entry->words->assumptions; at; at = at->next)
        plan->assumption_count--;
    entry->words->assumptions = NULL;
}

/* Adds those of the same node in a case. */
static enum opshift_status assumptions_add(struct conversion_plan *plan, const struct graph *graph,
                                           const struct node *node, const struct conversion_plan *from,
                                           const struct plan_entry *entry, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    const struct plan_assumption *at = entry && entry->words ? entry->words->assumptions : NULL;
    for (; status == OPSHIFT_OK && at; at = at->next) {
        struct plan_assumption copy = *at;
        struct bytes text = names_bytes(from->model->names, at->value);
        copy.value = names_add(plan->model->names, text.data, text.size);
        copy.words = at->words ? arena_copy(plan->arena, at->words, strlen(at->words)) : NULL;
        if (copy.value == NAME_NO_MEMORY || (at->words && copy.words == NULL))
            return opshift_no_memory(error);
        status = plan_assume(plan, graph, node, &copy, error);
    }
    return status;
}

/* What a node in a function depends on is what it depends on in each case. */
static enum opshift_status assumptions_take(const struct cases *cases, const uint32_t *leads, const uint32_t *numbers,
                                            const struct conversion_plan *from, struct conversion_plan *plan,
                                            struct opshift_error *error)
{
    const struct opshift_model *model = plan->model;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t g = 0; g < model->graph_count; g++) {
        const struct graph *graph = model->graphs[g];
        uint32_t function = graph->function ? (uint32_t)(graph->function - model->functions) : 0;
        if (graph->function == NULL)
            continue;
        for (uint32_t i = 0; i < graph->node_count; i++)
            assumptions_drop(plan, graph, &graph->nodes[i]);
        for (uint32_t f = 0; f < cases->model->function_count; f++) {
            if (leads[f] != numbers[function])
                continue;
            uint32_t at = cases->model->functions[f].body->number + g - graph->function->body->number;
            const struct graph *there = cases->model->graphs[at];
            for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++)
                status = assumptions_add(plan, graph, &graph->nodes[i], from,
                                         plan_entry_find(from, there, &there->nodes[i]), error);
        }
    }
    return status;
}

/* ---- plans ------------------------------------------------------------------------------------------------------- */

/* Gives the plan the model that it is of. */
static void plan_own(struct conversion_plan *plan, struct opshift_model *first, const struct cases *cases)
{
    plan->first = first;
    plan->cases_arena = cases->arena;
    plan->origin = cases->origin;
}

/* Puts one function in the place of cases that become the same, if a plan of that model holds for all of them; *plan
 * NULL: none does. together: the plan of the first model. */
static enum opshift_status merge_plan(struct opshift_model *first, const struct opshift_goal *goal,
                                      const struct cases *cases, const struct conversion_plan *apart,
                                      struct conversion_plan *together, struct conversion_plan **plan,
                                      struct opshift_error *error)
{
    struct case_results results;
    struct cases merged = {0};
    bool good = false;
    *plan = NULL;
    enum opshift_status status = case_results_find(apart, cases->origin, NULL, cases->arena, &results, error);
    uint32_t *leads = status == OPSHIFT_OK ? leads_find(cases, &results) : NULL;
    uint32_t *numbers = leads ? numbers_find(cases, leads) : NULL;
    if (status == OPSHIFT_OK && numbers == NULL)
        return opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = merge(first, cases, leads, &merged, error);
    struct opshift_goal lenient = *goal; /* what is not known of all cases together is known of each */
    lenient.strict = false;
    if (status == OPSHIFT_OK && merged.model == first && !goal->strict)
        *plan = together;
    else if (status == OPSHIFT_OK)
        status = plan_single(merged.model, &lenient, plan, error);
    if (status == OPSHIFT_OK)
        status = is_as_good(cases, &results, &merged, numbers, *plan, &good, error);
    if (status == OPSHIFT_OK && good)
        status = assumptions_take(cases, leads, numbers, apart, *plan, error);
    if (status == OPSHIFT_OK && good && merged.model != first)
        plan_own(*plan, first, &merged);
    if (status == OPSHIFT_OK && good)
        return OPSHIFT_OK;
    if (*plan != together)
        plan_free(*plan);
    if (merged.model != first)
        opshift_model_free(merged.model);
    *plan = NULL;
    return status;
}

/* Takes one of the three plans, and frees the others with their models. */
static void plan_choose(struct opshift_model *first, struct conversion_plan **plan, struct cases *cases,
                        struct conversion_plan *apart, struct conversion_plan *merged)
{
    struct conversion_plan *together = *plan;
    *plan = merged ? merged : apart;
    if (merged == NULL)
        plan_own(apart, first, cases);
    if (merged) {
        plan_free(apart);
        opshift_model_free(cases->model);
    }
    if (merged && merged->first == NULL)
        arena_free(cases->arena);
    if (merged != together)
        plan_free(together);
}

static enum opshift_status plan_apart(struct opshift_model *model, const struct opshift_goal *goal, struct cases *cases,
                                      struct conversion_plan **plan, struct opshift_error *error)
{
    struct conversion_plan *apart = NULL, *merged = NULL;
    enum opshift_status status = places_set(cases, model, error);
    if (status == OPSHIFT_OK)
        status = plan_single(cases->model, goal, &apart, error);
    if (status == OPSHIFT_OK && apart->blocker_count == 0)
        status = merge_plan(model, goal, cases, apart, *plan, &merged, error);
    if (status) {
        plan_free(apart);
        cases_free(cases);
        return status;
    }
    plan_choose(model, plan, cases, apart, merged);
    return OPSHIFT_OK;
}

enum opshift_status cases_plan(struct opshift_model *model, const struct opshift_goal *goal,
                               struct conversion_plan **plan, struct opshift_error *error)
{
    struct cases cases = {0};
    if (model->function_count == 0)
        return OPSHIFT_OK;
    bool *wanted = calloc(model->function_count, sizeof(*wanted));
    if (wanted == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = OPSHIFT_OK;
    if (unsure_find(*plan, wanted)) {
        status = callers_add(model, wanted, error);
        if (status == OPSHIFT_OK)
            status = cases_split(model, goal, wanted, &cases, error);
        if (status == OPSHIFT_NO && (*plan)->blocker_count) /* what is in the way says more */
            status = error_forget(error);
        if (status == OPSHIFT_OK && cases.model)
            status = plan_apart(model, goal, &cases, plan, error);
        else
            cases_free(&cases);
    }
    free(wanted);
    return status;
}
