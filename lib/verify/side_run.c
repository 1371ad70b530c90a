/* Computes values on either side with the built-in kernels, on random values from a seed. */
#include "verify/side_run.h"

#include <math.h>
#include <string.h>

#include "base/list.h"
#include "model/number.h"
#include "run/draw.h"
#include "schema/schema.h"

/* Values of a run that are found without a table; most runs have no more. */
#define VALUES_FEW 8u

/* One question: a name as seen from a graph of one side. */
static enum opshift_status find_value(struct run *run, struct run_side *side, struct graph *graph, name_id name,
                                      unsigned depth, struct value *value, enum outcome *outcome,
                                      struct opshift_error *error);

/* Of two with one name, the first counts. VALUE_ABSENT: not in the list. */
static struct value lookup(const struct valued_list *list, name_id name)
{
    for (uint32_t i = 0; i < list->count && i < VALUES_FEW; i++)
        if (list->items[i].name == name)
            return list->items[i].value;
    uint64_t hash = table_hash(&list->table, &name, sizeof(name));
    for (uint32_t at = 0, item; (item = table_next(&list->table, hash, &at)) != TABLE_NONE;)
        if (list->items[item].name == name)
            return list->items[item].value;
    return (struct value){0};
}

static bool keep(struct run *run, struct valued_list *list, name_id name, struct value value)
{
    bool few = list->count < VALUES_FEW;
    list->table.arena = run->arena;
    if (!few && !table_reserve(&list->table, 1))
        return false;
    if (!arena_list_grow(run->arena, &list->items, list->count, &list->room, sizeof(*list->items)))
        return false;
    if (!few && lookup(list, name).kind == VALUE_ABSENT)
        table_put(&list->table, table_hash(&list->table, &name, sizeof(name)), list->count);
    list->items[list->count++] = (struct valued){.name = name, .value = value};
    return true;
}

static void say(struct run *run, enum outcome *outcome, enum outcome what, const char *words)
{
    *outcome = what;
    run->why = words == NULL ? "out of memory" : words;
}

bool run_give(struct run *run, name_id name, const struct tensor *tensor)
{
    return keep(run, &run->given, name, value_of(tensor));
}

/* ---- inputs of both sides ---- */

/* The types that the node allows for a value that it reads; all bits: the value is read elsewhere. */
static uint64_t allowed_types(const struct run *run, name_id name)
{
    const struct node *node = run->node;
    const struct opshift_model *model = run->before.side->model;
    const struct names *names = model->names;
    const struct schema *schema = schema_find(names_text(names, node_domain(node)), names_text(names, node->op_type),
                                              graph_opset(model, run->before.graph, node_domain(node)));
    uint64_t types = UINT64_MAX;
    for (uint32_t i = 0; schema != NULL && i < node->input_count; i++) {
        const struct schema_parameter *parameter = schema_input(schema, i);
        if (node_inputs(node)[i] == name && parameter != NULL)
            types &= schema_types(schema, parameter)->tensor;
    }
    return types;
}

/* Chooses an unknown rank and type, different in each run. */
static void choose_type(const struct run *run, name_id name, struct value_type *type, uint32_t *rank)
{
    static const uint32_t ranks[DRAWN_RANKS] = {2, 3, 1, 4, 2, 0, 3};
    static const enum opshift_type types[] = {OPSHIFT_TYPE_FLOAT, OPSHIFT_TYPE_FLOAT, OPSHIFT_TYPE_INT64,
                                              OPSHIFT_TYPE_DOUBLE, OPSHIFT_TYPE_INT32};
    uint32_t attempt = run->style == NULL ? 0 : run->style->attempt;
    *rank = type->rank < 0 ? ranks[attempt % COUNT(ranks)] : (uint32_t)type->rank;
    uint64_t allowed = type->type == OPSHIFT_TYPE_UNDEFINED ? allowed_types(run, name) : 0;
    for (uint32_t i = 0; type->type == OPSHIFT_TYPE_UNDEFINED && i < COUNT(types); i++) {
        enum opshift_type chosen = types[(attempt / SPECIAL_ROUND + i) % COUNT(types)];
        if (allowed >> chosen & 1)
            type->type = chosen;
    }
    if (type->type == OPSHIFT_TYPE_UNDEFINED)
        type->type = OPSHIFT_TYPE_FLOAT;
}

