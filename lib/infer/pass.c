/* One forward pass over a model: graph by graph, each node after its producers. */
#include "infer/clash.h"
#include "infer/result.h"

#include <stdlib.h>
#include <string.h>

#include "infer/known.h"
#include "infer/shape.h"
#include "schema/constraint.h"

/* Limit on inferred nodes, per node of the model, as loops and calls repeat inference. */
#define WORK_FACTOR 8u
#define WORK_LEAST  20000u

#define NEVER UINT32_MAX /* no node of the graph has been inferred yet */

/* ---- rules ---- */

static void rules_find(const struct types *types, const struct node *node, int64_t opset, struct operator_rules *rules)
{
    const struct names *names = types->model->names;
    const char *op_type = names_whole(names, node->op_type), *domain = names_whole(names, node_domain(node));
    *rules =
        (struct operator_rules){.op_type = node->op_type, .domain = node_domain(node), .opset = opset, .filled = true};
    if (op_type == NULL || domain == NULL)
        return;
    rules->id = schema_operator(domain, op_type);
    rules->body = body_rule_find(rules->id);
    /* The behaviour of operators at unknown future opsets is unknown. */
    rules->schema = opset <= schema_newest(domain) ? schema_find_later(domain, op_type, opset) : NULL;
    if (rules->schema) {
        rules->type_attribute = type_attribute_find(rules->id);
        rules->shape = shape_rule_find(rules->id);
        rules->known = known_rule_find(rules->id);
        rules->constraints = constraints_find(op_type, &rules->constraint_count);
    }
    rules->passes = rules->constraints == NULL && rules->shape == shape_same && rules->type_attribute == NULL &&
                    rules->known == NULL && schema_passes_element(rules->schema);
}

/* Looked up linearly: a model has few distinct operators. */
struct operator_rules *types_rules(struct types *types, const struct graph *graph, const struct node *node)
{
    struct operator_rules *rules = &types->rules[node->op_type % RULES_KEPT];
    bool same = rules->filled && rules->op_type == node->op_type && rules->domain == node_domain(node);
    if (same && rules->graph == graph)
        return rules;
    int64_t opset = graph_opset(types->model, graph, node_domain(node));
    if (!same || rules->opset != opset)
        rules_find(types, node, opset, rules);
    rules->graph = graph;
    return rules;
}

/* ---- one node ---- */

enum opshift_status inference_fill(struct inference *inference, struct types *types, struct graph *graph,
                                   const struct node *node, const uint32_t *numbers, struct arena *arena,
                                   struct opshift_error *error)
{
    const struct operator_rules *rules = types_rules(types, graph, node);
    const struct schema *schema = scope_callee(types->scopes, node) ? NULL : rules->schema;
    size_t inputs = node->input_count, outputs = node->output_count;
    struct value_type *values = arena_alloc(arena, 1,
                                            (inputs + outputs) * sizeof(*values) + outputs * sizeof(struct known *) +
                                                inputs * sizeof(*inference->numbers));
    if (values == NULL)
        return inference->status = opshift_no_memory(error);
    const struct known **known = (const struct known **)(values + inputs + outputs);
    /* All fields are set one by one, which is faster than to clear the struct before. */
    *inference = (struct inference){.types = types,
                                    .model = types->model,
                                    .scopes = types->scopes,
                                    .arena = arena,
                                    .graph = graph,
                                    .node = node,
                                    .rules = *rules,
                                    .operation = {.id = schema ? schema->id : OPERATOR_NONE,
                                                  .schema = schema,
                                                  .opset = rules->opset,
                                                  .input_count = node->input_count,
                                                  .output_count = node->output_count,
                                                  .attributes = {.model = types->model, .node = node, .arena = arena},
                                                  .size_max = INFER_BYTES_MAX,
                                                  .status = &inference->status,
                                                  .error = error},
                                    .inputs = values,
                                    .numbers = (uint32_t *)(known + outputs),
                                    .outputs = values + inputs,
                                    .known = known,
                                    .error = error,
                                    .status = OPSHIFT_OK,
                                    .rank_follows_dims = false,
                                    .clashes = NULL,
                                    .clash_count = 0,
                                    .basis = {0, 0, 0, 0}};
    for (uint32_t i = 0; i < node->input_count; i++) {
        inference->numbers[i] = numbers ? numbers[i] : value_number(types, graph, node_inputs(node)[i]);
        inference->inputs[i] = *result_type(types, inference->numbers[i]);
    }
    for (uint32_t i = 0; i < node->output_count; i++)
        inference->outputs[i] = type_unknown;
    return inference->status;
}

