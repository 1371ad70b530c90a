/* OneHot: adds an axis with the on value at the index and the off value elsewhere. */
#include "kernel/element.h"

/* As an integer; values beyond INT64 are out of range for every axis. */
static int64_t whole_at(const struct tensor *tensor, uint64_t at)
{
    union number number = element_load(tensor, at);
    switch (element_kind(tensor->type)) {
    case NUMBER_REAL:
        return number.d > -0x1p63 && number.d < 0x1p63 ? (int64_t)number.d : INT64_MIN;
    case NUMBER_UNSIGNED:
        return number.u > INT64_MAX ? INT64_MIN : (int64_t)number.u;
    default:
        return number.i;
    }
}

static enum opshift_status check(const struct kernel_call *call, struct opshift_error *error)
{
    if (call->inputs[0]->rank == TENSOR_RANK_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the output's rank is above the limit of %d", TENSOR_RANK_MAX);
    for (uint32_t i = 0; i < 2; i++)
        if (!element_is_number(call->inputs[i]->type))
            return kernel_no_number(call->inputs[i]->type, error);
    if (call->inputs[1]->count != 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the depth has %llu elements, must be a scalar",
                            (unsigned long long)call->inputs[1]->count);
    if (call->inputs[2]->rank != 1 || call->inputs[2]->count != 2 || kernel_element(call->inputs[2]->type) == 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the values are %s%s, must be two",
                            type_name(call->inputs[2]->type),
                            kernel_dims_text(call->arena, call->inputs[2]->rank, call->inputs[2]->dims));
    return OPSHIFT_OK;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    int64_t axis = kernel_int(call, ATTRIBUTE_AXIS), dims[TENSOR_RANK_MAX + 1];
    uint32_t place = 0;
    uint64_t inner = 1;
    enum opshift_status status = check(call, error);
    if (status == OPSHIFT_OK)
        status = kernel_axis(axis, call->inputs[0]->rank + 1, &place, error);
    if (status)
        return status;
    const struct tensor *indices = call->inputs[0], *values = call->inputs[2];
    int64_t depth = whole_at(call->inputs[1], 0);
    if (depth < 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the depth is %lld, must be above 0", (long long)depth);
    for (uint32_t i = 0; i <= indices->rank; i++)
        dims[i] = i == place ? depth : indices->dims[i < place ? i : i - 1];
    for (uint32_t i = place; i < indices->rank; i++)
        inner *= (uint64_t)indices->dims[i];
    status = kernel_output(call, 0, values->type, indices->rank + 1, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->outputs[0]->count, STEPS_MOVE, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, indices->count, STEPS_MOVE, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < call->outputs[0]->count; i++)
        kernel_copy(call->outputs[0], i, values, 0, 1);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < indices->count; i++) {
        int64_t index = whole_at(indices, i);
        index += index < 0 && index >= -depth && call->operation.opset >= 11 ? depth : 0;
        if (index >= 0 && index < depth)
            kernel_copy(call->outputs[0], (i / inner * (uint64_t)depth + (uint64_t)index) * inner + i % inner, values,
                        1, 1);
    }
    return status;
}

const struct kernel kernels_one_hot[] = {{OPERATOR_ONE_HOT, 9, KERNEL_ANY, run, {0}}, {0}};
