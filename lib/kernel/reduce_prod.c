/* ReduceProd: products along axes. */
#include "kernel/reduce.h"

static union number one(const struct number_type *type)
{
    return type->kind == NUMBER_REAL ? (union number){.d = 1} : (union number){.u = 1};
}

static void multiply(enum number_kind kind, union number *product, union number element)
{
    if (kind == NUMBER_REAL)
        product->d *= element.d;
    else
        product->u *= element.u;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    static const struct reduction reduction = {.axes_input_since = 18, .start = one, .add = multiply};
    return reduce_run(call, &reduction, error);
}

const struct kernel kernel_reduce_prod[] = {{"ReduceProd", 1, KERNEL_ANY, run}, {0}};
