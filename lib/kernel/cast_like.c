/* CastLike: elements of the first input in the type of the second. */
#include "kernel/convert.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct element_rounding rounding;
    enum opshift_status status = kernel_arity(call, 2, 2, error);
    if (status == OPSHIFT_OK)
        status = convert_rounding(call, &rounding, error);
    return status == OPSHIFT_OK ? convert_elements(call, call->inputs[1]->type, &rounding, error) : status;
}

const struct kernel kernel_cast_like[] = {{"CastLike", 15, KERNEL_ANY, run}, {0}};
