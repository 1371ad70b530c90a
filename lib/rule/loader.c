/* What every map, list and scalar of a rule file must be, and the messages where it is not. */
#include "rule/loader.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

bool text_ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), end_size = strlen(end);

    return size >= end_size && strcmp(text + size - end_size, end) == 0;
}

bool words_have(const char *const *names, const char *name)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

enum opshift_status loader_expect_kind(struct loader *loader, const struct tree *value, enum tree_kind kind,
                                       const char *what)
{
    if (value->kind == kind)
        return OPSHIFT_OK;
    return FAIL(loader, value, "%s: expected %s, found %s", what, tree_kind_name(kind), tree_kind_name(value->kind));
}

enum opshift_status loader_expect_text(struct loader *loader, const struct tree *value, const char *what)
{
    enum opshift_status status = loader_expect_kind(loader, value, TREE_SCALAR, what);

    if (status == OPSHIFT_OK && *value->text == '\0')
        return FAIL(loader, value, "%s: expected text, found nothing", what);
    return status;
}

static const struct key *key_find(const struct key *keys, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

static enum opshift_status fail_unknown_key(struct loader *loader, const struct tree *value, const struct key *keys,
                                            size_t count)
{
    struct buffer list = {0};
    enum opshift_status status;
    char *text;

    for (size_t i = 0; i < count; i++)
        buffer_print(&list, "%s%s", i == 0 ? "" : ", ", keys[i].name);
    text = buffer_take(&list);
    status = text == NULL ? opshift_no_memory(loader->error)
                          : FAIL_KEY(loader, value, "unknown key '%s'; the keys here are %s", value->key, text);
    free(text);
    return status;
}

enum opshift_status loader_expect_keys(struct loader *loader, const struct tree *map, const struct key *keys,
                                       size_t count, const char *what)
{
    if (map->kind != TREE_MAP)
        return FAIL(loader, map, "expected %s (a map), found %s", what, tree_kind_name(map->kind));
    for (const struct tree *value = map->first; value != NULL; value = value->next) {
        const struct key *key = key_find(keys, count, value->key);
        enum opshift_status status;

        if (key == NULL)
            return fail_unknown_key(loader, value, keys, count);
        status = key->kind == TREE_SCALAR ? loader_expect_text(loader, value, key->name)
                                          : loader_expect_kind(loader, value, key->kind, key->name);
        if (status != OPSHIFT_OK)
            return status;
    }
    for (size_t i = 0; i < count; i++)
        if (keys[i].required && tree_find(map, keys[i].name) == NULL)
            return FAIL(loader, map, "%s needs the key '%s'", what, keys[i].name);
    return OPSHIFT_OK;
}

static const char *text_or(const struct tree *map, const char *key, const char *otherwise)
{
    const struct tree *value = tree_find(map, key);

    return value == NULL ? otherwise : value->text;
}

/* Rules for ai.onnx end at the newest opset we know; other domains count for themselves. */
enum opshift_status loader_read_domain(struct loader *loader, const struct tree *map, const char **domain)
{
    *domain = text_or(map, "domain", "");
    if (strcmp(*domain, "ai.onnx") == 0)
        *domain = "";
    if (**domain == '\0' && loader->opset > OPSHIFT_OPSET_NEWEST)
        return FAIL(loader, map, "ai.onnx has no opset %d; the newest is %d", (int)loader->opset, OPSHIFT_OPSET_NEWEST);
    return OPSHIFT_OK;
}

void *loader_alloc(struct loader *loader, size_t count, size_t size)
{
    void *memory = arena_alloc(loader->set->arena, count, size);

    if (memory == NULL)
        opshift_no_memory(loader->error);
    return memory;
}

enum opshift_status loader_read_texts(struct loader *loader, const struct tree *list, const char *what,
                                      const char *const **texts)
{
    const char **copy = loader_alloc(loader, list->count + 1, sizeof(*copy));
    size_t count = 0;

    if (copy == NULL)
        return OPSHIFT_MEMORY;
    for (const struct tree *item = list->first; item != NULL; item = item->next) {
        enum opshift_status status = loader_expect_kind(loader, item, TREE_SCALAR, what);

        if (status != OPSHIFT_OK)
            return status;
        copy[count++] = item->text;
    }
    *texts = copy;
    return OPSHIFT_OK;
}

void *loader_grow(struct loader *loader, void *array, uint32_t count, uint32_t *room, size_t size)
{
    uint32_t wanted = *room == 0 ? 16 : *room * 2;
    void *grown;

    if (count < *room)
        return array;
    grown = loader_alloc(loader, wanted, size);
    if (grown == NULL)
        return NULL;
    if (count > 0)
        memcpy(grown, array, count * size);
    *room = wanted;
    return grown;
}
