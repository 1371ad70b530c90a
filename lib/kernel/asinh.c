/* Asinh: the inverse of the hyperbolic sine. */
#include "kernel/elementwise.h"

#include <math.h>

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_real(call, asinh, error);
}

const struct kernel kernel_asinh[] = {{"Asinh", 9, KERNEL_ANY, run}, {0}};
