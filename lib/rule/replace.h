/* The verb `replace`: nodes in a node's place, from a body in ONNX's textual syntax. */
#ifndef RULE_REPLACE_H
#define RULE_REPLACE_H

#include "rule/rule.h"

enum replacement_kind {
    REPLACED_BY_DEFINITION, /* the standard defines the operator so: results differ at most by rounding */
    REPLACED_EXACTLY,       /* bit for bit */
    REPLACED_APPROXIMATELY
};

/* What a rule puts in a node's place, in the draft's arena: nodes in an order that can run. Nodes that nobody reads are
 * left out. No attribute refers to a function's parameter, in subgraphs neither. */
struct replacement {
    enum replacement_kind kind;
    int64_t step;            /* the rule's opset, */
    int64_t opset;           /* what the nodes are written for: that, or the one below */
    const struct rule *rule; /* as in the draft; NULL: unknown */
    Onnx__NodeProto **nodes; /* values are called as in the schema ("X", "Y"); other names are the body's own */
    size_t node_count;
    /* The names under which the body knows the node's values, by position in the draft; NULL: absent there. */
    const char *const *inputs;
    size_t input_count;
    const char *const *outputs;
    size_t output_count;
};

/* "definition", "exact", "approximate" */
const char *replacement_kind_name(enum replacement_kind kind);

/* The verb. Sets draft->replacement where its condition holds, else leaves the draft as it is. NO: a fact that the body
 * needs is unknown, or does not fit. */
enum opshift_status replace(const struct step *step, struct draft *draft, struct opshift_error *error);

#endif
