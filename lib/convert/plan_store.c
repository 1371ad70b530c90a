/* Keeps what was planned for nodes, and answers plan_find. */
#include "convert/plan_store.h"

#include <stdlib.h>
#include <string.h>

#include "wire/wire.h"

struct conversion_plan *plan_open(struct opshift_model *model)
{
    struct arena *arena = arena_new(0);
    struct conversion_plan *plan = arena ? arena_alloc(arena, 1, sizeof(*plan)) : NULL;
    if (plan) {
        plan->model = model;
        plan->arena = arena;
        plan->graphs = arena_alloc(arena, model->graph_count, sizeof(*plan->graphs));
    }
    if (plan && plan->graphs)
        return plan;
    arena_free(arena);
    return NULL;
}

void plan_free(struct conversion_plan *plan)
{
    if (plan == NULL)
        return;
    for (uint32_t i = 0; i < plan->model->graph_count; i++)
        free(plan->graphs[i].entries);
    buffer_free(&plan->records);
    buffer_free(&plan->constants);
    buffer_free(&plan->added);
    arena_free(plan->arena);
}

uint32_t plan_blocker_count(const struct conversion_plan *plan)
{
    return plan->blocker_count;
}

/* ---- filled ----------------------------------------------------------------------------------------------------- */

struct plan_entry *plan_entry_add(struct conversion_plan *plan, const struct graph *graph, const struct node *node)
{
    struct plan_graph *kept = &plan->graphs[graph->number];
    uint32_t index = (uint32_t)(node - graph->nodes);
    if (kept->count > 0 && kept->entries[kept->count - 1].node == index)
        return &kept->entries[kept->count - 1];
    if (kept->count == kept->room) {
        uint32_t room = kept->room ? kept->room * 2 : 8;
        struct plan_entry *grown = realloc(kept->entries, room * sizeof(*grown));
        if (grown == NULL)
            return NULL;
        kept->entries = grown;
        kept->room = room;
    }
    struct plan_entry *entry = &kept->entries[kept->count++];
    *entry = (struct plan_entry){.node = index};
    return entry;
}

struct plan_words *plan_words_of(struct conversion_plan *plan, struct plan_entry *entry)
{
    if (entry->words == NULL)
        entry->words = arena_alloc(plan->arena, 1, sizeof(*entry->words));
    return entry->words;
}

bool plan_text_add(struct conversion_plan *plan, struct plan_text **texts, const char *words)
{
    struct plan_text *text = arena_alloc(plan->arena, 1, sizeof(*text));
    const char *copy = text ? arena_copy(plan->arena, words, strlen(words)) : NULL;
    if (copy == NULL)
        return false;
    *text = (struct plan_text){*texts, copy};
    *texts = text;
    return true;
}

static bool same_files(const struct plan_origin *origin, const char *const *files, size_t count)
{
    for (size_t i = 0; origin->count == count && i < count; i++)
        if (strcmp(origin->files[i], files[i]) != 0)
            return false;
    return origin->count == count;
}

