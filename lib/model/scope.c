/* Finds definitions of names, and counts their uses. */
#include "model/scope.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/list.h"
#include "base/pages.h"
#include "base/table.h"
#include "model/outside.h"

struct scope_calls {
    struct call *calls;
    uint32_t count, room;
};

/* The key of a definition: a name in a graph. */
struct scope_key {
    uint32_t graph;
    name_id name;
};

struct scope_place {
    uint32_t graph, index;
    uint32_t output : 29, kind : 2, is_input : 1;
};

/* The next number for a stem of fresh names. */
struct scope_stem {
    name_id name;
    uint32_t count;
};

struct scopes {
    struct opshift_model *model;
    struct scope_place *places; /* by name_id: where a name is defined first; then the places in further graphs */
    uint32_t place_count, place_room;
    struct table others;       /* of the places in further graphs */
    uint32_t *uses;            /* by name_id: number of uses; NULL: not counted yet */
    uint32_t name_count;       /* number of names at creation */
    struct scope_calls *calls; /* by function */
    bool *reached;             /* by function: does a graph outside of functions call it, directly or through others? */
    struct table functions;    /* by name, domain and overload */
    struct scope_stem *stems;
    uint32_t stem_room;
    struct table stem_table; /* hash table of stems */
    uint8_t *given;          /* a bit for each of model->fresh_names that these scopes gave */
    uint32_t given_room;     /* in bytes */
    struct buffer text;      /* buffer for composing names */
    uint8_t *outside;        /* by name_id: a bit for names used outside of nodes; NULL: not read, or none */
};

/* ---- definitions ------------------------------------------------------------------------------------------------ */

/* The name defined at a place. */
static name_id place_name(const struct scopes *scopes, const struct scope_place *place)
{
    const struct graph *graph = scopes->model->graphs[place->graph];
    if (place->kind == DEFINED_NODE)
        return node_outputs(&graph->nodes[place->index])[place->output];
    return place->kind == DEFINED_INPUT ? graph->inputs[place->index].name : graph->initializers[place->index].name;
}

/* The place of a name that another graph defines first. */
static struct scope_place *place_find_other(const struct scopes *scopes, struct scope_key key)
{
    uint64_t hash = table_hash(&scopes->others, &key, sizeof(key));
    for (uint32_t at = 0, item; (item = table_next(&scopes->others, hash, &at)) != TABLE_NONE;)
        if (scopes->places[item].graph == key.graph && place_name(scopes, &scopes->places[item]) == key.name)
            return &scopes->places[item];
    return NULL;
}

/* The first place of a name, in any graph; NULL: nothing defines it. */
static inline struct scope_place *place_first(const struct scopes *scopes, name_id name)
{
    bool defined = name < scopes->name_count && scopes->places[name].kind != DEFINED_NOWHERE;
    return defined ? &scopes->places[name] : NULL;
}

static struct scope_place *place_find(const struct scopes *scopes, struct scope_key key)
{
    struct scope_place *first = place_first(scopes, key.name);
    return first == NULL || first->graph == key.graph ? first : place_find_other(scopes, key);
}

/* Adds a place of a name that another graph defines first. False: no memory. */
static bool place_add_other(struct scopes *scopes, struct scope_key key, const struct scope_place *place)
{
    if (scopes->place_count == scopes->place_room) {
        uint64_t room = (uint64_t)scopes->place_room * 2;
        struct scope_place *grown = room < TABLE_MOST ? realloc(scopes->places, (size_t)room * sizeof(*grown)) : NULL;
        if (grown == NULL)
            return false;
        scopes->places = grown;
        scopes->place_room = (uint32_t)room;
    }
    if (!table_reserve(&scopes->others, 1))
        return false;
    table_put(&scopes->others, table_hash(&scopes->others, &key, sizeof(key)), scopes->place_count);
    scopes->places[scopes->place_count++] = *place;
    return true;
}

/* Adds a definition; the first one of a name in a graph is kept: inputs, node outputs, initializers, in this order.
 * False: no memory. */
static bool place_add(struct scopes *scopes, name_id name, struct scope_place place)
{
    struct scope_key key = {place.graph, name};
    if (name == NAME_NONE)
        return true;
    struct scope_place *known = place_find(scopes, key);
    if (known && known->kind == DEFINED_INPUT && place.kind == DEFINED_INITIALIZER) {
        known->kind = DEFINED_INITIALIZER;
        known->index = place.index;
    }
    if (known)
        return true;
    if (scopes->places[name].kind != DEFINED_NOWHERE)
        return place_add_other(scopes, key, &place);
    scopes->places[name] = place;
    return true;
}

