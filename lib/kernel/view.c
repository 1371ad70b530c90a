/* Operators that return the same elements with other dims, or the dims themselves. */
#include "kernel/support.h"

#include <string.h>

/* ---- Identity: tensors; since opset 14 also sequences, since 16 optionals ---- */

static enum opshift_status run_identity(struct kernel_call *call, struct opshift_error *error)
{
    struct value value = kernel_value(call, 0);
    if (value.kind == VALUE_TENSOR)
        return kernel_view(call, value.tensor, value.tensor->rank, value.tensor->dims, error);
    if (call->operation.opset < (value.kind == VALUE_SEQUENCE ? 14 : 16))
        return opshift_fail(error, OPSHIFT_MALFORMED, "input 0 is %s, must be a tensor at opset %lld",
                            value_kind_name(value.kind), (long long)call->operation.opset);
    return kernel_result(call, 0, value_keep(value), error);
}

/* ---- Flatten: merges the axes before an axis, and those from it on ---- */

static enum opshift_status run_flatten(struct kernel_call *call, struct opshift_error *error)
{
    int64_t axis = kernel_int(call, ATTRIBUTE_AXIS), dims[2] = {1, 1};
    const struct tensor *input = call->inputs[0];
    int64_t rank = input->rank, least = call->operation.opset < 11 ? 0 : -rank;
    if (axis < least || axis > rank)
        return opshift_fail(error, OPSHIFT_MALFORMED, "axis %lld is outside [%lld, %lld]", (long long)axis,
                            (long long)least, (long long)rank);
    axis = axis < 0 ? axis + rank : axis;
    /* With a dim of 0 the other side's product is not limited by the element count. */
    for (int64_t i = 0; i < rank; i++)
        if (__builtin_mul_overflow(dims[i >= axis], input->dims[i], &dims[i >= axis]))
            return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the dims of %s multiply to more than 2^63",
                                kernel_dims_text(call->arena, input->rank, input->dims));
    return kernel_view(call, input, 2, dims, error);
}

/* ---- Squeeze: removes dims of 1; the axes are an attribute before opset 13 and an input since ---- */

