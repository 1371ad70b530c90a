/* HardSwish: each element times what HardSigmoid makes of it with 1/6 and 0.5. */
#include "kernel/elementwise.h"

#include <math.h>

static double curve(double x)
{
    return x * fmax(0, fmin(1, x / 6 + 0.5));
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_real(call, curve, error);
}

const struct kernel kernel_hard_swish[] = {{"HardSwish", 14, KERNEL_ANY, run}, {0}};
