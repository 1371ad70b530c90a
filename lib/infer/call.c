/* Calls of the model's functions. Each body is inferred once per distinct set of arguments, and at the end from what
 * all calls have in common. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "infer/frame.h"
#include "infer/known.h"

/* Maximum call depth. */
#define CALLS_MAX 100u
/* Bytes of cached calls; beyond them, the cache is cleared. */
#define MEMO_SIZE_MAX (UINT32_C(8) << 20)
/* Arguments and outputs that cost as much as inferring a node; calls of larger functions have a budget. */
#define ARGUMENTS_PER_NODE 16u
#define ARGUMENTS_FREE     64u

/* Type, constant and basis of one value, by number (result.h). */
struct call_value {
    uint32_t type, constant, basis;
};

/* A cached call: the arguments, followed by the outputs of the body. */
struct memo_item {
    uint32_t function, first; /* first: index among the values */
};

struct call_memo {
    struct table table;
    struct memo_item *items;
    uint32_t item_count, item_room;
    struct call_value *values;
    uint32_t value_count, value_room;
    uint32_t *key; /* function number and arguments */
    uint32_t key_room;
    struct sorted_attributes *defaults; /* by function */
    uint32_t function_count;
};

void call_memo_free(struct call_memo *memo)
{
    if (memo == NULL)
        return;
    table_free(&memo->table);
    free(memo->items);
    free(memo->values);
    free(memo->key);
    for (uint32_t i = 0; memo->defaults && i < memo->function_count; i++)
        free(memo->defaults[i].list);
    free(memo->defaults);
    free(memo);
}

static uint32_t function_number(const struct pass *pass, const struct function *function)
{
    return (uint32_t)(function - pass->types->model->functions);
}

/* Its inputs and attributes. */
static uint32_t argument_count(const struct function *function)
{
    return function->body->input_count + function->attribute_count + function->default_count;
}

static struct call_value value_of(const struct types *types, uint32_t number)
{
    const struct value_result *result = &types->results[number];
    return (struct call_value){result->type, result->constant == CONSTANT_UNREAD ? 0 : result->constant,
                               types->rests_on[number]};
}

static struct call_value argument_of(const struct types *types, struct graph *graph, const struct node *node,
                                     uint32_t position)
{
    bool given = position < node->input_count;
    return value_of(types, given ? value_number(types, graph, node_inputs(node)[position]) : 0);
}

static void value_give(struct types *types, uint32_t number, struct call_value value)
{
    struct value_result *result = &types->results[number];
    if (number == 0)
        return;
    result->type = value.type;
    result->constant = value.constant;
    result_set_basis(types, number, value.basis);
}

static struct call_value output_of(const struct types *types, struct graph *body, uint32_t position)
{
    bool given = position < body->output_count;
    return value_of(types, given ? value_number(types, body, body->outputs[position].name) : 0);
}

/* The type of a call's output without a declaration. */
static enum opshift_status output_give(struct pass *pass, struct graph *graph, uint32_t index, uint32_t output,
                                       struct call_value value)
{
    struct types *types = pass->types;
    arena_clear(types->scratch);
    return pass_set(pass, output_number(types, graph, index, output), graph, types->all[value.type], value.constant,
                    types->bases[value.basis]);
}

/* ---- cached calls ---- */

/* False: no memory. */
static bool memo_open(struct pass *pass)
{
    if (pass->memo)
        return true;
    struct call_memo *memo = pass->memo = calloc(1, sizeof(*memo));
    if (memo == NULL)
        return false;
    memo->function_count = pass->types->model->function_count;
    memo->defaults = calloc(memo->function_count + 1u, sizeof(*memo->defaults));
    return memo->defaults != NULL;
}

/* Grows the cache by one call. False: no memory. */
static bool memo_reserve(struct pass *pass, uint32_t count)
{
    struct call_memo *memo = pass->memo;
    if (memo->value_count > 0 && memo->value_count + (uint64_t)count > MEMO_SIZE_MAX / sizeof(*memo->values)) {
        table_clear(&memo->table);
        memo->item_count = memo->value_count = 0;
    }
    if (!table_reserve(&memo->table, 1))
        return false;
    if (memo->key_room < 3 * count + 1) {
        uint32_t *grown = realloc(memo->key, (3 * (size_t)count + 1) * sizeof(*grown));
        if (grown == NULL)
            return false;
        memo->key = grown;
        memo->key_room = 3 * count + 1;
    }
    if (!list_grow(&memo->items, memo->item_count, &memo->item_room, sizeof(*memo->items)))
        return false;
    if (memo->value_room - memo->value_count < count) {
        uint32_t room = (memo->value_count + count) * 2;
        struct call_value *grown = realloc(memo->values, room * sizeof(*grown));
        if (grown == NULL)
            return false;
        memo->values = grown;
        memo->value_room = room;
    }
    return true;
}

