/* OptionalHasElement: does an optional hold something? */
#include "kernel/sequence.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = sequence_arity(call, call->opset < 18 ? 1 : 0, 1, error);
    struct value value = kernel_value(call, 0);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, OPSHIFT_TYPE_BOOL, 0, NULL, error);
    if (status == OPSHIFT_OK)
        *(uint8_t *)call->outputs[0]->data = value.kind != VALUE_NONE && value.kind != VALUE_ABSENT;
    return status;
}

const struct kernel kernel_optional_has_element[] = {{"OptionalHasElement", 15, KERNEL_ANY, run}, {0}};
