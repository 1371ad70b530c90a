/* ReduceMin: the least elements along axes; what is not a number wins. */
#include "kernel/reduce.h"

#include <math.h>

/* Of no element at all: what is above or equal to every element. */
static union number highest(const struct number_type *type)
{
    if (type->kind == NUMBER_REAL)
        return (union number){.d = (double)INFINITY};
    if (type->type == OPSHIFT_TYPE_BOOL)
        return (union number){.u = 1};
    return (union number){.u = UINT64_MAX >> (64 - type->size * 8 + (type->kind == NUMBER_SIGNED))};
}

static void keep_least(enum number_kind kind, union number *best, union number element)
{
    if (kind == NUMBER_REAL     ? isnan(element.d) || element.d < best->d
        : kind == NUMBER_SIGNED ? element.i < best->i
                                : element.u < best->u)
        *best = element;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    static const struct reduction reduction = {
        .axes_input_since = 18, .start = highest, .add = keep_least, .takes_bool = true};
    return reduce_run(call, &reduction, error);
}

const struct kernel kernel_reduce_min[] = {{"ReduceMin", 1, KERNEL_ANY, run}, {0}};
