/* Tensors as arrays of doubles: for kernels that compute with many elements at once. */
#ifndef KERNEL_REALS_H
#define KERNEL_REALS_H

#include "kernel/support.h"

/* `count` zeros, which go when the call is done. UNSUPPORTED: beyond the budget. */
enum opshift_status reals_new(const struct kernel_call *call, uint64_t count, double **reals,
                              struct opshift_error *error);
/* The elements of a tensor of any numeric type as doubles, which go when the call is done; NULL for a tensor that is
 * NULL. Integers beyond 2^53 lose their last digits. UNSUPPORTED: no numbers, or beyond the budget. */
enum opshift_status reals_load(const struct kernel_call *call, const struct tensor *tensor, double **reals,
                               struct opshift_error *error);
/* Stores elements from `at` on, rounded to the tensor's type; integers are cut towards zero to their type's range. */
void reals_store(struct tensor *tensor, uint64_t at, const double *reals, uint64_t count);

#endif
