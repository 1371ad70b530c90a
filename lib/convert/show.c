/* What a model holds: its opsets, its sizes, and how each of its Split nodes cuts. */
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "kernel/facts.h"
#include "wire/wire.h"
#include "base/real.h"

#define TEXT_LENGTHS_MAX 16 /* lengths of one node shown to people; JSON has them all */

/* What the walk needs at every node. */
struct show {
    struct opshift_model *model;
    struct surroundings around;
    struct arena *arena; /* of one node at a time */
    json_t *splits;
    struct opshift_error *error;
};

static json_t *name_json(const struct opshift_model *model, name_id name)
{
    struct bytes bytes = names_bytes(model->names, name);
    return report_string(bytes.data, bytes.size);
}

/* ---- the model ------------------------------------------------------------------------------------------------ */

/* One of ModelProto's strings; null when it is not given. */
static enum opshift_status string_field(struct opshift_model *model, const struct wire_field *field, json_t **root,
                                        const char *key, struct opshift_error *error)
{
    if (field->type != WIRE_BYTES || field->size > 65536)
        return OPSHIFT_OK;
    const uint8_t *data;
    enum opshift_status status = source_view(model->source, field->offset, (size_t)field->size, &data, error);
    if (status == OPSHIFT_OK)
        report_set(root, key, report_string(data, (size_t)field->size));
    return status;
}

static enum opshift_status show_origin(struct opshift_model *model, json_t **root, struct opshift_error *error)
{
    static const struct {
        uint32_t number; /* of ModelProto */
        const char *key;
    } fields[] = {{2, "producer_name"}, {3, "producer_version"}, {4, "domain"}};
    struct wire_cursor cursor = {model->source, 0, source_size(model->source)};
    struct wire_field field;
    bool found = true;
    for (size_t i = 0; i < COUNT(fields); i++)
        report_set(root, fields[i].key, json_null());
    while (found) {
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        for (size_t i = 0; status == OPSHIFT_OK && found && i < COUNT(fields); i++)
            if (field.number == fields[i].number)
                status = string_field(model, &field, root, fields[i].key, error);
        if (status)
            return status;
    }
    return OPSHIFT_OK;
}

static json_t *imports_json(const struct opshift_model *model, const struct opset_import *imports, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++) {
        bool ours = imports[i].domain == NAME_NONE;
        report_append(&list, json_pack("{s:o, s:I}", "domain",
                                       ours ? json_string("ai.onnx") : name_json(model, imports[i].domain), "version",
                                       (json_int_t)imports[i].version));
    }
    return list;
}

static json_t *counts_json(const struct opshift_model *model)
{
    json_int_t nodes = 0, initializers = 0, inside = 0;
    for (uint32_t i = 0; i < model->graph_count; i++) {
        nodes += model->graphs[i]->node_count;
        initializers += model->graphs[i]->initializer_count;
        inside += model->graphs[i]->kind == GRAPH_SUB;
    }
    return json_pack("{s:I, s:I, s:I, s:I, s:I}", "graphs", (json_int_t)model->graph_count - model->function_count,
                     "subgraphs", inside, "functions", (json_int_t)model->function_count, "nodes", nodes,
                     "initializers", initializers);
}

/* ---- one Split ------------------------------------------------------------------------------------------------ */

/* "@name" */
static json_t *reference_json(const void *name, size_t size)
{
    struct buffer text = {0};
    buffer_add_byte(&text, '@');
    buffer_add(&text, name, size);
    json_t *json = text.failed ? NULL : report_string(text.data, text.size);
    buffer_free(&text);
    return json;
}

static json_t *int_or_reference(const Onnx__AttributeProto *attribute)
{
    if (attribute->has_ref_attr_name)
        return reference_json(attribute->ref_attr_name.data, attribute->ref_attr_name.len);
    return json_integer(attribute->i);
}

