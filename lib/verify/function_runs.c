/* Runs calls of functions before and after: a body is right if it is right for what its calls give. */
#include "verify/edges.h"

/* By function: what the plan makes of its body, and whether its calls were run. */
struct function_calls {
    bool is_read;
    bool moves; /* the plan touches a node, or its operator has another version */
    bool replaced, conditional;
    enum replacement_kind replaced_as;
    uint32_t ran, calls; /* from graphs that are in no function */
    bool is_judged, is_covered;
};

static struct function_calls *calls_of(const struct comparison *comparison, const struct function *function)
{
    return &comparison->calls[function - comparison->before.model->functions];
}

/* ---- what the plan makes of a body ---- */

static void join(struct function_calls *all, const struct function_calls *one)
{
    bool exact = one->replaced_as == REPLACED_EXACTLY;
    all->moves |= one->moves;
    all->conditional |= one->conditional;
    if (one->replaced && (!all->replaced || (!exact && all->replaced_as != REPLACED_APPROXIMATELY)))
        all->replaced_as = one->replaced_as;
    all->replaced |= one->replaced;
}

static enum opshift_status body_read(struct comparison *comparison, const struct function *function,
                                     struct arena *arena, struct opshift_error *error);

static enum opshift_status body_read_node(struct comparison *comparison, struct graph *graph, const struct node *node,
                                          struct function_calls *calls, struct arena *arena,
                                          struct opshift_error *error)
{
    struct planned_node planned = {.fate = OPSHIFT_KEPT};
    const struct function *callee = scope_callee(comparison->before.scopes, node);
    enum opshift_status status = plan_find(comparison->plan, graph, node, arena, &planned, error);
    if (status == OPSHIFT_OK && callee != NULL)
        status = body_read(comparison, callee, arena, error);
    if (status)
        return status;
    const struct function_calls one = {.moves = planned.fate != OPSHIFT_KEPT,
                                       .replaced = planned.is_replaced,
                                       .replaced_as = planned.replaced_as,
                                       .conditional = planned.is_conditional};
    join(calls, &one);
    if (callee != NULL)
        join(calls, calls_of(comparison, callee));
    return OPSHIFT_OK;
}

/* Also looks at the functions that it calls; of a planned model, none calls itself. */
static enum opshift_status body_read(struct comparison *comparison, const struct function *function,
                                     struct arena *arena, struct opshift_error *error)
{
    struct opshift_model *model = comparison->before.model;
    struct function_calls *calls = calls_of(comparison, function);
    enum opshift_status status = OPSHIFT_OK;
    if (calls->is_read)
        return OPSHIFT_OK;
    calls->is_read = true;
    calls->moves = opshift_model_opset(model) != opshift_model_opset(comparison->after.model);
    for (uint32_t g = 0; g < model->graph_count; g++)
        for (uint32_t i = 0;
             status == OPSHIFT_OK && model->graphs[g]->function == function && i < model->graphs[g]->node_count; i++)
            status = body_read_node(comparison, model->graphs[g], &model->graphs[g]->nodes[i], calls, arena, error);
    return status;
}

/* ---- the calls ---- */

static enum opshift_status call_verify(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                                       const struct function *function, struct arena *arena,
                                       struct opshift_error *error)
{
    struct function_calls *calls = calls_of(comparison, function);
    struct expectation expectation = {.planned.fate = OPSHIFT_KEPT};
    bool ran = false, differs = false;
    arena_clear(arena);
    enum opshift_status status = body_read(comparison, function, arena, error);
    if (status || !calls->moves)
        return status;
    expectation.planned.is_replaced = calls->replaced;
    expectation.planned.replaced_as = calls->replaced_as;
    expectation.planned.is_conditional = calls->conditional;
    status = edges_of_node(comparison, pair, node, &expectation, arena, &ran, &differs, error);
    calls->calls++;
    calls->ran += ran || differs;
    return status;
}

enum opshift_status calls_verify(struct comparison *comparison, struct arena *arena, struct opshift_error *error)
{
    const struct opshift_model *model = comparison->before.model;
    enum opshift_status status = OPSHIFT_OK;
    if (model->function_count == 0 || comparison->plan == NULL)
        return OPSHIFT_OK;
    comparison->calls = arena_alloc(comparison->arena, model->function_count, sizeof(*comparison->calls));
    if (comparison->calls == NULL)
        return opshift_no_memory(error);
    for (uint32_t p = 0; p < comparison->pair_count; p++) {
        const struct graph_pair *pair = &comparison->pairs[p];
        for (uint32_t i = 0; status == OPSHIFT_OK && pair->before->function == NULL && i < pair->before->node_count;
             i++) {
            const struct function *function = scope_callee(comparison->before.scopes, &pair->before->nodes[i]);
            if (function != NULL)
                status = call_verify(comparison, pair, &pair->before->nodes[i], function, arena, error);
        }
    }
    return status;
}

static bool is_covered(const struct comparison *comparison, const struct function *function)
{
    struct function_calls *own = calls_of(comparison, function);
    uint32_t count = 0;
    const struct call *calls = scope_calls(comparison->before.scopes, function, &count);
    if (own->is_judged)
        return own->is_covered;
    bool covered = count > 0 && own->ran == own->calls;
    for (uint32_t i = 0; i < count && covered; i++)
        covered = calls[i].graph->function == NULL || is_covered(comparison, calls[i].graph->function);
    own->is_judged = true;
    own->is_covered = covered;
    return covered;
}

bool calls_cover(const struct comparison *comparison, const struct graph *graph)
{
    return graph->function != NULL && comparison->calls != NULL && is_covered(comparison, graph->function);
}
