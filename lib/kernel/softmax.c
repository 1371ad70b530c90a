/* Softmax, LogSoftmax and Hardmax, computed line by line. */
#include "kernel/support.h"

#include <math.h>

#include "model/number.h"

/* The sum of exp(x - max); *greatest: the maximum. */
static double softmax_sum(const double *from, uint64_t count, double *greatest)
{
    double sum = 0;
    *greatest = from[0];
    for (uint64_t i = 1; i < count; i++)
        *greatest = fmax(*greatest, from[i]);
    for (uint64_t i = 0; i < count; i++)
        sum += exp(from[i] - *greatest);
    return sum;
}

/* Each line has `count` elements with a constant stride. */
static enum opshift_status compute(struct kernel_call *call, const struct number_type *type, uint64_t count,
                                   uint64_t apart, struct opshift_error *error)
{
    const char *from = call->inputs[0]->data;
    char *to = call->outputs[0]->data;
    double *numbers = arena_alloc(call->arena, count + 1, sizeof(*numbers));
    double *results = arena_alloc(call->arena, count + 1, sizeof(*results));
    if (numbers == NULL || results == NULL)
        return opshift_no_memory(error);
    for (uint64_t at = 0; at < call->inputs[0]->count / count; at++) {
        uint64_t first = at / apart * apart * count + at % apart;
        for (uint64_t i = 0; i < count; i++)
            numbers[i] = type->load(from + (first + i * apart) * type->size).d;
        call->how.line(numbers, results, count);
        for (uint64_t i = 0; i < count; i++)
            type->store(to + (first + i * apart) * type->size, (union number){.d = results[i]});
    }
    return OPSHIFT_OK;
}

/* how.line: computes one line. Before opset 13 a line is all elements from the axis (default 1) on; since then those
 * along the axis (default: the last). */
static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    bool flat = call->operation.opset < 13;
    int64_t axis = kernel_int(call, ATTRIBUTE_AXIS);
    uint32_t place = 0;
    uint64_t count = 1, apart = 1;
    const struct tensor *input = call->inputs[0];
    const struct number_type *type = number_type(input->type);
    /* With axis = rank, each element is a line. */
    bool behind = flat && axis == (int64_t)input->rank;
    enum opshift_status status = behind ? OPSHIFT_OK : kernel_axis(axis, input->rank, &place, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, input->type, input->rank, input->dims, error);
    if (status || input->count == 0)
        return status;
    status = kernel_work(call, input->count, 2 * (uint64_t)STEPS_CURVE, error);
    if (status)
        return status;
    for (uint32_t i = place; i < input->rank && !behind; i++)
        *(flat || i == place ? &count : &apart) *= (uint64_t)input->dims[i];
    return compute(call, type, count, apart, error);
}

static void softmax(const double *from, double *to, uint64_t count)
{
    double greatest, sum = softmax_sum(from, count, &greatest);
    for (uint64_t i = 0; i < count; i++)
        to[i] = exp(from[i] - greatest) / sum;
}

/* Computed directly, as the logarithm of Softmax would underflow. */
static void log_softmax(const double *from, double *to, uint64_t count)
{
    double greatest, sum = softmax_sum(from, count, &greatest);
    for (uint64_t i = 0; i < count; i++)
        to[i] = from[i] - greatest - log(sum);
}

/* 1 for the first maximum, 0 elsewhere. */
static void hardmax(const double *from, double *to, uint64_t count)
{
    uint64_t best = 0;
    for (uint64_t i = 1; i < count; i++)
        best = from[i] > from[best] ? i : best;
    for (uint64_t i = 0; i < count; i++)
        to[i] = i == best;
}

const struct kernel kernels_softmax[] = {
    {OPERATOR_HARDMAX, 1, KERNEL_ANY, run, {.line = hardmax}},
    {OPERATOR_LOG_SOFTMAX, 1, KERNEL_ANY, run, {.line = log_softmax}},
    {OPERATOR_SOFTMAX, 1, KERNEL_ANY, run, {.line = softmax}},
    {0},
};
