/* Converts tensors to arrays of doubles and back, for kernels that use many elements at once. */
#include "kernel/reals.h"

#include <math.h>

#include "kernel/element.h"

enum opshift_status reals_new(const struct kernel_call *call, uint64_t count, double **reals,
                              struct opshift_error *error)
{
    void *room = NULL;
    enum opshift_status status = kernel_scratch(call, count, sizeof(**reals), &room, error);
    *reals = room;
    return status;
}

enum opshift_status reals_load(const struct kernel_call *call, const struct tensor *tensor, double **reals,
                               struct opshift_error *error)
{
    *reals = NULL;
    if (tensor == NULL)
        return OPSHIFT_OK;
    if (!element_is_number(tensor->type))
        return kernel_no_number(tensor->type, error);
    enum opshift_status status = kernel_work(call, tensor->count, STEPS_COMPUTE, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, tensor->count, reals, error);
    if (status)
        return status;
    enum number_kind kind = element_kind(tensor->type);
    if (tensor->type == OPSHIFT_TYPE_FLOAT)
        for (uint64_t i = 0; i < tensor->count; i++)
            (*reals)[i] = (double)((const float *)tensor->data)[i];
    else
        for (uint64_t i = 0; i < tensor->count; i++)
            (*reals)[i] = number_real(kind, element_load(tensor, i));
    return OPSHIFT_OK;
}

enum opshift_status reals_inputs(const struct kernel_call *call, double **const *reals, uint32_t count,
                                 struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < count && status == OPSHIFT_OK; i++)
        if (reals[i] != NULL)
            status = reals_load(call, kernel_input(call, i), reals[i], error);
    return status;
}

/* Saturates out-of-range values; NaN becomes 0. */
static union number as_whole(enum opshift_type type, enum number_kind kind, double value)
{
    double beyond = ldexp(1, element_whole_bits(type));
    if (isnan(value))
        return (union number){.u = 0};
    if (kind == NUMBER_UNSIGNED && value <= 0)
        return (union number){.u = 0};
    if (kind == NUMBER_UNSIGNED)
        return (union number){.u = value >= beyond ? UINT64_MAX >> (64 - element_whole_bits(type)) : (uint64_t)value};
    if (value <= -beyond)
        return (union number){.i = -1 - (int64_t)(UINT64_MAX >> (64 - element_whole_bits(type)))};
    return (union number){.i = value >= beyond ? (int64_t)(UINT64_MAX >> (64 - element_whole_bits(type)))
                                               : (int64_t)value};
}

void reals_store(struct tensor *tensor, uint64_t at, const double *reals, uint64_t count)
{
    const struct element_rounding rounding = {.saturate = true};
    enum number_kind kind = element_kind(tensor->type);
    if (tensor->type == OPSHIFT_TYPE_FLOAT) {
        for (uint64_t i = 0; i < count; i++)
            ((float *)tensor->data)[at + i] = (float)reals[i];
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        union number value = {.d = reals[i]};
        if (kind != NUMBER_REAL)
            value = as_whole(tensor->type, kind, reals[i]);
        element_store(tensor, at + i, value, &rounding);
    }
}

double reals_cubic(double distance, double a)
{
    double d = fabs(distance);
    if (d <= 1)
        return ((a + 2) * d - (a + 3)) * d * d + 1;
    return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}
