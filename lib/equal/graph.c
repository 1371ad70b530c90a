/* Reads a model into terms: functions opened, constants computed, an If with a constant condition replaced by its
 * branch. */
#include "equal/term.h"

#include <stdlib.h>
#include <string.h>

#include "equal/align.h"
#include "equal/definition.h"

/* Constants that are computed: bytes of the inputs and outputs of a node, and of all results. */
#define FOLD_NODE_BYTES (UINT64_C(1) << 24)
#define FOLD_ALL_BYTES  (UINT64_C(1) << 28)

static enum opshift_status graph_nodes_read(struct equal_work *work, const struct equal_side *side,
                                            struct reading *reading, struct opshift_error *error);

/* ---- values of names ---- */

static term_id *terms_new(struct equal_work *work, uint64_t count)
{
    term_id *terms = arena_alloc(work->arena, count + 1, sizeof(*terms));
    for (uint64_t i = 0; terms != NULL && i < count; i++)
        terms[i] = TERM_NONE;
    return terms;
}

static enum opshift_status reading_new(struct equal_work *work, struct graph *graph, struct reading *parent,
                                       const struct opening *opening, struct reading **made,
                                       struct opshift_error *error)
{
    uint64_t outputs = 0;
    struct reading *reading = *made = arena_alloc(work->arena, 1, sizeof(*reading));
    if (reading == NULL)
        return opshift_no_memory(error);
    *reading = (struct reading){.parent = parent,
                                .graph = graph,
                                .opening = opening,
                                .depth = parent == NULL ? 0 : parent->depth + 1,
                                .call = parent == NULL ? NULL : parent->call,
                                .at = parent == NULL ? 0 : parent->at,
                                .level = parent == NULL ? 0 : parent->level};
    reading->starts = arena_alloc(work->arena, graph->node_count + UINT64_C(1), sizeof(*reading->starts));
    for (uint32_t i = 0; reading->starts != NULL && i < graph->node_count; i++) {
        reading->starts[i] = (uint32_t)outputs;
        outputs += graph->nodes[i].output_count;
    }
    reading->inputs = terms_new(work, graph->input_count);
    reading->initializers = terms_new(work, graph->initializer_count);
    reading->outputs = terms_new(work, outputs);
    if (reading->starts == NULL || reading->inputs == NULL || reading->initializers == NULL ||
        reading->outputs == NULL || outputs >= UINT32_MAX)
        return opshift_no_memory(error);
    return OPSHIFT_OK;
}

enum opshift_status name_term(struct equal_work *work, const struct equal_side *side, struct reading *reading,
                              name_id name, term_id *term, struct opshift_error *error)
{
    *term = TERM_NONE;
    if (name == NAME_NONE)
        return OPSHIFT_OK;
    struct definition found = scope_find(side->scopes, reading->graph, name);
    struct reading *at = reading;
    while (at != NULL && at->graph != found.graph)
        at = at->parent;
    if (found.kind == DEFINED_NOWHERE || at == NULL)
        return OPSHIFT_OK;
    for (struct reading *inner = reading; inner != at; inner = inner->parent)
        inner->captures = true;
    if (found.kind == DEFINED_INPUT)
        *term = at->inputs[found.index];
    else if (found.kind == DEFINED_NODE)
        *term = at->outputs[at->starts[found.index] + found.output];
    else
        *term = at->initializers[found.index];
    if (*term != TERM_NONE || found.kind != DEFINED_INITIALIZER)
        return OPSHIFT_OK;
    enum opshift_status status = content_initializer(work, side, &at->graph->initializers[found.index], term, error);
    at->initializers[found.index] = *term;
    return status;
}

/* A value that a caller gives: the input, or the initializer of its name. */
static void input_set(const struct equal_side *side, struct reading *reading, uint32_t index, term_id term)
{
    struct definition found = scope_find(side->scopes, reading->graph, reading->graph->inputs[index].name);
    reading->inputs[index] = term;
    if (found.kind == DEFINED_INITIALIZER && found.graph == reading->graph)
        reading->initializers[found.index] = term;
}

