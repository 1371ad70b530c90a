/* The runs of a region: region_draw.c draws what it reads, region_run.c runs both sides and judges. */
#ifndef EQUAL_REGION_TRIAL_H
#define EQUAL_REGION_TRIAL_H

#include "equal/reduce.h"

#define VALUES_NEAR 64u
/* Where sizes are as small together, an open dim takes every size up to their sum, and one more. */
#define SIZES_SWEPT 48

enum how_run { RUN_PLAIN, RUN_WIDE, RUN_MOVED };

enum outcome_of_side { SIDE_DONE, SIDE_REFUSED, SIDE_CANNOT };

struct trial {
    struct trial *source; /* computes the leaves; NULL: they are drawn */
    struct equal_work *work;
    const struct cut_out *cut;
    struct equal_region *region;
    struct arena *arena;          /* constants, for all runs */
    struct arena *drawn;          /* values of one attempt */
    const struct tensor **plain;  /* by constant */
    const struct tensor **leaves; /* by leaf, as drawn */
    double near[VALUES_NEAR];     /* of small constants */
    uint32_t near_count;
    int64_t sizes[VALUES_NEAR]; /* integers that only one side has: dims are also as large */
    uint32_t size_count, wide_runs, apart_runs;
    bool is_full, has_shrunk; /* images are run in their size; this run has smaller ones */
    int64_t size_sum;
    int64_t row_count;        /* of a large constant that only one side has: indices are drawn below it; 0: none */
    bool has_large;           /* one side has a constant of which not all numbers are drawn */
    bool too_large, has_open; /* one of them is larger than dims that are run; a dim is not fixed */
    uint64_t seed, first_seed;
    bool sweeps;                 /* this run is on the numbers of constants alone, and those beside them */
    unsigned zeros;              /* this run has open dims of size 0: 1, 2 some of them, 3 all; 0: none */
    bool has_nans;               /* this run has NaN among ordinary numbers */
    uint64_t edge_at;            /* extremes that were drawn, one after the other */
    bool is_wide;                /* this run is in double */
    bool narrow;                 /* doubles do not go through the region */
    bool apart;                  /* a run was not bit for bit the same */
    double length;               /* of the longest sums, over all nodes */
    enum opshift_type types[2];  /* of what both sides made in the last run */
    struct reduced_run *reduced; /* takes what the first run that differs reads; NULL: none */
    struct arena *reduced_arena;
    const char *why; /* of the last refusal */
    const char *differs;
};

/* Sets constants and leaves, as they are, in double, or moved by a unit in the last place. */
enum opshift_status trial_set(struct trial *trial, enum how_run how, struct opshift_error *error);
void trial_clear(struct trial *trial);
/* How many runs meet each number. */
uint32_t trial_sweeps(const struct trial *trial);
struct value trial_value(const struct equal_work *work, term_id id);
/* Runs the nodes of one side. */
enum opshift_status trial_side(struct trial *trial, int side, enum outcome_of_side *outcome,
                               struct opshift_error *error);
/* Draws the leaves. *known false: they cannot be drawn, why says the reason. *refused: the source does not take it. */
enum opshift_status trial_draw(struct trial *trial, uint32_t attempt, bool edges, bool *known, bool *refused,
                               struct opshift_error *error);

#endif
