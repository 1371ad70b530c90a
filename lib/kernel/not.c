/* Not: true where the input is false. */
#include "kernel/support.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = kernel_arity(call, 1, 1, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    if (input->type != OPSHIFT_TYPE_BOOL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input 0 is %s, must be bool", type_name(input->type));
    status = kernel_output(call, 0, OPSHIFT_TYPE_BOOL, input->rank, input->dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, input->count, 1, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++)
        ((uint8_t *)call->outputs[0]->data)[i] = ((const uint8_t *)input->data)[i] == 0;
    return status;
}

const struct kernel kernel_not[] = {{"Not", 1, KERNEL_ANY, run}, {0}};
