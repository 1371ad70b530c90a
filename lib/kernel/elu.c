/* Elu: elements below 0 bent towards -alpha. */
#include "kernel/elementwise.h"

#include <math.h>

static double curve(double x, const float *p)
{
    return x < 0 ? p[0] * expm1(x) : x;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    static const struct elementwise_parameter parameters[] = {{"alpha", 1}};
    return elementwise_shaped(call, curve, parameters, COUNT(parameters), error);
}

const struct kernel kernel_elu[] = {{"Elu", 1, KERNEL_ANY, run}, {0}};
