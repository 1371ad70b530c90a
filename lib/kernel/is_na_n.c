/* IsNaN: is an element not a number? */
#include <math.h>

#include "kernel/element.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = kernel_arity(call, 1, 1, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    if (!element_is_number(input->type) || element_kind(input->type) != NUMBER_REAL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "elements of type %s are no real numbers",
                            type_name(input->type));
    status = kernel_output(call, 0, OPSHIFT_TYPE_BOOL, input->rank, input->dims, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++)
        ((uint8_t *)call->outputs[0]->data)[i] = isnan(element_load(input, i).d) != 0;
    return status;
}

const struct kernel kernel_is_na_n[] = {{"IsNaN", 9, KERNEL_ANY, run}, {0}};
