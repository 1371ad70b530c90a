/* Neg: the opposite number; the least whole number stays as it is. */
#include "kernel/elementwise.h"

static const char *negate(enum number_kind kind, union number a, union number *result)
{
    if (kind == NUMBER_REAL)
        result->d = -a.d;
    else
        result->u = 0 - a.u;
    return NULL;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    const struct tensor *input = kernel_input(call, 0);
    const struct number_type *type = input == NULL ? NULL : number_type(input->type);
    if (type != NULL && type->kind == NUMBER_UNSIGNED)
        return opshift_fail(error, OPSHIFT_MALFORMED, "elements of type %s have no sign", type_name(input->type));
    return elementwise_one(call, negate, error);
}

const struct kernel kernel_neg[] = {{"Neg", 1, KERNEL_ANY, run}, {0}};
