/* Copies functions for each distinct set of arguments and attributes of their calls, callers before callees. */
#include "convert/cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/table.h"
#include "model/fields.h"
#include "model/preview.h"
#include "wire/wire.h"

#define COPIES_MAX            1024u               /* functions that are added */
#define ADDED_MAX             (UINT64_C(1) << 26) /* their bytes */
#define COMPARED_MAX          (INT64_C(1) << 12)  /* elements of a constant argument */
#define FUNCTION_NAME_FIELD   1
#define MODEL_FUNCTIONS_FIELD 25

/* One round: the functions whose callers are final are copied in `model`. */
struct case_split {
    const struct opshift_goal *goal;
    struct opshift_model *model;
    struct arena *arena; /* of the result */
    struct surroundings around;
    const bool *wanted;
    bool *done;
    uint32_t *origin, *copies; /* by function; copies: made in this round */
    uint32_t copy_count;
    uint64_t added;
    bool coarse; /* dims and constants do not count: with them there are too many cases */
};

/* Calls of a function that are alike. */
struct case_call {
    struct bytes key;
    name_id name;
};

/* The calls of a function. */
struct call_cases {
    const struct call *calls;
    uint32_t *which; /* the case of each */
    uint32_t call_count, case_count;
    struct case_call *cases;
};

/* ---- the key of a call ------------------------------------------------------------------------------------------- */

static void add_number(struct buffer *key, int64_t number)
{
    buffer_add(key, &number, sizeof(number));
}

static void add_counted(struct buffer *key, struct bytes bytes)
{
    add_number(key, (int64_t)bytes.size);
    if (bytes.size)
        buffer_add(key, bytes.data, bytes.size);
}

static void add_type(struct buffer *key, const struct value_type *type, bool coarse)
{
    const char *other = type->other ? type->other : "";
    add_number(key, type->type);
    add_number(key, type->is_tensor);
    add_number(key, type->rank);
    for (int32_t i = 0; !coarse && i < type->rank; i++)
        add_number(key, type->dims[i]);
    add_counted(key, (struct bytes){(const uint8_t *)other, strlen(other)});
    add_number(key, type->element != NULL);
    if (type->element)
        add_number(key, type->element->type);
}

/* May its value be compared? Large ones are data, which no rule looks at. */
static bool is_small(const struct value_type *type)
{
    int64_t count = 1;
    for (int32_t i = 0; i < type->rank && count <= COMPARED_MAX; i++)
        count = type->dims[i] < 0 || type->dims[i] > COMPARED_MAX ? COMPARED_MAX + 1 : count * type->dims[i];
    return type->rank >= 0 && count <= COMPARED_MAX;
}

static void add_constant(struct buffer *key, const struct tensor *tensor)
{
    add_number(key, tensor != NULL);
    if (tensor && tensor->type != OPSHIFT_TYPE_STRING)
        add_counted(key, (struct bytes){tensor->data, type_size(tensor->type, tensor->count)});
    for (uint64_t i = 0; tensor && tensor->type == OPSHIFT_TYPE_STRING && i < tensor->count; i++)
        add_counted(key, tensor->strings[i]);
}

static enum opshift_status add_argument(struct case_split *splitting, struct graph *graph, name_id name,
                                        struct buffer *key, struct opshift_error *error)
{
    enum input_presence presence;
    struct value_type type;
    const struct tensor *tensor = NULL;
    enum opshift_status status = input_presence_find(&splitting->around, graph, name, &presence, error);
    if (status)
        return status;
    add_number(key, name == NAME_NONE ? INPUT_LEFT_OUT : presence);
    if (name == NAME_NONE || presence == INPUT_LEFT_OUT)
        return OPSHIFT_OK;
    status = types_find(splitting->around.types, graph, name, &type, error);
    if (status)
        return status;
    add_type(key, &type, splitting->coarse);
    if (splitting->coarse || !is_small(&type))
        return OPSHIFT_OK;
    status = fold_constant(splitting->around.fold, graph, name, &tensor, NULL, error);
    if (status == OPSHIFT_MEMORY || status == OPSHIFT_CANCELLED)
        return status;
    error_forget(error); /* one that cannot be read is no constant */
    add_constant(key, tensor);
    return OPSHIFT_OK;
}

