/* Stores the fates of nodes; plan_find reads them. */
#include "convert/plan_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/draft_record.h"
#include "wire/wire.h"

#define SHOWN_MOST 120u /* bytes of a value's name in an assumption */
#define TYPES_MOST 3    /* types listed in an assumption */

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

static size_t chunk_count(const struct conversion_plan *plan)
{
    return plan->chunks.size / sizeof(struct plan_entry *);
}

static struct plan_entry *chunk_at(const struct conversion_plan *plan, size_t index)
{
    struct plan_entry *chunk;
    memcpy(&chunk, plan->chunks.data + index * sizeof(chunk), sizeof(chunk));
    return chunk;
}

void plan_free(struct conversion_plan *plan)
{
    if (plan == NULL)
        return;
    for (uint32_t i = 0; i < plan->model->graph_count; i++)
        free(plan->graphs[i]);
    for (size_t i = 0; i < chunk_count(plan); i++)
        free(chunk_at(plan, i));
    json_decref(plan->options);
    buffer_free(&plan->chunks);
    buffer_free(&plan->bytes);
    buffer_free(&plan->changes);
    buffer_free(&plan->added);
    buffer_free(&plan->by_name);
    buffer_free(&plan->removals);
    if (plan->first)
        opshift_model_free(plan->model);
    arena_free(plan->cases_arena);
    arena_free(plan->arena);
}

struct opshift_model *plan_model(const struct conversion_plan *plan)
{
    return plan->first ? plan->first : plan->model;
}

const struct graph *plan_graph_find(const struct conversion_plan *plan, const struct graph *graph, uint32_t at)
{
    const struct opshift_model *model = plan->model;
    if (plan->first == NULL || graph->function == NULL || model->graphs[graph->number] == graph)
        return at > 0 ? NULL : plan->first ? model->graphs[graph->number] : graph;
    uint32_t origin = (uint32_t)(graph->function - plan->first->functions);
    for (uint32_t i = 0; i < model->function_count; i++)
        if (plan->origin[i] == origin && at-- == 0)
            return model->graphs[model->functions[i].body->number + graph->number - graph->function->body->number];
    return NULL;
}

uint32_t plan_blocker_count(const struct conversion_plan *plan)
{
    return plan->blocker_count;
}

void plan_count_replaced(const struct conversion_plan *plan, uint32_t counts[REPLACEMENT_KINDS])
{
    memset(counts, 0, REPLACEMENT_KINDS * sizeof(*counts));
    for (uint32_t i = 0; i < plan->entry_count; i++) {
        const struct plan_entry *entry = &chunk_at(plan, i / PLAN_CHUNK)[i % PLAN_CHUNK];
        if (entry->fate == OPSHIFT_REWRITTEN && entry->replaced)
            counts[entry->replaced_as]++;
    }
}

/* ---- filling ----------------------------------------------------------------------------------------------------- */

struct plan_entry *plan_entry_find(const struct conversion_plan *plan, const struct graph *graph,
                                   const struct node *node)
{
    const uint32_t *entries = plan->graphs[graph->number];
    uint32_t number = entries ? entries[node - graph->nodes] : 0;
    return number ? &chunk_at(plan, (number - 1) / PLAN_CHUNK)[(number - 1) % PLAN_CHUNK] : NULL;
}

bool plan_walk_next(const struct conversion_plan *plan, struct plan_walk *walk)
{
    const struct opshift_model *model = plan->model;
    for (; walk->graph_at < model->graph_count; walk->graph_at++, walk->node_at = 0) {
        walk->graph = model->graphs[walk->graph_at];
        while (plan->graphs[walk->graph_at] && walk->node_at < walk->graph->node_count) {
            walk->node = &walk->graph->nodes[walk->node_at++];
            walk->entry = plan_entry_find(plan, walk->graph, walk->node);
            if (walk->entry)
                return true;
        }
    }
    return false;
}

struct plan_entry *plan_entry_add(struct conversion_plan *plan, const struct graph *graph, const struct node *node)
{
    uint32_t **entries = &plan->graphs[graph->number];
    struct plan_entry *known = plan_entry_find(plan, graph, node);
    if (known)
        return known;
    if (*entries == NULL && (*entries = calloc(graph->node_count, sizeof(**entries))) == NULL)
        return NULL;
    if (plan->entry_count % PLAN_CHUNK == 0) {
        if (!buffer_reserve(&plan->chunks, sizeof(struct plan_entry *)))
            return NULL;
        struct plan_entry *chunk = calloc(PLAN_CHUNK, sizeof(*chunk));
        if (chunk == NULL)
            return NULL;
        buffer_add(&plan->chunks, &chunk, sizeof(chunk));
    }
    (*entries)[node - graph->nodes] = ++plan->entry_count;
    return plan_entry_find(plan, graph, node);
}

