/* Ceil: the least whole number that is not below. */
#include "kernel/elementwise.h"

#include <math.h>

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_real(call, ceil, error);
}

const struct kernel kernel_ceil[] = {{"Ceil", 1, KERNEL_ANY, run}, {0}};
