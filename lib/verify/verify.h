/* A comparison of two models: corresponding parts, and verdicts about them. */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include <jansson.h>

#include "base/buffer.h"
#include "kernel/budget.h"
#include "kernel/facts.h"
#include "kernel/fold.h"
#include "kernel/kernel.h"
#include "verify/binding.h"

/* Number of uses, and of those by changed nodes. */
struct use_count {
    uint32_t all, changed;
};

/* One of the two models, and its tables. */
struct side {
    struct opshift_model *model;
    struct scopes *scopes;
    struct types *types;
    struct fold *fold;
    struct surroundings calls; /* what calls give to functions; only its model, scopes and parameters */
    name_id *other;            /* by name: the same name in the other model, NAME_NO_MEMORY: none */
    uint32_t other_count;      /* number of names when it was filled */
    uint32_t *changed_uses;    /* by name: number of reads by changed nodes */
    struct use_count **node_uses, **initializer_uses; /* by graph number, by node or initializer */
    bool **changed;                                   /* by graph number, by node: no counterpart with the same bytes */
};

struct graph_pair {
    struct graph *before, *after;
};

enum verdict {
    VERDICT_PROVED,  /* equal for every input */
    VERDICT_TESTED,  /* run on both sides, on the same inputs */
    VERDICT_BY_RULE, /* it is what the rules make of it, or they keep it */
    VERDICT_ASSUMED, /* the same, if unconfirmed conditions on types or shapes hold */
    VERDICT_DIFFERS,
    VERDICT_NOT_SHOWN, /* no rule, proof or run covers it */
    VERDICT_ROUNDING,  /* the same in real numbers; how far floats are apart was measured */
    VERDICT_COUNT
};

struct conversion_plan;
struct edge_sets;
struct function_calls;
struct piece_rows;
struct sequence_use;

/* Nodes of one operator at one opset that the rules keep. */
struct kept {
    struct kept *next;
    name_id domain, op_type;
    int64_t opset;
    enum verdict verdict;
    json_t *entry, *nodes; /* of the report; the nodes are in the entry */
    uint64_t more;         /* number of others, in a brief report */
};

/* Kept nodes that the text names; a certificate names all. */
#define KEPT_SHOWN 4

struct comparison {
    struct opshift_model *first; /* as the caller gave it; that of `before` may have functions for each case */
    struct side before, after;
    struct arena *arena;
    const struct opshift_rules *rules;
    struct opshift_rules *shipped;                /* owned: loaded when the options name none */
    const struct conversion_plan *plan;           /* expect.c: from the first model to the second's opset; NULL: none */
    struct conversion_plan *own_plan;             /* the same, unless it is the caller's */
    const char *no_plan;                          /* why there is no plan */
    struct bindings *bindings;                    /* of the first model's functions */
    const struct opshift_verify_options *options; /* brief: the report has only the printed lines of each node */
    struct sequence_use ***sequences; /* sequence_readers.h: by the first model's graphs and nodes; NULL: none */
    bool **sequence_readers;          /* the same: the node read a replaced sequence */
    struct graph_pair *pairs;
    uint32_t pair_count, pair_room;
    json_t *pieces;          /* by rewritten node: its verdict; not in a brief report */
    struct piece_rows *rows; /* of a brief report */
    struct buffer detail;    /* text of the current piece */
    uint64_t piece_count;
    json_t *differences;      /* differences outside rewritten nodes */
    json_t *changes;          /* what else differs between models that compute the same; NULL: that was not asked */
    bool asked;               /* the value graphs were asked */
    json_t *map;              /* which nodes became which; NULL: that was not asked */
    json_t *reduced;          /* what was written of the first region that differs; NULL: nothing was to be */
    json_t *unknown;          /* parts outside rewritten nodes that could not be compared */
    json_t *invalid;          /* errors that lint finds in either model */
    json_t *kept;             /* by operator and reason: nodes with the same bytes whose operator has another version */
    struct kept *kept_groups; /* with their entries in `kept` */
    json_t *whole;            /* result of running both whole models; NULL: not requested */
    enum verdict whole_verdict;
    uint64_t counts[VERDICT_COUNT];
    struct budget budget;         /* for all runs of pieces */
    double done;                  /* progress, at the current node */
    struct arena *run_arena;      /* reset for each run of a piece */
    struct function_calls *calls; /* function_runs.c: by function; NULL: none is run */
    struct edge_sets *edges;      /* edges.h: nodes that were run on edges; NULL: none yet */
    uint32_t attempts;            /* runs of pieces that are not what convert makes of them */
    bool out_of_memory;
};

