/* The values that calls give to a function's attribute parameters, computed once for all calls and their callers. */
#include "kernel/facts.h"

#include <stdlib.h>

#include "base/list.h"

/* Maximum depth of functions that pass a parameter on. */
#define HANDED_ON_MAX 64

#define NO_CALL UINT32_MAX

struct parameter_value {
    bool agreed, known; /* as in struct draft_parameter */
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
    bool literal;
    int64_t value;
    name_id reference; /* a reference to this parameter of the calling function; NAME_NONE: a value */
    /* Valid for the first entry of a name: the cached result. */
    enum parameter_state state;
    struct parameter_value answer;
};

struct parameters {
    struct parameter_given *given; /* sorted by name, then by call */
    uint32_t count, room;
    bool filled;
};

void parameters_free(struct surroundings *around)
{
    for (uint32_t i = 0; around->parameters && i < around->model->function_count; i++)
        free(around->parameters[i].given);
    free(around->parameters);
    around->parameters = NULL;
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

static enum opshift_status given_add(struct parameters *parameters, uint32_t call, name_id name, name_id reference,
                                     const Onnx__AttributeProto *message, struct opshift_error *error)
{
    if (!list_grow(&parameters->given, parameters->count, &parameters->room, sizeof(*parameters->given)))
        return opshift_no_memory(error);
    struct parameter_given given = {.name = name, .call = call, .order = parameters->count, .reference = reference};
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
            status = given_add(parameters, index, attributes[i].name, attributes[i].reference, message, error);
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
    return given_add(parameters, NO_CALL, name, NAME_NONE, is_int ? message : NULL, error);
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

/* Merges the value of one call into that of the others. */
static void value_join(struct parameter_value *value, const struct parameter_value *more)
{
    value->agreed = value->agreed && more->agreed && value->least == more->least;
    value->known = value->known && more->known;
    value->given |= more->given;
    value->omitted |= more->omitted;
    if (more->least < value->least)
        value->least = more->least;
}

/* The value that one call gives. */
static enum opshift_status given_value(struct surroundings *around, const struct function *function,
                                       const struct parameter_given *given, unsigned depth,
                                       struct parameter_value *value, struct opshift_error *error)
{
    *value = (struct parameter_value){
        .agreed = given->literal, .known = given->literal, .least = given->value, .missing = NO_CALL, .given = true};
    if (given->reference == NAME_NONE || given->call == NO_CALL)
        return OPSHIFT_OK;
    value->omitted = true; /* unknown when passed on more than HANDED_ON_MAX times */
    if (depth >= HANDED_ON_MAX)
        return OPSHIFT_OK;
    uint32_t count;
    const struct graph *caller = scope_calls(around->scopes, function, &count)[given->call].graph;
    if (caller->function == NULL) {
        value->omitted = false;
        return OPSHIFT_OK;
    }
    enum opshift_status status = find(around, caller->function, given->reference, depth + 1, value, error);
    if (status == OPSHIFT_OK && value->missing != NO_CALL)
        *value = (struct parameter_value){.missing = NO_CALL, .given = value->given, .omitted = value->omitted};
    return status;
}

/* Merges all values of a name, starting from its first entry; a call that omits it takes the default. */
static enum opshift_status given_join(struct surroundings *around, const struct function *function,
                                      const struct parameters *parameters, struct parameter_given *first,
                                      uint32_t call_count, unsigned depth, struct opshift_error *error)
{
    const struct parameter_given *end = parameters->given + parameters->count;
    uint32_t calls = 0, missing = NO_CALL;
    enum opshift_status status = OPSHIFT_OK;
    for (const struct parameter_given *at = first; status == OPSHIFT_OK && at < end && at->name == first->name; at++) {
        struct parameter_value one;
        if (at > first && at[-1].call == at->call)
            continue;
        if (at->call == NO_CALL && calls == call_count)
            break;
        if (at->call != calls && missing == NO_CALL)
            missing = calls;
        status = given_value(around, function, at, depth, &one, error);
        if (at == first)
            first->answer = one;
        else
            value_join(&first->answer, &one);
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
    struct opshift_model *model = around->model;
    uint32_t count;
    scope_calls(around->scopes, function, &count);
    *value = (struct parameter_value){.missing = count ? 0 : NO_CALL, .given = count == 0, .omitted = count > 0};
    if (around->parameters == NULL)
        around->parameters = calloc((size_t)model->function_count + 1, sizeof(*around->parameters));
    if (around->parameters == NULL)
        return opshift_no_memory(error);
    struct parameters *parameters = &around->parameters[function - model->functions];
    enum opshift_status status = OPSHIFT_OK;
    if (!parameters->filled)
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

enum opshift_status parameter_given(struct surroundings *around, const struct function *function, struct bytes name,
                                    bool *given, bool *omitted, struct opshift_error *error)
{
    struct parameter_value value = {.missing = NO_CALL};
    name_id id = names_add(around->model->names, name.data, name.size);
    if (id == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    enum opshift_status status = find(around, function, id, 0, &value, error);
    *given = value.given;
    *omitted = value.omitted;
    return status;
}

enum opshift_status parameter_find(struct surroundings *around, const struct function *function, struct bytes name,
                                   struct arena *arena, struct draft_parameter *parameter, struct opshift_error *error)
{
    struct parameter_value value = {.missing = NO_CALL};
    name_id id = names_add(around->model->names, name.data, name.size);
    if (id == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    enum opshift_status status = find(around, function, id, 0, &value, error);
    *parameter = (struct draft_parameter){value.agreed, value.known, value.least, NULL};
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
