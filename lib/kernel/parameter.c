/* The values that calls give to a function's attribute parameters, computed once for all calls and their callers. */
#include "kernel/facts.h"

#include <stdlib.h>

#include "base/list.h"
#include "wire/wire.h"

/* Maximum depth of functions that pass a parameter on. */
#define HANDED_ON_MAX 64

#define NO_CALL UINT32_MAX

struct parameter_value {
    const struct parameter_given *source; /* of the value that all calls give; NULL: they differ, or it is unknown */
    bool known;                           /* as in struct draft_parameter */
    int64_t least;
    uint32_t missing; /* the first call that omits it; NO_CALL: none does */
    bool given;       /* some call gives it, or it has a default, or there is no call */
    bool omitted;     /* some call omits it without a default, or this is unknown */
};

enum parameter_state { STATE_NEW, STATE_OPEN, STATE_DONE };

/* A value given by a call; call NO_CALL: the function's default. */
struct parameter_given {
    name_id name;
    uint32_t call, order;
    bool literal; /* an integer */
    int64_t value;
    struct range range; /* of the attribute */
    name_id reference;  /* a reference to this parameter of the calling function; NAME_NONE: a value */
    /* Valid for the first entry of a name: the cached result. */
    enum parameter_state state;
    struct parameter_value answer;
};

struct parameters {
    struct parameter_given *given; /* sorted by name, then by call */
    uint32_t count, room;
    bool filled;
    uint8_t *inputs; /* by input: enum input_presence; NULL: not computed yet */
    bool busy;       /* its inputs are being computed */
};

void parameters_free(struct surroundings *around)
{
    for (uint32_t i = 0; around->parameters && i < around->model->function_count; i++) {
        free(around->parameters[i].given);
        free(around->parameters[i].inputs);
    }
    free(around->parameters);
    around->parameters = NULL;
}

/* NULL: no memory. */
static struct parameters *parameters_of(struct surroundings *around, const struct function *function)
{
    if (around->parameters == NULL)
        around->parameters = calloc((size_t)around->model->function_count + 1, sizeof(*around->parameters));
    return around->parameters ? &around->parameters[function - around->model->functions] : NULL;
}

static int given_order(const void *a, const void *b)
{
    const struct parameter_given *left = a, *right = b;
    if (left->name != right->name)
        return left->name < right->name ? -1 : 1;
    if (left->call != right->call)
        return left->call < right->call ? -1 : 1;
    return left->order < right->order ? -1 : left->order > right->order;
}

static enum opshift_status given_add(struct parameters *parameters, uint32_t call, name_id name, struct range range,
                                     name_id reference, const Onnx__AttributeProto *message,
                                     struct opshift_error *error)
{
    if (!list_grow(&parameters->given, parameters->count, &parameters->room, sizeof(*parameters->given)))
        return opshift_no_memory(error);
    struct parameter_given given = {
        .name = name, .call = call, .order = parameters->count, .range = range, .reference = reference};
    if (message && reference == NAME_NONE) {
        given.literal = true;
        given.value = message->i;
    }
    parameters->given[parameters->count++] = given;
    return OPSHIFT_OK;
}

/* Only integers are decoded; for others it is only noted that they are given. */
static bool may_be_int(const struct attribute_range *attribute)
{
    return attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT ||
           attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED;
}

static enum opshift_status call_read(struct surroundings *around, struct parameters *parameters,
                                     const struct call *call, uint32_t index, struct arena *arena,
                                     struct opshift_error *error)
{
    struct attribute_range *attributes;
    size_t count;
    const struct node *node = &call->graph->nodes[call->node];
    enum opshift_status status = node_attributes(around->model, node, arena, &attributes, &count, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        Onnx__AttributeProto *message = NULL;
        if (may_be_int(&attributes[i]))
            status = attribute_decode(around->model, &attributes[i], arena, &message, error);
        if (status == OPSHIFT_OK)
            status = given_add(parameters, index, attributes[i].name, attributes[i].range, attributes[i].reference,
                               message, error);
    }
    return status;
}

