/* Mish: each element times the hyperbolic tangent of its softplus. */
#include "kernel/elementwise.h"

#include <math.h>

static double curve(double x)
{
    return x * tanh(x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)));
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_real(call, curve, error);
}

const struct kernel kernel_mish[] = {{"Mish", 18, KERNEL_ANY, run}, {0}};
