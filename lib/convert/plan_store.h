/* How a plan is kept: an entry for each node that does not just stay, and what goes and comes beside the nodes. */
#ifndef CONVERT_PLAN_STORE_H
#define CONVERT_PLAN_STORE_H

#include "base/buffer.h"
#include "convert/plan.h"
#include "rule/replace.h"
#include "schema/schema.h"

/* The files of rules that changed some node; many nodes share one. */
struct plan_origin {
    const struct plan_origin *next; /* the one that was kept before */
    const char *const *files;
    size_t count;
};

struct plan_text {
    struct plan_text *next;
    const char *words;
};

enum assumption_kind {
    ASSUMED_TYPE, /* an unknown type is one that the target takes */
    ASSUMED_WORDS /* a type or shape is as it is declared, or a value as a rule needs it, which nothing confirms */
};

struct plan_assumption {
    struct plan_assumption *next;
    enum assumption_kind kind;
    name_id value;
    const struct schema *target;
    uint64_t lost;     /* ASSUMED_TYPE: the element types that the target does not take, a bit each; 0: others alone */
    const char *words; /* ASSUMED_WORDS: "rank of 'h' is 2, as declared" */
};

/* What few entries have. */
struct plan_words {
    int64_t from, to;                    /* BLOCKED */
    const char *why;                     /* BLOCKED; NULL: there were too many before */
    const char *became;                  /* REWRITTEN: in words; NULL: what its last record says */
    struct plan_text *notes;             /* the last one first; NULL: none */
    struct plan_assumption *assumptions; /* the same */
};

/* A record inside a node, of which it stays the most: a large one, or one with subgraphs. */
struct plan_change {
    uint64_t offset, removed; /* in the file */
    size_t place, size;       /* in the plan's bytes */
};

struct plan_entry {
    size_t records,
        size; /* REWRITTEN: where its records are in the plan's bytes; where it is `inside`, those before it */
    const struct plan_origin *origin; /* NULL: no rule changed it */
    struct plan_words *words;         /* NULL: none */
    uint32_t changes, change_count;   /* inside: among the plan's */
    enum node_fate fate : 8;
    bool replaced; /* REWRITTEN: other operators' nodes stand in its place, which a rule names */
    enum replacement_kind replaced_as : 8;
    bool inside; /* its own record is changed and not replaced */
};

/* A constant of the plan, and its record with tag and length. */
struct plan_added {
    struct plan_constant constant;
    size_t place, size;
};

/* A record that goes, beside those of nodes. */
struct plan_removal {
    struct graph *graph;
    struct range range;
};

#define PLAN_CHUNK 512u /* entries that are allocated together */

struct conversion_plan {
    struct opshift_model *model;
    struct arena *arena;
    int64_t source, target; /* opsets of the model */
    int64_t ir_version;     /* that the model will have */
    int64_t nearest;        /* blocked: the nearest opset that can be reached; 0: unknown */
    bool up;
    bool foreign; /* the model imports no opset of ai.onnx */
    /* By graph number, by node: its entry, counted from 1; 0: it just stays. NULL: all nodes of the graph do. */
    uint32_t **graphs;
    struct buffer chunks; /* addresses of PLAN_CHUNK entries each */
    uint32_t entry_count;
    struct buffer bytes;    /* of all records */
    struct buffer changes;  /* struct plan_change */
    struct buffer added;    /* addresses of struct plan_added, in the order in which they were made; */
    struct buffer by_name;  /* the same by name, once the plan is made */
    struct buffer removals; /* struct plan_removal, by place once the plan is made */
    const struct plan_origin *origins;
    uint32_t blocker_count, rewritten_count, added_count, removed_count, assumption_count;
    uint32_t blocker_words; /* blockers whose words are kept */
};

/* NULL: no memory. */
struct conversion_plan *plan_open(struct opshift_model *model);
/* The entry of a node; NULL: it has none. */
struct plan_entry *plan_entry_find(const struct conversion_plan *plan, const struct graph *graph,
                                   const struct node *node);
/* The same, made where there is none. NULL: no memory. */
struct plan_entry *plan_entry_add(struct conversion_plan *plan, const struct graph *graph, const struct node *node);
/* What few have, made where there is none. NULL: no memory. */
struct plan_words *plan_words_of(struct conversion_plan *plan, struct plan_entry *entry);
/* The same for all that were changed by the same files. NULL: no memory. */
const struct plan_origin *plan_origin_find(struct conversion_plan *plan, const char *const *files, size_t count);
/* A constant whose record is the plan's last bytes from `place` on. NULL: no memory. */
const struct plan_added *plan_constant_add(struct conversion_plan *plan, const struct plan_constant *constant,
                                           size_t place);

enum opshift_status plan_remove_node(struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                                     struct opshift_error *error);
enum opshift_status plan_remove_record(struct conversion_plan *plan, struct graph *graph, struct range range,
                                       struct opshift_error *error);
/* from, to: the opsets of the step; the same: it is of none. */
enum opshift_status plan_block(struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                               int64_t from, int64_t to, const char *why, struct opshift_error *error);
/* In words, where the records do not say it. */
enum opshift_status plan_tell(struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                              const char *became, struct opshift_error *error);
enum opshift_status plan_note(struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                              const char *words, struct opshift_error *error);
enum opshift_status plan_assume(struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                                const struct plan_assumption *assumption, struct opshift_error *error);
/* To be called when the plan is made. MEMORY. */
enum opshift_status plan_sort(struct conversion_plan *plan, struct opshift_error *error);

/* Fills in what struct planned_node has of words. MEMORY. */
enum opshift_status plan_words_find(const struct conversion_plan *plan, const struct plan_words *words,
                                    struct arena *arena, struct planned_node *found, struct opshift_error *error);

#endif
