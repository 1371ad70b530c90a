/* What a name means where it stands (ONNX IR.md, "Names Within a Graph"). */
#ifndef MODEL_SCOPE_H
#define MODEL_SCOPE_H

#include "base/buffer.h"
#include "model/model.h"

enum definition_kind { DEFINED_NOWHERE, DEFINED_INPUT, DEFINED_NODE, DEFINED_INITIALIZER };

struct definition {
    enum definition_kind kind;
    struct graph *graph; /* where it is defined */
    uint32_t index;      /* into that graph's inputs, nodes or initializers */
    uint32_t output;     /* DEFINED_NODE: which output */
};

/* Tables from names to definitions, per graph, made once: linear in names. */
struct scope_place {
    uint32_t index;
    uint32_t output : 28, kind : 2, is_input : 1; /* kind DEFINED_NOWHERE: free */
};

/* By name: an array with a place for every name of the model where a graph defines many of them, or else open
 * addressing, with the names behind the places; room is a power of two, or 0 for a graph that defines nothing. */
struct scope_table {
    union {
        struct scope_place *places;
        uint32_t *packed; /* is_array: each place in one number */
    };
    uint32_t room;
    uint8_t index_shift; /* is_array: where a place's index starts, behind its kind, is_input and output */
    bool is_array;
};
#define PACKED_KIND   3u /* bits: enum definition_kind */
#define PACKED_INPUT  4u
#define PACKED_OUTPUT 3u /* where the output starts */
static inline name_id *table_names(const struct scope_table *table)
{
    return (name_id *)(table->places + table->room);
}

/* A number for each of a few names: the index of its place. */
struct scope_counts {
    struct scope_table table;
    uint32_t name_count;
};

struct scopes { /* seen here for scope_find alone */
    struct opshift_model *model;
    struct scope_table *tables; /* by graph->number, */
    void *places;               /* and all that they hold */
    uint8_t *uses;              /* by name_id, how often it is read, modulo USES_ROUND; NULL: nobody asked yet */
    struct scope_counts rounds; /* and how often that was reached */
    uint32_t name_count;        /* names there were at the start */
    struct scope_calls *calls;  /* by function */
    uint32_t *functions;        /* by domain, name and overload, open addressing: their numbers, from 1; 0: free */
    uint32_t function_room;     /* a power of two */
    struct scope_counts fresh;  /* how far each stem has been counted */
    uint8_t *given;             /* of model->fresh_names, a bit for each that these scopes gave */
    uint32_t given_room;        /* in bytes */
    struct buffer text;         /* where a name is put together */
};
#define USES_ROUND 256u

enum opshift_status scopes_new(struct opshift_model *model, struct scopes **scopes, struct opshift_error *error);
void scopes_free(struct scopes *scopes);
/* Formal inputs of the graph, then node outputs, then its initializers, then the enclosing scope; functions are closed.
 * A name that is both a graph input and an initializer is found as DEFINED_INITIALIZER, and scope_is_input says so. */
static inline struct definition scope_find(const struct scopes *scopes, struct graph *graph, name_id name);
/* The same where the name may stand further out, or is looked for in a hash table. */
struct definition scope_search(const struct scopes *scopes, struct graph *graph, name_id name);
/* For a hash: names of small initializers that say the same give the same number, and so do those of nodes without
 * inputs that have the same few attributes, whichever operators they are. 0: nothing is known. */
unsigned scope_constant(const struct scopes *scopes, struct graph *graph, name_id name);
bool scope_is_input(const struct scopes *scopes, const struct graph *graph, name_id name);
/* How often a name is read anywhere in the model: node inputs, graph outputs, function outputs (all scopes together, so
 * never too few). */
uint32_t scope_uses(const struct scopes *scopes, name_id name);
/* To be called before scope_uses. */
enum opshift_status scopes_count_uses(struct scopes *scopes, struct opshift_error *error);
/* It is read once less from now on. */
void scope_drop_use(struct scopes *scopes, name_id name);
/* A name that stands nowhere in the model, nor was given by these scopes before: stem, stem_1, stem_2, ...
 * NAME_NO_MEMORY: no memory. */
name_id scope_fresh(struct scopes *scopes, const char *stem, size_t stem_size);
/* Calls of a model-local function: (graph, node index) pairs. */
struct call {
    struct graph *graph;
    uint32_t node;
};
const struct call *scope_calls(const struct scopes *scopes, const struct function *function, uint32_t *count);
/* The function that a node calls; NULL: none (domain, op_type and overload decide). */
struct function *scope_callee(const struct scopes *scopes, const struct node *node);

static inline struct definition packed_definition(const struct scope_table *table, uint32_t packed, struct graph *graph)
{
    uint32_t index = packed >> table->index_shift, rest = packed ^ index << table->index_shift;
    return (struct definition){(enum definition_kind)(packed & PACKED_KIND), graph, index, rest >> PACKED_OUTPUT};
}

static inline struct definition scope_find(const struct scopes *scopes, struct graph *graph, name_id name)
{
    const struct scope_table *table = &scopes->tables[graph->number];
    if (table->is_array && name < table->room && (table->packed[name] & PACKED_KIND) != DEFINED_NOWHERE)
        return packed_definition(table, table->packed[name], graph);
    return scope_search(scopes, graph, name);
}

/* Are calls no deeper than opshift_limits.calls? UNSUPPORTED; NO: a function calls itself. Linear in calls. */
enum opshift_status calls_check(const struct opshift_model *model, const struct scopes *scopes,
                                struct opshift_error *error);

#endif
