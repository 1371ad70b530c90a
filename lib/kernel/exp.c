/* Exp: e to the power of each element. */
#include "kernel/elementwise.h"

#include <math.h>

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_real(call, exp, error);
}

const struct kernel kernel_exp[] = {{"Exp", 1, KERNEL_ANY, run}, {0}};
