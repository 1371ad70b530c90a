/* Sorts the rules that were read, and refuses duplicates. */
#include <stdlib.h>
#include <string.h>

#include "rule/load.h"
#include "base/tree.h"

static int key_compare(const char *domain, const char *op_type, int64_t opset, const char *other_domain,
                       const char *other_op_type, int64_t other_opset)
{
    int order = strcmp(domain, other_domain);

    if (order == 0)
        order = strcmp(op_type, other_op_type);
    return order != 0 ? order : (opset > other_opset) - (opset < other_opset);
}

int rule_compare(const void *one, const void *other)
{
    const struct rule *a = one, *b = other;

    return key_compare(a->domain, a->op_type, a->opset, b->domain, b->op_type, b->opset);
}

int compatible_compare(const void *one, const void *other)
{
    const struct compatible *a = one, *b = other;

    return key_compare(a->domain, a->op_type, a->opset, b->domain, b->op_type, b->opset);
}

/* Equal rules are sorted by position, so that the later one is reported. */
static int rule_place_compare(const void *one, const void *other)
{
    const struct rule *a = one, *b = other;
    int order = rule_compare(a, b);

    return order != 0 ? order : strcmp(a->file, b->file);
}

static int compatible_place_compare(const void *one, const void *other)
{
    const struct compatible *a = one, *b = other;
    int order = compatible_compare(a, b);

    if (order == 0)
        order = (a->line > b->line) - (a->line < b->line);
    return order != 0 ? order : (a->column > b->column) - (a->column < b->column);
}

static enum opshift_status settle_rules(struct rule_set *set, struct opshift_error *error)
{
    if (set->rule_count > 0)
        qsort(set->rules, set->rule_count, sizeof(*set->rules), rule_place_compare);
    for (uint32_t i = 1; i < set->rule_count; i++) {
        const struct rule *first = &set->rules[i - 1], *again = &set->rules[i];

        if (rule_compare(first, again) == 0)
            return tree_fail(error, again->file, again->line, again->column, "%s has a rule already: %s:%u:%u",
                             again->op_type, first->file, first->line, first->column);
    }
    return OPSHIFT_OK;
}

/* Two entries for the two directions become one compatible operator. */
static enum opshift_status join_compatible(struct compatible *first, const struct compatible *again,
                                           struct opshift_error *error)
{
    for (int direction = DIRECTION_UP; direction <= DIRECTION_DOWN; direction++) {
        if (!again->has[direction])
            continue;
        if (first->has[direction])
            return tree_fail(error, again->file, again->line, again->column, "%s is listed already: %s:%u:%u",
                             again->op_type, first->file, first->line, first->column);
        first->has[direction] = true;
        first->why[direction] = again->why[direction];
        first->unless[direction] = again->unless[direction];
    }
    return OPSHIFT_OK;
}

static enum opshift_status settle_compatibles(struct rule_set *set, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    uint32_t kept = 0;

    if (set->compatible_count > 0)
        qsort(set->compatibles, set->compatible_count, sizeof(*set->compatibles), compatible_place_compare);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < set->compatible_count; i++) {
        struct compatible *entry = &set->compatibles[i];

        if (kept > 0 && compatible_compare(&set->compatibles[kept - 1], entry) == 0)
            status = join_compatible(&set->compatibles[kept - 1], entry, error);
        else
            set->compatibles[kept++] = *entry;
    }
    set->compatible_count = kept;
    return status;
}

/* A rule and an entry of compatible.yaml may be for the same operator, in different directions. */
static enum opshift_status expect_apart(const struct rule_set *set, struct opshift_error *error)
{
    for (uint32_t i = 0; i < set->compatible_count; i++) {
        const struct compatible *entry = &set->compatibles[i];
        struct rule key = {.domain = entry->domain, .op_type = entry->op_type, .opset = entry->opset};
        const struct rule *rule = NULL;

        if (set->rule_count > 0)
            rule = bsearch(&key, set->rules, set->rule_count, sizeof(*set->rules), rule_compare);
        for (int direction = DIRECTION_UP; rule != NULL && direction <= DIRECTION_DOWN; direction++)
            if (rule->has[direction] && entry->has[direction])
                return tree_fail(error, entry->file, entry->line, entry->column, "%s has a rule for going %s: %s:%u:%u",
                                 entry->op_type, direction == DIRECTION_UP ? "up" : "down", rule->file, rule->line,
                                 rule->column);
    }
    return OPSHIFT_OK;
}

enum opshift_status rule_set_settle(struct rule_set *set, struct opshift_error *error)
{
    enum opshift_status status = settle_rules(set, error);

    if (status == OPSHIFT_OK)
        status = settle_compatibles(set, error);
    return status == OPSHIFT_OK ? expect_apart(set, error) : status;
}
