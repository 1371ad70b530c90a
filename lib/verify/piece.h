/* A piece: one rewritten node during verification. */
#ifndef VERIFY_PIECE_H
#define VERIFY_PIECE_H

#include "verify/expect.h"
#include "verify/side_run.h"

/* The types that runs had, or the first of their shapes, each once. */
struct run_list {
    const char *texts[24];
    uint32_t count;
};

struct piece {
    struct comparison *comparison;
    const struct graph_pair *pair;
    struct node *node;
    struct node *partner; /* the node of the second model that gives its first named output; NULL: none */
    struct attribute_list attributes[2]; /* of both; the second has no node where there is no partner */
    struct arena *arena;                 /* freed with the piece */
    const struct expectation *expected;
    bool is_expected;                    /* the second model has what convert would make of the node */
    const char *beyond;                  /* the first difference from it whose effect runs need not show */
    bool other_operator;                 /* the difference: other operators give an output */
    bool same_head;                      /* the fields that no rule changes are those of the partner */
    bool kept_otherwise;                 /* the rules keep the node, and the second model has another one */
    bool replaced_otherwise;             /* other operators stand in the place of those of the rules */
    const char *near;                    /* a difference in runs that rounding may make; NULL: none */
    bool is_rounding;                    /* it is within the tolerance of a definition */
    const char *unexpected;              /* the first difference from it; NULL: none, or not compared */
    const struct binding_list *bindings; /* bindings of the enclosing function; NULL: none */
    bool is_unreached; /* only functions that are never called call its function: what they give is not known */
    const struct binding *binding; /* the binding at hand; NULL: the function is not called */
    struct cut before, after;
    bool is_split;                   /* a Split on both sides; `after` describes the second */
    const struct sequence_use *uses; /* readers of the sequence of a removed SplitToSequence; NULL: none */
    struct value_type type;          /* of the data, as far as known */
    bool facts_alone;                /* ignore declarations of its shape that are not confirmed */
    const char *proof;
    const char *basis; /* the declaration that the proof depends on; NULL: none */
    const char *doubt; /* why there is no proof */
    enum verdict verdict;
    const char *why;            /* NOT_SHOWN, DIFFERS */
    const char *refused;        /* why the first side did not accept a shape */
    const char *other_constant; /* an output is a constant on both sides, of two values: what that does depends on its
                                 * readers */
    const char *unfit;          /* why no run can show that both sides are equal; NULL: runs can */
    struct run_list types, shapes;
    struct constant_list constants; /* that runs read on either side */
    struct run_drawn drawn_last;    /* by the last run */
    const char *undefined;          /* what the second side did not compute of the last run; NULL: all */
    bool is_undefined;              /* DIFFERS by that alone */
    struct budget *budget;          /* of runs */
    bool strict;                    /* runs refuse what the standard does not define */
    uint64_t runs;
    uint64_t drawn;   /* elements, in all runs */
    double largest;   /* replaced by its definition: the largest difference, relative to the largest number */
    double tolerance; /* maximum allowed difference; 0: no floating-point numbers were compared */
    uint64_t seed;
};

/* Dims near the constants of a piece. sums: of each side, over its constants that are too large to be used as dims;
 * each counts with its role and its place in its list. */
#define DIMS_MAX 48u
struct dim_list {
    int64_t dims[DIMS_MAX];
    uint32_t count;
    uint64_t sums[2];
};

/* The random data of one run of a Split. */
struct sample {
    enum opshift_type type;
    uint32_t rank;
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t axis;
};

/* Are rank and dims the same? */
static inline bool piece_same_shape(const struct tensor *a, const struct tensor *b)
{
    return a->rank == b->rank && (a->rank == 0 || memcmp(a->dims, b->dims, a->rank * sizeof(*a->dims)) == 0);
}

/* ---- piece.c ---- */

/* Minimum number of runs of a piece that is not what convert makes of it. */
#define PIECE_RUNS_LEAST 8u

/* expect_rules of the piece. */
const char *piece_rules(const struct piece *piece);

/* A piece without a verdict. arena: of the piece. */
struct piece piece_of(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                      const struct expectation *expectation, struct arena *arena);
/* Adds the verdict to the report. */
enum opshift_status piece_report(struct piece *piece, struct opshift_error *error);
enum opshift_status piece_verify(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                                 const struct expectation *expectation, struct arena *arena,
                                 struct opshift_error *error);

/* ---- piece_run.c: one run of both sides ---- */

void piece_differs(struct piece *piece, const char *why);
/* sample: the data of a Split; NULL: all inputs are random, in the given style (NULL: defaults). *accepted: the
 * first side accepted it, and the second gave the same. */
enum opshift_status piece_run(struct piece *piece, const struct sample *sample, const struct draw_style *style,
                              bool *accepted, struct opshift_error *error);

/* ---- piece_basis.c: declarations that a proof depends on ---- */

/* *words: the unconfirmed declaration of the shape of a value of the first side; NULL: the shape is confirmed or
 * unknown. */
enum opshift_status basis_of_shape(struct piece *piece, name_id name, const char **words, struct opshift_error *error);
/* Notes the declaration that the value of a constant depends on, if any. */
enum opshift_status basis_of_constant(struct piece *piece, bool after, name_id name, struct opshift_error *error);

/* ---- piece_split.c: proofs, and all runs ---- */

bool piece_is_split(const struct side *side, const struct node *node);
enum opshift_status piece_split(struct piece *piece, struct opshift_error *error);

/* ---- piece_replaced.c: a node replaced by others, as expected ---- */

/* Is the difference of two outputs within the tolerance of the kind of replacement? */
bool replaced_near(struct piece *piece, const struct tensor *a, const struct tensor *b);
/* Is it within that of a definition? */
bool rounding_near(struct piece *piece, const struct tensor *a, const struct tensor *b);
/* Runs on several shapes and kinds of elements; not on extremes, where a definition may overflow. */
enum opshift_status piece_run_replaced(struct piece *piece, const int64_t *dims, uint32_t dim_count,
                                       struct opshift_error *error);

/* ---- piece_other.c: any other operator ---- */

enum opshift_status piece_dims(struct piece *piece, struct dim_list *list, struct opshift_error *error);

enum opshift_status piece_other(struct piece *piece, struct opshift_error *error);

#endif
