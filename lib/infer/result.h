/* Results of inference for each value, and the declarations. */
#ifndef INFER_RESULT_H
#define INFER_RESULT_H

#include "base/table.h"
#include "infer/given.h"
#include "infer/infer.h"

/* Values are numbered as their definitions are (model/scope.h). Number 0 is no value. */
struct value_result {
    uint32_t type;            /* number of its type; 0: unknown */
    uint32_t constant;        /* number of its constant; 0: none; CONSTANT_UNREAD */
    uint32_t declared : 29;   /* index + 1 of its value info among its graph's inputs, outputs and values; 0: none */
    uint32_t is_unstable : 1; /* a loop changes its shape: a declared shape is ignored */
    uint32_t is_open : 1;     /* the same, of all values that are inferred several times, or come in several ways */
    uint32_t is_freed : 1; /* depends on an input with a name given for a declared size: declared sizes are ignored */
};
#define CONSTANT_UNREAD UINT32_MAX /* an initializer or Constant that is small, and is read when it is needed */
#define NUMBER_NONE     UINT32_MAX /* of a type, constant or basis: no memory */

#define RULES_KEPT 64u /* a power of two */

#define DECLARED_SIZE_MAX 48u

/* The bytes of a TypeProto in the file, and the number of its type. */
struct declared_bytes {
    uint8_t data[DECLARED_SIZE_MAX];
    uint32_t size, type;
};

struct types {
    struct opshift_model *model;
    struct scopes *scopes;
    bool freeze;                    /* an initializer that a caller may override counts as constant */
    const struct call_frame *frame; /* the call that is being inferred; NULL: none */
    struct given *given;            /* given by the caller; NULL: nothing */
    bool is_inferred;               /* the pass is done */
    struct arena *arena, *scratch;  /* for what the results hold; until a node is done */
    struct value_result *results;   /* by number; NULL: no query yet */
    uint8_t **clashed;              /* by graph number, a bit per node (clash.h), in arena; NULL: none */
    uint32_t *rests_on;             /* by number: number of the value's basis; 0: facts, as for nearly all */
    const struct value_type **all;  /* types by number; the first one is unknown */
    const struct known **constants; /* by number; the first one is NULL */
    struct value_basis *bases;      /* by number; the first one is of facts */
    struct table type_table, constant_table, basis_table;
    struct table declared_table; /* items of declared, by their bytes */
    struct declared_bytes *declared;
    uint32_t declared_count, declared_room;
    uint32_t type_count, constant_count, basis_count;
    uint32_t type_room, constant_room, basis_room;
    uint64_t constant_size; /* bytes of all constants */
    uint64_t element_count; /* of constants that were computed */
    struct operator_rules rules[RULES_KEPT];
};

/* Creates the tables of values and declarations on first use. MEMORY, IO. */
enum opshift_status results_prepare(struct types *types, struct opshift_error *error);
void results_free(struct types *types);

/* Infers the whole model, unless that is done. Fails as types_find does. */
enum opshift_status types_all(struct types *types, struct opshift_error *error);

/* The number of the value of a name in a graph; 0: not defined. */
static inline uint32_t value_number(const struct types *types, const struct graph *graph, name_id name)
{
    return scope_number(types->scopes, graph, name);
}
/* The same of a node's output; 0: it has no name, or its name is found as something else. */
static inline uint32_t output_number(const struct types *types, const struct graph *graph, uint32_t node,
                                     uint32_t output)
{
    return scope_output_number(types->scopes, graph, node, output);
}
/* Do all readers of the name get this graph's initializer? */
bool types_is_final(const struct types *types, const struct graph *graph, name_id name);
/* The graph and name of a value that has a number. */
struct type_assumption value_name(const struct types *types, uint32_t number);
/* The value info that counts for a value of a graph; NULL: none. */
const struct value_info *result_declared(const struct graph *graph, const struct value_result *result);
/* The number of the type that a value info declares; 0: it declares nothing, or is malformed. Most models declare few
 * different types: equal bytes are decoded once. Uses the scratch arena. MEMORY, IO. */
enum opshift_status declared_number(struct types *types, const struct value_info *declared, uint32_t *number,
                                    struct opshift_error *error);
/* The declared type of a value info, with the caller's given shapes; a malformed one declares nothing. MEMORY, IO. */
enum opshift_status declared_type(struct types *types, const struct value_info *declared, struct arena *arena,
                                  struct value_type *type, struct opshift_error *error);

