/* The version of a set of rules. */
#ifndef RULE_RULES_HASH_H
#define RULE_RULES_HASH_H

#include "base/sha256.h"

/* Hashes the effect of the rules and their reasons, not their file names. */
void rules_hash(const struct opshift_rules *rules, char hash[SHA256_TEXT_SIZE]);

#endif
