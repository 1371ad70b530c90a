/* Reciprocal: one divided by each element. */
#include "kernel/elementwise.h"

static double invert(double x)
{
    return 1 / x;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_real(call, invert, error);
}

const struct kernel kernel_reciprocal[] = {{"Reciprocal", 1, KERNEL_ANY, run}, {0}};
