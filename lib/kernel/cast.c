/* Cast: numbers of one type as numbers of another, wherever ONNX says what comes out. */
#include "model/number.h"
#include "kernel/support.h"

#include <math.h>

/* A whole number as a double that rounds on to any smaller type as the number itself would: what a double cannot hold
 * is folded into its last bit. */
static double real_of_whole(enum opshift_type to, bool negative, uint64_t magnitude)
{
    if (to != OPSHIFT_TYPE_DOUBLE && magnitude >> 53 != 0)
        magnitude = (magnitude & ~UINT64_C(0x7ff)) | (magnitude & 0x7ff ? 0x800 : 0);
    return negative ? -(double)magnitude : (double)magnitude;
}

/* Real to whole cuts towards zero; what does not fit has no defined result. */
static bool whole_of_real(const struct number_type *to, double value, union number *result)
{
    int bits = to->size * 8 - (to->kind == NUMBER_SIGNED);
    double whole = trunc(value), end = ldexp(1, bits);
    if (isnan(value) || whole >= end || whole < (to->kind == NUMBER_SIGNED ? -end : 0))
        return false;
    if (to->kind == NUMBER_SIGNED)
        result->i = (int64_t)whole;
    else
        result->u = (uint64_t)whole;
    return true;
}

static bool convert(const struct number_type *from, const struct number_type *to, union number value,
                    union number *result)
{
    *result = value;
    if (to->type == OPSHIFT_TYPE_BOOL)
        result->u = from->kind == NUMBER_REAL ? value.d != 0 : value.u != 0;
    else if (from->kind == NUMBER_REAL && to->kind != NUMBER_REAL)
        return whole_of_real(to, value.d, result);
    else if (from->kind == NUMBER_SIGNED && to->kind == NUMBER_REAL)
        result->d = real_of_whole(to->type, value.i < 0, value.i < 0 ? 0 - value.u : value.u);
    else if (from->kind == NUMBER_UNSIGNED && to->kind == NUMBER_REAL)
        result->d = real_of_whole(to->type, false, value.u);
    return true;
}

static enum opshift_status cast_elements(struct kernel_call *call, const struct number_type *from,
                                         const struct number_type *to, struct opshift_error *error)
{
    for (uint64_t i = 0; i < call->inputs[0]->count; i++) {
        union number value = from->load((const char *)call->inputs[0]->data + i * from->size), result;
        if (!convert(from, to, value, &result))
            return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                                "element %llu, %g, is beyond %s, and ONNX does not say what becomes of it",
                                (unsigned long long)i, value.d, type_name(to->type));
        to->store((char *)call->outputs[0]->data + i * to->size, result);
    }
    return OPSHIFT_OK;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    int64_t wanted = OPSHIFT_TYPE_UNDEFINED;
    enum opshift_status status = kernel_arity(call, 1, 1, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "to", &wanted, error);
    if (status != OPSHIFT_OK)
        return status;
    if (wanted <= OPSHIFT_TYPE_UNDEFINED || wanted >= OPSHIFT_TYPE_COUNT)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'to' is %lld, which is no element type",
                            (long long)wanted);
    const struct tensor *input = call->inputs[0];
    if ((int64_t)input->type == wanted)
        return kernel_view(call, input, input->rank, input->dims, error);
    const struct number_type *from = number_type(input->type), *to = number_type((enum opshift_type)wanted);
    if (from == NULL || to == NULL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "from %s to %s is not computed here", type_name(input->type),
                            type_name((enum opshift_type)wanted));
    status = kernel_output(call, 0, to->type, input->rank, input->dims, error);
    return status == OPSHIFT_OK ? cast_elements(call, from, to, error) : status;
}

const struct kernel kernel_cast[] = {{"Cast", 6, KERNEL_ANY, run}, {0}};