struct plan_words *plan_words_of(struct conversion_plan *plan, struct plan_entry *entry)
{
    if (entry && entry->words == NULL)
        entry->words = arena_alloc(plan->arena, 1, sizeof(*entry->words));
    return entry ? entry->words : NULL;
}

static bool same_files(const struct plan_origin *origin, const char *const *files, size_t count)
{
    for (size_t i = 0; origin->count == count && i < count; i++)
        if (strcmp(origin->files[i], files[i]) != 0)
            return false;
    return origin->count == count;
}

uint32_t plan_origin_find(struct conversion_plan *plan, const char *const *files, size_t count)
{
    for (const struct plan_origin *origin = plan->origins; origin; origin = origin->next)
        if (same_files(origin, files, count))
            return origin->number;
    uint32_t number = plan->origins ? plan->origins->number + 1 : 1;
    struct plan_origin *origin = number >> ORIGIN_BITS ? NULL : arena_alloc(plan->arena, 1, sizeof(*origin));
    const char **copy = arena_alloc(plan->arena, count, sizeof(*copy));
    if (origin == NULL || copy == NULL)
        return 0;
    for (size_t i = 0; i < count; i++)
        if ((copy[i] = arena_copy(plan->arena, files[i], strlen(files[i]))) == NULL)
            return 0;
    *origin = (struct plan_origin){plan->origins, copy, count, number};
    plan->origins = origin;
    return origin->number;
}

const struct plan_origin *plan_origin_of(const struct conversion_plan *plan, const struct plan_entry *entry)
{
    const struct plan_origin *origin = entry->origin ? plan->origins : NULL;
    while (origin && origin->number != entry->origin)
        origin = origin->next;
    return origin;
}

const struct plan_added *plan_constant_add(struct conversion_plan *plan, const struct plan_constant *constant,
                                           size_t place)
{
    struct plan_added *added = arena_alloc(plan->arena, 1, sizeof(*added));
    struct tensor *copy = NULL;
    if (plan->constants == NULL)
        plan->constants = arena_alloc(plan->arena, plan->model->graph_count, sizeof(*plan->constants));
    if (added == NULL || plan->constants == NULL || plan->bytes.failed ||
        tensor_copy(plan->arena, constant->tensor, &copy, NULL))
        return NULL;
    *added = (struct plan_added){*constant, place, plan->bytes.size - place, NULL};
    added->constant.tensor = copy;
    struct plan_constants *list = &plan->constants[constant->graph->number];
    if (list->last)
        list->last->next = added;
    else
        list->first = added;
    list->last = added;
    buffer_add(&plan->added, &added, sizeof(added));
    plan->added_count++;
    return plan->added.failed ? NULL : added;
}

enum opshift_status plan_remove_node(struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                                     struct opshift_error *error)
{
    struct plan_entry *entry = plan_entry_add(plan, graph, node);
    if (entry == NULL)
        return opshift_no_memory(error);
    entry->fate = OPSHIFT_REMOVED;
    return OPSHIFT_OK;
}