static enum opshift_status run_squeeze(struct kernel_call *call, struct opshift_error *error)
{
    struct int_list axes;
    bool chosen[TENSOR_RANK_MAX] = {false};
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t rank = 0;
    enum opshift_status status = kernel_setting(call, ATTRIBUTE_AXES, 1, "the list of axes", &axes, error);
    if (status == OPSHIFT_OK)
        status = kernel_axes(&axes, call->inputs[0]->rank, chosen, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    for (uint32_t i = 0; i < input->rank; i++) {
        if (chosen[i] && input->dims[i] != 1)
            return opshift_fail(error, OPSHIFT_MALFORMED, "axis %u has %lld elements, must have 1", i,
                                (long long)input->dims[i]);
        if (axes.present ? !chosen[i] : input->dims[i] != 1)
            dims[rank++] = input->dims[i];
    }
    return kernel_view(call, input, rank, dims, error);
}

/* ---- Unsqueeze: inserts dims of 1; the axes are an attribute before opset 13 and an input since ---- */

static enum opshift_status run_unsqueeze(struct kernel_call *call, struct opshift_error *error)
{
    struct int_list axes;
    bool chosen[TENSOR_RANK_MAX] = {false};
    int64_t dims[TENSOR_RANK_MAX];
    enum opshift_status status = kernel_setting(call, ATTRIBUTE_AXES, 1, "the list of axes", &axes, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    if (axes.count > TENSOR_RANK_MAX - input->rank)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the output's rank is above the limit of %d", TENSOR_RANK_MAX);
    uint32_t rank = input->rank + (uint32_t)axes.count, from = 0;
    status = kernel_axes(&axes, rank, chosen, error);
    if (status)
        return status;
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = chosen[i] ? 1 : input->dims[from++];
    return kernel_view(call, input, rank, dims, error);
}

/* ---- Reshape: 0 copies a dim, -1 is computed ---- */

/* Resolves 0 and finds at most one -1, whose position is *open (-1: none). */
static enum opshift_status copy_dims(const struct tensor *input, const struct int_list *shape, bool zero_is_zero,
                                     int64_t *dims, int64_t *open, struct opshift_error *error)
{
    bool has_zero = false;
    *open = -1;
    for (size_t i = 0; i < shape->count; i++) {
        dims[i] = shape->values[i];
        if (dims[i] < -1)
            return opshift_fail(error, OPSHIFT_MALFORMED, "dim %zu of the shape is %lld, below -1", i,
                                (long long)dims[i]);
        if (dims[i] == -1 && *open >= 0)
            return opshift_fail(error, OPSHIFT_MALFORMED, "dims %lld and %zu of the shape are both -1",
                                (long long)*open, i);
        if (dims[i] == -1)
            *open = (int64_t)i;
        has_zero = has_zero || dims[i] == 0;
        if (dims[i] == 0 && !zero_is_zero && i >= input->rank)
            return opshift_fail(error, OPSHIFT_MALFORMED, "dim %zu of the shape is 0, and the input has only %u dims",
                                i, input->rank);
        if (dims[i] == 0 && !zero_is_zero)
            dims[i] = input->dims[i];
    }
    if (zero_is_zero && has_zero && *open >= 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "with allowzero a shape cannot hold both 0 and -1");
    return OPSHIFT_OK;
}

/* Computes the open dim; without one, the element counts must agree. */
static enum opshift_status close_dims(const struct kernel_call *call, const struct tensor *input, int64_t *dims,
                                      size_t count, int64_t open, struct opshift_error *error)
{
    uint64_t known = 1;
    bool fits = true;
    for (size_t i = 0; i < count && fits; i++)
        fits = (int64_t)i == open || kernel_multiply(known, (uint64_t)dims[i], &known);
    if (fits && open >= 0) {
        fits = known != 0 && input->count % known == 0;
        dims[open] = fits ? (int64_t)(input->count / known) : -1;
    } else {
        fits = fits && known == input->count;
    }
    if (fits)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "%s holds %llu elements, which do not fill %s",
                        kernel_dims_text(call->arena, input->rank, input->dims), (unsigned long long)input->count,
                        kernel_dims_text(call->arena, (uint32_t)count, dims));
}

static enum opshift_status run_reshape(struct kernel_call *call, struct opshift_error *error)
{
    struct int_list shape = {0};
    int64_t allow_zero = kernel_int(call, ATTRIBUTE_ALLOWZERO), open = -1, dims[TENSOR_RANK_MAX];
    enum opshift_status status = kernel_setting(call, ATTRIBUTE_SHAPE, 1, "the shape", &shape, error);
    if (status == OPSHIFT_OK && shape.count > TENSOR_RANK_MAX)
        status = opshift_fail(error, OPSHIFT_UNSUPPORTED, "the shape has %zu dims, above the limit of %d", shape.count,
                              TENSOR_RANK_MAX);
    if (status == OPSHIFT_OK)
        status = copy_dims(call->inputs[0], &shape, allow_zero != 0, dims, &open, error);
    if (status == OPSHIFT_OK)
        status = close_dims(call, call->inputs[0], dims, shape.count, open, error);
    return status == OPSHIFT_OK ? kernel_view(call, call->inputs[0], (uint32_t)shape.count, dims, error) : status;
}

/* ---- Shape: the dims of the input; since opset 15 those between start and end ---- */

/* A negative position counts from the end; clamped to [0, rank]. */
static int64_t clamp(int64_t place, int64_t rank)
{
    if (place < 0)
        place = place < -rank ? 0 : place + rank;
    return place > rank ? rank : place;
}

static enum opshift_status run_shape(struct kernel_call *call, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    int64_t start = clamp(kernel_int(call, ATTRIBUTE_START), input->rank);
    int64_t end = kernel_gives(call, ATTRIBUTE_END) ? clamp(kernel_int(call, ATTRIBUTE_END), input->rank) : input->rank;
    int64_t count = end > start ? end - start : 0;
    enum opshift_status status = kernel_output(call, 0, OPSHIFT_TYPE_INT64, 1, &count, error);
    if (status == OPSHIFT_OK && count > 0)
        memcpy(call->outputs[0]->data, input->dims + start, (size_t)count * sizeof(*input->dims));
    return status;
}

/* ---- Size: the number of elements ---- */

static enum opshift_status run_size(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = kernel_output(call, 0, OPSHIFT_TYPE_INT64, 0, NULL, error);
    if (status == OPSHIFT_OK)
        *(int64_t *)call->outputs[0]->data = (int64_t)call->inputs[0]->count;
    return status;
}

const struct kernel kernels_view[] = {
    {OPERATOR_FLATTEN, 1, KERNEL_ANY, run_flatten, {0}},     {OPERATOR_IDENTITY, 1, KERNEL_ANY, run_identity, {0}},
    {OPERATOR_RESHAPE, 1, KERNEL_ANY, run_reshape, {0}},     {OPERATOR_SHAPE, 1, KERNEL_ANY, run_shape, {0}},
    {OPERATOR_SIZE, 1, KERNEL_ANY, run_size, {0}},           {OPERATOR_SQUEEZE, 1, KERNEL_ANY, run_squeeze, {0}},
    {OPERATOR_UNSQUEEZE, 1, KERNEL_ANY, run_unsqueeze, {0}}, {0},
};
