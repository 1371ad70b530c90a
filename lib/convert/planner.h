/* The planner: makes a plan from a goal, rules, and inferred types. */
#ifndef CONVERT_PLANNER_H
#define CONVERT_PLANNER_H

#include "convert/plan_store.h"
#include "kernel/facts.h"
#include "rule/rule.h"

struct constants;  /* constants.c */
struct expanded;   /* expand.h: result of a replacement */
struct expansions; /* expand.h: all of them */
struct again;      /* expand_again.c: cache of replaced nodes, by the queries of the rule */
struct routes;     /* route.c: the steps that concern each operator */
struct sequences;  /* sequence.h: replacement of sequences */

/* prune.c: names that rewrites no longer use. */
struct pruning {
    uint8_t *less_read;  /* a bit for each name that a rewritten node used; NULL: none */
    uint32_t name_count; /* names there were then */
    uint32_t *dropped;   /* the names, */
    uint32_t dropped_count, dropped_room;
    uint32_t dropped_graph; /* and where the last of them was read */
    uint32_t dropped_left;  /* so many of them stood before the function at hand */
    struct gone *gone;      /* names that were removed */
    uint32_t gone_count, gone_room;
};

/* Rule files that changed the current draft. */
struct draft_origin {
    const char *files[OPSHIFT_OPSET_NEWEST]; /* of rules that changed it */
    uint32_t count;
};

struct planner {
    struct conversion_plan *plan; /* that is filled */
    struct opshift_model *model;
    const struct opshift_goal *goal;
    const struct opshift_rules *rules;
    struct opshift_rules *shipped; /* owned: loaded when the goal names none */
    struct surroundings around;
    struct draft_facts facts;
    struct routes *routes;
    struct constants *constants;
    const struct sequences *sequences; /* NULL: they stay, or there are none */
    struct expansions *expansions;     /* of the outermost planner, which owns them */
    uint32_t depth;                    /* of replacements inside replacements */
    const struct draft *replaced;      /* the model is what replaces it; NULL: it is no fragment */
    const struct expanded *expanded;   /* of the node at hand; NULL: nothing replaces it */
    struct again *again;               /* NULL: none was kept yet */
    struct buffer again_key;           /* of the node at hand; of size 0: it is of no use */
    bool is_again;                     /* the node at hand is one that was found there */
    struct pruning pruning;
    struct draft_origin origin;
    struct buffer relied;                 /* struct reliance: what the steps of the draft at hand asked */
    struct buffer changes, bytes, record; /* of the node at hand */
    name_id split;                        /* the operator's name */
    uint8_t *read;                        /* order.c: a bit for each name of the model, all of them 0 */
    struct arena *scratch;                /* lives as long as the planner */
    struct arena *node;                   /* of the draft at hand */
};

/* Where some types are not allowed at the target: a bit for each position, of inputs and of outputs; the last one
 * stands for all behind it too. */
#define WALLS_LAST 31u
struct walls {
    const struct schema *source, *target;
    uint32_t at[2];
    uint64_t lost[2][WALLS_LAST + 1]; /* at each position: a bit for each element type */
};

/* route.c: does an operator at an opset need a look at each of its nodes on the way to the target? */
struct route {
    name_id op_type;
    int64_t from;
    bool draft;                   /* a rule or a condition must see the node */
    uint64_t looks;               /* at these steps, a bit for each newer opset */
    struct judgement *judgements; /* of these steps, by their newer opset */
    const struct schema *source, *target;
    struct walls walls;
    const char *blocked;  /* why no node of it can be converted; NULL: it can */
    int64_t blocked_step; /* the newer opset of the step that blocks */
};
enum opshift_status route_find(struct planner *planner, name_id op_type, int64_t from, const struct route **route,
                               struct opshift_error *error);
void routes_free(struct routes *routes);
/* Applies all steps to a draft. NO: blocked at *step. */
enum opshift_status route_apply(struct planner *planner, struct draft *draft, int64_t *step,
                                struct opshift_error *error);
/* Applies one step, for the draft's current operator. */
enum opshift_status route_step(struct planner *planner, struct draft *draft, int64_t step, struct opshift_error *error);
/* The same as route_apply for a draft that is another operator's already: from draft->opset on, by the rules of its own
 * operator. */