/* ---- match.c: pairs, and nodes without a counterpart ---- */

/* Pairs all graphs and marks the nodes without a counterpart with the same bytes. */
enum opshift_status match_models(struct comparison *comparison, struct opshift_error *error);
/* The node of the other side that gives the first named output of this one; NULL: none. */
struct node *match_partner(const struct side *side, const struct node *node, const struct side *other,
                           struct graph *other_graph);
/* Has each subgraph of the first node a partner among those of the second, in the attribute of the same name and at
 * the same position? pairs: room for all of them, or NULL. */
bool match_subgraphs(const struct comparison *comparison, const struct node *before, const struct node *after,
                     struct graph_pair *pairs);
/* Does the operator of this node have another version at the other side's opset? */
/* The opset of a domain (a name of the first model) in the second graph; 0: not imported. */
int64_t match_opset_after(const struct comparison *comparison, const struct graph_pair *pair, name_id domain);
bool match_version_moved(const struct comparison *comparison, const struct graph_pair *pair, const struct node *node);

/* Does the other side still give any of this node's outputs? */
bool match_has_counterpart(const struct comparison *comparison, const struct graph_pair *pair, const struct node *node);

/* ---- uses.c ---- */

/* Called when the changed nodes are known. */
enum opshift_status uses_count(struct side *side, struct arena *arena, struct opshift_error *error);
/* Is it read by changed nodes, and by no others? */
bool uses_are_changed(struct use_count count);

/* ---- rest.c: everything except rewritten nodes ---- */

/* Adds all lost, new or changed parts outside rewritten nodes to the differences. */
enum opshift_status rest_compare(struct comparison *comparison, struct opshift_error *error);
/* Are ranges of the two files the same bytes? */
enum opshift_status rest_same_bytes(const struct comparison *comparison, struct range before, struct range after,
                                    bool *same, struct opshift_error *error);
/* Compares two nodes' other fields than operator, inputs, outputs and attributes; *what NULL: equal. */
enum opshift_status rest_same_head(const struct comparison *comparison, const struct node *before,
                                   const struct node *after, const char **what, struct opshift_error *error);
/* place NULL: no memory. */
void rest_unknown(struct comparison *comparison, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void rest_difference(struct comparison *comparison, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- whole.c: both models from their inputs to their outputs ---- */

/* options->whole selects the engine. */
enum opshift_status whole_verify(struct comparison *comparison, struct opshift_error *error);
/* The same with the built-in kernels and a tolerance for rounding, where the caller did not ask for it; nothing, if one
 * of the models has an operator without a kernel. */
enum opshift_status whole_check(struct comparison *comparison, struct opshift_error *error);

/* ---- computation.c: do both models compute the same, whatever else differs? ---- */

/* Asked before single nodes are compared, where no rule makes one of the other. *decided: nothing else is to be done.
 */
enum opshift_status computation_first(struct comparison *comparison, bool *decided, struct opshift_error *error);
/* Asked where a difference was found, or something is not shown. *decided: they compute the same. */
enum opshift_status computation_last(struct comparison *comparison, bool *decided, struct opshift_error *error);
/* The map, and the region that differs, where they are asked for and were not made. */
enum opshift_status computation_more(struct comparison *comparison, struct opshift_error *error);

/* ---- verify_report.c ---- */

/* The detail of a node: the reason, and the number of runs. True: the types and shapes of the runs follow. */
bool report_detail(const char *why, const char *verdict, json_int_t runs, struct buffer *out);

/* A hash of NULL is omitted. same: no difference, and everything was shown. */
struct opshift_report *verify_report(struct comparison *comparison, bool same, const char *before_hash,
                                     const char *after_hash);
/* "no difference", "they differ" or "not shown to be the same". */
const char *report_answer(const json_t *root);
const char *verdict_name(enum verdict verdict);
/* The verdict of running whole models. */
const char *verdict_whole_name(enum verdict verdict);

#endif
