/* ReduceSumSquare: sums of squares along axes. */
#include "kernel/reduce.h"

static void add_square(enum number_kind kind, union number *sum, union number element)
{
    if (kind == NUMBER_REAL)
        sum->d += element.d * element.d;
    else
        sum->u += element.u * element.u;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    static const struct reduction reduction = {.axes_input_since = 18, .add = add_square};
    return reduce_run(call, &reduction, error);
}

const struct kernel kernel_reduce_sum_square[] = {{"ReduceSumSquare", 1, KERNEL_ANY, run}, {0}};
