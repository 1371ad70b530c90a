/* Names to definitions: one table per graph, one count of reads per name. */
#include "model/scope.h"

#include <stdio.h>
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
static inline struct scope_place *table_find(const struct scope_table *table, name_id name, bool *known)
{
    if (table->names == NULL) {
        struct scope_place *place = name < table->room ? &table->places[name] : NULL;
        *known = place && place->kind != DEFINED_NOWHERE;
        return place;
    }
    uint32_t slot = slot_of(name, table->room);
    while (table->names[slot] != name && table->names[slot] != NAME_NONE)
        slot = (slot + 1) & (table->room - 1);
    *known = table->names[slot] == name;
    return &table->places[slot];
}

/* The first definition of a name stays: formal inputs, node outputs, initializers, in this order. */
static void table_add(struct scope_table *table, name_id name, enum definition_kind kind, uint32_t index,
                      uint32_t output)
{
    bool known;
    if (name == NAME_NONE)
        return;
    struct scope_place *place = table_find(table, name, &known);
    if (!known) {
        *place = (struct scope_place){index, output, kind, kind == DEFINED_INPUT};
        if (table->names != NULL)
            table->names[place - table->places] = name;
    } else if (place->kind == DEFINED_INPUT && kind == DEFINED_INITIALIZER) {
        *place = (struct scope_place){index, 0, DEFINED_INITIALIZER, true};
    }
}

/* Fresh memory that is read before it is written is mapped twice, page by page. */
static void touch(void *memory, size_t size)
{
    for (size_t at = 0; at < size; at += PAGE_LEAST)
        ((volatile uint8_t *)memory)[at] = 0;
}

/* Of as many places as the room says. False: no memory. */
static bool table_make(struct scope_table *table, bool is_array)
{
    size_t each = sizeof(*table->places) + (is_array ? 0 : sizeof(*table->names));
    table->places = calloc(table->room, each);
    if (table->places == NULL)
        return false;
    table->names = is_array ? NULL : (name_id *)(table->places + table->room);
    touch(table->places, table->room * each);
    return true;
}

/* Room for `count` names of a model that has `all`. False: no memory. */
static bool table_open(struct scope_table *table, uint64_t count, uint32_t all)
{
    uint64_t room = 4;
    bool is_array = count >= all / 4;
    while (!is_array && room < count + count / 2)
        room *= 2;
    if (room > UINT32_MAX)
        return false;
    table->room = is_array ? all : (uint32_t)room;
    return table_make(table, is_array);
}

static void table_close(struct scope_table *table)
{
    free(table->places); /* the names stand behind them */
}

static enum opshift_status table_fill(struct scope_table *table, const struct graph *graph, uint32_t all,
                                      struct opshift_error *error)
{
    uint64_t count = (uint64_t)graph->input_count + graph->initializer_count;
    for (uint32_t i = 0; i < graph->node_count; i++)
        count += graph->nodes[i].output_count;
    if (count == 0)
        return OPSHIFT_OK;
    if (!table_open(table, count, all))
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < graph->input_count; i++)
        table_add(table, graph->inputs[i].name, DEFINED_INPUT, i, 0);
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t k = 0; k < graph->nodes[i].output_count; k++)
            table_add(table, node_outputs(&graph->nodes[i])[k], DEFINED_NODE, i, k);
    for (uint32_t i = 0; i < graph->initializer_count; i++)
        table_add(table, graph->initializers[i].name, DEFINED_INITIALIZER, i, 0);
    return OPSHIFT_OK;
}

static int compare(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int function_order(const struct function *a, const struct function *b)
{
    int order = compare(a->name, b->name);
    if (order == 0)
        order = compare(a->domain, b->domain);
    return order ? order : compare(a->overload, b->overload);
}

/* Sorting by a key that lies behind the numbers, without a global: functions are few, a heap sort will do. */
static void sift(const struct scopes *scopes, uint32_t root, uint32_t count)
{
    const struct function *functions = scopes->model->functions;
    for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
        uint32_t *order = scopes->functions;
        if (child + 1 < count && function_order(&functions[order[child]], &functions[order[child + 1]]) < 0)
            child++;
        if (function_order(&functions[order[root]], &functions[order[child]]) >= 0)
            return;
        uint32_t swap = order[root];
        order[root] = order[child];
        order[child] = swap;
    }
}

static void sort_functions(const struct scopes *scopes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        scopes->functions[i] = i;
    for (uint32_t root = count / 2; root-- > 0;)
        sift(scopes, root, count);
    for (uint32_t end = count; end-- > 1;) {
        uint32_t swap = scopes->functions[0];
        scopes->functions[0] = scopes->functions[end];
        scopes->functions[end] = swap;
        sift(scopes, 0, end);
    }
}

