/* What a conversion makes of each node of a model, and what it adds and removes beside them; a plan edits nothing. */
#ifndef CONVERT_PLAN_H
#define CONVERT_PLAN_H

#include "kernel/facts.h"
#include "rule/replace.h"

struct conversion_plan;

enum node_fate {
    NODE_KEPT,      /* its record stays as it is */
    NODE_REWRITTEN, /* the records of struct planned_node stand in its place */
    NODE_REMOVED,   /* nobody reads it any more, or another node gives its output */
    NODE_BLOCKED    /* it is in the way of the conversion */
};

/* A value that the plan adds to a graph: an initializer, or a Constant node in front of all others. */
struct plan_constant {
    const struct graph *graph;
    name_id name; /* one that the model does not have */
    const struct tensor *tensor;
    bool is_node;
};

/* What the plan holds about one node. */
struct planned_node {
    enum node_fate fate;
    const char *const *rules; /* REWRITTEN: files of the rules that changed it, in the order of the steps */
    size_t rule_count;
    /* REWRITTEN: NodeProto messages in the order in which they stand in the graph, with their final names. A subgraph
     * of the node is left out of its attribute: it keeps its place, and its nodes have fates of their own. */
    const struct bytes *records;
    size_t record_count;
    bool is_replaced; /* REWRITTEN: a rule put nodes of other operators in its place, */
    enum replacement_kind replaced_as;
    const char *why;                /* BLOCKED: what is in the way, and the way out */
    int64_t from, to;               /* BLOCKED: at which step; the same: at none */
    const char *const *assumptions; /* what nobody could show, and the fate depends on: "type of 'x' is not bfloat16" */
    size_t assumption_count;
    const char *const *notes; /* what is to be known about a node that was rewritten */
    size_t note_count;
};

/* Plans a conversion of the model as it was opened, whatever edits it has; they stay. Blockers are no failure: see
 * plan_blocker_count. USAGE: an opset or IR version that is not known. NO: the model as a whole cannot be converted.
 * UNSUPPORTED: the model's opset is not known. CANCELLED, MALFORMED, IO, MEMORY. The caller frees *plan, before the
 * model. */
enum opshift_status plan_new(struct opshift_model *model, const struct opshift_goal *goal,
                             struct conversion_plan **plan, struct opshift_error *error);
/* The same with tables of the model that are there already; they outlive the call. */
enum opshift_status plan_new_among(const struct surroundings *around, const struct opshift_goal *goal,
                                   struct conversion_plan **plan, struct opshift_error *error);
void plan_free(struct conversion_plan *plan);

/* How many nodes are in the way; 0: the plan can be applied. */
uint32_t plan_blocker_count(const struct conversion_plan *plan);
/* What becomes of a node of the model; lists are in the arena, what they point to is the plan's or in the arena.
 * MEMORY, and what reading the node gives. */
enum opshift_status plan_find(const struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                              struct arena *arena, struct planned_node *found, struct opshift_error *error);
/* The same without rules, records and constants. MEMORY. */
enum opshift_status plan_find_words(const struct conversion_plan *plan, const struct graph *graph,
                                    const struct node *node, struct arena *arena, struct planned_node *found,
                                    struct opshift_error *error);
/* The constant that the plan adds under this name; NULL: none. */
const struct plan_constant *plan_constant_find(const struct conversion_plan *plan, name_id name);

#endif
