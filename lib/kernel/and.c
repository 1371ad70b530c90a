/* And: are both true? */
#include "kernel/elementwise.h"

static bool both(bool a, bool b)
{
    return a && b;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_bools(call, both, error);
}

const struct kernel kernel_and[] = {{"And", 1, KERNEL_ANY, run}, {0}};
