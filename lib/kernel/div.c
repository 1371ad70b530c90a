/* Div: the quotient; whole numbers are cut towards zero, and nothing divides by a whole zero. */
#include "kernel/elementwise.h"

static const char *divide(enum number_kind kind, union number a, union number b, union number *result)
{
    if (kind == NUMBER_REAL) {
        result->d = a.d / b.d;
        return NULL;
    }
    if (b.u == 0)
        return "division by zero";
    if (kind == NUMBER_UNSIGNED)
        result->u = a.u / b.u;
    else if (b.i == -1)
        result->u = 0 - a.u; /* the least int64 has no positive counterpart: it wraps around */
    else
        result->i = a.i / b.i;
    return NULL;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_two(call, divide, error);
}

const struct kernel kernel_div[] = {{"Div", 1, KERNEL_ANY, run}, {0}};