/* ---- results ---- */

bool type_is_complete(const struct value_type *type)
{
    if (type->type == OPSHIFT_TYPE_UNDEFINED || type->rank < 0)
        return false;
    for (int32_t i = 0; i < type->rank; i++)
        if (type->dims[i] < 0)
            return false;
    return true;
}

/* Fills unknown dims from declared ones, with sizes or with names alone. False: no memory. */
static bool dims_merge(struct types *types, struct value_type *type, const struct value_type *declared, bool sizes,
                       bool *used)
{
    size_t rank = (size_t)type->rank;
    int64_t *dims = arena_alloc(types->scratch, rank + 1, sizeof(*dims));
    name_id *params = arena_alloc(types->scratch, rank + 1, sizeof(*params));
    for (size_t i = 0; dims && params && i < rank; i++) {
        bool open = type->dims[i] < 0;
        bool filled = open && sizes && declared->dims[i] >= 0;
        *used |= filled;
        dims[i] = filled ? declared->dims[i] : type->dims[i];
        params[i] = open && type->params[i] == NAME_NONE ? declared->params[i] : type->params[i];
        if (dims[i] >= 0)
            params[i] = NAME_NONE;
    }
    type->dims = dims;
    type->params = params;
    return dims && params;
}

/* Forgets the sizes of dims. False: no memory. */
static bool dims_free(struct types *types, struct value_type *type)
{
    size_t rank = (size_t)type->rank;
    int64_t *dims = arena_alloc(types->scratch, rank + 1, sizeof(*dims));
    for (size_t i = 0; dims && i < rank; i++)
        dims[i] = -1;
    type->dims = dims;
    return dims != NULL;
}

/* Fills unknown parts from the declaration; origin: the value's number, or 0 if the declaration is a fact. False: no
 * memory. */
static bool type_merge(struct types *types, struct value_type *type, const struct value_type *declared,
                       const struct value_result *result, struct value_basis origin, struct value_basis *basis)
{
    bool used = false, with_shape = !result->is_unstable && !result->is_open;
    if (!type->is_tensor && type->type == OPSHIFT_TYPE_UNDEFINED && declared->other) {
        const char *other = other_join(type->other, declared->other);
        if (other && (type->other == NULL || strlen(other) > strlen(type->other))) {
            type->other = other;
            basis->element = origin.element;
        }
        if (with_shape && type->element == NULL && declared->element && strcmp(type->other, declared->other) == 0) {
            type->element = declared->element;
            basis->shape = origin.shape;
        }
    }
    if (type->type == OPSHIFT_TYPE_UNDEFINED && type->other == NULL && declared->is_tensor) {
        type->type = declared->type;
        type->is_tensor = true;
        basis->element = origin.element;
    }
    if (!with_shape || declared->rank < 0 || !type->is_tensor)
        return true;
    if (type->rank < 0) {
        shape_like(type, declared);
        basis->rank = origin.rank;
        basis->shape = origin.shape;
        return !result->is_freed || dims_free(types, type);
    }
    if (shapes_differ(type, declared))
        return true;
    bool merged = dims_merge(types, type, declared, !result->is_freed, &used);
    if (used)
        basis->shape = origin.shape;
    return merged;
}

