/* Operators that make one number of many: along axes, which are an attribute at first and an input later. */
#include "kernel/reduce.h"

#include <stdlib.h>

#include "kernel/walk.h"

enum opshift_status reduce_shape(const struct kernel_call *call, int64_t axes_input_since, struct reduced_shape *shape,
                                 struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    struct int_list axes;
    int64_t noop = 0, keep = 1;
    *shape = (struct reduced_shape){.rank = 0};
    enum opshift_status status = call->opset < axes_input_since
                                     ? kernel_ints(call, "axes", &axes, error)
                                     : kernel_vector(call, kernel_input(call, 1), "the list of axes", &axes, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "keepdims", &keep, error);
    if (status == OPSHIFT_OK && call->opset >= axes_input_since)
        status = kernel_int(call, "noop_with_empty_axes", &noop, error);
    if (status == OPSHIFT_OK)
        status = kernel_axes(&axes, input->rank, shape->chosen, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < input->rank; i++) {
        shape->chosen[i] = shape->chosen[i] || (axes.count == 0 && noop == 0);
        if (!shape->chosen[i] || keep != 0)
            shape->dims[shape->rank++] = shape->chosen[i] ? 1 : input->dims[i];
    }
    return status;
}

void reduce_strides(const struct tensor *input, const struct reduced_shape *shape, int64_t *strides)
{
    int64_t stride = 1;
    for (uint32_t i = input->rank; i-- > 0;) {
        strides[i] = shape->chosen[i] ? 0 : stride;
        stride *= shape->chosen[i] ? 1 : input->dims[i];
    }
}

static void add_elements(const struct tensor *input, const struct number_type *type, const struct reduction *reduction,
                         const struct reduced_shape *shape, union number *sums)
{
    struct walk walk;
    if (input->count == 0)
        return;
    walk_start(&walk, input->rank, input->dims);
    reduce_strides(input, shape, walk.strides[0]);
    for (uint64_t i = 0; i < input->count; i++, walk_next(&walk))
        reduction->add(type->kind, &sums[walk.at[0]], type->load((const char *)input->data + i * type->size));
}

enum opshift_status reduce_run(struct kernel_call *call, const struct reduction *reduction, struct opshift_error *error)
{
    struct reduced_shape shape;
    enum opshift_status status = kernel_arity(call, 1, call->opset < reduction->axes_input_since ? 1 : 2, error);
    if (status == OPSHIFT_OK)
        status = reduce_shape(call, reduction->axes_input_since, &shape, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    const struct number_type *type = number_type(input->type);
    if (type == NULL || (input->type == OPSHIFT_TYPE_BOOL && !reduction->takes_bool))
        return kernel_no_number(input->type, error);
    status = kernel_work(call, input->count, STEPS_COMPUTE, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, input->type, shape.rank, shape.dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->outputs[0]->count, STEPS_CURVE, error);
    if (status != OPSHIFT_OK)
        return status;
    struct tensor *output = call->outputs[0];
    uint64_t each = output->count == 0 ? 0 : input->count / output->count;
    union number *sums = arena_alloc(call->arena, output->count + 1, sizeof(*sums));
    if (sums == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; reduction->start != NULL && i < output->count; i++)
        sums[i] = reduction->start(type);
    add_elements(input, type, reduction, &shape, sums);
    for (uint64_t i = 0; i < output->count; i++) {
        if (reduction->finish != NULL)
            reduction->finish(type, &sums[i], each);
        type->store((char *)output->data + i * type->size, sums[i]);
    }
    return OPSHIFT_OK;
}
