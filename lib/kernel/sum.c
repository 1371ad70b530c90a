/* Sum: all inputs added up, element by element. */
#include "kernel/elementwise.h"

static const char *add(enum number_kind kind, union number a, union number b, union number *result)
{
    if (kind == NUMBER_REAL)
        result->d = a.d + b.d;
    else
        result->u = a.u + b.u;
    return NULL;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_all(call, add, error);
}

const struct kernel kernel_sum[] = {{"Sum", 1, KERNEL_ANY, run}, {0}};
