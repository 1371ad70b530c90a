/* Neg: the opposite number; the least whole number stays as it is. */
#include "model/number.h"
#include "kernel/support.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = kernel_arity(call, 1, 1, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    const struct number_type *type = number_type(input->type);
    if (type == NULL || type->kind == NUMBER_UNSIGNED)
        return opshift_fail(error, OPSHIFT_MALFORMED, "elements of type %s have no sign", type_name(input->type));
    status = kernel_output(call, 0, input->type, input->rank, input->dims, error);
    if (status != OPSHIFT_OK)
        return status;
    for (uint64_t at = 0; at < input->count * type->size; at += type->size) {
        union number value = type->load((const char *)input->data + at);
        if (type->kind == NUMBER_REAL)
            value.d = -value.d;
        else
            value.u = 0 - value.u;
        type->store((char *)call->outputs[0]->data + at, value);
    }
    return OPSHIFT_OK;
}

const struct kernel kernel_neg[] = {{"Neg", 6, KERNEL_ANY, run}, {0}};
