/* Squeeze: without dims of 1; the axes are an attribute before opset 13 and an input since. */
#include "kernel/support.h"

static enum opshift_status find_axes(const struct kernel_call *call, struct int_list *axes, struct opshift_error *error)
{
    return call->opset < 13 ? kernel_ints(call, "axes", axes, error)
                            : kernel_vector(call, kernel_input(call, 1), "the list of axes", axes, error);
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct int_list axes;
    bool chosen[TENSOR_RANK_MAX] = {false};
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t rank = 0;
    enum opshift_status status = kernel_arity(call, 1, call->opset < 13 ? 1 : 2, error);
    if (status == OPSHIFT_OK)
        status = find_axes(call, &axes, error);
    if (status == OPSHIFT_OK)
        status = kernel_axes(&axes, call->inputs[0]->rank, chosen, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    for (uint32_t i = 0; i < input->rank; i++) {
        if (chosen[i] && input->dims[i] != 1)
            return opshift_fail(error, OPSHIFT_MALFORMED, "axis %u has %lld elements, must have 1", i,
                                (long long)input->dims[i]);
        if (axes.present ? !chosen[i] : input->dims[i] != 1)
            dims[rank++] = input->dims[i];
    }
    return kernel_view(call, input, rank, dims, error);
}

const struct kernel kernel_squeeze[] = {{"Squeeze", 1, KERNEL_ANY, run}, {0}};
