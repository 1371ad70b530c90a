/* A tensor's type and dims, as they are in the file. */
#ifndef MODEL_TENSOR_HEAD_H
#define MODEL_TENSOR_HEAD_H

#include "base/file.h"
#include "model/tensor.h"

struct tensor_head {
    enum opshift_type type; /* UNDEFINED: none, or one that is not known */
    bool external;
    uint32_t rank;
    int64_t dims[TENSOR_RANK_MAX]; /* any number */
};

/* Of the TensorProto at these bytes of the file. MALFORMED; UNSUPPORTED: too many dims; IO. */
enum opshift_status tensor_head_read(struct source *source, uint64_t offset, uint64_t size, struct tensor_head *head,
                                     struct opshift_error *error);

#endif
