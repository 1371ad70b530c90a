/* PRelu: an element below 0 times its slope. */
#include "kernel/elementwise.h"

static const char *slope_below_zero(enum number_kind kind, union number a, union number b, union number *result)
{
    *result = a;
    if (kind == NUMBER_REAL && a.d < 0)
        result->d = a.d * b.d;
    else if (kind == NUMBER_SIGNED && a.i < 0)
        result->u = a.u * b.u;
    return NULL;
}

/* Before opset 7 the slopes are one for each channel, which is axis 1; since then they stretch as everywhere. */
static enum opshift_status run_channels(struct kernel_call *call, struct opshift_error *error)
{
    struct kernel_call stretched = *call;
    const struct tensor *pair[2];
    struct tensor slope;
    int64_t dims[TENSOR_RANK_MAX];
    enum opshift_status status = kernel_arity(call, 2, 2, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    pair[0] = input;
    pair[1] = call->inputs[1];
    if (pair[1]->rank == 1 && pair[1]->count != 1 && input->rank > 1) {
        for (uint32_t i = 0; i < input->rank; i++)
            dims[i] = i == 1 ? pair[1]->dims[0] : 1;
        slope = *pair[1];
        slope.rank = input->rank;
        slope.dims = dims;
        pair[1] = &slope;
    }
    stretched.inputs = pair;
    stretched.opset = 7;
    return elementwise_two(&stretched, slope_below_zero, error);
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status =
        call->opset < 7 ? run_channels(call, error) : elementwise_two(call, slope_below_zero, error);
    if (status != OPSHIFT_OK || call->outputs[0]->count == call->inputs[0]->count)
        return status;
    return opshift_fail(error, OPSHIFT_MALFORMED, "slopes of shape %s do not stretch to %s",
                        kernel_dims_text(call->arena, call->inputs[1]->rank, call->inputs[1]->dims),
                        kernel_dims_text(call->arena, call->inputs[0]->rank, call->inputs[0]->dims));
}

const struct kernel kernel_p_relu[] = {{"PRelu", 1, KERNEL_ANY, run}, {0}};