static bool graph_add(struct scopes *scopes, const struct graph *graph)
{
    struct scope_place place = {.graph = graph->number, .kind = DEFINED_INPUT, .is_input = true};
    bool added = true;
    for (place.index = 0; place.index < graph->input_count; place.index++)
        added &= place_add(scopes, graph->inputs[place.index].name, place);
    place.is_input = false;
    place.kind = DEFINED_NODE;
    for (place.index = 0; place.index < graph->node_count; place.index++) {
        const struct node *node = &graph->nodes[place.index];
        for (uint32_t i = 0; i < node->output_count; i++) {
            place.output = i & ((UINT32_C(1) << 29) - 1);
            added &= place_add(scopes, node_outputs(node)[i], place);
        }
    }
    place.output = 0;
    place.kind = DEFINED_INITIALIZER;
    for (place.index = 0; place.index < graph->initializer_count; place.index++)
        added &= place_add(scopes, graph->initializers[place.index].name, place);
    return added;
}

/* False: no memory. */
static bool places_make(struct scopes *scopes)
{
    const struct opshift_model *model = scopes->model;
    scopes->places = pages_calloc(scopes->name_count, sizeof(*scopes->places));
    scopes->place_count = scopes->place_room = scopes->name_count;
    bool made = scopes->places != NULL;
    for (uint32_t i = 0; made && i < model->graph_count; i++)
        made = graph_add(scopes, model->graphs[i]);
    return made;
}

/* Not inlined, so that its callers save no registers. */
__attribute__((noinline)) static const struct scope_place *find_outwards(const struct scopes *scopes,
                                                                         const struct graph *graph, name_id name)
{
    const struct scope_place *place = NULL;
    for (; graph && place == NULL; graph = graph->parent)
        place = place_find(scopes, (struct scope_key){graph->number, name});
    return place;
}

/* The place that readers of a name in a graph find; NULL: none. */
static inline const struct scope_place *place_visible(const struct scopes *scopes, const struct graph *graph,
                                                      name_id name)
{
    const struct scope_place *first = place_first(scopes, name);
    return first && (graph == NULL || first->graph != graph->number) ? find_outwards(scopes, graph, name) : first;
}

static uint32_t place_number(const struct scopes *scopes, const struct scope_place *place)
{
    return (uint32_t)(place - scopes->places);
}

static inline struct definition definition_at(const struct scopes *scopes, const struct scope_place *place)
{
    return (struct definition){(enum definition_kind)place->kind, place_number(scopes, place),
                               scopes->model->graphs[place->graph], place->index, place->output};
}

struct definition scope_find(const struct scopes *scopes, struct graph *graph, name_id name)
{
    const struct scope_place *place = place_visible(scopes, graph, name);
    return place ? definition_at(scopes, place) : (struct definition){0};
}

uint32_t scope_number(const struct scopes *scopes, const struct graph *graph, name_id name)
{
    const struct scope_place *place = place_visible(scopes, graph, name);
    return place ? place_number(scopes, place) : 0;
}

uint32_t scope_output_number(const struct scopes *scopes, const struct graph *graph, uint32_t node, uint32_t output)
{
    name_id name = node_outputs(&graph->nodes[node])[output];
    const struct scope_place *place = place_find(scopes, (struct scope_key){graph->number, name});
    bool same = place && place->kind == DEFINED_NODE && place->index == node && place->output == output;
    return same ? place_number(scopes, place) : 0;
}

uint32_t scope_initializer_number(const struct scopes *scopes, const struct graph *graph, uint32_t initializer)
{
    name_id name = graph->initializers[initializer].name;
    const struct scope_place *place = place_find(scopes, (struct scope_key){graph->number, name});
    bool same = place && place->kind == DEFINED_INITIALIZER && place->index == initializer;
    return same ? place_number(scopes, place) : 0;
}

uint32_t scopes_last_number(const struct scopes *scopes)
{
    return scopes->place_count - 1;
}

struct definition scope_definition(const struct scopes *scopes, uint32_t number)
{
    return definition_at(scopes, &scopes->places[number]);
}

bool scope_is_outer(const struct scopes *scopes, struct graph *graph, name_id name)
{
    struct definition found = scope_find(scopes, graph, name);
    return found.kind != DEFINED_NOWHERE && found.graph != graph;
}

