/* One conversion: from a model and a goal to a list of edits, or to a list of what blocks it. */
#ifndef CONVERT_CONVERT_H
#define CONVERT_CONVERT_H

#include "convert/plan_store.h"
#include "kernel/facts.h"
#include "rule/rule.h"

struct account;
struct constants; /* emit.c: initializers that were added, by graph and value */
struct routes;    /* route.c: what each operator meets on the way */
struct sequences; /* sequence.h: what becomes of sequences */

enum said {
    SAID_BLOCKED, /* the node cannot be converted */
    SAID_DOUBT,   /* it can, if what is not known is as it should be */
    SAID_NOTE     /* it can, and something is to be known of it */
};

/* Who hears what a conversion meets, node by node. steps: "opset 13 to 12", where it is blocked; "" for all of the way.
 */
struct listener {
    enum opshift_status (*hear)(void *data, enum said said, struct graph *graph, const struct node *node,
                                const char *steps, const char *words, struct opshift_error *error);
    void *data;
};

#define ROUTES_NEAR 32u

/* What was said last of values that a target may not take (report_unknown). */
struct unknown {
    const struct schema *target; /* NULL: nothing was */
    const char *rest;            /* behind the value's name */
};

struct conversion {
    struct opshift_model *model;
    const struct listener *listener; /* NULL: nobody listens */
    const struct opshift_goal *goal;
    const struct opshift_rules *rules;
    struct opshift_rules *shipped; /* owned: loaded when the goal names none */
    struct surroundings around;
    struct scopes *scopes; /* of around */
    struct types *types;
    struct draft_facts facts;
    struct routes *routes;
    const struct route *near[ROUTES_NEAR]; /* those found last */
    struct constants *constants;
    struct possible *possible;         /* types that values of the model may have; NULL: nobody asked */
    const struct sequences *sequences; /* NULL: they stay, or there are none */
    name_id split;                     /* the operator's name */
    int64_t source, target;            /* opsets of the model */
    int64_t ir_version;                /* that the model will have */
    bool up;
    bool foreign;        /* the model imports no opset of ai.onnx */
    uint8_t *read;       /* order.c: a bit for each name of the model, all of them 0 */
    uint8_t *less_read;  /* a bit for each name that a rewrite read before; NULL: for none */
    uint32_t name_count; /* names there were then */
    uint32_t *dropped;   /* prune.c: what rewrites no longer read, */
    uint32_t dropped_count, dropped_room;
    uint32_t dropped_graph; /* and where the last of it was read */
    uint32_t dropped_left;  /* so much of it stood before the function at hand */
    struct gone *gone;      /* prune.c: names that were removed */
    uint32_t gone_count, gone_room;
    struct arena *scratch; /* lives as long as the conversion */
    struct arena *node;    /* of the draft at hand */
    uint32_t blocker_count, rewritten_count, added_count, removed_count, unknown_count;
    struct account *account; /* account.h: of what is done; NULL: nobody asks for it */
    struct unknown unknown;
    struct conversion_plan *plan;            /* that is filled; NULL: nobody asks for it */
    const char *files[OPSHIFT_OPSET_NEWEST]; /* of rules that changed the draft at hand */
    uint32_t file_count;
    struct buffer read_constants; /* addresses of those of the plan that the draft at hand reads */
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
    struct route *next;
};
enum opshift_status route_find(struct conversion *conversion, name_id op_type, int64_t from, const struct route **route,
                               struct opshift_error *error);
void routes_free(struct routes *routes);
/* Takes a draft through all its steps. NO: blocked at *step. */
enum opshift_status route_apply(struct conversion *conversion, struct draft *draft, int64_t *step,
                                struct opshift_error *error);
/* One step, judged for the operator that the draft is of now. */
enum opshift_status route_step(struct conversion *conversion, struct draft *draft, int64_t step,
                               struct opshift_error *error);
/* The same as route_apply for a draft that is another operator's already: from draft->opset on, by the rules of its own
 * operator. */
enum opshift_status route_apply_as(struct conversion *conversion, struct draft *draft, int64_t *step,
                                   struct opshift_error *error);
/* One that route_find gave not long ago; NULL: ask that. */
static inline const struct route *route_near(const struct conversion *conversion, name_id op_type, int64_t from)
{
    const struct route *route = conversion->near[op_type % ROUTES_NEAR];
    return route && route->op_type == op_type && route->from == from ? route : NULL;
}
struct walls walls_find(const struct schema *source, const struct schema *target);
static inline bool route_has_walls(const struct walls *walls)
{
    return (walls->at[0] | walls->at[1]) != 0;
}
/* The element types of a node's values against the target's schema. draft: the node after its rewrite, or NULL. NO: one
 * is not allowed there, lost at *step. */
enum opshift_status route_wall(struct conversion *conversion, struct graph *graph, const struct node *node,
                               const struct draft *draft, const struct walls *walls, int64_t *step,
                               struct opshift_error *error);

/* order.c: the numbers of a graph's nodes, those that read before those that make what is read; NULL: from the last to
 * the first. Freed by the caller. */
enum opshift_status order_new(const struct conversion *conversion, struct graph *graph, uint32_t **order,
                              struct opshift_error *error);

