/* Gather operators: elements selected by the indices in another tensor. */
#include "kernel/walk.h"

/* ---- Gather: entries of an axis ---- */

static enum opshift_status copy_entries(struct kernel_call *call, uint32_t axis, struct opshift_error *error)
{
    const struct tensor *data = call->inputs[0], *indices = call->inputs[1];
    uint64_t outer = 1, block = 1, to = 0;
    int64_t length = data->dims[axis];
    enum opshift_status status = kernel_work(call, indices->count, STEPS_COMPUTE, error);
    if (status)
        return status;
    for (uint32_t i = 0; i < axis; i++)
        outer *= (uint64_t)data->dims[i];
    for (uint32_t i = axis + 1; i < data->rank; i++)
        block *= (uint64_t)data->dims[i];
    for (uint64_t i = 0; i < indices->count; i++) {
        int64_t index = kernel_index(indices, i);
        if (index < -length || index >= length)
            return opshift_fail(error, OPSHIFT_MALFORMED, "index %lld is outside the axis of %lld elements",
                                (long long)index, (long long)length);
    }
    if (call->outputs[0]->count == 0)
        return OPSHIFT_OK;
    status = kernel_work(call, call->outputs[0]->count / block, STEPS_MOVE, error);
    for (uint64_t at = 0; status == OPSHIFT_OK && at < outer; at++) {
        for (uint64_t i = 0; i < indices->count; i++, to += block) {
            int64_t index = kernel_index(indices, i);
            uint64_t from = at * (uint64_t)length + (uint64_t)(index < 0 ? index + length : index);
            kernel_copy(call->outputs[0], to, data, from * block, block);
        }
    }
    return status;
}

static enum opshift_status run_gather(struct kernel_call *call, struct opshift_error *error)
{
    int64_t dims[2 * TENSOR_RANK_MAX];
    uint32_t place = 0, rank = 0;
    enum opshift_status status = kernel_axis(kernel_int(call, ATTRIBUTE_AXIS), call->inputs[0]->rank, &place, error);
    if (status)
        return status;
    const struct tensor *data = call->inputs[0], *indices = call->inputs[1];
    for (uint32_t i = 0; i < place; i++)
        dims[rank++] = data->dims[i];
    for (uint32_t i = 0; i < indices->rank; i++)
        dims[rank++] = indices->dims[i];
    for (uint32_t i = place + 1; i < data->rank; i++)
        dims[rank++] = data->dims[i];
    status = kernel_output(call, 0, data->type, rank, dims, error);
    return status == OPSHIFT_OK ? copy_entries(call, place, error) : status;
}

/* ---- GatherElements: one element per index ---- */

static void copy_element(void *context, uint64_t number, uint64_t place)
{
    struct kernel_call *call = context;
    kernel_copy(call->outputs[0], number, call->inputs[0], place, 1);
}

