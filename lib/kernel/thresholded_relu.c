/* ThresholdedRelu: 0 where an element is not above alpha. */
#include "kernel/elementwise.h"

static double curve(double x, const float *p)
{
    return x > p[0] ? x : 0;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    static const struct elementwise_parameter parameters[] = {{"alpha", 1}};
    return elementwise_shaped(call, curve, parameters, COUNT(parameters), error);
}

const struct kernel kernel_thresholded_relu[] = {{"ThresholdedRelu", 10, KERNEL_ANY, run}, {0}};
