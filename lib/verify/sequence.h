/* Sequences that a Split replaced, or that replaced one: who reads them, and which part a tensor is. */
#ifndef VERIFY_SEQUENCE_H
#define VERIFY_SEQUENCE_H

#include "verify/piece.h"

/* A node of the first model that reads the tensors of a sequence one by one, counts or joins them. */
struct sequence_use {
    struct graph_pair pair; /* where it stands, and what stands for that graph now */
    struct node *node;
    struct sequence_use *next; /* of the same sequence; those of one graph stand together */
};

/* ---- sequence.c: who read them ---- */

/* Finds each SplitToSequence of the first model with nodes that read it and are replaced by other operators: all of
 * them are one piece. */
enum opshift_status sequences_match(struct comparison *comparison, struct opshift_error *error);
/* The node is such a SplitToSequence; it may still stand there, for others that read it. */
bool sequence_is_replaced(const struct comparison *comparison, const struct graph *graph, const struct node *node);
/* The node belongs to the piece of one. */
bool sequence_has_reader(const struct comparison *comparison, const struct graph *graph, const struct node *node);
/* NULL: it is none such. */
const struct sequence_use *sequence_uses(const struct comparison *comparison, const struct graph *graph,
                                         const struct node *node);

/* ---- sequence_cut.c: which part a tensor is ---- */

/* A tensor that comes out of a Split, or out of the sequence of a SplitToSequence at a constant position. */
struct sequence_part {
    struct graph *graph;
    const struct node *node; /* NULL: it is not seen to be one */
    int64_t position;        /* as said: below 0 it counts from the end */
    bool squeezed;           /* it lost an axis on the way */
    int64_t axis;            /* that one */
};

enum opshift_status part_find(struct side *side, struct graph *graph, name_id name, struct arena *arena,
                              struct sequence_part *part, struct opshift_error *error);
/* The constant integer behind a name: the position of a SequenceAt, the value of a length. */
enum opshift_status sequence_number(struct side *side, struct graph *graph, name_id name, int64_t *number, bool *known,
                                    struct opshift_error *error);
bool sequence_is_operator(const struct side *side, const struct node *node, const char *op_type);
/* How a SplitToSequence cuts: a list, lengths of run time whose number is known, or CUT_OPEN. Its outputs have no
 * names. type: of the data, with the dims that the model says. */
enum opshift_status cut_read_sequence(struct side *side, struct graph *graph, const struct node *node,
                                      const struct binding *binding, const struct value_type *type, struct arena *arena,
                                      struct cut *cut, struct opshift_error *error);
/* An INT attribute as it is written; fallback: it is not there. *known is false where it is none or a reference. */
enum opshift_status sequence_attribute(struct side *side, const struct node *node, const char *name, int64_t fallback,
                                       struct arena *arena, int64_t *value, bool *known, struct opshift_error *error);

/* ---- piece_sequence.c: what of one side is what of the other ---- */

/* Reads the cut of a SplitToSequence that is gone, and of the Split that gives its tensors now. *proof: why all is as
 * it was; else the piece has a doubt, or differs. */
enum opshift_status piece_from_sequence(struct piece *piece, const char **proof, struct opshift_error *error);
/* The same for a Split (piece->before is read) whose outputs come from a sequence now; *found: they do. */
enum opshift_status piece_to_sequence(struct piece *piece, bool *found, const char **proof,
                                      struct opshift_error *error);

#endif
