/* Reshape: the same elements under another shape, where 0 keeps a dim and -1 takes what is left. */
#include "kernel/support.h"

/* Fills in 0 and at most one -1, whose place goes to *open (-1: there is none). */
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

/* The open dim takes what is left; without one the counts must agree. */
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

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct int_list shape = {0};
    int64_t allow_zero = 0, open = -1, dims[TENSOR_RANK_MAX];
    uint32_t arity = call->opset < 5 ? 1 : 2;
    enum opshift_status status = kernel_arity(call, arity, arity, error);
    if (status == OPSHIFT_OK)
        status = call->opset < 5 ? kernel_ints(call, "shape", &shape, error)
                                 : kernel_vector(call, call->inputs[1], "the shape", &shape, error);
    if (status == OPSHIFT_OK && call->opset >= 14)
        status = kernel_int(call, "allowzero", &allow_zero, error);
    if (status == OPSHIFT_OK && shape.count > TENSOR_RANK_MAX)
        status = opshift_fail(error, OPSHIFT_UNSUPPORTED, "the shape has %zu dims, above the limit of %d", shape.count,
                              TENSOR_RANK_MAX);
    if (status == OPSHIFT_OK)
        status = copy_dims(call->inputs[0], &shape, allow_zero != 0, dims, &open, error);
    if (status == OPSHIFT_OK)
        status = close_dims(call, call->inputs[0], dims, shape.count, open, error);
    return status == OPSHIFT_OK ? kernel_view(call, call->inputs[0], (uint32_t)shape.count, dims, error) : status;
}

const struct kernel kernel_reshape[] = {{"Reshape", 1, KERNEL_ANY, run}, {0}};
