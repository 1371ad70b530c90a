/* Erf: the error function. */
#include "kernel/elementwise.h"

#include <math.h>

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_real(call, erf, error);
}

const struct kernel kernel_erf[] = {{"Erf", 9, KERNEL_ANY, run}, {0}};
