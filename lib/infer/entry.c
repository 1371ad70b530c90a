/* The table of values whose types were asked for, and the value infos that speak of them. */
#include "infer/entry.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/sort.h"
#include "wire/wire.h"

#define TWINS_MAX   16u /* value infos of one name that are looked at */
#define NODES_LEAST 64u /* of a graph of which it is kept what it declares */
#define PLACES_MAX  8u  /* in which a type may be; where all are taken, one is forgotten */

/* ---- types that last ---- */

static bool type_is_same(const struct value_type *a, const struct value_type *b)
{
    if (a->type != b->type || a->rank != b->rank || a->is_tensor != b->is_tensor || !a->other != !b->other ||
        (a->other && strcmp(a->other, b->other) != 0))
        return false;
    for (int32_t i = 0; i < a->rank; i++)
        if (a->dims[i] != b->dims[i] || a->params[i] != b->params[i])
            return false;
    return true;
}

static uint64_t type_hash(const struct value_type *type)
{
    uint64_t hash = (uint64_t)type->type << 32 | (uint32_t)type->rank;
    for (int32_t i = 0; i < type->rank; i++)
        hash = (hash ^ (uint64_t)type->dims[i] ^ (uint64_t)type->params[i] << 32) * UINT64_C(0x9e3779b97f4a7c15);
    return hash >> 32;
}

/* Where the number of the same type stands, or else (*found false) is to be written. */
static uint32_t *type_place(const struct types *types, const struct value_type *type, bool *found)
{
    uint64_t hash = type_hash(type), last = (uint64_t)types->type_room * 2 - 1;
    for (uint64_t i = 0; i < PLACES_MAX; i++) {
        uint32_t *place = &types->places[(hash + i) & last];
        *found = type_is_same(types->all[*place], type);
        if (*found || *place == TYPE_UNKNOWN)
            return place;
    }
    return &types->places[hash & last];
}

/* Its dims and their names stand behind it. NULL: no memory. */
static struct value_type *type_copy(struct arena *arena, const struct value_type *type)
{
    size_t rank = type->rank > 0 ? (size_t)type->rank : 0;
    struct value_type *made =
        arena_alloc(arena, 1, sizeof(*made) + rank * (sizeof(*made->dims) + sizeof(*made->params)));
    if (made == NULL)
        return NULL;
    *made = *type;
    if (type->rank >= 0) {
        made->dims = (int64_t *)(made + 1);
        made->params = (name_id *)(made->dims + rank);
    }
    if (type->other && !(made->other = arena_copy(arena, type->other, strlen(type->other) + 1)))
        return NULL;
    for (size_t i = 0; i < rank; i++)
        dim_copy(made, i, type, i);
    return made;
}

/* Room for one more, and the unknown type in the first place. False: no memory. */
static bool types_grow(struct types *types)
{
    if (types->type_count < types->type_room)
        return true;
    bool found;
    if (types->type_count > TYPE_LAST / 2)
        return false;
    uint32_t room = types->type_room ? types->type_room * 2 : 16;
    const struct value_type **grown = realloc(types->all, room * sizeof(*grown));
    if (grown == NULL)
        return false;
    types->all = grown;
    uint32_t *places = calloc((size_t)room * 2, sizeof(*places));
    if (places == NULL)
        return false;
    free(types->places);
    types->places = places;
    types->type_room = room;
    if (types->type_count == 0)
        types->all[types->type_count++] = &type_unknown;
    for (uint32_t i = 1; i < types->type_count; i++)
        *type_place(types, types->all[i], &found) = i;
    return true;
}

uint32_t type_keep(struct types *types, const struct value_type *type)
{
    bool found;
    if (!types_grow(types))
        return TYPE_NO_MEMORY;
    uint32_t *place = type_place(types, type, &found);
    if (found)
        return *place;
    struct value_type *made = type_copy(types->arena, type);
    if (made == NULL)
        return TYPE_NO_MEMORY;
    types->all[types->type_count] = made;
    return *place = types->type_count++;
}

/* ---- entries ---- */

