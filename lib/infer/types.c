/* Types on demand: each value once, after the values that it follows from, on a stack of our own, so that the length of
 * a graph never is the depth of a recursion. */
#include "infer/types.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "infer/precedent.h"
#include "infer/shape.h"

/* How often a value is worked out anew because another one was needed first. */
#define TRIES_MAX 16

/* Where so many values wait for one another, all nodes that stand before are worked out first, in their order, if they
 * are so many. */
#define SWEEP_DEPTH 64u

/* For one question, which starts anew after each: of a node with many bodies, each may be worth one. */
#define SWEEPS_MAX 8u

/* A longer stack is given back after the question that needed it. */
#define STACK_KEPT 1024u

/* Of more dims, an initializer is worked out as other values are. */
#define INITIALIZER_RANK_MAX 8

static const struct function *callee_of(const struct types *types, const struct node *node)
{
    return types->model->function_count ? scope_callee(types->scopes, node) : NULL;
}

/* ---- one inference ---- */

static void operation_find(const struct types *types, const struct node *node, int64_t opset,
                           struct operation *operation)
{
    const struct names *names = types->model->names;
    const char *op_type = names_whole(names, node->op_type), *domain = names_whole(names, node_domain(node));
    *operation = (struct operation){.op_type = node->op_type, .domain = node_domain(node), .opset = opset, .text = ""};
    operation->gives_any = true;
    if (op_type == NULL || domain == NULL)
        return;
    operation->text = op_type;
    if (node_domain(node) == NAME_NONE)
        operation->body = body_rule_find(op_type);
    /* What an operator does at an opset of the future is not known. */
    operation->schema = opset <= schema_newest(domain) ? schema_find(domain, op_type, opset) : NULL;
    operation->type_attribute = operation->schema ? type_attribute_find(op_type) : NULL;
    if (operation->schema && operation->schema->domain[0] == '\0')
        operation->shape = shape_rule_find(op_type);
    operation->passes =
        operation->shape == shape_same && operation->type_attribute == NULL && schema_passes_element(operation->schema);
    operation_survey(operation);
}

/* The operators of one model are few. */
struct operation *types_operation(struct types *types, const struct graph *graph, const struct node *node)
{
    struct operation *operation = &types->operations[node->op_type % OPERATIONS_KEPT];
    bool same = operation->text && operation->op_type == node->op_type && operation->domain == node_domain(node);
    if (same && operation->graph == graph)
        return operation;
    int64_t opset = graph_opset(types->model, graph, node_domain(node));
    if (!same || operation->opset != opset)
        operation_find(types, node, opset, operation);
    operation->graph = graph;
    return operation;
}

/* What it looks at is known by now, as far as it ever will be. node NULL: it is about no node. */
static enum opshift_status inference_fill(struct inference *inference, struct types *types, struct graph *graph,
                                          const struct node *node, struct arena *arena, struct arena *scratch,
                                          struct opshift_error *error)
{
    *inference = (struct inference){.types = types,
                                    .model = types->model,
                                    .scopes = types->scopes,
                                    .arena = arena,
                                    .scratch = scratch,
                                    .graph = graph,
                                    .node = node,
                                    .error = error};
    if (node == NULL)
        return OPSHIFT_OK;
    inference->operation = *types_operation(types, graph, node);
    if (callee_of(types, node) == NULL)
        inference->schema = inference->operation.schema;
    inference->inputs = inference_alloc(inference, scratch, node->input_count, sizeof(struct value_type));
    inference->outputs = inference_alloc(inference, scratch, node->output_count, sizeof(struct value_type));
    if (inference->inputs == NULL || inference->outputs == NULL)
        return inference->status;
    for (uint32_t i = 0; i < node->input_count; i++)
        inference->inputs[i] = types_known(types, graph, node_inputs(node)[i]);
    for (uint32_t i = 0; i < node->output_count; i++)
        inference->outputs[i] = type_unknown;
    return inference->status;
}

/* One whose results are kept before the next one begins. */
static enum opshift_status inference_begin(struct inference *inference, struct types *types, struct graph *graph,
                                           const struct node *node, struct opshift_error *error)
{
    arena_clear(types->scratch);
    return inference_fill(inference, types, graph, node, types->scratch, types->scratch, error);
}

enum opshift_status inference_run(struct inference *inference)
{
    if (!infer_bodies(inference) && inference->schema != NULL) {
        infer_elements(inference);
        if (inference->operation.shape && inference->node->output_count > 0)
            inference->operation.shape(inference);
    }
    return inference->status;
}

