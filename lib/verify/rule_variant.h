/* Variants of a rule's example: its dims and constants become edges, or are drawn. */
#ifndef VERIFY_RULE_VARIANT_H
#define VERIFY_RULE_VARIANT_H

#include "base/buffer.h"
#include "base/arena.h"
#include "onnx.pb-c.h"

#define VARIANTS_MAX 40u

struct rule_variant {
    enum {
        VARIANT_DIM,      /* the number in place of this dim of the inputs */
        VARIANT_OPEN,     /* no dim of the inputs is known; equal ones stay equal */
        VARIANT_CONSTANTS /* constants are inputs */
    } kind;
    int64_t dim, number;
};

/* The variants of an example with these nodes and inputs; at most VARIANTS_MAX. Returns their count. */
uint32_t variants_list(const Onnx__GraphProto *inputs, const Onnx__GraphProto *nodes, struct rule_variant *list);
/* Changes inputs and nodes. False: no memory. */
bool variant_apply(const struct rule_variant *variant, struct arena *arena, Onnx__GraphProto *inputs,
                   Onnx__GraphProto *nodes);
/* "with 0 in place of dim 3: " */
void variant_print(const struct rule_variant *variant, struct buffer *words);

#endif