/* Of a name that several graphs have, or of one that is newer than the table by names. */
struct other_entry {
    struct entry entry;
    name_id name;
    uint32_t graph;
    uint32_t question;
};

static size_t other_slot(const struct types *types, uint32_t graph, name_id name)
{
    size_t slot = hash_number((uint64_t)graph << 32 | name) & (types->others_size - 1);
    while (types->others[slot] != NULL && (types->others[slot]->graph != graph || types->others[slot]->name != name))
        slot = (slot + 1) & (types->others_size - 1);
    return slot;
}

static bool others_grow(struct types *types)
{
    struct other_entry **old = types->others;
    size_t old_size = types->others_size, size = old_size ? old_size * 2 : 64;
    struct other_entry **grown = calloc(size, sizeof(*grown));
    if (grown == NULL)
        return false;
    types->others = grown;
    types->others_size = size;
    for (size_t i = 0; i < old_size; i++)
        if (old[i] != NULL)
            grown[other_slot(types, old[i]->graph, old[i]->name)] = old[i];
    free(old);
    return true;
}

/* NULL: no memory. */
static struct entry *other_add(struct types *types, uint32_t graph, name_id name)
{
    if (types->other_count >= types->others_size / 2 && !others_grow(types))
        return NULL;
    struct other_entry **other = &types->others[other_slot(types, graph, name)];
    if (*other == NULL && (*other = arena_alloc(types->arena, 1, sizeof(**other))) != NULL) {
        (*other)->name = name;
        (*other)->graph = graph;
        types->other_count++;
    }
    return *other ? &(*other)->entry : NULL;
}

/* False: no memory. */
static bool entries_ready(struct types *types)
{
    if (types->entries)
        return true;
    uint32_t count = names_count(types->model->names);
    bool asked = types->model->function_count > 0, several = types->model->graph_count > 1;
    uint32_t *questions = asked ? calloc(count, sizeof(*questions)) : NULL;
    uint32_t *graphs = several ? malloc(count * sizeof(*graphs)) : NULL;
    bool made = (questions || !asked) && (graphs || !several) && types_grow(types);
    types->entries = made ? calloc(count, sizeof(*types->entries)) : NULL;
    if (types->entries == NULL) {
        free(questions);
        free(graphs);
        return false;
    }
    types->graphs = graphs;
    types->questions = questions;
    types->name_count = count;
    return true;
}

struct entry *entry_add(struct types *types, const struct value *value)
{
    uint32_t graph = value->definition.graph->number;
    if (!entries_ready(types))
        return NULL;
    struct entry *entry = value->name < types->name_count ? &types->entries[value->name] : NULL;
    if (entry && entry->state == ENTRY_FREE && types->graphs)
        types->graphs[value->name] = graph;
    else if (entry == NULL || (types->graphs && types->graphs[value->name] != graph))
        entry = other_add(types, graph, value->name);
    if (entry && entry->state == ENTRY_FREE)
        *entry = (struct entry){.type = TYPE_UNKNOWN, .state = ENTRY_NEW};
    return entry;
}

const struct entry *entry_search(const struct types *types, const struct value *value)
{
    const struct other_entry *other = types->others[other_slot(types, value->definition.graph->number, value->name)];
    return other ? &other->entry : NULL;
}

/* Is it one of the table by names? */
static bool entry_is_named(const struct types *types, const struct entry *entry)
{
    uintptr_t first = (uintptr_t)types->entries, end = (uintptr_t)(types->entries + types->name_count);
    return (uintptr_t)entry >= first && (uintptr_t)entry < end;
}

struct graph *entry_graph(const struct types *types, const struct entry *entry)
{
    uint32_t number = 0;
    if (!entry_is_named(types, entry))
        number = ((const struct other_entry *)entry)->graph;
    else if (types->graphs)
        number = types->graphs[entry - types->entries];
    return types->model->graphs[number];
}

/* Where it is written of which question a value was worked out. */
static uint32_t *entry_question(const struct types *types, const struct entry *entry)
{
    if (entry_is_named(types, entry))
        return types->questions ? &types->questions[entry - types->entries] : NULL;
    return &((struct other_entry *)(uintptr_t)entry)->question;
}