static enum opshift_status entry_read_declared(struct types *types, const struct value *value, struct entry *entry,
                                               struct opshift_error *error)
{
    const struct value_info *declared;
    if (!value_declared(types, value, &declared))
        return opshift_no_memory(error);
    return declared ? entry_declare(types, declared, entry, error) : OPSHIFT_OK;
}

static enum opshift_status entry_set(struct types *types, struct entry *entry, const struct value_type *type,
                                     struct opshift_error *error)
{
    uint32_t kept = type_keep(types, type);
    if (kept == TYPE_NO_MEMORY)
        return opshift_no_memory(error);
    entry->type = kept;
    entry_set_done(types, entry);
    return OPSHIFT_OK;
}

static enum opshift_status entry_finish(struct inference *inference, const struct value *value, struct entry *entry,
                                        const struct value_type *inferred)
{
    struct types *types = inference->types;
    if (entry->state == ENTRY_DONE)
        return OPSHIFT_OK;
    if (entry->state == ENTRY_NEW) {
        enum opshift_status status = entry_read_declared(types, value, entry, inference->error);
        if (status != OPSHIFT_OK)
            return status;
    }
    struct value_type merged = *entry_type(types, entry);
    type_merge(inference, &merged, inferred);
    enum opshift_status status = entry_set(types, entry, &merged, inference->error);
    return status ? status : inference->status;
}

/* ---- values that need no others, or one that is known ---- */

/* Before IR 4, and where it is no input, an initializer's shape is final. */
static bool initializer_is_final(const struct types *types, const struct value *value)
{
    return types->model->ir_version < 4 || !scope_is_input(types->scopes, value->definition.graph, value->name);
}

/* The type of an initializer, of which nothing else is declared. False: it has to be worked out. */
static bool initializer_type(const struct types *types, const struct value *value, struct value_type *type)
{
    static const name_id unnamed[INITIALIZER_RANK_MAX];
    if (value->definition.kind != DEFINED_INITIALIZER || !initializer_is_final(types, value))
        return false;
    const struct initializer *initializer = &value->definition.graph->initializers[value->definition.index];
    if (initializer->rank == 0 || initializer->rank > INITIALIZER_RANK_MAX || initializer->type >= OPSHIFT_TYPE_COUNT)
        return false;
    *type = (struct value_type){.type = initializer->type,
                                .rank = (int32_t)initializer->rank,
                                .dims = initializer->dims,
                                .params = (name_id *)(uintptr_t)unnamed,
                                .is_tensor = true};
    return true;
}

static enum opshift_status initializer_finish(struct types *types, const struct value *value, struct entry *entry,
                                              struct opshift_error *error)
{
    const struct initializer *initializer = &value->definition.graph->initializers[value->definition.index];
    struct inference inference;
    struct value_type type = type_unknown;
    if (entry->type == TYPE_UNKNOWN && initializer_type(types, value, &type))
        return entry_set(types, entry, &type, error);
    enum opshift_status status = inference_begin(&inference, types, value->definition.graph, NULL, error);
    if (status != OPSHIFT_OK)
        return status;
    /* Any number may stand in a file; one that is no type says nothing. */
    type.type = initializer->type < OPSHIFT_TYPE_COUNT ? initializer->type : OPSHIFT_TYPE_UNDEFINED;
    type.is_tensor = true;
    /* A caller may give an input another shape than its default has, where what is declared leaves room. */
    bool fixed = initializer_is_final(types, value);
    if (fixed && shape_new(&inference, &type, initializer->rank) && initializer->rank > 0)
        memcpy(type.dims, initializer->dims, initializer->rank * sizeof(*type.dims));
    return entry_finish(&inference, value, entry, &type);
}

/* Most nodes of many models have one input and one output of its type: that without an inference. */
static bool node_passes(struct types *types, const struct graph *graph, const struct node *node)
{
    return node->input_count == 1 && node->output_count == 1 && callee_of(types, node) == NULL &&
           types_operation(types, graph, node)->passes;
}

/* Gives a value the type of another, which its node passes on. False: it has to be worked out. */
static bool type_pass(const struct types *types, struct entry *entry, const struct entry *from)
{
    const struct value_type *type = from ? entry_type(types, from) : NULL;
    if (type == NULL || !type->is_tensor || type->type == OPSHIFT_TYPE_UNDEFINED || type->rank < 0 ||
        type->rank > TENSOR_RANK_MAX)
        return false;
    entry->type = from->type;
    return true;
}

