/* Relu: 0 where an element is below. */
#include "kernel/elementwise.h"

static const char *cut_below_zero(enum number_kind kind, union number a, union number *result)
{
    *result = a;
    if (kind == NUMBER_REAL ? a.d < 0 : kind == NUMBER_SIGNED && a.i < 0)
        *result = (union number){.u = 0};
    return NULL;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_one(call, cut_below_zero, error);
}

const struct kernel kernel_relu[] = {{"Relu", 1, KERNEL_ANY, run}, {0}};
