/* Sigmoid: from 0 to 1 along an S. */
#include "kernel/elementwise.h"

#include <math.h>

static double curve(double x)
{
    return 1 / (1 + exp(-x));
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_real(call, curve, error);
}

const struct kernel kernel_sigmoid[] = {{"Sigmoid", 1, KERNEL_ANY, run}, {0}};
