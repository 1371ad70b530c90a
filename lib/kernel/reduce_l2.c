/* ReduceL2: square roots of sums of squares along axes. */
#include "kernel/reduce.h"

#include <math.h>

static void add_square(enum number_kind kind, union number *sum, union number element)
{
    if (kind == NUMBER_REAL)
        sum->d += element.d * element.d;
    else
        sum->u += element.u * element.u;
}

static void take_root(const struct number_type *type, union number *sum, uint64_t count)
{
    if (type->kind == NUMBER_REAL)
        sum->d = sqrt(sum->d);
    else if (type->kind == NUMBER_SIGNED)
        sum->i = (int64_t)sqrt((double)sum->i);
    else
        sum->u = (uint64_t)sqrt((double)sum->u);
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    static const struct reduction reduction = {.axes_input_since = 18, .add = add_square, .finish = take_root};
    return reduce_run(call, &reduction, error);
}

const struct kernel kernel_reduce_l2[] = {{"ReduceL2", 1, KERNEL_ANY, run}, {0}};
