/* Elements of every numeric type as numbers: the types of model/number.h and the small types that it lacks. */
#include "kernel/element.h"

#include <math.h>

/* A float of 8 bits or less: sign, exponent, fraction. */
struct small_float {
    enum opshift_type type;
    int exponent_bits, fraction_bits, bias;
    uint8_t greatest; /* bits of the largest finite value */
    uint8_t infinity; /* 0: none */
    uint8_t nan;      /* 0: none */
    bool has_minus_zero;
};

static const struct small_float small_floats[] = {
    {OPSHIFT_TYPE_FLOAT8E4M3FN, 4, 3, 7, 0x7e, 0, 0x7f, true},
    {OPSHIFT_TYPE_FLOAT8E4M3FNUZ, 4, 3, 8, 0x7f, 0, 0x80, false},
    {OPSHIFT_TYPE_FLOAT8E5M2, 5, 2, 15, 0x7b, 0x7c, 0x7f, true},
    {OPSHIFT_TYPE_FLOAT8E5M2FNUZ, 5, 2, 16, 0x7f, 0, 0x80, false},
    {OPSHIFT_TYPE_FLOAT4E2M1, 2, 1, 1, 0x07, 0, 0, true},
};

static const struct small_float *small_float(enum opshift_type type)
{
    for (size_t i = 0; i < COUNT(small_floats); i++)
        if (small_floats[i].type == type)
            return &small_floats[i];
    return NULL;
}

static double decode(const struct small_float *format, uint8_t bits)
{
    int width = 1 + format->exponent_bits + format->fraction_bits;
    uint8_t sign = (uint8_t)(1u << (width - 1)), size = bits & (uint8_t)(sign - 1);
    int exponent = size >> format->fraction_bits, fraction = size & ((1 << format->fraction_bits) - 1);
    if (format->nan != 0 &&
        (format->has_minus_zero ? size > format->greatest && size != format->infinity : bits == format->nan))
        return NAN;
    double value =
        exponent == 0 ? ldexp(fraction, 1 - format->bias - format->fraction_bits)
                      : ldexp(fraction + (1 << format->fraction_bits), exponent - format->bias - format->fraction_bits);
    if (format->infinity != 0 && size == format->infinity)
        value = INFINITY;
    return bits & sign ? -value : value;
}

/* Rounds the magnitude to nearest, ties to even. */
static uint8_t encode_size(const struct small_float *format, double value, bool saturate)
{
    int exponent = 0, least = 1 - format->bias;
    if (isfinite(value) && value > 0) {
        frexp(value, &exponent);
        int unit = (exponent - 1 < least ? least : exponent - 1) - format->fraction_bits;
        value = ldexp(nearbyint(ldexp(value, -unit)), unit);
    }
    if (value > decode(format, format->greatest))
        return saturate || format->nan == 0 ? format->greatest : format->infinity != 0 ? format->infinity : format->nan;
    if (value < ldexp(1, least))
        return (uint8_t)ldexp(value, format->fraction_bits - least);
    frexp(value, &exponent);
    int fraction = (int)ldexp(value, format->fraction_bits + 1 - exponent) - (1 << format->fraction_bits);
    return (uint8_t)(((exponent - 1 + format->bias) << format->fraction_bits) + fraction);
}

static uint8_t encode(const struct small_float *format, double value, bool saturate)
{
    uint8_t sign = (uint8_t)(1u << (format->exponent_bits + format->fraction_bits));
    if (isnan(value))
        return (uint8_t)(format->nan | (signbit(value) ? sign : 0));
    uint8_t size = encode_size(format, fabs(value), saturate);
    if (!signbit(value) || (size == 0 && !format->has_minus_zero) || (size == format->nan && !format->has_minus_zero))
        return size;
    return size | sign;
}

