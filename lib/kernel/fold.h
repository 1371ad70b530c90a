/* The constant behind a name, found through initializers, Constant nodes and little graphs that kernels can run. */
#ifndef KERNEL_FOLD_H
#define KERNEL_FOLD_H

#include "model/scope.h"
#include "infer/types.h"

/* A constant that takes more than this is not folded, */
#define FOLD_BYTES_MAX (UINT64_C(1) << 24)
/* nor one that takes more steps (kernel/budget.h) to compute, */
#define FOLD_STEPS_MAX (UINT64_C(1) << 26)
/* nor any one when all of a fold together have taken so many. */
#define FOLD_STEPS_ALL (UINT64_C(1) << 29)

struct fold_options {
    bool freeze_initializers; /* an initializer that a caller may override counts as constant */
};

struct fold;

enum opshift_status fold_new(struct opshift_model *model, struct scopes *scopes, struct types *types,
                             const struct fold_options *options, struct fold **fold, struct opshift_error *error);
void fold_free(struct fold *fold);
/* *tensor is NULL when the name is no constant, and *why then says what it is, in words that fit after "it is ":
 * "a graph input", "an initializer that a caller may override (--freeze-initializers takes its value)", "computed by
 * NonZero", "an output of If", ... Results are remembered per name and graph. Bounded in depth (limit 64), bytes and
 * steps; whole numbers that would overflow are not folded, as runtimes differ in what becomes of them. Shape and Size
 * of a value whose type says all (needed) dims are folded too. */
enum opshift_status fold_constant(struct fold *fold, struct graph *graph, name_id name, const struct tensor **tensor,
                                  const char **why, struct opshift_error *error);
/* The same, but what is found for a small initializer may go when fold_rest is called: of those there may be as many
 * as nodes, each asked about while one node is at hand. */
enum opshift_status fold_constant_briefly(struct fold *fold, struct graph *graph, name_id name,
                                          const struct tensor **tensor, const char **why, struct opshift_error *error);
/* Nobody holds what was found briefly any more. */
void fold_rest(struct fold *fold);

#endif
