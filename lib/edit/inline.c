/* --inline: the nodes of functions in place of their calls. --inline-if: those of a branch in place of the If. */
#include <inttypes.h>
#include <string.h>

#include "base/list.h"
#include "edit/keep.h"
#include "kernel/fold.h"
#include "model/branch.h"
#include "model/fields.h"
#include "schema/schema.h"
#include "wire/wire.h"

#define FUNCTION_NODE 7 /* field of a FunctionProto; of a GraphProto it is 1 */
#define ROUNDS_MAX    256u

struct inlining {
    struct opshift_model *model; /* a preview; there is one for each round of calls inside calls */
    struct scopes *scopes;
    struct arena *arena;   /* of a round */
    struct arena *scratch; /* of a call */
    uint8_t *chosen;       /* by function */
    bool *changed;         /* by graph: it is edited in this round */
    struct buffer imports; /* records that the model needs, too */
    name_id *imported;     /* their domains */
    uint32_t import_count;
    uint64_t calls, nodes;
    struct opshift_error *error;

    /* One call. */
    const struct function *function;
    const char *stem; /* of new names */
    const Onnx__NodeProto *call;
    Onnx__FunctionProto *body;
    name_id *to; /* by name_id: the name in the calling graph, NAME_NONE: absent; read where mapped */
    uint8_t *mapped;
    uint32_t name_count;
    name_id *touched;
    uint32_t touched_count, touched_room;
};

/* ---- names ---- */

static bool name_set(struct inlining *inlining, name_id name, name_id to)
{
    if (name == NAME_NONE || name >= inlining->name_count)
        return true;
    if (!arena_list_grow(inlining->arena, &inlining->touched, inlining->touched_count, &inlining->touched_room,
                         sizeof(*inlining->touched)))
        return false;
    inlining->touched[inlining->touched_count++] = name;
    bit_set(inlining->mapped, name);
    inlining->to[name] = to;
    return true;
}

static void names_forget(struct inlining *inlining)
{
    for (uint32_t i = 0; i < inlining->touched_count; i++)
        inlining->mapped[inlining->touched[i] / 8] = 0;
    inlining->touched_count = 0;
}

static name_id name_of(const struct inlining *inlining, ProtobufCBinaryData text)
{
    name_id name;
    return text.len && names_find(inlining->model->names, text.data, text.len, &name) && name < inlining->name_count
               ? name
               : NAME_NONE;
}

/* The caller's name for a value that the body reads. */
static bool text_read(struct inlining *inlining, ProtobufCBinaryData *text)
{
    name_id name = name_of(inlining, *text);
    if (name == NAME_NONE || !bit_has(inlining->mapped, name))
        return true;
    struct bytes bytes = names_bytes(inlining->model->names, inlining->to[name]);
    uint8_t *copy = arena_copy(inlining->scratch, bytes.data, bytes.size + 1);
    *text = (ProtobufCBinaryData){inlining->to[name] ? bytes.size : 0, copy};
    return copy != NULL;
}

/* The same for one that the body defines, which gets a name of its own. */
static bool text_define(struct inlining *inlining, ProtobufCBinaryData *text)
{
    name_id name = name_of(inlining, *text);
    if (name == NAME_NONE || bit_has(inlining->mapped, name))
        return name == NAME_NONE || text_read(inlining, text);
    const char *stem =
        arena_print(inlining->scratch, "%.60s_%.60s", inlining->stem, names_text(inlining->model->names, name));
    name_id fresh = stem ? scope_fresh(inlining->scopes, stem, strlen(stem)) : NAME_NO_MEMORY;
    return fresh != NAME_NO_MEMORY && name_set(inlining, name, fresh) && text_read(inlining, text);
}

/* ---- attributes ---- */

static const Onnx__AttributeProto *attribute_named(Onnx__AttributeProto *const *list, size_t count,
                                                   ProtobufCBinaryData name)
{
    for (size_t i = 0; i < count; i++)
        if (bytes_same(bytes_of(list[i]->name), bytes_of(name)))
            return list[i];
    return NULL;
}