/* The basis of a type taken from a declaration; for inputs of the main graph, only of what is given. */
static struct value_basis declared_basis(const struct types *types, const struct graph *graph, uint32_t number)
{
    struct value_basis basis = {.element = number, .rank = number, .shape = number};
    uint32_t index = types->results[number].declared - 1u;
    bool fact = (graph->kind == GRAPH_MAIN || graph->kind == GRAPH_TRAINING) && index < graph->input_count;
    if (fact)
        basis.element = 0;
    if (fact && (graph != types->model->main || !given_has_rank(types->given, index)))
        basis.rank = 0;
    if (fact && (graph != types->model->main || !given_changes(types->given, index)))
        basis.shape = 0;
    return basis;
}

/* Completes a type from the value's declaration. */
static enum opshift_status fill_declared(struct pass *pass, uint32_t number, const struct graph *graph,
                                         const struct value_info *info, struct value_type *type,
                                         struct value_basis *basis)
{
    struct types *types = pass->types;
    struct value_result *result = &types->results[number];
    uint32_t declared;
    enum opshift_status status = declared_number(types, info, &declared, pass->error);
    if (status || declared == 0)
        return status;
    if (pass->repeats > 0 && shapes_differ(type, types->all[declared]))
        result->is_open = true;
    bool merged = type_merge(types, type, types->all[declared], result, declared_basis(types, graph, number), basis);
    return merged ? OPSHIFT_OK : opshift_no_memory(pass->error);
}

enum opshift_status pass_alternative(struct pass *pass, uint32_t number, const struct graph *graph,
                                     const struct value_type *type)
{
    struct value_result *result = &pass->types->results[number];
    const struct value_info *info = number == 0 || result->is_open ? NULL : result_declared(graph, result);
    uint32_t declared = 0;
    enum opshift_status status = info ? declared_number(pass->types, info, &declared, pass->error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK && declared && shapes_differ(type, pass->types->all[declared]))
        result->is_open = true;
    return status;
}

enum opshift_status pass_set(struct pass *pass, uint32_t number, const struct graph *graph,
                             const struct value_type *type, uint32_t constant, struct value_basis basis)
{
    struct types *types = pass->types;
    if (number == 0)
        return OPSHIFT_OK; /* a formal input without a name */
    struct value_result *result = &types->results[number];
    struct value_type merged = *type;
    result->is_freed |= pass->is_freed;
    /* For a value inferred several times, a declaration contradicted once is ignored later. */
    const struct value_info *info =
        type_is_complete(type) && pass->repeats == 0 ? NULL : result_declared(graph, result);
    enum opshift_status status = info ? fill_declared(pass, number, graph, info, &merged, &basis) : OPSHIFT_OK;
    if (status)
        return status;
    merged.is_tensor = merged.is_tensor || merged.type != OPSHIFT_TYPE_UNDEFINED;
    basis.constant = constant ? basis.constant : 0;
    uint32_t kept = type_keep(types, &merged), kept_basis = basis_keep(types, &basis);
    if (kept == NUMBER_NONE || kept_basis == NUMBER_NONE)
        return opshift_no_memory(pass->error);
    result->type = kept;
    result->constant = constant;
    result_set_basis(types, number, kept_basis);
    return OPSHIFT_OK;
}

/* ---- nodes ---- */

/* Does the node precede the producer of an input? */
static void note_order(struct pass *pass, const struct graph *graph, uint32_t index,
                       const struct definition *definition)
{
    if (definition->kind != DEFINED_NODE || pass->order[definition->graph->number])
        return;
    uint32_t reader = definition->graph == graph ? index : pass->current[definition->graph->number];
    if (definition->index >= reader)
        pass->unsorted[definition->graph->number] = true;
}

/* Numbers the values that a node reads, in pass->numbers. False: no memory. */
static bool inputs_find(struct pass *pass, struct graph *graph, uint32_t index)
{
    const struct node *node = &graph->nodes[index];
    if (node->input_count > pass->number_room) {
        uint32_t room = node->input_count < 16 ? 16 : node->input_count;
        uint32_t *grown = realloc(pass->numbers, room * sizeof(*grown));
        if (grown == NULL)
            return false;
        pass->numbers = grown;
        pass->number_room = room;
    }
    for (uint32_t i = 0; i < node->input_count; i++) {
        struct definition definition = scope_find(pass->types->scopes, graph, node_inputs(node)[i]);
        if (pass->order[graph->number] == NULL)
            note_order(pass, graph, index, &definition);
        pass->numbers[i] = definition.number;
    }
    return true;
}

