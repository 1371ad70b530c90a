/* Expand: the input stretched to a shape, both ways. */
#include "kernel/walk.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct int_list shape;
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t rank;
    struct walk walk;
    enum opshift_status status = kernel_arity(call, 2, 2, error);
    if (status == OPSHIFT_OK)
        status = kernel_vector(call, call->inputs[1], "the shape", &shape, error);
    if (status == OPSHIFT_OK && shape.count > TENSOR_RANK_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the shape has %zu dims, above the limit of %d", shape.count,
                            TENSOR_RANK_MAX);
    for (size_t i = 0; status == OPSHIFT_OK && i < shape.count; i++)
        if (shape.values[i] < 0)
            return opshift_fail(error, OPSHIFT_MALFORMED, "dim %zu of the shape is %lld, below 0", i,
                                (long long)shape.values[i]);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    const struct tensor wanted = {.rank = (uint32_t)shape.count, .dims = (int64_t *)shape.values};
    const struct tensor *const both[] = {input, &wanted};
    status = walk_common_shape(call, both, 2, &rank, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, input->type, rank, dims, error);
    if (status != OPSHIFT_OK)
        return status;
    walk_start(&walk, rank, dims);
    walk_broadcast(&walk, 0, input);
    return walk_copy(call, &walk, call->outputs[0], input, error);
}

const struct kernel kernel_expand[] = {{"Expand", 8, KERNEL_ANY, run}, {0}};
