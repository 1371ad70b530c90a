/* The attribute values of a function in each distinct call of the model. */
#include "verify/binding.h"

#include <string.h>

enum binding_state { BINDING_NEW, BINDING_BUSY, BINDING_DONE };

struct binding_entry {
    enum binding_state state;
    struct binding_list list;
    struct bytes *keys; /* keys of list.items, for comparing two calls */
};

struct bindings {
    struct opshift_model *model;
    struct scopes *scopes;
    struct arena *arena;
    struct binding_entry *entries; /* by function */
};

/* An attribute that a function declares. */
struct formal {
    struct bytes name;
    Onnx__AttributeProto *fallback; /* NULL: no default */
};

/* State of reading one call. */
struct call_reading {
    struct bindings *bindings;
    struct binding_entry *entry;
    struct formal *formals;
    uint32_t formal_count;
    Onnx__AttributeProto **given; /* by formal; NULL: the call omits it */
};

enum opshift_status bindings_new(struct opshift_model *model, struct scopes *scopes, struct arena *arena,
                                 struct bindings **bindings, struct opshift_error *error)
{
    *bindings = arena_alloc(arena, 1, sizeof(**bindings));
    if (*bindings == NULL)
        return opshift_no_memory(error);
    **bindings = (struct bindings){model, scopes, arena, NULL};
    (*bindings)->entries = arena_alloc(arena, model->function_count + UINT64_C(1), sizeof(struct binding_entry));
    return (*bindings)->entries == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

Onnx__AttributeProto *binding_value(const struct binding *binding, const ProtobufCBinaryData *name)
{
    for (uint32_t i = 0; binding != NULL && i < binding->count; i++)
        if (bytes_same(bytes_of(binding->values[i]->name), bytes_of(*name)))
            return binding->values[i];
    return NULL;
}

/* ---- what a function declares ---- */

static enum opshift_status read_formals(struct call_reading *reading, const struct function *function,
                                        struct opshift_error *error)
{
    struct bindings *bindings = reading->bindings;
    uint64_t count = (uint64_t)function->attribute_count + function->default_count;
    reading->formals = arena_alloc(bindings->arena, count + 1, sizeof(*reading->formals));
    reading->given = arena_alloc(bindings->arena, count + 1, sizeof(*reading->given));
    if (reading->formals == NULL || reading->given == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < function->attribute_count; i++)
        reading->formals[reading->formal_count++].name = names_bytes(bindings->model->names, function->attributes[i]);
    for (uint32_t i = 0; i < function->default_count; i++) {
        Onnx__AttributeProto *fallback = NULL;
        enum opshift_status status =
            range_decode(bindings->model, function->defaults[i], &onnx__attribute_proto__descriptor, bindings->arena,
                         &fallback, error);
        if (status)
            return status;
        reading->formals[reading->formal_count++] =
            (struct formal){{fallback->name.data, fallback->name.len}, fallback};
    }
    return OPSHIFT_OK;
}

/* ---- one call ---- */

static uint32_t formal_of(const struct call_reading *reading, struct bytes name)
{
    uint32_t i = 0;
    while (i < reading->formal_count && !bytes_same(reading->formals[i].name, name))
        i++;
    return i;
}

/* The attributes that the call gives; *refers: one of them refers to an attribute of the enclosing function. */
static enum opshift_status read_given(struct call_reading *reading, const struct node *node, bool *refers,
                                      struct opshift_error *error)
{
    struct bindings *bindings = reading->bindings;
    struct attribute_range *ranges = NULL;
    size_t count = 0;
    enum opshift_status status = node_attributes(bindings->model, node, bindings->arena, &ranges, &count, error);
    memset(reading->given, 0, reading->formal_count * sizeof(*reading->given));
    *refers = false;
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        uint32_t formal = formal_of(reading, names_bytes(bindings->model->names, ranges[i].name));
        if (formal == reading->formal_count)
            continue;
        status = attribute_decode(bindings->model, &ranges[i], bindings->arena, &reading->given[formal], error);
        *refers = *refers || (status == OPSHIFT_OK && reading->given[formal]->ref_attr_name.len > 0);
    }
    return status;
}

/* The value under another name. NULL: no memory. */
static Onnx__AttributeProto *renamed(struct arena *arena, const Onnx__AttributeProto *value, struct bytes name)
{
    Onnx__AttributeProto *copy = arena_copy(arena, value, sizeof(*value));
    if (copy != NULL)
        copy->name = (ProtobufCBinaryData){name.size, (uint8_t *)(uintptr_t)name.data};
    return copy;
}