bool scope_is_input(const struct scopes *scopes, const struct graph *graph, name_id name)
{
    const struct scope_place *place = place_find(scopes, (struct scope_key){graph->number, name});
    return place && place->is_input;
}

/* Before IR 4 every initializer had to be a graph input as well, and could not be overridden. */
enum initializer_role scope_initializer_role(const struct scopes *scopes, const struct graph *graph, name_id name)
{
    int64_t version = scopes->model->ir_version;
    if (!scope_is_input(scopes, graph, name))
        return INITIALIZER_CONSTANT;
    if (graph->kind == GRAPH_SUB)
        return INITIALIZER_REPLACED;
    return version >= 4 || version <= 0 ? INITIALIZER_DEFAULT : INITIALIZER_CONSTANT;
}

/* ---- functions -------------------------------------------------------------------------------------------------- */

struct function_key {
    name_id name, domain, overload;
};

static struct function *function_find(const struct scopes *scopes, struct function_key key, uint64_t hash)
{
    for (uint32_t at = 0, item; (item = table_next(&scopes->functions, hash, &at)) != TABLE_NONE;) {
        struct function *function = &scopes->model->functions[item];
        if (function->name == key.name && function->domain == key.domain && function->overload == key.overload)
            return function;
    }
    return NULL;
}

/* Of two functions with the same name, the first counts. False: no memory. */
static bool functions_make(struct scopes *scopes)
{
    const struct opshift_model *model = scopes->model;
    if (!table_reserve(&scopes->functions, model->function_count))
        return false;
    for (uint32_t i = 0; i < model->function_count; i++) {
        const struct function *function = &model->functions[i];
        struct function_key key = {function->name, function->domain, function->overload};
        uint64_t hash = table_hash(&scopes->functions, &key, sizeof(key));
        if (function_find(scopes, key, hash) == NULL)
            table_put(&scopes->functions, hash, i);
    }
    return true;
}

struct function *scope_callee(const struct scopes *scopes, const struct node *node)
{
    if (scopes->model->function_count == 0)
        return NULL;
    struct function_key key = {node->op_type, node_domain(node), node_overload(node)};
    return function_find(scopes, key, table_hash(&scopes->functions, &key, sizeof(key)));
}

