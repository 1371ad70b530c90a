/* Or: is one of them true? */
#include "kernel/elementwise.h"

static bool either(bool a, bool b)
{
    return a || b;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_bools(call, either, error);
}

const struct kernel kernel_or[] = {{"Or", 1, KERNEL_ANY, run}, {0}};
