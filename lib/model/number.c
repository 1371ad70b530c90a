/* Conversion of elements of every numeric type to int64, uint64 or double. */
#include "model/number.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/tensor.h"

#define WHOLE(name, c_type, member)                                                                                    \
    static union number load_##name(const void *from)                                                                  \
    {                                                                                                                  \
        c_type value;                                                                                                  \
        memcpy(&value, from, sizeof(value));                                                                           \
        return (union number){.member = value};                                                                        \
    }                                                                                                                  \
    static void store_##name(void *to, union number value)                                                             \
    {                                                                                                                  \
        c_type narrow = (c_type)value.u;                                                                               \
        memcpy(to, &narrow, sizeof(narrow));                                                                           \
    }

WHOLE(int8, int8_t, i)
WHOLE(int16, int16_t, i)
WHOLE(int32, int32_t, i)
WHOLE(int64, int64_t, i)
WHOLE(uint8, uint8_t, u)
WHOLE(uint16, uint16_t, u)
WHOLE(uint32, uint32_t, u)
WHOLE(uint64, uint64_t, u)

static union number load_bool(const void *from)
{
    return (union number){.u = *(const uint8_t *)from != 0};
}

static void store_bool(void *to, union number value)
{
    *(uint8_t *)to = value.u != 0;
}

static union number load_float(const void *from)
{
    float value;
    memcpy(&value, from, sizeof(value));
    return (union number){.d = (double)value};
}

static void store_float(void *to, union number value)
{
    float narrow = (float)value.d;
    memcpy(to, &narrow, sizeof(narrow));
}

static union number load_double(const void *from)
{
    union number value;
    memcpy(&value.d, from, sizeof(value.d));
    return value;
}

static void store_double(void *to, union number value)
{
    memcpy(to, &value.d, sizeof(value.d));
}

static union number load_bfloat16(const void *from)
{
    uint16_t half;
    memcpy(&half, from, sizeof(half));
    uint32_t bits = (uint32_t)half << 16;
    return load_float(&bits);
}

/* Rounds a double to `digits` bits of fraction with exponents from `least` up (below: subnormal). */
static double round_to(double value, int digits, int least)
{
    int exponent;
    if (value == 0 || !isfinite(value))
        return value;
    frexp(value, &exponent);
    int unit = (exponent - 1 < least ? least : exponent - 1) - digits;
    return ldexp(nearbyint(ldexp(value, -unit)), unit);
}

static void store_bfloat16(void *to, union number value)
{
    uint32_t bits;
    store_float(&bits, (union number){.d = round_to(value.d, 7, -126)});
    uint16_t half = (uint16_t)(bits >> 16);
    if (isnan(value.d))
        half |= 0x40;
    memcpy(to, &half, sizeof(half));
}

static union number load_float16(const void *from)
{
    uint16_t half;
    memcpy(&half, from, sizeof(half));
    int exponent = (half >> 10) & 31, fraction = half & 1023;
    double value = exponent == 31  ? (fraction != 0 ? (double)NAN : (double)INFINITY)
                   : exponent == 0 ? ldexp(fraction, -24)
                                   : ldexp(fraction + 1024, exponent - 25);
    return (union number){.d = half & 0x8000 ? -value : value};
}

static uint16_t float16_bits(double value)
{
    int exponent;
    if (isnan(value))
        return 0x7e00;
    value = round_to(fabs(value), 10, -14);
    if (value >= 65536)
        return 0x7c00;
    if (value < ldexp(1, -14))
        return (uint16_t)ldexp(value, 24);
    frexp(value, &exponent);
    return (uint16_t)(((exponent + 14) << 10) + ((int)ldexp(value, 11 - exponent) - 1024));
}

static void store_float16(void *to, union number value)
{
    uint16_t half = (uint16_t)(float16_bits(value.d) | (signbit(value.d) ? 0x8000 : 0));
    memcpy(to, &half, sizeof(half));
}

#define RUNS(name, size)                                                                                               \
    static void load_run_##name(union number *to, const void *from, ptrdiff_t step, size_t count)                      \
    {                                                                                                                  \
        for (size_t i = 0; i < count; i++)                                                                             \
            to[i] = load_##name((const uint8_t *)from + (ptrdiff_t)i * step);                                          \
    }                                                                                                                  \
    static void store_run_##name(void *to, const union number *from, size_t count)                                     \
    {                                                                                                                  \
        for (size_t i = 0; i < count; i++)                                                                             \
            store_##name((uint8_t *)to + i * (size), from[i]);                                                         \
    }

RUNS(int8, 1)
RUNS(int16, 2)
RUNS(int32, 4)
RUNS(int64, 8)
RUNS(uint8, 1)
RUNS(uint16, 2)
RUNS(uint32, 4)
RUNS(uint64, 8)
RUNS(bool, 1)
RUNS(float, 4)
RUNS(double, 8)
RUNS(float16, 2)
RUNS(bfloat16, 2)

#define ROW(type, kind, size, name)                                                                                    \
    {                                                                                                                  \
        type, kind, size, load_##name, store_##name, load_run_##name, store_run_##name                                 \
    }

static const struct number_type types[] = {
    ROW(OPSHIFT_TYPE_INT8, NUMBER_SIGNED, 1, int8),       ROW(OPSHIFT_TYPE_INT16, NUMBER_SIGNED, 2, int16),
    ROW(OPSHIFT_TYPE_INT32, NUMBER_SIGNED, 4, int32),     ROW(OPSHIFT_TYPE_INT64, NUMBER_SIGNED, 8, int64),
    ROW(OPSHIFT_TYPE_UINT8, NUMBER_UNSIGNED, 1, uint8),   ROW(OPSHIFT_TYPE_UINT16, NUMBER_UNSIGNED, 2, uint16),
    ROW(OPSHIFT_TYPE_UINT32, NUMBER_UNSIGNED, 4, uint32), ROW(OPSHIFT_TYPE_UINT64, NUMBER_UNSIGNED, 8, uint64),
    ROW(OPSHIFT_TYPE_BOOL, NUMBER_UNSIGNED, 1, bool),     ROW(OPSHIFT_TYPE_FLOAT, NUMBER_REAL, 4, float),
    ROW(OPSHIFT_TYPE_DOUBLE, NUMBER_REAL, 8, double),     ROW(OPSHIFT_TYPE_FLOAT16, NUMBER_REAL, 2, float16),
    ROW(OPSHIFT_TYPE_BFLOAT16, NUMBER_REAL, 2, bfloat16),
};

int64_t number_cut(const struct number_type *type, double value)
{
    double limit = ldexp(1, 8 * type->size - 1);
    if (value > -limit - 1 && value < limit && !isnan(value))
        return value <= -0x1p63 ? INT64_MIN : (int64_t)value;
    return type->size == 8 ? INT64_MIN : -(INT64_C(1) << (8 * type->size - 1));
}

const struct number_type *number_type(enum opshift_type type)
{
    for (size_t i = 0; i < COUNT(types); i++)
        if (types[i].type == type)
            return &types[i];
    return NULL;
}

double tensor_number(const struct tensor *tensor, uint64_t index)
{
    const struct number_type *type = number_type(tensor->type);
    if (type == NULL)
        return NAN;
    union number value = type->load((const uint8_t *)tensor->data + index * type->size);
    return number_real(type->kind, value);
}
