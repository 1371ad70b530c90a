/* Compares the second model with the planned conversion of the first one to the second's opset. */
#ifndef VERIFY_EXPECT_H
#define VERIFY_EXPECT_H

#include "convert/plan.h"
#include "verify/verify.h"

struct expectation {
    struct planned_node planned; /* fate NODE_BLOCKED also where there is no plan at all */
    const char *assumed;         /* what the fate rests on, and nobody could show; NULL: nothing */
    const char *refusal;         /* BLOCKED: why */
};

/* Plans the conversion of the first model to the opset of the second. A conversion that there is not is no failure:
 * each node is then refused with its reason. To be called before names are looked up from one model in the other. */
enum opshift_status expect_plan(struct comparison *comparison, struct opshift_error *error);
enum opshift_status expect_read(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                                struct arena *arena, struct expectation *expectation, struct opshift_error *error);

/* The files that decide that a node is kept, or what is made of it: "a.yaml, b.yaml"; NULL: none has to, or the arena
 * was out of memory. */
const char *expect_rules(const struct comparison *comparison, const struct graph_pair *pair, const struct node *node,
                         const struct expectation *expectation, struct arena *arena);

/* Where the second model does not have what is expected of a node that is kept or rewritten, up to the names of what is
 * new, where constants are stored, and the order of attributes; *what NULL: it has just that. *beyond: the first
 * thing whose effect runs on drawn inputs need not show; NULL: none. */
enum opshift_status expect_compare(struct comparison *comparison, const struct graph_pair *pair,
                                   const struct expectation *expectation, struct node *node, struct arena *arena,
                                   const char **what, const char **beyond, struct opshift_error *error);

/* ---- kept.c: nodes of the same bytes under another version of their operator ---- */

/* Adds a node that is to be kept, and was, to the report. */
enum opshift_status kept_report(struct comparison *comparison, const struct graph_pair *pair, const struct node *node,
                                const struct expectation *expectation, struct arena *arena,
                                struct opshift_error *error);

#endif
