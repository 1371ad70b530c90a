/* HardSigmoid: alpha times each element plus beta, within 0 and 1. */
#include "kernel/elementwise.h"

#include <math.h>

static double curve(double x, const float *p)
{
    double y = p[0] * x + p[1];
    return isnan(y) ? y : fmax(0, fmin(1, y));
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    static const struct elementwise_parameter parameters[] = {{"alpha", 0.2F}, {"beta", 0.5F}};
    return elementwise_shaped(call, curve, parameters, COUNT(parameters), error);
}

const struct kernel kernel_hard_sigmoid[] = {{"HardSigmoid", 1, KERNEL_ANY, run}, {0}};
