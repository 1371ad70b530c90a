/* Functions shared by the readers of rule files. */
#include "rule/loader.h"
#include "schema/schema.h"

#include <string.h>

bool words_have(const char *const *names, const char *name)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static const char *text_or(const struct tree *map, const char *key, const char *otherwise)
{
    const struct tree *value = tree_find(map, key);

    return value == NULL ? otherwise : value->text;
}

/* Rules for known domains end at the newest known opset; other domains have their own versions. */
enum opshift_status loader_read_domain(struct loader *loader, const struct tree *map, const char **domain)
{
    *domain = text_or(map, "domain", "");
    if (strcmp(*domain, "ai.onnx") == 0)
        *domain = "";
    if (loader->opset > schema_newest(*domain))
        return FAIL(loader, map, "%s has no opset %d; the newest is %d", **domain ? *domain : "ai.onnx",
                    (int)loader->opset, (int)schema_newest(*domain));
    return OPSHIFT_OK;
}

void *loader_alloc(struct loader *loader, size_t count, size_t size)
{
    void *memory = arena_alloc(loader->set->arena, count, size);

    if (memory == NULL)
        opshift_no_memory(loader->place.error);
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
        enum opshift_status status = tree_expect_kind(&loader->place, item, TREE_SCALAR, what);

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