static enum opshift_status default_read(struct surroundings *around, struct parameters *parameters, struct range range,
                                        struct arena *arena, struct opshift_error *error)
{
    Onnx__AttributeProto *message;
    enum opshift_status status =
        range_decode(around->model, range, &onnx__attribute_proto__descriptor, arena, &message, error);
    if (status)
        return status;
    name_id name = names_add(around->model->names, message->name.data, message->name.len);
    if (name == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    /* Old files omit the type; an attribute with the integer field set is an INT. */
    bool is_int = message->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT || (!message->has_type && message->has_i);
    return given_add(parameters, NO_CALL, name, range, NAME_NONE, is_int ? message : NULL, error);
}

static enum opshift_status parameters_fill(struct surroundings *around, const struct function *function,
                                           struct parameters *parameters, struct opshift_error *error)
{
    uint32_t count;
    const struct call *calls = scope_calls(around->scopes, function, &count);
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count + function->default_count; i++) {
        struct arena *arena = arena_new(0);
        if (arena == NULL)
            return opshift_no_memory(error);
        status = i < count ? call_read(around, parameters, &calls[i], i, arena, error)
                           : default_read(around, parameters, function->defaults[i - count], arena, error);
        arena_free(arena);
    }
    if (parameters->count)
        qsort(parameters->given, parameters->count, sizeof(*parameters->given), given_order);
    parameters->filled = status == OPSHIFT_OK;
    return status;
}

/* The first entry of a name; NULL: none. */
static struct parameter_given *given_find(const struct parameters *parameters, name_id name)
{
    uint32_t low = 0, high = parameters->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        *(parameters->given[middle].name < name ? &low : &high) =
            parameters->given[middle].name < name ? middle + 1 : middle;
    }
    return low < parameters->count && parameters->given[low].name == name ? &parameters->given[low] : NULL;
}

static enum opshift_status find(struct surroundings *around, const struct function *function, name_id name,
                                unsigned depth, struct parameter_value *value, struct opshift_error *error);

/* The value without its name. NULL: it cannot be read. */
static Onnx__AttributeProto *value_decode(struct surroundings *around, const struct parameter_given *given,
                                          struct arena *arena)
{
    Onnx__AttributeProto *message = NULL;
    if (range_decode(around->model, given->range, &onnx__attribute_proto__descriptor, arena, &message, NULL))
        return NULL;
    message->has_name = message->has_doc_string = 0;
    return message;
}

static bool given_same(struct surroundings *around, const struct parameter_given *one,
                       const struct parameter_given *other)
{
    if (one == other || (one->literal && other->literal))
        return one->value == other->value;
    struct arena *arena = one->literal == other->literal ? arena_new(0) : NULL;
    const Onnx__AttributeProto *left = arena ? value_decode(around, one, arena) : NULL;
    const Onnx__AttributeProto *right = left ? value_decode(around, other, arena) : NULL;
    bool same = right && wire_same_messages(arena, &left->base, &right->base);
    arena_free(arena);
    return same;
}

/* Merges the value of one call into that of the others. */
static void value_join(struct surroundings *around, struct parameter_value *value, const struct parameter_value *more)
{
    if (value->source && (more->source == NULL || !given_same(around, value->source, more->source)))
        value->source = NULL;
    value->known = value->known && more->known;
    value->given |= more->given;
    value->omitted |= more->omitted;
    if (more->least < value->least)
        value->least = more->least;
}

static struct parameter_value literal_value(const struct parameter_given *given)
{
    return (struct parameter_value){
        .source = given, .known = given->literal, .least = given->value, .missing = NO_CALL, .given = true};
}

/* The default among the entries of a name, from its first one on; NULL: none. */
static const struct parameter_given *default_find(const struct parameters *parameters,
                                                  const struct parameter_given *first)
{
    const struct parameter_given *end = parameters->given + parameters->count;
    while (first < end && first->call != NO_CALL)
        first = first + 1 < end && first[1].name == first->name ? first + 1 : end;
    return first < end ? first : NULL;
}

/* The value that one call gives. fallback: the function's default, which counts where the calling function's own
 * parameter is absent; NULL: none. */
static enum opshift_status given_value(struct surroundings *around, const struct function *function,
                                       const struct parameter_given *given, const struct parameter_given *fallback,
                                       unsigned depth, struct parameter_value *value, struct opshift_error *error)
{
    *value = literal_value(given);
    if (given->reference == NAME_NONE || given->call == NO_CALL)
        return OPSHIFT_OK;
    /* Unknown when passed on more than HANDED_ON_MAX times. */
    *value = (struct parameter_value){.missing = NO_CALL, .given = true, .omitted = true};
    if (depth >= HANDED_ON_MAX)
        return OPSHIFT_OK;
    uint32_t count;
    const struct graph *caller = scope_calls(around->scopes, function, &count)[given->call].graph;
    if (caller->function == NULL) {
        value->omitted = false;
        return OPSHIFT_OK;
    }
    enum opshift_status status = find(around, caller->function, given->reference, depth + 1, value, error);
    bool given_there = value->given;
    if (status || !value->omitted)
        return status;
    if (fallback == NULL) {
        *value = (struct parameter_value){.missing = NO_CALL, .given = given_there, .omitted = true};
        return OPSHIFT_OK;
    }
    struct parameter_value otherwise = literal_value(fallback);
    if (given_there)
        value_join(around, value, &otherwise);
    else
        *value = otherwise;
    value->omitted = false;
    value->missing = NO_CALL;
    return OPSHIFT_OK;
}

