/* --fold, --constants-to-initializers, --initializers-to-constants: constants that nodes compute or hold, and back. */
#include "kernel/fold.h"

#include <inttypes.h>
#include <string.h>

#include "edit/keep.h"
#include "model/fields.h"
#include "model/weights_file.h"
#include "wire/wire.h"

#define LIMIT_DEFAULT 1048576u

enum fold_mark { FOLD_STAYS, FOLD_GOES, FOLD_CONSTANT };
enum fold_read { READ_STAYING = 1, READ_GOING = 2 }; /* bits: by which nodes a value is read */

struct fold_state {
    struct opshift_model *model;
    struct kept_view view;
    struct fold *fold;
    struct arena *arena;
    uint64_t limit;      /* bytes of one constant */
    bool folds, unholds; /* --fold, --constants-to-initializers */
    bool ir_rises;       /* --ir-inputs remove follows */
    uint8_t **marks;     /* by graph, by node */
    uint8_t *reads;      /* by number of a definition */
    uint64_t node_count, made_count, made_size;
    struct opshift_error *error;
};

/* ---- which nodes ---- */

/* Operators whose results are the same bits in every runtime: they move elements, compare, or round once. */
static bool is_exact(enum operator_id id)
{
    static const enum operator_id exact[] = {
        OPERATOR_ABS,
        OPERATOR_ADD,
        OPERATOR_AND,
        OPERATOR_CAST,
        OPERATOR_CAST_LIKE,
        OPERATOR_CEIL,
        OPERATOR_CONCAT,
        OPERATOR_CONSTANT_OF_SHAPE,
        OPERATOR_DIV,
        OPERATOR_EQUAL,
        OPERATOR_EXPAND,
        OPERATOR_EYE_LIKE,
        OPERATOR_FLATTEN,
        OPERATOR_FLOOR,
        OPERATOR_GATHER,
        OPERATOR_GATHER_ELEMENTS,
        OPERATOR_GATHER_ND,
        OPERATOR_GREATER,
        OPERATOR_GREATER_OR_EQUAL,
        OPERATOR_IDENTITY,
        OPERATOR_LESS,
        OPERATOR_LESS_OR_EQUAL,
        OPERATOR_MAX,
        OPERATOR_MIN,
        OPERATOR_MOD,
        OPERATOR_MUL,
        OPERATOR_NEG,
        OPERATOR_NON_ZERO,
        OPERATOR_NOT,
        OPERATOR_ONE_HOT,
        OPERATOR_OR,
        OPERATOR_PAD,
        OPERATOR_RANGE,
        OPERATOR_RESHAPE,
        OPERATOR_SCATTER_ND,
        OPERATOR_SHAPE,
        OPERATOR_SIGN,
        OPERATOR_SIZE,
        OPERATOR_SLICE,
        OPERATOR_SPLIT,
        OPERATOR_SQRT,
        OPERATOR_SQUEEZE,
        OPERATOR_SUB,
        OPERATOR_TILE,
        OPERATOR_TRANSPOSE,
        OPERATOR_TRILU,
        OPERATOR_UNSQUEEZE,
        OPERATOR_WHERE,
        OPERATOR_XOR,
    };
    for (size_t i = 0; i < COUNT(exact); i++)
        if (exact[i] == id)
            return true;
    return false;
}

static enum operator_id operator_of(const struct fold_state *folding, const struct node *node)
{
    const struct names *names = folding->model->names;
    return scope_callee(folding->view.scopes, node)
               ? OPERATOR_NONE
               : schema_operator(names_text(names, node_domain(node)), names_text(names, node->op_type));
}

static bool is_output(const struct graph *graph, name_id name)
{
    for (uint32_t i = 0; i < graph->output_count; i++)
        if (graph->outputs[i].name == name)
            return true;
    return false;
}

static bool is_edited(const struct graph *graph)
{
    return graph->function == NULL && graph->kind != GRAPH_TRAINING;
}

