/* The values of a model whose types were asked for, and what is declared of each. */
#ifndef INFER_ENTRY_H
#define INFER_ENTRY_H

#include "infer/infer.h"

/* A value on its way from NEW, when it is asked for, to DONE. A cycle meets it OPEN: then only what is declared is
 * known of it. */
enum entry_state { ENTRY_FREE, ENTRY_NEW, ENTRY_OPEN, ENTRY_DONE };

/* Zeroed: it is free, as nobody asked for it. */
struct entry {
    uint32_t type : 30; /* the number of its type as far as it is known; many values have the same one */
    uint32_t state : 2; /* enum entry_state */
};
#define TYPE_UNKNOWN   0u
#define TYPE_LAST      ((UINT32_C(1) << 30) - 1)
#define TYPE_NO_MEMORY UINT32_MAX

#define OPERATIONS_KEPT 64u /* a power of two */

/* The lists of a graph in which value infos stand, in the order in which they count. */
enum declaring { DECLARING_INPUTS, DECLARING_OUTPUTS, DECLARING_VALUES, DECLARING_COUNT };

/* The value infos of each list by name; most are never asked for, so they cost no entry. */
struct declarations {
    uint32_t *order[DECLARING_COUNT]; /* their numbers, sorted by name; NULL: the list is sorted as it stands */
    name_id first, last; /* the least and the greatest name among outputs and values; last 0: there are none */
};

/* What a name means where it stands. */
struct value {
    struct definition definition; /* DEFINED_NOWHERE: of the graph that it is seen from */
    name_id name;
};

/* A value that waits for others: what it is defined by is found once. */
struct pending {
    struct entry *entry;
    uint32_t index;       /* of the definition */
    uint32_t is_node : 1; /* or else it is an input */
    uint32_t passes : 1;  /* the node passes on the type of its input */
    uint32_t tries : 30;
};

/* Nodes of a graph that are worked out in their order: from start up to, but not, end. */
struct sweep {
    struct graph *graph;
    uint32_t start, end;
};

/* What inferences gave (precedent.h), each in the bucket of what it is like. */
struct precedents {
    struct precedent **buckets; /* a power of two; NULL: nothing was kept yet */
    unsigned bits;
    uint32_t count;
    struct arena *arena; /* for nothing else: all go at once, when they take too much */
};

struct types {
    struct opshift_model *model;
    struct scopes *scopes;
    struct arena *arena, *scratch;
    struct entry *entries;       /* by name, of the graph that first asked for it; NULL: nobody asked */
    uint32_t *graphs;            /* by name as well, the number of that graph; NULL: there is one */
    uint32_t *questions;         /* by name as well, of which each was worked out; NULL: there are no functions */
    uint32_t name_count;         /* that there were then */
    struct other_entry **others; /* all others, open addressing; the size is a power of two, or 0 */
    size_t others_size, other_count;
    const struct value_type **all; /* types by number; the first one is unknown */
    uint32_t type_count, type_room;
    uint32_t *places; /* their numbers by what they are, open addressing, twice the room; 0: none is there */
    struct operation operations[OPERATIONS_KEPT];
    struct precedents precedents;
    const struct declarations **declarations; /* per graph; NULL: not looked at yet */
    uint32_t near[DECLARING_COUNT];           /* where the last search ended */
    struct pending *stack;
    size_t depth, stack_size;
    uint32_t *swept;   /* per graph, how many nodes were; NULL: none of any */
    uint32_t question; /* how many were asked */
    enum trust trust;
    struct assumption *assumptions; /* of this question */
    types_constant constant;        /* NULL: nobody folds */
    void *constant_data;
    bool patient;               /* another try is left to the inference that runs now */
    struct graph *needed_graph; /* of a new value with which the inference that runs now goes better; NULL: none */
    name_id needed;
};

static inline struct value value_find(const struct types *types, struct graph *graph, name_id name)
{
    struct value value = {.definition = scope_find(types->scopes, graph, name), .name = name};
    if (value.definition.kind == DEFINED_NOWHERE)
        value.definition.graph = graph;
    return value;
}
/* Of a name that is seen from the graph that defines it, as most are, before it is known what it means. NULL: it is
 * new, or among the others. */
static inline struct entry *entry_here(const struct types *types, const struct graph *graph, name_id name)
{
    struct entry *entry = name < types->name_count ? &types->entries[name] : NULL;
    bool asked = entry && entry->state != ENTRY_FREE;
    return asked && (types->graphs == NULL || types->graphs[name] == graph->number) ? entry : NULL;
}
/* The same for a value. */
static inline struct entry *entry_near(const struct types *types, const struct value *value)
{
    return entry_here(types, value->definition.graph, value->name);
}
/* The graph that defines what an entry is of. */
struct graph *entry_graph(const struct types *types, const struct entry *entry);
struct entry *entry_add(struct types *types, const struct value *value);
const struct entry *entry_search(const struct types *types, const struct value *value);
/* Its entry. NULL: no memory. */
static inline struct entry *value_entry(struct types *types, const struct value *value)
{
    struct entry *near = entry_near(types, value);
    return near ? near : entry_add(types, value);
}
/* What was asked for before. NULL: nobody asked. */
static inline const struct entry *value_look(const struct types *types, const struct value *value)
{
    const struct entry *near = entry_near(types, value);
    return near || types->others == NULL ? near : entry_search(types, value);
}
/* The same for a name. */
static inline const struct entry *entry_see(const struct types *types, struct graph *graph, name_id name)
{
    const struct entry *here = entry_here(types, graph, name);
    if (here)
        return here;
    struct value value = value_find(types, graph, name);
    return value_look(types, &value);
}
bool value_declaration(struct types *types, const struct value *value, const struct value_info **declared);
/* The value info that speaks of it; NULL: none. False: no memory. */
static inline bool value_declared(struct types *types, const struct value *value, const struct value_info **declared)
{
    const struct declarations *known = types->declarations[value->definition.graph->number];
    if (known == NULL || value->definition.kind != DEFINED_NODE ||
        (value->name >= known->first && value->name <= known->last))
        return value_declaration(types, value, declared);
    *declared = NULL;
    return true;
}
/* What is known by now; it lasts. */
static inline const struct value_type *entry_type(const struct types *types, const struct entry *entry)
{
    return types->all[entry->type];
}
/* The number of the same type, which lasts: values that are alike have one. TYPE_NO_MEMORY. */
uint32_t type_keep(struct types *types, const struct value_type *type);
/* Nothing more will be known of it. */
void entry_set_done(const struct types *types, struct entry *entry);
/* Was it worked out for the question at hand? */
bool entry_is_fresh(const struct types *types, const struct entry *entry);
/* What a value info declares; a malformed one declares nothing. */
enum opshift_status declared_type(struct types *types, const struct value_info *declared, struct arena *arena,
                                  struct value_type *type, struct opshift_error *error);
/* Its type becomes what is declared of it. Takes memory of the scratch. */
enum opshift_status entry_declare(struct types *types, const struct value_info *declared, struct entry *entry,
                                  struct opshift_error *error);
/* What is known of a node's operator; it lasts until another node is asked about. */
struct operation *types_operation(struct types *types, const struct graph *graph, const struct node *node);
/* Forgets what was worked out for the question at hand. */
void answers_forget(struct types *types);

/* Element type, rank and every dim are known. */
bool type_is_complete(const struct value_type *type);
/* What is declared stands; what is not is filled in. */
void type_merge(struct inference *inference, struct value_type *type, const struct value_type *inferred);

#endif
