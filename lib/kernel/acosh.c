/* Acosh: the inverse of the hyperbolic cosine. */
#include "kernel/elementwise.h"

#include <math.h>

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_real(call, acosh, error);
}

const struct kernel kernel_acosh[] = {{"Acosh", 9, KERNEL_ANY, run}, {0}};
