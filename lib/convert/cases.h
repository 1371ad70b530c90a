/* Cases of functions: the distinct ways in which a function is called. Where one body does not serve all of them, the
 * function is written once for each, and the calls are renamed. */
#ifndef CONVERT_CASES_H
#define CONVERT_CASES_H

#include "convert/plan_store.h"

/* A model in which functions are written once for each case; its functions otherwise have the order and the bytes of
 * those of the first model. */
struct cases {
    struct opshift_model *model; /* a preview of the first one; NULL: no function has several cases */
    struct arena *arena;         /* holds what the preview adds */
    uint32_t *origin;            /* by function of the preview: the number of that function in the first model */
};

void cases_free(struct cases *cases);

/* Plans again with functions that are written once for each case, where a node in a function is blocked or depends on
 * an assumption; *plan is replaced if that plan is better. NO: a function is called in too many ways. */
enum opshift_status cases_plan(struct opshift_model *model, const struct opshift_goal *goal,
                               struct conversion_plan **plan, struct opshift_error *error);

/* cases_split.c: writes each of the wanted functions, and those that call them, once for each case. Edits of the first
 * model are ignored and kept. NO: there are too many. */
enum opshift_status cases_split(struct opshift_model *model, const struct opshift_goal *goal, const bool *wanted,
                                struct cases *cases, struct opshift_error *error);
/* Renames the operator of a call, as an edit. */
enum opshift_status call_rename(struct opshift_model *model, struct graph *graph, struct node *node, struct bytes name,
                                struct opshift_error *error);

/* cases_merge.c: what a plan makes of the functions of a model, each compared with others of the same origin. */
struct case_results {
    uint32_t *same;      /* by function: the first one of which the plan makes the same */
    struct bytes *bytes; /* by function: what the plan makes of it, with other names of values */
};
/* number: by function, what stands for its name; NULL: `same`. In the arena. */
enum opshift_status case_results_find(const struct conversion_plan *plan, const uint32_t *origin,
                                      const uint32_t *number, struct arena *arena, struct case_results *results,
                                      struct opshift_error *error);

#endif
