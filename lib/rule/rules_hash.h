/* The version of a set of rules. */
#ifndef RULE_RULES_HASH_H
#define RULE_RULES_HASH_H

#include "base/sha256.h"

/* What they do and why they say they do it, not the files that they stand in. */
void rules_hash(const struct opshift_rules *rules, char hash[SHA256_TEXT_SIZE]);

#endif
