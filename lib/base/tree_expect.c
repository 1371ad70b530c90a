/* Checks of the maps, lists and scalars of a YAML file, shared by rules, target profiles and configurations. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/nearest.h"
#include "base/tree.h"

enum opshift_status tree_expect_kind(const struct tree_place *place, const struct tree *value, enum tree_kind kind,
                                     const char *what)
{
    if (value->kind == kind)
        return OPSHIFT_OK;
    return TREE_FAIL(place, value, "%s: expected %s, found %s", what, tree_kind_name(kind),
                     tree_kind_name(value->kind));
}

enum opshift_status tree_expect_text(const struct tree_place *place, const struct tree *value, const char *what)
{
    enum opshift_status status = tree_expect_kind(place, value, TREE_SCALAR, what);
    if (status == OPSHIFT_OK && *value->text == '\0')
        return TREE_FAIL(place, value, "%s: expected text, found nothing", what);
    return status;
}

/* Fails (USAGE) with the message for an unknown key. */
static enum opshift_status fail_key(const struct tree_place *place, const struct tree *value,
                                    const struct tree_key *keys, size_t count)
{
    struct nearest nearest;
    struct buffer list = {0};
    nearest_begin(&nearest, value->key);
    for (size_t i = 0; i < count; i++) {
        nearest_offer(&nearest, keys[i].name);
        buffer_print(&list, "%s%s", i == 0 ? "" : ", ", keys[i].name);
    }
    char *text = buffer_take(&list);
    if (text == NULL)
        return opshift_no_memory(place->error);
    enum opshift_status status =
        nearest.best
            ? TREE_FAIL_KEY(place, value, "there is no key '%.64s'; did you mean '%s'?", value->key, nearest.best)
            : TREE_FAIL_KEY(place, value, "there is no key '%.64s'; the keys here are %s", value->key, text);
    free(text);
    return status;
}

const struct tree_key *tree_key_find(const struct tree_key *keys, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

enum opshift_status tree_expect_keys(const struct tree_place *place, const struct tree *map,
                                     const struct tree_key *keys, size_t count, const char *what)
{
    if (map->kind != TREE_MAP)
        return TREE_FAIL(place, map, "expected %s (a map), found %s", what, tree_kind_name(map->kind));
    for (const struct tree *value = map->first; value != NULL; value = value->next) {
        const struct tree_key *key = tree_key_find(keys, count, value->key);
        if (key == NULL)
            return fail_key(place, value, keys, count);
        enum opshift_status status = key->kind == TREE_ANY      ? OPSHIFT_OK
                                     : key->kind == TREE_SCALAR ? tree_expect_text(place, value, key->name)
                                                                : tree_expect_kind(place, value, key->kind, key->name);
        if (status)
            return status;
    }
    for (size_t i = 0; i < count; i++)
        if (keys[i].required && tree_find(map, keys[i].name) == NULL)
            return TREE_FAIL(place, map, "%s needs the key '%s'", what, keys[i].name);
    return OPSHIFT_OK;
}