/* ---- which value info speaks of a name ---- */

static const struct value_info *infos_of(const struct graph *graph, enum declaring list, uint32_t *count)
{
    switch (list) {
    case DECLARING_INPUTS:
        *count = graph->input_count;
        return graph->inputs;
    case DECLARING_OUTPUTS:
        *count = graph->output_count;
        return graph->outputs;
    default:
        *count = graph->value_count;
        return graph->values;
    }
}

/* By name, and those of one name as they stand. */
static int key_order(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

static bool is_sorted(const struct value_info *infos, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (infos[i - 1].name > infos[i].name)
            return false;
    return true;
}

/* False: no memory. */
static bool list_sort(struct types *types, const struct value_info *infos, uint32_t count, uint32_t **order)
{
    uint64_t *keys = malloc(count * sizeof(*keys));
    *order = keys ? arena_alloc(types->arena, count, sizeof(**order)) : NULL;
    for (uint32_t i = 0; *order && i < count; i++)
        keys[i] = (uint64_t)infos[i].name << 32 | i;
    if (*order)
        sort_items(keys, count, sizeof(*keys), key_order);
    for (uint32_t i = 0; *order && i < count; i++)
        (*order)[i] = (uint32_t)keys[i];
    free(keys);
    return *order != NULL;
}

/* The names of a list, which is not empty. */
static void span_add(struct declarations *found, const struct value_info *infos, uint32_t count, const uint32_t *order)
{
    name_id first = infos[order ? order[0] : 0].name, last = infos[order ? order[count - 1] : count - 1].name;
    found->first = found->last == NAME_NONE || first < found->first ? first : found->first;
    found->last = last > found->last ? last : found->last;
}

/* Names are numbered as they are met, so that most lists are sorted as they stand. Small graphs of this kind, of which
 * there may be many, share one. False: no memory. */
static bool graph_index_make(struct types *types, const struct graph *graph)
{
    static const struct declarations all_sorted = {.last = UINT32_MAX};
    const struct declarations **index = &types->declarations[graph->number];
    struct declarations found = {0};
    bool sorted = true;
    for (uint32_t list = 0; list < DECLARING_COUNT; list++) {
        uint32_t count;
        const struct value_info *infos = infos_of(graph, (enum declaring)list, &count);
        bool stands = is_sorted(infos, count);
        sorted = sorted && stands;
        if (!stands && !list_sort(types, infos, count, &found.order[list]))
            return false;
        if (count > 0 && list != DECLARING_INPUTS)
            span_add(&found, infos, count, found.order[list]);
    }
    bool shared = sorted && graph->node_count < NODES_LEAST;
    *index = shared ? &all_sorted : arena_copy(types->arena, &found, sizeof(found));
    return *index != NULL;
}

static inline bool graph_index(struct types *types, const struct graph *graph)
{
    return types->declarations[graph->number] != NULL || graph_index_make(types, graph);
}

struct list {
    const uint32_t *order; /* NULL: it is sorted as it stands */
    const struct value_info *infos;
    uint32_t count;
};

static inline const struct value_info *list_at(const struct list *list, uint32_t place)
{
    return &list->infos[list->order ? list->order[place] : place];
}

static bool info_says_type(struct opshift_model *model, const struct value_info *info)
{
    struct wire_cursor cursor = {model->source, range_offset(info->range), range_end(info->range)};
    struct wire_field field;
    bool found = true, says = false;
    while (!says && found && wire_next(&cursor, &field, &found, NULL) == OPSHIFT_OK)
        says = found && field.number == 2 && field.type == WIRE_BYTES && field.size > 0;
    return says;
}

/* The first place of a sorted list that has no smaller name, which the last one is not either. Searched for in growing
 * strides from `near` on, as one question after the other is about names that stand close. */
static __attribute__((noinline)) uint32_t list_search(const struct list *list, name_id name, uint32_t near)
{
    uint32_t low = near, high = near, stride = 1;
    while (low > 0 && list_at(list, low - 1)->name >= name) {
        high = low - 1;
        low = high > stride ? high - stride : 0;
        stride *= 2;
    }
    for (stride = 1; list_at(list, high)->name < name; stride *= 2) {
        low = high + 1;
        high = list->count - low > stride ? low + stride : list->count - 1;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        bool before = list_at(list, middle)->name < name;
        *(before ? &low : &high) = before ? middle + 1 : middle;
    }
    return low;
}

/* Of those of one name, of which this is the first, the first that says a type, or else that one. */
static __attribute__((noinline)) const struct value_info *twins_choose(struct opshift_model *model,
                                                                       const struct list *list, uint32_t start)
{
    const struct value_info *first = list_at(list, start);
    for (uint32_t i = start; i < list->count && i - start < TWINS_MAX; i++) {
        const struct value_info *info = list_at(list, i);
        if (info->name != first->name || range_size(info->range) == 0)
            break;
        if (info_says_type(model, info))
            return info;
    }
    return first;
}

/* NULL: none, or no more than the name: a function's. */
static inline const struct value_info *list_find(struct opshift_model *model, const struct list *list, name_id name,
                                                 uint32_t *near)
{
    uint32_t start = *near < list->count ? *near : 0;
    /* Most lists hold names that were met one after the other. */
    uint32_t guess = start + (name - list_at(list, start)->name);
    start = guess < list->count ? guess : start;
    if (list_at(list, start)->name != name || (start > 0 && list_at(list, start - 1)->name == name))
        start = list_search(list, name, start);
    *near = start;
    const struct value_info *info = list_at(list, start);
    if (info->name != name || range_size(info->range) == 0)
        return NULL;
    bool alone = start + 1 == list->count || list_at(list, start + 1)->name != name;
    return alone ? info : twins_choose(model, list, start);
}

/* Of one list. NULL: none, as nearly always in a model without types. */
static inline const struct value_info *declaration_in(struct types *types, const struct graph *graph,
                                                      enum declaring which, name_id name)
{
    struct list list;
    list.infos = infos_of(graph, which, &list.count);
    if (list.count == 0)
        return NULL;
    list.order = types->declarations[graph->number]->order[which];
    if (list_at(&list, 0)->name > name || list_at(&list, list.count - 1)->name < name)
        return NULL;
    return list_find(types->model, &list, name, &types->near[which]);
}

/* The first one counts. is_input: it may stand among the inputs. NULL: none. */
static inline __attribute__((always_inline)) const struct value_info *
declaration_find(struct types *types, const struct graph *graph, name_id name, bool is_input)
{
    const struct value_info *found = NULL;
    if (name != NAME_NONE && is_input)
        found = declaration_in(types, graph, DECLARING_INPUTS, name);
    if (name != NAME_NONE && found == NULL)
        found = declaration_in(types, graph, DECLARING_OUTPUTS, name);
    if (name != NAME_NONE && found == NULL)
        found = declaration_in(types, graph, DECLARING_VALUES, name);
    return found;
}

bool value_declaration(struct types *types, const struct value *value, const struct value_info **declared)
{
    bool known = graph_index(types, value->definition.graph);
    /* A name that a node defines is no formal input, which would go before it. */
    bool is_input = value->definition.kind != DEFINED_NODE;
    *declared = known ? declaration_find(types, value->definition.graph, value->name, is_input) : NULL;
    return known;
}

enum opshift_status types_declares(struct types *types, const struct graph *graph, name_id name, bool *declares,
                                   struct opshift_error *error)
{
    bool known = graph_index(types, graph);
    *declares = known && declaration_find(types, graph, name, true) != NULL;
    return known ? OPSHIFT_OK : opshift_no_memory(error);
}

struct value_type types_known(const struct types *types, struct graph *graph, name_id name)
{
    struct value value = value_find(types, graph, name);
    const struct entry *entry = value_look(types, &value);
    return entry ? *entry_type(types, entry) : type_unknown;
}

bool types_pending(const struct types *types, struct graph *graph, name_id name)
{
    struct value value = value_find(types, graph, name);
    const struct entry *entry = value_look(types, &value);
    return entry && entry->state == ENTRY_OPEN;
}

void entry_set_done(const struct types *types, struct entry *entry)
{
    entry->state = ENTRY_DONE;
    if (types->questions)
        *entry_question(types, entry) = types->question;
}

bool entry_is_fresh(const struct types *types, const struct entry *entry)
{
    return types->questions && *entry_question(types, entry) == types->question;
}

static void answer_forget(const struct types *types, struct entry *entry)
{
    if (entry->state == ENTRY_FREE || (entry->state == ENTRY_DONE && !entry_is_fresh(types, entry)))
        return;
    entry->state = ENTRY_NEW;
    entry->type = TYPE_UNKNOWN;
}

void answers_forget(struct types *types)
{
    for (uint32_t i = 0; i < types->name_count; i++)
        answer_forget(types, &types->entries[i]);
    for (size_t i = 0; i < types->others_size; i++)
        if (types->others[i])
            answer_forget(types, &types->others[i]->entry);
    types->depth = 0;
    types->assumptions = NULL;
}

/* ---- what is declared ---- */

bool type_is_complete(const struct value_type *type)
{
    if (type->type == OPSHIFT_TYPE_UNDEFINED || type->rank < 0)
        return false;
    for (int32_t i = 0; i < type->rank; i++)
        if (type->dims[i] < 0)
            return false;
    return true;
}

enum opshift_status declared_type(struct types *types, const struct value_info *declared, struct arena *arena,
                                  struct value_type *type, struct opshift_error *error)
{
    struct opshift_error fault;
    error_clear(&fault);
    enum opshift_status status = value_info_type(types->model, declared, arena, type, &fault);
    if (status == OPSHIFT_OK)
        return status;
    *type = type_unknown;
    /* A malformed one is a finding of the checks. */
    if (status == OPSHIFT_MALFORMED || status == OPSHIFT_UNSUPPORTED)
        return OPSHIFT_OK;
    if (error)
        *error = fault;
    return status;
}

enum opshift_status entry_declare(struct types *types, const struct value_info *info, struct entry *entry,
                                  struct opshift_error *error)
{
    struct value_type declared;
    enum opshift_status status = declared_type(types, info, types->scratch, &declared, error);
    if (status != OPSHIFT_OK)
        return status;
    uint32_t kept = type_keep(types, &declared);
    entry->type = kept != TYPE_NO_MEMORY ? kept : TYPE_UNKNOWN;
    return kept != TYPE_NO_MEMORY ? OPSHIFT_OK : opshift_no_memory(error);
}

void type_merge(struct inference *inference, struct value_type *type, const struct value_type *inferred)
{
    if (!type->is_tensor && !inferred->is_tensor)
        type->other = other_join(type->other, inferred->other);
    if (type->type == OPSHIFT_TYPE_UNDEFINED)
        type->type = inferred->type;
    type->is_tensor = type->is_tensor || inferred->is_tensor || type->type != OPSHIFT_TYPE_UNDEFINED;
    if (type->rank < 0) {
        shape_like(type, inferred);
        return;
    }
    if (type->rank != inferred->rank)
        return;
    struct value_type merged = *type;
    bool own = false;
    for (int32_t i = 0; i < type->rank; i++) {
        bool dim = type->dims[i] < 0 && inferred->dims[i] >= 0;
        bool param = type->dims[i] < 0 && type->params[i] == NAME_NONE && inferred->params[i] != NAME_NONE;
        if (!dim && !param)
            continue;
        if (!own) {
            if (!shape_new(inference, &merged, (size_t)type->rank))
                return;
            memcpy(merged.dims, type->dims, (size_t)type->rank * sizeof(*merged.dims));
            memcpy(merged.params, type->params, (size_t)type->rank * sizeof(*merged.params));
            own = true;
        }
        merged.dims[i] = dim ? inferred->dims[i] : merged.dims[i];
        merged.params[i] = dim || param ? inferred->params[i] : merged.params[i];
    }
    *type = merged;
}