/* The number of an open dim, which is new unless another one has its name. */
static uint32_t dim_number(struct run_drawn *drawn, name_id name)
{
    uint32_t at = 0;
    while (at < drawn->dim_count && (name == NAME_NONE || drawn->names[at] != name))
        at++;
    if (at == drawn->dim_count && at < DRAWN_DIMS_MAX)
        drawn->names[drawn->dim_count++] = name;
    return at;
}

/* Chooses an unknown dim. Often all are 1, since the inputs of many operators must agree; equal dim names always get
 * equal dims. */
static int64_t choose_dim(struct run *run, const struct value_type *type, uint32_t axis)
{
    const struct draw_style *style = run->style;
    name_id name = type->params == NULL || type->rank < 0 ? NAME_NONE : type->params[axis];
    if (style == NULL || style->dim_count == 0)
        return 3;
    if (name == NAME_NONE && style->attempt % 5 > 1)
        return style->dims[draw_next(&run->seed) % style->dim_count];
    uint64_t key = run->first_seed;
    for (const char *letter = names_text(run->before.side->model->names, name); *letter != '\0'; letter++)
        key = key * 31 + (uint8_t)*letter;
    return style->dims[draw_next(&key) % style->dim_count];
}

static int64_t open_dim(struct run *run, const struct value_type *type, uint32_t axis)
{
    const struct draw_style *style = run->style;
    uint32_t number = dim_number(&run->inputs, type->params == NULL || type->rank < 0 ? NAME_NONE : type->params[axis]);
    bool given = style != NULL && style->sizes != NULL && number < style->size_count;
    int64_t size = given ? style->sizes[number] : choose_dim(run, type, axis);
    if (number < DRAWN_DIMS_MAX)
        run->inputs.sizes[number] = size;
    return size;
}

/* False: too many elements. */
static bool choose_dims(struct run *run, const struct value_type *type, uint32_t rank, int64_t *dims)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = type->rank < 0 || type->dims[i] < 0 ? open_dim(run, type, i) : type->dims[i];
        count =
            dims[i] == 0 || count < (UINT64_C(1) << 24) / (uint64_t)dims[i] ? count * (uint64_t)dims[i] : UINT64_MAX;
        if (count == UINT64_MAX)
            return false;
    }
    run->drawn += count;
    return true;
}

/* The parts of the type that all calls of a function have in common: those that it leaves unknown are as in one call,
 * the same one in all of a run. */
static enum opshift_status call_type(const struct run *run, name_id name, struct value_type *type,
                                     struct opshift_error *error)
{
    const struct side *side = run->before.side;
    struct graph *graph = run->before.graph;
    enum opshift_status status = OPSHIFT_OK;
    for (unsigned depth = 0; status == OPSHIFT_OK && graph->function && depth < RUN_DEPTH_MAX; depth++) {
        uint32_t count;
        struct definition found = scope_find(side->scopes, graph, name);
        const struct call *calls = scope_calls(side->scopes, graph->function, &count);
        if (found.kind != DEFINED_INPUT || found.graph != graph->function->body || count == 0)
            break;
        const struct call *call = &calls[run->first_seed % count];
        const struct node *node = &call->graph->nodes[call->node];
        if (found.index >= node->input_count || node_inputs(node)[found.index] == NAME_NONE)
            break;
        graph = call->graph;
        name = node_inputs(node)[found.index];
        status = types_find(side->types, graph, name, type, error);
    }
    return status;
}

