/* Range: numbers from start to limit (excluded) by delta. */
#include "model/number.h"
#include "kernel/support.h"

#include <math.h>

/* The number of elements; -1: too many. */
static int64_t count_whole(int64_t start, int64_t limit, int64_t step)
{
    int64_t way;
    if (__builtin_sub_overflow(limit, start, &way))
        return -1; /* runtimes subtract in int64 */
    if (step > 0 ? limit <= start : limit >= start)
        return 0;
    uint64_t distance = step > 0 ? (uint64_t)limit - (uint64_t)start : (uint64_t)start - (uint64_t)limit;
    uint64_t stride = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    return (int64_t)((distance - 1) / stride + 1);
}

static int64_t count_real(double start, double limit, double step)
{
    double count = ceil((limit - start) / step);
    if (isnan(count) || count >= ldexp(1, 62))
        return -1;
    return count > 0 ? (int64_t)count : 0;
}

static enum opshift_status check_inputs(const struct kernel_call *call, struct opshift_error *error)
{
    for (uint32_t i = 0; i < 3; i++)
        if (call->inputs[i]->count != 1)
            return opshift_fail(error, OPSHIFT_MALFORMED, "input %u has %llu elements, must be a scalar", i,
                                (unsigned long long)call->inputs[i]->count);
    return OPSHIFT_OK;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = check_inputs(call, error);
    if (status)
        return status;
    const struct number_type *type = number_type(call->inputs[0]->type);
    union number start = type->load(call->inputs[0]->data), limit = type->load(call->inputs[1]->data),
                 step = type->load(call->inputs[2]->data);
    bool real = type->kind == NUMBER_REAL;
    if (real ? step.d == 0 : step.i == 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the step is 0");
    int64_t count = real ? count_real(start.d, limit.d, step.d) : count_whole(start.i, limit.i, step.i);
    if (count < 0)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the range has no end that can be counted");
    status = kernel_output(call, 0, type->type, 1, &count, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, (uint64_t)count, STEPS_COMPUTE, error);
    for (int64_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        union number value;
        if (real)
            value.d = start.d + (double)i * step.d;
        else
            value.u = start.u + (uint64_t)i * step.u;
        type->store((char *)call->outputs[0]->data + (size_t)i * type->size, value);
    }
    return status;
}

const struct kernel kernels_range[] = {{OPERATOR_RANGE, 11, KERNEL_ANY, run, {0}}, {0}};
