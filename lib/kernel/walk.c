/* Walks the elements of a shape in row-major order, together with up to three operands with strides of their own. */
#include "kernel/walk.h"

#include <string.h>

#include "split/split_copy.h"

void walk_start(struct walk *walk, uint32_t rank, const int64_t *dims)
{
    memset(walk, 0, sizeof(*walk));
    walk->rank = rank;
    walk->dims = dims;
}

void walk_strides(uint32_t rank, const int64_t *dims, int64_t *strides)
{
    int64_t stride = 1;
    for (uint32_t i = 0; i < rank; i++)
        stride = dims[i] == 0 ? 0 : stride; /* no elements: the product of the other dims could overflow */
    for (uint32_t i = rank; i-- > 0; stride *= dims[i])
        strides[i] = stride;
}

void walk_broadcast(struct walk *walk, uint32_t operand, const struct tensor *tensor)
{
    int64_t strides[TENSOR_RANK_MAX];
    uint32_t lead = walk->rank - tensor->rank;
    walk_strides(tensor->rank, tensor->dims, strides);
    for (uint32_t i = 0; i < tensor->rank; i++)
        walk->strides[operand][lead + i] = tensor->dims[i] == 1 ? 0 : strides[i];
}

void walk_next(struct walk *walk)
{
    for (uint32_t i = walk->rank; i-- > 0;) {
        bool carry = ++walk->index[i] == walk->dims[i];
        int64_t steps = carry ? 1 - walk->dims[i] : 1;
        for (uint32_t k = 0; k < WALK_OPERANDS_MAX; k++)
            walk->at[k] += steps * walk->strides[k][i];
        if (!carry)
            return;
        walk->index[i] = 0;
    }
}

static bool row_goes_on(const struct walk *walk, const struct walk_row *row)
{
    for (uint32_t k = 0; k < WALK_OPERANDS_MAX; k++)
        if (walk->strides[k][walk->rank - 1] != row->step[k] * (int64_t)row->count)
            return false;
    return true;
}

void walk_take_row(struct walk *walk, struct walk_row *row)
{
    *row = (struct walk_row){.count = 1};
    if (walk->rank == 0)
        return;
    row->count = (uint64_t)walk->dims[--walk->rank];
    for (uint32_t k = 0; k < WALK_OPERANDS_MAX; k++)
        row->step[k] = walk->strides[k][walk->rank];
    while (walk->rank > 0 && row_goes_on(walk, row))
        row->count *= (uint64_t)walk->dims[--walk->rank];
}

/* The last axes, as far as the operand is contiguous there, are one run; runs along the axis before them are copied
 * in one call. */
enum opshift_status walk_copy(const struct kernel_call *call, struct walk *walk, struct tensor *to,
                              const struct tensor *from, struct opshift_error *error)
{
    size_t element = kernel_element(to->type);
    uint64_t run = 1, rows = 1;
    int64_t step = 0;
    enum opshift_status status = OPSHIFT_OK;
    if (to->count == 0)
        return OPSHIFT_OK;
    if (element == 0) { /* packed elements */
        status = kernel_work(call, to->count, 2 * (uint64_t)STEPS_MOVE, error);
        for (uint64_t i = 0; i < to->count && status == OPSHIFT_OK; i++, walk_next(walk))
            kernel_copy(to, i, from, (uint64_t)walk->at[0], 1);
        return status;
    }
    while (walk->rank > 0 && (walk->dims[walk->rank - 1] == 1 || walk->strides[0][walk->rank - 1] == (int64_t)run))
        run *= (uint64_t)walk->dims[--walk->rank];
    if (walk->rank > 0) {
        rows = (uint64_t)walk->dims[--walk->rank];
        step = walk->strides[0][walk->rank];
    }
    status = kernel_work(call, to->count / run, STEPS_ENTRY / 2, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, to->count / run / rows, 2 * (uint64_t)STEPS_MOVE, error);
    for (uint64_t at = 0; at < to->count && status == OPSHIFT_OK; at += rows * run, walk_next(walk))
        split_rows((uint8_t *)to->data + at * element, (const uint8_t *)from->data + walk->at[0] * (int64_t)element,
                   step * (int64_t)element, run * element, rows, to->count * element);
    return status;
}

enum opshift_status walk_common_shape(const struct kernel_call *call, const struct tensor *const *tensors,
                                      uint32_t count, uint32_t *rank, int64_t *dims, struct opshift_error *error)
{
    *rank = 0;
    for (uint32_t i = 0; i < count; i++)
        *rank = tensors[i]->rank > *rank ? tensors[i]->rank : *rank;
    for (uint32_t at = 0; at < *rank; at++)
        dims[at] = 1;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t at = 0; at < tensors[i]->rank; at++) {
            int64_t *wanted = &dims[*rank - tensors[i]->rank + at], dim = tensors[i]->dims[at];
            if (dim != 1 && *wanted != 1 && dim != *wanted)
                return opshift_fail(error, OPSHIFT_MALFORMED, "input %u of shape %s does not broadcast to %s", i,
                                    kernel_dims_text(call->arena, tensors[i]->rank, tensors[i]->dims),
                                    kernel_dims_text(call->arena, *rank, dims));
            *wanted = *wanted == 1 ? dim : *wanted;
        }
    }
    return OPSHIFT_OK;
}

enum opshift_status walk_inputs(struct kernel_call *call, const struct tensor *const *inputs, uint32_t count,
                                enum opshift_type type, uint64_t steps, struct walk *walk, struct opshift_error *error)
{
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t rank;
    enum opshift_status status = walk_common_shape(call, inputs, count, &rank, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, type, rank, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->outputs[0]->count, steps, error);
    if (status != OPSHIFT_OK)
        return status;
    walk_start(walk, rank, call->outputs[0]->dims);
    for (uint32_t i = 0; i < count; i++)
        walk_broadcast(walk, i, inputs[i]);
    return OPSHIFT_OK;
}

enum opshift_status walk_indices(const struct kernel_call *call, const struct tensor *data,
                                 const struct tensor *indices, uint32_t axis, walk_visit *visit, void *context,
                                 struct opshift_error *error)
{
    int64_t strides[TENSOR_RANK_MAX], length = data->dims[axis];
    struct walk walk;
    enum opshift_status status = kernel_work(call, indices->count, STEPS_MOVE, error);
    if (status)
        return status;
    walk_strides(data->rank, data->dims, strides);
    walk_start(&walk, indices->rank, indices->dims);
    for (uint32_t i = 0; i < data->rank; i++)
        walk.strides[0][i] = i == axis ? 0 : strides[i];
    for (uint64_t i = 0; i < indices->count; i++, walk_next(&walk)) {
        int64_t index = kernel_index(indices, i);
        if (index < -length || index >= length)
            return opshift_fail(error, OPSHIFT_MALFORMED, "index %lld is outside the axis of %lld elements",
                                (long long)index, (long long)length);
        visit(context, i, (uint64_t)(walk.at[0] + (index < 0 ? index + length : index) * strides[axis]));
    }
    return OPSHIFT_OK;
}