/* Does the declaration of `to`, if any, add nothing to the type of `from`? */
static bool adds_nothing(struct pass *pass, const struct graph *graph, const struct value_result *to,
                         const struct value_result *from)
{
    struct types *types = pass->types;
    uint32_t declared;
    if (to->declared == 0)
        return true;
    if (pass->repeats > 0)
        return false;
    arena_clear(types->scratch);
    return type_is_complete(types->all[from->type]) ||
           (declared_number(types, result_declared(graph, to), &declared, NULL) == OPSHIFT_OK &&
            declared == from->type);
}

static bool passes_on(struct pass *pass, struct graph *graph, uint32_t index)
{
    struct types *types = pass->types;
    const struct node *node = &graph->nodes[index];
    if (node->input_count != 1 || node->output_count != 1 || !types_rules(types, graph, node)->passes)
        return false;
    uint32_t number = output_number(types, graph, index, 0);
    const struct value_result *from = &types->results[pass->numbers[0]];
    struct value_result *to = &types->results[number];
    const struct value_type *type = types->all[from->type];
    if (number == 0 || !type->is_tensor || type->type == OPSHIFT_TYPE_UNDEFINED || type->rank < 0 ||
        !adds_nothing(pass, graph, to, from))
        return false;
    struct value_basis basis = *result_basis(types, pass->numbers[0]);
    basis.constant = 0;
    uint32_t kept_basis = types->rests_on[pass->numbers[0]] == 0 ? 0 : basis_keep(types, &basis);
    if (kept_basis == NUMBER_NONE)
        return false;
    to->type = from->type;
    to->is_freed |= from->is_freed;
    to->constant = 0;
    result_set_basis(types, number, kept_basis);
    return true;
}

/* 0: none. */
static uint32_t output_constant(struct inference *inference, uint32_t output)
{
    if (inference->operation.id == OPERATOR_CONSTANT)
        return known_is_small(&inference->outputs[output]) ? CONSTANT_UNREAD : 0;
    uint32_t kept = inference->known[output] ? constant_keep(inference->types, inference->known[output]) : 0;
    if (kept != NUMBER_NONE)
        return kept;
    inference->status = opshift_no_memory(inference->error);
    return 0;
}

static uint32_t first_of(uint32_t a, uint32_t b)
{
    return a ? a : b;
}

/* The outputs of an invalid node keep their element types alone. */
static void shapes_forget(struct inference *inference)
{
    for (uint32_t i = 0; i < inference->node->output_count; i++) {
        inference->outputs[i].rank = -1;
        inference->outputs[i].element = NULL;
    }
}

/* A shape derived from a constant inherits the constant's basis, and a constant derived from shapes theirs. */
void inference_run(struct inference *inference)
{
    bool some = inference->node->output_count > 0;
    size_t count;
    inference_attributes(inference, &count);
    infer_elements(inference);
    if (inference->rules.shape && some && count > 0)
        attributes_check(inference);
    if (constraints_check(inference) && inference->clash_count == 0 && inference->rules.shape && some)
        inference->rules.shape(inference);
    if (inference->clash_count > 0) {
        shapes_forget(inference);
        return;
    }
    struct value_basis basis = inference->basis;
    basis.shape = first_of(basis.shape, first_of(basis.rank, basis.constant));
    basis.rank = first_of(basis.rank, inference->rank_follows_dims ? basis.shape : basis.constant);
    if (inference->rules.known && some)
        inference->rules.known(inference);
    basis.constant = first_of(inference->basis.constant, inference->basis.shape);
    inference->basis = basis;
}

static struct value_basis output_basis(const struct inference *inference, uint32_t output)
{
    return basis_trim(inference->basis, &inference->outputs[output]);
}