static enum opshift_status add_call(struct scope_calls *calls, struct graph *graph, uint32_t node,
                                    struct opshift_error *error)
{
    if (!list_grow(&calls->calls, calls->count, &calls->room, sizeof(*calls->calls)))
        return opshift_no_memory(error);
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

const struct call *scope_calls(const struct scopes *scopes, const struct function *function, uint32_t *count)
{
    const struct scope_calls *calls = &scopes->calls[function - scopes->model->functions];
    *count = calls->count;
    return calls->calls;
}

bool scope_is_reached(const struct scopes *scopes, const struct function *function)
{
    return scopes->reached[function - scopes->model->functions];
}

/* Adds the functions that each function calls to lists, from starts[number] on. */
static void find_callees(const struct scopes *scopes, uint32_t *starts, uint32_t *callees)
{
    const struct opshift_model *model = scopes->model;
    for (int round = 0; round < 2; round++) { /* the lengths of the lists, then the lists, from their ends */
        for (uint32_t i = 0; i < model->function_count; i++)
            for (uint32_t k = 0; k < scopes->calls[i].count; k++) {
                const struct function *caller = scopes->calls[i].calls[k].graph->function;
                if (caller && round == 0)
                    starts[caller - model->functions]++;
                else if (caller)
                    callees[--starts[caller - model->functions]] = i;
            }
        for (uint32_t i = 1; round == 0 && i <= model->function_count; i++)
            starts[i] += starts[i - 1];
    }
}

static enum opshift_status find_reached(struct scopes *scopes, struct opshift_error *error)
{
    uint32_t functions = scopes->model->function_count, calls = 0, count = 0;
    if (functions == 0)
        return OPSHIFT_OK;
    for (uint32_t i = 0; i < functions; i++)
        calls += scopes->calls[i].count;
    uint32_t *starts = calloc(functions + UINT64_C(1), sizeof(*starts)),
             *callees = calloc(calls + UINT64_C(1), sizeof(*callees));
    uint32_t *queue = calloc(functions + UINT64_C(1), sizeof(*queue));
    scopes->reached = calloc(functions + UINT64_C(1), sizeof(*scopes->reached));
    bool made = starts && callees && queue && scopes->reached;
    if (made)
        find_callees(scopes, starts, callees);
    for (uint32_t i = 0; made && i < functions; i++)
        for (uint32_t k = 0; !scopes->reached[i] && k < scopes->calls[i].count; k++)
            if (scopes->calls[i].calls[k].graph->function == NULL) {
                scopes->reached[i] = true;
                queue[count++] = i;
            }
    for (uint32_t at = 0; at < count; at++)
        for (uint32_t k = starts[queue[at]]; k < starts[queue[at] + 1]; k++)
            if (!scopes->reached[callees[k]]) {
                scopes->reached[callees[k]] = true;
                queue[count++] = callees[k];
            }
    free(starts);
    free(callees);
    free(queue);
    return made ? OPSHIFT_OK : opshift_no_memory(error);
}

/* ---- making and freeing them ------------------------------------------------------------------------------------ */

enum opshift_status scopes_new(struct opshift_model *model, struct scopes **result, struct opshift_error *error)
{
    struct scopes *scopes = calloc(1, sizeof(*scopes));
    if (scopes == NULL)
        return opshift_no_memory(error);
    scopes->model = model;
    scopes->name_count = names_count(model->names);
    scopes->calls = calloc((size_t)model->function_count + 1, sizeof(*scopes->calls));
    bool made = scopes->calls && functions_make(scopes) && places_make(scopes);
    enum opshift_status status = made ? find_calls(scopes, error) : opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = find_reached(scopes, error);
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
    free(scopes->calls);
    free(scopes->reached);
    free(scopes->places);
    free(scopes->uses);
    free(scopes->outside);
    free(scopes->stems);
    free(scopes->given);
    table_free(&scopes->others);
    table_free(&scopes->functions);
    table_free(&scopes->stem_table);
    buffer_free(&scopes->text);
    free(scopes);
}

/* ---- how often names are read ----------------------------------------------------------------------------------- */

bool scope_is_outside(const struct scopes *scopes, name_id name)
{
    return scopes->outside && name < scopes->name_count && scopes->outside[name / 8] >> name % 8 & 1;
}

enum opshift_status scopes_count_uses(struct scopes *scopes, struct opshift_error *error)
{
    const struct opshift_model *model = scopes->model;
    if (scopes->uses != NULL)
        return OPSHIFT_OK;
    enum opshift_status status = outside_names(model, &scopes->outside, error);
    if (status)
        return status;
    scopes->uses = pages_calloc(scopes->name_count, sizeof(*scopes->uses));
    if (scopes->uses == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < model->graph_count; i++) {
        const struct graph *graph = model->graphs[i];
        for (uint32_t n = 0; n < graph->node_count; n++)
            for (uint32_t k = 0; k < graph->nodes[n].input_count; k++)
                scopes->uses[node_inputs(&graph->nodes[n])[k]]++;
        for (uint32_t k = 0; k < graph->output_count; k++)
            scopes->uses[graph->outputs[k].name]++;
    }
    for (name_id name = 0; scopes->outside && name < scopes->name_count; name++)
        scopes->uses[name] += scope_is_outside(scopes, name);
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

/* ---- fresh names ------------------------------------------------------------------------------------------------ */

/* The counter of a stem, initially 0. NULL: no memory. */
static uint32_t *stem_count(struct scopes *scopes, name_id name)
{
    struct table *table = &scopes->stem_table;
    if (!table_reserve(table, 1))
        return NULL;
    uint64_t hash = table_hash(table, &name, sizeof(name));
    for (uint32_t at = 0, item; (item = table_next(table, hash, &at)) != TABLE_NONE;)
        if (scopes->stems[item].name == name)
            return &scopes->stems[item].count;
    if (!list_grow(&scopes->stems, table->count, &scopes->stem_room, sizeof(*scopes->stems)))
        return NULL;
    struct scope_stem *stem = &scopes->stems[table->count];
    *stem = (struct scope_stem){.name = name};
    table_put(table, hash, table->count);
    return &stem->count;
}

/* The index of a name in model->fresh_names; UINT32_MAX: not in it. */
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

bool scope_gave(const struct scopes *scopes, name_id name)
{
    uint32_t place = fresh_place(scopes->model, name);
    return place / 8 < scopes->given_room && scopes->given[place / 8] >> place % 8 & 1;
}

/* The id of a name if it is new to the model or was given only by other scopes; NAME_NONE: it is taken. */
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
    uint32_t *number = stem_count(scopes, known);
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
