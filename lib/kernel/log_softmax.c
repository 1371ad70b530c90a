/* LogSoftmax: the logarithm of what Softmax gives, without its rounding to 0. */
#include <math.h>

#include "kernel/softmax_lines.h"

static void line(const double *from, double *to, uint64_t count)
{
    double greatest, sum = softmax_sum(from, count, &greatest);
    for (uint64_t i = 0; i < count; i++)
        to[i] = from[i] - greatest - log(sum);
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return softmax_lines(call, line, error);
}

const struct kernel kernel_log_softmax[] = {{"LogSoftmax", 1, KERNEL_ANY, run}, {0}};
