/* Floor: the greatest whole number that is not above. */
#include "kernel/elementwise.h"

#include <math.h>

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_real(call, floor, error);
}

const struct kernel kernel_floor[] = {{"Floor", 1, KERNEL_ANY, run}, {0}};
