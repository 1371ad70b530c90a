/* Types of all values of a model: element type, shape, and the declarations that they rest on. */
#ifndef INFER_TYPES_H
#define INFER_TYPES_H

#include "model/scope.h"
#include "schema/schema.h"

struct types;

/* Lazy: the first query infers the whole model in one pass, later ones look up results. */
enum opshift_status types_new(struct opshift_model *model, struct scopes *scopes, struct types **types,
                              struct opshift_error *error);
void types_free(struct types *types);
/* Treats initializers that a caller may override as constants. Before the first query. */
void types_freeze(struct types *types);

/* Sets shapes of inputs and sizes of dims that the model does not declare. Before the first query. given may be NULL.
 * USAGE: one does not parse, names nothing, or contradicts the model; MALFORMED, IO, MEMORY. */
enum opshift_status types_give(struct types *types, const struct opshift_given *given, struct opshift_error *error);
/* Is it an input of the main graph whose shape rests on what is given? */
bool types_is_given(const struct types *types, const struct graph *graph, name_id name);

/* The type of a name in a graph. Inputs of the main graph and initializers: as declared, and by their data. Outputs of
 * nodes: inferred from the inputs by schema, type attributes, shape functions and small constants. Inputs of subgraphs:
 * what holds in every iteration. Inputs of functions: what all calls have in common. Otherwise the declared type; a
 * declaration that contradicts inference is ignored. Unknown parts are not an error. The dims belong to the types.
 * MEMORY, IO; UNSUPPORTED: beyond the limit of memory. */
enum opshift_status types_find(struct types *types, struct graph *graph, name_id name, struct value_type *type,
                               struct opshift_error *error);

/* The same; *assumed: a declaration that the element type rests on is not confirmed (types_assumption). */
enum opshift_status types_find_element(struct types *types, struct graph *graph, name_id name, struct value_type *type,
                                       bool *assumed, struct opshift_error *error);

/* The integers of a value computed from shapes, even if not all of its inputs are constant; in arena. *tensor NULL: not
 * all are known. */
enum opshift_status types_integers(struct types *types, struct graph *graph, name_id name, struct arena *arena,
                                   const struct tensor **tensor, struct opshift_error *error);

/* The declared type of a name, even if contradicted; unknown if not declared. The dims belong to the types. */
enum opshift_status types_declared(struct types *types, struct graph *graph, name_id name, struct value_type *type,
                                   struct opshift_error *error);
/* Both at once. found: as types_find; declared: as types_declared, NULL if there is no declaration. Where they are the
 * same type they are the same pointer. They last as long as the types. */
struct type_pair {
    const struct value_type *found, *declared;
};
enum opshift_status types_compare(struct types *types, struct graph *graph, name_id name, struct type_pair *pair,
                                  struct opshift_error *error);
/* Does the graph that defines the name declare it, as an input, output or value info? */
enum opshift_status types_declares(struct types *types, const struct graph *graph, name_id name, bool *declares,
                                   struct opshift_error *error);
/* Is it an input of a Loop's or Scan's body whose shape changes between iterations? Its declared shape is then ignored.
 */
enum opshift_status types_is_unstable(struct types *types, struct graph *graph, name_id name, bool *unstable,
                                      struct opshift_error *error);
/* The parts of a type that may rest on different declarations. */
enum type_part {
    TYPE_PART_ELEMENT, /* the element type; for other values, the type */
    TYPE_PART_RANK,    /* how many dims */
    TYPE_PART_SHAPE    /* the dims that are known, and the rank */
};

/* A value whose declaration (value info, graph output, body input) is not confirmed by inference. */
struct type_assumption {
    struct graph *graph; /* where the value is defined; NULL: there is no assumption */
    name_id name;
};

/* What a part of the result of types_find rests on. assumption->graph NULL: it follows from facts (inputs of the main
 * graph, initializers, attributes, schemas), or is unknown. Else one value that has to be as it is declared, perhaps
 * the value itself: what is inferred from a declared type rests on that declaration, too. Where several have to be, the
 * first one found is given. Declarations that inference contradicts never count. Fails as types_find does. */
enum opshift_status types_assumption(struct types *types, struct graph *graph, name_id name, enum type_part part,
                                     struct type_assumption *assumption, struct opshift_error *error);

/* The same of the value of a name that is computed from constants and shapes: a declaration on which the shape rests
 * that a Shape or Size behind it reads. Of more than a few nodes, the name itself is given. */
enum opshift_status types_constant_assumption(struct types *types, struct graph *graph, name_id name,
                                              struct type_assumption *assumption, struct opshift_error *error);

#endif
