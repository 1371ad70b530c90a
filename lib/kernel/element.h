/* Elements of every numeric type as numbers: those of model/number.h, and the small types that it leaves out. */
#ifndef KERNEL_ELEMENT_H
#define KERNEL_ELEMENT_H

#include "model/number.h"
#include "kernel/support.h"

/* How a real number that is beyond a small float's range, or between two of its values, becomes one of them. */
struct element_rounding {
    bool saturate;                                   /* to the greatest value; else infinity or what is not a number */
    enum { ROUND_UP, ROUND_DOWN, ROUND_NEAR } power; /* float8e8m0 alone: which of the two powers of 2 */
};

/* False for strings and complex numbers. */
bool element_is_number(enum opshift_type type);
enum number_kind element_kind(enum opshift_type type);
/* Bits that a whole number may have beside its sign. */
int element_whole_bits(enum opshift_type type);
union number element_load(const struct tensor *tensor, uint64_t at);
/* The number is of the type's kind. NULL, or what cannot be stored: "NaN". */
const char *element_store(struct tensor *tensor, uint64_t at, union number number,
                          const struct element_rounding *rounding);

#endif
