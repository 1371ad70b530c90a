/* A piece: one rewritten node during verification. */
#ifndef VERIFY_PIECE_H
#define VERIFY_PIECE_H

#include "verify/expect.h"
#include "verify/run.h"

struct piece {
    struct comparison *comparison;
    const struct graph_pair *pair;
    struct node *node;
    struct arena *arena; /* of the piece */
    const struct expectation *expected;
    bool is_expected;                /* what is there now is what convert would make of the node */
    const char *beyond;              /* the first thing that is not, and whose effect runs need not show */
    const char *unexpected;          /* the first thing that is not; NULL: nothing, or the node was not looked at so */
    const struct binding_list *ways; /* how the function around it is called; NULL: there is none */
    const struct binding *binding;   /* the one of them that is looked at; NULL: it is not called */
    struct cut before, after;
    bool is_split;                   /* on the second side too: after says how */
    const struct sequence_use *uses; /* what read the sequence of a SplitToSequence that is gone; NULL: it is none */
    struct value_type type;          /* of the data, as far as known */
    bool facts_alone;                /* of its shape, what only a declaration says does not count */
    const char *proof;
    const char *basis; /* the declaration that the proof rests on; NULL: none */
    const char *doubt; /* why there is no proof */
    enum verdict verdict;
    const char *why;     /* NOT_SHOWN, DIFFERS */
    const char *refused; /* why the first side did not take a shape */
    const char *unfit;   /* why no run can show that both sides do the same; NULL: runs can */
    json_t *types, *shapes;
    uint64_t runs;
    uint64_t drawn; /* elements, in all runs */
    double
        largest; /* the node is replaced by its definition: the largest difference, as a part of the greatest number */
    double tolerance; /* and what it may be; 0: no real numbers were compared */
    uint64_t seed;
};

/* What one run of a Split draws for the data. */
struct sample {
    enum opshift_type type;
    uint32_t rank;
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t axis;
};

/* ---- piece.c ---- */

/* Runs of a piece that is not what convert makes of it, without which nothing is shown. */
#define PIECE_RUNS_LEAST 8u

/* expect_rules of the piece. */
const char *piece_rules(const struct piece *piece);

/* arena: of the piece. */
enum opshift_status piece_verify(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                                 const struct expectation *expectation, struct arena *arena,
                                 struct opshift_error *error);

/* ---- piece_run.c: one run of both sides ---- */

void piece_differs(struct piece *piece, const char *why);
/* sample: the data of a Split; NULL: all inputs are drawn, in the given style (NULL: one of each). *accepted: the first
 * side took it, and the second was seen to give the same. */
enum opshift_status piece_run(struct piece *piece, const struct sample *sample, const struct draw_style *style,
                              bool *accepted, struct opshift_error *error);

/* ---- piece_basis.c: what a proof rests on ---- */

/* *words: the declaration alone that gives the shape of a value of the first side; NULL: none does. */
enum opshift_status basis_of_shape(struct piece *piece, name_id name, const char **words, struct opshift_error *error);
/* Notes the declaration that the value of a constant rests on, if one does. */
enum opshift_status basis_of_constant(struct piece *piece, bool after, name_id name, struct opshift_error *error);

/* ---- piece_split.c: proofs, and all runs ---- */

bool piece_is_split(const struct side *side, const struct node *node);
enum opshift_status piece_split(struct piece *piece, struct opshift_error *error);

/* ---- piece_replaced.c: a node that is replaced by others, as expected ---- */

/* Are two outputs as near to each other as the kind of replacement has it? */
bool replaced_near(struct piece *piece, const struct tensor *a, const struct tensor *b);
/* What a definition may differ by, as a part of the greatest number. */
double replaced_tolerance(enum opshift_type type);
/* Runs on several shapes and kinds of elements; not on extremes, where a definition overflows on its way. */
enum opshift_status piece_run_replaced(struct piece *piece, const int64_t *dims, uint32_t dim_count,
                                       struct opshift_error *error);

/* ---- piece_other.c: any other operator ---- */

enum opshift_status piece_other(struct piece *piece, struct opshift_error *error);

#endif
