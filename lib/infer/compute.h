/* Small constants followed through operators: each function is for a row of the table in compute.c. It runs after the
 * shape of the output is inferred. */
#ifndef INFER_COMPUTE_H
#define INFER_COMPUTE_H

#include "infer/known.h"
#include "infer/shape.h"

/* compute_pick.c: elements that are only moved */
void compute_same(struct inference *inference);
void compute_concat(struct inference *inference);
void compute_expand(struct inference *inference);
void compute_fill(struct inference *inference);
void compute_gather(struct inference *inference);
void compute_slice(struct inference *inference);
void compute_split(struct inference *inference);
void compute_tile(struct inference *inference);
void compute_transpose(struct inference *inference);

/* ---- where elements stand ---- */

/* Where the element of an input stands that is broadcast to an element of the output. */
size_t known_broadcast(const struct known *output, size_t at, const struct known *input);
/* Where an element goes when axes are reduced. */
size_t known_reduced(const struct known *input, size_t at, const bool *gone);

#endif
