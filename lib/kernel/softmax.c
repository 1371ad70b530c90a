/* Softmax: e to the power of each element, as a part of their sum. */
#include <math.h>

#include "kernel/softmax_lines.h"

static void line(const double *from, double *to, uint64_t count)
{
    double greatest, sum = softmax_sum(from, count, &greatest);
    for (uint64_t i = 0; i < count; i++)
        to[i] = exp(from[i] - greatest) / sum;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return softmax_lines(call, line, error);
}

const struct kernel kernel_softmax[] = {{"Softmax", 1, KERNEL_ANY, run}, {0}};
