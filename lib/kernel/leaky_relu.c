/* LeakyRelu: elements below 0 times alpha. */
#include "kernel/elementwise.h"

static double curve(double x, const float *p)
{
    return x < 0 ? p[0] * x : x;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    static const struct elementwise_parameter parameters[] = {{"alpha", 0.01F}};
    return elementwise_shaped(call, curve, parameters, COUNT(parameters), error);
}

const struct kernel kernel_leaky_relu[] = {{"LeakyRelu", 1, KERNEL_ANY, run}, {0}};
