/* A replacement on its way into the plan: a small model is made of it and converted, and what comes out stands in the
 * node's place. */
#ifndef CONVERT_EXPAND_H
#define CONVERT_EXPAND_H

#include "convert/planner.h"
#include "rule/replace.h"

/* What the small model became, under its own names. */
struct expanded {
    enum replacement_kind kind;      /* the least exact one that took part */
    const Onnx__GraphProto *graph;   /* at the target's opset; NULL: a node of it cannot be converted */
    const struct tensor **constants; /* of its initializers */
    const char *const *files;        /* of rules that took part in it */
    size_t file_count;
    const char *const *notes, *const *assumptions;
    size_t note_count, assumption_count;
    const char *blocked; /* the operator of the node that is in the way; "": it is none */
    const char *why;     /* what is in the way */
    int64_t step;        /* the newer opset of the step at which it is; 0: of none */
};

/* Converts the draft's replacement; planner->expanded is what came out. What is assumed and noted of its nodes goes to
 * the draft. NO: a node of it cannot be converted, at *step, or the kind of replacement is not wanted. */
enum opshift_status expand_convert(struct planner *planner, struct draft *draft, int64_t *step,
                                   struct opshift_error *error);
/* expand_place.c: adds its nodes as records, with fresh names, and its constants to the plan. What the draft reads and
 * the nodes do not is dropped. */
enum opshift_status expand_place(struct planner *planner, struct draft *draft, struct buffer *nodes,
                                 struct opshift_error *error);
/* "nodes that define it: ReduceMean, Sub, ..." in the arena. NULL: no memory. */
const char *expanded_words(const struct expanded *expanded, struct arena *arena);
/* Of several kinds in one replacement, what all of it is. */
enum replacement_kind replacement_kind_join(enum replacement_kind a, enum replacement_kind b);

/* What is kept of all of them while a model and its fragments are planned. */
struct expansions;
void expansions_free(struct expansions *expansions);
/* A number for each name of values in them. */
struct names *expansions_names(struct expansions *expansions);

/* expand_again.c: has a node been replaced by the rule that is all the same to it? Then *found, and planner->expanded
 * and the draft's replacement are those of then. */
enum opshift_status again_find(struct planner *planner, const struct rule *rule, struct draft *draft, bool *found,
                               struct opshift_error *error);
/* Keeps what the draft became, for nodes that come after it. */
enum opshift_status again_keep(struct planner *planner, const struct draft *draft, const struct expanded *expanded,
                               struct opshift_error *error);
void again_free(struct again *again);

/* plan.c: plans a model that stands for a node, the draft's, of the model that the outer planner is about. */
enum opshift_status plan_fragment(const struct planner *outer, const struct draft *draft, struct opshift_model *model,
                                  const struct opshift_goal *goal, struct conversion_plan **plan,
                                  struct opshift_error *error);

#endif
