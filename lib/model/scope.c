/* Names to definitions: one table per graph, one count of reads per name. */
#include "model/scope.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_LEAST 4096u

struct scope_calls {
    struct call *calls;
    uint32_t count, room;
};

static uint32_t slot_of(name_id name, uint32_t room)
{
    return (uint32_t)(name * UINT32_C(2654435769)) & (room - 1);
}

/* The place of a name, or where it would be. NULL: the table has none for it. */
static inline struct scope_place *hashed_find(const struct scope_table *table, name_id name, bool *known)
{
    *known = false;
    if (table->room == 0)
        return NULL;
    const name_id *names = table_names(table);
    uint32_t slot = slot_of(name, table->room);
    while (names[slot] != name && names[slot] != NAME_NONE)
        slot = (slot + 1) & (table->room - 1);
    *known = names[slot] == name;
    return &table->places[slot];
}

static void hashed_name(struct scope_table *table, const struct scope_place *place, name_id name)
{
    table_names(table)[place - table->places] = name;
}

static inline uint32_t packed_find(const struct scope_table *table, name_id name)
{
    return name < table->room ? table->packed[name] : DEFINED_NOWHERE;
}

/* The first definition of a name stays: formal inputs, node outputs, initializers, in this order. */
static void packed_add(struct scope_table *table, name_id name, enum definition_kind kind, uint32_t index,
                       uint32_t output)
{
    uint32_t *place = &table->packed[name], before = *place & PACKED_KIND;
    uint32_t made = index << table->index_shift | output << PACKED_OUTPUT | kind;
    if (before == DEFINED_NOWHERE)
        *place = made | (kind == DEFINED_INPUT ? PACKED_INPUT : 0);
    else if (before == DEFINED_INPUT && kind == DEFINED_INITIALIZER)
        *place = made | PACKED_INPUT;
}

static void hashed_add(struct scope_table *table, name_id name, enum definition_kind kind, uint32_t index,
                       uint32_t output)
{
    bool known;
    struct scope_place *place = hashed_find(table, name, &known);
    if (!known) {
        *place = (struct scope_place){index, output, kind, kind == DEFINED_INPUT};
        hashed_name(table, place, name);
    } else if (place->kind == DEFINED_INPUT && kind == DEFINED_INITIALIZER) {
        *place = (struct scope_place){index, 0, DEFINED_INITIALIZER, true};
    }
}

static inline void table_add(struct scope_table *table, name_id name, enum definition_kind kind, uint32_t index,
                             uint32_t output)
{
    if (name == NAME_NONE)
        return;
    if (table->is_array)
        packed_add(table, name, kind, index, output);
    else
        hashed_add(table, name, kind, index, output);
}

/* Zeroed. Fresh memory that is read before it is written is mapped twice, page by page. NULL: no memory. */
static void *places_alloc(uint64_t size)
{
    void *memory = size < SIZE_MAX ? calloc((size_t)size + 1, 1) : NULL;
    for (uint64_t at = 0; memory && at < size; at += PAGE_LEAST)
        ((volatile uint8_t *)memory)[at] = 0;
    return memory;
}

static uint64_t table_size(const struct scope_table *table)
{
    size_t each = table->is_array ? sizeof(*table->packed) : sizeof(*table->places) + sizeof(name_id);
    return (uint64_t)table->room * each;
}

/* Of numbers below this, and one at least. */
static unsigned bits_of(uint32_t count)
{
    return count > 2 ? 32 - (unsigned)__builtin_clz(count - 1) : 1;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Room for what a graph defines in a model of so many names. False: too many. */
static bool table_measure(struct scope_table *table, const struct graph *graph, uint32_t all)
{
    uint64_t count = (uint64_t)graph->input_count + graph->initializer_count, room = 2;
    uint32_t outputs = 0, indices = larger(larger(graph->input_count, graph->initializer_count), graph->node_count);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        count += graph->nodes[i].output_count;
        outputs = larger(outputs, graph->nodes[i].output_count);
    }
    unsigned shift = PACKED_OUTPUT + bits_of(outputs);
    table->is_array = count > 0 && count >= all / 4 && shift + bits_of(indices) <= 32;
    table->index_shift = (uint8_t)shift;
    while (room <= count + count / 2)
        room *= 2;
    if (table->is_array || count == 0)
        room = count ? all : 0;
    table->room = (uint32_t)room;
    return room <= UINT32_MAX;
}

