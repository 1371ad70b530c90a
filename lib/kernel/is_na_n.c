/* IsNaN: is an element not a number? */
#include <math.h>

#include "kernel/element.h"

static bool is_nan(double value, const void *context)
{
    (void)context;
    return isnan(value) != 0;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    return element_ask(call, is_nan, NULL, error);
}

const struct kernel kernel_is_na_n[] = {{"IsNaN", 9, KERNEL_ANY, run}, {0}};