/* The same at once, where the other one is done. */
static bool type_pass_done(struct types *types, struct entry *entry, const struct entry *from)
{
    if (from == NULL || from->state != ENTRY_DONE || !type_pass(types, entry, from))
        return false;
    entry_set_done(types, entry);
    return true;
}

static const struct entry *node_input(const struct types *types, struct graph *graph, const struct node *node)
{
    return entry_see(types, graph, node_inputs(node)[0]);
}

/* ---- the stack ---- */

/* Room for one more. False: no memory. */
static bool stack_grow(struct types *types)
{
    if (types->depth < types->stack_size)
        return true;
    size_t size = types->stack_size > 0 ? types->stack_size * 2 : 64;
    struct pending *grown = realloc(types->stack, size * sizeof(*grown));
    if (grown == NULL)
        return false;
    types->stack = grown;
    types->stack_size = size;
    return true;
}

/* A value that nobody asked for yet, of which nothing complete is declared. What its node passes on from one that is
 * done is done at once. */
static enum opshift_status node_push(struct types *types, const struct value *value, struct entry *entry,
                                     struct opshift_error *error)
{
    struct graph *graph = value->definition.graph;
    const struct node *node = &graph->nodes[value->definition.index];
    bool passes = entry->type == TYPE_UNKNOWN && node_passes(types, graph, node);
    const struct entry *input = passes ? node_input(types, graph, node) : NULL;
    if (type_pass_done(types, entry, input))
        return OPSHIFT_OK;
    if (!stack_grow(types))
        return opshift_no_memory(error);
    types->stack[types->depth++] =
        (struct pending){.entry = entry, .index = value->definition.index, .is_node = true, .passes = passes};
    return OPSHIFT_OK;
}

static enum opshift_status value_push(struct types *types, const struct value *value, struct entry *entry,
                                      struct opshift_error *error)
{
    const struct value_info *declared;
    enum definition_kind kind = value->definition.kind;
    if (!value_declared(types, value, &declared))
        return opshift_no_memory(error);
    enum opshift_status status = OPSHIFT_OK;
    if (declared) {
        arena_clear(types->scratch);
        status = entry_declare(types, declared, entry, error);
    }
    if (status != OPSHIFT_OK)
        return status;
    if (kind == DEFINED_NOWHERE || (entry->type != TYPE_UNKNOWN && type_is_complete(entry_type(types, entry)))) {
        entry_set_done(types, entry);
        return OPSHIFT_OK;
    }
    if (kind == DEFINED_NODE)
        return node_push(types, value, entry, error);
    if (kind == DEFINED_INITIALIZER)
        return initializer_finish(types, value, entry, error);
    if (!stack_grow(types))
        return opshift_no_memory(error);
    types->stack[types->depth++] = (struct pending){.entry = entry, .index = value->definition.index};
    return OPSHIFT_OK;
}

static enum opshift_status stack_push(struct types *types, struct graph *graph, name_id name,
                                      struct opshift_error *error)
{
    if (name == NAME_NONE)
        return OPSHIFT_OK;
    struct value value = value_find(types, graph, name);
    struct entry *entry = value_entry(types, &value);
    if (entry == NULL)
        return opshift_no_memory(error);
    return entry->state == ENTRY_NEW ? value_push(types, &value, entry, error) : OPSHIFT_OK;
}

static enum opshift_status push_names(struct types *types, struct graph *graph, const name_id *names, uint32_t count,
                                      struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < count && status == OPSHIFT_OK; i++)
        status = stack_push(types, graph, names[i], error);
    return status;
}

static enum opshift_status push_outputs(struct types *types, struct graph *graph, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < graph->output_count && status == OPSHIFT_OK; i++)
        status = stack_push(types, graph, graph->outputs[i].name, error);
    return status;
}

/* A node's outputs follow from its inputs, and from the outputs of the bodies that it runs. */
static enum opshift_status push_node(struct types *types, struct graph *graph, const struct node *node,
                                     struct opshift_error *error)
{
    const struct function *callee = callee_of(types, node);
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < node_subgraph_count(node) && status == OPSHIFT_OK; i++)
        status = push_outputs(types, node_subgraphs(node)[i], error);
    if (callee != NULL && status == OPSHIFT_OK)
        status = push_outputs(types, callee->body, error);
    if (status == OPSHIFT_OK)
        status = push_names(types, graph, node_inputs(node), node->input_count, error);
    return status;
}