static uint64_t memo_hash(struct pass *pass, uint32_t function, const struct call_value *arguments, uint32_t count)
{
    struct call_memo *memo = pass->memo;
    memo->key[0] = function;
    if (count > 0)
        memcpy(memo->key + 1, arguments, count * sizeof(*arguments));
    return table_hash(&memo->table, memo->key, (1 + 3 * (size_t)count) * sizeof(*memo->key));
}

/* Cached outputs for equal arguments; NULL: none. */
static const struct call_value *memo_find(struct pass *pass, uint32_t function, const struct call_value *arguments,
                                          uint32_t count, uint64_t hash)
{
    const struct call_memo *memo = pass->memo;
    for (uint32_t at = 0, item; (item = table_next(&memo->table, hash, &at)) != TABLE_NONE;) {
        const struct memo_item *known = &memo->items[item];
        if (known->function == function &&
            (count == 0 || memcmp(memo->values + known->first, arguments, count * sizeof(*arguments)) == 0))
            return memo->values + known->first + count;
    }
    return NULL;
}

/* Infers the body; each call overwrites the body's results. */
static enum opshift_status body_infer(struct pass *pass, const struct function *function,
                                      const struct call_frame *frame, const struct call_value *arguments)
{
    const struct call_frame *outer = pass->types->frame;
    struct graph *body = function->body;
    uint32_t number = function_number(pass, function);
    for (uint32_t i = 0; i < body->input_count; i++)
        value_give(pass->types, value_number(pass->types, body, body->inputs[i].name), arguments[i]);
    pass->types->frame = frame;
    pass->active[number] = true;
    pass->call_depth++;
    pass->repeats++;
    enum opshift_status status = pass_graph(pass, body);
    pass->repeats--;
    pass->call_depth--;
    pass->active[number] = false;
    pass->types->frame = outer;
    return status;
}

/* Infers the outputs for these arguments; NULL and OK: a recursive call, or the work limit is reached. Valid until
 * the next call is inferred. */
static enum opshift_status call_infer(struct pass *pass, const struct call_frame *frame,
                                      const struct call_value *arguments, const struct call_value **outputs)
{
    const struct function *function = frame->callee;
    uint32_t inputs = argument_count(function), given = function->body->output_count;
    uint32_t number = function_number(pass, function);
    *outputs = NULL;
    if (pass->active[number] || pass->call_depth >= CALLS_MAX || inputs > UINT32_MAX / 16 || given > UINT32_MAX / 16)
        return OPSHIFT_OK;
    if (!memo_reserve(pass, inputs + given))
        return opshift_no_memory(pass->error);
    uint64_t hash = memo_hash(pass, number, arguments, inputs);
    *outputs = memo_find(pass, number, arguments, inputs, hash);
    if (*outputs || pass->work >= pass->work_most)
        return OPSHIFT_OK;
    enum opshift_status status = body_infer(pass, function, frame, arguments);
    if (status)
        return status;
    if (!memo_reserve(pass, inputs + given)) /* the body may have calls too */
        return opshift_no_memory(pass->error);
    struct call_memo *memo = pass->memo;
    struct call_value *values = memo->values + memo->value_count;
    if (inputs > 0)
        memcpy(values, arguments, inputs * sizeof(*arguments));
    for (uint32_t i = 0; i < given; i++)
        values[inputs + i] = output_of(pass->types, function->body, i);
    memo->items[memo->item_count] = (struct memo_item){number, memo->value_count};
    memo->value_count += inputs + given;
    table_put(&memo->table, memo_hash(pass, number, arguments, inputs), memo->item_count++);
    *outputs = values + inputs;
    return OPSHIFT_OK;
}

/* Resolves small constants among the arguments. */
static enum opshift_status arguments_read(struct pass *pass, struct graph *graph, const struct node *node,
                                          uint32_t count)
{
    struct inference inference;
    arena_clear(pass->types->scratch);
    enum opshift_status status =
        inference_fill(&inference, pass->types, graph, node, NULL, pass->types->scratch, pass->error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count && i < node->input_count; i++) {
        input_known(&inference, i);
        status = inference.status;
    }
    return status;
}

