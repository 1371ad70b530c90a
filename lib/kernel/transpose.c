/* Transpose: the axes in another order; reversed when none is given. */
#include "kernel/walk.h"

static enum opshift_status find_order(const struct kernel_call *call, uint32_t rank, uint32_t *order,
                                      struct opshift_error *error)
{
    struct int_list perm;
    bool chosen[TENSOR_RANK_MAX] = {false};
    enum opshift_status status = kernel_ints(call, "perm", &perm, error);
    if (status == OPSHIFT_OK && perm.present && perm.count != rank)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'perm' has %zu entries, the input has %u axes",
                            perm.count, rank);
    if (status == OPSHIFT_OK)
        status = kernel_axes(&perm, rank, chosen, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < rank; i++) {
        if (perm.present)
            status = kernel_axis(perm.values[i], rank, &order[i], error);
        else
            order[i] = rank - 1 - i;
    }
    return status;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    uint32_t order[TENSOR_RANK_MAX];
    int64_t dims[TENSOR_RANK_MAX], strides[TENSOR_RANK_MAX];
    struct walk walk;
    enum opshift_status status = kernel_arity(call, 1, 1, error);
    if (status == OPSHIFT_OK)
        status = find_order(call, call->inputs[0]->rank, order, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    for (uint32_t i = 0; i < input->rank; i++)
        dims[i] = input->dims[order[i]];
    status = kernel_output(call, 0, input->type, input->rank, dims, error);
    if (status != OPSHIFT_OK)
        return status;
    walk_start(&walk, input->rank, dims);
    walk_strides(input->rank, input->dims, strides);
    for (uint32_t i = 0; i < input->rank; i++)
        walk.strides[0][i] = strides[order[i]];
    for (uint64_t i = 0; i < input->count; i++, walk_next(&walk))
        kernel_copy(call->outputs[0], i, input, (uint64_t)walk.at[0], 1);
    return OPSHIFT_OK;
}

const struct kernel kernel_transpose[] = {{"Transpose", 1, KERNEL_ANY, run}, {0}};
