/* Size: how many elements the input has. */
#include "kernel/support.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = kernel_arity(call, 1, 1, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, OPSHIFT_TYPE_INT64, 0, NULL, error);
    if (status == OPSHIFT_OK)
        *(int64_t *)call->outputs[0]->data = (int64_t)call->inputs[0]->count;
    return status;
}

const struct kernel kernel_size[] = {{"Size", 1, KERNEL_ANY, run}, {0}};