static enum opshift_status plain_node(struct pass *pass, struct graph *graph, uint32_t index)
{
    struct types *types = pass->types;
    const struct node *node = &graph->nodes[index];
    struct inference inference;
    arena_clear(types->scratch);
    if (inference_fill(&inference, types, graph, node, pass->numbers, types->scratch, pass->error))
        return inference.status;
    if (inference.operation.schema != NULL)
        inference_run(&inference);
    if (inference.clash_count > 0 && !types_set_clashed(types, graph, index))
        return opshift_no_memory(pass->error);
    if (inference.status == OPSHIFT_OK && (arena_was_out(types->scratch) || arena_was_full(types->scratch)))
        inference.status = opshift_no_memory(pass->error);
    uint32_t first = node->output_count > 0 ? output_number(types, graph, index, 0) : 0;
    if (inference.rules.shape == shape_same && node->input_count > 0 && first &&
        types->results[inference.numbers[0]].is_open && inference.inputs[0].rank < 0)
        types->results[first].is_open = true;
    for (uint32_t i = 0; i < node->output_count && inference.status == OPSHIFT_OK; i++) {
        uint32_t constant = output_constant(&inference, i);
        if (inference.status == OPSHIFT_OK)
            inference.status = pass_set(pass, i == 0 ? first : output_number(types, graph, index, i), graph,
                                        &inference.outputs[i], constant, output_basis(&inference, i));
    }
    return inference.status;
}

static enum opshift_status node_infer(struct pass *pass, struct graph *graph, uint32_t index)
{
    struct types *types = pass->types;
    const struct node *node = &graph->nodes[index];
    pass->current[graph->number] = index;
    if (++pass->work % PROGRESS_NODES == 0) {
        enum opshift_status status = model_progress(types->model, pass->work, pass->nodes, pass->error);
        if (status)
            return status;
    }
    if (!inputs_find(pass, graph, index))
        return opshift_no_memory(pass->error);
    pass->is_freed = false;
    for (uint32_t i = 0; i < node->input_count; i++)
        pass->is_freed |= types->results[pass->numbers[i]].is_freed;
    const struct function *callee = scope_callee(types->scopes, node);
    if (callee)
        return pass_call(pass, graph, index, callee);
    if (node_subgraph_count(node) > 0)
        return pass_bodies(pass, graph, index);
    return passes_on(pass, graph, index) ? OPSHIFT_OK : plain_node(pass, graph, index);
}

static enum opshift_status pass_node(struct pass *pass, struct graph *graph, uint32_t index)
{
    bool around = pass->is_freed;
    enum opshift_status status = node_infer(pass, graph, index);
    pass->is_freed |= around;
    return status;
}

/* ---- graphs ---- */

static void outputs_forget(struct types *types, const struct graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t k = 0; k < graph->nodes[i].output_count; k++) {
            uint32_t number = output_number(types, graph, i, k);
            types->results[number].type = types->results[number].constant = 0;
            result_set_basis(types, number, 0);
        }
}

bool types_is_final(const struct types *types, const struct graph *graph, name_id name)
{
    enum initializer_role role = scope_initializer_role(types->scopes, graph, name);
    return role == INITIALIZER_CONSTANT || (role == INITIALIZER_DEFAULT && types->freeze);
}

/* A caller may override an initializer with another shape, where the declaration permits it. */
static enum opshift_status initializer_set(struct pass *pass, const struct graph *graph, uint32_t index)
{
    static const struct value_basis facts;
    struct types *types = pass->types;
    const struct initializer *initializer = &graph->initializers[index];
    enum initializer_role role = scope_initializer_role(types->scopes, graph, initializer->name);
    struct value_type type = type_unknown;
    if (role == INITIALIZER_REPLACED)
        return OPSHIFT_OK;
    /* The file may hold any number; an invalid type counts as unknown. */
    type.type = initializer->type < OPSHIFT_TYPE_COUNT ? initializer->type : OPSHIFT_TYPE_UNDEFINED;
    type.is_tensor = true;
    bool fixed = types_is_final(types, graph, initializer->name) && initializer->rank <= TENSOR_RANK_MAX;
    name_id unnamed[TENSOR_RANK_MAX] = {NAME_NONE};
    if (fixed) {
        type.rank = (int32_t)initializer->rank;
        type.dims = initializer->dims;
        type.params = unnamed;
    }
    bool small = fixed && !initializer->sparse && known_is_small(&type);
    return pass_set(pass, scope_initializer_number(types->scopes, graph, index), graph, &type,
                    small ? CONSTANT_UNREAD : 0, facts);
}