/* ---- what many values share (store.c) ---- */

/* Of everything by which two types (type_is_same) or constants (known_is_same) differ. */
uint64_t type_hash(const struct table *table, const struct value_type *type);
uint64_t known_hash(const struct table *table, const struct known *known);
/* The number of an equal type, which lasts. NUMBER_NONE. */
uint32_t type_keep(struct types *types, const struct value_type *type);
uint32_t basis_keep(struct types *types, const struct value_basis *basis);
/* Without the parts that the type leaves unknown. */
struct value_basis basis_trim(struct value_basis basis, const struct value_type *type);
/* 0: too large to be kept. NUMBER_NONE. */
uint32_t constant_keep(struct types *types, const struct known *known);
void store_free(struct types *types);

/* ---- the pass (pass.c, body.c, call.c, node_order.c) ---- */

/* Infers all values of the model. */
enum opshift_status types_infer(struct types *types, struct opshift_error *error);

struct call_memo;

/* One pass over a model, graph by graph. */
struct pass {
    struct types *types;
    uint32_t *current;      /* by graph number: the node that is being inferred, or was the last one */
    const uint32_t **order; /* by graph number: topological order of its nodes; NULL: file order */
    bool *unsorted;         /* by graph number: a node was read before it was inferred */
    bool *active;           /* by function: its body is being inferred */
    uint32_t *numbers;      /* of the values that the node at hand reads */
    uint32_t number_room;
    uint32_t call_depth;
    bool is_freed;            /* the node at hand, or one in its bodies, reads a value that is_freed */
    uint32_t repeats;         /* enclosing loops and calls, which may be inferred repeatedly */
    uint64_t nodes;           /* of the model */
    uint64_t work, work_most; /* nodes inferred so far; limit after which nothing is inferred again */
    struct call_memo *memo;
    struct opshift_error *error;
};

/* Infers the values of a graph whose inputs have their results. */
enum opshift_status pass_graph(struct pass *pass, struct graph *graph);
/* Stores a value's inferred type. Unknown parts are filled in from the declaration, which becomes the basis. */
enum opshift_status pass_set(struct pass *pass, uint32_t number, const struct graph *graph,
                             const struct value_type *type, uint32_t constant, struct value_basis basis);
/* Handles one of several sources of a value: if its shape contradicts the declared one, the latter is ignored. Before
 * pass_set. MEMORY, IO. */
enum opshift_status pass_alternative(struct pass *pass, uint32_t number, const struct graph *graph,
                                     const struct value_type *type);
/* The topological order of a graph's nodes, in types->arena. NULL: no memory. */
const uint32_t *node_order_find(struct types *types, struct graph *graph);
/* body.c: a node with bodies. */
enum opshift_status pass_bodies(struct pass *pass, struct graph *graph, uint32_t index);
/* call.c: a call of a function; then the bodies of all functions, with what all calls have in common. */
enum opshift_status pass_call(struct pass *pass, struct graph *graph, uint32_t index, const struct function *callee);
enum opshift_status pass_functions(struct pass *pass);
void call_memo_free(struct call_memo *memo);

/* The type of a value by its number. */
static inline const struct value_type *result_type(const struct types *types, uint32_t number)
{
    return types->all[types->results[number].type];
}
static inline const struct value_basis *result_basis(const struct types *types, uint32_t number)
{
    return &types->bases[types->rests_on[number]];
}
/* Writes only what differs: the table's pages are mapped when they are written, and most hold facts alone. */
static inline void result_set_basis(struct types *types, uint32_t number, uint32_t basis)
{
    if (types->rests_on[number] != basis)
        types->rests_on[number] = basis;
}
/* The basis of a result of two values: the first one that rests on a declaration. */
struct value_basis basis_join(struct value_basis a, const struct value_basis *b);

/* The rules for a node, valid until the next call. */
struct operator_rules *types_rules(struct types *types, const struct graph *graph, const struct node *node);
/* Fills an inference about a node with what is known of its inputs. numbers: of their values; NULL: they are looked
 * up. */
enum opshift_status inference_fill(struct inference *inference, struct types *types, struct graph *graph,
                                   const struct node *node, const uint32_t *numbers, struct arena *arena,
                                   struct opshift_error *error);

bool type_is_same(const struct value_type *a, const struct value_type *b);
/* Element type, rank and every dim are known. */
bool type_is_complete(const struct value_type *type);

#endif
