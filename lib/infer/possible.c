/* Which element types the values of a model may have at all: those of its inputs and initializers, and those that
 * operators make of nothing or out of others. No value's type is worked out for it, but of nodes that may give any. */
#include "infer/entry.h"

#define POSSIBLE_ALL   UINT64_MAX
#define OPERATORS_SAID 64u

struct survey {
    struct types *types;
    struct possible *possible;
    name_id said[OPERATORS_SAID]; /* operators without a domain that give nothing that was not added */
    struct opshift_error *error;
};

static uint64_t bit_of(enum opshift_type type)
{
    return UINT64_C(1) << type;
}

/* The one element type of a set. 0: there are several, or others than tensors. */
static uint64_t only_of(const struct type_set *set)
{
    return *type_set_others(set) == UINT16_MAX && (set->tensor & (set->tensor - 1)) == 0 ? set->tensor : 0;
}

/* Must a node have an input of this variable? */
static bool is_read(const struct schema *schema, uint8_t variable)
{
    for (uint32_t i = 0; i < schema->input_count && i < schema->input_min; i++)
        if (schema_inputs(schema)[i].variable == variable && schema_inputs(schema)[i].homogeneous)
            return true;
    return false;
}

void operation_survey(struct operation *operation)
{
    const struct schema *schema = operation->schema;
    operation->gives = 0;
    operation->gives_any = schema == NULL || operation->type_attribute;
    if (operation->body) { /* what bodies give are values too */
        operation->gives_any = false;
        return;
    }
    for (uint32_t i = 0; schema && i < schema->output_count; i++) {
        const struct schema_parameter *output = &schema_outputs(schema)[i];
        uint64_t only = only_of(schema_types(schema, output));
        operation->gives |= only;
        operation->gives_any |= only == 0 && !(output->homogeneous && is_read(schema, output->variable));
    }
}

static void add_unknown(struct survey *survey)
{
    *survey->possible = (struct possible){POSSIBLE_ALL, true};
}

/* False: nothing is known of it. */
static bool add_type(struct survey *survey, const struct value_type *type)
{
    if (type->type != OPSHIFT_TYPE_UNDEFINED)
        survey->possible->elements |= bit_of(type->type);
    else if (type->other)
        survey->possible->others = true;
    return type->type != OPSHIFT_TYPE_UNDEFINED || type->other;
}

/* *told: a type is declared. */
static enum opshift_status add_info(struct survey *survey, const struct value_info *info, bool *told)
{
    struct types *types = survey->types;
    struct value_type type;
    arena_clear(types->scratch);
    enum opshift_status status = declared_type(types, info, types->scratch, &type, survey->error);
    *told = status == OPSHIFT_OK && add_type(survey, &type);
    return status;
}

static enum opshift_status add_infos(struct survey *survey, const struct value_info *infos, uint32_t count)
{
    enum opshift_status status = OPSHIFT_OK;
    bool told;
    for (uint32_t i = 0; i < count && status == OPSHIFT_OK; i++)
        status = add_info(survey, &infos[i], &told);
    return status;
}

/* What gives a graph its inputs is seen as values of its own, but for the numbers and conditions of a Loop. */
static bool is_fed(const struct survey *survey, const struct graph *graph)
{
    return graph->kind == GRAPH_SUB &&
           types_operation(survey->types, graph->parent, &graph->parent->nodes[graph->owner])->body;
}

/* Any number may stand in a file; one that is no type says nothing. */
static void add_initializer(struct survey *survey, const struct initializer *initializer)
{
    if (initializer->type > OPSHIFT_TYPE_UNDEFINED && initializer->type < OPSHIFT_TYPE_COUNT)
        survey->possible->elements |= bit_of(initializer->type);
    else
        add_unknown(survey);
}

static enum opshift_status add_declared(struct survey *survey, const struct graph *graph)
{
    enum opshift_status status = OPSHIFT_OK;
    bool told, fed = is_fed(survey, graph);
    for (uint32_t i = 0; i < graph->input_count && status == OPSHIFT_OK; i++) {
        status = add_info(survey, &graph->inputs[i], &told);
        if (!told && fed)
            survey->possible->elements |= bit_of(OPSHIFT_TYPE_INT64) | bit_of(OPSHIFT_TYPE_BOOL);
        else if (!told)
            add_unknown(survey);
    }
    if (status == OPSHIFT_OK)
        status = add_infos(survey, graph->outputs, graph->output_count);
    if (status == OPSHIFT_OK)
        status = add_infos(survey, graph->values, graph->value_count);
    for (uint32_t i = 0; i < graph->initializer_count; i++)
        add_initializer(survey, &graph->initializers[i]);
    return status;
}

static enum opshift_status add_outputs(struct survey *survey, struct graph *graph, const struct node *node)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < node->output_count && status == OPSHIFT_OK; i++) {
        struct value_type type;
        if (node_outputs(node)[i] == NAME_NONE)
            continue;
        status = types_element(survey->types, graph, node_outputs(node)[i], &type, survey->error);
        if (status == OPSHIFT_OK && !add_type(survey, &type))
            add_unknown(survey);
    }
    return status;
}

static enum opshift_status add_nodes(struct survey *survey, struct graph *graph)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < graph->node_count && status == OPSHIFT_OK; i++) {
        const struct node *node = &graph->nodes[i];
        name_id *said = &survey->said[node->op_type % OPERATORS_SAID];
        if (*said == node->op_type && node_domain(node) == NAME_NONE)
            continue;
        const struct operation *operation = types_operation(survey->types, graph, node);
        survey->possible->elements |= operation->gives;
        if (operation->gives_any && survey->possible->elements != POSSIBLE_ALL)
            status = add_outputs(survey, graph, node);
        else if (node_domain(node) == NAME_NONE)
            *said = node->op_type;
    }
    return status;
}

enum opshift_status types_possible(struct types *types, struct possible *possible, struct opshift_error *error)
{
    const struct opshift_model *model = types->model;
    struct survey survey = {.types = types, .possible = possible, .error = error};
    enum opshift_status status = OPSHIFT_OK;
    *possible = (struct possible){0};
    if (model->function_count > 0) /* whose parameters follow from calls, and whose attributes from references */
        add_unknown(&survey);
    for (uint32_t i = 0; i < model->graph_count && possible->elements != POSSIBLE_ALL && status == OPSHIFT_OK; i++)
        status = add_declared(&survey, model->graphs[i]);
    for (uint32_t i = 0; i < model->graph_count && possible->elements != POSSIBLE_ALL && status == OPSHIFT_OK; i++)
        status = add_nodes(&survey, model->graphs[i]);
    return status;
}
