/* ReduceL1: sums of sizes along axes. */
#include "kernel/reduce.h"

#include <math.h>

static void add_size(enum number_kind kind, union number *sum, union number element)
{
    if (kind == NUMBER_REAL)
        sum->d += fabs(element.d);
    else
        sum->u += kind == NUMBER_SIGNED && element.i < 0 ? 0 - element.u : element.u;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    static const struct reduction reduction = {.axes_input_since = 18, .add = add_size};
    return reduce_run(call, &reduction, error);
}

const struct kernel kernel_reduce_l1[] = {{"ReduceL1", 1, KERNEL_ANY, run}, {0}};