/* The value of an attribute, of whatever name: in the call, or as the calling function's calls give it. */
static enum opshift_status add_attribute(struct case_split *splitting, const struct graph *graph,
                                         const struct attribute_range *attribute, struct arena *arena,
                                         struct buffer *key, struct opshift_error *error)
{
    struct opshift_model *model = splitting->model;
    Onnx__AttributeProto *message = NULL;
    enum opshift_status status =
        range_decode(model, attribute->range, &onnx__attribute_proto__descriptor, arena, &message, error);
    if (status)
        return status;
    if (attribute->reference != NAME_NONE && graph->function) {
        status = parameter_message(&splitting->around, graph->function, names_bytes(model->names, attribute->reference),
                                   arena, &message, error);
        if (status || message == NULL) { /* absent, or not known */
            add_number(key, -1);
            return status;
        }
    }
    message->has_name = message->has_doc_string = 0;
    add_number(key, onnx__attribute_proto__get_packed_size(message));
    wire_add_packed(key, &message->base);
    return OPSHIFT_OK;
}

static enum opshift_status add_attributes(struct case_split *splitting, const struct call *call, struct buffer *key,
                                          struct opshift_error *error)
{
    struct attribute_range *attributes;
    size_t count;
    struct arena *arena = arena_new(0);
    if (arena == NULL)
        return opshift_no_memory(error);
    enum opshift_status status =
        node_attributes(splitting->model, &call->graph->nodes[call->node], arena, &attributes, &count, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        add_number(key, attributes[i].name);
        status = add_attribute(splitting, call->graph, &attributes[i], arena, key, error);
    }
    arena_free(arena);
    return status;
}

static enum opshift_status call_key(struct case_split *splitting, const struct call *call, uint32_t input_count,
                                    struct buffer *key, struct opshift_error *error)
{
    const struct node *node = &call->graph->nodes[call->node];
    enum opshift_status status = OPSHIFT_OK;
    key->size = 0;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < input_count; i++)
        status =
            add_argument(splitting, call->graph, i < node->input_count ? node_inputs(node)[i] : NAME_NONE, key, error);
    if (status == OPSHIFT_OK)
        status = add_attributes(splitting, call, key, error);
    return status == OPSHIFT_OK && key->failed ? opshift_no_memory(error) : status;
}

/* ---- a function -------------------------------------------------------------------------------------------------- */

enum opshift_status call_rename(struct opshift_model *model, struct graph *graph, struct node *node, struct bytes name,
                                struct opshift_error *error)
{
    return field_set(model, node_message(model, graph, node), NODE_OP_TYPE, 0, name, error);
}

/* Inserts a copy of a function under another name behind it. */
static enum opshift_status function_copy(struct case_split *splitting, const struct function *function,
                                         struct bytes name, struct opshift_error *error)
{
    struct opshift_model *model = splitting->model;
    uint64_t end = function->message->offset + function->message->size;
    struct wire_cursor cursor = {model->source, function->message->offset, end};
    struct wire_field field;
    struct buffer payload = {0}, record = {0};
    bool found;
    enum opshift_status status;
    splitting->added += function->message->size;
    if (++splitting->copy_count > COPIES_MAX || splitting->added > ADDED_MAX)
        return opshift_fail(error, OPSHIFT_NO, "too many");
    wire_add_bytes(&payload, FUNCTION_NAME_FIELD, name.data, name.size);
    while ((status = wire_next(&cursor, &field, &found, error)) == OPSHIFT_OK && found) {
        if (field.number != FUNCTION_NAME_FIELD)
            status = wire_copy_field(model->source, &field, &payload, error);
        if (status)
            break;
    }
    wire_add_bytes(&record, MODEL_FUNCTIONS_FIELD, payload.data, payload.size);
    if (status == OPSHIFT_OK)
        status = payload.failed || record.failed
                     ? opshift_no_memory(error)
                     : model_edit(model, model->message, end, 0, (struct bytes){record.data, record.size}, error);
    buffer_free(&payload);
    buffer_free(&record);
    return status;
}

