/* The call for which a function's body is inferred: what its attributes stand for. */
#ifndef INFER_FRAME_H
#define INFER_FRAME_H

#include "infer/infer.h"

/* Attributes sorted by name; of equal names the first one counts. */
struct sorted_attributes {
    struct attribute_range *list;
    uint32_t count, room;
    bool is_read;   /* of defaults: the list is filled */
    bool is_broken; /* they cannot be read */
};

struct call_frame {
    const struct node *node; /* the call */
    const struct function *callee;
    const struct call_frame *outer;           /* of the call around it; NULL: none, or it is not known */
    struct sorted_attributes given;           /* of the call, or of several; frame_close frees it */
    const struct sorted_attributes *defaults; /* of the callee */
};

/* Reads a call's attributes, and the callee's defaults unless they are read. MEMORY and IO end the inference. */
void frame_open(struct inference *inference, struct call_frame *frame, struct sorted_attributes *defaults);
void frame_close(struct call_frame *frame);
/* Adds what one of several calls gives, whose values are then unknown; absent is what none gives. To be sorted. */
void frame_join(struct call_frame *frame, const struct call_frame *call, struct inference *inference);
void frame_sort(struct call_frame *frame);
/* The attribute that a call gives a parameter, or the function's default, without references. UNKNOWN: a call around it
 * is not known, or it cannot be read. frame may be NULL. */
enum setting_state frame_attribute(const struct call_frame *frame, name_id name, struct attribute_range *found);
/* Puts what a call gives in the place of a node's references; what no call gives goes. */
void frame_resolve(struct inference *inference, struct attribute_range *attributes, size_t *count);

#endif
