/* GatherElements: for each place of the indices, the element whose position along an axis they name. */
#include "kernel/walk.h"

static void copy_element(void *context, uint64_t number, uint64_t place)
{
    struct kernel_call *call = context;
    kernel_copy(call->outputs[0], number, call->inputs[0], place, 1);
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    int64_t axis = 0;
    uint32_t place = 0;
    enum opshift_status status = kernel_arity(call, 2, 2, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "axis", &axis, error);
    if (status == OPSHIFT_OK)
        status = kernel_axis(axis, call->inputs[0]->rank, &place, error);
    if (status == OPSHIFT_OK)
        status = kernel_indices(call, 1, "the indices", error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *data = call->inputs[0], *indices = call->inputs[1];
    bool fits = data->rank == indices->rank;
    for (uint32_t i = 0; i < data->rank && fits; i++)
        fits = i == place || indices->dims[i] <= data->dims[i];
    if (!fits)
        return opshift_fail(error, OPSHIFT_MALFORMED, "indices of shape %s do not fit %s beside axis %u",
                            kernel_dims_text(call->arena, indices->rank, indices->dims),
                            kernel_dims_text(call->arena, data->rank, data->dims), place);
    status = kernel_output(call, 0, data->type, indices->rank, indices->dims, error);
    return status == OPSHIFT_OK ? walk_indices(call, data, indices, place, copy_element, call, error) : status;
}

const struct kernel kernel_gather_elements[] = {{"GatherElements", 11, KERNEL_ANY, run}, {0}};
