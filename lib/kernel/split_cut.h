/* The parameters of a Split node's draft: axis, split dim, lengths. ONNX Split 1, 2, 11, 13, 18. */
#ifndef KERNEL_SPLIT_CUT_H
#define KERNEL_SPLIT_CUT_H

#include "kernel/facts.h"

struct split_cut {
    bool axis_known;        /* false: a function's attribute with different values in the calls */
    bool axis_reference;    /* it is a function's attribute */
    int64_t axis;           /* as written; 0 when absent */
    enum opshift_type type; /* of the data; UNDEFINED: unknown */
    int32_t rank;           /* of the data; -1: unknown */
    int64_t dim;            /* the split dim; -1: unknown */
};

/* An axis out of range is not a failure: dim is then unknown. */
enum opshift_status split_cut(const struct draft *draft, struct split_cut *cut, struct opshift_error *error);

/* Chunks by num_outputs (Split-18): all have size ceil(dim / parts) except the last; if that is negative, the split is
 * invalid. */
int64_t split_chunk(int64_t dim, int64_t parts);
int64_t split_last(int64_t dim, int64_t parts);

#endif
