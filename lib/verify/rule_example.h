/* Checks a rule's example: a small model is converted, compared with the expected nodes, and run if the rule
 * replaces a node. */
#ifndef VERIFY_RULE_EXAMPLE_H
#define VERIFY_RULE_EXAMPLE_H

#include "base/buffer.h"
#include "rule/rule.h"

/* NO: the result differs from the expected nodes, or computes something else; words has the reason. OK with words: a
 * replaced node could not be run, for this reason. USAGE: its nodes do not parse, "file:line:column: ...". */
enum opshift_status rule_example_check(const struct opshift_rules *rules, const struct rule *rule,
                                       const struct example *example, struct buffer *words,
                                       struct opshift_error *error);

#endif
