/* Sub: the difference; whole numbers wrap around. */
#include "kernel/elementwise.h"

static const char *subtract(enum number_kind kind, union number a, union number b, union number *result)
{
    if (kind == NUMBER_REAL)
        result->d = a.d - b.d;
    else
        result->u = a.u - b.u;
    return NULL;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_two(call, subtract, error);
}

const struct kernel kernel_sub[] = {{"Sub", 1, KERNEL_ANY, run}, {0}};
