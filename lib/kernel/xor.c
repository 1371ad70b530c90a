/* Xor: is exactly one of them true? */
#include "kernel/elementwise.h"

static bool differ(bool a, bool b)
{
    return a != b;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return elementwise_bools(call, differ, error);
}

const struct kernel kernel_xor[] = {{"Xor", 1, KERNEL_ANY, run}, {0}};
