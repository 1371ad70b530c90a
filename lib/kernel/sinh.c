/* Sinh: the hyperbolic sine. */
#include "kernel/elementwise.h"

#include <math.h>

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_real(call, sinh, error);
}

const struct kernel kernel_sinh[] = {{"Sinh", 9, KERNEL_ANY, run}, {0}};
