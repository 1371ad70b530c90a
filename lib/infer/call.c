/* What the calls of a function say about its parameters.
 *
 * A call may take what another call of the same function gave: y = F(x); z = F(y). Then the type of y waits for F's
 * parameter, which waits for y. The way out: leave out what is waiting, go on, and look at all calls again when
 * everything is known. Where they bear the assumption out, it is a solution, and every solution is safe; else less is
 * assumed. */
#include "infer/infer.h"

#include <string.h>

struct assumption {
    const struct function *function;
    struct value_type *formals;
    struct assumption *next;
};

void type_forget_params(struct inference *inference, struct value_type *type)
{
    if (type->rank <= 0)
        return;
    type->params = inference_alloc(inference, inference->arena, (size_t)type->rank, sizeof(*type->params));
    if (type->params == NULL)
        *type = type_unknown;
}

/* What the calls agree on; *waiting: some argument was left out because it is being worked out. False: no memory. */
static bool calls_agree(struct inference *inference, const struct function *function, enum trust trust,
                        struct value_type *formals, bool *waiting)
{
    uint32_t call_count, count = function->body->input_count;
    const struct call *calls = scope_calls(inference->scopes, function, &call_count);
    bool *given = inference_alloc(inference, inference->scratch, count, sizeof(*given));
    *waiting = false;
    for (uint32_t i = 0; i < call_count && given != NULL; i++) {
        const struct node *node = &calls[i].graph->nodes[calls[i].node];
        for (uint32_t k = 0; k < count; k++) {
            name_id name = k < node->input_count ? node_inputs(node)[k] : NAME_NONE;
            if (trust != TRUST_NOTHING && types_pending(inference->types, calls[i].graph, name)) {
                *waiting = true;
                continue;
            }
            struct value_type argument = types_known(inference->types, calls[i].graph, name);
            formals[k] = given[k] ? type_agree(inference, &formals[k], &argument) : argument;
            given[k] = true;
        }
    }
    for (uint32_t k = 0; k < count; k++)
        type_forget_params(inference, &formals[k]);
    return given != NULL;
}

void infer_parameters(struct inference *inference, const struct function *function, enum trust trust,
                      struct value_type *formals, struct assumption **assumptions)
{
    bool waiting;
    uint32_t count = function->body->input_count;
    if (!calls_agree(inference, function, trust, formals, &waiting) || !waiting)
        return;
    for (uint32_t i = 0; i < count && trust == TRUST_ELEMENTS; i++)
        formals[i].rank = -1;
    struct assumption *assumption = inference_alloc(inference, inference->arena, 1, sizeof(*assumption));
    if (assumption == NULL)
        return;
    assumption->function = function;
    assumption->formals = inference_alloc(inference, inference->arena, count, sizeof(*formals));
    assumption->next = *assumptions;
    *assumptions = assumption;
    if (assumption->formals != NULL)
        memcpy(assumption->formals, formals, count * sizeof(*formals));
}

/* True when whatever is assumed is so. */
static bool type_bears_out(const struct value_type *found, const struct value_type *assumed)
{
    if (assumed->type != OPSHIFT_TYPE_UNDEFINED && assumed->type != found->type)
        return false;
    if (assumed->other != NULL &&
        (found->other == NULL || strncmp(found->other, assumed->other, strlen(assumed->other)) != 0))
        return false;
    if (assumed->rank >= 0 && assumed->rank != found->rank)
        return false;
    for (int32_t i = 0; i < assumed->rank; i++)
        if (assumed->dims[i] >= 0 && assumed->dims[i] != found->dims[i])
            return false;
    return true;
}

bool assumptions_hold(struct inference *inference, const struct assumption *assumptions)
{
    for (const struct assumption *at = assumptions; at != NULL; at = at->next) {
        uint32_t count = at->function->body->input_count;
        bool waiting;
        struct value_type *found = inference_alloc(inference, inference->scratch, count, sizeof(*found));
        for (uint32_t i = 0; i < count && found != NULL; i++)
            found[i] = type_unknown;
        if (found == NULL || !calls_agree(inference, at->function, TRUST_NOTHING, found, &waiting))
            return false;
        for (uint32_t i = 0; i < count; i++)
            if (!type_bears_out(&found[i], &at->formals[i]))
                return false;
    }
    return true;
}
