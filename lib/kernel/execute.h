/* Runs graphs with the built-in kernels: a model's, a body's, a function's, or one node alone. */
#ifndef KERNEL_EXECUTE_H
#define KERNEL_EXECUTE_H

#include "kernel/schedule.h"

/* What is used where the option is 0; memory and steps: kernel/budget.h. */
#define EXECUTE_DEPTH 64

struct execution_options {
    uint64_t memory; /* bytes that all values may take together */
    uint64_t steps;  /* work that may be done, as in kernel/budget.h */
    uint32_t depth;  /* graphs inside graphs and functions inside functions */
    /* What the parameters of the function around an execution_node are: attributes by the parameters' names. */
    Onnx__AttributeProto *const *parameters;
    size_t parameter_count;
    bool parameters_open;  /* there may be others: who refers to one of them fails with UNSUPPORTED */
    struct budget *budget; /* shared with others, in the place of memory and steps; NULL: of its own */
};

struct execution;

enum opshift_status execution_new(struct opshift_model *model, struct scopes *scopes,
                                  const struct execution_options *options, struct execution **execution,
                                  struct opshift_error *error);
void execution_free(struct execution *execution);
/* Counts what the caller makes of its values as well. */
struct budget *execution_budget(struct execution *execution);

/* inputs: one for each input of the graph; an absent one that is an initializer has that value. The outputs become the
 * caller's, one for each of the graph, to be dropped before execution_free. Errors name the node. */
enum opshift_status execution_run(struct execution *execution, struct graph *graph, const struct value *inputs,
                                  struct value *outputs, struct opshift_error *error);
/* One node that stands in a graph and holds none; one input and one output for each of the node. Errors name the
 * operator. */
enum opshift_status execution_node(struct execution *execution, struct graph *graph, const struct node *node,
                                   const struct value *inputs, struct value *outputs, struct opshift_error *error);

/* ---- missing.c ---- */

/* Calls what for each node that a run of graph may meet and that nothing here computes; stops when it answers false. */
enum opshift_status execution_missing(struct opshift_model *model, struct scopes *scopes, struct graph *graph,
                                      bool (*what)(void *data, const struct graph *graph, const struct node *node),
                                      void *data, struct opshift_error *error);

#endif
