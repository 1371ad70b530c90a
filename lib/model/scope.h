/* Scopes of names (ONNX IR.md, "Names Within a Graph"). */
#ifndef MODEL_SCOPE_H
#define MODEL_SCOPE_H

#include "model/model.h"

enum definition_kind { DEFINED_NOWHERE, DEFINED_INPUT, DEFINED_NODE, DEFINED_INITIALIZER };

struct definition {
    enum definition_kind kind;
    uint32_t number;     /* among all of the model, from 1; 0: DEFINED_NOWHERE */
    struct graph *graph; /* the graph that defines it */
    uint32_t index;      /* in that graph's inputs, nodes or initializers */
    uint32_t output;     /* DEFINED_NODE: which output */
};

struct scopes;

enum opshift_status scopes_new(struct opshift_model *model, struct scopes **scopes, struct opshift_error *error);
void scopes_free(struct scopes *scopes);
/* Finds the definition of a name: inputs of the graph, then node outputs, then its initializers, then the enclosing
 * scope; a function has no enclosing scope. A name that is both a graph input and an initializer is found as
 * DEFINED_INITIALIZER; scope_is_input is then true. */
struct definition scope_find(const struct scopes *scopes, struct graph *graph, name_id name);
/* Is a name, as the graph uses it, that of a value of an outer graph? */
bool scope_is_outer(const struct scopes *scopes, struct graph *graph, name_id name);
/* The number of that definition; 0: there is none. */
uint32_t scope_number(const struct scopes *scopes, const struct graph *graph, name_id name);
/* The number of a node's output, and of an initializer; 0: it has no name, or its name is found as something else. */
uint32_t scope_output_number(const struct scopes *scopes, const struct graph *graph, uint32_t node, uint32_t output);
uint32_t scope_initializer_number(const struct scopes *scopes, const struct graph *graph, uint32_t initializer);
uint32_t scopes_last_number(const struct scopes *scopes);
/* The definition of a number above 0. */
struct definition scope_definition(const struct scopes *scopes, uint32_t number);
bool scope_is_input(const struct scopes *scopes, const struct graph *graph, name_id name);
/* The meaning of an initializer for readers of its name. */
enum initializer_role {
    INITIALIZER_CONSTANT, /* its value */
    INITIALIZER_DEFAULT,  /* the default of a graph input (IR 4 or later) */
    INITIALIZER_REPLACED  /* unused: it is an input of a subgraph, which the node always gives */
};
enum initializer_role scope_initializer_role(const struct scopes *scopes, const struct graph *graph, name_id name);
/* Number of uses of a name in the model: node inputs, graph outputs, function outputs, and others (outside.h). Scopes
 * are not distinguished, so it may be too high, never too low. */
uint32_t scope_uses(const struct scopes *scopes, name_id name);
/* Must be called before scope_uses. */
enum opshift_status scopes_count_uses(struct scopes *scopes, struct opshift_error *error);
/* Is the name used by a training binding, a quantization annotation or a node's device configuration? Such uses count
 * in scope_uses. Requires scopes_count_uses. */
bool scope_is_outside(const struct scopes *scopes, name_id name);
/* Decrements the use count. */
void scope_drop_use(struct scopes *scopes, name_id name);
/* Longer names are no part of new ones, of which one name may get many. */
#define SCOPE_STEM_MAX 80u
/* A fresh name, which neither the model has nor these scopes gave before: stem, stem_1, stem_2, ... NAME_NO_MEMORY: no
 * memory. */
name_id scope_fresh(struct scopes *scopes, const char *stem, size_t stem_size);
/* Did scope_fresh of these scopes give this name? */
bool scope_gave(const struct scopes *scopes, name_id name);
/* Calls of a model-local function: (graph, node index) pairs. */
struct call {
    struct graph *graph;
    uint32_t node;
};
const struct call *scope_calls(const struct scopes *scopes, const struct function *function, uint32_t *count);
/* Does a graph outside of functions call it, directly or through functions? */
bool scope_is_reached(const struct scopes *scopes, const struct function *function);
/* The function that a node calls, by domain, op_type and overload; NULL: none. */
struct function *scope_callee(const struct scopes *scopes, const struct node *node);

/* Checks the depth of calls against opshift_limits.calls (UNSUPPORTED). NO: recursion. Linear in the number of calls.
 */
enum opshift_status calls_check(const struct opshift_model *model, const struct scopes *scopes,
                                struct opshift_error *error);

#endif
