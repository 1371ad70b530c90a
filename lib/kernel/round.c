/* Round: the nearest whole number, the even one of two. */
#include "kernel/elementwise.h"

#include <math.h>

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_real(call, nearbyint, error);
}

const struct kernel kernel_round[] = {{"Round", 11, KERNEL_ANY, run}, {0}};
