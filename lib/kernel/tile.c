/* Tile: the input again and again along its axes. */
#include "kernel/walk.h"

/* Opset 1 repeats along one axis, both given as inputs; since 6 a list has a number for each axis. */
static enum opshift_status find_repeats(const struct kernel_call *call, int64_t *repeats, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    struct int_list list, axis;
    enum opshift_status status = kernel_vector(call, call->inputs[1], "the list of repeats", &list, error);
    if (status == OPSHIFT_OK && call->opset < 6)
        status = kernel_vector(call, call->inputs[2], "the axis", &axis, error);
    if (status != OPSHIFT_OK)
        return status;
    size_t wanted = call->opset < 6 ? 1 : input->rank;
    if (list.count != wanted)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the list of repeats has %zu entries, must have %zu", list.count,
                            wanted);
    for (size_t i = 0; i < list.count; i++)
        if (list.values[i] < 0)
            return opshift_fail(error, OPSHIFT_MALFORMED, "repeat %zu is %lld, below 0", i, (long long)list.values[i]);
    for (uint32_t i = 0; i < input->rank; i++)
        repeats[i] = call->opset < 6 ? 1 : list.values[i];
    if (call->opset >= 6)
        return OPSHIFT_OK;
    uint32_t place = 0;
    if (axis.count != 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the axis has %zu elements, must be a scalar", axis.count);
    status = kernel_axis(axis.values[0], input->rank, &place, error);
    if (status == OPSHIFT_OK)
        repeats[place] = list.values[0];
    return status;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    int64_t repeats[TENSOR_RANK_MAX], dims[TENSOR_RANK_MAX], strides[TENSOR_RANK_MAX];
    uint32_t arity = call->opset < 6 ? 3 : 2;
    struct walk walk;
    enum opshift_status status = kernel_arity(call, arity, arity, error);
    if (status == OPSHIFT_OK)
        status = find_repeats(call, repeats, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    for (uint32_t i = 0; i < input->rank; i++)
        if (__builtin_mul_overflow(input->dims[i], repeats[i], &dims[i]))
            return opshift_fail(error, OPSHIFT_UNSUPPORTED, "axis %u repeated %lld times overflows", i,
                                (long long)repeats[i]);
    status = kernel_output(call, 0, input->type, input->rank, dims, error);
    if (status != OPSHIFT_OK)
        return status;
    walk_strides(input->rank, input->dims, strides);
    walk_start(&walk, input->rank, dims);
    for (uint64_t i = 0; i < call->outputs[0]->count; i++, walk_next(&walk)) {
        int64_t from = 0;
        for (uint32_t axis = 0; axis < input->rank; axis++)
            from += walk.index[axis] % input->dims[axis] * strides[axis];
        kernel_copy(call->outputs[0], i, input, (uint64_t)from, 1);
    }
    return OPSHIFT_OK;
}

const struct kernel kernel_tile[] = {{"Tile", 1, KERNEL_ANY, run}, {0}};