/* A formal input follows from what the owner, or each call, gives. */
static enum opshift_status push_formal(struct types *types, const struct graph *graph, struct opshift_error *error)
{
    if (graph->kind == GRAPH_SUB) {
        const struct node *owner = &graph->parent->nodes[graph->owner];
        return push_names(types, graph->parent, node_inputs(owner), owner->input_count, error);
    }
    if (graph->kind != GRAPH_FUNCTION)
        return OPSHIFT_OK;
    uint32_t count;
    const struct call *calls = scope_calls(types->scopes, graph->function, &count);
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < count && status == OPSHIFT_OK; i++) {
        const struct node *node = &calls[i].graph->nodes[calls[i].node];
        status = push_names(types, calls[i].graph, node_inputs(node), node->input_count, error);
    }
    return status;
}

/* What it follows from comes first. */
static enum opshift_status pending_open(struct types *types, const struct pending *pending, struct opshift_error *error)
{
    struct graph *graph = entry_graph(types, pending->entry);
    pending->entry->state = ENTRY_OPEN;
    if (pending->is_node)
        return push_node(types, graph, &graph->nodes[pending->index], error);
    return push_formal(types, graph, error);
}

/* ---- what becomes of it ---- */

/* Whatever a node or graph gives under a name that it is not the one to define belongs to another value. */
static bool is_defined(const struct value *value, enum definition_kind kind, const struct graph *graph, uint32_t index,
                       uint32_t output)
{
    return value->name != NAME_NONE && value->definition.kind == kind && value->definition.graph == graph &&
           value->definition.index == index && value->definition.output == output;
}

/* What follows for it, whatever it is called. */
static enum opshift_status entry_give(struct types *types, const struct value *value, struct entry *entry,
                                      uint32_t type, struct opshift_error *error)
{
    struct inference inference;
    enum opshift_status status = OPSHIFT_OK;
    if (entry->state == ENTRY_DONE)
        return status;
    if (entry->state == ENTRY_NEW)
        status = entry_read_declared(types, value, entry, error);
    if (status == OPSHIFT_OK && entry->type == TYPE_UNKNOWN) {
        entry->type = type;
        entry_set_done(types, entry);
        return OPSHIFT_OK;
    }
    if (status == OPSHIFT_OK)
        status = inference_begin(&inference, types, value->definition.graph, NULL, error);
    return status ? status : entry_finish(&inference, value, entry, types->all[type]);
}

/* All outputs of a node at once: as inferred, or (NULL) of these types, to which what is declared is added. */
static enum opshift_status outputs_finish(struct types *types, struct graph *graph, uint32_t index,
                                          struct inference *inference, const uint32_t *numbers,
                                          struct opshift_error *error)
{
    const struct node *node = &graph->nodes[index];
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < node->output_count && status == OPSHIFT_OK; i++) {
        struct value value = value_find(types, graph, node_outputs(node)[i]);
        if (!is_defined(&value, DEFINED_NODE, graph, index, i))
            continue;
        struct entry *entry = value_entry(types, &value);
        if (entry == NULL)
            status = opshift_no_memory(error);
        else if (inference)
            status = entry_finish(inference, &value, entry, &inference->outputs[i]);
        else
            status = entry_give(types, &value, entry, numbers[i], error);
    }
    return status;
}

/* Where it needs another value first, that one goes on the stack and the node stays open. */
static enum opshift_status node_finish(struct types *types, struct graph *graph, uint32_t index,
                                       struct opshift_error *error)
{
    const struct node *node = &graph->nodes[index];
    struct operation *operation = types_operation(types, graph, node);
    const uint32_t *numbers = precedent_find(types, graph, node, operation, NULL);
    struct inference inference;
    if (numbers)
        return outputs_finish(types, graph, index, NULL, numbers, error);
    enum opshift_status status = inference_begin(&inference, types, graph, node, error);
    if (status == OPSHIFT_OK)
        status = inference_run(&inference);
    if (status == OPSHIFT_OK && types->needed_graph != NULL)
        return stack_push(types, types->needed_graph, types->needed, error);
    if (status == OPSHIFT_OK && !precedent_keep(&inference, operation))
        status = opshift_no_memory(error);
    return status ? status : outputs_finish(types, graph, index, &inference, NULL, error);
}

