/* Types of a model's values by name. The first query infers all of them. */
#include "infer/types.h"

#include <stdlib.h>

#include "infer/known.h"
#include "model/limits.h"

enum opshift_status types_new(struct opshift_model *model, struct scopes *scopes, struct types **types,
                              struct opshift_error *error)
{
    struct types *made = calloc(1, sizeof(*made));
    *types = NULL;
    if (made == NULL)
        return opshift_no_memory(error);
    *made = (struct types){.model = model,
                           .scopes = scopes,
                           .arena = arena_new(model->limits.memory),
                           .scratch = arena_new(model->limits.memory)};
    if (made->arena == NULL || made->scratch == NULL) {
        types_free(made);
        return opshift_no_memory(error);
    }
    *types = made;
    return OPSHIFT_OK;
}

void types_freeze(struct types *types)
{
    types->freeze = true;
}

enum opshift_status types_give(struct types *types, const struct opshift_given *given, struct opshift_error *error)
{
    struct given *read = NULL;
    enum opshift_status status = given_read(types->model, given, &read, error);
    if (status)
        return status;
    given_free(types->given);
    types->given = read;
    return OPSHIFT_OK;
}

bool types_is_given(const struct types *types, const struct graph *graph, name_id name)
{
    for (uint32_t i = 0; graph == types->model->main && i < graph->input_count; i++)
        if (graph->inputs[i].name == name)
            return given_changes(types->given, i);
    return false;
}

void types_free(struct types *types)
{
    if (types == NULL)
        return;
    results_free(types);
    given_free(types->given);
    arena_free(types->arena);
    arena_free(types->scratch);
    free(types);
}

/* After a failure, the next query starts again. */
static enum opshift_status failed(struct types *types, enum opshift_status status, struct opshift_error *error)
{
    const struct opshift_limits *limits = &types->model->limits;
    status = limit_judge_memory(limits, types->arena, status, "the types of values", error);
    status = limit_judge_memory(limits, types->scratch, status, "the types of values", error);
    results_free(types);
    arena_clear(types->arena);
    return status;
}

static enum opshift_status infer_once(struct types *types, struct opshift_error *error)
{
    if (types->is_inferred)
        return OPSHIFT_OK;
    enum opshift_status status = results_prepare(types, error);
    if (status == OPSHIFT_OK)
        status = types_infer(types, error);
    if (status)
        status = failed(types, status, error);
    arena_clear(types->scratch);
    return status;
}

enum opshift_status types_all(struct types *types, struct opshift_error *error)
{
    return infer_once(types, error);
}

enum opshift_status types_find(struct types *types, struct graph *graph, name_id name, struct value_type *type,
                               struct opshift_error *error)
{
    *type = type_unknown;
    enum opshift_status status = name == NAME_NONE ? OPSHIFT_OK : infer_once(types, error);
    if (name != NAME_NONE && status == OPSHIFT_OK)
        *type = *result_type(types, value_number(types, graph, name));
    return status;
}

enum opshift_status types_find_element(struct types *types, struct graph *graph, name_id name, struct value_type *type,
                                       bool *assumed, struct opshift_error *error)
{
    enum opshift_status status = infer_once(types, error);
    uint32_t number = status ? 0 : value_number(types, graph, name);
    *type = status ? type_unknown : *result_type(types, number);
    *assumed = status == OPSHIFT_OK && result_basis(types, number)->element != 0;
    return status;
}

enum opshift_status types_assumption(struct types *types, struct graph *graph, name_id name, enum type_part part,
                                     struct type_assumption *assumption, struct opshift_error *error)
{
    *assumption = (struct type_assumption){NULL, NAME_NONE};
    enum opshift_status status = name == NAME_NONE ? OPSHIFT_OK : infer_once(types, error);
    if (name == NAME_NONE || status)
        return status;
    const struct value_basis *basis = result_basis(types, value_number(types, graph, name));
    *assumption = value_name(types, part == TYPE_PART_ELEMENT ? basis->element
                                    : part == TYPE_PART_RANK  ? basis->rank
                                                              : basis->shape);
    return OPSHIFT_OK;
}

/* Maximum nodes examined behind a constant. */
#define BEHIND_MAX 64u

/* The walk from a constant to what it is computed from. */
struct constant_walk {
    struct type_assumption names[BEHIND_MAX];
    uint32_t count;
};

static bool walk_add(struct constant_walk *walk, struct graph *graph, name_id name)
{
    for (uint32_t i = 0; i < walk->count; i++)
        if (walk->names[i].name == name && walk->names[i].graph == graph)
            return true;
    if (walk->count == BEHIND_MAX)
        return false;
    walk->names[walk->count++] = (struct type_assumption){graph, name};
    return true;
}

static bool reads_shape(const struct types *types, const struct node *node)
{
    enum operator_id id = schema_operator("", names_text(types->model->names, node->op_type));
    return node_domain(node) == NAME_NONE && (id == OPERATOR_SHAPE || id == OPERATOR_SIZE);
}

