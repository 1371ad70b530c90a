/* The storage of a plan: an entry for each node that is not simply kept, and the added and removed records besides. */
#ifndef CONVERT_PLAN_STORE_H
#define CONVERT_PLAN_STORE_H

#include "base/buffer.h"
#include "base/report.h"
#include "convert/plan.h"
#include "rule/replace.h"
#include "schema/schema.h"

/* The list of rule files that changed a node; shared by many nodes. */
struct plan_origin {
    const struct plan_origin *next; /* added before this one */
    const char *const *files;
    size_t count;
    uint32_t number; /* from 1 */
};

struct plan_text {
    struct plan_text *next;
    const char *words;
};

enum assumption_kind {
    ASSUMED_TYPE,     /* an unknown type is one that the target accepts */
    ASSUMED_MEANING,  /* what the node is, which is not valid at its opset, or not in the standard; in words */
    ASSUMED_WORDS,    /* an unconfirmed declared type or shape */
    ASSUMED_CONDITION /* a condition of a rule on a value */
};

struct plan_assumption {
    struct plan_assumption *next;
    enum assumption_kind kind;
    name_id value;
    const struct schema *target;
    uint64_t lost;     /* ASSUMED_TYPE: the element types that the target does not accept, a bit each; 0: only others */
    const char *words; /* else: "rank of 'h' is 2, as declared" */
};

/* What few entries have: texts, and changes inside the node's record. */
struct plan_words {
    int64_t from, to;                    /* the latest first; NULL: none */
    const char *why;                     /* the latest first; NULL: none */
    const char *became;                  /* REWRITTEN: description of the result; NULL: derived from its last record */
    struct plan_text *notes;             /* the last one first; NULL: none */
    struct plan_assumption *assumptions; /* the same */
    uint32_t changes, change_count;      /* range of the plan's changes, if `inside` */
};

/* A change of one record inside a node, for large nodes and nodes with subgraphs. */
struct plan_change {
    uint64_t offset, removed; /* in the file */
    size_t place, size;       /* in the plan's bytes */
};

#define ORIGIN_BITS 22 /* far more than there are lists of rules */

/* Bit-fields, since a plan may have one for each node. */
struct plan_entry {
    struct plan_words *words;      /* NULL: none */
    uint64_t records : 42;         /* REWRITTEN: place of its records in the plan's bytes */
    uint64_t origin : ORIGIN_BITS; /* number of its origin; 0: no rule changed it */
    uint64_t size : 42;            /* REWRITTEN: bytes of its records; if `inside`, only of those before it */
    enum opshift_fate fate : 8;
    enum replacement_kind replaced_as : 8;
    bool replaced : 1; /* REWRITTEN: replaced by a rule's nodes of other operators */
    bool inside : 1;   /* its record is changed in parts, not replaced */
};

/* A constant of the plan, and its record with tag and length. */
struct plan_added {
    struct plan_constant constant;
    size_t place, size;
    const struct plan_added *next; /* of the same graph */
};

/* The constants that the plan adds to one graph, in the order of their creation. */
struct plan_constants {
    struct plan_added *first, *last;
};

/* Removed bytes other than nodes: whole records. */
struct plan_removal {
    struct graph *graph;
    uint64_t from, until;
};

/* The conversion of one domain: all its operators move from one opset to another. */
struct domain_move {
    name_id domain;   /* NAME_NONE: ai.onnx */
    const char *text; /* "": ai.onnx */
    int64_t source, target;
    bool up;
};

#define PLAN_CHUNK 512u /* entries that are allocated together */

struct conversion_plan {
    struct opshift_model *model;
    struct opshift_model *first; /* the model that was planned, if functions are written once for each case in `model`,
                                    a preview that the plan owns (cases.h); NULL: `model` itself */
    struct arena *cases_arena;   /* of that preview */
    const uint32_t *origin;      /* by its functions: the number of the function in the first model */
    struct arena *arena;
    int64_t source, target;    /* opsets of the model */
    struct domain_move *moves; /* of the other domains that the goal names and the model imports */
    uint32_t move_count;
    int64_t ir_version;  /* of the converted model */
    const char *ir_note; /* a remark about it; NULL: none */
    struct bytes inputs; /* records: initializers of the main graph that must be inputs, too */
    bool *removed;       /* by function: it is removed; NULL: none is */
    int64_t opset_else;  /* with a target: the opset to take if nothing else leads there; 0: none */
    bool ir_alone;       /* nothing else changes */
    int64_t nearest;     /* if blocked: the nearest reachable opset; 0: unknown */
    json_t *options;     /* if blocked: options with which it would not be; NULL: none */
    const struct opshift_rules *rules;
    bool is_plain;  /* made with no options of the goal but opset, ir_version, freeze_initializers, allow_approximate */
    bool is_frozen; /* made with freeze_initializers */
    bool up;
    bool hopeless; /* a node is blocked whatever the types, shapes and options are */
    bool foreign;  /* the model imports no opset of ai.onnx */
    /* By graph number, by node: number of its entry, from 1; 0: kept. NULL: all nodes of the graph are kept. */
    uint32_t **graphs;
    struct buffer chunks; /* addresses of PLAN_CHUNK entries each */
    uint32_t entry_count;
    struct buffer bytes;              /* of all records */
    struct buffer changes;            /* struct plan_change */
    struct buffer added;              /* addresses of struct plan_added, in the order of their creation */
    struct plan_constants *constants; /* the same by graph number; NULL: none */
    struct buffer by_name;            /* the same sorted by name, once the plan is complete */
    struct buffer removals;           /* struct plan_removal, sorted by place once the plan is complete */
    const struct plan_origin *origins;
    uint32_t blocker_count, rewritten_count, added_count, removed_count, assumption_count;
    uint32_t blocker_words;  /* number of blockers whose reason is kept */
    uint64_t fragment_count; /* replacements that were converted, as a measure of work */
};

