/* Symbolic evaluation of the small graph that computes lengths or positions: numbers are linear forms of the dims. */
#ifndef VERIFY_FOLLOW_H
#define VERIFY_FOLLOW_H

#include "verify/piece.h"

/* More parts than this are not followed. */
#define FOLLOW_PARTS_MAX 256
#define FOLLOW_NODES_MAX 4096
#define FOLLOW_DEPTH_MAX 64
/* Forms are small enough that no number overflows where dims are at most 2^40. */
#define FOLLOW_FACTOR_MAX (INT64_C(1) << 20)
#define FOLLOW_REST_MAX   (INT64_C(1) << 60)

/* The parts of a rewritten Split are those it had, whatever the dim (at most 2^40): the lengths are computed now, or
 * Slice nodes cut where they say. *proof NULL: not seen, and *doubt says why. */
enum opshift_status follow_split(struct piece *piece, const char **proof, const char **doubt,
                                 struct opshift_error *error);

#endif