/* Is it an initializer, or the output of a node that goes? */
static bool is_constant(const struct fold_state *folding, struct graph *graph, name_id name)
{
    struct definition found = scope_find(folding->view.scopes, graph, name);
    if (name == NAME_NONE)
        return true;
    if (found.kind == DEFINED_INITIALIZER)
        return scope_initializer_role(folding->view.scopes, found.graph, name) == INITIALIZER_CONSTANT;
    return found.kind == DEFINED_NODE && is_edited(found.graph) &&
           folding->marks[found.graph->number][found.index] != FOLD_STAYS;
}

/* Is the value computed, small, and does it rest on nothing that is only declared? */
static enum opshift_status value_is_known(struct fold_state *folding, struct graph *graph, name_id name, bool *known)
{
    const struct tensor *tensor = NULL;
    const char *why;
    struct type_assumption rests = {0};
    struct value_type type;
    uint64_t count = 1;
    *known = false;
    enum opshift_status status = types_find(folding->view.types, graph, name, &type, folding->error);
    for (int32_t i = 0; status == OPSHIFT_OK && type.is_tensor && i < type.rank; i++)
        count = type.dims[i] > 0 && count < folding->limit ? count * (uint64_t)type.dims[i] : count;
    if (status || !type.is_tensor || count > folding->limit)
        return status;
    status = types_constant_assumption(folding->view.types, graph, name, &rests, folding->error);
    if (status == OPSHIFT_OK && rests.graph == NULL)
        status = fold_constant(folding->fold, graph, name, &tensor, &why, folding->error);
    *known = status == OPSHIFT_OK && tensor != NULL &&
             (tensor->type == OPSHIFT_TYPE_STRING || type_size(tensor->type, tensor->count) <= folding->limit);
    return status;
}

static enum opshift_status node_mark(struct fold_state *folding, struct graph *graph, uint32_t index)
{
    const struct node *node = &graph->nodes[index];
    enum operator_id id = operator_of(folding, node);
    bool constant = id == OPERATOR_CONSTANT || (folding->folds && is_exact(id) && node_subgraph_count(node) == 0);
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; constant && i < node->output_count; i++)
        constant = !is_output(graph, node_outputs(node)[i]);
    for (uint32_t i = 0; constant && id != OPERATOR_SHAPE && id != OPERATOR_SIZE && i < node->input_count; i++)
        constant = is_constant(folding, graph, node_inputs(node)[i]);
    for (uint32_t i = 0; constant && id != OPERATOR_CONSTANT && status == OPSHIFT_OK && i < node->output_count; i++)
        if (node_outputs(node)[i] != NAME_NONE)
            status = value_is_known(folding, graph, node_outputs(node)[i], &constant);
    if (constant)
        folding->marks[graph->number][index] = id == OPERATOR_CONSTANT ? FOLD_CONSTANT : FOLD_GOES;
    return status;
}

static void read_mark(struct fold_state *folding, struct graph *graph, name_id name, bool stays)
{
    if (name != NAME_NONE)
        folding->reads[scope_number(folding->view.scopes, graph, name)] |= stays ? READ_STAYING : READ_GOING;
}

static void reads_mark(struct fold_state *folding, struct graph *graph)
{
    const uint8_t *marks = folding->marks[graph->number];
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t k = 0; k < graph->nodes[i].input_count; k++)
            read_mark(folding, graph, node_inputs(&graph->nodes[i])[k], marks[i] != FOLD_GOES);
    for (uint32_t i = 0; i < graph->output_count; i++)
        read_mark(folding, graph, graph->outputs[i].name, true);
    for (name_id i = 1; graph == folding->model->main && i < names_count(folding->model->names); i++)
        if (scope_is_outside(folding->view.scopes, i))
            read_mark(folding, graph, i, true);
}

static uint8_t reads_of(const struct fold_state *folding, struct graph *graph, name_id name)
{
    return name == NAME_NONE ? 0 : folding->reads[scope_number(folding->view.scopes, graph, name)];
}

/* ---- the edits ---- */

