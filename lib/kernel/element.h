/* Elements of every numeric type as numbers: the types of model/number.h and the small types that it lacks. */
#ifndef KERNEL_ELEMENT_H
#define KERNEL_ELEMENT_H

#include "model/number.h"
#include "kernel/support.h"

/* How a real number is converted to a small float when it is out of range or between two values. */
struct element_rounding {
    bool saturate;                                   /* to the largest finite value; else to infinity or NaN */
    enum { ROUND_UP, ROUND_DOWN, ROUND_NEAR } power; /* float8e8m0 only: which of the two powers of 2 */
};

/* False for strings and complex numbers. */
bool element_is_number(enum opshift_type type);
enum number_kind element_kind(enum opshift_type type);
/* Bits of the type's integers, without the sign. */
int element_whole_bits(enum opshift_type type);
union number element_load(const struct tensor *tensor, uint64_t at);
/* The number has the type's kind. Returns NULL, or what cannot be stored: "NaN". */
const char *element_store(struct tensor *tensor, uint64_t at, union number number,
                          const struct element_rounding *rounding);

#endif