enum opshift_status route_apply_as(struct planner *planner, struct draft *draft, int64_t *step,
                                   struct opshift_error *error);
struct walls walls_find(const struct schema *source, const struct schema *target);
static inline bool route_has_walls(const struct walls *walls)
{
    return (walls->at[0] | walls->at[1]) != 0;
}
/* Checks the element types of a node's values against the target's schema. draft: the node after its rewrite, or NULL.
 * NO: one is not allowed there, lost at *step. */
enum opshift_status route_wall(struct planner *planner, struct graph *graph, const struct node *node,
                               const struct draft *draft, const struct walls *walls, int64_t *step,
                               struct opshift_error *error);

/* order.c: the numbers of a graph's nodes, those that read before those that make what is read; NULL: from the last to
 * the first. Freed by the caller. */
enum opshift_status order_new(const struct planner *planner, struct graph *graph, uint32_t **order,
                              struct opshift_error *error);

/* plan_draft.c: a new draft of a node, at the source's opset, in the planner's arena. */
enum opshift_status draft_open(struct planner *planner, struct graph *graph, struct node *node, struct draft **draft,
                               struct opshift_error *error);
/* The records of a draft that was changed, and the constants and nodes that they need beside them, become the node's
 * fate. */
enum opshift_status draft_plan(struct planner *planner, struct draft *draft, struct opshift_error *error);
/* The suffix of names for a value that becomes the input at this position. */
const char *input_suffix(const struct draft *draft, uint32_t position);

/* constants.c: the name of a constant with this value that the draft's node may read: one that was added to its graph
 * before, or a new one. It is an initializer, or where none may stand, in a function, and below IR 4 where each is a
 * graph input too, a Constant node in front of all others. */
enum opshift_status shared_constant(struct planner *planner, struct draft *draft, const struct tensor *tensor,
                                    const char *suffix, name_id *name, struct opshift_error *error);
void constants_free(struct constants *constants);

/* assume.c: records an assumption where a value's type rests on a declaration; with --strict NO. */
enum opshift_status declared_assume(struct planner *planner, struct graph *graph, const struct node *node,
                                    const struct reliance *reliance, struct opshift_error *error);
/* The same for all queries of the draft's steps. */
enum opshift_status draft_assume(struct planner *planner, const struct draft *draft, struct opshift_error *error);

/* prune.c: records that a name has one use less. */
enum opshift_status prune_drop(struct planner *planner, struct graph *graph, name_id name, struct opshift_error *error);
/* Is a name that a node gives read less than before, where some are? Few nodes give one, and no other may go. */
static inline bool gives_less_read(const struct pruning *pruning, const struct node *node)
{
    const name_id *outputs = node_outputs(node);
    for (uint32_t i = 0; pruning->less_read && i < node->output_count; i++)
        if (outputs[i] < pruning->name_count && pruning->less_read[outputs[i] / 8] >> outputs[i] % 8 & 1)
            return true;
    return false;
}
/* Removes such a node if nothing of it is read any more (*pruned), and drops what it read. To be asked before the node
 * is looked at, and after all that read it: nodes are taken from the last to the first, inner graphs before outer ones.
 */
enum opshift_status prune_node(struct planner *planner, struct graph *graph, const struct node *node, bool *pruned,
                               struct opshift_error *error);
/* All nodes of a graph were looked at, since `first` names were dropped: in another graph the names that it defines are
 * other values'. */
void prune_leave(struct planner *planner, struct graph *graph, uint32_t first);
/* Removes a node whose output another node gives now, and drops what it read. */
enum opshift_status prune_replaced(struct planner *planner, struct graph *graph, const struct node *node,
                                   struct opshift_error *error);
/* Records a name that is no longer defined. */
enum opshift_status prune_gone(struct planner *planner, struct graph *graph, name_id name, struct opshift_error *error);
/* At the end: removes unused initializers, and value infos of removed values. */
enum opshift_status prune_initializers(struct planner *planner, struct opshift_error *error);
void prune_free(struct pruning *pruning);

/* header.c: the IR version that the model will have. */
enum opshift_status header_plan(struct planner *planner, struct opshift_error *error);

#endif
