/* ScatterND: each slice of the updates goes where a row of indices says. */
#include <string.h>

#include "kernel/scattering.h"

/* Updates have the indices' shape without its last axis, then the data's from `width` on. */
static enum opshift_status check_shapes(const struct kernel_call *call, struct opshift_error *error)
{
    const struct tensor *data = call->inputs[0], *indices = call->inputs[1], *updates = call->inputs[2];
    int64_t width = indices->rank == 0 ? 0 : indices->dims[indices->rank - 1];
    bool fits = indices->rank > 0 && width <= (int64_t)data->rank &&
                (int64_t)updates->rank == (int64_t)indices->rank - 1 + data->rank - width;
    for (uint32_t i = 0; fits && i < updates->rank; i++)
        fits = updates->dims[i] ==
               (i < indices->rank - 1 ? indices->dims[i] : data->dims[i - (indices->rank - 1) + width]);
    if (fits)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "indices of shape %s and updates of shape %s do not fit %s",
                        kernel_dims_text(call->arena, indices->rank, indices->dims),
                        kernel_dims_text(call->arena, updates->rank, updates->dims),
                        kernel_dims_text(call->arena, data->rank, data->dims));
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct scattering scattering = {0};
    enum opshift_status status = scattering_start(call, &scattering, error);
    if (status == OPSHIFT_OK)
        status = kernel_indices(call, 1, "the indices", error);
    if (status == OPSHIFT_OK)
        status = check_shapes(call, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *data = call->inputs[0], *indices = call->inputs[1];
    uint32_t width = (uint32_t)indices->dims[indices->rank - 1];
    uint64_t slice = 1, rows = 1;
    for (uint32_t i = width; i < data->rank; i++)
        slice *= (uint64_t)data->dims[i];
    for (uint32_t i = 0; i + 1 < indices->rank; i++)
        rows *= (uint64_t)indices->dims[i];
    status = kernel_work(call, indices->count, STEPS_COMPUTE, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->inputs[2]->count, STEPS_MOVE, error);
    if (status != OPSHIFT_OK)
        return status;
    for (uint64_t row = 0; row < rows && call->inputs[2]->count > 0; row++) {
        uint64_t to = 0;
        for (uint32_t i = 0; i < width; i++) {
            int64_t index = kernel_index(indices, row * width + i), length = data->dims[i];
            if (index < -length || index >= length)
                return opshift_fail(error, OPSHIFT_MALFORMED, "index %lld is outside axis %u of %lld elements",
                                    (long long)index, i, (long long)length);
            to = to * (uint64_t)length + (uint64_t)(index < 0 ? index + length : index);
        }
        scattering_put(&scattering, call->outputs[0], to * slice, call->inputs[2], row * slice, slice);
    }
    return OPSHIFT_OK;
}

const struct kernel kernel_scatter_nd[] = {{"ScatterND", 11, KERNEL_ANY, run}, {0}};
