/* What the rules make of a node on the way from the first model's opset to the second's. */
#ifndef VERIFY_EXPECT_H
#define VERIFY_EXPECT_H

#include "verify/verify.h"

enum expectation_kind {
    EXPECT_SAME,      /* its operator is one and the same at both */
    EXPECT_KEPT,      /* the operator changed, and the rules keep this node as it is */
    EXPECT_REWRITTEN, /* the rules make another node of it */
    EXPECT_NOTHING    /* the rules do not say, or do not let it pass */
};

struct expectation {
    enum expectation_kind kind;
    struct draft *draft; /* KEPT (NULL when no rule had to see the node), REWRITTEN */
    const char *rules;   /* KEPT, REWRITTEN: the files that say so */
    const char *why;     /* NOTHING: in words */
};

enum opshift_status expect_read(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                                struct arena *arena, struct expectation *expectation, struct opshift_error *error);
/* Where the node of the second model is not what the rules make of it; *what NULL: it is. */
enum opshift_status expect_compare(struct comparison *comparison, const struct graph_pair *pair,
                                   const struct expectation *expectation, struct node *after, struct arena *arena,
                                   const char **what, struct opshift_error *error);

/* ---- kept.c: nodes of the same bytes under another version of their operator ---- */

/* *settled: it goes to the report as kept; else it has to be looked at as one that was rewritten. */
enum opshift_status kept_node(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                              bool *settled, struct opshift_error *error);

#endif
