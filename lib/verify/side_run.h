/* Computes a value on both sides with the built-in kernels, on random inputs from a seed. */
#ifndef VERIFY_SIDE_RUN_H
#define VERIFY_SIDE_RUN_H

#include "base/table.h"
#include "kernel/execute.h"
#include "verify/cut.h"

#define RUN_NODES_MAX 512
#define RUN_DEPTH_MAX 64

struct valued {
    name_id name;
    struct value value;
};

/* Values by name; grows in the run's arena. */
struct valued_list {
    struct valued *items;
    struct table table; /* index by name of those behind the first few */
    uint32_t count, room;
};

struct run_side {
    struct side *side, *other;
    struct graph *graph, *other_graph;
    struct attribute_list *attributes; /* of one node, kept for all runs */
    struct execution *execution;
    struct valued_list known; /* computed so far, by this side's names */
    uint32_t node_count;      /* run so far */
};

/* Numbers of the constants that runs read, each once. */
struct constant_list {
    double items[48];
    uint32_t count;
};

/* How unknown inputs are drawn, so that boundaries are tested. */
struct draw_style {
    const int64_t *dims; /* dims worth testing */
    uint32_t dim_count;
    struct constant_list *constants; /* drawn as elements; each run adds those that it reads */
    uint32_t attempt;
    const int64_t *sizes; /* of the open dims, in the order in which they are drawn; NULL: chosen */
    uint32_t size_count;
    bool sweeps;   /* elements are all edges one after the other, of two inputs in all pairs; else random ones */
    bool uniform;  /* all elements of an input are the same edge */
    bool tame;     /* no reals that sums or products overflow, */
    bool mixed;    /* integers are inputs beside reals */
    bool modest;   /* positive numbers, larger in each input: what rules assume of values */
    uint64_t turn; /* number of the run of a sweep, or of modest ones */
};

/* What a run drew. */
#define DRAWN_DIMS_MAX 16u
#define DRAWN_RANKS    7u /* unknown ranks repeat after this many attempts */
struct run_drawn {
    uint32_t dim_count; /* open dims; those of one name are one */
    name_id names[DRAWN_DIMS_MAX];
    int64_t sizes[DRAWN_DIMS_MAX];
    uint32_t input_count;
    uint64_t least_count; /* elements of the smallest input */
    bool has_whole;       /* an input is of integers */
    bool has_real;
};

/* One run: the values of both sides. Names of values are the first side's. */
struct run {
    struct arena *arena;
    struct run_side before, after;
    uint64_t seed, first_seed;
    uint64_t drawn; /* elements */
    struct run_drawn inputs;
    struct valued_list given;
    bool strict;                    /* refuse what the standard does not define */
    const struct draw_style *style; /* NULL: unknown dims are 3, elements are random bits */
    const struct binding *binding;  /* of the enclosing function; NULL: none */
    const struct node *sequence;    /* its readers are computed on both sides, never drawn; NULL: none */
    const struct node *node;        /* of the first model: its outputs are computed on both sides, never drawn */
    const char *why;                /* REFUSED, CANNOT: the reason */
    bool undefined;                 /* CANNOT: a kernel does not compute these values */
};

enum outcome {
    OUTCOME_VALUE,
    OUTCOME_REFUSED, /* an operator does not accept these inputs */
    OUTCOME_CANNOT   /* it cannot be computed here */
};

/* Prepares running nodes of both sides. run_end frees it and all values. */
enum opshift_status run_start(struct run *run, struct budget *budget, struct opshift_error *error);
void run_end(struct run *run);
/* The value of an output of the piece: a tensor. */
enum opshift_status run_output(struct run *run, struct run_side *side, name_id name, const struct tensor **tensor,
                               enum outcome *outcome, struct opshift_error *error);
/* Gives a name of the first side a value before the run. False: no memory. */
bool run_give(struct run *run, name_id name, const struct tensor *tensor);

/* ---- sample.c ---- */

/* Kinds of elements in sample_special. */
enum special_kind {
    SPECIAL_BITS,
    SPECIAL_SMALL,
    SPECIAL_EXTREME,
    SPECIAL_FRACTION,
    SPECIAL_PLACE,
    SPECIAL_EDGE,
    SPECIAL_ROUND
};

enum opshift_status sample_tensor(struct arena *arena, enum opshift_type type, uint32_t rank, const int64_t *dims,
                                  uint64_t *seed, struct tensor **tensor, struct opshift_error *error);
/* Can an attempt draw extremes, infinities, NaN? */
bool sample_is_extreme(uint32_t attempt);
/* Elements that distinguish operators, one kind at each attempt: random bits; small integers with many duplicates;
 * zeros, NaN, infinities and extremes; fractions; indices, also from the end; edges of integer types, and of real ones
 * what no sum or product overflows. input: number of the input. */
enum opshift_status sample_special(struct arena *arena, enum opshift_type type, uint32_t rank, const int64_t *dims,
                                   const struct draw_style *style, uint32_t input, uint64_t *seed,
                                   struct tensor **tensor, struct opshift_error *error);
/* count lengths >= 0 with this sum. NULL: no memory. */
int64_t *sample_lengths(struct arena *arena, size_t count, int64_t sum, uint64_t *seed);

#endif
