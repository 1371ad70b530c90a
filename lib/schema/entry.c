/* The table of values whose types were asked for, and the value infos that speak of them. */
#include "schema/entry.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

/* ---- entries ---- */

static size_t entry_slot(const struct types *types, const struct graph *graph, name_id name)
{
    uint64_t hash = ((uint64_t)graph->number << 32 | name) * UINT64_C(0x9e3779b97f4a7c15);
    size_t slot = (size_t)(hash >> 20) & (types->table_size - 1);
    while (types->table[slot] != NULL && (types->table[slot]->graph != graph || types->table[slot]->name != name))
        slot = (slot + 1) & (types->table_size - 1);
    return slot;
}

static bool table_grow(struct types *types)
{
    struct entry **old = types->table;
    size_t old_size = types->table_size;
    struct entry **grown = calloc(old_size * 2, sizeof(struct entry *));
    if (grown == NULL)
        return false;
    types->table = grown;
    types->table_size = old_size * 2;
    for (size_t i = 0; i < old_size; i++)
        if (old[i] != NULL)
            grown[entry_slot(types, old[i]->graph, old[i]->name)] = old[i];
    free(old);
    return true;
}

/* NULL: no memory. */
static struct entry *entry_add(struct types *types, struct graph *graph, name_id name)
{
    size_t slot = entry_slot(types, graph, name);
    if (types->table[slot] != NULL)
        return types->table[slot];
    if (types->entry_count >= types->table_size / 2) {
        if (!table_grow(types))
            return NULL;
        slot = entry_slot(types, graph, name);
    }
    struct entry *entry = arena_alloc(types->arena, 1, sizeof(*entry));
    if (entry == NULL)
        return NULL;
    entry->graph = graph;
    entry->name = name;
    entry->type = type_unknown;
    types->table[slot] = entry;
    types->entry_count++;
    return entry;
}

/* ---- which value info speaks of a name ---- */

static int declaration_order(const void *a, const void *b)
{
    const struct declaration *left = a, *right = b;
    if (left->name != right->name)
        return left->name < right->name ? -1 : 1;
    return left->at < right->at ? -1 : left->at > right->at;
}

/* The graph's inputs, outputs and other value infos, counted through. */
static const struct value_info *info_at(const struct graph *graph, uint64_t at)
{
    if (at < graph->input_count)
        return &graph->inputs[at];
    at -= graph->input_count;
    return at < graph->output_count ? &graph->outputs[at] : &graph->values[at - graph->output_count];
}

/* Sorted once per graph. False: no memory. */
static bool graph_index(struct types *types, const struct graph *graph)
{
    struct declarations *index = &types->declarations[graph->number];
    if (index->items != NULL)
        return true;
    uint64_t count = (uint64_t)graph->input_count + graph->output_count + graph->value_count;
    index->items = count <= UINT32_MAX ? arena_alloc(types->arena, count, sizeof(*index->items)) : NULL;
    if (index->items == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct value_info *info = info_at(graph, i);
        if (info->name != NAME_NONE && info->range.size > 0)
            index->items[index->count++] = (struct declaration){info->name, i};
    }
    sort_items(index->items, index->count, sizeof(*index->items), declaration_order);
    return true;
}

/* The first one counts. NULL: none. */
static const struct value_info *declaration_find(const struct types *types, const struct graph *graph, name_id name)
{
    const struct declarations *index = &types->declarations[graph->number];
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        *(index->items[middle].name < name ? &low : &high) = index->items[middle].name < name ? middle + 1 : middle;
    }
    return low < index->count && index->items[low].name == name ? info_at(graph, index->items[low].at) : NULL;
}

struct entry *entry_find(struct types *types, struct graph *graph, name_id name)
{
    struct definition definition = scope_find(types->scopes, graph, name);
    if (definition.kind != DEFINED_NOWHERE)
        graph = definition.graph;
    if (!graph_index(types, graph))
        return NULL;
    struct entry *entry = entry_add(types, graph, name);
    if (entry != NULL && entry->declared == NULL)
        entry->declared = declaration_find(types, graph, name);
    if (entry != NULL)
        entry->definition = definition;
    return entry;
}

bool entry_declared(struct types *types, struct graph *graph, name_id name, const struct value_info **declared)
{
    struct definition definition = scope_find(types->scopes, graph, name);
    if (definition.kind != DEFINED_NOWHERE)
        graph = definition.graph;
    bool known = graph_index(types, graph);
    *declared = known ? declaration_find(types, graph, name) : NULL;
    return known;
}

static const struct entry *entry_look(const struct types *types, struct graph *graph, name_id name)
{
    if (name == NAME_NONE)
        return NULL;
    struct definition definition = scope_find(types->scopes, graph, name);
    return types->table[entry_slot(types, definition.kind != DEFINED_NOWHERE ? definition.graph : graph, name)];
}

struct value_type types_known(const struct types *types, struct graph *graph, name_id name)
{
    const struct entry *entry = entry_look(types, graph, name);
    return entry != NULL ? entry->type : type_unknown;
}

bool types_pending(const struct types *types, struct graph *graph, name_id name)
{
    const struct entry *entry = entry_look(types, graph, name);
    return entry != NULL && entry->state == ENTRY_OPEN;
}

void entry_set_done(const struct types *types, struct entry *entry)
{
    entry->state = ENTRY_DONE;
    entry->question = types->question;
}

void answers_forget(struct types *types)
{
    for (size_t i = 0; i < types->table_size; i++) {
        struct entry *entry = types->table[i];
        if (entry == NULL || (entry->state == ENTRY_DONE && entry->question != types->question))
            continue;
        entry->state = ENTRY_NEW;
        entry->type = type_unknown;
    }
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

enum opshift_status entry_read_declared(struct types *types, struct entry *entry, struct opshift_error *error)
{
    if (entry->declared == NULL)
        return OPSHIFT_OK;
    struct value_type declared = type_unknown;
    struct opshift_error fault;
    error_clear(&fault);
    enum opshift_status status = value_info_type(types->model, entry->declared, types->arena, &declared, &fault);
    if (status == OPSHIFT_OK) {
        entry->type = declared;
        return OPSHIFT_OK;
    }
    /* A malformed declaration is a finding of the checks; here it declares nothing. */
    if (status == OPSHIFT_MALFORMED || status == OPSHIFT_UNSUPPORTED)
        return OPSHIFT_OK;
    if (error != NULL)
        *error = fault;
    return status;
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
