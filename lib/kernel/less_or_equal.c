/* LessOrEqual: is the first not above the second? Nothing is below what is not a number. */
#include "kernel/elementwise.h"

static bool not_above(enum number_kind kind, union number a, union number b)
{
    return kind == NUMBER_REAL ? a.d <= b.d : kind == NUMBER_SIGNED ? a.i <= b.i : a.u <= b.u;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_compare(call, not_above, error);
}

const struct kernel kernel_less_or_equal[] = {{"LessOrEqual", 12, KERNEL_ANY, run}, {0}};
