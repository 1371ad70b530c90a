/* Attributes that refer to a function's parameter which calls leave out. */
#ifndef CONVERT_OMITTED_H
#define CONVERT_OMITTED_H

#include "convert/planner.h"

struct omitted {
    ProtobufCBinaryData mixed[3]; /* attributes whose parameter some calls give and others leave out */
    uint32_t count;               /* of them, also beyond those that are named */
    bool lost;                    /* one that no call gives was taken out of the draft, and the target has none such */
};

/* Takes attributes out of a new draft whose parameter no call gives, and finds those that only some give. */
enum opshift_status omitted_open(struct planner *planner, struct draft *draft, struct omitted *omitted,
                                 struct opshift_error *error);
/* Does a draft that has taken all its steps mean the same for calls that leave out what others give? NO: it does not,
 * or where something is left out the node is blocked, at *step. */
enum opshift_status omitted_check(struct planner *planner, const struct draft *draft, const struct omitted *omitted,
                                  int64_t *step, struct opshift_error *error);

#endif