static enum opshift_status initializers_set(struct pass *pass, const struct graph *graph)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->initializer_count; i++) {
        if (i % 64 == 0)
            arena_clear(pass->types->scratch);
        status = initializer_set(pass, graph, i);
    }
    return status;
}

enum opshift_status pass_graph(struct pass *pass, struct graph *graph)
{
    enum opshift_status status = initializers_set(pass, graph);
    for (;;) {
        const uint32_t *order = pass->order[graph->number];
        if (pass->current[graph->number] != NEVER)
            outputs_forget(pass->types, graph);
        for (uint32_t i = 0; i < graph->node_count && status == OPSHIFT_OK; i++)
            status = pass_node(pass, graph, order ? order[i] : i);
        if (status || order || !pass->unsorted[graph->number])
            return status;
        pass->order[graph->number] = node_order_find(pass->types, graph);
        if (pass->order[graph->number] == NULL)
            return opshift_no_memory(pass->error);
    }
}

/* Inputs of a graph that no node owns have their declared types. */
static enum opshift_status top_graph(struct pass *pass, struct graph *graph)
{
    static const struct value_basis facts;
    enum opshift_status status = OPSHIFT_OK;
    pass->is_freed = false;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->input_count; i++) {
        uint32_t number = value_number(pass->types, graph, graph->inputs[i].name);
        arena_clear(pass->types->scratch);
        status = pass_set(pass, number, graph, &type_unknown, 0, facts);
        pass->types->results[number].is_freed = graph == pass->types->model->main && given_frees(pass->types->given, i);
    }
    return status ? status : pass_graph(pass, graph);
}

/* ---- the model ---- */

static void pass_free(struct pass *pass)
{
    free(pass->current);
    free((void *)pass->order);
    free(pass->unsorted);
    free(pass->active);
    free(pass->numbers);
    call_memo_free(pass->memo);
}

static bool pass_open(struct pass *pass, struct types *types, struct opshift_error *error)
{
    const struct opshift_model *model = types->model;
    *pass = (struct pass){.types = types, .error = error};
    pass->current = malloc((model->graph_count + 1u) * sizeof(*pass->current));
    pass->order = calloc(model->graph_count + 1u, sizeof(*pass->order));
    pass->unsorted = calloc(model->graph_count + 1u, sizeof(*pass->unsorted));
    pass->active = calloc(model->function_count + 1u, sizeof(*pass->active));
    for (uint32_t i = 0; i < model->graph_count; i++) {
        pass->nodes += model->graphs[i]->node_count;
        if (pass->current)
            pass->current[i] = NEVER;
    }
    pass->work_most = WORK_LEAST + WORK_FACTOR * pass->nodes;
    return pass->current && pass->order && pass->unsorted && pass->active;
}

enum opshift_status types_infer(struct types *types, struct opshift_error *error)
{
    struct pass pass;
    enum opshift_status status = pass_open(&pass, types, error) ? OPSHIFT_OK : opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < types->model->graph_count; i++) {
        struct graph *graph = types->model->graphs[i];
        if (graph->kind == GRAPH_MAIN || graph->kind == GRAPH_TRAINING)
            status = top_graph(&pass, graph);
    }
    if (status == OPSHIFT_OK)
        status = pass_functions(&pass);
    pass_free(&pass);
    types->is_inferred = status == OPSHIFT_OK;
    return status;
}