/* ---- meanings of operators ---- */

/* The newest version that the rules take for the same: nodes of both mean the same. */
static uint64_t version_of(const struct equal_work *work, const struct schema *schema)
{
    uint64_t version = schema->since;
    if (schema->domain[0] != '\0' || work->options->rules == NULL || !work->rises)
        return version;
    for (int64_t step = schema->since + 1; step <= OPSHIFT_OPSET_NEWEST; step++) {
        struct judgement judged = rule_judge(work->options->rules, "", schema->op_type, step, true);
        if (judged.meaning == RULE_NOTHING)
            continue;
        const struct schema *newer = schema_find("", schema->op_type, step);
        if (judged.meaning != RULE_KEEP || newer == NULL)
            break;
        version = newer->since;
    }
    return version;
}

static bool is_random(enum operator_id id)
{
    return id == OPERATOR_NONE || id == OPERATOR_DROPOUT || operator_is_random(id);
}

static bool is_commutative(enum operator_id id)
{
    return id == OPERATOR_ADD || id == OPERATOR_MUL || id == OPERATOR_AND || id == OPERATOR_OR || id == OPERATOR_XOR ||
           id == OPERATOR_EQUAL;
}

/* Do outputs mean the same whether or not later ones are asked for? */
static bool outputs_are_apart(const struct schema *schema)
{
    switch (schema->id) {
    case OPERATOR_MAX_POOL:
    case OPERATOR_LSTM:
    case OPERATOR_GRU:
    case OPERATOR_RNN:
    case OPERATOR_LAYER_NORMALIZATION:
        return true;
    default:
        return schema->output_max == 1;
    }
}

/* ---- constants that nodes compute ---- */

static bool inputs_are_constant(const struct equal_work *work, const struct node_use *use)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < use->node->input_count; i++) {
        const struct equal_term *term = use->inputs[i] == TERM_NONE ? NULL : &work->terms[use->inputs[i]];
        if (node_inputs(use->node)[i] == NAME_NONE)
            continue;
        if (term == NULL || term->kind != TERM_CONSTANT)
            return false;
        if (term->tensor != NULL)
            size += type_size(term->tensor->type, term->tensor->count);
        else
            size += range_size(term->initializer->range) + (term->initializer->external ? FOLD_NODE_BYTES : 0);
    }
    return size <= FOLD_NODE_BYTES && work->kept <= FOLD_ALL_BYTES;
}

/* Failures of a kernel mean that the node stays as it is. */
static enum opshift_status forgive(enum opshift_status status, struct opshift_error *error)
{
    return status == OPSHIFT_MEMORY || status == OPSHIFT_IO || status == OPSHIFT_CANCELLED ? status
                                                                                           : error_forget(error);
}

static enum opshift_status fold_run(struct equal_work *work, const struct node_use *use, struct value *inputs,
                                    struct value *outputs, bool *folded, struct opshift_error *error)
{
    const struct node *node = use->node;
    struct opshift_error why = {0};
    struct execution *execution = NULL;
    struct execution_options options = {.budget = &work->fold_budget, .defined = true, .checks_types = true};
    if (use->opening != NULL) {
        options.parameters = use->opening->attributes;
        options.parameter_count = use->opening->count;
    }
    enum opshift_status status = execution_new(use->side->model, use->side->scopes, &options, &execution, error);
    if (status != OPSHIFT_OK)
        return status;
    status = execution_node(execution, use->graph, node, inputs, outputs, &why);
    *folded = status == OPSHIFT_OK;
    for (uint32_t i = 0; i < node->output_count && *folded; i++)
        *folded = node_outputs(node)[i] == NAME_NONE || outputs[i].kind == VALUE_TENSOR;
    for (uint32_t i = 0; i < node->output_count && *folded && status == OPSHIFT_OK; i++)
        if (node_outputs(node)[i] != NAME_NONE)
            status = content_term(work, outputs[i].tensor, &use->outputs[i], error);
    values_drop(outputs, node->output_count);
    execution_free(execution);
    return *folded ? status : error_give(error, forgive(status, &why), &why);
}

