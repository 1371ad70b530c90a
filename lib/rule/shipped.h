/* The rules that are built in: rules_shipped.c, which lib/rule/compile makes from rules/. */
#ifndef RULE_SHIPPED_H
#define RULE_SHIPPED_H

#include "rule/rule.h"

/* Sorted. */
extern const struct rule rules_shipped[];
extern const uint32_t rules_shipped_count;
extern const struct compatible compatibles_shipped[];
extern const uint32_t compatibles_shipped_count;

#endif
