/* What a Split node's draft says about its cut: the axis, the dim it cuts, the lengths. ONNX Split 1, 2, 11, 13, 18. */
#ifndef MODEL_SPLIT_H
#define MODEL_SPLIT_H

#include "model/draft.h"

struct split_cut {
    bool axis_known;        /* false: it is a function's attribute on which the calls do not agree */
    bool axis_reference;    /* it is a function's attribute */
    int64_t axis;           /* as written; 0 when absent */
    enum opshift_type type; /* of the data; UNDEFINED: unknown */
    int32_t rank;           /* of the data; -1: unknown */
    int64_t dim;            /* the dim it cuts; -1: unknown */
};

/* Never NO for an axis out of range: dim is then unknown. */
enum opshift_status split_cut(const struct draft *draft, struct split_cut *cut, struct opshift_error *error);

/* Chunks by num_outputs (Split-18): all of size ceil(dim / parts) but the last, which may be negative: then no such cut
 * exists. */
int64_t split_chunk(int64_t dim, int64_t parts);
int64_t split_last(int64_t dim, int64_t parts);

#endif