/* The tensor of a Constant node's `value`, as it is. *message NULL: it has none. */
static enum opshift_status held_tensor(struct fold_state *folding, const struct node *node, Onnx__TensorProto **message)
{
    struct opshift_model *model = folding->model;
    struct attribute_range *list;
    size_t count;
    *message = NULL;
    enum opshift_status status = node_attributes(model, node, folding->arena, &list, &count, folding->error);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        Onnx__AttributeProto *attribute;
        if (!bytes_are(names_bytes(model->names, list[i].name), "value"))
            continue;
        status = range_decode(model, list[i].range, &onnx__attribute_proto__descriptor, folding->arena, &attribute,
                              folding->error);
        if (status == OPSHIFT_OK)
            *message = attribute->t;
    }
    return status;
}

static enum opshift_status initializer_add(struct fold_state *folding, struct graph *graph, const struct node *node,
                                           name_id name, struct buffer *added)
{
    Onnx__TensorProto *message = NULL;
    const struct tensor *tensor = NULL;
    const char *why;
    struct bytes text = names_bytes(folding->model->names, name);
    enum opshift_status status = OPSHIFT_OK;
    size_t before = added->size;
    if (operator_of(folding, node) == OPERATOR_CONSTANT)
        status = held_tensor(folding, node, &message);
    if (status == OPSHIFT_OK && message == NULL)
        status = fold_constant(folding->fold, graph, name, &tensor, &why, folding->error);
    if (status == OPSHIFT_OK && message == NULL && tensor)
        message = tensor_encode(folding->arena, tensor, text);
    if (status || message == NULL)
        return status ? status : opshift_no_memory(folding->error);
    message->has_name = 1;
    message->name = (ProtobufCBinaryData){text.size, (uint8_t *)(uintptr_t)text.data};
    wire_add_message(added, GRAPH_INITIALIZER, &message->base);
    folding->made_count++;
    folding->made_size += added->size - before;
    return added->failed ? opshift_no_memory(folding->error) : OPSHIFT_OK;
}

/* Can it become an initializer? */
static enum opshift_status constant_is_known(struct fold_state *folding, struct graph *graph, const struct node *node,
                                             bool *known)
{
    Onnx__TensorProto *message;
    enum opshift_status status = held_tensor(folding, node, &message);
    *known = message != NULL;
    return status || *known ? status : value_is_known(folding, graph, node_outputs(node)[0], known);
}

static enum opshift_status node_remove(struct fold_state *folding, struct graph *graph, const struct node *node,
                                       struct buffer *added)
{
    enum opshift_status status = range_remove(folding->model, graph->message, node->range, folding->error);
    folding->node_count++;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->output_count; i++)
        if (reads_of(folding, graph, node_outputs(node)[i]) & READ_STAYING)
            status = initializer_add(folding, graph, node, node_outputs(node)[i], added);
    return status;
}

static enum opshift_status graph_fold(struct fold_state *folding, struct graph *graph)
{
    struct opshift_model *model = folding->model;
    struct buffer added = {0};
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++) {
        const struct node *node = &graph->nodes[i];
        uint8_t *mark = &folding->marks[graph->number][i];
        if (*mark == FOLD_CONSTANT) {
            uint8_t reads = node->output_count ? reads_of(folding, graph, node_outputs(node)[0]) : 0;
            bool goes = reads == READ_GOING || (folding->unholds && reads != 0);
            if (goes && reads != READ_GOING)
                status = constant_is_known(folding, graph, node, &goes);
            *mark = goes ? FOLD_GOES : FOLD_STAYS;
        }
        if (status == OPSHIFT_OK && *mark == FOLD_GOES)
            status = node_remove(folding, graph, node, &added);
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->initializer_count; i++)
        if (reads_of(folding, graph, graph->initializers[i].name) == READ_GOING &&
            !scope_is_input(folding->view.scopes, graph, graph->initializers[i].name))
            status = range_remove(model, graph->message, graph->initializers[i].range, folding->error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->value_count; i++) {
        struct definition found = scope_find(folding->view.scopes, graph, graph->values[i].name);
        uint8_t reads = reads_of(folding, graph, graph->values[i].name);
        if (!(reads & READ_STAYING) &&
            ((found.kind == DEFINED_INITIALIZER && reads) || (found.kind == DEFINED_NODE && found.graph == graph &&
                                                              folding->marks[graph->number][found.index] == FOLD_GOES)))
            status = range_remove(model, graph->message, graph->values[i].range, folding->error);
    }
    if (status == OPSHIFT_OK && added.size && graph == model->main && model->ir_version < 4 && !folding->ir_rises)
        status = opshift_fail(folding->error, OPSHIFT_USAGE,
                              "fold: IR version %" PRId64 " wants each initializer as an input, too, which a caller "
                              "may replace; --ir-inputs remove makes it version 4",
                              model->ir_version);
    if (status == OPSHIFT_OK && added.size)
        status = model_edit(model, graph->message, graph->message->offset + graph->message->size, 0,
                            (struct bytes){added.data, added.size}, folding->error);
    buffer_free(&added);
    return status;
}