/* All formal inputs of a graph at once. */
static enum opshift_status formals_finish(struct types *types, struct graph *graph, struct opshift_error *error)
{
    struct inference inference;
    bool sub = graph->kind == GRAPH_SUB;
    enum opshift_status status = inference_begin(&inference, types, sub ? graph->parent : graph,
                                                 sub ? &graph->parent->nodes[graph->owner] : NULL, error);
    if (status != OPSHIFT_OK)
        return status;
    inference.arena = types->arena; /* what is assumed lasts as long as the question */
    struct value_type *formals =
        inference_alloc(&inference, inference.scratch, graph->input_count, sizeof(struct value_type));
    for (uint32_t i = 0; i < graph->input_count && formals != NULL; i++)
        formals[i] = type_unknown;
    if (formals != NULL && sub)
        infer_formals(&inference, graph, formals);
    else if (formals != NULL && graph->kind == GRAPH_FUNCTION)
        infer_parameters(&inference, graph->function, types->trust, formals, &types->assumptions);
    status = inference.status;
    for (uint32_t i = 0; i < graph->input_count && status == OPSHIFT_OK; i++) {
        struct value value = value_find(types, graph, graph->inputs[i].name);
        if (!is_defined(&value, DEFINED_INPUT, graph, i, 0))
            continue;
        struct entry *entry = value_entry(types, &value);
        status = entry ? entry_finish(&inference, &value, entry, &formals[i]) : opshift_no_memory(error);
    }
    return status;
}

/* What it follows from is known by now, as far as it ever will be. */
static enum opshift_status pending_close(struct types *types, struct pending *pending, struct opshift_error *error)
{
    struct entry *entry = pending->entry;
    struct graph *graph = entry_graph(types, entry);
    enum opshift_status status = OPSHIFT_OK;
    types->needed_graph = NULL;
    types->patient = pending->tries < TRIES_MAX;
    if (types->patient)
        pending->tries++;
    if (!pending->is_node)
        status = formals_finish(types, graph, error);
    else if (!pending->passes || !type_pass(types, entry, node_input(types, graph, &graph->nodes[pending->index])))
        status = node_finish(types, graph, pending->index, error);
    if (status == OPSHIFT_OK && types->needed_graph == NULL)
        entry_set_done(types, entry);
    return status;
}

/* Of the graph that the value on top of the stack is in, the nodes up to the last one that waits. Its graph NULL: they
 * are too few, or were swept before. With functions, each question decides anew what it assumes of calls. */
static struct sweep sweep_due(const struct types *types)
{
    struct graph *graph = entry_graph(types, types->stack[types->depth - 1].entry);
    struct sweep sweep = {.graph = graph, .start = types->swept ? types->swept[graph->number] : 0};
    for (size_t i = 0; i < types->depth; i++) {
        const struct pending *pending = &types->stack[i];
        if (pending->is_node && pending->index >= sweep.end && entry_graph(types, pending->entry) == graph)
            sweep.end = pending->index + 1;
    }
    bool due = types->model->function_count == 0 && sweep.end >= sweep.start + SWEEP_DEPTH;
    return due ? sweep : (struct sweep){0};
}

/* sweep: it ends early where one is due; NULL: none ever is. */
static enum opshift_status stack_run(struct types *types, struct sweep *sweep, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    while (types->depth > 0 && status == OPSHIFT_OK) {
        size_t top = types->depth - 1;
        if (sweep && types->depth >= SWEEP_DEPTH) {
            *sweep = sweep_due(types);
            if (sweep->graph)
                return OPSHIFT_OK;
            sweep = NULL;
        }
        struct entry *entry = types->stack[top].entry;
        if (entry->state == ENTRY_NEW)
            status = pending_open(types, &types->stack[top], error);
        else if (entry->state == ENTRY_OPEN)
            status = pending_close(types, &types->stack[top], error);
        else
            types->depth--;
    }
    return status;
}

static void stack_rest(struct types *types)
{
    if (types->stack_size <= STACK_KEPT)
        return;
    free(types->stack);
    types->stack = NULL;
    types->stack_size = 0;
}

/* Whoever waits is as if nobody had asked for it. */
static void stack_drop(struct types *types)
{
    for (; types->depth > 0; types->depth--) {
        struct entry *entry = types->stack[types->depth - 1].entry;
        if (entry->state != ENTRY_DONE)
            *entry = (struct entry){.type = TYPE_UNKNOWN, .state = ENTRY_NEW};
    }
}

/* Works a value out, unless a sweep is due. Where calls do not bear out what was assumed of them, once more,
 * assuming less. */