static enum opshift_status fold_node(struct equal_work *work, const struct node_use *use, bool *folded,
                                     struct opshift_error *error)
{
    const struct node *node = use->node;
    enum opshift_status status = OPSHIFT_OK;
    *folded = false;
    if (!inputs_are_constant(work, use))
        return OPSHIFT_OK;
    arena_clear(work->scratch);
    struct value *inputs = arena_alloc(work->scratch, node->input_count + UINT64_C(1), sizeof(*inputs));
    struct value *outputs = arena_alloc(work->scratch, node->output_count + UINT64_C(1), sizeof(*outputs));
    if (inputs == NULL || outputs == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < node->input_count && status == OPSHIFT_OK; i++) {
        const struct tensor *tensor = NULL;
        if (use->inputs[i] == TERM_NONE)
            continue;
        status = content_load(&work->terms[use->inputs[i]], work->scratch, &tensor, error);
        inputs[i] = value_of(tensor);
    }
    return status == OPSHIFT_OK ? fold_run(work, use, inputs, outputs, folded, error) : status;
}

/* Shape and Size of a value whose dims are known. */
static enum opshift_status fold_shape(struct equal_work *work, const struct node_use *use, bool *folded,
                                      struct opshift_error *error)
{
    const struct tensor *tensor = NULL;
    const char *why = NULL;
    struct value_type type;
    *folded = false;
    if (use->node->input_count != 1 || use->node->output_count != 1 || use->opening != NULL)
        return OPSHIFT_OK;
    enum opshift_status status = known_type(use, node_inputs(use->node)[0], &type, error);
    if (status == OPSHIFT_OK && type.rank >= 0)
        status = fold_constant(use->side->fold, use->graph, node_outputs(use->node)[0], &tensor, &why, error);
    *folded = status == OPSHIFT_OK && tensor != NULL;
    return *folded ? content_term(work, tensor, &use->outputs[0], error) : status;
}

/* ---- graphs inside ---- */

static enum opshift_status too_deep(struct equal_work *work)
{
    work->refused = "graphs are too deep inside each other to be opened";
    return OPSHIFT_OK;
}

/* The outputs of a graph that was read; TERM_NONE: a name without a value. */
static enum opshift_status outputs_of(struct equal_work *work, const struct equal_side *side, struct reading *reading,
                                      term_id *outputs, uint32_t count, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < count && i < reading->graph->output_count && status == OPSHIFT_OK; i++)
        status = name_term(work, side, reading, reading->graph->outputs[i].name, &outputs[i], error);
    return status;
}

static void outputs_take(const struct node_use *use, const term_id *outputs)
{
    for (uint32_t i = 0; i < use->node->output_count; i++)
        use->outputs[i] = node_outputs(use->node)[i] == NAME_NONE ? TERM_NONE : outputs[i];
}

/* side: the model that has the function. */
static enum opshift_status call_read(struct equal_work *work, struct reading *around, const struct node_use *use,
                                     const struct equal_side *side, const struct function *callee,
                                     struct opshift_error *error)
{
    const struct opening *opening = NULL;
    struct reading *reading = NULL;
    const struct node *node = use->node;
    if (around->depth >= DEPTH_MAX)
        return too_deep(work);
    enum opshift_status status = opening_make(work, use, callee, &opening, error);
    if (status == OPSHIFT_OK)
        status = reading_new(work, callee->body, NULL, opening, &reading, error);
    term_id *outputs = terms_new(work, (uint64_t)node->output_count + callee->body->output_count);
    if (status == OPSHIFT_OK && outputs == NULL)
        status = opshift_no_memory(error);
    if (status != OPSHIFT_OK)
        return status;
    reading->depth = around->depth + 1;
    reading->level = around->level;
    reading->at = around->at;
    reading->call = side == use->side ? around->call : around->call == NULL ? use : around->call;
    for (uint32_t i = 0; i < node->input_count && i < callee->body->input_count; i++)
        reading->inputs[i] = use->inputs[i];
    status = graph_nodes_read(work, side, reading, error);
    if (status == OPSHIFT_OK)
        status = outputs_of(work, side, reading, outputs, callee->body->output_count, error);
    if (status == OPSHIFT_OK)
        outputs_take(use, outputs);
    return status;
}

