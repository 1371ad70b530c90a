/* Abs: the size without the sign; the least whole number stays as it is. */
#include "kernel/elementwise.h"

#include <math.h>

static const char *size(enum number_kind kind, union number a, union number *result)
{
    if (kind == NUMBER_REAL)
        result->d = fabs(a.d);
    else
        result->u = kind == NUMBER_SIGNED && a.i < 0 ? 0 - a.u : a.u;
    return NULL;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_one(call, size, error);
}

const struct kernel kernel_abs[] = {{"Abs", 1, KERNEL_ANY, run}, {0}};