static void table_fill(struct scope_table *table, const struct graph *graph)
{
    for (uint32_t i = 0; i < graph->input_count; i++)
        table_add(table, graph->inputs[i].name, DEFINED_INPUT, i, 0);
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t k = 0; k < graph->nodes[i].output_count; k++)
            table_add(table, node_outputs(&graph->nodes[i])[k], DEFINED_NODE, i, k);
    for (uint32_t i = 0; i < graph->initializer_count; i++)
        table_add(table, graph->initializers[i].name, DEFINED_INITIALIZER, i, 0);
}

/* The tables of all graphs, one behind the other. */
static enum opshift_status tables_make(struct scopes *scopes, struct opshift_error *error)
{
    const struct opshift_model *model = scopes->model;
    uint64_t size = 0, at = 0;
    scopes->tables = calloc(model->graph_count, sizeof(*scopes->tables));
    if (scopes->tables == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < model->graph_count; i++) {
        if (!table_measure(&scopes->tables[i], model->graphs[i], scopes->name_count))
            return opshift_no_memory(error);
        size += table_size(&scopes->tables[i]);
    }
    scopes->places = places_alloc(size);
    if (scopes->places == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < model->graph_count; i++) {
        struct scope_table *table = &scopes->tables[i];
        table->places = (struct scope_place *)((uint8_t *)scopes->places + at);
        at += table_size(table);
        table_fill(table, model->graphs[i]);
    }
    return OPSHIFT_OK;
}

/* Where the function of these names stands in the table, or would stand. */
static uint32_t *function_slot(const struct scopes *scopes, name_id name, name_id domain, name_id overload)
{
    const struct function *functions = scopes->model->functions;
    const name_id names[] = {name, domain, overload};
    uint32_t slot = (uint32_t)names_hash(scopes->model->names, names, COUNT(names));
    for (;; slot++) {
        uint32_t *known = &scopes->functions[slot & (scopes->function_room - 1)];
        const struct function *function = *known ? &functions[*known - 1] : NULL;
        if (function == NULL ||
            (function->name == name && function->domain == domain && function->overload == overload))
            return known;
    }
}

/* Of two of the same names, the first counts. */
static bool functions_make(struct scopes *scopes)
{
    const struct opshift_model *model = scopes->model;
    uint64_t room = 2;
    while (room < 2 * (uint64_t)model->function_count)
        room *= 2;
    scopes->functions = room <= UINT32_MAX ? calloc((size_t)room, sizeof(*scopes->functions)) : NULL;
    scopes->function_room = (uint32_t)room;
    for (uint32_t i = 0; scopes->functions && i < model->function_count; i++) {
        const struct function *function = &model->functions[i];
        uint32_t *slot = function_slot(scopes, function->name, function->domain, function->overload);
        *slot = *slot ? *slot : i + 1;
    }
    return scopes->functions;
}

struct function *scope_callee(const struct scopes *scopes, const struct node *node)
{
    if (scopes->model->function_count == 0)
        return NULL;
    uint32_t number = *function_slot(scopes, node->op_type, node_domain(node), node_overload(node));
    return number ? &scopes->model->functions[number - 1] : NULL;
}

static enum opshift_status add_call(struct scope_calls *calls, struct graph *graph, uint32_t node,
                                    struct opshift_error *error)
{
    if (calls->count == calls->room) {
        uint32_t room = calls->room ? calls->room * 2 : 4;
        struct call *grown = realloc(calls->calls, room * sizeof(*grown));
        if (grown == NULL)
            return opshift_no_memory(error);
        calls->calls = grown;
        calls->room = room;
    }
    calls->calls[calls->count++] = (struct call){graph, node};
    return OPSHIFT_OK;
}

static enum opshift_status find_calls(struct scopes *scopes, struct opshift_error *error)
{
    struct opshift_model *model = scopes->model;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t g = 0; g < model->graph_count && model->function_count; g++)
        for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graphs[g]->node_count; i++) {
            struct function *function = scope_callee(scopes, &model->graphs[g]->nodes[i]);
            if (function)
                status = add_call(&scopes->calls[function - model->functions], model->graphs[g], i, error);
        }
    return status;
}

enum opshift_status scopes_new(struct opshift_model *model, struct scopes **result, struct opshift_error *error)
{
    struct scopes *scopes = calloc(1, sizeof(*scopes));
    if (scopes == NULL)
        return opshift_no_memory(error);
    scopes->model = model;
    scopes->name_count = names_count(model->names);
    scopes->calls = calloc((size_t)model->function_count + 1, sizeof(*scopes->calls));
    bool failed = !functions_make(scopes) || !scopes->calls;
    enum opshift_status status = failed ? opshift_no_memory(error) : tables_make(scopes, error);
    if (status == OPSHIFT_OK)
        status = find_calls(scopes, error);
    if (status)
        scopes_free(scopes);
    else
        *result = scopes;
    return status;
}