/* The branch of an If whose condition is constant. */
static enum opshift_status branch_read(struct equal_work *work, struct reading *around, const struct node_use *use,
                                       bool *found, struct opshift_error *error)
{
    const struct equal_term *condition =
        use->node->input_count == 1 && use->inputs[0] != TERM_NONE ? &work->terms[use->inputs[0]] : NULL;
    struct reading *reading = NULL;
    *found = false;
    if (condition == NULL || condition->tensor == NULL || condition->tensor->type != OPSHIFT_TYPE_BOOL ||
        condition->tensor->count != 1)
        return OPSHIFT_OK;
    const char *wanted = *(const uint8_t *)condition->tensor->data ? "then_branch" : "else_branch";
    struct graph *branch = NULL;
    for (uint32_t i = 0; i < node_subgraph_count(use->node); i++) {
        struct graph *graph = node_subgraphs(use->node)[i];
        if (bytes_are(names_bytes(use->side->model->names, graph->owner_attribute), wanted))
            branch = graph;
    }
    if (branch == NULL || branch->output_count < use->node->output_count)
        return OPSHIFT_OK;
    if (around->depth >= DEPTH_MAX)
        return too_deep(work);
    term_id *outputs = terms_new(work, branch->output_count);
    if (outputs == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = reading_new(work, branch, around, around->opening, &reading, error);
    if (status == OPSHIFT_OK)
        status = graph_nodes_read(work, use->side, reading, error);
    if (status == OPSHIFT_OK)
        status = outputs_of(work, use->side, reading, outputs, branch->output_count, error);
    around->captures = around->captures || (reading != NULL && reading->captures && around->level > 0);
    *found = true;
    if (status == OPSHIFT_OK)
        outputs_take(use, outputs);
    return status;
}

/* The outputs of a body, of inputs that are numbered by how deep it is. */
static enum opshift_status body_read(struct equal_work *work, struct reading *around, struct node_use *use,
                                     struct graph *graph, term_id **outputs, struct opshift_error *error)
{
    struct reading *reading = NULL;
    bool made;
    if (around->depth >= DEPTH_MAX)
        return too_deep(work);
    enum opshift_status status = reading_new(work, graph, around, around->opening, &reading, error);
    *outputs = terms_new(work, graph->output_count);
    if (status == OPSHIFT_OK && *outputs == NULL)
        status = opshift_no_memory(error);
    if (status != OPSHIFT_OK)
        return status;
    reading->level = around->level + 1;
    for (uint32_t i = 0; i < graph->input_count && status == OPSHIFT_OK; i++) {
        term_id term;
        key_start(work, 'b');
        key_number(work, reading->level);
        key_number(work, i);
        status = term_find(work, TERM_INNER, &term, &made, error);
        input_set(use->side, reading, i, term);
    }
    if (status == OPSHIFT_OK)
        status = graph_nodes_read(work, use->side, reading, error);
    use->captures = use->captures || reading->captures;
    return status == OPSHIFT_OK ? outputs_of(work, use->side, reading, *outputs, graph->output_count, error) : status;
}

struct body_terms {
    struct bytes name;
    const struct graph *graph;
    term_id *outputs;
};

static int by_attribute(const void *one, const void *other)
{
    const struct body_terms *a = one, *b = other;
    size_t size = a->name.size < b->name.size ? a->name.size : b->name.size;
    int order = size == 0 ? 0 : memcmp(a->name.data, b->name.data, size);
    if (order == 0)
        order = (a->name.size > b->name.size) - (a->name.size < b->name.size);
    return order ? order : (a->graph->number > b->graph->number) - (a->graph->number < b->graph->number);
}

/* In the order of their attributes' names. */
static enum opshift_status bodies_read(struct equal_work *work, struct reading *around, struct node_use *use,
                                       struct body_terms **made, struct opshift_error *error)
{
    uint32_t count = node_subgraph_count(use->node);
    enum opshift_status status = OPSHIFT_OK;
    struct body_terms *bodies = *made = arena_alloc(work->arena, count + UINT64_C(1), sizeof(*bodies));
    if (bodies == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < count && status == OPSHIFT_OK && work->refused == NULL; i++) {
        struct graph *graph = node_subgraphs(use->node)[i];
        bodies[i].graph = graph;
        bodies[i].name = names_bytes(use->side->model->names, graph->owner_attribute);
        status = body_read(work, around, use, graph, &bodies[i].outputs, error);
    }
    if (status == OPSHIFT_OK && work->refused == NULL)
        qsort(bodies, count, sizeof(*bodies), by_attribute);
    return status;
}

static void key_bodies(struct equal_work *work, const struct body_terms *bodies, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        key_bytes(work, bodies[i].name.data, bodies[i].name.size);
        key_number(work, bodies[i].graph->input_count);
        key_bytes(work, bodies[i].outputs, bodies[i].graph->output_count * sizeof(term_id));
    }
}

