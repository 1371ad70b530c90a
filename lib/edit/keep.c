/* Which nodes, initializers and functions some outputs need, and the removal of the others. */
#include "edit/keep.h"

#include <inttypes.h>
#include <string.h>

#include "base/list.h"
#include "infer/declare.h"
#include "model/fields.h"
#include "wire/wire.h"

enum opshift_status view_open(struct kept_view *view, struct editing *editing, struct opshift_error *error)
{
    struct opshift_model *model = editing->model;
    enum opshift_status status = scopes_new(model, &view->scopes, error);
    if (status == OPSHIFT_OK)
        status = scopes_count_uses(view->scopes, error);
    if (status == OPSHIFT_OK)
        status = types_new(model, view->scopes, &view->types, error);
    view->inside = arena_alloc(editing->arena, names_count(model->names) / 8 + UINT64_C(1), 1);
    if (status == OPSHIFT_OK && view->inside == NULL)
        return opshift_no_memory(error);
    for (name_id i = 1; status == OPSHIFT_OK && i < names_count(model->names); i++)
        if (scope_find(view->scopes, model->main, i).kind != DEFINED_NOWHERE)
            bit_set(view->inside, i);
    return status;
}

void view_close(struct kept_view *view)
{
    types_free(view->types);
    scopes_free(view->scopes);
}

enum opshift_status infos_remove(struct opshift_model *model, name_id name, struct opshift_error *error)
{
    const struct graph *graph = model->main;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->value_count; i++)
        if (graph->values[i].name == name)
            status = range_remove(model, graph->message, graph->values[i].range, error);
    return status;
}

/* ---- what is needed ---- */

enum opshift_status keep_start(struct keep *keep, struct opshift_error *error)
{
    const struct opshift_model *model = keep->model;
    struct arena *arena = keep->arena;
    keep->graphs = arena_alloc(arena, model->graph_count, sizeof(*keep->graphs));
    keep->functions = arena_alloc(arena, model->function_count / 8 + UINT64_C(1), 1);
    keep->cut_used = arena_alloc(arena, names_count(model->names) / 8 + UINT64_C(1), 1);
    bool good = keep->graphs && keep->functions && keep->cut_used;
    for (uint32_t i = 0; good && i < model->graph_count; i++) {
        const struct graph *graph = model->graphs[i];
        struct keep_graph *made = &keep->graphs[i];
        made->nodes = arena_alloc(arena, graph->node_count / 8 + UINT64_C(1), 1);
        made->initializers = arena_alloc(arena, graph->initializer_count / 8 + UINT64_C(1), 1);
        made->inputs = arena_alloc(arena, graph->input_count / 8 + UINT64_C(1), 1);
        good = made->nodes && made->initializers && made->inputs;
    }
    return good ? OPSHIFT_OK : opshift_no_memory(error);
}

static bool node_push(struct keep *keep, struct graph *graph, uint32_t node)
{
    uint8_t *bits = keep->graphs[graph->number].nodes;
    if (bit_has(bits, node))
        return true;
    bit_set(bits, node);
    if (!arena_list_grow(keep->arena, &keep->stack, keep->stack_count, &keep->stack_room, sizeof(*keep->stack)))
        return false;
    keep->stack[keep->stack_count++] = (struct call){graph, node};
    return true;
}

static bool value_push(struct keep *keep, struct graph *graph, name_id name)
{
    if (name == NAME_NONE)
        return true;
    struct definition found = scope_find(keep->scopes, graph, name);
    if (found.kind == DEFINED_NOWHERE)
        return true;
    if (keep->cut && found.graph == keep->model->main && bit_has(keep->cut, name)) {
        bit_set(keep->cut_used, name);
        return true;
    }
    struct keep_graph *marks = &keep->graphs[found.graph->number];
    if (found.kind == DEFINED_NODE)
        return node_push(keep, found.graph, found.index);
    if (found.kind == DEFINED_INITIALIZER)
        bit_set(marks->initializers, found.index);
    for (uint32_t i = 0; i < found.graph->input_count; i++)
        if ((found.kind == DEFINED_INPUT && i == found.index) ||
            (found.kind == DEFINED_INITIALIZER && found.graph->inputs[i].name == name))
            bit_set(marks->inputs, i);
    return true;
}

static bool function_push(struct keep *keep, const struct function *function)
{
    uint32_t number = (uint32_t)(function - keep->model->functions);
    if (bit_has(keep->functions, number))
        return true;
    bit_set(keep->functions, number);
    for (uint32_t i = 0; i < function->body->node_count; i++)
        if (!node_push(keep, function->body, i))
            return false;
    return true;
}

static bool body_push(struct keep *keep, struct graph *body)
{
    for (uint32_t i = 0; i < body->output_count; i++)
        if (!value_push(keep, body, body->outputs[i].name))
            return false;
    for (uint32_t i = 0; !keep->only_needed && i < body->node_count; i++)
        if (!node_push(keep, body, i))
            return false;
    return true;
}

