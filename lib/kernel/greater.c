/* Greater: is the first above the second? Nothing is above what is not a number. */
#include "kernel/elementwise.h"

static bool above(enum number_kind kind, union number a, union number b)
{
    return kind == NUMBER_REAL ? a.d > b.d : kind == NUMBER_SIGNED ? a.i > b.i : a.u > b.u;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_compare(call, above, error);
}

const struct kernel kernel_greater[] = {{"Greater", 1, KERNEL_ANY, run}, {0}};
