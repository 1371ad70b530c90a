/* The values of a model whose types were asked for, and what is declared of each. */
#ifndef SCHEMA_ENTRY_H
#define SCHEMA_ENTRY_H

#include "schema/infer.h"

/* A value on its way from NEW to DONE. A cycle meets it OPEN: then only what is declared is known of it. */
enum entry_state { ENTRY_NEW, ENTRY_OPEN, ENTRY_DONE };

/* Zeroed: nobody asked for it. */
struct entry {
    const struct value_type *type; /* as far as it is known; many values have the same one */
    uint32_t graph;                /* the number of that which defines it, and one; 0: the entry is free */
    uint32_t question : 24;        /* of which it was worked out */
    uint32_t state : 2;            /* enum entry_state */
    uint32_t tries : 6;
};
#define QUESTIONS ((UINT32_C(1) << 24) - 1) /* they are counted up to here, and then from 1 on */

#define TYPES_KEPT      256u /* powers of two */
#define OPERATIONS_KEPT 64u

/* The lists of a graph in which value infos stand, in the order in which they count. */
enum declaring { DECLARING_INPUTS, DECLARING_OUTPUTS, DECLARING_VALUES, DECLARING_COUNT };

/* The value infos of each list by name; most are never asked for, so they cost no entry. */
struct declarations {
    uint32_t *order[DECLARING_COUNT]; /* their numbers, sorted by name; NULL: the list is sorted as it stands */
};

struct types {
    struct opshift_model *model;
    struct scopes *scopes;
    struct arena *arena, *scratch;
    struct entry *entries;       /* by name, of the graph that first asked for it; NULL: nobody asked */
    uint32_t name_count;         /* that there were then */
    struct other_entry **others; /* all others, open addressing; the size is a power of two, or 0 */
    size_t others_size, other_count;
    const struct value_type *kept[TYPES_KEPT];
    struct operation operations[OPERATIONS_KEPT];
    const struct declarations **declarations; /* per graph; NULL: not looked at yet */
    uint32_t near[DECLARING_COUNT];           /* where the last search ended */
    struct entry **stack;
    size_t depth, stack_size;
    uint32_t question; /* how many were asked */
    enum trust trust;
    struct assumption *assumptions; /* of this question */
    types_constant constant;        /* NULL: nobody folds */
    void *constant_data;
    bool patient;         /* another try is left to the inference that runs now */
    struct entry *needed; /* new, and the inference that runs now goes better when it is done; NULL: none */
};

/* The entry of what a name means, seen from a graph. NULL: no memory. */
struct entry *entry_find(struct types *types, struct graph *graph, name_id name);
/* What a name means, seen from a graph, and the value info that speaks of it; NULL: none. False: no memory. */
bool entry_declared(struct types *types, struct graph *graph, name_id name, struct definition *found,
                    const struct value_info **declared);
/* What was asked for before. NULL: nobody asked. */
const struct entry *entry_look(const struct types *types, struct graph *graph, name_id name);
name_id entry_name(const struct types *types, const struct entry *entry);
struct graph *entry_graph(const struct types *types, const struct entry *entry);
/* The same type where it lasts, and one for values that follow one another and are alike. NULL: no memory. */
const struct value_type *type_keep(struct types *types, const struct value_type *type);
/* Nothing more will be known of it. */
void entry_set_done(const struct types *types, struct entry *entry);
/* Its type becomes what is declared of it; a malformed declaration declares nothing. Takes memory of the scratch. */
enum opshift_status entry_read_declared(struct types *types, struct entry *entry, struct opshift_error *error);
/* Forgets what was worked out for the question at hand. */
void answers_forget(struct types *types);

/* Element type, rank and every dim are known. */
bool type_is_complete(const struct value_type *type);
/* What is declared stands; what is not is filled in. */
void type_merge(struct inference *inference, struct value_type *type, const struct value_type *inferred);

#endif