/* Distributes the calls of a function to cases. */
static enum opshift_status cases_find(struct case_split *splitting, const struct function *function,
                                      struct arena *arena, struct call_cases *found, struct opshift_error *error)
{
    uint32_t room = 0;
    struct table table = {.arena = arena};
    struct buffer key = {0};
    enum opshift_status status = OPSHIFT_OK;
    found->calls = scope_calls(splitting->around.scopes, function, &found->call_count);
    found->which = arena_alloc(arena, found->call_count + UINT64_C(1), sizeof(*found->which));
    if (found->which == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < found->call_count; i++) {
        status = call_key(splitting, &found->calls[i], function->body->input_count, &key, error);
        if (status)
            break;
        if (!table_reserve(&table, 1) ||
            !arena_list_grow(arena, &found->cases, found->case_count, &room, sizeof(*found->cases))) {
            status = opshift_no_memory(error);
            break;
        }
        uint64_t hash = table_hash(&table, key.data, key.size);
        uint32_t at = 0, item;
        while ((item = table_next(&table, hash, &at)) != TABLE_NONE &&
               !bytes_same(found->cases[item].key, (struct bytes){key.data, key.size}))
            ;
        if (item == TABLE_NONE) {
            item = found->case_count++;
            found->cases[item] = (struct case_call){{arena_copy(arena, key.data, key.size), key.size}, NAME_NONE};
            table_put(&table, hash, item);
            if (found->cases[item].key.data == NULL || found->case_count > COPIES_MAX)
                status = found->cases[item].key.data ? opshift_fail(error, OPSHIFT_NO, "too many")
                                                     : opshift_no_memory(error);
        }
        found->which[i] = item;
    }
    buffer_free(&key);
    return status;
}

static enum opshift_status function_split(struct case_split *splitting, uint32_t number, struct arena *arena,
                                          struct opshift_error *error)
{
    struct opshift_model *model = splitting->model;
    const struct function *function = &model->functions[number];
    struct call_cases found = {0};
    enum opshift_status status = cases_find(splitting, function, arena, &found, error);
    splitting->done[number] = true;
    for (uint32_t i = 1; status == OPSHIFT_OK && i < found.case_count; i++) {
        struct bytes stem = names_bytes(model->names, function->name);
        found.cases[i].name = scope_fresh(splitting->around.scopes, (const char *)stem.data, stem.size);
        if (found.cases[i].name == NAME_NO_MEMORY)
            return opshift_no_memory(error);
        status = function_copy(splitting, function, names_bytes(model->names, found.cases[i].name), error);
        splitting->copies[number]++;
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < found.call_count; i++)
        if (found.which[i] > 0)
            status = call_rename(model, found.calls[i].graph, &found.calls[i].graph->nodes[found.calls[i].node],
                                 names_bytes(model->names, found.cases[found.which[i]].name), error);
    if (status == OPSHIFT_NO)
        return opshift_fail(error, OPSHIFT_NO,
                            "function '%.80s' is called in more than %u different ways, for which it would have to be "
                            "written; give its calls the same types, or inline it where the model is made",
                            names_text(model->names, function->name), COPIES_MAX);
    return status;
}

/* ---- rounds ------------------------------------------------------------------------------------------------------ */

/* Are all functions that call this one final? */
static bool is_ready(const struct case_split *splitting, uint32_t number)
{
    uint32_t count;
    const struct opshift_model *model = splitting->model;
    const struct call *calls = scope_calls(splitting->around.scopes, &model->functions[number], &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct function *caller = calls[i].graph->function;
        if (caller && (!splitting->done[caller - model->functions] || splitting->copies[caller - model->functions]))
            return false;
    }
    return true;
}

/* Copies what is ready. *left: some function is not. */
static enum opshift_status round_split(struct case_split *splitting, bool *left, struct opshift_error *error)
{
    struct arena *arena = arena_new(0);
    enum opshift_status status = arena ? OPSHIFT_OK : opshift_no_memory(error);
    for (bool more = true; status == OPSHIFT_OK && more;) {
        more = *left = false;
        for (uint32_t i = 0; status == OPSHIFT_OK && i < splitting->model->function_count; i++) {
            if (splitting->done[i])
                continue;
            if (!is_ready(splitting, i)) {
                *left = true;
                continue;
            }
            more = true;
            if (splitting->wanted[i])
                status = function_split(splitting, i, arena, error);
            splitting->done[i] = true;
        }
    }
    arena_free(arena);
    return status;
}