/* What the call gives for a parameter, or its default. NULL: neither; the attribute is absent then. */
static bool reference_fill(struct inlining *inlining, Onnx__AttributeProto **attribute)
{
    ProtobufCBinaryData name = (*attribute)->name, parameter = (*attribute)->ref_attr_name;
    const Onnx__AttributeProto *given =
        attribute_named(inlining->call->attribute, inlining->call->n_attribute, parameter);
    if (given == NULL)
        given = attribute_named(inlining->body->attribute_proto, inlining->body->n_attribute_proto, parameter);
    *attribute = given ? arena_copy(inlining->scratch, given, sizeof(*given)) : NULL;
    if (*attribute)
        (*attribute)->name = name;
    return given == NULL || *attribute;
}

/* ---- nodes ---- */

static bool node_place_names(struct inlining *inlining, Onnx__NodeProto *node);

static bool graph_place_names(struct inlining *inlining, Onnx__GraphProto *graph)
{
    bool good = true;
    for (size_t i = 0; good && i < graph->n_input; i++)
        good = text_define(inlining, &graph->input[i]->name);
    for (size_t i = 0; good && i < graph->n_initializer; i++)
        good = text_define(inlining, &graph->initializer[i]->name);
    for (size_t i = 0; good && i < graph->n_sparse_initializer; i++)
        good = graph->sparse_initializer[i]->values == NULL ||
               text_define(inlining, &graph->sparse_initializer[i]->values->name);
    for (size_t i = 0; good && i < graph->n_node; i++)
        good = node_place_names(inlining, graph->node[i]);
    for (size_t i = 0; good && i < graph->n_output; i++)
        good = text_read(inlining, &graph->output[i]->name);
    for (size_t i = 0; good && i < graph->n_value_info; i++)
        good = text_read(inlining, &graph->value_info[i]->name);
    return good;
}

static bool node_place_names(struct inlining *inlining, Onnx__NodeProto *node)
{
    size_t kept = 0;
    bool good = true;
    for (size_t i = 0; good && i < node->n_input; i++)
        good = text_read(inlining, &node->input[i]);
    for (size_t i = 0; good && i < node->n_attribute; i++) {
        Onnx__AttributeProto *attribute = node->attribute[i];
        if (attribute->ref_attr_name.len > 0)
            good = reference_fill(inlining, &attribute);
        else if (attribute->g)
            good = graph_place_names(inlining, attribute->g);
        for (size_t k = 0; good && attribute && attribute->ref_attr_name.len == 0 && k < attribute->n_graphs; k++)
            good = attribute_named(inlining->call->attribute, inlining->call->n_attribute, attribute->name) ||
                   graph_place_names(inlining, attribute->graphs[k]);
        if (attribute)
            node->attribute[kept++] = attribute;
    }
    node->n_attribute = kept;
    for (size_t i = 0; good && i < node->n_output; i++)
        good = text_define(inlining, &node->output[i]);
    if (good && node->name.len > 0) {
        const char *name = arena_print(inlining->scratch, "%.80s/%.*s", inlining->stem, (int)node->name.len,
                                       (const char *)node->name.data);
        node->name = name ? binary_of(name) : node->name;
        good = name != NULL;
    }
    return good;
}

static void identity_add(struct buffer *out, uint32_t field, ProtobufCBinaryData from, struct bytes to)
{
    Onnx__NodeProto node = ONNX__NODE_PROTO__INIT;
    ProtobufCBinaryData output = {to.size, (uint8_t *)(uintptr_t)to.data};
    node.n_input = node.n_output = node.has_op_type = 1;
    node.input = &from;
    node.output = &output;
    node.op_type = binary_of("Identity");
    wire_add_message(out, field, &node.base);
}

