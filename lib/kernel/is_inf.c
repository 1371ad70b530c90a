/* IsInf: is an element infinite, on a side that is asked for? */
#include <math.h>

#include "kernel/element.h"

struct sides {
    int64_t negative, positive;
};

static bool is_infinite(double value, const void *context)
{
    const struct sides *sides = context;
    return isinf(value) && (value < 0 ? sides->negative : sides->positive) != 0;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct sides sides = {1, 1};
    enum opshift_status status = kernel_int(call, "detect_negative", &sides.negative, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "detect_positive", &sides.positive, error);
    return status == OPSHIFT_OK ? element_ask(call, is_infinite, &sides, error) : status;
}

const struct kernel kernel_is_inf[] = {{"IsInf", 10, KERNEL_ANY, run}, {0}};