static json_t *ints_or_reference(const Onnx__AttributeProto *attribute)
{
    if (attribute->has_ref_attr_name)
        return int_or_reference(attribute);
    json_t *list = json_array();
    for (size_t i = 0; i < attribute->n_ints; i++)
        report_append(&list, json_integer(attribute->ints[i]));
    return list;
}

static enum opshift_status show_attributes(const struct show *show, const struct node *node, json_t **split)
{
    struct attribute_range *attributes;
    size_t count;
    enum opshift_status status = node_attributes(show->model, node, show->arena, &attributes, &count, show->error);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        Onnx__AttributeProto *attribute;
        const char *name = names_text(show->model->names, attributes[i].name);
        bool lengths = strcmp(name, "split") == 0;
        if (!lengths && strcmp(name, "axis") != 0 && strcmp(name, "num_outputs") != 0)
            continue;
        status = attribute_decode(show->model, &attributes[i], show->arena, &attribute, show->error);
        if (status == OPSHIFT_OK && lengths) {
            report_set(split, "form", json_string("attribute"));
            report_set(split, "lengths", ints_or_reference(attribute));
        } else if (status == OPSHIFT_OK) {
            report_set(split, name, int_or_reference(attribute));
            if (strcmp(name, "num_outputs") == 0)
                report_set(split, "form", json_string(name));
        }
    }
    return status;
}

/* A constant's elements; null for what lengths cannot be (they are then no lengths). */
static json_t *elements_json(const struct tensor *tensor)
{
    json_t *list = json_array();
    for (uint64_t i = 0; i < tensor->count; i++) {
        switch (tensor->type) {
        case OPSHIFT_TYPE_INT64:
            report_append(&list, json_integer(((const int64_t *)tensor->data)[i]));
            break;
        case OPSHIFT_TYPE_INT32:
            report_append(&list, json_integer(((const int32_t *)tensor->data)[i]));
            break;
        case OPSHIFT_TYPE_FLOAT:
            report_append(&list, json_real((double)((const float *)tensor->data)[i]));
            break;
        case OPSHIFT_TYPE_DOUBLE:
            report_append(&list, json_real(((const double *)tensor->data)[i]));
            break;
        default:
            report_append(&list, json_null());
        }
    }
    return list;
}

static const char *constant_form(const struct show *show, struct graph *graph, name_id name)
{
    struct definition definition = scope_find(show->around.scopes, graph, name);
    if (definition.kind == DEFINED_INITIALIZER)
        return "initializer";
    if (definition.kind != DEFINED_NODE)
        return "dynamic";
    name_id op_type = definition.graph->nodes[definition.index].op_type;
    return strcmp(names_text(show->model->names, op_type), "Constant") == 0 ? "constant" : "computed";
}

static enum opshift_status show_lengths_input(const struct show *show, struct graph *graph, name_id name,
                                              json_t **split)
{
    const struct tensor *tensor;
    const char *why = NULL;
    struct bytes reference = {0};
    enum opshift_status status = fold_constant(show->around.fold, graph, name, &tensor, &why, show->error);
    if (status == OPSHIFT_OK && tensor == NULL)
        status = reference_find(&show->around, graph, name, show->arena, &reference, show->error);
    if (status)
        return status;
    bool is_constant = tensor || reference.size;
    report_set(split, "form", json_string(is_constant ? constant_form(show, graph, name) : "dynamic"));
    report_set(split, "from", name_json(show->model, name));
    if (reference.size)
        report_set(split, "lengths", reference_json(reference.data, reference.size));
    else if (tensor)
        report_set(split, "lengths", elements_json(tensor));
    else if (why)
        report_set(split, "why", report_string(why, strlen(why)));
    return OPSHIFT_OK;
}

static json_t *shape_json(const struct opshift_model *model, const struct value_type *type)
{
    if (type->rank < 0)
        return json_null();
    json_t *shape = json_array();
    for (int32_t i = 0; i < type->rank; i++) {
        if (type->dims[i] >= 0)
            report_append(&shape, json_integer(type->dims[i]));
        else if (type->params && type->params[i] != NAME_NONE)
            report_append(&shape, name_json(model, type->params[i]));
        else
            report_append(&shape, json_null());
    }
    return shape;
}

