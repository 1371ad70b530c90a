/* What one Split node does, for dialects whose operators are not ONNX's. */
#ifndef DIALECT_CUT_H
#define DIALECT_CUT_H

#include "kernel/facts.h"

enum node_cut_kind {
    NODE_CUT_EQUAL,   /* into `parts` parts of the same length; the dim may be unknown */
    NODE_CUT_CHUNKS,  /* by num_outputs, of a dim of unknown size: the last part may be shorter */
    NODE_CUT_LENGTHS, /* into these lengths */
    NODE_CUT_COMPUTED /* into lengths that the value `computed` has at run time */
};

struct node_cut {
    const struct node *node;
    const char *place;      /* "node 'split' (Split)" */
    int64_t opset;          /* of the node: decides which version of Split it is */
    name_id data;           /* the value that is split */
    enum opshift_type type; /* of its elements; UNDEFINED: unknown */
    int32_t rank;           /* -1: unknown */
    const int64_t *dims;    /* rank of them; -1: unknown. With LENGTHS the split dim is their sum */
    const name_id *params;  /* names of symbolic dims, or NAME_NONE; NULL: none */
    int64_t axis;           /* as written; 0 when absent */
    int64_t front;          /* counted from the front; -1: unknown, since the rank is */
    int64_t dim;            /* the split dim; -1: unknown */
    enum node_cut_kind kind;
    int64_t parts;          /* at least output_count: num_outputs may be larger */
    const int64_t *lengths; /* `parts` of them, each >= 0; NULL: known only at run time */
    name_id computed;       /* COMPUTED */
    const name_id *outputs; /* NAME_NONE: an empty slot */
    uint32_t output_count;
};

/* Describes a Split node; cut's lists are in the arena or belong to the model. NO: the node is invalid at its opset, in
 * the words of lint and convert, or its axis or number of parts depends on a call of a function. Fails as draft_new
 * and facts do. Messages begin with the node's place. */
enum opshift_status node_cut_read(struct surroundings *around, struct graph *graph, struct node *node,
                                  struct arena *arena, struct node_cut *cut, struct opshift_error *error);
/* The length of an output along the axis; -1: unknown. */
int64_t node_cut_length(const struct node_cut *cut, uint32_t output);
/* Is it ai.onnx's Split? */
bool node_is_split(const struct opshift_model *model, const struct node *node);

#endif
