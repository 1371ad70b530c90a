/* The table of element types for ONNX's textual syntax. */
#include "model/text_element.h"

/* Small floats are written as the integer of their bits, as in ONNX's parser. */
#define BITS(n) .bits = n, .per_element = 1
#define SIGNED(n)                                                                                                      \
    BITS(n), .field = FIELD_INT32, .least = -(INT64_C(1) << (n - 1)), .greatest = (INT64_C(1) << (n - 1)) - 1
#define UNSIGNED(n) BITS(n), .field = FIELD_INT32, .least = 0, .greatest = (INT64_C(1) << n) - 1

static const struct text_element elements[OPSHIFT_TYPE_COUNT] = {
    [OPSHIFT_TYPE_FLOAT] = {.field = FIELD_FLOAT, BITS(32)},
    [OPSHIFT_TYPE_DOUBLE] = {.field = FIELD_DOUBLE, BITS(64)},
    [OPSHIFT_TYPE_COMPLEX64] = {.field = FIELD_FLOAT, .bits = 32, .per_element = 2},
    [OPSHIFT_TYPE_COMPLEX128] = {.field = FIELD_DOUBLE, .bits = 64, .per_element = 2},
    [OPSHIFT_TYPE_STRING] = {.field = FIELD_STRING, .per_element = 1},
    [OPSHIFT_TYPE_BOOL] = {BITS(8), .field = FIELD_INT32, .least = 0, .greatest = 1},
    [OPSHIFT_TYPE_INT2] = {SIGNED(2)},
    [OPSHIFT_TYPE_INT4] = {SIGNED(4)},
    [OPSHIFT_TYPE_INT8] = {SIGNED(8)},
    [OPSHIFT_TYPE_INT16] = {SIGNED(16)},
    [OPSHIFT_TYPE_INT32] = {SIGNED(32)},
    [OPSHIFT_TYPE_INT64] = {.field = FIELD_INT64, BITS(64), .least = INT64_MIN, .greatest = INT64_MAX},
    [OPSHIFT_TYPE_UINT2] = {UNSIGNED(2)},
    [OPSHIFT_TYPE_UINT4] = {UNSIGNED(4)},
    [OPSHIFT_TYPE_UINT8] = {UNSIGNED(8)},
    [OPSHIFT_TYPE_UINT16] = {UNSIGNED(16)},
    [OPSHIFT_TYPE_UINT32] = {.field = FIELD_UINT64, BITS(32), .greatest = UINT32_MAX},
    [OPSHIFT_TYPE_UINT64] = {.field = FIELD_UINT64, BITS(64), .greatest = -1},
    [OPSHIFT_TYPE_FLOAT16] = {UNSIGNED(16), .exponent = 5, .mantissa = 10},
    [OPSHIFT_TYPE_BFLOAT16] = {UNSIGNED(16), .exponent = 8, .mantissa = 7},
    [OPSHIFT_TYPE_FLOAT8E4M3FN] = {UNSIGNED(8)},
    [OPSHIFT_TYPE_FLOAT8E4M3FNUZ] = {UNSIGNED(8)},
    [OPSHIFT_TYPE_FLOAT8E5M2] = {UNSIGNED(8)},
    [OPSHIFT_TYPE_FLOAT8E5M2FNUZ] = {UNSIGNED(8)},
    [OPSHIFT_TYPE_FLOAT8E8M0] = {UNSIGNED(8)},
    [OPSHIFT_TYPE_FLOAT4E2M1] = {UNSIGNED(4)},
};

const struct text_element *text_element(int32_t type)
{
    return type > OPSHIFT_TYPE_UNDEFINED && type < OPSHIFT_TYPE_COUNT ? &elements[type] : NULL;
}

bool text_count(const int64_t *dims, size_t rank, uint64_t *count)
{
    *count = 1;
    for (size_t i = 0; i < rank; i++)
        if (dims[i] < 0 || __builtin_mul_overflow(*count, (uint64_t)dims[i], count))
            return false;
    return true;
}
