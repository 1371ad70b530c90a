/* The type of every value as far as it is known: declared, or following from the schema of what makes it. */
#ifndef INFER_TYPES_H
#define INFER_TYPES_H

#include "model/scope.h"
#include "schema/schema.h"

struct types;

/* Lazy: nothing is inferred before it is asked for; results are remembered. */
enum opshift_status types_new(struct opshift_model *model, struct scopes *scopes, struct types **types,
                              struct opshift_error *error);
void types_free(struct types *types);
/* Gives back what was worked out, when most likely nobody asks any more; who does has it worked out anew. */
void types_forget(struct types *types);
/* What is known of a name seen from a graph: value infos, graph inputs and outputs, initializers; else, from the node
 * that makes it: an output of type variable T has the element type of the inputs of type T; fixed types of the schema
 * (Shape gives int64); attributes that name a type (Cast's to, Constant's value, ...); shapes for operators whose shape
 * is simple (same shape as the input, broadcasting, Split, Transpose, Concat, Constant, Shape, ...). For a function's
 * formal input: what all calls agree on. Subgraph inputs of If/Loop/Scan: what can be known. Bounded in depth; unknown
 * stays unknown, never an error. */
enum opshift_status types_find(struct types *types, struct graph *graph, name_id name, struct value_type *type,
                               struct opshift_error *error);

/* Does one of the graph's inputs, outputs and value infos have the name, and say something of it? */
enum opshift_status types_declares(struct types *types, const struct graph *graph, name_id name, bool *declares,
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

/* The same without its dims and rank, which are left unknown: a declared element type is all that is looked for. */
enum opshift_status types_element(struct types *types, struct graph *graph, name_id name, struct value_type *type,
                                  struct opshift_error *error);

/* Types that no value of a model has, whatever its inputs are: those that are not among these. */
struct possible {
    uint64_t elements; /* a bit for each element type; all of them where it cannot be told */
    bool others;       /* some may be no tensors */
};
/* Linear in nodes and in what is declared; types are asked for where a node's outputs may be of any. */
enum opshift_status types_possible(struct types *types, struct possible *possible, struct opshift_error *error);

/* Asked for the constant behind a name when the shape of a value follows from it: *tensor stays the giver's, NULL: it
 * is none, or not yet. It may ask types_settled meanwhile, and nothing else of the types. */
typedef enum opshift_status (*types_constant)(void *data, struct graph *graph, name_id name,
                                              const struct tensor **tensor, struct opshift_error *error);
/* Without one (NULL), only Constant nodes and initializers are known. */
void types_ask(struct types *types, types_constant constant, void *data);
/* As types_find, also while types wait for the answer. *settled false: the type is not worked out yet, or may be taken
 * back; who waits will ask again when it is. */
enum opshift_status types_settled(struct types *types, struct graph *graph, name_id name, struct value_type *type,
                                  bool *settled, struct opshift_error *error);

#endif
