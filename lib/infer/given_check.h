/* Is what a caller gives accepted by every node? */
#ifndef INFER_GIVEN_CHECK_H
#define INFER_GIVEN_CHECK_H

#include "infer/types.h"

/* USAGE, with the node: a node that accepts what the model declares does not accept the shapes and dims that are given
 * to types, or not every size of a dim that is given a name. MEMORY, IO. */
enum opshift_status given_check(struct types *types, const struct opshift_given *given, struct opshift_error *error);

#endif