/* ---- nodes ---- */

/* The inputs, without absent ones at the end; those of a commutative operator in order. */
static void key_inputs(struct equal_work *work, const struct node_use *use, enum operator_id id)
{
    uint32_t count = use->node->input_count;
    while (count > 0 && use->inputs[count - 1] == TERM_NONE)
        count--;
    if (count == 2 && is_commutative(id) && use->inputs[0] > use->inputs[1]) {
        const term_id turned[] = {use->inputs[1], use->inputs[0]};
        key_bytes(work, turned, sizeof(turned));
    } else {
        key_bytes(work, use->inputs, count * sizeof(*use->inputs));
    }
}

/* Notes under the node's own key which view it is, so that one of which less is known is the same; or takes the term
 * that such a node has. */
static void view_note(struct equal_work *work, const struct node_use *use, uint32_t output, term_id term, bool made)
{
    if (made)
        work->terms[term].same = use->outputs[output] + 1;
    else
        use->outputs[output] = work->terms[term].same > 0 ? work->terms[term].same - 1 : term;
}

/* is_view: its outputs are set. */
static enum opshift_status node_terms(struct equal_work *work, struct node_use *use, const struct schema *schema,
                                      const struct body_terms *bodies, int at, bool is_view,
                                      struct opshift_error *error)
{
    const struct opshift_model *model = use->side->model;
    const struct node *node = use->node;
    struct bytes domain = names_bytes(model->names, node_domain(node));
    struct bytes op_type = names_bytes(model->names, node->op_type);
    struct bytes overload = names_bytes(model->names, node_overload(node));
    uint32_t named = node->output_count;
    enum operator_id id = schema == NULL ? OPERATOR_NONE : schema->id;
    while (named > 0 && node_outputs(node)[named - 1] == NAME_NONE)
        named--;
    key_start(work, 'n');
    key_bytes(work, domain.data, domain.size);
    key_bytes(work, op_type.data, op_type.size);
    key_bytes(work, overload.data, overload.size);
    key_number(work,
               schema == NULL ? (uint64_t)graph_opset(model, use->graph, node_domain(node)) : version_of(work, schema));
    key_number(work, schema != NULL && outputs_are_apart(schema) ? 0 : named);
    key_inputs(work, use, id);
    key_bodies(work, bodies, node_subgraph_count(node));
    enum opshift_status status = key_attributes(work, use, schema, error);
    if (status == OPSHIFT_OK && is_random(id))
        status = key_salt(work, at, error);
    size_t size = work->key.size;
    for (uint32_t i = 0; i < named && status == OPSHIFT_OK; i++) {
        bool made;
        if (node_outputs(node)[i] == NAME_NONE)
            continue;
        work->key.size = size;
        key_number(work, i);
        term_id term;
        status = term_find(work, TERM_MADE, &term, &made, error);
        if (status != OPSHIFT_OK)
            return status;
        if (made) {
            work->terms[term].use = use;
            work->terms[term].output = i;
        }
        if (is_view)
            view_note(work, use, i, term, made);
        else
            use->outputs[i] = work->terms[term].same > 0 ? work->terms[term].same - 1 : term;
    }
    return status;
}

