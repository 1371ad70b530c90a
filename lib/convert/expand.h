/* Replacements: a rule's nodes are converted as a small model, and the resulting nodes replace the node in the plan. */
#ifndef CONVERT_EXPAND_H
#define CONVERT_EXPAND_H

#include "convert/planner.h"
#include "rule/replace.h"

/* The converted small model, with its own names. */
struct expanded {
    enum replacement_kind kind;      /* the least exact kind of all replacements in it */
    const Onnx__GraphProto *graph;   /* at the target's opset; NULL: a node of it cannot be converted */
    const struct tensor **constants; /* of its initializers */
    const name_id **numbers;         /* by node: of its inputs, then of its outputs, in expansions_names */
    const char *const *files;        /* rule files used */
    size_t file_count;
    const char *const *notes, *const *assumptions;
    size_t note_count, assumption_count;
    const char *blocked; /* the operator of the blocked node; "": none */
    bool is_inner;       /* it is in the replacement of a node of the replacement, and `why` begins with it */
    const char *why;     /* reason of the blocker */
    int64_t step;        /* the newer opset of its step; 0: none */
};

/* Converts the draft's replacement; the result is planner->node.expanded. Assumptions and notes about its nodes are
 * added to the draft. NO: a node of it cannot be converted, or the kind of replacement is not allowed. */
enum opshift_status expand_convert(struct planner *planner, struct draft *draft, struct opshift_error *error);
/* expand_place.c: adds its nodes as records, with fresh names, and its constants to the plan. Inputs that the nodes do
 * not use are dropped. */
enum opshift_status expand_place(struct planner *planner, struct draft *draft, struct buffer *nodes,
                                 struct opshift_error *error);
/* "nodes that define it: ReduceMean, Sub, ..." in the arena. NULL: no memory. */
const char *expanded_words(const struct expanded *expanded, struct arena *arena);

/* Nodes that may replace one node. */
#define EXPANDED_NODES_MOST 65536u
/* Adds all names of values in a graph, and in the graphs inside it. False: no memory. */
bool expanded_names(struct names *names, const Onnx__GraphProto *graph);

/* State shared by all replacements while a model and its fragments are planned. */
void expansions_free(struct expansions *expansions);
/* The interned names of values in replacements. */
struct names *expansions_names(struct expansions *expansions);

/* expand_again.c: looks up the cached replacement of an equivalent node by the same rule. If *found,
 * planner->node.expanded and the draft's replacement are set from it. */
enum opshift_status again_find(struct planner *planner, const struct rule *rule, struct draft *draft, bool *found,
                               struct opshift_error *error);
/* Caches the draft's replacement for later nodes. */
enum opshift_status again_keep(struct planner *planner, const struct draft *draft, const struct expanded *expanded,
                               struct opshift_error *error);
void again_free(struct again *again);

/* plan.c: plans a small model that replaces the draft's node of the outer planner's model. */
enum opshift_status plan_fragment(const struct planner *outer, const struct draft *draft, struct opshift_model *model,
                                  const struct opshift_goal *goal, struct conversion_plan **plan,
                                  struct opshift_error *error);

#endif