/* All that a node needs. */
static bool node_follow(struct keep *keep, struct graph *graph, uint32_t index)
{
    const struct node *node = &graph->nodes[index];
    const struct function *callee = scope_callee(keep->scopes, node);
    bool good = callee == NULL || function_push(keep, callee);
    for (uint32_t i = 0; good && i < node->input_count; i++)
        good = value_push(keep, graph, node_inputs(node)[i]);
    for (uint32_t i = 0; good && i < node_subgraph_count(node); i++)
        good = body_push(keep, node_subgraphs(node)[i]);
    return good;
}

enum opshift_status keep_need(struct keep *keep, struct graph *graph, name_id name, struct opshift_error *error)
{
    bool good = value_push(keep, graph, name);
    while (good && keep->stack_count > 0) {
        struct call next = keep->stack[--keep->stack_count];
        good = node_follow(keep, next.graph, next.node);
    }
    return good ? OPSHIFT_OK : opshift_no_memory(error);
}

enum opshift_status keep_need_training(struct keep *keep, struct opshift_error *error)
{
    struct opshift_model *model = keep->model;
    bool has = false;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graph_count; i++) {
        struct graph *graph = model->graphs[i];
        has = has || graph->kind == GRAPH_TRAINING;
        for (uint32_t k = 0; status == OPSHIFT_OK && graph->kind == GRAPH_TRAINING && k < graph->output_count; k++)
            status = keep_need(keep, graph, graph->outputs[k].name, error);
    }
    for (name_id i = 1; has && status == OPSHIFT_OK && i < names_count(model->names); i++)
        if (scope_is_outside(keep->scopes, i))
            status = keep_need(keep, model->main, i, error);
    return status;
}

/* ---- removal ---- */

struct removal {
    const struct keep *keep, *before;
    struct opshift_model *model;
    struct keep_counts *counts;
    struct opshift_error *error;
};

static enum opshift_status record_remove(struct removal *removal, struct message *parent, uint64_t record,
                                         uint64_t size, uint64_t *count)
{
    ++*count;
    return model_edit(removal->model, parent, record, size, (struct bytes){0}, removal->error);
}

static bool node_goes(const struct removal *removal, const struct graph *graph, uint32_t node)
{
    return !bit_has(removal->keep->graphs[graph->number].nodes, node) &&
           (removal->before == NULL || bit_has(removal->before->graphs[graph->number].nodes, node));
}

static bool initializer_goes(const struct removal *removal, const struct graph *graph, uint32_t initializer)
{
    return !bit_has(removal->keep->graphs[graph->number].initializers, initializer) &&
           (removal->before == NULL || bit_has(removal->before->graphs[graph->number].initializers, initializer));
}

static bool value_goes(const struct removal *removal, struct graph *graph, name_id name)
{
    struct definition found = scope_find(removal->keep->scopes, graph, name);
    if (removal->keep->cut && graph == removal->model->main && bit_has(removal->keep->cut, name))
        return true; /* it is an input now, which declares it */
    return (found.kind == DEFINED_NODE && node_goes(removal, found.graph, found.index)) ||
           (found.kind == DEFINED_INITIALIZER && initializer_goes(removal, found.graph, found.index));
}

/* Quantization annotations. */
static enum opshift_status annotations_remove(struct removal *removal, struct graph *graph)
{
    struct opshift_model *model = removal->model;
    struct wire_cursor cursor = {model->source, graph->message->offset, graph->message->offset + graph->message->size};
    struct wire_field field, inner;
    enum opshift_status status = OPSHIFT_OK;
    for (bool found = true; model->names_outside && status == OPSHIFT_OK && found;) {
        status = wire_next(&cursor, &field, &found, removal->error);
        if (status || !found || field.number != GRAPH_ANNOTATION || field.type != WIRE_BYTES)
            continue;
        struct wire_cursor below = {model->source, field.offset, field.offset + field.size};
        name_id name = NAME_NONE;
        for (bool more = true; status == OPSHIFT_OK && more;) {
            status = wire_next(&below, &inner, &more, removal->error);
            if (status == OPSHIFT_OK && more && inner.number == 1 && inner.type == WIRE_BYTES)
                status = name_read(model, &inner, &name, removal->error);
        }
        uint64_t count = 0;
        if (status == OPSHIFT_OK && name != NAME_NONE && name < names_count(model->names) &&
            value_goes(removal, graph, name))
            status =
                record_remove(removal, graph->message, field.record, field.offset + field.size - field.record, &count);
    }
    return status;
}

static enum opshift_status graph_remove(struct removal *removal, struct graph *graph)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++)
        if (node_goes(removal, graph, i))
            status = record_remove(removal, graph->message, range_record(graph->nodes[i].range),
                                   range_length(graph->nodes[i].range), &removal->counts->nodes);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->initializer_count; i++) {
        const struct initializer *initializer = &graph->initializers[i];
        if (!initializer_goes(removal, graph, i))
            continue;
        status = record_remove(removal, graph->message, range_record(initializer->range),
                               range_length(initializer->range), &removal->counts->initializers);
        for (uint32_t k = 0; status == OPSHIFT_OK && k < graph->input_count; k++)
            if (graph->inputs[k].name == initializer->name && graph->kind == GRAPH_MAIN && removal->keep->cut == NULL)
                status = range_remove(removal->model, graph->message, graph->inputs[k].range, removal->error);
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->value_count; i++)
        if (value_goes(removal, graph, graph->values[i].name))
            status = record_remove(removal, graph->message, range_record(graph->values[i].range),
                                   range_length(graph->values[i].range), &removal->counts->infos);
    return status ? status : annotations_remove(removal, graph);
}