static enum opshift_status use_make(struct equal_work *work, const struct equal_side *side, struct reading *reading,
                                    uint32_t index, struct node_use **made, struct opshift_error *error)
{
    struct node *node = &reading->graph->nodes[index];
    struct node_use *use = *made = arena_alloc(work->arena, 1, sizeof(*use));
    enum opshift_status status = OPSHIFT_OK;
    if (use == NULL)
        return opshift_no_memory(error);
    *use = (struct node_use){.side = side,
                             .graph = reading->graph,
                             .node = node,
                             .opening = reading->opening,
                             .call = reading->call,
                             .number = index,
                             .in_body = reading->level > 0,
                             .inputs = terms_new(work, node->input_count),
                             .outputs = reading->outputs + reading->starts[index]};
    if (use->inputs == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < node->input_count && status == OPSHIFT_OK; i++) {
        name_id name = node_inputs(node)[i];
        status = name_term(work, side, reading, name, &use->inputs[i], error);
        bool absent = reading->opening != NULL || reading->graph->function != NULL;
        if (use->inputs[i] == TERM_NONE && name != NAME_NONE && !absent && work->refused == NULL)
            work->refused = "a node reads a value that no node before it computes";
    }
    return status;
}

static enum opshift_status node_read(struct equal_work *work, const struct equal_side *side, struct reading *reading,
                                     uint32_t index, struct opshift_error *error)
{
    struct node_use *use = NULL;
    struct body_terms *bodies = NULL;
    bool found = false, is_view = false;
    term_id given = TERM_NONE; /* what the first output is, where the others are results of their own */
    enum opshift_status status = use_make(work, side, reading, index, &use, error);
    if (status != OPSHIFT_OK || work->refused != NULL)
        return status;
    const struct function *callee = scope_callee(side->scopes, use->node);
    const struct equal_side *definer = callee == NULL ? NULL : side;
    const struct schema *schema = schema_find(names_text(side->model->names, node_domain(use->node)),
                                              names_text(side->model->names, use->node->op_type),
                                              graph_opset(side->model, use->graph, node_domain(use->node)));
    enum operator_id id = schema == NULL ? OPERATOR_NONE : schema->id;
    int at = reading->at;
    if (callee == NULL &&
        (schema == NULL || kernel_find(schema, graph_opset(side->model, use->graph, node_domain(use->node))) == NULL))
        status = definition_find(work, use, &definer, error);
    if (status == OPSHIFT_OK && callee == NULL && definer != NULL)
        callee = &definer->model->functions[0];
    if (status == OPSHIFT_OK && callee != NULL) {
        status = call_read(work, reading, use, definer, callee, error);
        return status == OPSHIFT_OK && reading == work->main[1] && work->options->ends == NULL
                   ? align_node(work, use, error)
                   : status;
    }
    if (status != OPSHIFT_OK)
        return status;
    if (id == OPERATOR_IF)
        status = branch_read(work, reading, use, &found, error);
    if (status != OPSHIFT_OK || found)
        return status;
    if (reading->level == 0) {
        *(work->first[at] == NULL ? &work->first[at] : &work->last[at]->next) = use;
        work->last[at] = use;
    }
    if (id == OPERATOR_SHAPE || id == OPERATOR_SIZE)
        status = fold_shape(work, use, &found, error);
    if (status == OPSHIFT_OK && !found && !is_random(id) && node_subgraph_count(use->node) == 0)
        status = fold_node(work, use, &found, error);
    if (status == OPSHIFT_OK && !found)
        status = view_terms(work, use, id, &is_view, error);
    if (id == OPERATOR_DROPOUT && use->node->output_count > 0)
        given = use->outputs[0];
    if (status == OPSHIFT_OK && !found && !is_view)
        status = bodies_read(work, reading, use, &bodies, error);
    if (status == OPSHIFT_OK && !found && work->refused == NULL && !(is_view && is_random(id)))
        status = node_terms(work, use, schema, bodies, at, is_view, error);
    if (status == OPSHIFT_OK && given != TERM_NONE)
        use->outputs[0] = given;
    if (status == OPSHIFT_OK && reading == work->main[1] && work->options->ends == NULL)
        status = align_node(work, use, error);
    return status;
}