static enum opshift_status value_work_out(struct types *types, const struct value *value, struct sweep *sweep,
                                          struct entry **entry, struct opshift_error *error)
{
    for (;;) {
        struct inference inference;
        enum opshift_status status = OPSHIFT_OK;
        struct entry *asked = *entry = value_entry(types, value);
        if (asked == NULL)
            return opshift_no_memory(error);
        if (asked->state == ENTRY_NEW)
            status = value_push(types, value, asked, error);
        if (status == OPSHIFT_OK)
            status = stack_run(types, sweep, error);
        if (status == OPSHIFT_OK && types->assumptions != NULL)
            status = inference_begin(&inference, types, value->definition.graph, NULL, error);
        if (status != OPSHIFT_OK || types->assumptions == NULL)
            return status;
        bool hold = assumptions_hold(&inference, types->assumptions);
        if (hold || inference.status != OPSHIFT_OK)
            return inference.status;
        types->trust--;
        answers_forget(types);
    }
}

/* What a node reads that no node gives is soon worked out. */
static enum opshift_status sweep_inputs(struct types *types, struct graph *graph, const struct node *node,
                                        struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < node->input_count && status == OPSHIFT_OK; i++) {
        name_id name = node_inputs(node)[i];
        struct entry *entry = entry_here(types, graph, name);
        if (name == NAME_NONE || (entry && entry->state == ENTRY_DONE))
            continue;
        struct value value = value_find(types, graph, name);
        if (value.definition.kind != DEFINED_NODE)
            status = value_work_out(types, &value, NULL, &entry, error);
    }
    return status;
}

/* The output of a node that passes on the type of its input, and of which nothing is declared. False: it has to be
 * worked out. */
static bool sweep_pass(struct types *types, struct graph *graph, uint32_t index)
{
    const struct node *node = &graph->nodes[index];
    struct value value = value_find(types, graph, node_outputs(node)[0]);
    const struct value_info *declared;
    if (!is_defined(&value, DEFINED_NODE, graph, index, 0) || !value_declared(types, &value, &declared) || declared)
        return false;
    struct entry *entry = value_entry(types, &value);
    return entry && entry->state == ENTRY_NEW && type_pass_done(types, entry, node_input(types, graph, node));
}

/* The outputs of a node, when the nodes before it are worked out. */
static enum opshift_status node_sweep(struct types *types, struct graph *graph, uint32_t index,
                                      struct opshift_error *error)
{
    const struct node *node = &graph->nodes[index];
    struct operation *operation = types_operation(types, graph, node);
    bool settled = true;
    if (operation->passes && node->input_count == 1 && node->output_count == 1 && sweep_pass(types, graph, index))
        return OPSHIFT_OK;
    const uint32_t *numbers = precedent_find(types, graph, node, operation, &settled);
    enum opshift_status status = OPSHIFT_OK;
    if (!settled) {
        status = sweep_inputs(types, graph, node, error);
        operation = types_operation(types, graph, node); /* others were asked about meanwhile */
        settled = true;
        numbers = status ? NULL : precedent_find(types, graph, node, operation, &settled);
    }
    if (numbers && settled)
        return outputs_finish(types, graph, index, NULL, numbers, error);
    for (uint32_t i = 0; i < node->output_count && status == OPSHIFT_OK; i++) {
        struct value value = value_find(types, graph, node_outputs(node)[i]);
        struct entry *entry;
        if (is_defined(&value, DEFINED_NODE, graph, index, i))
            status = value_work_out(types, &value, NULL, &entry, error);
    }
    return status;
}

/* As the nodes of most graphs stand behind those whose outputs they read, in their order hardly one waits. */
static enum opshift_status sweep_run(struct types *types, const struct sweep *sweep, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    stack_drop(types);
    if (types->swept == NULL)
        types->swept = arena_alloc(types->arena, types->model->graph_count, sizeof(*types->swept));
    if (types->swept == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = sweep->start; i < sweep->end && status == OPSHIFT_OK; i++)
        status = node_sweep(types, sweep->graph, i, error);
    types->swept[sweep->graph->number] = sweep->end;
    return status;
}

static enum opshift_status value_answer(struct types *types, const struct value *value, struct value_type *type,
                                        struct opshift_error *error)
{
    struct sweep sweep;
    struct entry *entry;
    enum opshift_status status;
    unsigned sweeps = 0;
    types->question = types->question < UINT32_MAX ? types->question + 1 : 1;
    do {
        sweep.graph = NULL;
        status = value_work_out(types, value, sweeps++ < SWEEPS_MAX ? &sweep : NULL, &entry, error);
        if (status == OPSHIFT_OK && sweep.graph)
            status = sweep_run(types, &sweep, error);
    } while (status == OPSHIFT_OK && sweep.graph);
    types->assumptions = NULL;
    if (status == OPSHIFT_MEMORY && arena_was_full(types->arena))
        status = opshift_fail_at(error, OPSHIFT_UNSUPPORTED, OPSHIFT_FAULT_MEMORY, ERROR_WHOLE_FILE,
                                 "the types of values take more than %" PRIu64
                                 " bytes; if the file is to be trusted, raise the limit 'memory'",
                                 types->model->limits.memory);
    if (status != OPSHIFT_OK)
        answers_forget(types);
    stack_rest(types);
    *type = status == OPSHIFT_OK ? *entry_type(types, entry) : type_unknown;
    return status;
}

