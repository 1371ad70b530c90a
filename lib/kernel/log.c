/* Log: the natural logarithm. */
#include "kernel/elementwise.h"

#include <math.h>

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_real(call, log, error);
}

const struct kernel kernel_log[] = {{"Log", 1, KERNEL_ANY, run}, {0}};
