/* Identity: the input itself; since opset 14 also a sequence, since 16 an optional. */
#include "kernel/sequence.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = sequence_arity(call, 1, 1, error);
    if (status != OPSHIFT_OK)
        return status;
    struct value value = kernel_value(call, 0);
    if (value.kind == VALUE_TENSOR)
        return kernel_view(call, value.tensor, value.tensor->rank, value.tensor->dims, error);
    if (call->opset < (value.kind == VALUE_SEQUENCE ? 14 : 16))
        return opshift_fail(error, OPSHIFT_MALFORMED, "input 0 is %s, must be a tensor at opset %lld",
                            value_kind_name(value.kind), (long long)call->opset);
    return kernel_result(call, 0, value_keep(value), error);
}

const struct kernel kernel_identity[] = {{"Identity", 1, KERNEL_ANY, run}, {0}};