/* ---- the interface ---- */

enum opshift_status types_new(struct opshift_model *model, struct scopes *scopes, struct types **types,
                              struct opshift_error *error)
{
    *types = NULL;
    struct types *made = calloc(1, sizeof(*made));
    if (made == NULL)
        return opshift_no_memory(error);
    made->model = model;
    made->scopes = scopes;
    made->trust = TRUST_SHAPES;
    made->arena = arena_new(model->limits.memory);
    made->scratch = arena_new(0);
    made->declarations = calloc(model->graph_count > 0 ? model->graph_count : 1, sizeof(*made->declarations));
    if (made->arena == NULL || made->scratch == NULL || made->declarations == NULL) {
        types_free(made);
        return opshift_no_memory(error);
    }
    *types = made;
    return OPSHIFT_OK;
}

void types_free(struct types *types)
{
    if (types == NULL)
        return;
    arena_free(types->arena);
    arena_free(types->scratch);
    precedents_free(&types->precedents);
    free(types->entries);
    free(types->graphs);
    free(types->questions);
    free(types->others);
    free(types->all);
    free(types->places);
    free(types->declarations);
    free(types->stack);
    free(types);
}

void types_forget(struct types *types)
{
    assert(types->depth == 0);
    free(types->entries);
    free(types->graphs);
    free(types->questions);
    types->entries = NULL;
    types->graphs = NULL;
    types->questions = NULL;
    types->name_count = 0;
    if (types->swept)
        memset(types->swept, 0, types->model->graph_count * sizeof(*types->swept));
}

/* What is known without working anything out: most values' whole type is said, and nothing has to be kept for it, or
 * they were asked for before. *declared: what speaks of it; NULL: nothing, or it does not matter. False: it has to be
 * worked out. */
static bool said_type(struct types *types, const struct value *value, const struct value_info **declared,
                      struct value_type *type)
{
    const struct entry *entry = value_look(types, value);
    *declared = NULL;
    if (entry && entry->state == ENTRY_DONE) {
        *type = *entry_type(types, entry);
        return true;
    }
    if (!value_declared(types, value, declared))
        return false;
    if (*declared == NULL)
        return initializer_type(types, value, type);
    return false;
}

enum opshift_status types_find(struct types *types, struct graph *graph, name_id name, struct value_type *type,
                               struct opshift_error *error)
{
    assert(types->depth == 0);
    struct value value = value_find(types, graph, name);
    const struct value_info *declared;
    *type = type_unknown;
    if (name == NAME_NONE || said_type(types, &value, &declared, type))
        return OPSHIFT_OK;
    return value_answer(types, &value, type, error);
}

enum opshift_status types_assumption(struct types *types, struct graph *graph, name_id name, enum type_part part,
                                     struct type_assumption *assumption, struct opshift_error *error)
{
    struct value_type type, declared;
    *assumption = (struct type_assumption){NULL, NAME_NONE};
    enum opshift_status status = types_find(types, graph, name, &type, error);
    struct value value = value_find(types, graph, name);
    bool fact = value.definition.kind == DEFINED_INITIALIZER ||
                (value.definition.kind == DEFINED_INPUT && value.definition.graph->kind == GRAPH_MAIN);
    if (status || name == NAME_NONE || fact)
        return status;
    arena_clear(types->scratch);
    status = types_declared(types, graph, name, types->scratch, &declared, error);
    bool says = part == TYPE_PART_ELEMENT ? declared.type != OPSHIFT_TYPE_UNDEFINED : declared.rank >= 0;
    if (status == OPSHIFT_OK && says)
        *assumption = (struct type_assumption){value.definition.graph, name};
    return status;
}

enum opshift_status types_declared(struct types *types, struct graph *graph, name_id name, struct arena *arena,
                                   struct value_type *type, struct opshift_error *error)
{
    *type = type_unknown;
    if (name == NAME_NONE)
        return OPSHIFT_OK;
    struct value value = value_find(types, graph, name);
    const struct value_info *declared;
    if (!value_declared(types, &value, &declared))
        return opshift_no_memory(error);
    return declared ? declared_type(types, declared, arena, type, error) : OPSHIFT_OK;
}

