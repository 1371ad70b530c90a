/* The verb `replace`: nodes that replace a node, from a body in ONNX's textual syntax. */
#ifndef RULE_REPLACE_H
#define RULE_REPLACE_H

#include "rule/rule.h"

enum replacement_kind {
    REPLACED_BY_DEFINITION, /* by the standard's definition of the operator: results differ at most by rounding */
    REPLACED_EXACTLY,       /* bit for bit */
    REPLACED_APPROXIMATELY
};
#define REPLACEMENT_KINDS 3

/* The nodes that replace a node, in the draft's arena, in topological order, without unused nodes. No attribute
 * refers to a function's attribute, also in subgraphs. */
struct replacement {
    enum replacement_kind kind;
    int64_t step;            /* the rule's opset */
    const char *domain;      /* whose opsets these are; "": ai.onnx */
    int64_t opset;           /* the opset of the nodes: the same, or the one below */
    const struct rule *rule; /* as in the draft; NULL: unknown */
    /* The node's values have their schema's names ("X", "Y"); other names belong to the body. */
    Onnx__NodeProto **nodes;
    size_t node_count;
    /* The body's names of the node's values, by position in the draft; NULL: absent. */
    const char *const *inputs;
    size_t input_count;
    const char *const *outputs;
    size_t output_count;
    bool calls; /* a node of GRAPH_CALL_DOMAIN stands in the nodes or in their subgraphs */
};

/* `graph.body (x)` in a body: a node of this domain stands for the nodes of the replaced node's graph `body`, with as
 * many inputs and outputs as that graph has. */
#define GRAPH_CALL_DOMAIN "graph"

/* "definition", "exact", "approximate" */
const char *replacement_kind_name(enum replacement_kind kind);

/* The verb. Sets draft->replacement where its condition holds, else leaves the draft as it is. NO: a fact that the body
 * needs is unknown, or does not fit. */
enum opshift_status replace(const struct step *step, struct draft *draft, struct opshift_error *error);

#endif
