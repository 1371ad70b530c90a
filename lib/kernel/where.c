/* Where: elements of one tensor or of another, as a tensor of bool chooses. */
#include "kernel/walk.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t rank = 0;
    struct walk walk;
    enum opshift_status status = kernel_arity(call, 3, 3, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *choice = call->inputs[0], *yes = call->inputs[1], *no = call->inputs[2];
    if (choice->type != OPSHIFT_TYPE_BOOL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input 0 is %s, must be bool", type_name(choice->type));
    if (yes->type != no->type)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input 2 is %s, must be %s as input 1", type_name(no->type),
                            type_name(yes->type));
    status = walk_common_shape(call, call->inputs, 3, &rank, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, yes->type, rank, dims, error);
    if (status != OPSHIFT_OK)
        return status;
    walk_start(&walk, rank, dims);
    for (uint32_t i = 0; i < 3; i++)
        walk_broadcast(&walk, i, call->inputs[i]);
    for (uint64_t i = 0; i < call->outputs[0]->count; i++, walk_next(&walk)) {
        bool chosen = ((const uint8_t *)choice->data)[walk.at[0]] != 0;
        kernel_copy(call->outputs[0], i, chosen ? yes : no, (uint64_t)walk.at[chosen ? 1 : 2], 1);
    }
    return OPSHIFT_OK;
}

const struct kernel kernel_where[] = {{"Where", 9, KERNEL_ANY, run}, {0}};
