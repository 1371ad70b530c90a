/* ReduceSum: sums along axes, which are an attribute before opset 13 and an input since. */
#include "kernel/reduce.h"

static void add(enum number_kind kind, union number *sum, union number element)
{
    if (kind == NUMBER_REAL)
        sum->d += element.d;
    else
        sum->u += element.u;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    static const struct reduction reduction = {.axes_input_since = 13, .add = add};
    return reduce_run(call, &reduction, error);
}

const struct kernel kernel_reduce_sum[] = {{"ReduceSum", 1, KERNEL_ANY, run}, {0}};
