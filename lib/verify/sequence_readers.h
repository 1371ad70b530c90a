/* Sequences that a Split replaced, or that replaced one: their readers, and the part that each tensor is. */
#ifndef VERIFY_SEQUENCE_READERS_H
#define VERIFY_SEQUENCE_READERS_H

#include "verify/piece.h"

/* A node of the first model that reads single tensors of a sequence, its length, or their concatenation. */
struct sequence_use {
    struct graph_pair pair; /* its graph, and the corresponding graph */
    struct node *node;
    struct sequence_use *next; /* of the same sequence; uses in one graph are adjacent */
};

/* ---- sequence_readers.c: readers ---- */

/* Finds each SplitToSequence of the first model whose readers are replaced by other operators: together they are one
 * piece. */
enum opshift_status sequences_match(struct comparison *comparison, struct opshift_error *error);
/* Is the node such a SplitToSequence? It may still exist for other readers. */
bool sequence_is_replaced(const struct comparison *comparison, const struct graph *graph, const struct node *node);
/* Does the node belong to such a piece? */
bool sequence_has_reader(const struct comparison *comparison, const struct graph *graph, const struct node *node);
/* NULL: the node is not such a SplitToSequence. */
const struct sequence_use *sequence_uses(const struct comparison *comparison, const struct graph *graph,
                                         const struct node *node);

/* ---- sequence_cut.c: the part that a tensor is ---- */

/* A tensor that is an output of a Split, or an element of the sequence of a SplitToSequence at a constant position. */
struct sequence_part {
    struct graph *graph;
    const struct node *node; /* NULL: it is not known to be one */
    int64_t position;        /* as written: negative positions count from the end */
    bool squeezed;           /* it lost an axis */
    int64_t axis;            /* the lost axis */
};

enum opshift_status part_find(struct side *side, struct graph *graph, name_id name, struct arena *arena,
                              struct sequence_part *part, struct opshift_error *error);
/* The constant integer behind a name: the position of a SequenceAt, the value of a length. */
enum opshift_status sequence_number(struct side *side, struct graph *graph, name_id name, int64_t *number, bool *known,
                                    struct opshift_error *error);
bool sequence_is_operator(const struct side *side, const struct node *node, const char *op_type);
/* How a SplitToSequence splits: a list, lengths known only at run time whose number is known, or CUT_OPEN. Its
 * outputs have no names. type: of the data, with the model's dims. */
enum opshift_status cut_read_sequence(struct side *side, struct graph *graph, struct attribute_list *attributes,
                                      const struct binding *binding, const struct value_type *type, struct cut *cut,
                                      struct opshift_error *error);
/* An INT attribute as written; fallback: its value if absent. *known is false if it has another type or is a
 * reference. */
enum opshift_status sequence_attribute(struct side *side, const struct node *node, const char *name, int64_t fallback,
                                       struct arena *arena, int64_t *value, bool *known, struct opshift_error *error);

/* ---- piece_sequence.c: parts of one side against parts of the other ---- */

/* Reads the split of a removed SplitToSequence and of the Split that gives its tensors now. *proof: why they are
 * equal; else the piece has a doubt or a difference. */
enum opshift_status piece_from_sequence(struct piece *piece, const char **proof, struct opshift_error *error);
/* The same for a Split (piece->before is filled) whose outputs are elements of a sequence now; *found: they are. */
enum opshift_status piece_to_sequence(struct piece *piece, bool *found, const char **proof,
                                      struct opshift_error *error);

#endif
