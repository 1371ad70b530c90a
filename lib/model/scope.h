/* What a name means where it stands (ONNX IR.md, "Names Within a Graph"). */
#ifndef MODEL_SCOPE_H
#define MODEL_SCOPE_H

#include "model/model.h"

enum definition_kind { DEFINED_NOWHERE, DEFINED_INPUT, DEFINED_NODE, DEFINED_INITIALIZER };

struct definition {
    enum definition_kind kind;
    struct graph *graph; /* where it is defined */
    uint32_t index;      /* into that graph's inputs, nodes or initializers */
    uint32_t output;     /* DEFINED_NODE: which output */
};

struct scopes;

enum opshift_status scopes_new(struct opshift_model *model, struct scopes **scopes, struct opshift_error *error);
void scopes_free(struct scopes *scopes);
/* Formal inputs of the graph, then node outputs, then its initializers, then the enclosing scope; functions are closed.
 * A name that is both a graph input and an initializer is found as DEFINED_INITIALIZER, and scope_is_input says so. */
struct definition scope_find(const struct scopes *scopes, struct graph *graph, name_id name);
bool scope_is_input(const struct scopes *scopes, const struct graph *graph, name_id name);
/* What an initializer is to those that read its name. */
enum initializer_role {
    INITIALIZER_CONSTANT, /* its value */
    INITIALIZER_DEFAULT,  /* its value, if the caller gives none: it is an input too, and IR 4 or later */
    INITIALIZER_REPLACED  /* nothing: it is an input of a body, whose value the node around it gives */
};
enum initializer_role scope_initializer_role(const struct scopes *scopes, const struct graph *graph, name_id name);
/* How often a name is read anywhere in the model: node inputs, graph outputs, function outputs, and beside them
 * (outside.h); all scopes together, so never too few. */
uint32_t scope_uses(const struct scopes *scopes, name_id name);
/* To be called before scope_uses. */
enum opshift_status scopes_count_uses(struct scopes *scopes, struct opshift_error *error);
/* Is it used outside of nodes and graphs' borders: by a binding of training, a quantization annotation or a node's
 * device configuration? Counts in scope_uses. To be asked after scopes_count_uses. */
bool scope_is_outside(const struct scopes *scopes, name_id name);
/* It is read once less from now on. */
void scope_drop_use(struct scopes *scopes, name_id name);
/* A name that stands nowhere in the model, nor was given by these scopes before: stem, stem_1, stem_2, ...
 * NAME_NO_MEMORY: no memory. */
name_id scope_fresh(struct scopes *scopes, const char *stem, size_t stem_size);
/* Did these scopes give it? */
bool scope_gave(const struct scopes *scopes, name_id name);
/* Calls of a model-local function: (graph, node index) pairs. */
struct call {
    struct graph *graph;
    uint32_t node;
};
const struct call *scope_calls(const struct scopes *scopes, const struct function *function, uint32_t *count);
/* The function that a node calls; NULL: none (domain, op_type and overload decide). */
struct function *scope_callee(const struct scopes *scopes, const struct node *node);

/* Are calls no deeper than opshift_limits.calls? UNSUPPORTED; NO: a function calls itself. Linear in calls. */
enum opshift_status calls_check(const struct opshift_model *model, const struct scopes *scopes,
                                struct opshift_error *error);

#endif
