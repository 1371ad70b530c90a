/* Numbers a model's values, and finds the value infos that declare them. */
#include "infer/result.h"

#include <stdlib.h>
#include <string.h>

#include "wire/wire.h"

/* Maximum declared types that are cached by their bytes. */
#define DECLARED_MOST 4096u

/* ---- numbers ---- */

uint32_t definition_number(const struct types *types, const struct definition *definition)
{
    const struct graph *graph = definition->graph;
    switch (definition->kind) {
    case DEFINED_INPUT:
        return types->first_results[graph->number] + definition->index;
    case DEFINED_INITIALIZER:
        return types->first_results[graph->number] + graph->input_count + definition->index;
    case DEFINED_NODE:
        return node_number(types, graph, definition->index) + definition->output;
    default:
        return 0;
    }
}

uint32_t value_number(const struct types *types, struct graph *graph, name_id name)
{
    struct definition definition = scope_find(types->scopes, graph, name);
    return definition_number(types, &definition);
}

/* The last entry of a sorted array that is not above a number. */
static uint32_t find_last(const uint32_t *numbers, uint32_t count, uint32_t number)
{
    uint32_t low = 0, high = count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        *(numbers[middle] <= number ? &low : &high) = middle;
    }
    return low;
}

struct type_assumption value_name(const struct types *types, uint32_t number)
{
    struct type_assumption value = {NULL, NAME_NONE};
    if (number == 0)
        return value;
    struct graph *graph = types->model->graphs[find_last(types->first_results, types->model->graph_count, number)];
    uint32_t index = number - types->first_results[graph->number];
    value.graph = graph;
    if (index < graph->input_count) {
        value.name = graph->inputs[index].name;
    } else if (index - graph->input_count < graph->initializer_count) {
        value.name = graph->initializers[index - graph->input_count].name;
    } else {
        const uint32_t *firsts = types->first_outputs + types->first_nodes[graph->number];
        uint32_t node = find_last(firsts, graph->node_count, number);
        value.name = node_outputs(&graph->nodes[node])[number - firsts[node]];
    }
    return value;
}

static uint64_t graph_values(const struct graph *graph)
{
    uint64_t count = (uint64_t)graph->input_count + graph->initializer_count;
    for (uint32_t i = 0; i < graph->node_count; i++)
        count += graph->nodes[i].output_count;
    return count;
}

/* False: no memory. */
static bool numbers_make(struct types *types)
{
    const struct opshift_model *model = types->model;
    uint64_t values = 1, nodes = 0;
    for (uint32_t i = 0; i < model->graph_count; i++) {
        values += graph_values(model->graphs[i]);
        nodes += model->graphs[i]->node_count;
    }
    if (values > UINT32_MAX >> 1 || nodes > UINT32_MAX >> 1)
        return false;
    types->first_results = malloc((model->graph_count + 1u) * sizeof(*types->first_results));
    types->first_nodes = malloc((model->graph_count + 1u) * sizeof(*types->first_nodes));
    types->first_outputs = malloc((nodes + 1) * sizeof(*types->first_outputs));
    types->results = calloc(values, sizeof(*types->results));
    if (!types->first_results || !types->first_nodes || !types->first_outputs || !types->results)
        return false;
    uint32_t number = 1, node = 0;
    for (uint32_t i = 0; i < model->graph_count; i++) {
        const struct graph *graph = model->graphs[i];
        types->first_results[i] = number;
        types->first_nodes[i] = node;
        number += graph->input_count + graph->initializer_count;
        for (uint32_t k = 0; k < graph->node_count; k++) {
            types->first_outputs[node++] = number;
            number += graph->nodes[k].output_count;
        }
    }
    types->first_results[model->graph_count] = number;
    return true;
}

/* ---- declarations ---- */

static const struct value_info *info_at(const struct graph *graph, uint32_t index)
{
    if (index < graph->input_count)
        return &graph->inputs[index];
    index -= graph->input_count;
    return index < graph->output_count ? &graph->outputs[index] : &graph->values[index - graph->output_count];
}

const struct value_info *result_declared(const struct graph *graph, const struct value_result *result)
{
    return result->declared ? info_at(graph, result->declared - 1u) : NULL;
}

/* Grows the list of declarations. False: no memory. */
static bool declared_reserve(struct types *types)
{
    if (!table_reserve(&types->declared_table, 1))
        return false;
    if (types->declared_count < types->declared_room)
        return true;
    uint32_t room = types->declared_room ? types->declared_room * 2 : 16;
    struct declared_bytes *grown = realloc(types->declared, room * sizeof(*grown));
    if (grown == NULL)
        return false;
    types->declared = grown;
    types->declared_room = room;
    return true;
}

static bool info_has_type(struct opshift_model *model, const struct value_info *info)
{
    struct wire_cursor cursor = {model->source, range_offset(info->range), range_end(info->range)};
    struct wire_field field;
    bool found = true, has = false;
    while (!has && found && wire_next(&cursor, &field, &found, NULL) == OPSHIFT_OK)
        has = found && field.number == 2 && field.type == WIRE_BYTES && field.size > 0;
    return has;
}

