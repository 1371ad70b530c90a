/* Concat: its inputs one after the other along an axis. */
#include "kernel/join.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    /* The axis was optional, with 1 for a default, before opset 4. */
    int64_t axis = call->opset < 4 ? 1 : INT64_MIN;
    uint32_t place = 0;
    enum opshift_status status = kernel_arity(call, 1, UINT32_MAX, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "axis", &axis, error);
    if (status == OPSHIFT_OK && axis == INT64_MIN)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'axis' is required and absent");
    if (status == OPSHIFT_OK)
        status = kernel_axis(axis, call->inputs[0]->rank, &place, error);
    return status == OPSHIFT_OK ? join_tensors(call, 0, call->inputs, call->input_count, place, error) : status;
}

const struct kernel kernel_concat[] = {{"Concat", 1, KERNEL_ANY, run}, {0}};