enum opshift_status plan_remove_records(struct conversion_plan *plan, struct graph *graph, uint64_t from,
                                        uint64_t until, struct opshift_error *error)
{
    struct plan_removal removal = {graph, from, until};
    buffer_add(&plan->removals, &removal, sizeof(removal));
    return plan->removals.failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* The number of stored reasons is limited as in lint: tiny nodes must not use a thousand times their size here. */
enum opshift_status plan_block(struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                               int64_t from, int64_t to, const char *why, struct opshift_error *error)
{
    struct plan_entry *entry = plan_entry_add(plan, graph, node);
    if (entry == NULL)
        return opshift_no_memory(error);
    plan->blocker_count += entry->fate != OPSHIFT_BLOCKED;
    entry->fate = OPSHIFT_BLOCKED;
    if (plan->blocker_words >= plan->model->limits.findings)
        return OPSHIFT_OK;
    struct plan_words *words = plan_words_of(plan, entry);
    if (words == NULL || (words->why = arena_copy(plan->arena, why, strlen(why))) == NULL)
        return opshift_no_memory(error);
    words->from = from;
    words->to = to;
    plan->blocker_words++;
    return OPSHIFT_OK;
}

enum opshift_status plan_describe(struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                                  const char *became, struct opshift_error *error)
{
    struct plan_words *words = plan_words_of(plan, plan_entry_add(plan, graph, node));
    if (words == NULL || (words->became = arena_copy(plan->arena, became, strlen(became))) == NULL)
        return opshift_no_memory(error);
    return OPSHIFT_OK;
}

enum opshift_status plan_note(struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                              const char *text, struct opshift_error *error)
{
    struct plan_words *words = plan_words_of(plan, plan_entry_add(plan, graph, node));
    struct plan_text *note = words ? arena_alloc(plan->arena, 1, sizeof(*note)) : NULL;
    const char *copy = note ? arena_copy(plan->arena, text, strlen(text)) : NULL;
    if (copy == NULL)
        return opshift_no_memory(error);
    *note = (struct plan_text){words->notes, copy};
    words->notes = note;
    return OPSHIFT_OK;
}

enum opshift_status plan_assume(struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                                const struct plan_assumption *assumption, struct opshift_error *error)
{
    struct plan_words *words = plan_words_of(plan, plan_entry_add(plan, graph, node));
    for (const struct plan_assumption *known = words ? words->assumptions : NULL; known; known = known->next)
        if (known->kind == assumption->kind && known->value == assumption->value && known->lost == assumption->lost &&
            (known->words == NULL || strcmp(known->words, assumption->words) == 0))
            return OPSHIFT_OK;
    struct plan_assumption *kept = words ? arena_copy(plan->arena, assumption, sizeof(*assumption)) : NULL;
    if (kept == NULL)
        return opshift_no_memory(error);
    kept->next = words->assumptions;
    words->assumptions = kept;
    plan->assumption_count++;
    return OPSHIFT_OK;
}

bool plan_assumes_meaning(const struct conversion_plan *plan, const struct graph *graph, const struct node *node)
{
    const struct plan_entry *entry = plan_entry_find(plan, graph, node);
    for (const struct plan_assumption *one = entry && entry->words ? entry->words->assumptions : NULL; one;
         one = one->next)
        if (one->kind == ASSUMED_MEANING)
            return true;
    return false;
}

static int by_name(const void *a, const void *b)
{
    const struct plan_added *const *one = a, *const *other = b;
    name_id left = (*one)->constant.name, right = (*other)->constant.name;
    return left < right ? -1 : left > right;
}

static int by_place(const void *a, const void *b)
{
    const struct plan_removal *one = a, *other = b;
    return one->from < other->from ? -1 : one->from > other->from;
}

/* Removals usually come in the order of the file, and qsort takes as much memory as they do. */
static void removals_sort(struct plan_removal *removals, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (by_place(&removals[i - 1], &removals[i]) > 0) {
            qsort(removals, count, sizeof(*removals), by_place);
            return;
        }
}

enum opshift_status plan_sort(struct conversion_plan *plan, struct opshift_error *error)
{
    struct buffer *names = &plan->by_name;
    buffer_add(names, plan->added.data, plan->added.size);
    if (names->failed)
        return opshift_no_memory(error);
    if (names->size)
        qsort(names->data, names->size / sizeof(struct plan_added *), sizeof(struct plan_added *), by_name);
    removals_sort((struct plan_removal *)(void *)plan->removals.data,
                  plan->removals.size / sizeof(struct plan_removal));
    return OPSHIFT_OK;
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

const struct plan_constant *plan_constant_find(const struct conversion_plan *plan, name_id name)
{
    struct plan_added key = {.constant = {.name = name}}, *wanted = &key;
    const struct plan_added *const *found = NULL;
    if (plan->by_name.size)
        found = bsearch(&wanted, plan->by_name.data, plan->by_name.size / sizeof(wanted), sizeof(wanted), by_name);
    return found ? &(*found)->constant : NULL;
}

/* "bfloat16", "float16 or bfloat16"; false: too many types, or others besides. */
static bool print_types(uint64_t lost, char *text, size_t size)
{
    size_t at = 0;
    int count = 0;
    for (int type = 0; type < 64; type++)
        count += lost >> type & 1;
    if (count == 0 || count > TYPES_MOST)
        return false;
    for (int type = 0, left = count; type < 64; type++)
        if (lost >> type & 1) {
            const char *name = type_name((enum opshift_type)type), *before = left == count ? ""
                                                                             : left > 1    ? ", "
                                                                                           : " or ";
            int printed = snprintf(text + at, size - at, "%s%s", before, name ? name : "another type");
            at = printed > 0 && (size_t)printed < size - at ? at + (size_t)printed : at;
            left--;
        }
    return true;
}

/* "type of 'x' is not bfloat16". NULL: no memory. */
static const char *assumption_words(const struct conversion_plan *plan, const struct plan_assumption *assumption,
                                    struct arena *arena)
{
    char types[128];
    if (assumption->kind != ASSUMED_TYPE)
        return assumption->words;
    const char *value = names_text(plan->model->names, assumption->value);
    if (print_types(assumption->lost, types, sizeof(types)))
        return arena_print(arena, "type of '%.*s' is not %s", (int)SHOWN_MOST, value, types);
    return arena_print(arena, "type of '%.*s' is one that %s-%u takes", (int)SHOWN_MOST, value,
                       assumption->target->op_type, assumption->target->since);
}

enum opshift_status plan_words_find(const struct conversion_plan *plan, const struct plan_words *words,
                                    struct arena *arena, struct planned_node *found, struct opshift_error *error)
{
    found->why = words->why;
    found->from = words->from;
    found->to = words->to;
    for (const struct plan_text *note = words->notes; note; note = note->next)
        found->note_count++;
    for (const struct plan_assumption *one = words->assumptions; one; one = one->next) {
        found->assumption_count++;
        found->is_conditional |= one->kind == ASSUMED_CONDITION;
    }
    const char **notes = arena_alloc(arena, found->note_count, sizeof(*notes));
    const char **assumptions = arena_alloc(arena, found->assumption_count, sizeof(*assumptions));
    if (notes == NULL || assumptions == NULL)
        return opshift_no_memory(error);
    size_t at = found->note_count;
    for (const struct plan_text *note = words->notes; note; note = note->next)
        notes[--at] = note->words;
    at = found->assumption_count;
    for (const struct plan_assumption *one = words->assumptions; one; one = one->next)
        if ((assumptions[--at] = assumption_words(plan, one, arena)) == NULL)
            return opshift_no_memory(error);
    found->notes = notes;
    found->assumptions = assumptions;
    return OPSHIFT_OK;
}

struct bytes plan_record_next(const uint8_t **at)
{
    size_t size = 0;
    unsigned shift = 0;
    const uint8_t *byte = *at + 1; /* the tag of a node, and of an initializer, is one byte */
    do {
        size |= (size_t)(*byte & 0x7f) << shift;
        shift += 7;
    } while (*byte++ & 0x80);
    *at = byte + size;
    return (struct bytes){byte, size};
}

/* The node's own record, where the plan has only its changes. */
static enum opshift_status find_inside(const struct conversion_plan *plan, const struct plan_entry *entry,
                                       const struct node *node, struct arena *arena, struct bytes *record,
                                       struct opshift_error *error)
{
    struct buffer out = {0};
    const struct plan_change *changes = (const struct plan_change *)(const void *)plan->changes.data;
    uint32_t count = entry->words->change_count;
    enum opshift_status status =
        record_compose(plan->model, node->range, count ? changes + entry->words->changes : NULL, count,
                       plan->bytes.data, true, &out, error);
    *record = (struct bytes){status ? NULL : arena_copy(arena, out.data, out.size), out.size};
    buffer_free(&out);
    return status || record->data ? status : opshift_no_memory(error);
}

static enum opshift_status find_records(const struct conversion_plan *plan, const struct plan_entry *entry,
                                        const struct node *node, struct arena *arena, struct planned_node *found,
                                        struct opshift_error *error)
{
    const uint8_t *start = plan->bytes.data + entry->records, *end = start + entry->size;
    for (const uint8_t *at = start; at != end; found->record_count++)
        plan_record_next(&at);
    struct bytes *records = arena_alloc(arena, found->record_count + entry->inside, sizeof(*records));
    if (records == NULL)
        return opshift_no_memory(error);
    const uint8_t *at = start;
    for (size_t i = 0; i < found->record_count; i++)
        records[i] = plan_record_next(&at);
    found->records = records;
    return entry->inside ? find_inside(plan, entry, node, arena, &records[found->record_count++], error) : OPSHIFT_OK;
}

enum opshift_status plan_find_words(const struct conversion_plan *plan, const struct graph *graph,
                                    const struct node *node, struct arena *arena, struct planned_node *found,
                                    struct opshift_error *error)
{
    const struct plan_entry *entry = plan_entry_find(plan, graph, node);
    *found = (struct planned_node){.fate = entry ? entry->fate : OPSHIFT_KEPT};
    return entry && entry->words ? plan_words_find(plan, entry->words, arena, found, error) : OPSHIFT_OK;
}

enum opshift_status plan_find(const struct conversion_plan *plan, const struct graph *graph, const struct node *node,
                              struct arena *arena, struct planned_node *found, struct opshift_error *error)
{
    const struct plan_entry *entry = plan_entry_find(plan, graph, node);
    enum opshift_status status = plan_find_words(plan, graph, node, arena, found, error);
    const struct plan_origin *origin = entry ? plan_origin_of(plan, entry) : NULL;
    if (status == OPSHIFT_OK && origin) {
        found->rules = origin->files;
        found->rule_count = origin->count;
    }
    if (entry && entry->replaced) {
        found->is_replaced = true;
        found->replaced_as = entry->replaced_as;
    }
    if (status == OPSHIFT_OK && entry && entry->fate == OPSHIFT_REWRITTEN)
        status = find_records(plan, entry, node, arena, found, error);
    return status;
}