/* emit.c: a draft's edits: the node, and the constants and nodes it needs around it. */
enum opshift_status emit_draft(struct conversion *conversion, struct draft *draft, struct opshift_error *error);
void constants_free(struct constants *constants);
/* What the name of a value ends in that becomes the input at this position. */
const char *input_suffix(const struct draft *draft, uint32_t position);
/* The name of a constant with this value that the draft's node may read: one that was added to its graph before, or a
 * new one. It is an initializer, or where none may stand, in a function, and below IR 4 where each is a graph input
 * too, a Constant node in front of all others. */
enum opshift_status shared_constant(struct conversion *conversion, struct draft *draft, const struct tensor *tensor,
                                    const char *suffix, name_id *name, struct opshift_error *error);

/* splice.c: a changed draft's edits within its node. */
enum opshift_status splice_node(struct opshift_model *model, struct draft *draft, struct opshift_error *error);

/* prune.c: remembers that a name is read once less. */
enum opshift_status prune_drop(struct conversion *conversion, struct graph *graph, name_id name,
                               struct opshift_error *error);
/* Is a name that a node gives read less than before, where some are? Few nodes give one, and no other may go. */
static inline bool gives_less_read(const struct conversion *conversion, const struct node *node)
{
    const name_id *outputs = node_outputs(node);
    for (uint32_t i = 0; i < node->output_count; i++)
        if (outputs[i] < conversion->name_count && conversion->less_read[outputs[i] / 8] >> outputs[i] % 8 & 1)
            return true;
    return false;
}
/* Removes such a node if nothing of it is read any more (*pruned), and drops what it read. To be asked before the node
 * is looked at, and after all that read it: nodes are taken from the last to the first, inner graphs before outer ones.
 */
enum opshift_status prune_node(struct conversion *conversion, struct graph *graph, const struct node *node,
                               bool *pruned, struct opshift_error *error);
/* All nodes of a graph were looked at, since `first` names were dropped: in another graph the names that it defines are
 * other values'. */
void prune_leave(struct conversion *conversion, struct graph *graph, uint32_t first);
/* Removes a node whose output another node gives now, and drops what it read. */
enum opshift_status prune_replaced(struct conversion *conversion, struct graph *graph, const struct node *node,
                                   struct opshift_error *error);
/* A name that nothing defines any more. */
enum opshift_status prune_gone(struct conversion *conversion, struct graph *graph, name_id name,
                               struct opshift_error *error);
/* At the end: the initializers that nobody reads any more, and what graphs say of all that was removed. */
enum opshift_status prune_initializers(struct conversion *conversion, struct opshift_error *error);

/* header.c: the opset imports of the model and its functions, and the IR version. */
enum opshift_status header_ir_version(struct conversion *conversion, struct opshift_error *error);
enum opshift_status header_edit(struct conversion *conversion, struct opshift_error *error);

/* convert.c: opshift_convert, whose error names the model too. */
enum opshift_status model_convert(struct opshift_model *model, const struct opshift_goal *goal,
                                  struct opshift_report **report, struct opshift_error *error);

/* plan_fill.c: what was done goes into conversion->plan, where there is one. */
enum opshift_status plan_rewritten(struct conversion *conversion, const struct draft *draft, struct bytes nodes,
                                   struct opshift_error *error);
enum opshift_status plan_removed(struct conversion *conversion, const struct graph *graph, const struct node *node,
                                 struct opshift_error *error);
enum opshift_status plan_blocked(struct conversion *conversion, const struct graph *graph, const struct node *node,
                                 int64_t from, int64_t to, const char *why, struct opshift_error *error);
enum opshift_status plan_said(struct conversion *conversion, enum said said, const struct graph *graph,
                              const struct node *node, const char *words, struct opshift_error *error);

/* convert.c: what a conversion would meet, told to the listener. The model stays as it is, with the edits that it has.
 * NO: something blocks it. */
enum opshift_status conversion_survey(struct opshift_model *model, const struct opshift_goal *goal,
                                      const struct listener *listener, struct opshift_error *error);

/* report.c: the account becomes a report. NULL: no memory. */
struct opshift_report *conversion_report(struct conversion *conversion);
/* Is each node that is rewritten listed? */
bool report_lists(const struct conversion *conversion);
enum opshift_status report_blocker(struct conversion *conversion, struct graph *graph, const struct node *node,
                                   int64_t from, int64_t to, const char *why, struct opshift_error *error);
enum opshift_status report_rewritten(struct conversion *conversion, const struct draft *draft, int64_t from, int64_t to,
                                     struct opshift_error *error);
/* The same for a node that is none any more, or several: what became of it in words. */
enum opshift_status report_became(struct conversion *conversion, struct graph *graph, const struct node *node,
                                  int64_t from, int64_t to, const char *words, struct opshift_error *error);
/* said: SAID_DOUBT or SAID_NOTE. */
enum opshift_status report_note(struct conversion *conversion, enum said said, struct graph *graph,
                                const struct node *node, const char *words, struct opshift_error *error);
/* A doubt: nobody knows whether the value is of a type that the target takes. */
enum opshift_status report_unknown(struct conversion *conversion, struct graph *graph, const struct node *node,
                                   const char *value, const struct schema *target, struct opshift_error *error);

#endif
