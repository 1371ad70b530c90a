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

/* -1, 0 or 1: less, equal, greater; 0 also where one is NaN. */
static inline int number_order(enum number_kind kind, union number a, union number b)
{
    if (kind == NUMBER_REAL)
        return (a.d > b.d) - (a.d < b.d);
    return kind == NUMBER_SIGNED ? (a.i > b.i) - (a.i < b.i) : (a.u > b.u) - (a.u < b.u);
}
static inline double number_real(enum number_kind kind, union number value)
{
    return kind == NUMBER_REAL ? value.d : kind == NUMBER_SIGNED ? (double)value.i : (double)value.u;
}
static inline union number number_one(enum number_kind kind)
{
    return kind == NUMBER_REAL ? (union number){.d = 1} : (union number){.u = 1};
}

/* Truncates a real to a signed integer type; values out of range and NaN give the type's minimum. */
int64_t number_cut(const struct number_type *type, double value);

/* NULL for types that are not numeric (string, complex) or have no row. bool counts as 0 and 1. */
const struct number_type *number_type(enum opshift_type type);

#endif
