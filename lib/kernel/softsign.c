/* Softsign: each element divided by 1 plus its size. */
#include "kernel/elementwise.h"

#include <math.h>

static double curve(double x)
{
    return x / (1 + fabs(x));
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_real(call, curve, error);
}

const struct kernel kernel_softsign[] = {{"Softsign", 1, KERNEL_ANY, run}, {0}};
