/* Numbers a model's values, and finds the value infos that declare them. */
#include "infer/result.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/pages.h"
#include "wire/wire.h"

/* Maximum declared types that are cached by their bytes. */
#define DECLARED_MOST 4096u

/* ---- numbers ---- */

struct type_assumption value_name(const struct types *types, uint32_t number)
{
    if (number == 0)
        return (struct type_assumption){NULL, NAME_NONE};
    struct definition definition = scope_definition(types->scopes, number);
    struct graph *graph = definition.graph;
    switch (definition.kind) {
    case DEFINED_INPUT:
        return (struct type_assumption){graph, graph->inputs[definition.index].name};
    case DEFINED_INITIALIZER:
        return (struct type_assumption){graph, graph->initializers[definition.index].name};
    default:
        return (struct type_assumption){graph, node_outputs(&graph->nodes[definition.index])[definition.output]};
    }
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
    struct value_result *result = &types->results[definition.number];
    if (result->declared == 0 ||
        (!info_has_type(types->model, result_declared(graph, result)) && info_has_type(types->model, info)))
        result->declared = index + 1;
}

enum opshift_status results_prepare(struct types *types, struct opshift_error *error)
{
    static const struct value_basis facts;
    if (types->results)
        return OPSHIFT_OK;
    size_t count = scopes_last_number(types->scopes) + (size_t)1;
    types->results = pages_calloc(count, sizeof(*types->results));
    types->rests_on = calloc(count, sizeof(*types->rests_on));
    if (types->results == NULL || types->rests_on == NULL || type_keep(types, &type_unknown) == NUMBER_NONE ||
        basis_keep(types, &facts) == NUMBER_NONE) {
        results_free(types);
        return opshift_no_memory(error);
    }
    for (uint32_t i = 0; i < types->model->graph_count; i++) {
        struct graph *graph = types->model->graphs[i];
        uint64_t infos = (uint64_t)graph->input_count + graph->output_count + graph->value_count;
        for (uint64_t k = 0; k < infos && k < UINT32_MAX >> 3; k++)
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
    free(types->rests_on);
    types->results = NULL;
    types->rests_on = NULL;
    types->clashed = NULL;
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
    if (!table_reserve(&types->declared_table, 1) ||
        !list_grow(&types->declared, types->declared_count, &types->declared_room, sizeof(*types->declared)))
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
