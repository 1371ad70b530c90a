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

/* One of the two models, and what was worked out about it. */
struct side {
    struct opshift_model *model;
    struct scopes *scopes;
    struct types *types;
    struct fold *fold;
    name_id *other;         /* by name: the same name in the other model, NAME_NO_MEMORY: it has none such */
    uint32_t other_count;   /* names that there were then */
    uint32_t *changed_uses; /* by name: how often changed nodes read it */
    struct use_count **node_uses, **initializer_uses; /* by graph number, by node or initializer */
    bool **changed; /* by graph number, by node: it has no counterpart of the same bytes */
};

struct graph_pair {
    struct graph *before, *after;
};

enum verdict {
    VERDICT_PROVED,  /* for every input */
    VERDICT_TESTED,  /* run on both sides, on the same inputs */
    VERDICT_BY_RULE, /* it is what the rules make of it, or keep */
    VERDICT_ASSUMED, /* the same, if what the rules take for true of its types or shapes is */
    VERDICT_DIFFERS,
    VERDICT_NOT_SHOWN, /* no rule, proof or run covers it */
    VERDICT_COUNT
};

struct conversion_plan;
struct report_table;
struct sequence_use;

/* Nodes of one operator at one opset that the rules keep. */
struct kept {
    struct kept *next;
    name_id op_type;
    int64_t opset;
    enum verdict verdict;
    json_t *entry; /* of the report */
    uint64_t more; /* beside those in the entry, where the report is brief */
};

/* Kept nodes of an entry that the text names; a certificate names all. */
#define KEPT_SHOWN 4

struct comparison {
    struct side before, after;
    struct arena *arena;
    const struct opshift_rules *rules;
    struct opshift_rules *shipped; /* owned: loaded when the options name none */
    struct conversion_plan *plan;  /* expect.c: from the first model to the second's opset; NULL: there is none, */
    const char *no_plan;           /* and why */
    struct bindings *bindings;     /* of the first model's functions */
    const struct opshift_verify_options *options;
    struct sequence_use ***sequences; /* sequence.c: by the first model's graphs and nodes; NULL: none is gone */
    bool **sequence_readers;          /* the same: the node read a sequence that is gone */
    struct graph_pair *pairs;
    uint32_t pair_count, pair_room;
    json_t *pieces;             /* per rewritten node: its verdict; a brief report has none, */
    struct report_table *table; /* and these words of it */
    struct buffer detail;       /* those of one piece */
    uint64_t piece_count;
    json_t *differences; /* all that is not the same and was not rewritten */
    json_t *unknown;     /* beside rewritten nodes: all that could not be compared */
    json_t *invalid;     /* of either model: the errors that lint finds in it */
    json_t *kept;        /* per operator and reason: nodes of the same bytes under another version of the operator */
    struct kept *kept_groups; /* each with its entry there */
    json_t *whole;            /* what came of running both models whole; NULL: nobody asked */
    enum verdict whole_verdict;
    uint64_t counts[VERDICT_COUNT];
    struct budget budget;    /* of all runs of pieces */
    struct arena *run_arena; /* of one run of a piece at a time */
    uint32_t attempts;       /* runs of pieces that are not what convert makes of them */
    bool out_of_memory;
};

/* ---- match.c: pairs and what is not paired ---- */

/* Pairs all graphs and marks the nodes that have no counterpart of the same bytes. */
enum opshift_status match_models(struct comparison *comparison, struct opshift_error *error);
/* The node of the other side that makes the first named output of this one; NULL: there is none. */
struct node *match_partner(const struct side *side, const struct node *node, const struct side *other,
                           struct graph *other_graph);
/* Has each graph of the first node one of the second for its partner, in the attribute of the same name and at the same
 * place there? pairs: room for all of them, or NULL. */
bool match_subgraphs(const struct comparison *comparison, const struct node *before, const struct node *after,
                     struct graph_pair *pairs);
/* Has ai.onnx another version of this node's operator at the other side's opset? */
bool match_version_moved(const struct comparison *comparison, const struct graph_pair *pair, const struct node *node);

/* Does the other side still give any of this node's outputs? */
bool match_has_counterpart(const struct comparison *comparison, const struct graph_pair *pair, const struct node *node);

/* ---- uses.c ---- */

/* To be called when the changed nodes are known. */
enum opshift_status uses_count(struct side *side, struct arena *arena, struct opshift_error *error);
/* Somebody reads it, and none but changed nodes do. */
bool uses_are_changed(struct use_count count);

/* ---- rest.c: everything that is no rewritten node ---- */

/* Whatever is lost, new or changed and is not part of a rewritten node goes to the differences. */
enum opshift_status rest_compare(struct comparison *comparison, struct opshift_error *error);
/* Are two ranges of the two files the same bytes? */
enum opshift_status rest_same_bytes(const struct comparison *comparison, struct range before, struct range after,
                                    bool *same, struct opshift_error *error);
/* What two nodes say beside their operator, inputs, outputs and attributes; *what NULL: the same. */
enum opshift_status rest_same_head(const struct comparison *comparison, const struct node *before,
                                   const struct node *after, const char **what, struct opshift_error *error);
/* place NULL: there was no memory for it. */
void rest_unknown(struct comparison *comparison, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void rest_difference(struct comparison *comparison, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- whole.c: both models from their inputs to their outputs ---- */

/* options->whole says with which engine. */
enum opshift_status whole_verify(struct comparison *comparison, struct opshift_error *error);

/* ---- report.c ---- */

/* The report is read and not kept: it has no more of each node than is printed. */
bool comparison_is_brief(const struct comparison *comparison);
/* What was seen of a node: why, or on what it was run. */
void report_detail(const char *why, const char *verdict, json_int_t runs, const json_t *types, const json_t *shapes,
                   struct buffer *out);
/* A table of verdicts, and one more in it. */
struct report_table *report_pieces_new(void);
void report_piece_row(struct report_table *table, const char *place, const char *verdict, const char *detail);

/* A hash of NULL is left out. same: nothing differs, and all of it was shown. */
struct opshift_report *verify_report(struct comparison *comparison, bool same, const char *before_hash,
                                     const char *after_hash);
/* "no difference", "they differ" or "not shown to be the same". */
const char *report_answer(const json_t *root);
const char *verdict_name(enum verdict verdict);
/* Of a whole model, which is run or not. */
const char *verdict_whole_name(enum verdict verdict);

#endif
