/* ReduceMax: the greatest elements along axes; what is not a number wins. */
#include "kernel/reduce.h"

#include <math.h>

/* Of no element at all: what is below or equal to every element. */
static union number lowest(const struct number_type *type)
{
    if (type->kind == NUMBER_REAL)
        return (union number){.d = -(double)INFINITY};
    if (type->kind == NUMBER_UNSIGNED)
        return (union number){.u = 0};
    return (union number){.i = INT64_MIN >> (64 - type->size * 8)};
}

static void keep_greatest(enum number_kind kind, union number *best, union number element)
{
    if (kind == NUMBER_REAL     ? isnan(element.d) || element.d > best->d
        : kind == NUMBER_SIGNED ? element.i > best->i
                                : element.u > best->u)
        *best = element;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    static const struct reduction reduction = {
        .axes_input_since = 18, .start = lowest, .add = keep_greatest, .takes_bool = true};
    return reduce_run(call, &reduction, error);
}

const struct kernel kernel_reduce_max[] = {{"ReduceMax", 1, KERNEL_ANY, run}, {0}};
