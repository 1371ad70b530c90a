/* OptionalGetElement: what an optional holds. */
#include "kernel/sequence.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = sequence_arity(call, 1, 1, error);
    if (status != OPSHIFT_OK)
        return status;
    struct value value = kernel_value(call, 0);
    if (value.kind == VALUE_NONE)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the optional holds nothing");
    return kernel_result(call, 0, value_keep(value), error);
}

const struct kernel kernel_optional_get_element[] = {{"OptionalGetElement", 15, KERNEL_ANY, run}, {0}};