static bool is_branch(const struct types *types, const struct graph *body)
{
    const char *attribute = names_text(types->model->names, body->owner_attribute);
    return strcmp(attribute, "then_branch") == 0 || strcmp(attribute, "else_branch") == 0;
}

/* The element type of what an If gives, where both branches say the same in full: an If of whose outputs nothing is
 * declared is common, and much more is worked out of it when it is asked for. False: it has to be worked out. */
static bool branches_element(struct types *types, const struct value *value, struct value_type *type)
{
    const struct definition *found = &value->definition;
    const struct node *node = found->kind == DEFINED_NODE ? &found->graph->nodes[found->index] : NULL;
    struct value_type said[2];
    if (node == NULL || node_subgraph_count(node) != 2 || node_domain(node) != NAME_NONE || callee_of(types, node) ||
        strcmp(names_text(types->model->names, node->op_type), "If") != 0)
        return false;
    struct graph *const *bodies = node_subgraphs(node);
    for (int i = 0; i < 2; i++) {
        if (found->output >= bodies[i]->output_count || !is_branch(types, bodies[i]))
            return false;
        struct value given = value_find(types, bodies[i], bodies[i]->outputs[found->output].name);
        const struct value_info *declared;
        if (!said_type(types, &given, &declared, &said[i]))
            return false;
    }
    if (bodies[0]->owner_attribute == bodies[1]->owner_attribute || said[0].type == OPSHIFT_TYPE_UNDEFINED ||
        said[0].type != said[1].type)
        return false;
    type->type = said[0].type;
    type->is_tensor = true;
    return true;
}

enum opshift_status types_element(struct types *types, struct graph *graph, name_id name, struct value_type *type,
                                  struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    assert(types->depth == 0);
    struct value value = value_find(types, graph, name);
    const struct value_info *declared;
    *type = type_unknown;
    if (name != NAME_NONE && !said_type(types, &value, &declared, type)) {
        arena_clear(types->scratch);
        if (declared)
            status = declared_type(types, declared, types->scratch, type, error);
        bool says = type->is_tensor || type->other;
        if (status == OPSHIFT_OK && type->type == OPSHIFT_TYPE_UNDEFINED &&
            (says || !branches_element(types, &value, type)))
            status = value_answer(types, &value, type, error);
    }
    type->rank = -1;
    type->dims = NULL;
    type->params = NULL;
    return status;
}

void types_ask(struct types *types, types_constant constant, void *data)
{
    types->constant = constant;
    types->constant_data = data;
}

enum opshift_status types_settled(struct types *types, struct graph *graph, name_id name, struct value_type *type,
                                  bool *settled, struct opshift_error *error)
{
    *settled = true;
    *type = type_unknown;
    if (name == NAME_NONE)
        return OPSHIFT_OK;
    if (types->depth == 0)
        return types_find(types, graph, name, type, error);
    struct value value = value_find(types, graph, name);
    const struct entry *entry = value_entry(types, &value);
    if (entry == NULL)
        return opshift_no_memory(error);
    if (entry->state == ENTRY_NEW && types->patient) {
        types->needed_graph = value.definition.graph;
        types->needed = name;
    }
    *type = *entry_type(types, entry);
    *settled = entry->state == ENTRY_DONE && (types->assumptions == NULL || !entry_is_fresh(types, entry));
    return OPSHIFT_OK;
}

static enum opshift_status question_answer(struct types *types, struct graph *graph, name_id name,
                                           struct opshift_error *error)
{
    struct value value = value_find(types, graph, name);
    struct value_type type;
    return name == NAME_NONE ? OPSHIFT_OK : value_answer(types, &value, &type, error);
}

static enum opshift_status answer_outputs(struct types *types, struct graph *graph, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->output_count; i++)
        status = question_answer(types, graph, graph->outputs[i].name, error);
    return status;
}

enum opshift_status inference_open(struct inference *inference, struct types *types, struct graph *graph,
                                   const struct node *node, struct arena *arena, struct opshift_error *error)
{
    assert(types->depth == 0);
    enum opshift_status status = OPSHIFT_OK;
    const struct function *callee = callee_of(types, node);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->input_count; i++)
        status = question_answer(types, graph, node_inputs(node)[i], error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node_subgraph_count(node); i++)
        status = answer_outputs(types, node_subgraphs(node)[i], error);
    if (status == OPSHIFT_OK && callee != NULL)
        status = answer_outputs(types, callee->body, error);
    return status ? status : inference_fill(inference, types, graph, node, arena, arena, error);
}
