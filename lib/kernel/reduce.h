/* Operators that make one number of many: along axes, which are an attribute at first and an input later. */
#ifndef KERNEL_REDUCE_H
#define KERNEL_REDUCE_H

#include "model/number.h"
#include "kernel/support.h"

/* What goes on with the elements that become one. Whole numbers wrap around; real ones are kept as doubles and rounded
 * to their type at the end. */
struct reduction {
    int64_t axes_input_since; /* the opset from which on the axes are an input */
    /* What no element at all gives, where that is not 0; real is NULL where it must not happen. */
    union number (*start)(const struct number_type *type);
    /* One element more. */
    void (*add)(enum number_kind kind, union number *sum, union number element);
    /* The result of count elements; NULL: the sum itself. */
    void (*finish)(const struct number_type *type, union number *sum, uint64_t count);
    bool takes_bool;
};

enum opshift_status reduce_run(struct kernel_call *call, const struct reduction *reduction,
                               struct opshift_error *error);

/* The axes of a call, as flags, and the shape that is left. */
struct reduced_shape {
    bool chosen[TENSOR_RANK_MAX];
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t rank;
};

enum opshift_status reduce_shape(const struct kernel_call *call, int64_t axes_input_since, struct reduced_shape *shape,
                                 struct opshift_error *error);
/* Where in the output each element of the input goes: strides by axis, 0 along those that are reduced. */
void reduce_strides(const struct tensor *input, const struct reduced_shape *shape, int64_t *strides);

#endif