static enum opshift_status show_type(const struct show *show, struct graph *graph, name_id name, json_t **split)
{
    struct value_type type;
    enum opshift_status status = types_find(show->around.types, graph, name, &type, show->error);
    if (status)
        return status;
    const char *word = type.type == OPSHIFT_TYPE_UNDEFINED ? NULL : type_name(type.type);
    report_set(split, "type", word ? json_string(word) : json_null());
    report_set(split, "shape", shape_json(show->model, &type));
    return OPSHIFT_OK;
}

static enum opshift_status show_split(const struct show *show, struct graph *graph, const struct node *node)
{
    const char *place = node_place_find(show->model, graph, node);
    if (place == NULL)
        return opshift_no_memory(show->error);
    json_t *split = json_pack("{s:o, s:I, s:s, s:i, s:I, s:n, s:n, s:n}", "where", report_string(place, strlen(place)),
                              "opset", (json_int_t)graph_opset(show->model, graph, NAME_NONE), "form", "equal", "axis",
                              0, "outputs", (json_int_t)node->output_count, "lengths", "type", "shape");
    enum opshift_status status = show_attributes(show, node, &split);
    if (status == OPSHIFT_OK && node->input_count > 0)
        status = show_type(show, graph, node_inputs(node)[0], &split);
    if (status == OPSHIFT_OK && node->input_count > 1 && node_inputs(node)[1] != NAME_NONE)
        status = show_lengths_input(show, graph, node_inputs(node)[1], &split);
    if (json_array_append_new(show->splits, split) != 0 && status == OPSHIFT_OK)
        return opshift_no_memory(show->error);
    return status ? opshift_within(show->error, status, "%s", place) : OPSHIFT_OK;
}

static enum opshift_status show_graph(struct show *show, struct graph *graph, name_id op_type)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < graph->node_count && status == OPSHIFT_OK; i++) {
        const struct node *node = &graph->nodes[i];
        if (node->op_type != op_type || node_domain(node) != NAME_NONE)
            continue;
        show->arena = arena_new(0);
        status = show->arena ? show_split(show, graph, node) : opshift_no_memory(show->error);
        arena_free(show->arena);
        show->arena = NULL;
    }
    return status;
}

static enum opshift_status show_splits(struct opshift_model *model, json_t *root, struct opshift_error *error)
{
    struct show show = {.model = model, .splits = json_object_get(root, "splits"), .error = error};
    name_id op_type;
    enum opshift_status status = OPSHIFT_OK;
    if (!names_find(model->names, "Split", strlen("Split"), &op_type))
        return OPSHIFT_OK;
    status = surroundings_open(&show.around, model, false, error);
    for (uint32_t i = 0; i < model->graph_count && status == OPSHIFT_OK; i++)
        status = show_graph(&show, model->graphs[i], op_type);
    surroundings_close(&show.around);
    return status;
}

/* ---- for people ----------------------------------------------------------------------------------------------- */

