/* Joins tensors: concatenates them along an axis, or stacks them along a new one. */
#ifndef KERNEL_JOIN_H
#define KERNEL_JOIN_H

#include "kernel/support.h"

/* Sets output `position`; at least one tensor, all of one type and with equal dims except along the axis. */
enum opshift_status join_tensors(struct kernel_call *call, const struct tensor *const *tensors, size_t count,
                                 uint32_t axis, struct opshift_error *error);
/* The same for tensors of equal shape; axis is a new axis of the output. */
enum opshift_status join_stacked(struct kernel_call *call, uint32_t position, const struct tensor *const *tensors,
                                 size_t count, uint32_t axis, struct opshift_error *error);

#endif
