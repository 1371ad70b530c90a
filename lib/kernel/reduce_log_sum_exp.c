/* ReduceLogSumExp: logarithms of sums of e to the power of the elements along axes, without overflow. */
#include "kernel/reduce.h"

#include <math.h>

#include "kernel/walk.h"

static double as_real(const struct number_type *type, const struct tensor *tensor, uint64_t at)
{
    union number value = type->load((const char *)tensor->data + at * type->size);
    return type->kind == NUMBER_REAL ? value.d : type->kind == NUMBER_SIGNED ? (double)value.i : (double)value.u;
}

/* The greatest element first, so that no power is above 1. */
static void sum_powers(const struct tensor *input, const struct number_type *type, const struct reduced_shape *shape,
                       double *greatest, double *sums)
{
    struct walk walk;
    walk_start(&walk, input->rank, input->dims);
    reduce_strides(input, shape, walk.strides[0]);
    for (uint64_t i = 0; i < input->count; i++, walk_next(&walk))
        greatest[walk.at[0]] = fmax(greatest[walk.at[0]], as_real(type, input, i));
    walk_start(&walk, input->rank, input->dims);
    reduce_strides(input, shape, walk.strides[0]);
    for (uint64_t i = 0; i < input->count; i++, walk_next(&walk)) {
        double base = isinf(greatest[walk.at[0]]) ? 0 : greatest[walk.at[0]];
        double power = exp(as_real(type, input, i) - base);
        /* Whole numbers stay whole on the way. */
        sums[walk.at[0]] += type->kind == NUMBER_REAL ? power : trunc(power);
    }
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct reduced_shape shape;
    enum opshift_status status = kernel_arity(call, 1, call->opset < 18 ? 1 : 2, error);
    if (status == OPSHIFT_OK)
        status = reduce_shape(call, 18, &shape, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    const struct number_type *type = number_type(input->type);
    if (type == NULL || input->type == OPSHIFT_TYPE_BOOL)
        return kernel_no_number(input->type, error);
    status = kernel_work(call, input->count, STEPS_CURVE, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, input->type, shape.rank, shape.dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->outputs[0]->count, STEPS_CURVE, error);
    if (status != OPSHIFT_OK)
        return status;
    struct tensor *output = call->outputs[0];
    double *greatest = arena_alloc(call->arena, output->count + 1, sizeof(*greatest));
    double *sums = arena_alloc(call->arena, output->count + 1, sizeof(*sums));
    if (greatest == NULL || sums == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; i < output->count; i++)
        greatest[i] = -(double)INFINITY;
    if (input->count > 0)
        sum_powers(input, type, &shape, greatest, sums);
    for (uint64_t i = 0; i < output->count; i++) {
        double logarithm = log(sums[i]), base = isinf(greatest[i]) ? 0 : greatest[i];
        union number stored = {.d = logarithm + base};
        if (type->kind != NUMBER_REAL)
            stored.i = number_cut(type, trunc(logarithm) + base);
        type->store((char *)output->data + i * type->size, stored);
    }
    return OPSHIFT_OK;
}

const struct kernel kernel_reduce_log_sum_exp[] = {{"ReduceLogSumExp", 1, KERNEL_ANY, run}, {0}};
