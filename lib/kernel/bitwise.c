/* Bitwise operators on integers, and casts of bits to another type. */
#include "kernel/elementwise.h"

#include <string.h>

/* ---- BitwiseAnd, BitwiseOr, BitwiseXor, BitwiseNot (18) ---- */

static const char *bits_and(enum number_kind kind, union number a, union number b, union number *result)
{
    (void)kind;
    result->u = a.u & b.u;
    return NULL;
}

static const char *bits_or(enum number_kind kind, union number a, union number b, union number *result)
{
    (void)kind;
    result->u = a.u | b.u;
    return NULL;
}

static const char *bits_xor(enum number_kind kind, union number a, union number b, union number *result)
{
    (void)kind;
    result->u = a.u ^ b.u;
    return NULL;
}

/* The bits above the type's width repeat its sign. */
static enum opshift_status run_not(struct kernel_call *call, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    enum opshift_status status = kernel_like(call, input->type, STEPS_COMPUTE, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count * kernel_element(input->type); i++)
        ((uint8_t *)call->outputs[0]->data)[i] = (uint8_t) ~((const uint8_t *)input->data)[i];
    return status;
}

/* ---- BitShift (11): bits shifted out are lost ---- */

static const char *shift_left(enum number_kind kind, union number a, union number b, union number *result)
{
    (void)kind;
    result->u = b.u > 63 ? 0 : a.u << b.u;
    return NULL;
}

static const char *shift_right(enum number_kind kind, union number a, union number b, union number *result)
{
    (void)kind;
    result->u = b.u > 63 ? 0 : a.u >> b.u;
    return NULL;
}

static enum opshift_status run_shift(struct kernel_call *call, struct opshift_error *error)
{
    enum { RIGHT, LEFT };
    unsigned direction = kernel_choice(call, ATTRIBUTE_DIRECTION);
    struct kernel_call wrapping = *call; /* lost bits are not an overflow */
    wrapping.how.combine = direction == LEFT ? shift_left : shift_right;
    wrapping.exact = wrapping.defined = false;
    return elementwise_two(&wrapping, error);
}

/* ---- BitCast (26): the same bits as another type of the same width ---- */

static enum opshift_status run_cast(struct kernel_call *call, struct opshift_error *error)
{
    int64_t to = kernel_int(call, ATTRIBUTE_TO);
    const struct tensor *input = call->inputs[0];
    if (to <= OPSHIFT_TYPE_UNDEFINED || to >= OPSHIFT_TYPE_COUNT || to == OPSHIFT_TYPE_STRING ||
        input->type == OPSHIFT_TYPE_STRING || type_bits((enum opshift_type)to) != type_bits(input->type))
        return opshift_fail(error, OPSHIFT_MALFORMED, "elements of type %s cannot be seen as type %lld: widths differ",
                            type_name(input->type), (long long)to);
    enum opshift_status status = kernel_output(call, 0, (enum opshift_type)to, input->rank, input->dims, error);
    if (status == OPSHIFT_OK && input->count > 0)
        memcpy(call->outputs[0]->data, input->data, type_size(input->type, input->count));
    return status;
}

const struct kernel kernels_bitwise[] = {
    {OPERATOR_BIT_CAST, 26, KERNEL_ANY, run_cast, {0}},
    {OPERATOR_BIT_SHIFT, 11, KERNEL_ANY, run_shift, {0}},
    {OPERATOR_BITWISE_AND, 18, KERNEL_ANY, elementwise_two, {.combine = bits_and}},
    {OPERATOR_BITWISE_NOT, 18, KERNEL_ANY, run_not, {0}},
    {OPERATOR_BITWISE_OR, 18, KERNEL_ANY, elementwise_two, {.combine = bits_or}},
    {OPERATOR_BITWISE_XOR, 18, KERNEL_ANY, elementwise_two, {.combine = bits_xor}},
    {0},
};