struct function *scope_callee(const struct scopes *scopes, const struct node *node)
{
    if (scopes->model->function_count == 0)
        return NULL;
    const struct function wanted = {
        .name = node->op_type, .domain = node_domain(node), .overload = node_overload(node)};
    uint32_t low = 0, high = scopes->model->function_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        struct function *function = &scopes->model->functions[scopes->functions[middle]];
        int order = function_order(&wanted, function);
        if (order == 0)
            return function;
        *(order < 0 ? &high : &low) = order < 0 ? middle : middle + 1;
    }
    return NULL;
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
    scopes->tables = calloc(model->graph_count, sizeof(*scopes->tables));
    scopes->calls = calloc((size_t)model->function_count + 1, sizeof(*scopes->calls));
    scopes->functions = calloc((size_t)model->function_count + 1, sizeof(*scopes->functions));
    enum opshift_status status = OPSHIFT_OK;
    if (!scopes->tables || !scopes->calls || !scopes->functions)
        status = opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graph_count; i++)
        status = table_fill(&scopes->tables[i], model->graphs[i], scopes->name_count, error);
    if (status == OPSHIFT_OK) {
        sort_functions(scopes, model->function_count);
        status = find_calls(scopes, error);
    }
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
    for (uint32_t i = 0; scopes->tables && i < scopes->model->graph_count; i++)
        table_close(&scopes->tables[i]);
    for (uint32_t i = 0; scopes->calls && i < scopes->model->function_count; i++)
        free(scopes->calls[i].calls);
    free(scopes->tables);
    free(scopes->uses);
    free(scopes->calls);
    free(scopes->functions);
    table_close(&scopes->fresh);
    free(scopes);
}

struct definition scope_search(const struct scopes *scopes, struct graph *graph, name_id name)
{
    for (; graph && name != NAME_NONE; graph = graph->parent) {
        bool known = false;
        const struct scope_place *place = table_find(&scopes->tables[graph->number], name, &known);
        if (known)
            return place_definition(place, graph);
    }
    return (struct definition){0};
}

bool scope_is_input(const struct scopes *scopes, const struct graph *graph, name_id name)
{
    bool known = false;
    const struct scope_place *place =
        name == NAME_NONE ? NULL : table_find(&scopes->tables[graph->number], name, &known);
    return known && place->is_input;
}

static void count_uses(uint32_t *uses, const struct graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t k = 0; k < graph->nodes[i].input_count; k++)
            uses[node_inputs(&graph->nodes[i])[k]]++;
    for (uint32_t i = 0; i < graph->output_count; i++)
        uses[graph->outputs[i].name]++;
}

enum opshift_status scopes_count_uses(struct scopes *scopes, struct opshift_error *error)
{
    const struct opshift_model *model = scopes->model;
    if (scopes->uses != NULL)
        return OPSHIFT_OK;
    scopes->uses = calloc(scopes->name_count, sizeof(*scopes->uses));
    if (scopes->uses == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < model->graph_count; i++)
        count_uses(scopes->uses, model->graphs[i]);
    return OPSHIFT_OK;
}

void scope_drop_use(struct scopes *scopes, name_id name)
{
    if (name < scopes->name_count && scopes->uses[name] > 0)
        scopes->uses[name]--;
}

uint32_t scope_uses(const struct scopes *scopes, name_id name)
{
    return name < scopes->name_count ? scopes->uses[name] : 0;
}

const struct call *scope_calls(const struct scopes *scopes, const struct function *function, uint32_t *count)
{
    const struct scope_calls *calls = &scopes->calls[function - scopes->model->functions];
    *count = calls->count;
    return calls->calls;
}

static bool stems_grow(struct scopes *scopes)
{
    struct scope_table *old = &scopes->fresh, grown = {.room = old->room ? old->room * 2 : 64};
    bool known;
    if (!table_make(&grown, false))
        return false;
    for (uint32_t i = 0; i < old->room; i++)
        if (old->names[i] != NAME_NONE) {
            struct scope_place *place = table_find(&grown, old->names[i], &known);
            *place = old->places[i];
            grown.names[place - grown.places] = old->names[i];
        }
    table_close(old);
    *old = grown;
    return true;
}

/* How often a stem was given a number: so that many names of one stem cost no search each. NULL: no memory. */
static struct scope_place *stem_place(struct scopes *scopes, name_id stem)
{
    bool known;
    if (scopes->fresh_count + scopes->fresh_count / 2 >= scopes->fresh.room && !stems_grow(scopes))
        return NULL;
    struct scope_place *place = table_find(&scopes->fresh, stem, &known);
    if (!known) {
        scopes->fresh.names[place - scopes->fresh.places] = stem;
        scopes->fresh_count++;
    }
    return place;
}

name_id scope_fresh(struct scopes *scopes, const char *stem, size_t stem_size)
{
    struct names *names = scopes->model->names;
    uint32_t count = names_count(names);
    name_id name = names_add(names, stem, stem_size);
    if (name >= count) /* it is new, or there is no memory */
        return name;
    struct scope_place *place = stem_place(scopes, name);
    char *text = place ? malloc(stem_size + 16) : NULL;
    if (text == NULL)
        return NAME_NO_MEMORY;
    memcpy(text, stem, stem_size);
    do
        name = names_add(names, text, stem_size + (size_t)snprintf(text + stem_size, 16, "_%u", ++place->index));
    while (name < count);
    free(text);
    return name;
}
