/* The call for which a function's body is inferred: what its attributes stand for. */
#ifndef INFER_FRAME_H
#define INFER_FRAME_H

#include "infer/infer.h"

struct call_frame {
    const struct node *node; /* the call */
    const struct function *callee;
    const struct call_frame *outer; /* of the call around it; NULL: none, or it is not known */
};

/* The attribute that a call gives a parameter, or the function's default, without references. UNKNOWN: a call around it
 * is not known, or it cannot be read. frame may be NULL. MEMORY and IO end the inference. */
enum answer frame_attribute(struct inference *inference, const struct call_frame *frame, name_id name,
                            struct attribute_range *found);
/* Puts what a call gives in the place of a node's references; what no call gives goes. */
void frame_resolve(struct inference *inference, struct attribute_range *attributes, size_t *count);

#endif
