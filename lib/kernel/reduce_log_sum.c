/* ReduceLogSum: logarithms of sums along axes. */
#include "kernel/reduce.h"

#include <math.h>

static void add(enum number_kind kind, union number *sum, union number element)
{
    if (kind == NUMBER_REAL)
        sum->d += element.d;
    else
        sum->u += element.u;
}

/* The logarithm of a whole 0 is the least number, as a cast of the infinity would be. */
static void take_log(const struct number_type *type, union number *sum, uint64_t count)
{
    (void)count;
    if (type->kind == NUMBER_REAL)
        sum->d = log(sum->d);
    else
        sum->i = number_cut(type, log(type->kind == NUMBER_SIGNED ? (double)sum->i : (double)sum->u));
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    static const struct reduction reduction = {.axes_input_since = 18, .add = add, .finish = take_log};
    return reduce_run(call, &reduction, error);
}

const struct kernel kernel_reduce_log_sum[] = {{"ReduceLogSum", 1, KERNEL_ANY, run}, {0}};
