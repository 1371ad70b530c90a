/* The branch of an If in place of the If. */
#ifndef MODEL_BRANCH_H
#define MODEL_BRANCH_H

#include "model/scope.h"

/* Records of the graph around the If; the caller frees the buffers. */
struct branch_records {
    struct buffer nodes, initializers, values;
};

/* NULL: the node has no such branch. */
const struct graph *node_branch(const struct opshift_model *model, const struct node *node, bool condition);

/* What stands in the graph instead of the node: the branch's nodes, whose names of values that the model has elsewhere
 * too become fresh ones, and whose outputs get the names of the node's. Where they are values of outer graphs,
 * initializers, or there twice, an Identity gives them. *made false: not possible: another number of outputs, sparse
 * initializers, initializers in a function, or before IR version 4. */
enum opshift_status branch_open(struct opshift_model *model, struct scopes *scopes, const struct graph *graph,
                                const struct node *node, const struct graph *branch, struct arena *arena,
                                struct branch_records *records, bool *made, struct opshift_error *error);

#endif