static enum opshift_status model_fold(struct fold_state *folding)
{
    struct opshift_model *model = folding->model;
    enum opshift_status status = OPSHIFT_OK;
    folding->marks = arena_alloc(folding->arena, model->graph_count, sizeof(*folding->marks));
    folding->reads = arena_alloc(folding->arena, scopes_last_number(folding->view.scopes) + UINT64_C(1), 1);
    bool good = folding->marks && folding->reads;
    for (uint32_t i = 0; good && i < model->graph_count; i++) {
        folding->marks[i] = arena_alloc(folding->arena, model->graphs[i]->node_count + UINT64_C(1), 1);
        good = folding->marks[i] != NULL;
    }
    if (!good)
        return opshift_no_memory(folding->error);
    for (uint32_t g = 0; g < model->graph_count; g++) /* each before those inside it */
        for (uint32_t i = 0; status == OPSHIFT_OK && is_edited(model->graphs[g]) && i < model->graphs[g]->node_count;
             i++)
            status = node_mark(folding, model->graphs[g], i);
    for (uint32_t g = 0; g < model->graph_count; g++)
        reads_mark(folding, model->graphs[g]);
    for (uint32_t g = 0; status == OPSHIFT_OK && g < model->graph_count; g++)
        if (is_edited(model->graphs[g]))
            status = graph_fold(folding, model->graphs[g]);
    return status;
}

static enum opshift_status constants_fold(struct editing *editing, struct opshift_error *error)
{
    struct fold_state folding = {.model = editing->model,
                                 .arena = editing->arena,
                                 .folds = edit_has(editing, "fold"),
                                 .unholds = edit_has(editing, "constants-to-initializers"),
                                 .error = error};
    size_t at = 0;
    const char *inputs = edit_next(editing, "ir-inputs", &at);
    folding.ir_rises = inputs && strcmp(inputs, "remove") == 0;
    enum opshift_status status = edit_number(editing, "fold-limit", LIMIT_DEFAULT, &folding.limit, error);
    if (status == OPSHIFT_OK)
        status = view_open(&folding.view, editing, error);
    if (status == OPSHIFT_OK)
        status = fold_new(folding.model, folding.view.scopes, folding.view.types, NULL, &folding.fold, error);
    if (status == OPSHIFT_OK)
        status = model_fold(&folding);
    fold_free(folding.fold);
    view_close(&folding.view);
    if (status || folding.node_count == 0)
        return status;
    status = edit_tell(editing, folding.folds ? "fold" : "constants-to-initializers", folding.node_count, error,
                       "%" PRIu64 " node%s gone, %" PRIu64 " initializer%s instead, %" PRIu64 " bytes",
                       folding.node_count, folding.node_count == 1 ? "" : "s", folding.made_count,
                       folding.made_count == 1 ? "" : "s", folding.made_size);
    return status ? status : edit_settle(editing, error);
}

/* ---- back ---- */