/* Merges all values of a name, starting from its first entry; a call that omits it takes the default. */
static enum opshift_status given_join(struct surroundings *around, const struct function *function,
                                      const struct parameters *parameters, struct parameter_given *first,
                                      uint32_t call_count, unsigned depth, struct opshift_error *error)
{
    const struct parameter_given *end = parameters->given + parameters->count;
    const struct parameter_given *fallback = default_find(parameters, first);
    uint32_t calls = 0, missing = NO_CALL;
    enum opshift_status status = OPSHIFT_OK;
    for (const struct parameter_given *at = first; status == OPSHIFT_OK && at < end && at->name == first->name; at++) {
        struct parameter_value one;
        if (at > first && at[-1].call == at->call)
            continue;
        if (at->call == NO_CALL && calls == call_count && missing == NO_CALL)
            break;
        if (at->call != calls && missing == NO_CALL)
            missing = calls;
        status = given_value(around, function, at, fallback, depth, &one, error);
        if (at == first)
            first->answer = one;
        else
            value_join(around, &first->answer, &one);
        calls = at->call == NO_CALL ? call_count : calls + 1;
        missing = at->call == NO_CALL ? NO_CALL : missing;
    }
    first->answer.missing = calls < call_count && missing == NO_CALL ? calls : missing;
    first->answer.omitted |= first->answer.missing != NO_CALL;
    return status;
}

static enum opshift_status find(struct surroundings *around, const struct function *function, name_id name,
                                unsigned depth, struct parameter_value *value, struct opshift_error *error)
{
    uint32_t count;
    scope_calls(around->scopes, function, &count);
    *value = (struct parameter_value){.missing = count ? 0 : NO_CALL, .given = count == 0, .omitted = count > 0};
    struct parameters *parameters = parameters_of(around, function);
    enum opshift_status status = parameters ? OPSHIFT_OK : opshift_no_memory(error);
    if (status == OPSHIFT_OK && !parameters->filled)
        status = parameters_fill(around, function, parameters, error);
    struct parameter_given *first = status == OPSHIFT_OK && count ? given_find(parameters, name) : NULL;
    if (first == NULL)
        return status;
    if (first->state == STATE_NEW) {
        first->state = STATE_OPEN;
        status = given_join(around, function, parameters, first, count, depth, error);
        first->state = STATE_DONE;
    } else if (first->state == STATE_OPEN) {
        *value = (struct parameter_value){.missing = NO_CALL, .given = true, .omitted = true}; /* recursive calls */
        return OPSHIFT_OK;
    }
    *value = first->answer;
    return status;
}

static enum opshift_status find_named(struct surroundings *around, const struct function *function, struct bytes name,
                                      struct parameter_value *value, struct opshift_error *error)
{
    name_id id = names_add(around->model->names, name.data, name.size);
    *value = (struct parameter_value){.missing = NO_CALL};
    return id == NAME_NO_MEMORY ? opshift_no_memory(error) : find(around, function, id, 0, value, error);
}

enum opshift_status parameter_given(struct surroundings *around, const struct function *function, struct bytes name,
                                    bool *given, bool *omitted, struct opshift_error *error)
{
    struct parameter_value value;
    enum opshift_status status = find_named(around, function, name, &value, error);
    *given = value.given;
    *omitted = value.omitted;
    return status;
}

enum opshift_status parameter_find(struct surroundings *around, const struct function *function, struct bytes name,
                                   struct arena *arena, struct draft_parameter *parameter, struct opshift_error *error)
{
    struct parameter_value value;
    enum opshift_status status = find_named(around, function, name, &value, error);
    bool agreed = value.source && value.source->literal;
    *parameter = (struct draft_parameter){agreed, value.known, value.least, NULL};
    if (status || value.missing == NO_CALL)
        return status;
    uint32_t count;
    const struct call *call = &scope_calls(around->scopes, function, &count)[value.missing];
    *parameter = (struct draft_parameter){0};
    parameter->missing =
        arena_print(arena, "%s gives no value for the function's attribute '%.*s', which has no default",
                    node_place(around->model, call->graph, &call->graph->nodes[call->node]), (int)name.size,
                    (const char *)name.data);
    return parameter->missing ? OPSHIFT_OK : opshift_no_memory(error);
}