/* Reads the attributes of a call. */
static enum opshift_status call_open(struct pass *pass, struct graph *graph, struct call_frame *frame)
{
    struct inference inference;
    if (!memo_open(pass))
        return opshift_no_memory(pass->error);
    arena_clear(pass->types->scratch);
    enum opshift_status status =
        inference_fill(&inference, pass->types, graph, frame->node, NULL, pass->types->scratch, pass->error);
    if (status)
        return status;
    frame_open(&inference, frame, &pass->memo->defaults[function_number(pass, frame->callee)]);
    return inference.status;
}

/* Identifies the attribute values of a call by their offsets in the file. */
static void attributes_identify(const struct call_frame *frame, struct call_value *arguments)
{
    const struct function *callee = frame->callee;
    for (uint32_t i = 0; i < callee->attribute_count + callee->default_count; i++) {
        struct attribute_range found = {0};
        bool is_default = i >= callee->attribute_count;
        uint32_t number = is_default ? i - callee->attribute_count : i;
        name_id name = !is_default                       ? callee->attributes[number]
                       : number < frame->defaults->count ? frame->defaults->list[number].name
                                                         : NAME_NONE;
        enum setting_state answer = frame_attribute(frame, name, &found);
        uint64_t place = answer >= SETTING_DEFAULT ? range_offset(found.range) : 0;
        arguments[i] = (struct call_value){(uint32_t)place, (uint32_t)(place >> 32), (uint32_t)answer};
    }
}

static enum opshift_status call_find(struct pass *pass, struct graph *graph, const struct call_frame *frame,
                                     struct call_value *arguments, const struct call_value **outputs)
{
    uint32_t count = frame->callee->body->input_count;
    enum opshift_status status = arguments_read(pass, graph, frame->node, count);
    for (uint32_t i = 0; i < count; i++)
        arguments[i] = argument_of(pass->types, graph, frame->node, i);
    attributes_identify(frame, arguments + count);
    return status ? status : call_infer(pass, frame, arguments, outputs);
}

/* Charges the arguments and outputs of a large function, which a call need not list. False: the budget is used up. */
static bool call_afford(struct pass *pass, const struct function *callee)
{
    uint64_t count = argument_count(callee) + (uint64_t)callee->body->output_count;
    uint64_t cost = count > ARGUMENTS_FREE ? count / ARGUMENTS_PER_NODE : 0;
    if (cost > 0 && pass->work >= pass->work_most)
        return false;
    pass->work_most -= cost < pass->work_most ? cost : pass->work_most;
    return true;
}

enum opshift_status pass_call(struct pass *pass, struct graph *graph, uint32_t index, const struct function *callee)
{
    static const struct call_value unknown;
    const struct node *node = &graph->nodes[index];
    const struct call_value *outputs = NULL;
    const struct call_frame *outer = pass->types->frame;
    struct call_frame frame = {
        .node = node, .callee = callee, .outer = outer && graph->function == outer->callee ? outer : NULL};
    enum opshift_status status = OPSHIFT_OK;
    if (call_afford(pass, callee)) {
        struct call_value *arguments = calloc(argument_count(callee) + 1u, sizeof(*arguments));
        status = arguments ? call_open(pass, graph, &frame) : opshift_no_memory(pass->error);
        if (status == OPSHIFT_OK)
            status = call_find(pass, graph, &frame, arguments, &outputs);
        free(arguments);
        frame_close(&frame);
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->output_count; i++) {
        bool known = outputs && i < callee->body->output_count;
        status = output_give(pass, graph, index, i, known ? outputs[i] : unknown);
    }
    return status;
}

/* ---- common to all calls ---- */

/* Joins the type of one parameter with that in another call. */
static enum opshift_status parameter_agree(struct pass *pass, struct call_value *parameter, struct call_value argument)
{
    struct types *types = pass->types;
    struct value_type both;
    arena_clear(types->scratch);
    if (parameter->type != argument.type) {
        if (!type_agree(types->scratch, types->all[parameter->type], types->all[argument.type], &both))
            return opshift_no_memory(pass->error);
        parameter->type = type_keep(types, &both);
    }
    parameter->constant = parameter->constant == argument.constant ? parameter->constant : 0;
    struct value_basis basis = basis_join(types->bases[parameter->basis], &types->bases[argument.basis]);
    parameter->basis = basis_keep(types, &basis);
    bool kept = parameter->type != NUMBER_NONE && parameter->basis != NUMBER_NONE;
    return kept ? OPSHIFT_OK : opshift_no_memory(pass->error);
}

