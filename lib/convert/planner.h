/* The planner: makes a plan from a goal, rules, and inferred types. */
#ifndef CONVERT_PLANNER_H
#define CONVERT_PLANNER_H

#include "convert/plan_store.h"
#include "kernel/facts.h"
#include "rule/rule.h"
#include "schema/split_cut.h"

struct constants;  /* constants.c */
struct expanded;   /* expand.h: result of a replacement */
struct expansions; /* expand.h: all of them */
struct again;      /* expand_again.c: cache of replaced nodes, by the queries of the rule */
struct routes;     /* route.c: the steps that concern each operator */
struct target;     /* check/target.h */
struct sequences;  /* sequence_plan.h: replacement of sequences */

/* prune.c: names that rewrites no longer use. */
struct pruning {
    uint8_t *less_read;  /* a bit for each name whose uses a rewrite reduced; NULL: none */
    uint32_t name_count; /* number of names when it was allocated */
    uint32_t *dropped;   /* the names */
    uint32_t dropped_count, dropped_room;
    uint32_t dropped_graph; /* graph of the last dropped name */
    uint32_t dropped_left;  /* how many of them were dropped before the current function */
    struct gone *gone;      /* names that are no longer defined */
    uint32_t gone_count, gone_room;
};

/* Rule files that changed the current draft. */
struct draft_origin {
    const char *files[OPSHIFT_OPSET_NEWEST]; /* files of the rules */
    uint32_t count;
};

/* What belongs to the node that is being planned. */
struct node_planning {
    const struct domain_move *move;  /* of its domain */
    struct domain_move own;          /* the same of a function that has another opset */
    int64_t step;                    /* where it is blocked: the newer opset of the step; 0: at no step */
    bool resolves;                   /* values that all calls of a function give replace its attributes and inputs */
    const struct expanded *expanded; /* NULL: no replacement */
    struct buffer again_key;         /* size 0: the node cannot be cached */
    bool is_again;                   /* it was found in the cache */
    struct draft_origin origin;
    struct buffer relied; /* struct reliance: queries of the draft's steps */
    struct buffer changes, bytes, record;
    struct arena *arena; /* reset for each draft */
};

struct planner {
    struct conversion_plan *plan; /* the plan under construction */
    struct opshift_model *model;
    const struct opshift_goal *goal;
    const struct opshift_rules *rules;
    struct opshift_rules *shipped; /* owned: loaded when the goal names none */
    struct surroundings around;
    struct routes *routes;
    struct constants *constants;
    struct domain_move main;               /* of ai.onnx */
    const struct target *target;           /* NULL: none */
    const struct conversion_plan *blocked; /* an earlier plan, which functions that nothing calls block; NULL: none */
    struct sequences *sequences;           /* NULL: sequences stay, or there are none */
    bool only_asked;                       /* the plan ends at a blocker that no second plan would remove */
    struct expansions *expansions;         /* owned by the outermost planner */
    uint32_t depth;                        /* nesting of replacements */
    const struct draft *replaced;  /* for a fragment: the draft that it replaces; NULL: the model is not a fragment */
    struct again *again;           /* NULL: the cache is empty */
    const struct rule *plain_rule; /* the rule last asked about, in the direction of the plan: */
    bool is_plain, asks_constants; /* its steps only replace or refuse; they look at constants */
    struct pruning pruning;
    struct node_planning node;
    uint8_t *read;         /* plan_order.c: a bit for each name of the model, all 0 between calls */
    struct arena *scratch; /* lives as long as the planner */
};

/* Types that the target does not accept: a bit for each position, of inputs and of outputs; the last one stands for
 * all later positions, too. */
#define LIMITS_LAST 31u
struct type_limits {
    const struct schema *source, *target;
    uint32_t at[2];
    uint64_t lost[2][LIMITS_LAST + 1]; /* at each position: a bit for each element type that is not taken */
};

/* route.c: which steps concern the nodes of an operator at an opset, on the way to the target. */
struct route {
    name_id domain, op_type;
    int64_t from;
    bool gains;                   /* a version later than the source has more attributes */
    bool draft;                   /* the node needs a draft, for a rule or a condition */
    struct judgement *judgements; /* one for each step, from `from` on; NULL: no step concerns the operator */
    const struct schema *source, *target;
    struct type_limits limits;
    const char *blocked;  /* why no node of it can be converted; NULL: it can */
    int64_t blocked_step; /* the newer opset of the step that blocks */
};
enum opshift_status route_find(struct planner *planner, name_id op_type, int64_t from, const struct route **route,
                               struct opshift_error *error);
void routes_free(struct routes *routes);
/* Applies all steps to a draft. NO: blocked at planner->node.step, like all that follows. */
enum opshift_status route_apply(struct planner *planner, struct draft *draft, struct opshift_error *error);
/* Applies the step planner->node.step, for the draft's current operator. */
enum opshift_status route_step(struct planner *planner, struct draft *draft, struct opshift_error *error);
/* The same as route_apply for a draft whose operator has changed: from draft->opset on, by the rules of its new
 * operator. */