static enum opshift_status graph_nodes_read(struct equal_work *work, const struct equal_side *side,
                                            struct reading *reading, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < reading->graph->node_count && status == OPSHIFT_OK && work->refused == NULL; i++) {
        const struct equal_options *options = work->options;
        if (++work->use_count > USES_MAX)
            work->refused = "functions are called too often to be opened";
        if (work->use_count % PROGRESS_NODES == 0 && options->progress != NULL &&
            !options->progress(options->progress_data, 0.5))
            return opshift_fail(error, OPSHIFT_CANCELLED, "cancelled");
        status = node_read(work, side, reading, i, error);
    }
    return status;
}

/* An input of the second model is a value of the first one; a default stays what it is. */
static enum opshift_status end_read(struct equal_work *work, uint32_t input, struct opshift_error *error)
{
    const struct equal_side *sides = work->sides;
    const char *name = work->options->ends->inputs[input];
    struct definition founds[2];
    term_id term, defaults[2] = {TERM_NONE, TERM_NONE};
    name_id there = NAME_NONE;
    enum opshift_status status = align_named(work, name, &term, error);
    if (status == OPSHIFT_OK && (name == NULL || term == TERM_NONE))
        work->refused = arena_print(work->arena, "the input '%.80s' is not in the first model",
                                    names_text(sides[1].model->names, sides[1].model->main->inputs[input].name));
    if (status || name == NULL || term == TERM_NONE || !names_find(sides[0].model->names, name, strlen(name), &there))
        return status;
    founds[0] = scope_find(sides[0].scopes, sides[0].model->main, there);
    founds[1] = scope_find(sides[1].scopes, sides[1].model->main, sides[1].model->main->inputs[input].name);
    for (int i = 0; status == OPSHIFT_OK && i < 2; i++)
        if (founds[i].kind == DEFINED_INITIALIZER)
            status = content_initializer(work, &sides[i], &sides[i].model->main->initializers[founds[i].index],
                                         &defaults[i], error);
    if (defaults[1] != TERM_NONE && defaults[0] != defaults[1])
        work->refused = arena_print(work->arena, "the default of '%.80s' differs", name);
    input_set(&sides[1], work->main[1], input, term);
    return status;
}

enum opshift_status graph_read(struct equal_work *work, int at, struct opshift_error *error)
{
    const struct equal_side *side = &work->sides[at];
    enum opshift_status status = reading_new(work, side->model->main, NULL, NULL, &work->main[at], error);
    struct reading *reading = work->main[at];
    if (status != OPSHIFT_OK || reading == NULL)
        return status;
    reading->at = at;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < reading->graph->input_count; i++) {
        enum initializer_role role = INITIALIZER_DEFAULT;
        name_id name = reading->graph->inputs[i].name;
        struct definition found = scope_find(side->scopes, reading->graph, name);
        bool made;
        term_id term;
        if (found.kind == DEFINED_INITIALIZER)
            role = scope_initializer_role(side->scopes, reading->graph, name);
        if (role == INITIALIZER_CONSTANT || (found.kind == DEFINED_INITIALIZER && work->options->freeze_initializers))
            continue;
        if (at == 1 && work->options->ends) {
            status = end_read(work, i, error);
            continue;
        }
        key_start(work, 'i');
        key_number(work, at == 0 ? i : align_input(work, i));
        status = term_find(work, TERM_INPUT, &term, &made, error);
        if (status == OPSHIFT_OK && at == 0)
            work->terms[term].input = i;
        input_set(side, reading, i, term);
    }
    if (status == OPSHIFT_OK && at == 1 && work->options->ends == NULL)
        status = align_outputs(work, error);
    return status == OPSHIFT_OK && work->refused == NULL ? graph_nodes_read(work, side, reading, error) : status;
}
