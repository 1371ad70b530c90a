/* What is known of every value of a model: element type, shape, and what that rests on. */
#ifndef INFER_TYPES_H
#define INFER_TYPES_H

#include "model/scope.h"
#include "schema/schema.h"

struct types;

/* Infers nothing yet: the first question has the whole model inferred, in one pass, and further ones look it up. */
enum opshift_status types_new(struct opshift_model *model, struct scopes *scopes, struct types **types,
                              struct opshift_error *error);
void types_free(struct types *types);
/* Before the first question: initializers that a caller may override count as constants. */
void types_freeze(struct types *types);

/* Before the first question: shapes of inputs and sizes of dims that the model does not say. given may be NULL. USAGE:
 * one does not read, names nothing, or contradicts the model; MALFORMED, IO, MEMORY. */
enum opshift_status types_give(struct types *types, const struct opshift_given *given, struct opshift_error *error);
/* Is it an input of the main graph whose shape rests on what is given? */
bool types_is_given(const struct types *types, const struct graph *graph, name_id name);

/* What is known of a name seen from a graph. Of inputs of the main graph and of initializers: what is declared, and
 * what they hold. Of what a node gives: what follows from its inputs, by the operator's schema, attributes that name a
 * type, shape functions, small constants. Of what goes into a body: what the node around it gives in every iteration.
 * Of a function's inputs: what all calls agree on. Where nothing follows, what is declared; a declaration that differs
 * from what follows does not count. Unknown stays unknown, never an error. Its dims stay the types'. MEMORY, IO;
 * UNSUPPORTED: beyond the limit of memory. */
enum opshift_status types_find(struct types *types, struct graph *graph, name_id name, struct value_type *type,
                               struct opshift_error *error);

/* The whole numbers that a name computed from shapes is known to have, though not all that it is computed from is
 * constant; in arena. NULL in *tensor: not all of them are known. */
enum opshift_status types_integers(struct types *types, struct graph *graph, name_id name, struct arena *arena,
                                   const struct tensor **tensor, struct opshift_error *error);

/* What is declared of a name, in arena, whether it is so or not; unknown: nothing. */
enum opshift_status types_declared(struct types *types, struct graph *graph, name_id name, struct arena *arena,
                                   struct value_type *type, struct opshift_error *error);
/* Does one of the inputs, outputs and value infos of the graph that defines a name declare it? */
enum opshift_status types_declares(struct types *types, const struct graph *graph, name_id name, bool *declares,
                                   struct opshift_error *error);
/* Is it an input of a Loop's or Scan's body whose shape changes from one iteration to the next? What is declared of its
 * shape does not count then. */
enum opshift_status types_is_unstable(struct types *types, struct graph *graph, name_id name, bool *unstable,
                                      struct opshift_error *error);
/* The parts of a type that may rest on a declaration each on its own. */
enum type_part {
    TYPE_PART_ELEMENT, /* the element type; of what is no tensor, the type */
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
