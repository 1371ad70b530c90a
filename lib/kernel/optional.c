/* Optional: its input as an optional, or one that holds nothing. */
#include "kernel/sequence.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = sequence_arity(call, 0, 1, error);
    struct value value = kernel_value(call, 0);
    if (status != OPSHIFT_OK)
        return status;
    if (value.kind == VALUE_ABSENT)
        value = (struct value){.kind = VALUE_NONE};
    return kernel_result(call, 0, value_keep(value), error);
}

const struct kernel kernel_optional[] = {{"Optional", 15, KERNEL_ANY, run}, {0}};
