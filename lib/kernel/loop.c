/* Loop: runs a body repeatedly with loop-carried values. If: runs one of two bodies. */
#include "kernel/gatherings.h"

#include <stdlib.h>

/* Body inputs: iteration, condition, carried values; body outputs: condition, carried values, scan outputs. */
struct loop {
    uint32_t carried, stacked;
    struct value *inputs;  /* 2 + carried; borrowed except for results of an iteration */
    struct value *outputs; /* 1 + carried + stacked */
    struct gathering *gatherings;
    int64_t limit; /* maximum trip count; -1: none */
    bool go_on;
};

static enum opshift_status read_scalar(const struct tensor *tensor, enum opshift_type type, const char *what,
                                       struct opshift_error *error)
{
    if (tensor->type == type && tensor->count == 1)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "%s is %s with %llu elements, must be one %s", what,
                        type_name(tensor->type), (unsigned long long)tensor->count, type_name(type));
}

static enum opshift_status loop_start(struct kernel_call *call, struct loop *loop, struct opshift_error *error)
{
    const struct tensor *limit = kernel_input(call, 0), *condition = kernel_input(call, 1);
    uint32_t input_count = 0, output_count = 0;
    loop->limit = -1;
    loop->go_on = true;
    enum opshift_status status = body_measure(call, "body", &input_count, &output_count, error);
    if (status == OPSHIFT_OK && limit != NULL)
        status = read_scalar(limit, OPSHIFT_TYPE_INT64, "the number of rounds", error);
    if (status == OPSHIFT_OK && condition != NULL)
        status = read_scalar(condition, OPSHIFT_TYPE_BOOL, "the condition", error);
    if (status)
        return status;
    loop->carried = call->input_count < 2 ? 0 : call->input_count - 2;
    if (input_count != loop->carried + 2 || output_count < loop->carried + 1 || output_count - 1 != call->output_count)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "carries %u values and gives %u, but its body has %u inputs and %u outputs", loop->carried,
                            call->output_count, input_count, output_count);
    loop->stacked = output_count - 1 - loop->carried;
    loop->inputs = calloc(input_count, sizeof(*loop->inputs));
    loop->outputs = calloc(output_count, sizeof(*loop->outputs));
    loop->gatherings = calloc(loop->stacked + UINT64_C(1), sizeof(*loop->gatherings));
    if (loop->inputs == NULL || loop->outputs == NULL || loop->gatherings == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < loop->carried; i++)
        loop->inputs[2 + i] = value_keep(call->values[2 + i]);
    if (limit != NULL)
        loop->limit = *(const int64_t *)limit->data < 0 ? 0 : *(const int64_t *)limit->data;
    if (condition != NULL)
        loop->go_on = *(const uint8_t *)condition->data != 0;
    return OPSHIFT_OK;
}

static void loop_end(const struct kernel_call *call, struct loop *loop)
{
    if (loop->inputs != NULL)
        values_drop(loop->inputs, 2 + (size_t)loop->carried);
    free(loop->inputs);
    free(loop->outputs);
    gatherings_free(loop->gatherings, call->budget, loop->stacked);
}

/* The iteration number and condition, with an owner of their own, as a body may return them. */
static enum opshift_status number_round(struct kernel_call *call, struct loop *loop, int64_t round,
                                        struct opshift_error *error)
{
    struct holder *holder = holder_new(call->budget);
    struct tensor *number = NULL, *condition = NULL;
    if (holder == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = tensor_new(holder_arena(holder), OPSHIFT_TYPE_INT64, 0, NULL, &number, error);
    if (status == OPSHIFT_OK)
        status = tensor_new(holder_arena(holder), OPSHIFT_TYPE_BOOL, 0, NULL, &condition, error);
    if (status == OPSHIFT_OK) {
        *(int64_t *)number->data = round;
        *(uint8_t *)condition->data = loop->go_on;
        values_drop(loop->inputs, 2);
        loop->inputs[0] = value_keep((struct value){.kind = VALUE_TENSOR, .tensor = number, .holder = holder});
        loop->inputs[1] = value_keep((struct value){.kind = VALUE_TENSOR, .tensor = condition, .holder = holder});
        holder_finish(holder);
    }
    holder_drop(holder);
    return status;
}

static enum opshift_status run_round(struct kernel_call *call, struct loop *loop, int64_t round,
                                     struct opshift_error *error)
{
    uint32_t output_count = 1 + loop->carried + loop->stacked;
    enum opshift_status status = number_round(call, loop, round, error);
    if (status == OPSHIFT_OK)
        status = body_run(call->running, "body", loop->inputs, 2 + loop->carried, loop->outputs, output_count, error);
    if (status)
        return status;
    if (loop->outputs[0].kind != VALUE_TENSOR)
        status = opshift_fail(error, OPSHIFT_MALFORMED, "the body's condition is no tensor");
    else
        status = read_scalar(loop->outputs[0].tensor, OPSHIFT_TYPE_BOOL, "the body's condition", error);
    loop->go_on = status == OPSHIFT_OK && *(const uint8_t *)loop->outputs[0].tensor->data != 0;
    value_drop(&loop->outputs[0]);
    for (uint32_t i = 0; i < loop->carried; i++) {
        value_drop(&loop->inputs[2 + i]);
        loop->inputs[2 + i] = loop->outputs[1 + i];
    }
    return gatherings_add(loop->gatherings, loop->stacked, call->budget, &loop->outputs[1 + loop->carried], status,
                          error);
}

static enum opshift_status run_loop(struct kernel_call *call, struct opshift_error *error)
{
    struct loop loop = {0};
    enum opshift_status status = loop_start(call, &loop, error);
    for (int64_t round = 0; status == OPSHIFT_OK && loop.go_on && (loop.limit < 0 || round < loop.limit); round++)
        status = run_round(call, &loop, round, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < loop.carried; i++)
        status = kernel_result(call, i, value_keep(loop.inputs[2 + i]), error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < loop.stacked; i++)
        status = gathering_stack(call, loop.carried + i, &loop.gatherings[i], 1 + loop.carried + i, 0, false, error);
    loop_end(call, &loop);
    return status;
}

/* ---- If ---- */

static enum opshift_status run_if(struct kernel_call *call, struct opshift_error *error)
{
    uint32_t input_count = 0, output_count = 0;
    const struct tensor *condition = call->inputs[0];
    if (condition->type != OPSHIFT_TYPE_BOOL || condition->count != 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the condition is %s%s, must be one bool",
                            type_name(condition->type),
                            kernel_dims_text(call->arena, condition->rank, condition->dims));
    const char *branch = *(const uint8_t *)condition->data != 0 ? "then_branch" : "else_branch";
    enum opshift_status status = body_measure(call, branch, &input_count, &output_count, error);
    if (status == OPSHIFT_OK && (input_count != 0 || output_count != call->output_count))
        return opshift_fail(error, OPSHIFT_MALFORMED, "%s has %u inputs and %u outputs, must have 0 and %u", branch,
                            input_count, output_count, call->output_count);
    return status == OPSHIFT_OK ? body_run(call->running, branch, NULL, 0, call->results, call->output_count, error)
                                : status;
}

const struct kernel kernels_loop[] = {
    {OPERATOR_IF, 1, KERNEL_ANY, run_if, {0}},
    {OPERATOR_LOOP, 1, KERNEL_ANY, run_loop, {0}},
    {0},
};
