/* Sin: the sine. */
#include "kernel/elementwise.h"

#include <math.h>

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_real(call, sin, error);
}

const struct kernel kernel_sin[] = {{"Sin", 7, KERNEL_ANY, run}, {0}};