enum opshift_status types_constant_assumption(struct types *types, struct graph *graph, name_id name,
                                              struct type_assumption *assumption, struct opshift_error *error)
{
    struct constant_walk walk = {.count = 0};
    enum opshift_status status = OPSHIFT_OK;
    *assumption = (struct type_assumption){NULL, NAME_NONE};
    walk_add(&walk, graph, name);
    for (uint32_t at = 0; at < walk.count && status == OPSHIFT_OK && assumption->graph == NULL; at++) {
        struct definition definition = scope_find(types->scopes, walk.names[at].graph, walk.names[at].name);
        if (definition.kind != DEFINED_NODE)
            continue;
        const struct node *node = &definition.graph->nodes[definition.index];
        for (uint32_t i = 0; i < node->input_count && status == OPSHIFT_OK; i++) {
            name_id input = node_inputs(node)[i];
            if (reads_shape(types, node))
                status = types_assumption(types, definition.graph, input, TYPE_PART_SHAPE, assumption, error);
            else if (input != NAME_NONE && !walk_add(&walk, definition.graph, input))
                *assumption = (struct type_assumption){graph, name};
        }
    }
    return status;
}

enum opshift_status types_integers(struct types *types, struct graph *graph, name_id name, struct arena *arena,
                                   const struct tensor **tensor, struct opshift_error *error)
{
    *tensor = NULL;
    enum opshift_status status = name == NAME_NONE ? OPSHIFT_OK : infer_once(types, error);
    if (name == NAME_NONE || status)
        return status;
    uint32_t number = types->results[value_number(types, graph, name)].constant;
    const struct known *known = number == 0 || number == CONSTANT_UNREAD ? NULL : types->constants[number];
    if (known == NULL || known->symbols || (known->type != OPSHIFT_TYPE_INT64 && known->type != OPSHIFT_TYPE_INT32))
        return OPSHIFT_OK;
    struct tensor *made = NULL;
    status = tensor_new(arena, known->type, known->rank, known->dims, &made, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < known->count; i++) {
        if (known->type == OPSHIFT_TYPE_INT64)
            ((int64_t *)made->data)[i] = known->numbers[i];
        else
            ((int32_t *)made->data)[i] = (int32_t)known->numbers[i];
    }
    *tensor = made;
    return status;
}

/* NULL: not declared. */
static enum opshift_status find_declared(struct types *types, struct graph *graph, name_id name,
                                         const struct value_info **info, struct opshift_error *error)
{
    *info = NULL;
    enum opshift_status status = types->results ? OPSHIFT_OK : results_prepare(types, error);
    uint32_t number = status ? 0 : value_number(types, graph, name);
    if (number && types->results[number].declared)
        *info = result_declared(scope_definition(types->scopes, number).graph, &types->results[number]);
    return status;
}

enum opshift_status types_declared(struct types *types, struct graph *graph, name_id name, struct value_type *type,
                                   struct opshift_error *error)
{
    const struct value_info *info;
    uint32_t number;
    *type = type_unknown;
    if (name == NAME_NONE)
        return OPSHIFT_OK;
    enum opshift_status status = find_declared(types, graph, name, &info, error);
    if (status || info == NULL)
        return status;
    status = declared_number(types, info, &number, error);
    arena_clear(types->scratch);
    if (status == OPSHIFT_OK)
        *type = *types->all[number];
    return status;
}

enum opshift_status types_compare(struct types *types, struct graph *graph, name_id name, struct type_pair *pair,
                                  struct opshift_error *error)
{
    *pair = (struct type_pair){.found = &type_unknown};
    enum opshift_status status = name == NAME_NONE ? OPSHIFT_OK : infer_once(types, error);
    if (name == NAME_NONE || status)
        return status;
    struct definition definition = scope_find(types->scopes, graph, name);
    uint32_t number = definition.number, declared = 0;
    const struct value_info *info = number ? result_declared(definition.graph, &types->results[number]) : NULL;
    if (info)
        status = declared_number(types, info, &declared, error);
    arena_clear(types->scratch);
    if (status)
        return status;
    pair->found = result_type(types, number);
    pair->declared = info ? types->all[declared] : NULL;
    return OPSHIFT_OK;
}

enum opshift_status types_declares(struct types *types, const struct graph *graph, name_id name, bool *declares,
                                   struct opshift_error *error)
{
    const struct value_info *info = NULL;
    enum opshift_status status = find_declared(types, types->model->graphs[graph->number], name, &info, error);
    *declares = info != NULL;
    return status;
}

enum opshift_status types_is_unstable(struct types *types, struct graph *graph, name_id name, bool *unstable,
                                      struct opshift_error *error)
{
    *unstable = false;
    enum opshift_status status = infer_once(types, error);
    if (status == OPSHIFT_OK)
        *unstable = types->results[value_number(types, graph, name)].is_unstable;
    return status;
}

enum opshift_status inference_open(struct inference *inference, struct types *types, struct graph *graph,
                                   const struct node *node, struct arena *arena, struct opshift_error *error)
{
    enum opshift_status status = infer_once(types, error);
    return status ? status : inference_fill(inference, types, graph, node, NULL, arena, error);
}
