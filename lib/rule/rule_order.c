/* Sorts the rules that were read, and refuses duplicates. */
#include <stdlib.h>
#include <string.h>

#include "rule/load.h"
#include "base/tree.h"

int rule_compare(const void *one, const void *other)
{
    const struct rule *a = one, *b = other;
    int order = strcmp(a->domain, b->domain);

    if (order == 0)
        order = strcmp(a->op_type, b->op_type);
    return order != 0 ? order : (a->opset > b->opset) - (a->opset < b->opset);
}

/* Of one operator and step the rules come first, then the entries of compatible.yaml, by their positions, so that the
 * later one is reported. */
static int place_compare(const void *one, const void *other)
{
    const struct rule *a = one, *b = other;
    int order = rule_compare(a, b);

    if (order == 0)
        order = a->compatible - b->compatible;
    if (order == 0)
        order = strcmp(a->file, b->file);
    if (order == 0)
        order = (a->line > b->line) - (a->line < b->line);
    return order != 0 ? order : (a->column > b->column) - (a->column < b->column);
}

/* Refuses two statements for one direction. */
static enum opshift_status expect_apart(const struct rule *first, const struct rule *again, struct opshift_error *error)
{
    if (!first->compatible && !again->compatible)
        return tree_fail(error, again->file, again->line, again->column, "%s has a rule already: %s:%u:%u",
                         again->op_type, first->file, first->line, first->column);
    for (int direction = DIRECTION_UP; direction <= DIRECTION_DOWN; direction++) {
        if (!first->has[direction] || !again->has[direction])
            continue;
        if (first->compatible)
            return tree_fail(error, again->file, again->line, again->column, "%s is listed already: %s:%u:%u",
                             again->op_type, first->file, first->line, first->column);
        return tree_fail(error, again->file, again->line, again->column, "%s has a rule for going %s: %s:%u:%u",
                         again->op_type, direction == DIRECTION_UP ? "up" : "down", first->file, first->line,
                         first->column);
    }
    return OPSHIFT_OK;
}

/* Two entries for the two directions become one. */
static void join(struct rule *first, const struct rule *again)
{
    for (int direction = DIRECTION_UP; direction <= DIRECTION_DOWN; direction++)
        if (again->has[direction]) {
            first->has[direction] = true;
            first->why[direction] = again->why[direction];
            first->unless[direction] = again->unless[direction];
        }
}

enum opshift_status rule_set_finish(struct rule_set *set, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    uint32_t kept = 0;

    if (set->rule_count > 0)
        qsort(set->rules, set->rule_count, sizeof(*set->rules), place_compare);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < set->rule_count; i++) {
        const struct rule *rule = &set->rules[i];
        struct rule *last = kept > 0 ? &set->rules[kept - 1] : NULL;
        bool same = last && rule_compare(last, rule) == 0;

        for (uint32_t k = kept; status == OPSHIFT_OK && same && k-- > 0 && rule_compare(&set->rules[k], rule) == 0;)
            status = expect_apart(&set->rules[k], rule, error);
        if (same && last->compatible)
            join(last, rule);
        else
            set->rules[kept++] = *rule;
    }
    set->rule_count = kept;
    return status;
}

uint32_t rule_set_count(const struct rule_set *set, bool compatible)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < set->rule_count; i++)
        count += set->rules[i].compatible == compatible;
    return count;
}