void scopes_free(struct scopes *scopes)
{
    if (scopes == NULL)
        return;
    for (uint32_t i = 0; scopes->calls && i < scopes->model->function_count; i++)
        free(scopes->calls[i].calls);
    free(scopes->tables);
    free(scopes->places);
    free(scopes->uses);
    free(scopes->calls);
    free(scopes->functions);
    free(scopes->rounds.table.places);
    free(scopes->fresh.table.places);
    buffer_free(&scopes->text);
    free(scopes->given);
    free(scopes);
}

static inline struct definition table_find(const struct scope_table *table, struct graph *graph, name_id name)
{
    bool known;
    if (table->is_array)
        return packed_definition(table, packed_find(table, name), graph);
    const struct scope_place *place = hashed_find(table, name, &known);
    return known ? (struct definition){(enum definition_kind)place->kind, graph, place->index, place->output}
                 : (struct definition){0};
}

struct definition scope_search(const struct scopes *scopes, struct graph *graph, name_id name)
{
    for (; graph && name != NAME_NONE; graph = graph->parent) {
        struct definition found = table_find(&scopes->tables[graph->number], graph, name);
        if (found.kind != DEFINED_NOWHERE)
            return found;
    }
    return (struct definition){0};
}

unsigned scope_constant(const struct scopes *scopes, struct graph *graph, name_id name)
{
    struct definition found = scope_find(scopes, graph, name);
    if (found.kind == DEFINED_INITIALIZER)
        return range_type(found.graph->initializers[found.index].range);
    if (found.kind != DEFINED_NODE || found.graph->nodes[found.index].input_count > 0)
        return 0;
    unsigned number = range_type(found.graph->nodes[found.index].range);
    return number ? number + ATTRIBUTES_NONE : 0;
}

bool scope_is_input(const struct scopes *scopes, const struct graph *graph, name_id name)
{
    const struct scope_table *table = &scopes->tables[graph->number];
    bool known = false;
    if (table->is_array)
        return packed_find(table, name) & PACKED_INPUT;
    const struct scope_place *place = name == NAME_NONE ? NULL : hashed_find(table, name, &known);
    return known && place->is_input;
}

/* ---- numbers of a few names ------------------------------------------------------------------------------------- */

static bool counts_grow(struct scope_counts *counts)
{
    struct scope_table *old = &counts->table, grown = {.room = old->room ? old->room * 2 : 64};
    bool known;
    grown.places = places_alloc(table_size(&grown));
    if (grown.places == NULL)
        return false;
    for (uint32_t i = 0; i < old->room; i++)
        if (table_names(old)[i] != NAME_NONE) {
            struct scope_place *place = hashed_find(&grown, table_names(old)[i], &known);
            *place = old->places[i];
            hashed_name(&grown, place, table_names(old)[i]);
        }
    free(old->places);
    *old = grown;
    return true;
}

/* The number of a name, which starts at 0. NULL: no memory. */
static uint32_t *count_of(struct scope_counts *counts, name_id name)
{
    bool known;
    if (counts->name_count + counts->name_count / 2 >= counts->table.room && !counts_grow(counts))
        return NULL;
    struct scope_place *place = hashed_find(&counts->table, name, &known);
    if (!known) {
        hashed_name(&counts->table, place, name);
        counts->name_count++;
    }
    return &place->index;
}

/* NULL: it has none. */
static uint32_t *count_known(const struct scope_counts *counts, name_id name)
{
    bool known;
    struct scope_place *place = hashed_find(&counts->table, name, &known);
    return known ? &place->index : NULL;
}

/* ---- how often names are read ----------------------------------------------------------------------------------- */

/* False: no memory. */
static bool round_add(struct scopes *scopes, name_id name)
{
    uint32_t *rounds = name == NAME_NONE ? NULL : count_of(&scopes->rounds, name);
    if (rounds)
        ++*rounds;
    return rounds || name == NAME_NONE;
}

static bool count_uses(struct scopes *scopes, const struct graph *graph)
{
    uint8_t *uses = scopes->uses;
    bool counted = true;
    for (uint32_t n = 0; n < graph->node_count; n++) {
        const struct node *node = &graph->nodes[n];
        const name_id *inputs = node_inputs(node);
        for (uint32_t i = 0, count = node->input_count; i < count; i++)
            if (++uses[inputs[i]] == 0)
                counted &= round_add(scopes, inputs[i]);
    }
    for (uint32_t i = 0; i < graph->output_count; i++)
        if (++uses[graph->outputs[i].name] == 0)
            counted &= round_add(scopes, graph->outputs[i].name);
    return counted;
}

