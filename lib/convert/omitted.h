/* Attributes that refer to a function's parameter that calls omit. */
#ifndef CONVERT_OMITTED_H
#define CONVERT_OMITTED_H

#include "convert/planner.h"

struct omitted {
    ProtobufCBinaryData mixed[3]; /* attributes whose parameter some calls give and others omit */
    uint32_t count;               /* number of them, also beyond those in `mixed` */
    bool lost; /* one that no call gives was removed from the draft, and the target has no such attribute */
};

/* Removes from a new draft the attributes whose parameter no call gives, and finds those that only some calls give. */
enum opshift_status omitted_open(struct planner *planner, struct draft *draft, struct omitted *omitted,
                                 struct opshift_error *error);
/* Checks that a converted draft is also right for calls that omit parameters. NO: it is not, or without the parameter
 * the node is blocked, at *step. */
enum opshift_status omitted_check(struct planner *planner, const struct draft *draft, const struct omitted *omitted,
                                  int64_t *step, struct opshift_error *error);

#endif
