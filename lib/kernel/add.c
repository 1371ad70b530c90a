/* Add: the sum; whole numbers wrap around. */
#include "kernel/elementwise.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_two(call, elementwise_add, error);
}

const struct kernel kernel_add[] = {{"Add", 1, KERNEL_ANY, run}, {0}};