enum opshift_status route_apply_as(struct planner *planner, struct draft *draft, struct opshift_error *error);
struct type_limits type_limits_find(const struct schema *source, const struct schema *target);
static inline bool type_limits_exist(const struct type_limits *limits)
{
    return (limits->at[0] | limits->at[1]) != 0;
}
/* Checks the element types of a node's values against the target's schema. draft: the node after its rewrite, or NULL.
 * NO: one is not allowed there. */
enum opshift_status route_limit(struct planner *planner, struct graph *graph, const struct node *node,
                                const struct draft *draft, const struct type_limits *limits,
                                struct opshift_error *error);

/* Checks the element types of a node's inputs where its operator changes: one that the source's operator does not take,
 * as lint finds in the model itself, but the target's, is an assumption. NO: one that neither of them takes; with
 * --strict, also the other. */
enum opshift_status route_types(struct planner *planner, struct graph *graph, const struct node *node,
                                const struct schema *source, const struct schema *target, struct opshift_error *error);

/* split_form.c: writes a draft of Split, at the target's opset, in the form that the goal names, or in one that its
 * target takes. NO: it cannot be. */
enum opshift_status split_form_apply(struct planner *planner, struct draft *draft, struct opshift_error *error);

/* target.c: reads the goal's target profile, and completes the goal by what it takes: opset, IR version, sequences. The
 * arena owns both. USAGE. */
enum opshift_status target_goal(struct planner *planner, struct arena *arena, struct opshift_error *error);

/* initializer_inputs.c: below IR version 4, makes the initializers that the model keeps inputs, too. Called when the
 * plan is sorted. */
enum opshift_status inputs_plan(struct planner *planner, struct opshift_error *error);

/* unused_functions.c: does the plan block a node of a function that no graph calls? False with --strict. */
bool unused_blocks(const struct planner *planner, const struct conversion_plan *plan);
/* Where they block the plan before: removes all functions that no graph calls, an assumption. */
enum opshift_status unused_remove(struct planner *planner, struct opshift_error *error);

/* plan_order.c: the numbers of a graph's nodes, readers before producers; NULL: from the last to the first. Freed by
 * the caller. */
enum opshift_status order_new(const struct planner *planner, struct graph *graph, uint32_t **order,
                              struct opshift_error *error);

/* plan_draft.c: a new draft of a node, at the source's opset, in the planner's arena. */
enum opshift_status draft_open(struct planner *planner, struct graph *graph, struct node *node, struct draft **draft,
                               struct opshift_error *error);
/* Gives a draft the opsets of the node's domain. */
void draft_start(const struct planner *planner, struct draft *draft);
/* Plans a changed draft: its records become the node's fate, with the constants and nodes that they need. */
enum opshift_status draft_plan(struct planner *planner, struct draft *draft, struct opshift_error *error);

/* constants.c: the name of a constant with this value that the draft's node can read: an existing one of the plan,
 * or a new one. It is an initializer, or a Constant node before all others, in functions and below IR 4. */
enum opshift_status shared_constant(struct planner *planner, struct draft *draft, const struct tensor *tensor,
                                    const char *suffix, name_id *name, struct opshift_error *error);
void constants_free(struct constants *constants);

/* assume.c: records an assumption if a value's type is only declared; NO with --strict. */
enum opshift_status declared_assume(struct planner *planner, struct graph *graph, const struct node *node,
                                    const struct reliance *reliance, struct opshift_error *error);
/* The same for all queries of the draft's steps. */
enum opshift_status draft_assume(struct planner *planner, const struct draft *draft, struct opshift_error *error);

/* prune.c: records that a name has one use less. */
enum opshift_status prune_drop(struct planner *planner, struct graph *graph, name_id name, struct opshift_error *error);
/* Did a rewrite reduce the uses of a name that the node gives? At most nodes no name has lost a use. */
static inline bool gives_less_read(const struct pruning *pruning, const struct node *node)
{
    const name_id *outputs = node_outputs(node);
    for (uint32_t i = 0; pruning->less_read && i < node->output_count; i++)
        if (outputs[i] < pruning->name_count && pruning->less_read[outputs[i] / 8] >> outputs[i] % 8 & 1)
            return true;
    return false;
}
/* Removes such a node if its outputs have no uses left (*pruned), and drops its inputs. Called before the node is
 * planned and after all its readers were: nodes are planned from the last to the first, subgraphs first. */
enum opshift_status prune_node(struct planner *planner, struct graph *graph, const struct node *node, bool *pruned,
                               struct opshift_error *error);
/* Called when all nodes of a graph are planned; `first` is the number of names dropped before. In other graphs the
 * names that this graph defines are other values. */
void prune_leave(struct planner *planner, struct graph *graph, uint32_t first);
/* Removes a node whose output another node gives now, and drops its inputs. */
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
