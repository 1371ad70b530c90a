/* Gather: the entries of an axis that a tensor of indices names. */
#include "kernel/support.h"

#include <string.h>

static int64_t index_at(const struct tensor *indices, uint64_t place)
{
    return indices->type == OPSHIFT_TYPE_INT64 ? ((const int64_t *)indices->data)[place]
                                               : ((const int32_t *)indices->data)[place];
}

static enum opshift_status copy_entries(struct kernel_call *call, uint32_t axis, struct opshift_error *error)
{
    const struct tensor *data = call->inputs[0], *indices = call->inputs[1];
    uint64_t outer = 1, block = 1, to = 0;
    int64_t length = data->dims[axis];
    enum opshift_status status = kernel_work(call, indices->count, STEPS_COMPUTE, error);
    if (status != OPSHIFT_OK)
        return status;
    for (uint32_t i = 0; i < axis; i++)
        outer *= (uint64_t)data->dims[i];
    for (uint32_t i = axis + 1; i < data->rank; i++)
        block *= (uint64_t)data->dims[i];
    for (uint64_t i = 0; i < indices->count; i++) {
        int64_t index = index_at(indices, i);
        if (index < -length || index >= length)
            return opshift_fail(error, OPSHIFT_MALFORMED, "index %lld is outside the axis of %lld elements",
                                (long long)index, (long long)length);
    }
    if (call->outputs[0]->count == 0)
        return OPSHIFT_OK;
    status = kernel_work(call, call->outputs[0]->count / block, STEPS_MOVE, error);
    for (uint64_t at = 0; status == OPSHIFT_OK && at < outer; at++) {
        for (uint64_t i = 0; i < indices->count; i++, to += block) {
            int64_t index = index_at(indices, i);
            uint64_t from = at * (uint64_t)length + (uint64_t)(index < 0 ? index + length : index);
            kernel_copy(call->outputs[0], to, data, from * block, block);
        }
    }
    return status;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    int64_t axis = 0, dims[2 * TENSOR_RANK_MAX];
    uint32_t place = 0, rank = 0;
    enum opshift_status status = kernel_arity(call, 2, 2, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "axis", &axis, error);
    if (status == OPSHIFT_OK)
        status = kernel_axis(axis, call->inputs[0]->rank, &place, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *data = call->inputs[0], *indices = call->inputs[1];
    if (indices->type != OPSHIFT_TYPE_INT64 && indices->type != OPSHIFT_TYPE_INT32)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the indices are %s, must be int32 or int64",
                            type_name(indices->type));
    for (uint32_t i = 0; i < place; i++)
        dims[rank++] = data->dims[i];
    for (uint32_t i = 0; i < indices->rank; i++)
        dims[rank++] = indices->dims[i];
    for (uint32_t i = place + 1; i < data->rank; i++)
        dims[rank++] = data->dims[i];
    status = kernel_output(call, 0, data->type, rank, dims, error);
    return status == OPSHIFT_OK ? copy_entries(call, place, error) : status;
}

const struct kernel kernel_gather[] = {{"Gather", 1, KERNEL_ANY, run}, {0}};