static void note_input(struct run_drawn *drawn, const struct tensor *tensor)
{
    const struct number_type *type = number_type(tensor->type);
    drawn->has_real |= type == NULL || type->kind == NUMBER_REAL;
    drawn->has_whole |= type != NULL && type->kind != NUMBER_REAL && tensor->type != OPSHIFT_TYPE_BOOL;
    if (drawn->input_count++ == 0 || tensor->count < drawn->least_count)
        drawn->least_count = tensor->count;
}

/* Draws a value for a name that both sides have and neither computes here, by its type. */
static enum opshift_status draw(struct run *run, name_id before_name, struct value *value, enum outcome *outcome,
                                struct opshift_error *error)
{
    struct value_type type = {.rank = -1};
    int64_t dims[TENSOR_RANK_MAX];
    struct tensor *made = NULL;
    uint32_t rank;
    enum opshift_status status = types_find(run->before.side->types, run->before.graph, before_name, &type, error);
    if (status == OPSHIFT_OK)
        status = call_type(run, before_name, &type, error);
    if (status)
        return status;
    if (type.rank > TENSOR_RANK_MAX || (type.is_tensor && type.type == OPSHIFT_TYPE_UNDEFINED && type.rank > 8)) {
        say(run, outcome, OUTCOME_CANNOT, "an input has too many axes");
        return OPSHIFT_OK;
    }
    choose_type(run, before_name, &type, &rank);
    if (!choose_dims(run, &type, rank, dims)) {
        say(run, outcome, OUTCOME_CANNOT, "an input is too large to draw");
        return OPSHIFT_OK;
    }
    status = run->style == NULL ? sample_tensor(run->arena, type.type, rank, dims, &run->seed, &made, error)
                                : sample_special(run->arena, type.type, rank, dims, run->style, run->inputs.input_count,
                                                 &run->seed, &made, error);
    if (status)
        return status;
    note_input(&run->inputs, made);
    *value = value_of(made);
    return run_give(run, before_name, made) ? OPSHIFT_OK : opshift_no_memory(error);
}

/* ---- nodes ---- */

static enum opshift_status read_inputs(struct run *run, struct run_side *side, struct graph *graph,
                                       const struct node *node, unsigned depth, struct value *inputs,
                                       enum outcome *outcome, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < node->input_count && status == OPSHIFT_OK && *outcome == OUTCOME_VALUE; i++)
        if (node_inputs(node)[i] != NAME_NONE)
            status = find_value(run, side, graph, node_inputs(node)[i], depth + 1, &inputs[i], outcome, error);
    return status;
}

/* Why a node cannot be run here; NULL: it can. A Loop may run on drawn inputs for ever. */
static const char *obstacle(struct run_side *side, const struct node *node, unsigned depth)
{
    const char *op_type = names_text(side->side->model->names, node->op_type);
    if (depth >= RUN_DEPTH_MAX || side->node_count++ >= RUN_NODES_MAX)
        return "more nodes are between the two cuts than are run here";
    return node_subgraph_count(node) > 0 && strcmp(op_type, "Loop") == 0 ? "a Loop is not run on drawn inputs" : NULL;
}

