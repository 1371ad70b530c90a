/* Concat: its inputs one after the other along an axis. */
#include "kernel/support.h"

#include <string.h>

/* Same type and the same dims but along the axis, whose sum goes to *length. */
static enum opshift_status check_inputs(const struct kernel_call *call, uint32_t axis, int64_t *length,
                                        struct opshift_error *error)
{
    const struct tensor *first = call->inputs[0];
    *length = 0;
    for (uint32_t i = 0; i < call->input_count; i++) {
        const struct tensor *input = call->inputs[i];
        if (input == NULL)
            return opshift_fail(error, OPSHIFT_MALFORMED, "input %u is required and absent", i);
        if (input->type != first->type)
            return opshift_fail(error, OPSHIFT_MALFORMED, "input %u is %s, must be %s as input 0", i,
                                type_name(input->type), type_name(first->type));
        bool fits = input->rank == first->rank;
        for (uint32_t at = 0; at < first->rank && fits; at++)
            fits = at == axis || input->dims[at] == first->dims[at];
        if (!fits)
            return opshift_fail(error, OPSHIFT_MALFORMED, "input %u of shape %s does not fit %s beside axis %u", i,
                                kernel_dims_text(call->arena, input->rank, input->dims),
                                kernel_dims_text(call->arena, first->rank, first->dims), axis);
        if (input->dims[axis] > INT64_MAX - *length)
            return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the lengths along axis %u overflow", axis);
        *length += input->dims[axis];
    }
    return OPSHIFT_OK;
}

/* The axis was optional, with 1 for a default, before opset 4. */
static enum opshift_status find_axis(const struct kernel_call *call, uint32_t *axis, struct opshift_error *error)
{
    int64_t value = call->opset < 4 ? 1 : INT64_MIN;
    enum opshift_status status = kernel_int(call, "axis", &value, error);
    if (status == OPSHIFT_OK && value == INT64_MIN)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'axis' is required and absent");
    return status == OPSHIFT_OK ? kernel_axis(value, call->inputs[0]->rank, axis, error) : status;
}

static void copy_blocks(struct kernel_call *call, uint32_t axis)
{
    struct tensor *output = call->outputs[0];
    uint64_t outer = 1, row = 1, place = 0;
    for (uint32_t i = 0; i < output->rank; i++)
        *(i < axis ? &outer : &row) *= (uint64_t)output->dims[i];
    for (uint32_t i = 0; i < call->input_count && output->count > 0; i++) {
        uint64_t block = call->inputs[i]->count / outer;
        for (uint64_t at = 0; at < outer; at++)
            kernel_copy(output, at * row + place, call->inputs[i], at * block, block);
        place += block;
    }
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    uint32_t axis = 0;
    int64_t dims[TENSOR_RANK_MAX], length = 0;
    enum opshift_status status = kernel_arity(call, 1, UINT32_MAX, error);
    if (status == OPSHIFT_OK)
        status = kernel_movable(call->inputs[0], error);
    if (status == OPSHIFT_OK)
        status = find_axis(call, &axis, error);
    if (status == OPSHIFT_OK)
        status = check_inputs(call, axis, &length, error);
    if (status != OPSHIFT_OK)
        return status;
    memcpy(dims, call->inputs[0]->dims, call->inputs[0]->rank * sizeof(*dims));
    dims[axis] = length;
    status = kernel_output(call, 0, call->inputs[0]->type, call->inputs[0]->rank, dims, error);
    if (status == OPSHIFT_OK)
        copy_blocks(call, axis);
    return status;
}

const struct kernel kernel_concat[] = {{"Concat", 1, KERNEL_ANY, run}, {0}};
