/* Flatten: two axes of what were many, those before an axis and those from it on. */
#include "kernel/support.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    int64_t axis = 1, dims[2] = {1, 1};
    enum opshift_status status = kernel_arity(call, 1, 1, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "axis", &axis, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    int64_t rank = input->rank, least = call->opset < 11 ? 0 : -rank;
    if (axis < least || axis > rank)
        return opshift_fail(error, OPSHIFT_MALFORMED, "axis %lld is outside [%lld, %lld]", (long long)axis,
                            (long long)least, (long long)rank);
    axis = axis < 0 ? axis + rank : axis;
    /* A dim of 0 leaves the other side's product free to be any size. */
    for (int64_t i = 0; i < rank; i++)
        if (__builtin_mul_overflow(dims[i >= axis], input->dims[i], &dims[i >= axis]))
            return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the dims of %s multiply to more than 2^63",
                                kernel_dims_text(call->arena, input->rank, input->dims));
    return kernel_view(call, input, 2, dims, error);
}

const struct kernel kernel_flatten[] = {{"Flatten", 1, KERNEL_ANY, run}, {0}};