static enum opshift_status run_node(struct run *run, struct run_side *side, struct graph *graph,
                                    const struct node *node, unsigned depth, enum outcome *outcome,
                                    struct opshift_error *error)
{
    const char *why = obstacle(side, node, depth);
    if (why != NULL) {
        say(run, outcome, OUTCOME_CANNOT, why);
        return OPSHIFT_OK;
    }
    struct opshift_error wrong = {0};
    struct value *inputs = arena_alloc(run->arena, node->input_count + UINT64_C(1), sizeof(*inputs));
    struct value *outputs = arena_alloc(run->arena, node->output_count + UINT64_C(1), sizeof(*outputs));
    if (inputs == NULL || outputs == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = read_inputs(run, side, graph, node, depth, inputs, outcome, error);
    if (status || *outcome != OUTCOME_VALUE)
        return status;
    status = execution_node(side->execution, graph, node, inputs, outputs, &wrong);
    bool computed = status == OPSHIFT_OK || status == OPSHIFT_MALFORMED || status == OPSHIFT_UNSUPPORTED;
    if (computed && execution_guessed(side->execution)) {
        if (status == OPSHIFT_OK)
            values_drop(outputs, node->output_count);
        say(run, outcome, OUTCOME_CANNOT, "a body that never runs gives no shape");
        return OPSHIFT_OK;
    }
    if (status == OPSHIFT_MALFORMED || status == OPSHIFT_UNSUPPORTED) {
        run->undefined = status == OPSHIFT_UNSUPPORTED;
        say(run, outcome, status == OPSHIFT_MALFORMED ? OUTCOME_REFUSED : OUTCOME_CANNOT,
            arena_print(run->arena, "%s", wrong.text));
        return OPSHIFT_OK;
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->output_count; i++)
        if (outputs[i].kind != VALUE_ABSENT && !keep(run, &side->known, node_outputs(node)[i], outputs[i])) {
            values_drop(outputs + i, node->output_count - i);
            return opshift_no_memory(error);
        }
    return error_give(error, status, &wrong);
}

/* ---- names ---- */

/* The constant of this name on either side. */
static enum opshift_status find_constant(struct run_side *side, struct graph *graph, name_id name,
                                         const struct tensor **tensor, struct opshift_error *error)
{
    enum opshift_status status = fold_constant_briefly(side->side->fold, graph, name, tensor, NULL, error);
    name_id other = side->side->other[name];
    if (status || *tensor != NULL || other == NAME_NO_MEMORY)
        return status;
    return fold_constant_briefly(side->other->fold, side->other_graph, other, tensor, NULL, error);
}

/* Constants with more elements are data. */
#define CONSTANT_READ_MAX 16u

static void add_constant(struct constant_list *list, const struct tensor *tensor)
{
    const struct number_type *type = number_type(tensor->type);
    for (uint64_t i = 0; type != NULL && tensor->count <= CONSTANT_READ_MAX && i < tensor->count; i++) {
        union number number = type->load((const char *)tensor->data + i * type->size);
        double real = type->kind == NUMBER_REAL     ? number.d
                      : type->kind == NUMBER_SIGNED ? (double)number.i
                                                    : (double)number.u;
        bool is_new = isfinite(real) && list->count < COUNT(list->items);
        for (uint32_t k = 0; k < list->count && is_new; k++)
            is_new = list->items[k] != real;
        if (is_new)
            list->items[list->count++] = real;
    }
}

static bool both_have(const struct run_side *side, name_id name)
{
    name_id other = side->side->other[name];
    return other != NAME_NO_MEMORY && scope_find(side->other->scopes, side->other_graph, other).kind != DEFINED_NOWHERE;
}

/* Is it a tensor read from a removed sequence? Both sides have it and must compute it. */
static bool is_read_from_sequence(const struct run *run, name_id before_name)
{
    const struct scopes *scopes = run->before.side->scopes;
    if (run->sequence == NULL)
        return false;
    struct definition found = scope_find(scopes, run->before.graph, before_name);
    const struct node *node = found.kind == DEFINED_NODE ? &found.graph->nodes[found.index] : NULL;
    if (node == NULL || node->input_count == 0)
        return false;
    found = scope_find(scopes, found.graph, node_inputs(node)[0]);
    return found.kind == DEFINED_NODE && &found.graph->nodes[found.index] == run->sequence;
}

/* An output of the node itself, which its replacement may read. */
static bool is_own_output(const struct run *run, name_id before_name)
{
    for (uint32_t i = 0; run->node != NULL && i < run->node->output_count; i++)
        if (node_outputs(run->node)[i] == before_name)
            return true;
    return false;
}

static enum opshift_status find_value(struct run *run, struct run_side *side, struct graph *graph, name_id name,
                                      unsigned depth, struct value *value, enum outcome *outcome,
                                      struct opshift_error *error)
{
    name_id before_name = side == &run->before ? name : side->side->other[name];
    const struct tensor *constant = NULL;
    enum input_presence presence;
    enum opshift_status status = input_presence_find(&side->side->calls, graph, name, &presence, error);
    *value = lookup(&side->known, name);
    if (status || presence == INPUT_LEFT_OUT || value->kind != VALUE_ABSENT)
        return status;
    bool shared = both_have(side, name) && !is_read_from_sequence(run, before_name) && !is_own_output(run, before_name);
    if (shared)
        *value = lookup(&run->given, before_name);
    if (value->kind != VALUE_ABSENT)
        return OPSHIFT_OK;
    status = find_constant(side, graph, name, &constant, error);
    *value = value_of(constant);
    if (status == OPSHIFT_OK && constant != NULL && run->style != NULL && run->style->constants != NULL)
        add_constant(run->style->constants, constant);
    if (status || constant != NULL)
        return status;
    if (shared)
        return draw(run, before_name, value, outcome, error);
    struct definition definition = scope_find(side->side->scopes, graph, name);
    if (definition.kind != DEFINED_NODE) {
        say(run, outcome, OUTCOME_CANNOT,
            arena_print(run->arena, "'%s' is no value of the other side", names_text(side->side->model->names, name)));
        return OPSHIFT_OK;
    }
    status = run_node(run, side, definition.graph, &definition.graph->nodes[definition.index], depth, outcome, error);
    *value = lookup(&side->known, name);
    return status;
}

enum opshift_status run_output(struct run *run, struct run_side *side, name_id name, const struct tensor **tensor,
                               enum outcome *outcome, struct opshift_error *error)
{
    struct definition definition = scope_find(side->side->scopes, side->graph, name);
    struct value value = lookup(&side->known, name);
    enum opshift_status status = OPSHIFT_OK;
    *outcome = OUTCOME_VALUE;
    if (value.kind == VALUE_ABSENT && definition.kind != DEFINED_NODE) {
        status = find_value(run, side, side->graph, name, 0, &value, outcome, error);
    } else if (value.kind == VALUE_ABSENT) {
        status = run_node(run, side, definition.graph, &definition.graph->nodes[definition.index], 0, outcome, error);
        value = lookup(&side->known, name);
    }
    *tensor = value.tensor;
    if (status == OPSHIFT_OK && *outcome == OUTCOME_VALUE && value.kind != VALUE_TENSOR)
        say(run, outcome, OUTCOME_CANNOT,
            arena_print(run->arena, "'%s' is %s", names_text(side->side->model->names, name),
                        value_kind_name(value.kind)));
    return status;
}

/* ---- start and end ---- */

static enum opshift_status side_start(struct run_side *side, struct execution_options options,
                                      struct opshift_error *error)
{
    options.attributes = side->attributes;
    return execution_new(side->side->model, side->side->scopes, &options, &side->execution, error);
}

enum opshift_status run_start(struct run *run, struct budget *budget, struct opshift_error *error)
{
    const struct binding *binding = run->binding;
    struct execution_options options = {.budget = budget, .parameters_open = true, .checks_types = run->strict};
    if (binding != NULL) {
        options.parameters = binding->values;
        options.parameter_count = binding->count;
        options.parameters_open = binding->partial;
    }
    enum opshift_status status = side_start(&run->after, options, error);
    options.defined = run->strict; /* the second side may overflow on its way */
    return status == OPSHIFT_OK ? side_start(&run->before, options, error) : status;
}

static void side_end(struct run_side *side)
{
    for (uint32_t i = 0; i < side->known.count; i++)
        value_drop(&side->known.items[i].value);
    execution_free(side->execution);
}

void run_end(struct run *run)
{
    side_end(&run->before);
    side_end(&run->after);
}
