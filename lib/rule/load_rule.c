/* Reads a rule file: an operator, its steps up and down, its examples. */
#include <stdlib.h>
#include <string.h>

#include "rule/loader.h"
#include "rule/replace_check.h"

static enum opshift_status read_steps(struct loader *loader, const struct tree *list, struct rule *rule,
                                      enum direction direction)
{
    struct step *steps;

    if (list == NULL)
        return OPSHIFT_OK;
    rule->has[direction] = true;
    rule->step_count[direction] = list->count;
    steps = loader_alloc(loader, list->count + 1, sizeof(*steps));
    if (steps == NULL)
        return OPSHIFT_MEMORY;
    rule->steps[direction] = steps;
    for (const struct tree *item = list->first; item != NULL; item = item->next) {
        struct step *step = steps++;
        enum opshift_status status = step_read(loader, item, step);

        if (status == OPSHIFT_OK)
            status = step_check(rule, step, direction, loader->set->arena, loader->place.error);
        if (status)
            return status;
    }
    return OPSHIFT_OK;
}

/* The opset where an example ends; left out: the end of the step. */
static enum opshift_status read_end(struct loader *loader, const struct tree *to, const struct rule *rule,
                                    struct example *example)
{
    int64_t step_end = example->up ? rule->opset : rule->opset - 1;
    char *end;
    example->to = to == NULL ? step_end : strtoll(to->text, &end, 10);
    if (to == NULL || (*to->text != '\0' && *end == '\0' && example->to > 0 &&
                       (example->up ? example->to >= step_end : example->to <= step_end)))
        return OPSHIFT_OK;
    return FAIL(loader, to, "to: expected an opset from %lld %s, found '%s'", (long long)step_end,
                example->up ? "up" : "down to 1", to->text);
}

static enum opshift_status read_example(struct loader *loader, const struct tree *map, const struct rule *rule,
                                        struct example *example)
{
    static const struct tree_key keys[] = {
        {"direction", TREE_SCALAR, false}, {"inputs", TREE_SCALAR, false},  {"before", TREE_SCALAR, true},
        {"after", TREE_SCALAR, false},     {"refused", TREE_SCALAR, false}, {"to", TREE_SCALAR, false},
    };
    enum opshift_status status = tree_expect_keys(&loader->place, map, keys, COUNT(keys), "an example");
    const struct tree *direction, *inputs, *before, *after, *refused;

    if (status)
        return status;
    direction = tree_find(map, "direction");
    before = tree_find(map, "before");
    after = tree_find(map, "after");
    refused = tree_find(map, "refused");
    inputs = tree_find(map, "inputs");
    example->up = direction == NULL || strcmp(direction->text, "up") == 0;
    if (!example->up && strcmp(direction->text, "down") != 0)
        return FAIL(loader, direction, "direction: expected up or down, found '%s'", direction->text);
    if (!rule->has[example->up ? DIRECTION_UP : DIRECTION_DOWN])
        return FAIL(loader, map, "an example of going %s, and the rule has no '%s'", example->up ? "up" : "down",
                    example->up ? "up" : "down");
    example->inputs = inputs == NULL ? NULL : inputs->text;
    example->inputs_line = inputs == NULL ? 0 : inputs->text_line;
    example->inputs_column = inputs == NULL ? 0 : inputs->text_column;
    example->before = before->text;
    example->before_line = before->text_line;
    if (after != NULL && refused != NULL)
        return FAIL(loader, refused, "an example is refused or has the key 'after', not both");
    example->refused = refused == NULL ? NULL : refused->text;
    if (after == NULL && refused == NULL && !rule_replaces(rule, example->up ? DIRECTION_UP : DIRECTION_DOWN))
        return FAIL(loader, map, "an example needs the key 'after' or 'refused'");
    example->after = after == NULL ? NULL : after->text;
    example->after_line = after == NULL ? 0 : after->text_line;
    return read_end(loader, tree_find(map, "to"), rule, example);
}

static enum opshift_status read_examples(struct loader *loader, const struct tree *list, struct rule *rule)
{
    struct example *examples;

    if (list == NULL)
        return OPSHIFT_OK;
    examples = loader_alloc(loader, list->count + 1, sizeof(*examples));
    if (examples == NULL)
        return OPSHIFT_MEMORY;
    rule->examples = examples;
    rule->example_count = list->count;
    for (const struct tree *item = list->first; item != NULL; item = item->next) {
        enum opshift_status status = read_example(loader, item, rule, examples++);

        if (status)
            return status;
    }
    return OPSHIFT_OK;
}

enum opshift_status rule_read(struct loader *loader, const struct tree *map)
{
    static const struct tree_key keys[] = {
        {"op", TREE_SCALAR, true}, {"domain", TREE_SCALAR, false}, {"why", TREE_SCALAR, true},
        {"up", TREE_LIST, false},  {"down", TREE_LIST, false},     {"examples", TREE_LIST, false},
    };
    enum opshift_status status = tree_expect_keys(&loader->place, map, keys, COUNT(keys), "a rule");
    struct rule *rule;

    if (status == OPSHIFT_OK && tree_find(map, "up") == NULL && tree_find(map, "down") == NULL)
        return FAIL(loader, map, "a rule needs the key 'up', 'down' or both");
    if (status)
        return status;
    rule = loader_add(loader, tree_find(map, "op"));
    if (rule == NULL)
        return OPSHIFT_MEMORY;
    rule->why[DIRECTION_UP] = rule->why[DIRECTION_DOWN] = tree_find(map, "why")->text;
    status = loader_read_domain(loader, map, &rule->domain);
    if (status == OPSHIFT_OK)
        status = read_steps(loader, tree_find(map, "up"), rule, DIRECTION_UP);
    if (status == OPSHIFT_OK)
        status = read_steps(loader, tree_find(map, "down"), rule, DIRECTION_DOWN);
    if (status == OPSHIFT_OK)
        status = read_examples(loader, tree_find(map, "examples"), rule);
    return status;
}
