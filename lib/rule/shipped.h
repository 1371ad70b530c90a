/* The rules that are built in: rules_shipped.c, which lib/rule/compile makes from rules/. The tables hold no address:
 * each would be corrected in every process that starts, a page at a time. They say where texts and lists begin; a rule
 * is unpacked when it is asked for. */
#ifndef RULE_SHIPPED_H
#define RULE_SHIPPED_H

#include "rule/load.h"

struct packed_parameter {
    uint32_t name, text; /* texts: where they begin in shipped_texts; 0: NULL */
    uint32_t items;      /* a list: where it begins in shipped_lists; 0: NULL */
};

struct packed_step {
    uint32_t parameters; /* the number of the first one */
    uint16_t parameter_count;
    uint16_t action; /* a row of rule_actions */
    uint16_t line;
};

struct packed_key {
    uint32_t domain, op_type;
    uint16_t opset;
};

/* Without its examples, which are tried with its file. */
struct packed_rule {
    struct packed_key key;
    uint32_t file, why;
    uint32_t steps[2];
    uint16_t step_count[2];
    uint16_t line, column;
    bool has[2];
};

struct packed_compatible {
    struct packed_key key;
    uint32_t file, why[2], unless[2]; /* unless: lists */
    uint16_t line, column;
    bool has[2];
};

extern const char shipped_texts[];
extern const uint32_t shipped_lists[]; /* of texts, each with 0 at its end */
extern const struct packed_parameter shipped_parameters[];
extern const struct packed_step shipped_steps[];
/* Sorted. */
extern const struct packed_rule shipped_rules[];
extern const uint32_t shipped_rule_count;
extern const struct packed_compatible shipped_compatibles[];
extern const uint32_t shipped_compatible_count;

/* NULL in *rule, *entry: there is none. */
enum opshift_status shipped_rule_find(const struct rule *key, struct arena *arena, const struct rule **rule,
                                      struct opshift_error *error);
enum opshift_status shipped_compatible_find(const struct compatible *key, struct arena *arena,
                                            const struct compatible **entry, struct opshift_error *error);
/* All of them; set->arena owns them. */
enum opshift_status shipped_unpack(struct rule_set *set, struct opshift_error *error);

#endif
