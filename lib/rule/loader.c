/* Functions shared by the readers of rule files. */
#include "rule/loader.h"
#include "base/list.h"
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

        if (status)
            return status;
        copy[count++] = item->text;
    }
    *texts = copy;
    return OPSHIFT_OK;
}

struct rule *loader_add(struct loader *loader, const struct tree *op)
{
    struct rule_set *set = loader->set;

    if (!arena_list_grow(set->arena, &set->rules, set->rule_count, &set->rule_room, sizeof(*set->rules))) {
        opshift_no_memory(loader->place.error);
        return NULL;
    }
    set->rules[set->rule_count] = (struct rule){.file = loader->place.file,
                                                .opset = loader->opset,
                                                .op_type = op->text,
                                                .line = op->line,
                                                .column = op->column};
    return &set->rules[set->rule_count++];
}
