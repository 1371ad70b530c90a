/* The built-in rules: rules_shipped.c, which lib/rule/compile makes from rules/. */
#ifndef RULE_SHIPPED_H
#define RULE_SHIPPED_H

#include "rule/rule.h"

/* Sorted, as in struct opshift_rules. */
extern const struct rule shipped_rules[];
extern const uint32_t shipped_rule_count;

#endif