/* Does a node that stays, outside of functions, use the domain? */
static bool domain_stays(const struct removal *removal, name_id domain)
{
    for (uint32_t g = 0; g < removal->model->graph_count; g++) {
        const struct graph *graph = removal->model->graphs[g];
        for (uint32_t i = 0; graph->function == NULL && i < graph->node_count; i++)
            if (node_domain(&graph->nodes[i]) == domain && !node_goes(removal, graph, i))
                return true;
    }
    return false;
}

static bool graph_is_read(const struct graph *graph)
{
    return graph->function == NULL && graph->kind != GRAPH_TRAINING;
}

enum opshift_status keep_remove(const struct keep *keep, const struct keep *before, struct keep_counts *counts,
                                struct opshift_error *error)
{
    struct opshift_model *model = keep->model;
    struct removal removal = {keep, before, model, counts, error};
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graph_count; i++) {
        const struct graph *outer = model->graphs[i];
        bool gone = false;
        while (!gone && outer->parent) {
            gone = node_goes(&removal, outer->parent, outer->owner);
            outer = outer->parent;
        }
        if (!gone && graph_is_read(model->graphs[i]) && outer->kind != GRAPH_TRAINING)
            status = graph_remove(&removal, model->graphs[i]);
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->function_count; i++) {
        const struct message *message = model->functions[i].message;
        if (!bit_has(keep->functions, i) && (before == NULL || bit_has(before->functions, i)))
            status = record_remove(&removal, model->message, message_record(message), message->head + message->size,
                                   &counts->functions);
    }
    for (uint32_t i = 0; before == NULL && keep->only_needed && status == OPSHIFT_OK && i < model->import_count; i++)
        if (model->imports[i].domain != NAME_NONE && !domain_stays(&removal, model->imports[i].domain))
            status = record_remove(&removal, model->message, range_record(model->imports[i].range),
                                   range_length(model->imports[i].range), &counts->imports);
    return status;
}

const char *keep_words(struct arena *arena, const struct keep_counts *counts)
{
    const struct {
        uint64_t count;
        const char *word;
    } parts[] = {{counts->nodes, "node"},
                 {counts->initializers, "initializer"},
                 {counts->functions, "function"},
                 {counts->infos, "value info"},
                 {counts->imports, "opset import"}};
    char *words = NULL;
    for (size_t i = 0; i < COUNT(parts); i++)
        if (parts[i].count)
            words = arena_print(arena, "%s%s%" PRIu64 " %s%s", words ? words : "", words ? ", " : "", parts[i].count,
                                parts[i].word, parts[i].count == 1 ? "" : "s");
    return words ? words : "nothing";
}

/* ---- value infos ---- */

static const struct value_info *declared_find(const struct graph *graph, name_id name)
{
    for (uint32_t i = 0; i < graph->value_count; i++)
        if (graph->values[i].name == name && graph->values[i].range.rest)
            return &graph->values[i];
    for (uint32_t i = 0; i < graph->output_count; i++)
        if (graph->outputs[i].name == name)
            return &graph->outputs[i];
    for (uint32_t i = 0; i < graph->input_count; i++)
        if (graph->inputs[i].name == name)
            return &graph->inputs[i];
    return NULL;
}

enum opshift_status value_record(struct opshift_model *model, struct types *types, struct graph *graph, name_id name,
                                 uint32_t number, struct buffer *out, bool *known, struct opshift_error *error)
{
    struct value_type type;
    Onnx__ValueInfoProto *message;
    Onnx__ValueInfoProto fresh = ONNX__VALUE_INFO_PROTO__INIT;
    const struct value_info *declared = declared_find(graph, name);
    struct bytes text = names_bytes(model->names, name);
    struct arena *arena = arena_new(0);
    enum opshift_status status = arena ? types_find(types, graph, name, &type, error) : opshift_no_memory(error);
    *known = status == OPSHIFT_OK && type_is_declarable(&type);
    fresh.has_name = 1;
    fresh.name = (ProtobufCBinaryData){text.size, (uint8_t *)(uintptr_t)text.data};
    message = &fresh;
    if (status == OPSHIFT_OK && declared)
        status = range_decode(model, declared->range, &onnx__value_info_proto__descriptor, arena, &message, error);
    if (status == OPSHIFT_OK && *known && !(declared && message->type) && !type_declare(arena, model, &type, message))
        status = opshift_no_memory(error);
    *known = *known || (status == OPSHIFT_OK && message->type != NULL);
    if (status == OPSHIFT_OK)
        wire_add_message(out, number, &message->base);
    arena_free(arena);
    return status == OPSHIFT_OK && out->failed ? opshift_no_memory(error) : status;
}
