/* Constant folding: finds the value of a name from initializers, Constant nodes and small subgraphs that kernels can
 * compute. */
#ifndef KERNEL_FOLD_H
#define KERNEL_FOLD_H

#include "model/scope.h"
#include "infer/types.h"

/* A constant larger than this is not folded, */
#define FOLD_BYTES_MAX (UINT64_C(1) << 24)
/* nor one that needs more steps (kernel/budget.h), */
#define FOLD_STEPS_MAX (UINT64_C(1) << 26)
/* nor any once all foldings together have used this many steps. */
#define FOLD_STEPS_ALL (UINT64_C(1) << 29)

struct fold_options {
    bool freeze_initializers; /* treat initializers that a caller may override as constants */
};

struct fold;

enum opshift_status fold_new(struct opshift_model *model, struct scopes *scopes, struct types *types,
                             const struct fold_options *options, struct fold **fold, struct opshift_error *error);
void fold_free(struct fold *fold);
/* *tensor is NULL if the name is not constant; *why then completes "it is ...": "a graph input", "an initializer
 * that a caller may override (--freeze-initializers takes its value)", "computed by NonZero", "an output of If", ...
 * Results are cached per name and graph. Depth (64), bytes and steps are limited; integer overflow is not folded, as
 * runtimes differ in the result. Shape and Size are folded when the input's type gives the needed dims. */
enum opshift_status fold_constant(struct fold *fold, struct graph *graph, name_id name, const struct tensor **tensor,
                                  const char **why, struct opshift_error *error);
/* The same, but the result for a small initializer is valid only until fold_rest: a model may have as many as nodes. */
enum opshift_status fold_constant_briefly(struct fold *fold, struct graph *graph, name_id name,
                                          const struct tensor **tensor, const char **why, struct opshift_error *error);
/* Is an input of a function constant where all calls give it the same constant? At first it is. */
void fold_arguments(struct fold *fold, bool follow);
/* Ends the validity of results of fold_constant_briefly. */
void fold_rest(struct fold *fold);

#endif
