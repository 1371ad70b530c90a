/* Do two models compute the same? By value graphs: what is computed alike from the same values is one value, and what
 * remains apart is cut out and run. */
#ifndef EQUAL_EQUAL_H
#define EQUAL_EQUAL_H

#include "kernel/fold.h"
#include "rule/rule.h"

struct equal_side {
    struct opshift_model *model;
    struct scopes *scopes;
    struct types *types;
    struct fold *fold;
    bool given_holds; /* shapes that the types were given are no assumption */
};

/* What the ends of a second model are that was made from the first: names of values of the first one's main graph. */
struct equal_ends {
    const char *const *inputs, *const *outputs; /* by input and output of the second model */
};

struct equal_options {
    const struct opshift_rules *rules;
    const struct equal_ends *ends; /* only proofs count, and nothing is run. NULL: ends are paired by name */
    bool by_place;                 /* large weights are the same where they are the same range of a file */
    uint64_t seed;
    bool freeze_initializers;
    bool exact;             /* what is apart by rounding differs */
    bool map;               /* which nodes became which */
    const char *reduce;     /* the directory for the first region that differs; NULL: none */
    uint64_t memory, steps; /* of the runs of one region; 0: defaults */
    opshift_progress progress;
    void *progress_data;
};

enum equal_verdict {
    EQUAL_PROVED,   /* one value */
    EQUAL_ROUNDING, /* the same in real numbers: rational functions that agree, but for rounding, at drawn points */
    EQUAL_TESTED,   /* runs agree */
    EQUAL_DIFFERS,
    EQUAL_NOT_SHOWN
};

struct node_use;
struct cut_out;

/* Nodes of both models that compute one value from the same values. */
struct equal_region {
    struct equal_region *next;
    enum equal_verdict verdict;
    const char *why;
    const char *output;              /* the name of the value in the first model; NULL: none */
    struct node_use *const *uses[2]; /* by side */
    uint32_t use_count[2];
    unsigned runs;
    /* The greatest differences in runs, in the types of the models, and the bound of the relative one. */
    double absolute, relative, ulps, bound;
    bool is_exact;    /* bit for bit the same */
    bool from_inputs; /* it reads nothing but inputs of the model */
    bool other_shape; /* DIFFERS: the types or shapes do */
    bool healed_late; /* a part of it differs, and its end is far */
    bool is_refused;  /* no values were accepted */
    bool is_listed;   /* it is in the answer */
    const char *types;
    const struct cut_out *cut; /* of its runs, and their number; NULL: it was not run */
    uint32_t number;
};

/* Nodes of the first model, and those of the second that they became. */
struct equal_group {
    struct equal_group *next;
    const struct node_use **uses[2];
    uint32_t use_count[2];
    bool is_constant; /* what they give is constant */
};

struct equal_answer {
    enum equal_verdict verdict; /* the weakest */
    const char *why;            /* NOT_SHOWN: the reason, where no region has it */
    struct equal_region *regions;
    uint32_t nodes, proved; /* of the first model, functions opened */
    struct equal_group *map;
    const struct equal_region *reduced; /* that was written; NULL: none, and why */
    const char *not_reduced;
    struct opshift_error not_written; /* why its files could not be written; status OK: they could */
};

/* The answer is in the arena. UNSUPPORTED never; MALFORMED: a model cannot be read. */
enum opshift_status equal_compare(const struct equal_side sides[2], const struct equal_options *options,
                                  struct arena *arena, struct equal_answer *answer, struct opshift_error *error);

/* "node 'conv' (Conv)". NULL: no memory. */
const char *equal_place(const struct node_use *use);
struct opshift_model *equal_model(const struct node_use *use);
const struct node *equal_node(const struct node_use *use);

#endif
