/* Hardmax: 1 where the first of the greatest elements is, 0 elsewhere. */
#include "kernel/softmax_lines.h"

static void line(const double *from, double *to, uint64_t count)
{
    uint64_t best = 0;
    for (uint64_t i = 1; i < count; i++)
        best = from[i] > from[best] ? i : best;
    for (uint64_t i = 0; i < count; i++)
        to[i] = i == best;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return softmax_lines(call, line, error);
}

const struct kernel kernel_hardmax[] = {{"Hardmax", 1, KERNEL_ANY, run}, {0}};
