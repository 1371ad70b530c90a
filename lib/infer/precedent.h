/* What inferences gave, for nodes that are like one before. */
#ifndef INFER_PRECEDENT_H
#define INFER_PRECEDENT_H

#include "infer/entry.h"

/* What an inference may depend on, and nothing else: the operator's version; how many inputs and outputs the node has,
 * which inputs are there, and their types; its attributes, by inference_attributes; lists of integers behind inputs, by
 * input_ints. Where it sees more (bodies, calls, constants that somebody folds), it sets inference.is_alone, and
 * nothing is kept of it. */
struct precedent;

/* The types of a node's outputs, by number, as an inference of its like gave them, or would. NULL: there is none, or
 * not any more. *settled, which is true before, becomes false where not all inputs are known as far as they ever will
 * be, and then nothing is found; who knows that they are asks with NULL. */
const uint32_t *precedent_find(struct types *types, struct graph *graph, const struct node *node,
                               struct operation *operation, bool *settled);
/* Keeps what an inference gave that went well. False: no memory. */
bool precedent_keep(struct inference *inference, struct operation *operation);
void precedents_free(struct precedents *precedents);

#endif
