/* What one Split node does, for dialects whose operators are not ONNX's. */
#ifndef DIALECT_CUT_H
#define DIALECT_CUT_H

#include "kernel/facts.h"
#include "schema/split_cut.h"

enum node_cut_kind {
    NODE_CUT_EQUAL,   /* into `parts` parts of the same length; the dim may be unknown */
    NODE_CUT_CHUNKS,  /* by num_outputs, of a dim of unknown size: the last part may be shorter */
    NODE_CUT_LENGTHS, /* into these lengths */
    NODE_CUT_COMPUTED /* into lengths that the value `computed` has at run time */
};

struct node_cut {
    struct split_cut split; /* its dim is also the sum of LENGTHS */
    const struct node *node;
    const char *place;     /* "node 'split' (Split)" */
    name_id data;          /* the value that is split */
    const int64_t *dims;   /* of the data, rank of them; -1: unknown. The split one is split.dim */
    const name_id *params; /* names of symbolic dims, or NAME_NONE; NULL: none */
    enum node_cut_kind kind;
    int64_t parts;          /* at least as many as outputs: num_outputs may be larger */
    const int64_t *lengths; /* `parts` of them, each >= 0; NULL: known only at run time */
    name_id computed;       /* COMPUTED */
    const name_id *outputs; /* NAME_NONE: an empty slot */
};

/* Describes a Split node; cut's lists are in the arena or belong to the model. NO: the node is invalid at its opset, in
 * the words of lint and convert, or its axis or number of parts depends on a call of a function. Fails as draft_new
 * and facts do. Messages begin with the node's place. */
enum opshift_status node_cut_read(struct surroundings *around, struct graph *graph, struct node *node,
                                  struct arena *arena, struct node_cut *cut, struct opshift_error *error);
/* The length of an output along the axis; -1: unknown. */
int64_t node_cut_length(const struct node_cut *cut, uint32_t output);

#endif
