/* ReduceMean: means along axes; of whole numbers cut towards zero. */
#include "kernel/reduce.h"

static void add(enum number_kind kind, union number *sum, union number element)
{
    if (kind == NUMBER_REAL)
        sum->d += element.d;
    else
        sum->u += element.u;
}

static void divide(const struct number_type *type, union number *sum, uint64_t count)
{
    if (type->kind == NUMBER_REAL)
        sum->d /= (double)count;
    else if (type->kind == NUMBER_SIGNED)
        sum->i = count == 0 ? 0 : sum->i / (int64_t)count;
    else
        sum->u = count == 0 ? 0 : sum->u / count;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    static const struct reduction reduction = {.axes_input_since = 18, .add = add, .finish = divide};
    return reduce_run(call, &reduction, error);
}

const struct kernel kernel_reduce_mean[] = {{"ReduceMean", 1, KERNEL_ANY, run}, {0}};
