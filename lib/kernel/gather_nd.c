/* GatherND: the parts of a tensor that rows of positions name. */
#include "kernel/support.h"

/* The last dim of the indices is how many axes a row names; the first batch axes of both go side by side. */
struct choice {
    uint32_t batch, depth;
    uint64_t batches, rows, block; /* rows in each batch, elements that one row names */
};

static enum opshift_status find_choice(const struct kernel_call *call, int64_t batch, struct choice *choice,
                                       struct opshift_error *error)
{
    const struct tensor *data = call->inputs[0], *indices = call->inputs[1];
    if (data->rank == 0 || indices->rank == 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input %d is a scalar, must have an axis",
                            data->rank == 0 ? 0 : 1);
    int64_t depth = indices->dims[indices->rank - 1];
    if (batch < 0 || batch >= data->rank || batch >= indices->rank)
        return opshift_fail(error, OPSHIFT_MALFORMED, "batch_dims is %lld; the inputs have rank %u and %u",
                            (long long)batch, data->rank, indices->rank);
    if (depth < 1 || depth > data->rank - batch)
        return opshift_fail(error, OPSHIFT_MALFORMED, "a row of the indices names %lld axes, must name 1 to %lld",
                            (long long)depth, (long long)(data->rank - batch));
    *choice = (struct choice){.batch = (uint32_t)batch, .depth = (uint32_t)depth, .batches = 1, .rows = 1, .block = 1};
    for (uint32_t i = 0; i < choice->batch; i++) {
        if (data->dims[i] != indices->dims[i])
            return opshift_fail(error, OPSHIFT_MALFORMED, "batch axis %u has %lld elements and %lld", i,
                                (long long)data->dims[i], (long long)indices->dims[i]);
        choice->batches *= (uint64_t)data->dims[i];
    }
    for (uint32_t i = choice->batch; i + 1 < indices->rank; i++)
        choice->rows *= (uint64_t)indices->dims[i];
    for (uint32_t i = choice->batch + choice->depth; i < data->rank; i++)
        choice->block *= (uint64_t)data->dims[i];
    return OPSHIFT_OK;
}

/* Where a row points, in blocks of its batch. */
static enum opshift_status row_place(const struct tensor *data, const struct tensor *indices,
                                     const struct choice *choice, uint64_t row, uint64_t *place,
                                     struct opshift_error *error)
{
    *place = 0;
    for (uint32_t i = 0; i < choice->depth; i++) {
        int64_t index = kernel_index(indices, row * choice->depth + i), length = data->dims[choice->batch + i];
        if (index < -length || index >= length)
            return opshift_fail(error, OPSHIFT_MALFORMED, "index %lld is outside axis %u of %lld elements",
                                (long long)index, choice->batch + i, (long long)length);
        *place = *place * (uint64_t)length + (uint64_t)(index < 0 ? index + length : index);
    }
    return OPSHIFT_OK;
}

static enum opshift_status copy_blocks(struct kernel_call *call, const struct choice *choice,
                                       struct opshift_error *error)
{
    const struct tensor *data = call->inputs[0], *indices = call->inputs[1];
    enum opshift_status status = kernel_work(call, choice->batches * choice->rows, STEPS_MOVE, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, indices->count, STEPS_COMPUTE, error);
    if (status != OPSHIFT_OK)
        return status;
    uint64_t per_batch = choice->batches == 0 ? 0 : data->count / choice->batches;
    for (uint64_t row = 0; row < choice->batches * choice->rows; row++) {
        uint64_t place = 0;
        status = row_place(data, indices, choice, row, &place, error);
        if (status != OPSHIFT_OK)
            return status;
        uint64_t from = row / choice->rows * per_batch + place * choice->block;
        kernel_copy(call->outputs[0], row * choice->block, data, from, choice->block);
    }
    return OPSHIFT_OK;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    int64_t batch = 0, dims[2 * TENSOR_RANK_MAX];
    uint32_t rank = 0;
    struct choice choice = {0};
    enum opshift_status status = kernel_arity(call, 2, 2, error);
    if (status == OPSHIFT_OK && call->opset >= 12)
        status = kernel_int(call, "batch_dims", &batch, error);
    if (status == OPSHIFT_OK)
        status = kernel_indices(call, 1, "the indices", error);
    if (status == OPSHIFT_OK)
        status = find_choice(call, batch, &choice, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *data = call->inputs[0], *indices = call->inputs[1];
    for (uint32_t i = 0; i + 1 < indices->rank; i++)
        dims[rank++] = indices->dims[i];
    for (uint32_t i = choice.batch + choice.depth; i < data->rank; i++)
        dims[rank++] = data->dims[i];
    status = kernel_output(call, 0, data->type, rank, dims, error);
    return status == OPSHIFT_OK ? copy_blocks(call, &choice, error) : status;
}

const struct kernel kernel_gather_nd[] = {{"GatherND", 11, KERNEL_ANY, run}, {0}};
