/* ArgMax: where along an axis the greatest element is; the first of several, or the last when asked for. */
#include "kernel/arg.h"

static bool is_better(enum number_kind kind, union number a, union number b)
{
    return kind == NUMBER_REAL ? a.d > b.d : kind == NUMBER_SIGNED ? a.i > b.i : a.u > b.u;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return arg_run(call, is_better, error);
}

const struct kernel kernel_arg_max[] = {{"ArgMax", 1, KERNEL_ANY, run}, {0}};
