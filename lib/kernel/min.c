/* Min: the least of its inputs, element by element; a NaN wins. */
#include "kernel/elementwise.h"

#include <math.h>

static const char *less(enum number_kind kind, union number a, union number b, union number *result)
{
    if (kind == NUMBER_REAL)
        *result = isnan(a.d) || (!isnan(b.d) && a.d < b.d) ? a : b;
    else if (kind == NUMBER_UNSIGNED)
        *result = a.u < b.u ? a : b;
    else
        *result = a.i < b.i ? a : b;
    return NULL;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_all(call, less, error);
}

const struct kernel kernel_min[] = {{"Min", 1, KERNEL_ANY, run}, {0}};