/* The formal inputs are the call's; an output that a node of the body computes is the call's. */
static bool ends_set(struct inlining *inlining, const struct node *call)
{
    const struct graph *body = inlining->function->body;
    bool good = true;
    for (uint32_t i = 0; good && i < body->input_count; i++)
        good = name_set(inlining, body->inputs[i].name, i < call->input_count ? node_inputs(call)[i] : NAME_NONE);
    for (uint32_t i = 0; good && i < body->output_count && i < call->output_count; i++)
        if (node_outputs(call)[i] != NAME_NONE && !bit_has(inlining->mapped, body->outputs[i].name))
            good = name_set(inlining, body->outputs[i].name, node_outputs(call)[i]);
    return good;
}

static enum opshift_status nodes_write(struct inlining *inlining, const struct node *call, uint32_t field,
                                       struct buffer *out)
{
    Onnx__FunctionProto *body = inlining->body;
    bool good = ends_set(inlining, call);
    for (size_t i = 0; good && i < body->n_node; i++) {
        good = node_place_names(inlining, body->node[i]);
        if (good)
            wire_add_message(out, field, &body->node[i]->base);
    }
    inlining->nodes += body->n_node;
    for (size_t i = 0; good && i < body->n_output && i < call->output_count; i++) {
        struct bytes wanted = names_bytes(inlining->model->names, node_outputs(call)[i]);
        ProtobufCBinaryData text = body->output[i];
        good = text_read(inlining, &text);
        if (good && node_outputs(call)[i] != NAME_NONE && !bytes_same(bytes_of(text), wanted))
            identity_add(out, field, text, wanted);
    }
    return good && !out->failed ? OPSHIFT_OK : opshift_no_memory(inlining->error);
}

/* ---- opsets ---- */

static bool is_imported(const struct inlining *inlining, name_id domain)
{
    for (uint32_t i = 0; i < inlining->import_count; i++)
        if (inlining->imported[i] == domain)
            return true;
    return false;
}

static enum opshift_status import_add(struct inlining *inlining, name_id domain, int64_t version)
{
    struct buffer record = {0};
    struct bytes text = names_bytes(inlining->model->names, domain);
    if (is_imported(inlining, domain))
        return OPSHIFT_OK;
    wire_add_bytes(&record, 1, text.data, text.size);
    wire_add_int(&record, IMPORT_VERSION, (uint64_t)version);
    wire_add_bytes(&inlining->imports, MODEL_OPSET_IMPORT, record.data, record.size);
    bool failed = record.failed || inlining->imports.failed;
    buffer_free(&record);
    inlining->imported[inlining->import_count++] = domain;
    return failed ? opshift_no_memory(inlining->error) : OPSHIFT_OK;
}

/* Mean the function's nodes the same with the opsets of the graph that calls it? */
static enum opshift_status opsets_check(struct inlining *inlining, struct graph *caller, const struct graph *inner)
{
    struct opshift_model *model = inlining->model;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < inner->node_count; i++) {
        const struct node *node = &inner->nodes[i];
        name_id domain = node_domain(node);
        int64_t own = graph_opset(model, inner, domain), there = graph_opset(model, caller, domain);
        const char *words[2] = {names_text(model->names, domain), names_text(model->names, node->op_type)};
        if (own != there && there <= 0 && caller->function == NULL)
            status = import_add(inlining, domain, own);
        else if (own != there && (schema_find(words[0], words[1], own) == NULL ||
                                  schema_find(words[0], words[1], own) != schema_find(words[0], words[1], there)))
            status = opshift_fail(inlining->error, OPSHIFT_USAGE,
                                  "inline: function '%.80s' has %.80s of opset %" PRId64 ", and the graph that calls "
                                  "it has opset %" PRId64 ", where it differs; convert the model first",
                                  names_text(model->names, inlining->function->name), words[1], own, there);
        for (uint32_t k = 0; status == OPSHIFT_OK && k < node_subgraph_count(node); k++)
            status = opsets_check(inlining, caller, node_subgraphs(node)[k]);
    }
    return status;
}

/* ---- calls ---- */

static bool is_chosen(const struct inlining *inlining, const struct function *function)
{
    return function && bit_has(inlining->chosen, (uint32_t)(function - inlining->model->functions));
}

