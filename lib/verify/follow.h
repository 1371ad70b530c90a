/* Symbolic evaluation of the small graph that computes lengths or positions: numbers are linear forms of the dims. */
#ifndef VERIFY_FOLLOW_H
#define VERIFY_FOLLOW_H

#include "verify/piece.h"

/* Maximum number of parts. */
#define FOLLOW_PARTS_MAX 256
#define FOLLOW_NODES_MAX 4096
#define FOLLOW_DEPTH_MAX 64
/* Coefficients up to this size cannot overflow for dims up to 2^40. */
#define FOLLOW_FACTOR_MAX (INT64_C(1) << 20)
#define FOLLOW_REST_MAX   (INT64_C(1) << 60)

/* Proves that the parts of a rewritten Split are unchanged for every dim (at most 2^40): the second model computes
 * the lengths, or has Slice nodes. *proof NULL: no proof, for the reason *doubt. */
enum opshift_status follow_split(struct piece *piece, const char **proof, const char **doubt,
                                 struct opshift_error *error);

#endif
