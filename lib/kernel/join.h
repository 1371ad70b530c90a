/* Many tensors made one: one after the other along an axis, or stacked along a new one. */
#ifndef KERNEL_JOIN_H
#define KERNEL_JOIN_H

#include "kernel/support.h"

/* Output `position`; at least one tensor, all of one type and of the same dims but along the axis. */
enum opshift_status join_tensors(struct kernel_call *call, uint32_t position, const struct tensor *const *tensors,
                                 size_t count, uint32_t axis, struct opshift_error *error);
/* The same of tensors that are all of one shape; axis is one of the output. */
enum opshift_status join_stacked(struct kernel_call *call, uint32_t position, const struct tensor *const *tensors,
                                 size_t count, uint32_t axis, struct opshift_error *error);

#endif
