/* Sign: -1, 0 or 1; what is not a number stays so. */
#include "kernel/elementwise.h"

#include <math.h>

static const char *sign(enum number_kind kind, union number a, union number *result)
{
    if (kind == NUMBER_REAL)
        result->d = isnan(a.d) ? a.d : (double)((a.d > 0) - (a.d < 0));
    else
        result->i = kind == NUMBER_SIGNED ? (a.i > 0) - (a.i < 0) : a.u > 0;
    return NULL;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_one(call, sign, error);
}

const struct kernel kernel_sign[] = {{"Sign", 9, KERNEL_ANY, run}, {0}};