/* A plan of this model as it is; functions have one body for all calls. */
enum opshift_status plan_single(struct opshift_model *model, const struct opshift_goal *goal,
                                struct conversion_plan **plan, struct opshift_error *error);
/* NULL: no memory. */
struct conversion_plan *plan_open(struct opshift_model *model);
/* The entry of a node; NULL: it has none. */
struct plan_entry *plan_entry_find(const struct conversion_plan *plan, const struct graph *graph,
                                   const struct node *node);
/* Walks over the nodes that have entries, in the order of the model. Starts with {0}; false: there are no more. */
struct plan_walk {
    struct graph *graph;
    struct node *node;
    struct plan_entry *entry;
    uint32_t graph_at, node_at; /* where it goes on */
};
bool plan_walk_next(const struct conversion_plan *plan, struct plan_walk *walk);
/* The same; creates it if necessary. NULL: no memory. */
struct plan_entry *plan_entry_add(struct conversion_plan *plan, const struct graph *graph, const struct node *node);
/* The texts of an entry; creates them if necessary. NULL: no memory. */
struct plan_words *plan_words_of(struct conversion_plan *plan, struct plan_entry *entry);
/* The number of the shared list of these files. 0: no memory. */
uint32_t plan_origin_find(struct conversion_plan *plan, const char *const *files, size_t count);
/* The origin of an entry; NULL: no rule changed it. */
const struct plan_origin *plan_origin_of(const struct conversion_plan *plan, const struct plan_entry *entry);
/* A constant whose record is the plan's last bytes from `place` on. NULL: no memory. */
const struct plan_added *plan_constant_add(struct conversion_plan *plan, const struct plan_constant *constant,
                                           size_t place);

enum opshift_status plan_remove_node(struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                                     struct opshift_error *error);
/* Removes the records of a graph from one offset to another. */
enum opshift_status plan_remove_records(struct conversion_plan *plan, struct graph *graph, uint64_t from,
                                        uint64_t until, struct opshift_error *error);
/* Is the function one that nothing calls, and removed since such a one cannot be converted? NULL: false. */
static inline bool plan_removes(const struct conversion_plan *plan, const struct function *function)
{
    return plan->removed && function && plan->removed[function - plan->model->functions];
}
/* Blocks a node. from, to: the opsets of the step; equal: no step. */
enum opshift_status plan_block(struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                               int64_t from, int64_t to, const char *why, struct opshift_error *error);
/* Sets the description of a rewritten node. */
enum opshift_status plan_describe(struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                                  const char *became, struct opshift_error *error);
enum opshift_status plan_note(struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                              const char *words, struct opshift_error *error);
/* Is the meaning of the node assumed, whatever is wrong with it at its opset? */
bool plan_assumes_meaning(const struct conversion_plan *plan, const struct graph *graph, const struct node *node);
enum opshift_status plan_assume(struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                                const struct plan_assumption *assumption, struct opshift_error *error);
/* Counts the nodes that other operators replace, by kind. */
void plan_count_replaced(const struct conversion_plan *plan, uint32_t counts[REPLACEMENT_KINDS]);
/* Sorts the lists; called when the plan is complete. MEMORY. */
enum opshift_status plan_sort(struct conversion_plan *plan, struct opshift_error *error);

/* The payload of the record at *at in the plan's bytes; *at moves behind it. */
struct bytes plan_record_next(const uint8_t **at);

/* Fills in the texts of a struct planned_node. MEMORY. */
enum opshift_status plan_words_find(const struct conversion_plan *plan, const struct plan_words *words,
                                    struct arena *arena, struct planned_node *found, struct opshift_error *error);

#endif
