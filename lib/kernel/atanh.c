/* Atanh: the inverse of the hyperbolic tangent. */
#include "kernel/elementwise.h"

#include <math.h>

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_real(call, atanh, error);
}

const struct kernel kernel_atanh[] = {{"Atanh", 9, KERNEL_ANY, run}, {0}};