static enum opshift_status constant_add(struct fold_state *folding, const struct initializer *initializer,
                                        struct buffer *added)
{
    Onnx__NodeProto node = ONNX__NODE_PROTO__INIT;
    Onnx__AttributeProto attribute = ONNX__ATTRIBUTE_PROTO__INIT, *attributes = &attribute;
    struct bytes text = names_bytes(folding->model->names, initializer->name);
    ProtobufCBinaryData output = {text.size, (uint8_t *)(uintptr_t)text.data};
    struct arena *arena = arena_new(0);
    enum opshift_status status = arena
                                     ? range_decode(folding->model, initializer->range, &onnx__tensor_proto__descriptor,
                                                    arena, &attribute.t, folding->error)
                                     : opshift_no_memory(folding->error);
    if (status == OPSHIFT_OK) {
        attribute.t->has_name = 0;
        attribute.has_name = attribute.has_type = node.has_op_type = 1;
        attribute.name = (ProtobufCBinaryData){5, (uint8_t *)(uintptr_t) "value"};
        attribute.type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR;
        node.op_type = (ProtobufCBinaryData){8, (uint8_t *)(uintptr_t) "Constant"};
        node.n_output = node.n_attribute = 1;
        node.output = &output;
        node.attribute = &attributes;
        wire_add_message(added, 1, &node.base);
        folding->made_size += range_size(initializer->range);
        folding->made_count++;
    }
    arena_free(arena);
    return status == OPSHIFT_OK && added->failed ? opshift_no_memory(folding->error) : status;
}

/* Constant nodes before the first node. External data stays where it is, since few runtimes take it in a node. */
static enum opshift_status graph_hold(struct fold_state *folding, struct graph *graph)
{
    struct buffer added = {0};
    struct message *message = graph->message;
    uint64_t place = graph->node_count ? range_record(graph->nodes[0].range) : message->offset + message->size;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->initializer_count; i++) {
        const struct initializer *initializer = &graph->initializers[i];
        if (initializer->sparse || initializer->external || is_output(graph, initializer->name) ||
            scope_is_input(folding->view.scopes, graph, initializer->name))
            continue;
        status = constant_add(folding, initializer, &added);
        if (status == OPSHIFT_OK)
            status = range_remove(folding->model, message, initializer->range, folding->error);
    }
    if (status == OPSHIFT_OK && added.size)
        status = model_edit(folding->model, message, place, 0, (struct bytes){added.data, added.size}, folding->error);
    buffer_free(&added);
    return status;
}

static enum opshift_status initializers_hold(struct editing *editing, struct opshift_error *error)
{
    struct fold_state folding = {.model = editing->model, .error = error};
    enum opshift_status status = view_open(&folding.view, editing, error);
    for (uint32_t g = 0; status == OPSHIFT_OK && g < editing->model->graph_count; g++)
        if (is_edited(editing->model->graphs[g]))
            status = graph_hold(&folding, editing->model->graphs[g]);
    view_close(&folding.view);
    if (status || folding.made_count == 0)
        return status;
    return edit_tell(editing, "initializers-to-constants", folding.made_count, error,
                     "%" PRIu64 " initializer%s, %" PRIu64 " bytes, in Constant nodes now", folding.made_count,
                     folding.made_count == 1 ? "" : "s", folding.made_size);
}

enum opshift_status fold_edit(struct editing *editing, struct opshift_error *error)
{
    bool holds = edit_has(editing, "initializers-to-constants"),
         unholds = edit_has(editing, "constants-to-initializers");
    bool folds = edit_has(editing, "fold");
    enum opshift_status status = OPSHIFT_OK;
    if (holds && unholds)
        return opshift_fail(error, OPSHIFT_USAGE,
                            "edit: 'constants-to-initializers' and 'initializers-to-constants' exclude each other");
    if (!folds && edit_has(editing, "fold-limit"))
        return opshift_fail(error, OPSHIFT_USAGE, "edit: 'fold-limit' is of no use without 'fold'");
    if (folds || unholds)
        status = constants_fold(editing, error);
    return status == OPSHIFT_OK && holds ? initializers_hold(editing, error) : status;
}