/* Does a graph, or one inside of it, call a function that is opened, too? Then that is opened first. */
static bool calls_chosen(const struct inlining *inlining, const struct graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++) {
        if (is_chosen(inlining, scope_callee(inlining->scopes, &graph->nodes[i])))
            return true;
        for (uint32_t k = 0; k < node_subgraph_count(&graph->nodes[i]); k++)
            if (calls_chosen(inlining, node_subgraphs(&graph->nodes[i])[k]))
                return true;
    }
    return false;
}

static enum opshift_status call_open(struct inlining *inlining, struct graph *graph, const struct node *node,
                                     const struct function *function)
{
    struct opshift_model *model = inlining->model;
    const struct message *message = function->message;
    struct buffer out = {0};
    Onnx__NodeProto *call;
    arena_clear(inlining->scratch);
    names_forget(inlining);
    inlining->function = function;
    enum opshift_status status = opsets_check(inlining, graph, function->body);
    if (status == OPSHIFT_OK)
        status =
            range_decode(model, node->range, &onnx__node_proto__descriptor, inlining->scratch, &call, inlining->error);
    if (status == OPSHIFT_OK)
        status = range_decode(model, range_make(message_record(message), message->offset, message->size),
                              &onnx__function_proto__descriptor, inlining->scratch, &inlining->body, inlining->error);
    if (status)
        return status;
    inlining->call = call;
    inlining->stem = call->name.len ? arena_print(inlining->scratch, "%.*s", (int)call->name.len, call->name.data)
                                    : names_text(model->names, function->name);
    status = inlining->stem ? nodes_write(inlining, node, graph->kind == GRAPH_FUNCTION ? FUNCTION_NODE : 1, &out)
                            : opshift_no_memory(inlining->error);
    if (status == OPSHIFT_OK)
        status = model_edit(model, graph->message, range_record(node->range), range_length(node->range),
                            (struct bytes){out.data, out.size}, inlining->error);
    buffer_free(&out);
    inlining->calls++;
    for (struct graph *around = graph; around; around = around->parent)
        inlining->changed[around->number] = true;
    return status;
}

static bool changes_inside(const struct inlining *inlining, const struct node *node)
{
    for (uint32_t i = 0; i < node_subgraph_count(node); i++)
        if (inlining->changed[node_subgraphs(node)[i]->number])
            return true;
    return false;
}

static enum opshift_status calls_open(struct inlining *inlining)
{
    struct opshift_model *model = inlining->model;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t g = model->graph_count; status == OPSHIFT_OK && g-- > 0;) { /* inner graphs first */
        struct graph *graph = model->graphs[g];
        for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++) {
            const struct function *function = scope_callee(inlining->scopes, &graph->nodes[i]);
            if (is_chosen(inlining, function) && !calls_chosen(inlining, function->body) &&
                !changes_inside(inlining, &graph->nodes[i]))
                status = call_open(inlining, graph, &graph->nodes[i], function);
        }
    }
    return status;
}

/* ---- which ---- */

/* Marks the functions that the steps name. */
static enum opshift_status functions_choose(struct inlining *inlining, const struct editing *editing, bool *any)
{
    const struct opshift_model *model = inlining->model;
    uint8_t *names = arena_alloc(inlining->arena, names_count(model->names) / 8 + UINT64_C(1), 1);
    inlining->chosen = arena_alloc(inlining->arena, model->function_count / 8 + UINT64_C(1), 1);
    if (names == NULL || inlining->chosen == NULL)
        return opshift_no_memory(inlining->error);
    for (uint32_t i = 0; i < model->function_count; i++)
        bit_set(names, model->functions[i].name);
    size_t at = 0;
    for (const char *text; (text = edit_next(editing, "inline", &at)) != NULL;) {
        bool found = false;
        for (uint32_t i = 0; i < model->function_count; i++) {
            struct bytes part;
            if (!edit_matches(text, names_bytes(model->names, model->functions[i].name), &part))
                continue;
            found = true;
            bit_set(inlining->chosen, i);
        }
        if (!found && inlining->calls == 0 && strcmp(text, "*") != 0)
            return edit_no_such(editing, "inline", text, "function", text, names, inlining->error);
    }
    for (uint32_t i = 0; i < model->function_count; i++)
        *any = *any || bit_has(inlining->chosen, i);
    return OPSHIFT_OK;
}

