/* The world of a step's expressions: attributes, values and types of a draft. */
#ifndef RULE_DRAFT_FACTS_H
#define RULE_DRAFT_FACTS_H

#include "kernel/facts.h"
#include "rule/expression.h"
#include "rule/rule.h"
#include "schema/schema.h"

struct draft_facts {
    const struct step *step;
    struct draft *draft;
    const struct schema *schema; /* of the draft's operator; NULL: none is known */
    const char **inputs;         /* names of the draft's inputs by position: "X", "data_0"; NULL: absent */
    const char **outputs;
    struct attribute_items *lists; /* of the attributes that expressions have asked for */
    struct expression_name *lets;  /* of the step, in order */
    uint32_t let_count;
    struct expression_world world;
};

/* Names the values, and reads the step's `let`, whose expressions are computed at their first use. */
enum opshift_status draft_facts_open(struct draft_facts *facts, const struct step *step, struct draft *draft,
                                     int64_t opset, struct opshift_error *error);
struct expression_place draft_facts_place(const struct draft_facts *facts, const struct parameter *parameter);
/* The node's attribute, or its default; NULL in *value: neither. NO: it depends on the function's callers. */
enum opshift_status draft_facts_attribute(struct draft_facts *facts, struct bytes name,
                                          const Onnx__AttributeProto **value, struct opshift_error *error);
/* Does the step's parameter hold? It does where the step has none of this name. NO: unknown, with the way out;
 * draft->unresolved: since the function's callers decide. Other failures: it cannot be computed. */
enum opshift_status draft_facts_hold(struct draft_facts *facts, const char *parameter, bool *holds,
                                     struct opshift_error *error);
/* Records what must be known, with the way out; the first one counts. */
enum opshift_status draft_want(struct draft *draft, const char *words, struct opshift_error *error);
/* What cannot be computed blocks the node, and does not end the conversion: NO in place of its status. */
enum opshift_status draft_facts_blocks(enum opshift_status status, struct opshift_error *error);

#endif
