/* What the calls of a function give to the nodes in it, and what they omit. */
#ifndef CONVERT_OMITTED_H
#define CONVERT_OMITTED_H

#include "convert/planner.h"

/* An attribute or an input that some calls give and others omit. */
struct omitted_part {
    ProtobufCBinaryData name; /* of the attribute */
    uint32_t input;           /* position of the input; OMITTED_ATTRIBUTE: it is an attribute */
};
#define OMITTED_ATTRIBUTE UINT32_MAX

struct omitted {
    struct omitted_part mixed[3];
    uint32_t count; /* number of them, also beyond those in `mixed` */
    bool lost;      /* something that no call gives was removed from the draft, and the target has no place for it */
};

/* Removes from a new draft the attributes and inputs that no call gives, and finds those that only some calls give. If
 * the planner resolves attributes, the value that all calls give takes the place of a reference. */
enum opshift_status omitted_open(struct planner *planner, struct draft *draft, struct omitted *omitted,
                                 struct opshift_error *error);
/* Checks that a converted draft is also right for calls that omit parameters. NO: it is not, or without the parameter
 * the node is blocked. */
enum opshift_status omitted_check(struct planner *planner, const struct draft *draft, const struct omitted *omitted,
                                  struct opshift_error *error);

#endif
