/* Pow: the first input to the power of the second, in the type of the first. */
#include "kernel/elementwise.h"

#include <math.h>

#include "kernel/walk.h"

/* Largest integer exact in a double; some runtimes compute integer powers in double. */
#define WHOLE_EXACT 0x1p53

/* Wraps around, as products do. */
static uint64_t whole_power(uint64_t base, uint64_t exponent)
{
    uint64_t product = 1;
    for (; exponent > 0; exponent >>= 1, base *= base)
        product *= exponent & 1 ? base : 1;
    return product;
}

/* An exponent that is an integer from 0 on. */
static bool counts(const struct number_type *type, union number exponent, uint64_t *count)
{
    bool real = type->kind == NUMBER_REAL;
    bool counts = real ? exponent.d >= 0 && exponent.d < 0x1p63 && exponent.d == trunc(exponent.d)
                       : type->kind == NUMBER_UNSIGNED || exponent.i >= 0;
    *count = !counts ? 0 : real ? (uint64_t)exponent.d : exponent.u;
    return counts;
}

/* Integer powers are exact, and wrap around beyond the type. Those by 64 and more, and other results of signed types
 * that are out of range, are the smallest value, as in a cast from real. */
static union number whole_result(const struct number_type *type, union number a, const struct number_type *exponent,
                                 union number b)
{
    uint64_t count;
    bool unit = a.u == 1 || (type->kind == NUMBER_SIGNED && a.i == -1);
    if (unit && exponent->kind != NUMBER_REAL)
        return b.u % 2 == 0 ? (union number){.u = 1} : a;
    if (counts(exponent, b, &count) && (count < 64 || unit || a.u == 0))
        return (union number){.u = whole_power(a.u, count)};
    double about = pow(number_real(type->kind, a), number_real(exponent->kind, b));
    if (type->kind == NUMBER_SIGNED)
        return (union number){.i = number_cut(type, about)};
    return (union number){.u = about > -1 && about < 0x1p64 ? (uint64_t)about : 0};
}

static union number power(const struct number_type *type, union number a, const struct number_type *exponent,
                          union number b)
{
    double by = number_real(exponent->kind, b);
    if (type->kind != NUMBER_REAL)
        return whole_result(type, a, exponent, b);
    return (union number){.d = by == 2 ? a.d * a.d : pow(a.d, by)};
}

/* Is an integer power an integer of its type below a limit? */
static bool power_fits(const struct number_type *type, union number a, const struct number_type *exponent,
                       union number b, double limit)
{
    if (type->kind == NUMBER_REAL)
        return true;
    double about = pow(number_real(type->kind, a), number_real(exponent->kind, b));
    return fabs(about) < limit && about == trunc(about) && whole_fits(type, (union number){.i = (int64_t)about}) &&
           (type->kind == NUMBER_SIGNED || about >= 0);
}

static enum opshift_status raise_elements(struct kernel_call *call, const struct tensor *const *pair,
                                          struct opshift_error *error)
{
    const struct number_type *type = number_type(pair[0]->type), *exponent = number_type(pair[1]->type);
    bool fits = true;
    const double limit = call->defined ? 0x1p63 : WHOLE_EXACT;
    struct walk walk;
    enum opshift_status status = walk_inputs(call, pair, 2, type->type, 2 * (uint64_t)STEPS_CURVE, &walk, error);
    if (status)
        return status;
    for (uint64_t i = 0; i < call->outputs[0]->count; i++, walk_next(&walk)) {
        union number a = type->load((const char *)pair[0]->data + walk.at[0] * type->size);
        union number b = exponent->load((const char *)pair[1]->data + walk.at[1] * exponent->size);
        fits = fits && power_fits(type, a, exponent, b, limit);
        type->store((char *)call->outputs[0]->data + i * type->size, power(type, a, exponent, b));
    }
    return fits ? OPSHIFT_OK : elementwise_overflowed(call, type, error);
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    const struct tensor *pair[2];
    enum opshift_status status = elementwise_operands(call, pair, error);
    return status == OPSHIFT_OK ? raise_elements(call, pair, error) : status;
}

const struct kernel kernels_pow[] = {{OPERATOR_POW, 1, KERNEL_ANY, run, {0}}, {0}};
