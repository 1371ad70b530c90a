/* A rule's example: a little model, converted, compared with what the rule's author wrote, and run where the rule
 * replaces a node. */
#ifndef VERIFY_RULE_EXAMPLE_H
#define VERIFY_RULE_EXAMPLE_H

#include "base/buffer.h"
#include "rule/rule.h"

/* NO: it does not come out as written, or what comes out computes something else, and words say how. OK with words: a
 * replaced node could not be run, and why. USAGE: its nodes do not read, "file:line:column: ...". */
enum opshift_status rule_example_check(const struct opshift_rules *rules, const struct rule *rule,
                                       const struct example *example, struct buffer *words,
                                       struct opshift_error *error);

#endif
