/* How a plan is kept: entries for nodes that do not just stay, by graph; and how it is filled. */
#ifndef CONVERT_PLAN_STORE_H
#define CONVERT_PLAN_STORE_H

#include "base/buffer.h"
#include "convert/plan.h"

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

/* What few entries have. */
struct plan_words {
    int64_t from, to;                      /* BLOCKED */
    const char *why;                       /* BLOCKED */
    struct plan_text *assumptions, *notes; /* the last one first; NULL: none */
};

struct plan_entry {
    uint32_t node;
    enum node_fate fate;
    uint32_t record_count, constant_count;
    uint32_t constants; /* where they start among the plan's */
    uint32_t size;      /* bytes of all records */
    size_t records;     /* where they start in the plan's */
    const struct plan_origin *origin;
    struct plan_words *words; /* NULL: none */
};

struct plan_graph {
    struct plan_entry *entries;
    uint32_t count, room;
    bool sorted; /* by node */
};

struct conversion_plan {
    struct opshift_model *model;
    struct arena *arena;
    struct plan_graph *graphs; /* by number */
    struct buffer records;     /* each with its tag and length */
    struct buffer constants;   /* of entries: addresses of struct plan_constant */
    struct buffer added;       /* of the plan: the same, in the order in which they were made */
    const struct plan_origin *origins;
    uint32_t blocker_count;
};

/* NULL: no memory. */
struct conversion_plan *plan_open(struct opshift_model *model);
/* The entry of a node, made where there is none. NULL: no memory. */
struct plan_entry *plan_entry_add(struct conversion_plan *plan, const struct graph *graph, const struct node *node);
/* NULL: no memory. */
struct plan_words *plan_words_of(struct conversion_plan *plan, struct plan_entry *entry);
/* False: no memory. */
bool plan_text_add(struct conversion_plan *plan, struct plan_text **texts, const char *words);
/* A constant that the plan adds. NULL: no memory. */
const struct plan_constant *plan_constant_add(struct conversion_plan *plan, const struct plan_constant *constant);
/* The entry reads a constant of the plan. False: no memory. */
bool plan_entry_reads(struct conversion_plan *plan, struct plan_entry *entry, const struct plan_constant *constant);
/* The same for all that were changed by the same files. NULL: no memory. */
const struct plan_origin *plan_origin_find(struct conversion_plan *plan, const char *const *files, size_t count);
/* To be called when all entries are there. */
void plan_sort(struct conversion_plan *plan);

#endif
