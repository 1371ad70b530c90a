/* Reads a compatible.yaml: operators that are kept unchanged, and the conditions. */
#include <string.h>

#include "rule/loader.h"

static enum opshift_status read_direction(struct loader *loader, const struct tree *map, struct rule *entry)
{
    const struct tree *value = tree_find(map, "direction");
    const char *text = value == NULL ? "both" : value->text;

    if (strcmp(text, "up") != 0 && strcmp(text, "down") != 0 && strcmp(text, "both") != 0)
        return FAIL(loader, value, "direction: expected up, down or both, found '%s'", text);
    entry->has[DIRECTION_UP] = strcmp(text, "down") != 0;
    entry->has[DIRECTION_DOWN] = strcmp(text, "up") != 0;
    return OPSHIFT_OK;
}

static enum opshift_status read_unless(struct loader *loader, const struct tree *map, struct rule *entry,
                                       enum direction direction)
{
    const char *key = direction == DIRECTION_UP ? "unless_up" : "unless_down";
    const struct tree *list = tree_find(map, key);

    if (list == NULL)
        return OPSHIFT_OK;
    if (!entry->has[direction])
        return FAIL_KEY(loader, list, "'%s' in an entry that does not go %s", key,
                        direction == DIRECTION_UP ? "up" : "down");
    for (const struct tree *item = list->first; item != NULL; item = item->next)
        if (item->kind == TREE_SCALAR && (*item->text == '\0' || *item->text == '='))
            return FAIL(loader, item, "%s: expected an attribute's name or name=default, found '%s'", key, item->text);
    return loader_read_texts(loader, list, key, &entry->unless[direction]);
}

static enum opshift_status add_compatible(struct loader *loader, const struct tree *op, const struct rule *entry)
{
    enum opshift_status status = tree_expect_text(&loader->place, op, "ops");
    struct rule *rule = status ? NULL : loader_add(loader, op);

    if (rule == NULL)
        return status ? status : OPSHIFT_MEMORY;
    rule->domain = entry->domain;
    rule->compatible = true;
    memcpy(rule->has, entry->has, sizeof(rule->has));
    memcpy(rule->why, entry->why, sizeof(rule->why));
    memcpy(rule->unless, entry->unless, sizeof(rule->unless));
    return OPSHIFT_OK;
}

/* One entry gives a compatible operator for each operator that it names. */
static enum opshift_status read_entry(struct loader *loader, const struct tree *map)
{
    static const struct tree_key keys[] = {
        {"op", TREE_SCALAR, false},        {"ops", TREE_LIST, false},  {"domain", TREE_SCALAR, false},
        {"direction", TREE_SCALAR, false}, {"why", TREE_SCALAR, true}, {"unless_up", TREE_LIST, false},
        {"unless_down", TREE_LIST, false},
    };
    struct rule entry = {0};
    enum opshift_status status = tree_expect_keys(&loader->place, map, keys, COUNT(keys), "an entry");
    const struct tree *op, *ops;

    if (status == OPSHIFT_OK)
        status = loader_read_domain(loader, map, &entry.domain);
    if (status == OPSHIFT_OK)
        status = read_direction(loader, map, &entry);
    if (status == OPSHIFT_OK)
        status = read_unless(loader, map, &entry, DIRECTION_UP);
    if (status == OPSHIFT_OK)
        status = read_unless(loader, map, &entry, DIRECTION_DOWN);
    if (status)
        return status;
    op = tree_find(map, "op");
    ops = tree_find(map, "ops");
    if ((op == NULL) == (ops == NULL))
        return FAIL(loader, map, "an entry needs either the key 'op' or the key 'ops'");
    for (int direction = DIRECTION_UP; direction <= DIRECTION_DOWN; direction++)
        if (entry.has[direction])
            entry.why[direction] = tree_find(map, "why")->text;
    if (op != NULL)
        return add_compatible(loader, op, &entry);
    for (op = ops->first; status == OPSHIFT_OK && op != NULL; op = op->next)
        status = add_compatible(loader, op, &entry);
    return status;
}

enum opshift_status compatibles_read(struct loader *loader, const struct tree *list)
{
    enum opshift_status status = OPSHIFT_OK;

    if (list->kind != TREE_LIST)
        return FAIL(loader, list, "expected a list of compatible operators, found %s", tree_kind_name(list->kind));
    for (const struct tree *entry = list->first; status == OPSHIFT_OK && entry != NULL; entry = entry->next)
        status = read_entry(loader, entry);
    return status;
}
