/* Bounds the depth of function calls, since later stages recurse into them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/scope.h"

/* State of a function in the computation of depths, which begins with functions without calls. */
struct call_level {
    uint32_t waiting; /* calls in its body (with subgraphs) whose depth is not known yet */
    uint64_t depth;   /* depth of calls, including the function itself */
};

/* The function that contains a call; NULL: the model itself. */
static struct call_level *level_of(const struct opshift_model *model, struct call_level *levels,
                                   const struct call *call)
{
    const struct function *caller = call->graph->function;
    return caller ? &levels[caller - model->functions] : NULL;
}

static void count_waiting(const struct opshift_model *model, const struct scopes *scopes, struct call_level *levels)
{
    for (uint32_t i = 0; i < model->function_count; i++) {
        uint32_t count;
        const struct call *calls = scope_calls(scopes, &model->functions[i], &count);
        for (uint32_t k = 0; k < count; k++) {
            struct call_level *caller = level_of(model, levels, &calls[k]);
            if (caller)
                caller->waiting++;
        }
    }
}

/* Records the depth of a function in its callers; those without unknown calls are then ready. */
static uint32_t settle(const struct opshift_model *model, const struct scopes *scopes, struct call_level *levels,
                       uint32_t settled, uint32_t *ready, uint32_t ready_count)
{
    uint32_t count;
    const struct call *calls = scope_calls(scopes, &model->functions[settled], &count);
    for (uint32_t i = 0; i < count; i++) {
        struct call_level *caller = level_of(model, levels, &calls[i]);
        if (caller == NULL)
            continue;
        if (caller->depth <= levels[settled].depth)
            caller->depth = levels[settled].depth + 1;
        if (--caller->waiting == 0)
            ready[ready_count++] = (uint32_t)(caller - levels);
    }
    return ready_count;
}

static enum opshift_status levels_check(const struct opshift_model *model, const struct scopes *scopes,
                                        struct call_level *levels, uint32_t *ready, struct opshift_error *error)
{
    uint32_t done = 0, count = 0;
    count_waiting(model, scopes, levels);
    for (uint32_t i = 0; i < model->function_count; i++) {
        levels[i].depth = 1;
        if (levels[i].waiting == 0)
            ready[count++] = i;
    }
    for (; done < count; done++) {
        const char *name = names_text(model->names, model->functions[ready[done]].name);
        if (levels[ready[done]].depth > model->limits.calls)
            return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                                "function '%.80s' is more than %" PRIu64
                                " calls deep; if the file is to be trusted, raise the limit 'calls'",
                                name, model->limits.calls);
        count = settle(model, scopes, levels, ready[done], ready, count);
    }
    for (uint32_t i = 0; i < model->function_count; i++)
        if (levels[i].waiting > 0)
            return opshift_fail(error, OPSHIFT_NO,
                                "function '%.80s' calls itself, or one that does; functions must not be recursive",
                                names_text(model->names, model->functions[i].name));
    return OPSHIFT_OK;
}

enum opshift_status calls_check(const struct opshift_model *model, const struct scopes *scopes,
                                struct opshift_error *error)
{
    if (model->function_count == 0)
        return OPSHIFT_OK;
    struct call_level *levels = calloc(model->function_count, sizeof *levels);
    uint32_t *ready = calloc(model->function_count, sizeof *ready);
    enum opshift_status status =
        levels && ready ? levels_check(model, scopes, levels, ready, error) : opshift_no_memory(error);
    free(ready);
    free(levels);
    return status;
}

bool model_has_operator(const struct opshift_model *model, const char *op_type)
{
    name_id name;
    if (!names_find(model->names, op_type, strlen(op_type), &name))
        return false;
    for (uint32_t i = 0; i < model->graph_count; i++)
        for (uint32_t k = 0; k < model->graphs[i]->node_count; k++)
            if (model->graphs[i]->nodes[k].op_type == name && node_domain(&model->graphs[i]->nodes[k]) == NAME_NONE)
                return true;
    return false;
}
