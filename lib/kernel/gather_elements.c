/* GatherElements: for each place of the indices, the element whose position along an axis they name. */
#include "kernel/walk.h"

static enum opshift_status copy_elements(struct kernel_call *call, uint32_t axis, struct opshift_error *error)
{
    const struct tensor *data = call->inputs[0], *indices = call->inputs[1];
    int64_t strides[TENSOR_RANK_MAX], length = data->dims[axis];
    struct walk walk;
    walk_strides(data->rank, data->dims, strides);
    walk_start(&walk, indices->rank, indices->dims);
    for (uint32_t i = 0; i < data->rank; i++)
        walk.strides[0][i] = i == axis ? 0 : strides[i];
    for (uint64_t i = 0; i < indices->count; i++, walk_next(&walk)) {
        int64_t index = kernel_index(indices, i);
        if (index < -length || index >= length)
            return opshift_fail(error, OPSHIFT_MALFORMED, "index %lld is outside the axis of %lld elements",
                                (long long)index, (long long)length);
        int64_t from = walk.at[0] + (index < 0 ? index + length : index) * strides[axis];
        kernel_copy(call->outputs[0], i, data, (uint64_t)from, 1);
    }
    return OPSHIFT_OK;
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
    return status == OPSHIFT_OK ? copy_elements(call, place, error) : status;
}

const struct kernel kernel_gather_elements[] = {{"GatherElements", 11, KERNEL_ANY, run}, {0}};
