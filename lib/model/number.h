/* Elements of every numeric type as int64, uint64 or double, so that kernels are written once for these three. */
#ifndef MODEL_NUMBER_H
#define MODEL_NUMBER_H

#include <stddef.h>

#include "opshift.h"

enum number_kind { NUMBER_SIGNED, NUMBER_UNSIGNED, NUMBER_REAL };

union number {
    int64_t i;
    uint64_t u;
    double d;
};

/* A type's row. Storing an integer keeps its low bits; storing a real rounds to nearest even, and since a double has
 * more than twice the digits of the smaller types, +, -, * and / in double round as if computed in the type itself. */
struct number_type {
    enum opshift_type type;
    enum number_kind kind;
    uint8_t size;
    union number (*load)(const void *from);
    void (*store)(void *to, union number value);
    /* The same for `count` elements: read `step` bytes from one to the next, written one beside the other. */
    void (*load_run)(union number *to, const void *from, ptrdiff_t step, size_t count);
    void (*store_run)(void *to, const union number *from, size_t count);
};

/* Truncates a real to a signed integer type; values out of range and NaN give the type's minimum. */
int64_t number_cut(const struct number_type *type, double value);

/* NULL for types that are not numeric (string, complex) or have no row. bool counts as 0 and 1. */
const struct number_type *number_type(enum opshift_type type);

#endif
