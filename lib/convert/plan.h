/* The plan of a conversion: the fate of each node, and what is added and removed besides; a plan edits nothing. */
#ifndef CONVERT_PLAN_H
#define CONVERT_PLAN_H

#include "kernel/facts.h"
#include "rule/replace.h"

struct conversion_plan;

/* A value that the plan adds to a graph: an initializer, or a Constant node before all others. */
struct plan_constant {
    const struct graph *graph;
    name_id name; /* fresh name */
    const struct tensor *tensor;
    bool is_node;
};

/* The plan for one node. */
struct planned_node {
    enum opshift_fate fate;
    const char *const *rules; /* REWRITTEN: files of the rules that changed it, in the order of the steps */
    size_t rule_count;
    /* REWRITTEN: NodeProto messages in the order in which they stand in the graph, with their final names. Subgraphs
     * are omitted from attributes: they stay in place, and their nodes have their own fates. */
    const struct bytes *records;
    size_t record_count;
    bool is_replaced; /* REWRITTEN: a rule put nodes of other operators in its place, */
    enum replacement_kind replaced_as;
    const char *why;                /* BLOCKED: the reason and the way out */
    int64_t from, to;               /* BLOCKED: opsets of the step; equal: no step */
    const char *const *assumptions; /* unconfirmed conditions of the fate: "type of 'x' is not bfloat16" */
    size_t assumption_count;
    bool is_conditional;      /* a rule assumes something of a value, not of its declared type or shape */
    const char *const *notes; /* remarks about a rewritten node */
    size_t note_count;
};

/* Plans a conversion of the model as it was opened, ignoring and keeping its edits. Blockers are no failure: see
 * plan_blocker_count. USAGE: an opset or IR version that is not known. NO: the model as a whole cannot be converted.
 * UNSUPPORTED: the model's opset is not known. CANCELLED, MALFORMED, IO, MEMORY. The caller frees *plan, before the
 * model. */
enum opshift_status plan_new(struct opshift_model *model, const struct opshift_goal *goal,
                             struct conversion_plan **plan, struct opshift_error *error);
/* The same, but at a blocker that stays the plan ends: enough to ask for plan_blocker_count() == 0. */
enum opshift_status plan_ask(struct opshift_model *model, const struct opshift_goal *goal,
                             struct conversion_plan **plan, struct opshift_error *error);
/* The same as plan_new with existing tables of the model, which must outlive the call. */
enum opshift_status plan_new_among(const struct surroundings *around, const struct opshift_goal *goal,
                                   struct conversion_plan **plan, struct opshift_error *error);
void plan_free(struct conversion_plan *plan);

/* The model that was planned. Another one, with functions that are written once for each case of their calls, may be
 * what the plan is of and what it edits: its graphs are those of plan_find. */
struct opshift_model *plan_model(const struct conversion_plan *plan);
/* The graphs of the plan that stand for a graph of the planned model; one but for functions. NULL: there are not so
 * many. */
const struct graph *plan_graph_find(const struct conversion_plan *plan, const struct graph *graph, uint32_t at);

/* Would a plan of the model for this goal be the same? False also where that cannot be told. */
bool plan_is_for(const struct conversion_plan *plan, const struct opshift_model *model,
                 const struct opshift_goal *goal);
/* Number of blocked nodes; 0: the plan can be applied. */
uint32_t plan_blocker_count(const struct conversion_plan *plan);
/* The plan for a node; lists are in the arena, their items in the arena or the plan. MEMORY, and errors of reading the
 * node. */
enum opshift_status plan_find(const struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                              struct arena *arena, struct planned_node *found, struct opshift_error *error);
/* The same without rules, records and constants. MEMORY. */
enum opshift_status plan_find_words(const struct conversion_plan *plan, const struct graph *graph,
                                    const struct node *node, struct arena *arena, struct planned_node *found,
                                    struct opshift_error *error);
/* The added constant of this name; NULL: none. */
const struct plan_constant *plan_constant_find(const struct conversion_plan *plan, name_id name);

#endif
