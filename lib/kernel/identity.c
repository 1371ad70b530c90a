/* Identity: the input itself. */
#include "kernel/support.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = kernel_arity(call, 1, 1, error);
    if (status != OPSHIFT_OK)
        return status;
    return kernel_view(call, call->inputs[0], call->inputs[0]->rank, call->inputs[0]->dims, error);
}

const struct kernel kernel_identity[] = {{"Identity", 1, KERNEL_ANY, run}, {0}};
