/* GreaterOrEqual: is the first not below the second? Nothing is above what is not a number. */
#include "kernel/elementwise.h"

static bool not_below(enum number_kind kind, union number a, union number b)
{
    return kind == NUMBER_REAL ? a.d >= b.d : kind == NUMBER_SIGNED ? a.i >= b.i : a.u >= b.u;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_compare(call, not_below, error);
}

const struct kernel kernel_greater_or_equal[] = {{"GreaterOrEqual", 12, KERNEL_ANY, run}, {0}};
