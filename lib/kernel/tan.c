/* Tan: the tangent. */
#include "kernel/elementwise.h"

#include <math.h>

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_real(call, tan, error);
}

const struct kernel kernel_tan[] = {{"Tan", 7, KERNEL_ANY, run}, {0}};
