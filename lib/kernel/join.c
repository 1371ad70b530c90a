/* Joins tensors: concatenates them along an axis, or stacks them along a new one. Concat. */
#include "kernel/join.h"

#include <string.h>

/* Requires one type and equal dims except along the axis; *length is the sum along it. */
static enum opshift_status check_tensors(const struct kernel_call *call, const struct tensor *const *tensors,
                                         size_t count, uint32_t axis, int64_t *length, struct opshift_error *error)
{
    const struct tensor *first = tensors[0];
    *length = 0;
    for (size_t i = 0; i < count; i++) {
        const struct tensor *input = tensors[i];
        if (input == NULL)
            return opshift_fail(error, OPSHIFT_MALFORMED, "input %zu is required and absent", i);
        if (input->type != first->type)
            return opshift_fail(error, OPSHIFT_MALFORMED, "input %zu is %s, must be %s as input 0", i,
                                type_name(input->type), type_name(first->type));
        bool fits = input->rank == first->rank;
        for (uint32_t at = 0; at < first->rank && fits; at++)
            fits = at == axis || input->dims[at] == first->dims[at];
        if (!fits)
            return opshift_fail(error, OPSHIFT_MALFORMED, "input %zu of shape %s does not fit %s beside axis %u", i,
                                kernel_dims_text(call->arena, input->rank, input->dims),
                                kernel_dims_text(call->arena, first->rank, first->dims), axis);
        if (input->dims[axis] > INT64_MAX - *length)
            return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the lengths along axis %u overflow", axis);
        *length += input->dims[axis];
    }
    return OPSHIFT_OK;
}

static enum opshift_status copy_blocks(struct kernel_call *call, struct tensor *output,
                                       const struct tensor *const *tensors, size_t count, uint32_t axis,
                                       struct opshift_error *error)
{
    uint64_t outer = 1, row = 1, place = 0;
    for (uint32_t i = 0; i < output->rank; i++)
        *(i < axis ? &outer : &row) *= (uint64_t)output->dims[i];
    enum opshift_status status =
        output->count == 0
            ? OPSHIFT_OK
            : kernel_work(call, outer < output->count / count ? outer * count : output->count, STEPS_MOVE, error);
    if (status)
        return status;
    for (size_t i = 0; i < count && output->count > 0; i++) {
        if (tensors[i]->count == 0)
            continue;
        uint64_t block = tensors[i]->count / outer;
        for (uint64_t at = 0; at < outer; at++)
            kernel_copy(output, at * row + place, tensors[i], at * block, block);
        place += block;
    }
    return OPSHIFT_OK;
}

enum opshift_status join_tensors(struct kernel_call *call, const struct tensor *const *tensors, size_t count,
                                 uint32_t axis, struct opshift_error *error)
{
    int64_t dims[TENSOR_RANK_MAX], length = 0;
    enum opshift_status status = check_tensors(call, tensors, count, axis, &length, error);
    if (status)
        return status;
    memcpy(dims, tensors[0]->dims, tensors[0]->rank * sizeof(*dims));
    dims[axis] = length;
    status = kernel_output(call, 0, tensors[0]->type, tensors[0]->rank, dims, error);
    return status == OPSHIFT_OK ? copy_blocks(call, call->outputs[0], tensors, count, axis, error) : status;
}

enum opshift_status join_stacked(struct kernel_call *call, uint32_t position, const struct tensor *const *tensors,
                                 size_t count, uint32_t axis, struct opshift_error *error)
{
    const struct tensor *first = tensors[0];
    int64_t dims[TENSOR_RANK_MAX + 1];
    if (first->rank == TENSOR_RANK_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "output %u has rank %u, above the limit of %d", position,
                            first->rank + 1, TENSOR_RANK_MAX);
    for (size_t i = 0; i < count; i++)
        if (tensors[i]->type != first->type || tensors[i]->rank != first->rank ||
            (first->rank > 0 && memcmp(tensors[i]->dims, first->dims, first->rank * sizeof(*dims)) != 0))
            return opshift_fail(error, OPSHIFT_MALFORMED, "tensor %zu is %s%s, must be %s%s as the first to be stacked",
                                i, type_name(tensors[i]->type),
                                kernel_dims_text(call->arena, tensors[i]->rank, tensors[i]->dims),
                                type_name(first->type), kernel_dims_text(call->arena, first->rank, first->dims));
    for (uint32_t i = 0; i <= first->rank; i++)
        dims[i] = i < axis ? first->dims[i] : i == axis ? (int64_t)count : first->dims[i - 1];
    enum opshift_status status = kernel_output(call, position, first->type, first->rank + 1, dims, error);
    return status == OPSHIFT_OK ? copy_blocks(call, call->outputs[position], tensors, count, axis, error) : status;
}

static enum opshift_status run_concat(struct kernel_call *call, struct opshift_error *error)
{
    /* Before opset 4 the axis was optional, with default 1. */
    int64_t axis = kernel_gives(call, ATTRIBUTE_AXIS) ? kernel_int(call, ATTRIBUTE_AXIS) : 1;
    uint32_t place = 0;
    enum opshift_status status = kernel_axis(axis, call->inputs[0]->rank, &place, error);
    return status == OPSHIFT_OK ? join_tensors(call, call->inputs, call->input_count, place, error) : status;
}

const struct kernel kernels_join[] = {{OPERATOR_CONCAT, 1, KERNEL_ANY, run_concat, {0}}, {0}};
