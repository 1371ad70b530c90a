/* Rule files and directories while they are read. */
#ifndef RULE_LOAD_H
#define RULE_LOAD_H

#include "rule/rule.h"

/* Start with the arena only; it owns all that is read. */
struct rule_set {
    struct arena *arena;
    struct rule *rules;
    uint32_t rule_count, rule_room;
};

/* Reads directory/opset-NN/<any>.yaml and finishes the set. USAGE: a mistake, "file:line:column: what was expected". */
enum opshift_status rule_set_read_directory(struct rule_set *set, const char *directory, struct opshift_error *error);
/* Reads one file, whose directory names the opset. Needs rule_set_finish. */
enum opshift_status rule_set_read_file(struct rule_set *set, const char *path, struct opshift_error *error);
/* Sorts, and refuses duplicates. */
enum opshift_status rule_set_finish(struct rule_set *set, struct opshift_error *error);

/* The shipped rules with those of one file in their place. set: the rules of the file, owned by the rules. */
enum opshift_status rules_load_file(const char *path, struct opshift_rules **rules, struct rule_set *set,
                                    struct opshift_error *error);

/* The order of rules: by domain, operator, opset. For qsort and bsearch. */
int rule_compare(const void *one, const void *other);
/* How many of the set are entries of a compatible.yaml, or (false) are not. */
uint32_t rule_set_count(const struct rule_set *set, bool compatible);

#endif
