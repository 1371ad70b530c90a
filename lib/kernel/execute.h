/* Runs graphs with the built-in kernels: the main graph, a body, a function, or a single node. */
#ifndef KERNEL_EXECUTE_H
#define KERNEL_EXECUTE_H

#include "kernel/schedule.h"

/* Default where the option is 0; for memory and steps see kernel/budget.h. */
#define EXECUTE_DEPTH 64

struct execution_options {
    uint64_t memory;           /* limit on the bytes of all values together */
    uint64_t steps;            /* limit on work, as in kernel/budget.h */
    opshift_progress progress; /* as in kernel/budget.h */
    void *progress_data;
    uint32_t depth; /* limit on nested graphs and nested function calls */
    /* Values of the enclosing function's parameters for execution_node: attributes named like the parameters. */
    Onnx__AttributeProto **parameters;
    size_t parameter_count;
    bool defined;          /* refuse what the standard does not define, such as integer overflow */
    bool checks_types;     /* refuse types that an operator does not take at its opset */
    bool parameters_open;  /* the list may be incomplete: a reference to another parameter fails with UNSUPPORTED */
    struct budget *budget; /* shared with others, replaces memory, steps and progress; NULL: a new one */
    /* Attributes of one node, which execution_node may run often: they are decoded once. NULL: none. */
    struct attribute_list *attributes;
};

struct execution;

enum opshift_status execution_new(struct opshift_model *model, struct scopes *scopes,
                                  const struct execution_options *options, struct execution **execution,
                                  struct opshift_error *error);
void execution_free(struct execution *execution);
/* For counting what the caller computes from its values. */
struct budget *execution_budget(struct execution *execution);

/* Did a body that never ran give a result whose type or dims it does not declare? Then they may be others. */
bool execution_guessed(const struct execution *execution);

/* inputs: one for each input of the graph; an absent one takes the value of its initializer. The caller owns the
 * outputs, one for each of the graph, and drops them before execution_free. Errors name the node. */
enum opshift_status execution_run(struct execution *execution, struct graph *graph, const struct value *inputs,
                                  struct value *outputs, struct opshift_error *error);
/* Runs one node whose bodies, if any, read nothing of the graph around it (else UNSUPPORTED); one input and one output
 * for each of the node. Errors name the operator. */
enum opshift_status execution_node(struct execution *execution, struct graph *graph, const struct node *node,
                                   const struct value *inputs, struct value *outputs, struct opshift_error *error);

/* ---- missing.c ---- */

/* Calls `what` for each node that a run of the graph may reach and that has no kernel; stops when it returns false. */
enum opshift_status execution_missing(struct opshift_model *model, struct scopes *scopes, struct graph *graph,
                                      bool (*what)(void *data, const struct graph *graph, const struct node *node),
                                      void *data, struct opshift_error *error);

#endif