const struct plan_origin *plan_origin_find(struct conversion_plan *plan, const char *const *files, size_t count)
{
    for (const struct plan_origin *origin = plan->origins; origin; origin = origin->next)
        if (same_files(origin, files, count))
            return origin;
    struct plan_origin *origin = arena_alloc(plan->arena, 1, sizeof(*origin));
    const char **copy = arena_alloc(plan->arena, count, sizeof(*copy));
    if (origin == NULL || copy == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if ((copy[i] = arena_copy(plan->arena, files[i], strlen(files[i]))) == NULL)
            return NULL;
    *origin = (struct plan_origin){plan->origins, copy, count};
    plan->origins = origin;
    return origin;
}

const struct plan_constant *plan_constant_add(struct conversion_plan *plan, const struct plan_constant *constant)
{
    struct plan_constant *kept = arena_copy(plan->arena, constant, sizeof(*constant));
    struct tensor *copy = NULL;
    if (kept == NULL || tensor_copy(plan->arena, constant->tensor, &copy, NULL))
        return NULL;
    kept->tensor = copy;
    buffer_add(&plan->added, &kept, sizeof(kept));
    return plan->added.failed ? NULL : kept;
}

bool plan_entry_reads(struct conversion_plan *plan, struct plan_entry *entry, const struct plan_constant *constant)
{
    if (entry->constant_count == 0)
        entry->constants = (uint32_t)(plan->constants.size / sizeof(constant));
    entry->constant_count++;
    buffer_add(&plan->constants, &constant, sizeof(constant));
    return !plan->constants.failed;
}

static int by_node(const void *a, const void *b)
{
    const struct plan_entry *one = a, *other = b;
    return one->node < other->node ? -1 : one->node > other->node;
}

static int by_name(const void *a, const void *b)
{
    const struct plan_constant *const *one = a, *const *other = b;
    return (*one)->name < (*other)->name ? -1 : (*one)->name > (*other)->name;
}

void plan_sort(struct conversion_plan *plan)
{
    for (uint32_t i = 0; i < plan->model->graph_count; i++)
        if (plan->graphs[i].count > 1)
            qsort(plan->graphs[i].entries, plan->graphs[i].count, sizeof(*plan->graphs[i].entries), by_node);
    if (plan->added.size)
        qsort(plan->added.data, plan->added.size / sizeof(struct plan_constant *), sizeof(struct plan_constant *),
              by_name);
}

/* ---- asked ------------------------------------------------------------------------------------------------------ */

static const struct plan_constant *constant_at(const struct buffer *addresses, size_t index)
{
    const struct plan_constant *constant;
    memcpy(&constant, addresses->data + index * sizeof(constant), sizeof(constant));
    return constant;
}

const struct plan_constant *plan_constant_find(const struct conversion_plan *plan, name_id name)
{
    size_t low = 0, high = plan->added.size / sizeof(struct plan_constant *);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct plan_constant *constant = constant_at(&plan->added, middle);
        if (constant->name == name)
            return constant;
        if (constant->name < name)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* In the order in which they were said. NULL: no memory. */
static const char *const *texts_list(const struct plan_text *texts, struct arena *arena, size_t *count)
{
    *count = 0;
    for (const struct plan_text *text = texts; text; text = text->next)
        ++*count;
    const char **list = arena_alloc(arena, *count, sizeof(*list));
    size_t at = *count;
    for (const struct plan_text *text = texts; list && text; text = text->next)
        list[--at] = text->words;
    return list;
}

/* The payload of the record at `at`; *at: behind it. */
static struct bytes record_next(const uint8_t **at)
{
    size_t size = 0;
    unsigned shift = 0;
    const uint8_t *byte = *at + 1; /* tags of nodes are one byte */
    do {
        size |= (size_t)(*byte & 0x7f) << shift;
        shift += 7;
    } while (*byte++ & 0x80);
    *at = byte + size;
    return (struct bytes){byte, size};
}

static enum opshift_status find_records(const struct conversion_plan *plan, const struct plan_entry *entry,
                                        struct arena *arena, struct planned_node *found, struct opshift_error *error)
{
    struct bytes *records = arena_alloc(arena, entry->record_count, sizeof(*records));
    const struct plan_constant **constants = arena_alloc(arena, entry->constant_count, sizeof(struct plan_constant *));
    if (records == NULL || constants == NULL)
        return opshift_no_memory(error);
    const uint8_t *at = plan->records.data + entry->records;
    for (uint32_t i = 0; i < entry->record_count; i++)
        records[i] = record_next(&at);
    for (uint32_t i = 0; i < entry->constant_count; i++)
        constants[i] = constant_at(&plan->constants, entry->constants + (size_t)i);
    found->records = records;
    found->record_count = entry->record_count;
    found->constants = constants;
    found->constant_count = entry->constant_count;
    return OPSHIFT_OK;
}

enum opshift_status plan_find(const struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                              struct arena *arena, struct planned_node *found, struct opshift_error *error)
{
    const struct plan_graph *kept = &plan->graphs[graph->number];
    const struct plan_entry key = {.node = (uint32_t)(node - graph->nodes)};
    const struct plan_entry *entry =
        kept->count ? bsearch(&key, kept->entries, kept->count, sizeof(key), by_node) : NULL;
    *found = (struct planned_node){.fate = NODE_KEPT};
    if (entry == NULL)
        return OPSHIFT_OK;
    found->fate = entry->fate;
    if (entry->origin) {
        found->rules = entry->origin->files;
        found->rule_count = entry->origin->count;
    }
    if (entry->words) {
        found->why = entry->words->why;
        found->from = entry->words->from;
        found->to = entry->words->to;
        found->assumptions = texts_list(entry->words->assumptions, arena, &found->assumption_count);
        found->notes = texts_list(entry->words->notes, arena, &found->note_count);
        if (found->assumptions == NULL || found->notes == NULL)
            return opshift_no_memory(error);
    }
    return find_records(plan, entry, arena, found, error);
}