/* "[2,4]", "[N,?]", "@axis", "-1"; "-" for null. */
static void add_value(struct buffer *out, const json_t *value, const char *nothing)
{
    if (json_is_integer(value)) {
        buffer_print(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_real(value)) {
        buffer_add_text(out, REAL_SHOWN(json_real_value(value)));
    } else if (json_is_string(value)) {
        buffer_add_text(out, json_string_value(value));
    } else if (json_is_array(value)) {
        buffer_add_text(out, "[");
        for (size_t i = 0; i < json_array_size(value) && i < TEXT_LENGTHS_MAX; i++) {
            buffer_add_text(out, i == 0 ? "" : ",");
            add_value(out, json_array_get(value, i), "?");
        }
        buffer_add_text(out, json_array_size(value) > TEXT_LENGTHS_MAX ? ",...]" : "]");
    } else {
        buffer_add_text(out, nothing);
    }
}

static void add_split_row(struct report_table *table, const json_t *split, struct buffer *out)
{
    static const char *const keys[] = {"where", "opset", "form", "axis", "outputs", "lengths", "type", "shape"};
    char *cells[COUNT(keys)];
    for (size_t i = 0; i < COUNT(keys); i++) {
        struct buffer cell = {0};
        const json_t *value = json_object_get(split, keys[i]);
        const json_t *why = json_object_get(split, "why");
        if (strcmp(keys[i], "lengths") == 0 && json_is_null(value) && why)
            value = why;
        if (strcmp(keys[i], "lengths") == 0 && json_is_string(value) && *json_string_value(value) == '@')
            buffer_add_text(&cell, "from the function's attribute ");
        add_value(&cell, value, strcmp(keys[i], "lengths") == 0 ? "-" : "?");
        cells[i] = buffer_take(&cell);
        out->failed = out->failed || cells[i] == NULL;
    }
    report_table_row(table, (const char *const *)cells);
    for (size_t i = 0; i < COUNT(keys); i++)
        free(cells[i]);
}

static void add_line(struct buffer *out, const char *head, const json_t *value)
{
    buffer_print(out, "%-14s", head);
    add_value(out, value, "-");
    buffer_add_text(out, "\n");
}

static void show_text(const json_t *root, struct buffer *out)
{
    static const char *const heads[] = {"where", "opset", "form", "axis", "outputs", "lengths", "type", "shape"};
    const json_t *splits = json_object_get(root, "splits");
    const char *key;
    json_t *count, *import;
    size_t at;
    add_line(out, "model", json_object_get(root, "model"));
    add_line(out, "bytes", json_object_get(root, "size"));
    add_line(out, "IR version", json_object_get(root, "ir_version"));
    buffer_print(out, "%-14s", "opsets");
    json_array_foreach(json_object_get(root, "opsets"), at, import)
    {
        buffer_print(out, "%s%s %" JSON_INTEGER_FORMAT, at == 0 ? "" : ", ",
                     json_string_value(json_object_get(import, "domain")),
                     json_integer_value(json_object_get(import, "version")));
    }
    buffer_add_text(out, "\n");
    buffer_print(out, "%-14s", "producer");
    add_value(out, json_object_get(root, "producer_name"), "-");
    if (json_is_string(json_object_get(root, "producer_version")))
        buffer_add_text(out, " ");
    add_value(out, json_object_get(root, "producer_version"), "");
    buffer_add_text(out, "\n");
    json_object_foreach(json_object_get(root, "counts"), key, count) add_line(out, key, count);
    if (json_array_size(splits) == 0)
        return;
    struct report_table *table = report_table_new(COUNT(heads), heads);
    buffer_add_text(out, "\n");
    json_t *split;
    json_array_foreach(splits, at, split) add_split_row(table, split, out);
    report_table_print(table, out);
}

enum opshift_status opshift_show(struct opshift_model *model, struct opshift_report **report,
                                 struct opshift_error *error)
{
    *report = NULL;
    json_t *root = json_pack("{s:s, s:s, s:o, s:I, s:I, s:o}", "kind", "show", "version", opshift_version(), "model",
                             report_string(model->name, strlen(model->name)), "size",
                             (json_int_t)opshift_model_size(model), "ir_version", (json_int_t)model->ir_version,
                             "opsets", imports_json(model, model->imports, model->import_count));
    if (root == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = show_origin(model, &root, error);
    if (status == OPSHIFT_OK &&
        (json_object_set_new(root, "counts", counts_json(model)) || json_object_set_new(root, "splits", json_array())))
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = show_splits(model, root, error);
    if (status) {
        json_decref(root);
        return status;
    }
    *report = report_new(root, show_text);
    return *report ? OPSHIFT_OK : opshift_no_memory(error);
}
