/* Compares the second model with the planned conversion of the first one to the second's opset. */
#ifndef VERIFY_EXPECT_H
#define VERIFY_EXPECT_H

#include "convert/plan.h"
#include "verify/verify.h"

struct expectation {
    struct planned_node planned; /* OPSHIFT_BLOCKED also if there is no plan */
    const char *assumed;         /* unconfirmed assumptions of the fate; NULL: none */
    const char *refusal;         /* BLOCKED: the reason */
};

/* What a plan of the first model has to know of the second. */
struct expect_goal {
    int64_t opset, ir_version;
    bool has_splits;    /* SplitToSequence nodes */
    uint64_t sequences; /* nodes that make sequences which --split-sequences replaces */
    const struct opset_import *imports;
    const struct bytes *domains; /* of the imports; valid as long as the model */
    uint32_t import_count;
};

/* Reads the goal from the second model. MEMORY. */
enum opshift_status expect_goal_read(struct comparison *comparison, struct expect_goal *goal,
                                     struct opshift_error *error);
/* Plans the conversion of the first model to the goal; does not read the second one. If no conversion exists, that is
 * no failure: each node is then refused with its reason. Called before names of one model are looked up in the other.
 * single: functions have one body for all calls. */
enum opshift_status expect_plan(struct comparison *comparison, const struct expect_goal *goal, bool single,
                                struct opshift_error *error);
enum opshift_status expect_read(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                                struct arena *arena, struct expectation *expectation, struct opshift_error *error);

/* The files that decide that a node is kept or how it is rewritten: "a.yaml, b.yaml"; NULL: none, or no memory. */
const char *expect_rules(const struct comparison *comparison, const struct graph_pair *pair, const struct node *node,
                         const struct expectation *expectation, struct arena *arena);

struct expected_difference {
    const char *what;    /* the first difference; NULL: none */
    const char *beyond;  /* the first one whose effect random inputs need not show; NULL: none */
    bool other_operator; /* an output comes from another operator, or an input that the first model does not have */
    bool same_head;      /* the other fields of the node and its partner were compared, and are the same */
};

/* Compares a kept or rewritten node with the second model, ignoring names of new values, the storage of constants,
 * the order of attributes, and whether a default value is written. pair_attributes: of the node and of its partner, or
 * without a node where it has none. */
enum opshift_status expect_compare(struct comparison *comparison, const struct graph_pair *pair,
                                   const struct expectation *expectation, struct attribute_list pair_attributes[2],
                                   struct expected_difference *difference, struct opshift_error *error);

/* ---- kept.c: nodes with the same bytes whose operator has another version ---- */

/* Adds a node that was kept as planned to the report. */
enum opshift_status kept_report(struct comparison *comparison, const struct graph_pair *pair, const struct node *node,
                                const struct expectation *expectation, struct arena *arena,
                                struct opshift_error *error);

#endif
