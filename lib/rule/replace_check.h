/* Checks the expressions and the body of a step when its rule is loaded, without a node. */
#ifndef RULE_REPLACE_CHECK_H
#define RULE_REPLACE_CHECK_H

#include "rule/rule.h"

/* USAGE, "file:line:column: ...": an unknown name, an expression or a body that does not parse, an operator or
 * attribute that the rule's opset lacks, an output that the body does not define. The rule has its file, opset,
 * domain and operator. */
enum opshift_status step_check(const struct rule *rule, const struct step *step, enum direction way,
                               struct arena *arena, struct opshift_error *error);

#endif
