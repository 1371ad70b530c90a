/* Unsqueeze: with dims of 1 put in; the axes are an attribute before opset 13 and an input since. */
#include "kernel/support.h"

static enum opshift_status find_axes(const struct kernel_call *call, struct int_list *axes, struct opshift_error *error)
{
    enum opshift_status status = call->opset < 13
                                     ? kernel_ints(call, "axes", axes, error)
                                     : kernel_vector(call, kernel_input(call, 1), "the list of axes", axes, error);
    if (status == OPSHIFT_OK && !axes->present)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'axes' is required and absent");
    return status;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct int_list axes;
    bool chosen[TENSOR_RANK_MAX] = {false};
    int64_t dims[TENSOR_RANK_MAX];
    enum opshift_status status = kernel_arity(call, call->opset < 13 ? 1 : 2, call->opset < 13 ? 1 : 2, error);
    if (status == OPSHIFT_OK)
        status = find_axes(call, &axes, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    if (axes.count > TENSOR_RANK_MAX - input->rank)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the output's rank is above the limit of %d", TENSOR_RANK_MAX);
    uint32_t rank = input->rank + (uint32_t)axes.count, from = 0;
    status = kernel_axes(&axes, rank, chosen, error);
    if (status != OPSHIFT_OK)
        return status;
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = chosen[i] ? 1 : input->dims[from++];
    return kernel_view(call, input, rank, dims, error);
}

const struct kernel kernel_unsqueeze[] = {{"Unsqueeze", 1, KERNEL_ANY, run}, {0}};
