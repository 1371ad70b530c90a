/* IsInf: is an element infinite, on a side that is asked for? */
#include <math.h>

#include "kernel/element.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    int64_t negative = 1, positive = 1;
    enum opshift_status status = kernel_arity(call, 1, 1, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "detect_negative", &negative, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "detect_positive", &positive, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    if (!element_is_number(input->type) || element_kind(input->type) != NUMBER_REAL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "elements of type %s are no real numbers",
                            type_name(input->type));
    status = kernel_output(call, 0, OPSHIFT_TYPE_BOOL, input->rank, input->dims, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++) {
        double value = element_load(input, i).d;
        ((uint8_t *)call->outputs[0]->data)[i] = isinf(value) && (value < 0 ? negative : positive) != 0;
    }
    return status;
}

const struct kernel kernel_is_inf[] = {{"IsInf", 10, KERNEL_ANY, run}, {0}};