/* Encodes a power of 2 without sign. */
static uint8_t encode_power(double value, const struct element_rounding *rounding)
{
    int exponent;
    if (isnan(value) || value < 0 || (isinf(value) && !rounding->saturate))
        return 0xff;
    if (value == 0)
        return 0;
    if (isinf(value))
        return 0xfe;
    double half = frexp(value, &exponent); /* value = half * 2^exponent, 0.5 <= half < 1 */
    exponent--;
    if (half > 0.5 && (rounding->power == ROUND_UP || (rounding->power == ROUND_NEAR && half >= 0.75)))
        exponent++;
    if (exponent > 127)
        return rounding->saturate ? 0xfe : 0xff;
    return (uint8_t)(exponent < -127 ? 0 : exponent + 127);
}

/* ---- any type ---- */

static bool is_small_whole(enum opshift_type type)
{
    return type == OPSHIFT_TYPE_INT4 || type == OPSHIFT_TYPE_UINT4 || type == OPSHIFT_TYPE_INT2 ||
           type == OPSHIFT_TYPE_UINT2;
}

static bool is_signed_small(enum opshift_type type)
{
    return type == OPSHIFT_TYPE_INT4 || type == OPSHIFT_TYPE_INT2;
}

bool element_is_number(enum opshift_type type)
{
    return number_type(type) != NULL || is_small_whole(type) || small_float(type) != NULL ||
           type == OPSHIFT_TYPE_FLOAT8E8M0;
}

enum number_kind element_kind(enum opshift_type type)
{
    const struct number_type *known = number_type(type);
    if (known != NULL)
        return known->kind;
    if (is_small_whole(type))
        return is_signed_small(type) ? NUMBER_SIGNED : NUMBER_UNSIGNED;
    return NUMBER_REAL;
}

int element_whole_bits(enum opshift_type type)
{
    return (int)type_bits(type) - (element_kind(type) == NUMBER_SIGNED);
}

union number element_load(const struct tensor *tensor, uint64_t at)
{
    const struct number_type *known = number_type(tensor->type);
    if (known != NULL)
        return known->load((const char *)tensor->data + at * known->size);
    uint32_t bits = type_bits(tensor->type), per_byte = 8 / bits;
    uint8_t byte = ((const uint8_t *)tensor->data)[at / per_byte];
    uint32_t raw = byte >> (at % per_byte * bits) & ((1u << bits) - 1);
    if (is_signed_small(tensor->type))
        return (union number){.i = (int64_t)raw - (raw >> (bits - 1) ? INT64_C(1) << bits : 0)};
    if (is_small_whole(tensor->type))
        return (union number){.u = raw};
    if (tensor->type == OPSHIFT_TYPE_FLOAT8E8M0)
        return (union number){.d = raw == 0xff ? (double)NAN : ldexp(1, (int)raw - 127)};
    return (union number){.d = decode(small_float(tensor->type), (uint8_t)raw)};
}

const char *element_store(struct tensor *tensor, uint64_t at, union number number,
                          const struct element_rounding *rounding)
{
    const struct number_type *known = number_type(tensor->type);
    uint32_t raw;
    if (known != NULL) {
        known->store((char *)tensor->data + at * known->size, number);
        return NULL;
    }
    if (is_small_whole(tensor->type)) {
        raw = (uint32_t)number.u;
    } else if (tensor->type == OPSHIFT_TYPE_FLOAT8E8M0) {
        raw = encode_power(number.d, rounding);
    } else {
        const struct small_float *format = small_float(tensor->type);
        if (isnan(number.d) && format->nan == 0)
            return "NaN";
        raw = encode(format, number.d, rounding->saturate);
    }
    uint32_t bits = type_bits(tensor->type), per_byte = 8 / bits, mask = (1u << bits) - 1;
    uint32_t shift = (uint32_t)(at % per_byte * bits);
    uint8_t *byte = (uint8_t *)tensor->data + at / per_byte;
    *byte = (uint8_t)((*byte & ~(mask << shift)) | (raw & mask) << shift);
    return NULL;
}