enum opshift_status scopes_count_uses(struct scopes *scopes, struct opshift_error *error)
{
    const struct opshift_model *model = scopes->model;
    if (scopes->uses != NULL)
        return OPSHIFT_OK;
    scopes->uses = calloc(scopes->name_count, sizeof(*scopes->uses));
    if (scopes->uses == NULL)
        return opshift_no_memory(error);
    bool counted = true;
    for (uint32_t i = 0; i < model->graph_count; i++)
        counted &= count_uses(scopes, model->graphs[i]);
    if (!counted) {
        free(scopes->uses);
        scopes->uses = NULL;
    }
    return counted ? OPSHIFT_OK : opshift_no_memory(error);
}

void scope_drop_use(struct scopes *scopes, name_id name)
{
    if (name >= scopes->name_count)
        return;
    uint32_t *rounds = scopes->uses[name] == 0 ? count_known(&scopes->rounds, name) : NULL;
    if (scopes->uses[name] == 0 && (rounds == NULL || *rounds == 0))
        return;
    if (rounds)
        --*rounds;
    scopes->uses[name]--;
}

uint32_t scope_uses(const struct scopes *scopes, name_id name)
{
    if (name >= scopes->name_count)
        return 0;
    const uint32_t *rounds = scopes->rounds.name_count ? count_known(&scopes->rounds, name) : NULL;
    return scopes->uses[name] + (rounds ? *rounds * USES_ROUND : 0);
}

const struct call *scope_calls(const struct scopes *scopes, const struct function *function, uint32_t *count)
{
    const struct scope_calls *calls = &scopes->calls[function - scopes->model->functions];
    *count = calls->count;
    return calls->calls;
}

/* The place of a name among those that scope_fresh added to the model; UINT32_MAX: it is none of them. */
static uint32_t fresh_place(const struct opshift_model *model, name_id name)
{
    const name_id *names = (const name_id *)(const void *)model->fresh_names.data;
    uint32_t low = 0, count = (uint32_t)(model->fresh_names.size / sizeof(*names)), high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (names[middle] < name)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && names[low] == name ? low : UINT32_MAX;
}

/* False: no memory. */
static bool fresh_give(struct scopes *scopes, uint32_t place)
{
    if (place / 8 >= scopes->given_room) {
        uint32_t room = place / 4 + 64;
        uint8_t *grown = realloc(scopes->given, room);
        if (grown == NULL)
            return false;
        memset(grown + scopes->given_room, 0, room - scopes->given_room);
        scopes->given = grown;
        scopes->given_room = room;
    }
    scopes->given[place / 8] |= (uint8_t)(1 << place % 8);
    return true;
}

/* Whether a name may be given: one that is new to the model, or that other scopes gave. NAME_NONE: it may not. */
static name_id fresh_try(struct scopes *scopes, const void *data, size_t size)
{
    struct opshift_model *model = scopes->model;
    uint32_t count = names_count(model->names);
    name_id name = names_add(model->names, data, size);
    if (name == NAME_NO_MEMORY)
        return name;
    if (name >= count)
        buffer_add(&model->fresh_names, &name, sizeof(name));
    uint32_t place = fresh_place(model, name);
    bool given = place / 8 < scopes->given_room && scopes->given[place / 8] >> place % 8 & 1;
    if (model->fresh_names.failed || (place != UINT32_MAX && !given && !fresh_give(scopes, place)))
        return NAME_NO_MEMORY;
    return place == UINT32_MAX || given ? NAME_NONE : name;
}

name_id scope_fresh(struct scopes *scopes, const char *stem, size_t stem_size)
{
    name_id name = fresh_try(scopes, stem, stem_size), known;
    if (name != NAME_NONE || !names_find(scopes->model->names, stem, stem_size, &known))
        return name;
    uint32_t *number = count_of(&scopes->fresh, known);
    struct buffer *text = &scopes->text;
    text->size = 0;
    buffer_add(text, stem, stem_size);
    buffer_add_byte(text, '_');
    size_t before = text->size;
    do {
        text->size = before;
        buffer_add_decimal(text, number ? ++*number : 0);
        name = text->failed || number == NULL ? NAME_NO_MEMORY : fresh_try(scopes, text->data, text->size);
    } while (name == NAME_NONE);
    return name;
}