enum opshift_status parameter_message(struct surroundings *around, const struct function *function, struct bytes name,
                                      struct arena *arena, Onnx__AttributeProto **message, struct opshift_error *error)
{
    struct parameter_value value;
    enum opshift_status status = find_named(around, function, name, &value, error);
    *message = NULL;
    if (status || value.source == NULL || value.omitted)
        return status;
    status =
        range_decode(around->model, value.source->range, &onnx__attribute_proto__descriptor, arena, message, error);
    if (status == OPSHIFT_OK && (*message)->has_ref_attr_name)
        *message = NULL;
    return status;
}

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

static enum opshift_status inputs_find(struct surroundings *around, const struct function *function, unsigned depth,
                                       const uint8_t **inputs, struct opshift_error *error);

/* Is a value given that is read in this graph? It may be an input of a function that its calls leave out. */
static enum opshift_status presence_find(struct surroundings *around, struct graph *graph, name_id name, unsigned depth,
                                         enum input_presence *presence, struct opshift_error *error)
{
    struct definition found = {0};
    *presence = name == NAME_NONE ? INPUT_LEFT_OUT : INPUT_GIVEN;
    if (name != NAME_NONE && graph->function)
        found = scope_find(around->scopes, graph, name);
    if (found.kind != DEFINED_INPUT || found.graph != graph->function->body)
        return OPSHIFT_OK;
    const uint8_t *inputs;
    enum opshift_status status = inputs_find(around, graph->function, depth, &inputs, error);
    *presence = inputs ? (enum input_presence)inputs[found.index] : INPUT_MIXED;
    return status;
}

/* given, left_out: by input, the number of calls that give it or leave it out, or do both. */
static enum opshift_status call_count_inputs(struct surroundings *around, const struct call *call, uint32_t input_count,
                                             unsigned depth, uint32_t *given, uint32_t *left_out,
                                             struct opshift_error *error)
{
    const struct node *node = &call->graph->nodes[call->node];
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->input_count && i < input_count; i++) {
        enum input_presence presence;
        status = presence_find(around, call->graph, node_inputs(node)[i], depth + 1, &presence, error);
        given[i] += presence != INPUT_LEFT_OUT;
        left_out[i] += presence == INPUT_MIXED;
    }
    return status;
}

static enum opshift_status inputs_compute(struct surroundings *around, const struct function *function, unsigned depth,
                                          uint8_t *inputs, struct opshift_error *error)
{
    uint32_t count, input_count = function->body->input_count;
    const struct call *calls = scope_calls(around->scopes, function, &count);
    uint32_t *given = calloc(input_count + UINT64_C(1), 2 * sizeof(*given));
    if (given == NULL)
        return opshift_no_memory(error);
    uint32_t *left_out = given + input_count;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++)
        status = call_count_inputs(around, &calls[i], input_count, depth, given, left_out, error);
    for (uint32_t i = 0; i < input_count; i++)
        inputs[i] = given[i] == count && left_out[i] == 0 ? INPUT_GIVEN : given[i] == 0 ? INPUT_LEFT_OUT : INPUT_MIXED;
    free(given);
    return status;
}

/* *inputs NULL: not known, since calls are recursive or too deep. */
static enum opshift_status inputs_find(struct surroundings *around, const struct function *function, unsigned depth,
                                       const uint8_t **inputs, struct opshift_error *error)
{
    *inputs = NULL;
    struct parameters *parameters = parameters_of(around, function);
    if (parameters == NULL)
        return opshift_no_memory(error);
    if (parameters->busy || depth >= HANDED_ON_MAX)
        return OPSHIFT_OK;
    enum opshift_status status = OPSHIFT_OK;
    if (parameters->inputs == NULL) {
        uint8_t *made = calloc(function->body->input_count + UINT64_C(1), 1);
        if (made == NULL)
            return opshift_no_memory(error);
        parameters->busy = true;
        status = inputs_compute(around, function, depth, made, error);
        parameters->busy = false;
        parameters->inputs = made;
    }
    *inputs = parameters->inputs;
    return status;
}

enum opshift_status input_presence_find(struct surroundings *around, struct graph *graph, name_id name,
                                        enum input_presence *presence, struct opshift_error *error)
{
    *presence = INPUT_GIVEN;
    return name == NAME_NONE ? OPSHIFT_OK : presence_find(around, graph, name, 0, presence, error);
}
