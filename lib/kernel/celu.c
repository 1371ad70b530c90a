/* Celu: elements below 0 bent towards -alpha, smoothly at 0. */
#include "kernel/elementwise.h"

#include <math.h>

static double curve(double x, const float *p)
{
    return fmax(0, x) + fmin(0, p[0] * expm1(x / p[0]));
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    static const struct elementwise_parameter parameters[] = {{"alpha", 1}};
    return elementwise_shaped(call, curve, parameters, COUNT(parameters), error);
}

const struct kernel kernel_celu[] = {{"Celu", 12, KERNEL_ANY, run}, {0}};