static enum opshift_status parameters_agree(struct pass *pass, const struct function *function,
                                            struct call_value *parameters)
{
    uint32_t call_count, count = function->body->input_count; /* behind the shortest call, all are unknown */
    const struct call *calls = scope_calls(pass->types->scopes, function, &call_count);
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < call_count; i++) {
        const struct node *node = &calls[i].graph->nodes[calls[i].node];
        for (; count > node->input_count; count--)
            parameters[count - 1] = (struct call_value){0};
        for (uint32_t k = 0; status == OPSHIFT_OK && k < count; k++) {
            struct call_value argument = argument_of(pass->types, calls[i].graph, node, k);
            if (i == 0)
                parameters[k] = argument;
            else
                status = parameter_agree(pass, &parameters[k], argument);
        }
    }
    return status;
}

/* Reads the attributes of all calls. */
static enum opshift_status calls_open(struct pass *pass, const struct function *function, struct call_frame *frame)
{
    uint32_t count;
    const struct call *calls = scope_calls(pass->types->scopes, function, &count);
    struct inference inference = {.error = pass->error};
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        struct call_frame call = {.node = &calls[i].graph->nodes[calls[i].node], .callee = function};
        status = call_open(pass, calls[i].graph, &call);
        if (status == OPSHIFT_OK && count == 1) {
            *frame = call;
            return OPSHIFT_OK;
        }
        if (status == OPSHIFT_OK)
            frame_join(frame, &call, &inference);
        frame_close(&call);
        status = status ? status : inference.status;
    }
    frame_sort(frame);
    return status;
}

/* calls: remaining callers that are not yet inferred; above 0, the function is recursive. */
static enum opshift_status function_infer(struct pass *pass, const struct function *function, uint32_t calls)
{
    struct call_value *parameters = calloc(function->body->input_count + 1u, sizeof(*parameters));
    if (parameters == NULL)
        return opshift_no_memory(pass->error);
    struct call_frame frame = {.callee = function};
    enum opshift_status status = calls == 0 ? parameters_agree(pass, function, parameters) : OPSHIFT_OK;
    if (status == OPSHIFT_OK)
        status = calls_open(pass, function, &frame);
    if (status == OPSHIFT_OK)
        status = body_infer(pass, function, frame.defaults ? &frame : NULL, parameters);
    frame_close(&frame);
    free(parameters);
    return status;
}

/* Decrements the callee's count of remaining calls for each call in this function. */
static void calls_drop(const struct pass *pass, const struct function *function, uint32_t *waiting, uint32_t *queue,
                       uint32_t *count)
{
    const struct types *types = pass->types;
    const struct opshift_model *model = types->model;
    for (uint32_t g = function->body->number; g < model->graph_count && model->graphs[g]->function == function; g++)
        for (uint32_t i = 0; i < model->graphs[g]->node_count; i++) {
            const struct function *callee = scope_callee(types->scopes, &model->graphs[g]->nodes[i]);
            if (callee && --waiting[function_number(pass, callee)] == 0)
                queue[(*count)++] = function_number(pass, callee);
        }
}

/* Callers first, so that the types they pass are final. */
static enum opshift_status functions_infer(struct pass *pass, uint32_t *waiting, uint32_t *queue)
{
    const struct opshift_model *model = pass->types->model;
    enum opshift_status status = OPSHIFT_OK;
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->function_count; i++) {
        uint32_t call_count;
        const struct call *calls = scope_calls(pass->types->scopes, &model->functions[i], &call_count);
        for (uint32_t k = 0; k < call_count; k++)
            waiting[i] += calls[k].graph->function != NULL;
        if (waiting[i] == 0)
            queue[count++] = i;
    }
    for (uint32_t at = 0; status == OPSHIFT_OK && at < count; at++) {
        status = function_infer(pass, &model->functions[queue[at]], 0);
        calls_drop(pass, &model->functions[queue[at]], waiting, queue, &count);
    }
    pass->work_most = 0; /* no call may overwrite final results */
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->function_count; i++)
        if (waiting[i] > 0)
            status = function_infer(pass, &model->functions[i], waiting[i]);
    return status;
}

enum opshift_status pass_functions(struct pass *pass)
{
    uint32_t function_count = pass->types->model->function_count;
    uint32_t *waiting = calloc(function_count + 1u, sizeof(*waiting));
    uint32_t *queue = calloc(function_count + 1u, sizeof(*queue));
    enum opshift_status status =
        waiting && queue ? functions_infer(pass, waiting, queue) : opshift_no_memory(pass->error);
    free(waiting);
    free(queue);
    return status;
}