/* All values serialized one after the other. Size 0 and data NULL: no memory. */
static struct bytes key_of(struct arena *arena, const struct binding *binding)
{
    size_t size = 0, at = 0;
    for (uint32_t i = 0; i < binding->count; i++)
        size += protobuf_c_message_get_packed_size(&binding->values[i]->base);
    uint8_t *data = arena_alloc(arena, size + 1, 1);
    for (uint32_t i = 0; data != NULL && i < binding->count; i++)
        at += protobuf_c_message_pack(&binding->values[i]->base, data + at);
    return (struct bytes){data, at};
}

static enum opshift_status add_binding(struct call_reading *reading, struct binding binding,
                                       struct opshift_error *error)
{
    struct arena *arena = reading->bindings->arena;
    struct binding_list *list = &reading->entry->list;
    struct bytes key = key_of(arena, &binding);
    if (key.data == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < list->count; i++)
        if (bytes_same(reading->entry->keys[i], key))
            return OPSHIFT_OK;
    if (list->count == BINDING_COUNT_MAX) {
        list->complete = false;
        return OPSHIFT_OK;
    }
    reading->entry->keys[list->count] = key;
    list->items[list->count++] = binding;
    return OPSHIFT_OK;
}

/* Resolves the call for each binding of the enclosing function (NULL: none). */
static enum opshift_status bind(struct call_reading *reading, const struct binding *outer, struct opshift_error *error)
{
    struct arena *arena = reading->bindings->arena;
    struct binding binding = {arena_alloc(arena, reading->formal_count + UINT64_C(1), sizeof(*binding.values)), 0,
                              outer != NULL && outer->partial};
    if (binding.values == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < reading->formal_count; i++) {
        Onnx__AttributeProto *value = reading->given[i];
        if (value != NULL && value->ref_attr_name.len > 0)
            value = binding_value(outer, &value->ref_attr_name);
        if (value == NULL)
            value = reading->formals[i].fallback;
        if (value == NULL)
            continue;
        binding.values[binding.count] = renamed(arena, value, reading->formals[i].name);
        if (binding.values[binding.count++] == NULL)
            return opshift_no_memory(error);
    }
    return add_binding(reading, binding, error);
}

static enum opshift_status collect(struct bindings *bindings, const struct function *function, unsigned depth,
                                   struct opshift_error *error);

static enum opshift_status read_call(struct call_reading *reading, const struct call *call, unsigned depth,
                                     struct opshift_error *error)
{
    struct bindings *bindings = reading->bindings;
    const struct function *caller = call->graph->function;
    const struct binding_list *outer = NULL;
    bool refers;
    enum opshift_status status = read_given(reading, &call->graph->nodes[call->node], &refers, error);
    if (status == OPSHIFT_OK && caller != NULL) {
        status = collect(bindings, caller, depth + 1, error);
        outer = &bindings->entries[caller - bindings->model->functions].list;
        reading->entry->list.complete = reading->entry->list.complete && outer->complete;
    }
    if (status || outer == NULL)
        return status == OPSHIFT_OK ? bind(reading, NULL, error) : status;
    /* A function that is never called makes no calls. */
    for (uint32_t i = 0; status == OPSHIFT_OK && i < (refers || outer->count == 0 ? outer->count : 1); i++)
        status = bind(reading, &outer->items[i], error);
    return status;
}

/* ---- all calls ---- */

static enum opshift_status collect(struct bindings *bindings, const struct function *function, unsigned depth,
                                   struct opshift_error *error)
{
    struct binding_entry *entry = &bindings->entries[function - bindings->model->functions];
    struct call_reading reading = {.bindings = bindings, .entry = entry};
    uint32_t call_count = 0;
    if (entry->state == BINDING_DONE)
        return OPSHIFT_OK;
    if (entry->state == BINDING_BUSY || depth >= BINDING_DEPTH_MAX) {
        entry->list.complete = false;
        return OPSHIFT_OK;
    }
    entry->state = BINDING_BUSY;
    entry->list.complete = true;
    entry->list.items = arena_alloc(bindings->arena, BINDING_COUNT_MAX, sizeof(*entry->list.items));
    entry->keys = arena_alloc(bindings->arena, BINDING_COUNT_MAX, sizeof(*entry->keys));
    const struct call *calls = scope_calls(bindings->scopes, function, &call_count);
    enum opshift_status status = entry->list.items == NULL || entry->keys == NULL
                                     ? opshift_no_memory(error)
                                     : read_formals(&reading, function, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < call_count; i++)
        status = read_call(&reading, &calls[i], depth, error);
    entry->state = BINDING_DONE;
    return status;
}

enum opshift_status bindings_find(struct bindings *bindings, const struct function *function,
                                  const struct binding_list **list, struct opshift_error *error)
{
    *list = &bindings->entries[function - bindings->model->functions].list;
    return collect(bindings, function, 0, error);
}