/* The first of several value infos of one name that has a type is used. A function's inputs and outputs have no
 * types. */
static void declare(struct types *types, struct graph *graph, uint32_t index)
{
    const struct value_info *info = info_at(graph, index);
    if (range_size(info->range) == 0)
        return;
    struct definition definition = scope_find(types->scopes, graph, info->name);
    if (definition.graph != graph)
        return;
    struct value_result *result = &types->results[definition_number(types, &definition)];
    if (result->declared == 0 ||
        (!info_has_type(types->model, result_declared(graph, result)) && info_has_type(types->model, info)))
        result->declared = index + 1;
}

enum opshift_status results_prepare(struct types *types, struct opshift_error *error)
{
    static const struct value_basis facts;
    if (types->results)
        return OPSHIFT_OK;
    if (!numbers_make(types) || type_keep(types, &type_unknown) == NUMBER_NONE ||
        basis_keep(types, &facts) == NUMBER_NONE) {
        results_free(types);
        return opshift_no_memory(error);
    }
    for (uint32_t i = 0; i < types->model->graph_count; i++) {
        struct graph *graph = types->model->graphs[i];
        uint64_t count = (uint64_t)graph->input_count + graph->output_count + graph->value_count;
        for (uint64_t k = 0; k < count && k < UINT32_MAX >> 2; k++)
            declare(types, graph, (uint32_t)k);
    }
    return OPSHIFT_OK;
}

void results_free(struct types *types)
{
    store_free(types);
    table_free(&types->declared_table);
    types->declared_table = (struct table){0};
    free(types->declared);
    types->declared = NULL;
    types->declared_count = types->declared_room = 0;
    free(types->results);
    free(types->first_results);
    free(types->first_nodes);
    free(types->first_outputs);
    free(types->absent);
    types->absent = NULL;
    types->results = NULL;
    types->first_results = types->first_nodes = types->first_outputs = NULL;
    types->is_inferred = false;
}

/* The TypeProto of a value info that consists of a short name followed by a short type, as nearly all do. Size 0:
 * other forms. */
static struct bytes plain_type(struct opshift_model *model, const struct value_info *info)
{
    enum { NAME = 1 << 3 | WIRE_BYTES, TYPE = 2 << 3 | WIRE_BYTES };
    const struct bytes none = {0};
    uint64_t size = range_size(info->range);
    const uint8_t *data =
        size >= 4 && size <= 256 ? source_window(model->source, range_offset(info->range), (size_t)size) : NULL;
    if (data == NULL || data[0] != NAME || data[1] > 127 || data[1] > size - 4)
        return none;
    const uint8_t *type = data + 2 + data[1];
    size -= 4u + data[1];
    return type[0] == TYPE && type[1] == size && size > 0 && size <= DECLARED_SIZE_MAX
               ? (struct bytes){type + 2, (size_t)size}
               : none;
}

enum opshift_status declared_number(struct types *types, const struct value_info *declared, uint32_t *number,
                                    struct opshift_error *error)
{
    struct value_type type;
    struct declared_bytes made = {.size = 0};
    const struct graph *graph = types->model->main;
    bool is_own = types->given && declared >= graph->inputs && declared < graph->inputs + graph->input_count;
    struct bytes plain = is_own ? (struct bytes){0} : plain_type(types->model, declared);
    if (!declared_reserve(types))
        return opshift_no_memory(error);
    uint64_t hash = plain.size > 0 ? table_hash(&types->declared_table, plain.data, plain.size) : 0;
    for (uint32_t at = 0, item; plain.size > 0 && (item = table_next(&types->declared_table, hash, &at)) != TABLE_NONE;)
        if (types->declared[item].size == plain.size &&
            memcmp(types->declared[item].data, plain.data, plain.size) == 0) {
            *number = types->declared[item].type;
            return OPSHIFT_OK;
        }
    if (plain.size > 0) { /* a later read may invalidate the bytes */
        memcpy(made.data, plain.data, plain.size);
        made.size = (uint32_t)plain.size;
    }
    enum opshift_status status = declared_type(types, declared, types->scratch, &type, error);
    *number = made.type = status ? 0 : type_keep(types, &type);
    if (*number == NUMBER_NONE)
        return opshift_no_memory(error);
    if (status == OPSHIFT_OK && made.size > 0 && types->declared_count < DECLARED_MOST) {
        types->declared[types->declared_count] = made;
        table_put(&types->declared_table, hash, types->declared_count++);
    }
    return status;
}

enum opshift_status declared_type(struct types *types, const struct value_info *declared, struct arena *arena,
                                  struct value_type *type, struct opshift_error *error)
{
    enum opshift_status status = value_info_type(types->model, declared, arena, type, error);
    if (status == OPSHIFT_OK)
        return given_apply(types->given, types->model, declared, arena, type) ? status : opshift_no_memory(error);
    *type = type_unknown;
    /* A check reports malformed ones. */
    return status == OPSHIFT_MALFORMED || status == OPSHIFT_UNSUPPORTED ? error_forget(error) : status;
}
