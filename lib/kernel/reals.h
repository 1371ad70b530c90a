/* Converts tensors to arrays of doubles and back, for kernels that use many elements at once. */
#ifndef KERNEL_REALS_H
#define KERNEL_REALS_H

#include "kernel/support.h"

/* `count` zeros, freed after the call. UNSUPPORTED: the budget is exceeded. */
enum opshift_status reals_new(const struct kernel_call *call, uint64_t count, double **reals,
                              struct opshift_error *error);
/* The elements of a numeric tensor as doubles, freed after the call; NULL for a NULL tensor. Integers beyond 2^53
 * are rounded. UNSUPPORTED: not numeric, or the budget is exceeded. */
enum opshift_status reals_load(const struct kernel_call *call, const struct tensor *tensor, double **reals,
                               struct opshift_error *error);
/* The same of the first `count` inputs; a place that is NULL is left out. */
enum opshift_status reals_inputs(const struct kernel_call *call, double **const *reals, uint32_t count,
                                 struct opshift_error *error);
/* Stores elements from `at` on, rounded to the tensor's type; for integer types truncated and saturated. */
void reals_store(struct tensor *tensor, uint64_t at, const double *reals, uint64_t count);
/* The weight of an element at a distance in cubic interpolation with the coefficient a. */
double reals_cubic(double distance, double a);

#endif
