/* Numbers of every element type as three: whole, whole without sign, real. The mathematics is written for these. */
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

/* A type's row. Storing a whole number keeps its low bits; storing a real one rounds to nearest even, and since a
 * double has more than twice the digits of the smaller types, +, -, * and / through it round as if done in the type
 * itself. */
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

/* A real number cut to a whole one of a signed type; what does not fit, and what is not a number, is the least one. */
int64_t number_cut(const struct number_type *type, double value);

/* NULL for types that are no numbers (string, complex) or too small to matter here. bool counts as 0 and 1. */
const struct number_type *number_type(enum opshift_type type);

#endif