static enum opshift_status run_elements(struct kernel_call *call, struct opshift_error *error)
{
    uint32_t place = 0;
    enum opshift_status status = kernel_axis(kernel_int(call, ATTRIBUTE_AXIS), call->inputs[0]->rank, &place, error);
    if (status)
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

/* ---- GatherND: slices addressed by rows of indices ---- */

/* The last dim of the indices is the number of axes that a row indexes; batch axes are common to both inputs. */
struct choice {
    uint32_t batch, depth;
    uint64_t batches, rows, block; /* rows per batch, elements per slice */
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

/* The position of a row's slice, in blocks within its batch. */
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

static enum opshift_status copy_chosen(struct kernel_call *call, const struct choice *choice,
                                       struct opshift_error *error)
{
    const struct tensor *data = call->inputs[0], *indices = call->inputs[1];
    enum opshift_status status = kernel_work(call, choice->batches * choice->rows, STEPS_MOVE, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, indices->count, STEPS_COMPUTE, error);
    if (status)
        return status;
    uint64_t per_batch = choice->batches == 0 ? 0 : data->count / choice->batches;
    for (uint64_t row = 0; row < choice->batches * choice->rows; row++) {
        uint64_t place = 0;
        status = row_place(data, indices, choice, row, &place, error);
        if (status)
            return status;
        uint64_t from = row / choice->rows * per_batch + place * choice->block;
        kernel_copy(call->outputs[0], row * choice->block, data, from, choice->block);
    }
    return OPSHIFT_OK;
}

static enum opshift_status run_nd(struct kernel_call *call, struct opshift_error *error)
{
    int64_t batch = kernel_int(call, ATTRIBUTE_BATCH_DIMS), dims[2 * TENSOR_RANK_MAX];
    uint32_t rank = 0;
    struct choice choice = {0};
    enum opshift_status status = find_choice(call, batch, &choice, error);
    if (status)
        return status;
    const struct tensor *data = call->inputs[0], *indices = call->inputs[1];
    for (uint32_t i = 0; i + 1 < indices->rank; i++)
        dims[rank++] = indices->dims[i];
    for (uint32_t i = choice.batch + choice.depth; i < data->rank; i++)
        dims[rank++] = data->dims[i];
    status = kernel_output(call, 0, data->type, rank, dims, error);
    return status == OPSHIFT_OK ? copy_chosen(call, &choice, error) : status;
}

/* ---- Compress (9, 11): entries of an axis, or elements, where a condition is true ---- */

static enum opshift_status run_compress(struct kernel_call *call, struct opshift_error *error)
{
    int64_t axis = kernel_int(call, ATTRIBUTE_AXIS), dims[TENSOR_RANK_MAX] = {0};
    uint32_t place = 0;
    uint64_t outer = 1, block = 1, kept = 0, to = 0;
    bool has_axis = kernel_gives(call, ATTRIBUTE_AXIS);
    enum opshift_status status = OPSHIFT_OK;
    if (has_axis)
        status = kernel_axis(axis, call->inputs[0]->rank, &place, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0], *condition = call->inputs[1];
    uint64_t length = has_axis ? (uint64_t)input->dims[place] : input->count;
    if (condition->rank != 1 || condition->count > length)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the condition is %s of shape %s, must be bool for at most %llu",
                            type_name(condition->type), kernel_dims_text(call->arena, condition->rank, condition->dims),
                            (unsigned long long)length);
    const uint8_t *chosen = condition->data;
    for (uint64_t i = 0; i < condition->count; i++)
        kept += chosen[i] != 0;
    for (uint32_t i = 0; i < input->rank && has_axis; i++) {
        outer *= i < place ? (uint64_t)input->dims[i] : 1;
        block *= i > place ? (uint64_t)input->dims[i] : 1;
        dims[i] = input->dims[i];
    }
    dims[place] = (int64_t)kept;
    status = kernel_output(call, 0, input->type, has_axis ? input->rank : 1, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, input->count + condition->count, STEPS_MOVE, error);
    for (uint64_t o = 0; status == OPSHIFT_OK && call->outputs[0]->count > 0 && o < outer; o++)
        for (uint64_t i = 0; i < condition->count; i++)
            if (chosen[i] != 0) {
                kernel_copy(call->outputs[0], to, input, (o * length + i) * block, block);
                to += block;
            }
    return status;
}

/* ---- ReverseSequence (10): reverses the first entries of each sample ---- */

static enum opshift_status reverse_axes(struct kernel_call *call, int64_t *time, int64_t *batch,
                                        struct opshift_error *error)
{
    enum opshift_status status = kernel_rank(call, 0, 2, TENSOR_RANK_MAX, error);
    *time = kernel_int(call, ATTRIBUTE_TIME_AXIS);
    *batch = kernel_int(call, ATTRIBUTE_BATCH_AXIS);
    if (status == OPSHIFT_OK && !((*time == 0 && *batch == 1) || (*time == 1 && *batch == 0)))
        status = opshift_fail(error, OPSHIFT_MALFORMED, "time_axis %lld and batch_axis %lld are not 0 and 1",
                              (long long)*time, (long long)*batch);
    return status == OPSHIFT_OK ? kernel_shape(call, 1, 1, &call->inputs[0]->dims[*batch], error) : status;
}

static enum opshift_status run_reverse_sequence(struct kernel_call *call, struct opshift_error *error)
{
    int64_t time = 0, batch = 1;
    enum opshift_status status = reverse_axes(call, &time, &batch, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    int64_t length = input->dims[time];
    for (int64_t b = 0; b < input->dims[batch]; b++)
        if (kernel_index(call->inputs[1], (uint64_t)b) < 0 || kernel_index(call->inputs[1], (uint64_t)b) > length)
            return opshift_fail(error, OPSHIFT_MALFORMED, "length %lld is outside the time axis of %lld elements",
                                (long long)kernel_index(call->inputs[1], (uint64_t)b), (long long)length);
    status = kernel_output(call, 0, input->type, input->rank, input->dims, error);
    if (status || input->count == 0)
        return status;
    uint64_t rows = (uint64_t)(input->dims[0] * input->dims[1]), block = input->count / rows;
    status = kernel_work(call, rows, STEPS_MOVE, error);
    for (uint64_t row = 0; status == OPSHIFT_OK && row < rows; row++) {
        int64_t place[] = {(int64_t)row / input->dims[1], (int64_t)row % input->dims[1]};
        int64_t turned = kernel_index(call->inputs[1], (uint64_t)place[batch]);
        place[time] = place[time] < turned ? turned - 1 - place[time] : place[time];
        kernel_copy(call->outputs[0], row * block, input, (uint64_t)(place[0] * input->dims[1] + place[1]) * block,
                    block);
    }
    return status;
}

const struct kernel kernels_gather[] = {
    {OPERATOR_COMPRESS, 9, KERNEL_ANY, run_compress, {0}},
    {OPERATOR_GATHER, 1, KERNEL_ANY, run_gather, {0}},
    {OPERATOR_GATHER_ELEMENTS, 11, KERNEL_ANY, run_elements, {0}},
    {OPERATOR_GATHER_ND, 11, KERNEL_ANY, run_nd, {0}},
    {OPERATOR_REVERSE_SEQUENCE, 10, KERNEL_ANY, run_reverse_sequence, {0}},
    {0},
};
