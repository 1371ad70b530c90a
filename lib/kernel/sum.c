/* Sum: all inputs added up, element by element. */
#include "kernel/elementwise.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_all(call, elementwise_add, error);
}

const struct kernel kernel_sum[] = {{"Sum", 1, KERNEL_ANY, run}, {0}};
