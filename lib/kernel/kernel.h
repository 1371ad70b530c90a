/* Computes operators: one file each, registered by the list in lib/kernel/Makefile.inc. */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include "model/tensor.h"

/* Limits on what one call may make. */
#define KERNEL_BYTES_MAX (UINT64_C(1) << 32)

struct kernel_call {
    const char *op_type;
    int64_t opset;                      /* in force where the node stands */
    Onnx__AttributeProto *const *attributes;
    size_t attribute_count;
    const struct tensor *const *inputs; /* NULL: absent */
    uint32_t input_count;
    struct tensor **outputs;            /* to be set; made in arena */
    const bool *wanted;                 /* per output: has a name; NULL: all */
    uint32_t output_count;
    struct arena *arena;
};

struct kernel {
    const char *op_type;
    int16_t since, until;               /* opsets it computes, both included; until INT16_MAX: and all newer known */
    enum opshift_status (*run)(struct kernel_call *call, struct opshift_error *error);
};

/* NULL: there is no kernel for this operator of ai.onnx at this opset. */
const struct kernel *kernel_find(const char *op_type, int64_t opset);
/* Finds and runs; UNSUPPORTED when there is none. Fails with MALFORMED words when the inputs break the operator's contract. */
enum opshift_status kernel_run(struct kernel_call *call, struct opshift_error *error);

#endif
