/* Mod: the remainder, with the sign of the divisor, or of the dividend when fmod is 1. */
#include "kernel/elementwise.h"

#include <math.h>

static const char *remainder_of_dividend(enum number_kind kind, union number a, union number b, union number *result)
{
    if (kind == NUMBER_REAL) {
        result->d = fmod(a.d, b.d);
        return NULL;
    }
    if (b.u == 0)
        return "division by zero";
    if (kind == NUMBER_UNSIGNED)
        result->u = a.u % b.u;
    else
        result->i = b.i == -1 ? 0 : a.i % b.i;
    return NULL;
}

static const char *remainder_of_divisor(enum number_kind kind, union number a, union number b, union number *result)
{
    const char *wrong = remainder_of_dividend(kind, a, b, result);
    if (wrong == NULL && kind == NUMBER_SIGNED && result->i != 0 && (result->i < 0) != (b.i < 0))
        result->i += b.i;
    return wrong;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    int64_t as_fmod = 0;
    enum opshift_status status = kernel_arity(call, 2, 2, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "fmod", &as_fmod, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct number_type *type = number_type(call->inputs[0]->type);
    if (as_fmod == 0 && type != NULL && type->kind == NUMBER_REAL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "elements of type %s need the attribute fmod = 1",
                            type_name(type->type));
    return elementwise_two(call, as_fmod != 0 ? remainder_of_dividend : remainder_of_divisor, error);
}

const struct kernel kernel_mod[] = {{"Mod", 10, KERNEL_ANY, run}, {0}};