/* One round: calls of functions that call no other that is opened. *calls 0: there is none left. */
static enum opshift_status round_run(struct inlining *inlining, struct editing *editing, uint64_t *calls)
{
    struct opshift_model *model = inlining->model = editing->model;
    const uint64_t before = inlining->calls;
    bool any = false;
    inlining->name_count = names_count(model->names);
    inlining->to = arena_alloc(inlining->arena, inlining->name_count, sizeof(*inlining->to));
    inlining->mapped = arena_alloc(inlining->arena, inlining->name_count / 8 + UINT64_C(1), 1);
    inlining->changed = arena_alloc(inlining->arena, model->graph_count, sizeof(*inlining->changed));
    inlining->imported = arena_alloc(inlining->arena, inlining->name_count, sizeof(*inlining->imported));
    inlining->import_count = inlining->touched_count = inlining->touched_room = 0;
    inlining->imports.size = 0;
    if (!inlining->to || !inlining->mapped || !inlining->changed || !inlining->imported)
        return opshift_no_memory(inlining->error);
    enum opshift_status status = scopes_new(model, &inlining->scopes, inlining->error);
    if (status == OPSHIFT_OK)
        status = functions_choose(inlining, editing, &any);
    if (status == OPSHIFT_OK && any)
        status = calls_open(inlining);
    *calls = inlining->calls - before;
    for (uint32_t i = 0; status == OPSHIFT_OK && any && *calls == 0 && i < model->function_count; i++)
        if (bit_has(inlining->chosen, i)) /* nothing calls it any more */
            status = model_edit(model, model->message, message_record(model->functions[i].message),
                                model->functions[i].message->head + model->functions[i].message->size,
                                (struct bytes){0}, inlining->error);
    if (status == OPSHIFT_OK && inlining->imports.size)
        status = model_edit(model, model->message, model->message->offset + model->message->size, 0,
                            (struct bytes){inlining->imports.data, inlining->imports.size}, inlining->error);
    scopes_free(inlining->scopes);
    inlining->scopes = NULL;
    return status ? status : edit_settle(editing, inlining->error);
}

static enum opshift_status functions_open(struct editing *editing, struct opshift_error *error)
{
    struct inlining inlining = {.error = error, .arena = arena_new(0), .scratch = arena_new(0)};
    uint32_t functions = editing->model->function_count;
    enum opshift_status status = inlining.arena && inlining.scratch ? OPSHIFT_OK : opshift_no_memory(error);
    uint64_t calls = 1;
    for (uint32_t i = 0; status == OPSHIFT_OK && calls > 0 && i < ROUNDS_MAX; i++) {
        arena_clear(inlining.arena);
        inlining.touched = NULL;
        status = round_run(&inlining, editing, &calls);
    }
    functions -= status == OPSHIFT_OK ? editing->model->function_count : 0;
    if (status == OPSHIFT_OK && functions > 0)
        status = edit_tell(editing, "inline", functions, error,
                           "%" PRIu32 " function%s opened in %" PRIu64 " call%s: %" PRIu64 " nodes", functions,
                           functions == 1 ? "" : "s", inlining.calls, inlining.calls == 1 ? "" : "s", inlining.nodes);
    buffer_free(&inlining.imports);
    arena_free(inlining.arena);
    arena_free(inlining.scratch);
    return status;
}

/* ---- --inline-if ---- */

/* *condition: of an If that is always the same. */
static enum opshift_status condition_find(struct fold *fold, const struct opshift_model *model, struct graph *graph,
                                          const struct node *node, bool *known, bool *condition,
                                          struct opshift_error *error)
{
    const struct tensor *tensor = NULL;
    const char *why;
    *known = false;
    if (node->input_count != 1 || !bytes_are(names_bytes(model->names, node->op_type), "If") ||
        node_domain(node) != NAME_NONE)
        return OPSHIFT_OK;
    enum opshift_status status = fold_constant(fold, graph, node_inputs(node)[0], &tensor, &why, error);
    *known = status == OPSHIFT_OK && tensor && tensor->type == OPSHIFT_TYPE_BOOL && tensor->count == 1;
    *condition = *known && *(const uint8_t *)tensor->data != 0;
    return status;
}