/* The arrays of the functions with their copies. */
static enum opshift_status arrays_grow(struct case_split *splitting, const struct opshift_model *next,
                                       struct opshift_error *error)
{
    uint32_t count = next->function_count, at = 0;
    bool *wanted = arena_alloc(splitting->arena, count + UINT64_C(1), sizeof(*wanted));
    bool *done = arena_alloc(splitting->arena, count + UINT64_C(1), sizeof(*done));
    uint32_t *origin = arena_alloc(splitting->arena, count + UINT64_C(1), sizeof(*origin));
    uint32_t *copies = arena_alloc(splitting->arena, count + UINT64_C(1), sizeof(*copies));
    if (wanted == NULL || done == NULL || origin == NULL || copies == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < splitting->model->function_count; i++)
        for (uint32_t k = 0; k <= splitting->copies[i] && at < count; k++, at++) {
            wanted[at] = splitting->wanted[i];
            done[at] = splitting->done[i];
            origin[at] = splitting->origin[i];
        }
    splitting->wanted = wanted;
    splitting->done = done;
    splitting->origin = origin;
    splitting->copies = copies;
    return OPSHIFT_OK;
}

/* One round on a model without edits. *next NULL: no function was copied. */
static enum opshift_status round_run(struct case_split *splitting, struct opshift_model **next, bool *left,
                                     struct opshift_error *error)
{
    uint32_t before = splitting->copy_count;
    *next = NULL;
    enum opshift_status status =
        surroundings_open(&splitting->around, splitting->model, splitting->goal->freeze_initializers, error);
    if (status == OPSHIFT_OK)
        status = types_give(splitting->around.types, splitting->goal->given, error);
    if (status == OPSHIFT_OK)
        status = round_split(splitting, left, error);
    surroundings_close(&splitting->around);
    if (status == OPSHIFT_OK && splitting->copy_count > before)
        status = model_preview(splitting->model, splitting->arena, next, error);
    if (status == OPSHIFT_OK && *next)
        status = arrays_grow(splitting, *next, error);
    return status;
}

/* Edits of a model that are set aside. */
struct edits_aside {
    struct edit *edits;
    uint32_t count, room;
    struct buffer added;
};

static struct edits_aside edits_take(struct opshift_model *model)
{
    struct edits_aside aside = {model->edits, model->edit_count, model->edit_room, model->added};
    model->edits = NULL;
    model->edit_count = model->edit_room = 0;
    model->added = (struct buffer){0};
    return aside;
}

static void edits_give(struct opshift_model *model, const struct edits_aside *aside)
{
    free(model->edits);
    buffer_free(&model->added);
    model->edits = aside->edits;
    model->edit_count = aside->count;
    model->edit_room = aside->room;
    model->added = aside->added;
}

static enum opshift_status rounds(struct case_split *splitting, struct opshift_model *first, struct cases *cases,
                                  struct opshift_error *error)
{
    bool left = true;
    enum opshift_status status = OPSHIFT_OK;
    while (status == OPSHIFT_OK && left) {
        struct opshift_model *next;
        struct edits_aside aside = edits_take(splitting->model);
        status = round_run(splitting, &next, &left, error);
        edits_give(splitting->model, &aside);
        if (next == NULL)
            return status;
        if (splitting->model != first)
            opshift_model_free(splitting->model);
        splitting->model = cases->model = next;
    }
    return status;
}

static enum opshift_status split(struct opshift_model *model, const struct opshift_goal *goal, const bool *wanted,
                                 bool coarse, struct cases *cases, struct opshift_error *error)
{
    struct case_split splitting = {.goal = goal, .model = model, .wanted = wanted, .coarse = coarse};
    uint64_t count = model->function_count + UINT64_C(1);
    *cases = (struct cases){.arena = arena_new(0)};
    if (cases->arena == NULL)
        return opshift_no_memory(error);
    splitting.arena = cases->arena;
    splitting.done = arena_alloc(cases->arena, count, sizeof(*splitting.done));
    splitting.origin = arena_alloc(cases->arena, count, sizeof(*splitting.origin));
    splitting.copies = arena_alloc(cases->arena, count, sizeof(*splitting.copies));
    if (splitting.done == NULL || splitting.origin == NULL || splitting.copies == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < model->function_count; i++)
        splitting.origin[i] = i;
    enum opshift_status status = rounds(&splitting, model, cases, error);
    cases->origin = splitting.origin;
    return status;
}

enum opshift_status cases_split(struct opshift_model *model, const struct opshift_goal *goal, const bool *wanted,
                                struct cases *cases, struct opshift_error *error)
{
    enum opshift_status status = split(model, goal, wanted, false, cases, error);
    if (status != OPSHIFT_NO)
        return status;
    cases_free(cases);
    error_forget(error);
    return split(model, goal, wanted, true, cases, error);
}

void cases_free(struct cases *cases)
{
    opshift_model_free(cases->model);
    arena_free(cases->arena);
    *cases = (struct cases){0};
}
