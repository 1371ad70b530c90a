/* Makes the new nodes of a rewrite: constants, computed lengths, slices. */
#ifndef CONVERT_NEW_NODES_H
#define CONVERT_NEW_NODES_H

#include "base/buffer.h"
#include "model/draft.h"
#include "model/scope.h"

struct planner;

/* Nodes are appended as records of the draft's graph (or function), in an order that can run. */
struct new_nodes {
    const struct planner *planner;
    struct scopes *scopes;
    struct draft *draft;
    struct buffer nodes;
    struct buffer metadata; /* of the draft's node, for each new one */
};

/* A fresh name derived from the node's first output. NAME_NO_MEMORY: no memory. */
name_id new_nodes_fresh(struct scopes *scopes, const struct draft *draft, const char *suffix);

/* The records metadata_props of the draft's node, and with_doc its doc_string. */
enum opshift_status node_words(struct draft *draft, bool with_doc, struct buffer *words, struct opshift_error *error);
/* May so many nodes of one rewrite have a copy of them? */
bool node_words_fit(const struct buffer *words, uint64_t count);
/* A Constant. tensor NULL: no memory. */
enum opshift_status new_nodes_constant(struct new_nodes *made, const struct tensor *tensor, const char *suffix,
                                       name_id *name, struct opshift_error *error);
/* Constant<value_ints = @reference> (opset 12 and up). */
enum opshift_status new_nodes_reference(struct new_nodes *made, struct bytes reference, const char *suffix,
                                        name_id *name, struct opshift_error *error);
/* A value as int64. */
enum opshift_status new_nodes_int64(struct new_nodes *made, name_id from, const char *suffix, name_id *name,
                                    struct opshift_error *error);
/* A value without one of its axes, which is counted from the front and has the dim 1, or with another axis. op_type:
 * Squeeze or Unsqueeze. */
enum opshift_status new_nodes_squeezed(struct new_nodes *made, const char *op_type, name_id from, int64_t axis,
                                       name_id *name, struct opshift_error *error);
/* int64[parts]: chunks of ceil(d / parts) and the rest of d, the dim that the draft's Split splits (opset 13 and up).
 */
enum opshift_status new_nodes_chunks(struct new_nodes *made, int64_t parts, name_id *name, struct opshift_error *error);
/* The draft's node with one output, a sequence, and a SequenceAt per named output. places: by output, the name of its
 * position. */
enum opshift_status new_nodes_sequence(struct new_nodes *made, const name_id *places, struct opshift_error *error);
/* One Slice per output, for lengths known only at run time (opset 10 and up). */
enum opshift_status new_nodes_slices(struct new_nodes *made, struct opshift_error *error);

#endif