static enum opshift_status if_open(struct kept_view *view, struct opshift_model *model, struct graph *graph,
                                   const struct node *node, bool condition, struct arena *arena, bool *made,
                                   struct opshift_error *error)
{
    struct branch_records records = {{0}, {0}, {0}};
    const struct graph *branch = node_branch(model, node, condition);
    const uint64_t end = graph->message->offset + graph->message->size;
    *made = false;
    enum opshift_status status = OPSHIFT_OK;
    if (branch)
        status = branch_open(model, view->scopes, graph, node, branch, arena, &records, made, error);
    if (status == OPSHIFT_OK && *made)
        status = model_edit(model, graph->message, range_record(node->range), range_length(node->range),
                            (struct bytes){records.nodes.data, records.nodes.size}, error);
    if (status == OPSHIFT_OK && records.initializers.size)
        status = model_edit(model, graph->message, end, 0,
                            (struct bytes){records.initializers.data, records.initializers.size}, error);
    if (status == OPSHIFT_OK && records.values.size)
        status =
            model_edit(model, graph->message, end, 0, (struct bytes){records.values.data, records.values.size}, error);
    buffer_free(&records.nodes);
    buffer_free(&records.initializers);
    buffer_free(&records.values);
    return status;
}

/* Ifs that are in no other one that is opened in this round. */
static enum opshift_status ifs_round(struct editing *editing, uint64_t *count, struct opshift_error *error)
{
    struct opshift_model *model = editing->model;
    struct kept_view view = {0};
    struct fold *fold = NULL;
    struct arena *arena = arena_new(0);
    bool *opened = arena_alloc(editing->arena, model->graph_count, sizeof(*opened)); /* by graph: it is in such an If */
    enum opshift_status status = arena && opened ? view_open(&view, editing, error) : opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = fold_new(model, view.scopes, view.types, NULL, &fold, error);
    for (uint32_t g = 0; status == OPSHIFT_OK && g < model->graph_count; g++) { /* each before those inside it */
        struct graph *graph = model->graphs[g];
        opened[g] = opened[g] || (graph->parent && opened[graph->parent->number]);
        for (uint32_t i = 0;
             status == OPSHIFT_OK && !opened[g] && graph->kind != GRAPH_TRAINING && i < graph->node_count; i++) {
            const struct node *node = &graph->nodes[i];
            bool known, condition, made = false;
            status = condition_find(fold, model, graph, node, &known, &condition, error);
            if (status == OPSHIFT_OK && known)
                status = if_open(&view, model, graph, node, condition, arena, &made, error);
            for (uint32_t k = 0; made && k < node_subgraph_count(node); k++)
                opened[node_subgraphs(node)[k]->number] = true;
            *count += made;
        }
    }
    fold_free(fold);
    view_close(&view);
    arena_free(arena);
    return status ? status : edit_settle(editing, error);
}

static enum opshift_status ifs_open(struct editing *editing, struct opshift_error *error)
{
    uint64_t count = 0, before = UINT64_MAX;
    enum opshift_status status = OPSHIFT_OK;
    for (unsigned i = 0; status == OPSHIFT_OK && count != before && i < ROUNDS_MAX; i++) {
        before = count;
        status = ifs_round(editing, &count, error);
    }
    return status || count == 0
               ? status
               : edit_tell(editing, "inline-if", count, error,
                           "%" PRIu64 " If%s with a constant condition became %s branch%s", count,
                           count == 1 ? "" : "s", count == 1 ? "its" : "their", count == 1 ? "" : "es");
}

enum opshift_status inline_edit(struct editing *editing, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (edit_has(editing, "inline"))
        status = functions_open(editing, error);
    return status == OPSHIFT_OK && edit_has(editing, "inline-if") ? ifs_open(editing, error) : status;
}
