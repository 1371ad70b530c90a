/* Describes a model: its opsets, its sizes, and how each Split node splits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "convert/show.h"
#include "kernel/facts.h"
#include "wire/wire.h"
#include "base/real.h"

#define TEXT_LENGTHS_MAX 16 /* lengths of one node in the text; JSON has all of them */

/* Values of a Split: the text's columns, then those only in JSON. */
enum split_key {
    SPLIT_WHERE,
    SPLIT_OPSET,
    SPLIT_FORM,
    SPLIT_AXIS,
    SPLIT_OUTPUTS,
    SPLIT_LENGTHS,
    SPLIT_TYPE,
    SPLIT_SHAPE,
    SPLIT_NUM_OUTPUTS,
    SPLIT_FROM,
    SPLIT_WHY,
    SPLIT_KEYS
};
#define SPLIT_COLUMNS SPLIT_NUM_OUTPUTS

static const char *const split_keys[SPLIT_KEYS] = {"where", "opset", "form",        "axis", "outputs", "lengths",
                                                   "type",  "shape", "num_outputs", "from", "why"};

struct split_shown {
    json_t *values[SPLIT_KEYS]; /* NULL: no such value */
};

/* The report; a JSON object for each of 100,000 Splits would take most of the memory. */
struct model_shown {
    json_t *root; /* everything except the Splits */
    struct buffer splits;
};

/* State of the walk over all nodes. */
struct show {
    struct opshift_model *model;
    struct surroundings around;
    struct arena *arena; /* reset for each node */
    struct buffer *splits;
    uint64_t nodes, node_count; /* so far; of the model */
    bool failed;                /* out of memory */
    struct opshift_error *error;
};

/* Takes ownership of the value. */
static void split_set(struct show *show, struct split_shown *split, enum split_key key, json_t *value)
{
    json_decref(split->values[key]);
    split->values[key] = value;
    show->failed |= value == NULL;
}

/* ---- the model ------------------------------------------------------------------------------------------------ */

/* One of ModelProto's strings; null if absent. */
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
        uint32_t number; /* field number in ModelProto */
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
                                       ours ? json_string("ai.onnx") : show_name(model, imports[i].domain), "version",
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

static enum opshift_status show_attributes(struct show *show, const struct node *node, struct split_shown *split)
{
    static const enum split_key keys[] = {SPLIT_LENGTHS, SPLIT_AXIS, SPLIT_NUM_OUTPUTS};
    static const char *const names[] = {"split", "axis", "num_outputs"};
    struct attribute_range *attributes;
    size_t count;
    enum opshift_status status = node_attributes(show->model, node, show->arena, &attributes, &count, show->error);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        Onnx__AttributeProto *attribute;
        size_t at = 0;
        while (at < COUNT(keys) && strcmp(names_text(show->model->names, attributes[i].name), names[at]) != 0)
            at++;
        if (at == COUNT(keys))
            continue;
        status = attribute_decode(show->model, &attributes[i], show->arena, &attribute, show->error);
        if (status)
            return status;
        split_set(show, split, keys[at],
                  keys[at] == SPLIT_LENGTHS ? ints_or_reference(attribute) : int_or_reference(attribute));
        if (keys[at] != SPLIT_AXIS)
            split_set(show, split, SPLIT_FORM, json_string(keys[at] == SPLIT_LENGTHS ? "attribute" : names[at]));
    }
    return status;
}

/* JSON has neither infinities nor NaN. */
static json_t *finite_json(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

/* A constant's elements; null if they cannot be lengths. */
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
            report_append(&list, finite_json(((const float *)tensor->data)[i]));
            break;
        case OPSHIFT_TYPE_DOUBLE:
            report_append(&list, finite_json(((const double *)tensor->data)[i]));
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

static enum opshift_status show_lengths_input(struct show *show, struct graph *graph, name_id name,
                                              struct split_shown *split)
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
    split_set(show, split, SPLIT_FORM, json_string(is_constant ? constant_form(show, graph, name) : "dynamic"));
    split_set(show, split, SPLIT_FROM, show_name(show->model, name));
    if (reference.size)
        split_set(show, split, SPLIT_LENGTHS, reference_json(reference.data, reference.size));
    else if (tensor)
        split_set(show, split, SPLIT_LENGTHS, elements_json(tensor));
    else if (why)
        split_set(show, split, SPLIT_WHY, report_string(why, strlen(why)));
    return OPSHIFT_OK;
}

static enum opshift_status show_type(struct show *show, struct graph *graph, name_id name, struct split_shown *split)
{
    struct value_type type;
    enum opshift_status status = types_find(show->around.types, graph, name, &type, show->error);
    if (status)
        return status;
    const char *word = type.type == OPSHIFT_TYPE_UNDEFINED ? NULL : type_name(type.type);
    split_set(show, split, SPLIT_TYPE, word ? json_string(word) : json_null());
    split_set(show, split, SPLIT_SHAPE, show_shape(show->model, &type));
    return OPSHIFT_OK;
}

static void split_free(const struct split_shown *split)
{
    for (size_t key = 0; key < SPLIT_KEYS; key++)
        json_decref(split->values[key]);
}

static enum opshift_status show_split(struct show *show, struct graph *graph, const struct node *node)
{
    struct split_shown split = {{NULL}};
    const char *place = node_place_find(show->model, graph, node);
    if (place == NULL)
        return opshift_no_memory(show->error);
    split_set(show, &split, SPLIT_WHERE, report_string(place, strlen(place)));
    split_set(show, &split, SPLIT_OPSET, json_integer((json_int_t)graph_opset(show->model, graph, NAME_NONE)));
    split_set(show, &split, SPLIT_OUTPUTS, json_integer((json_int_t)node->output_count));
    enum opshift_status status = show_attributes(show, node, &split);
    if (status == OPSHIFT_OK && node->input_count > 0)
        status = show_type(show, graph, node_inputs(node)[0], &split);
    if (status == OPSHIFT_OK && node->input_count > 1 && node_inputs(node)[1] != NAME_NONE)
        status = show_lengths_input(show, graph, node_inputs(node)[1], &split);
    if (split.values[SPLIT_FORM] == NULL)
        split_set(show, &split, SPLIT_FORM, json_string("equal"));
    if (split.values[SPLIT_AXIS] == NULL)
        split_set(show, &split, SPLIT_AXIS, json_integer(0));
    buffer_add(show->splits, &split, sizeof(split));
    if (show->splits->failed)
        split_free(&split);
    if (status == OPSHIFT_OK && (show->failed || show->splits->failed))
        return opshift_no_memory(show->error);
    return status ? opshift_within(show->error, status, "%s", place) : OPSHIFT_OK;
}

static enum opshift_status show_graph(struct show *show, struct graph *graph, name_id op_type)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < graph->node_count && status == OPSHIFT_OK; i++) {
        const struct node *node = &graph->nodes[i];
        if (++show->nodes % PROGRESS_NODES == 0)
            status = model_progress(show->model, show->nodes, show->node_count, show->error);
        if (status || node->op_type != op_type || node_domain(node) != NAME_NONE)
            continue;
        show->arena = arena_new(0);
        status = show->arena ? show_split(show, graph, node) : opshift_no_memory(show->error);
        arena_free(show->arena);
        show->arena = NULL;
    }
    return status;
}

static enum opshift_status show_splits(struct opshift_model *model, struct buffer *splits, struct opshift_error *error)
{
    struct show show = {.model = model, .splits = splits, .error = error};
    name_id op_type;
    enum opshift_status status = OPSHIFT_OK;
    if (!names_find(model->names, "Split", strlen("Split"), &op_type))
        return OPSHIFT_OK;
    status = surroundings_open(&show.around, model, false, error);
    for (uint32_t i = 0; i < model->graph_count; i++)
        show.node_count += model->graphs[i]->node_count;
    for (uint32_t i = 0; i < model->graph_count && status == OPSHIFT_OK; i++)
        status = show_graph(&show, model->graphs[i], op_type);
    surroundings_close(&show.around);
    return status;
}

/* ---- text ----------------------------------------------------------------------------------------------------- */

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

static void add_split_row(struct report_table *table, const struct split_shown *split, struct buffer *out)
{
    struct buffer text = {0};
    size_t starts[SPLIT_COLUMNS];
    const char *cells[SPLIT_COLUMNS];
    for (size_t key = 0; key < SPLIT_COLUMNS; key++) {
        const json_t *value = split->values[key];
        starts[key] = text.size;
        if (key == SPLIT_LENGTHS && (value == NULL || json_is_null(value)) && split->values[SPLIT_WHY])
            value = split->values[SPLIT_WHY];
        if (key == SPLIT_LENGTHS && json_is_string(value) && *json_string_value(value) == '@')
            buffer_add_text(&text, "from the function's attribute ");
        add_value(&text, value, key == SPLIT_LENGTHS ? "-" : "?");
        buffer_add_byte(&text, '\0');
    }
    out->failed = out->failed || text.failed;
    for (size_t key = 0; key < SPLIT_COLUMNS && !text.failed; key++)
        cells[key] = (const char *)text.data + starts[key];
    if (!text.failed)
        report_table_row(table, cells);
    buffer_free(&text);
}

static void add_line(struct buffer *out, const char *head, const json_t *value)
{
    buffer_print(out, "%-14s", head);
    add_value(out, value, "-");
    buffer_add_text(out, "\n");
}

static void add_splits(const struct buffer *splits, struct buffer *out)
{
    const struct split_shown *list = (const struct split_shown *)(const void *)splits->data;
    if (splits->size == 0)
        return;
    struct report_table *table = report_table_new(SPLIT_COLUMNS, split_keys);
    buffer_add_text(out, "\n");
    for (size_t i = 0; i < splits->size / sizeof(*list); i++)
        add_split_row(table, &list[i], out);
    report_table_print(table, out);
}

static void show_text(const void *told, struct buffer *out)
{
    const struct model_shown *shown = told;
    const json_t *root = shown->root;
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
    show_summary_text(root, out);
    add_splits(&shown->splits, out);
}

static json_t *show_tree(const void *told)
{
    const struct model_shown *shown = told;
    const struct split_shown *list = (const struct split_shown *)(const void *)shown->splits.data;
    json_t *root = json_object(), *splits = json_array(), *value;
    const char *field;
    json_object_foreach(shown->root, field, value)
        report_set(&root, field, json_incref(value)); /* json_copy drops silently */
    for (size_t i = 0; i < shown->splits.size / sizeof(*list); i++) {
        json_t *split = json_object();
        for (size_t key = 0; key < SPLIT_KEYS; key++)
            if (list[i].values[key] || key < SPLIT_COLUMNS)
                report_set(&split, split_keys[key],
                           list[i].values[key] ? json_incref(list[i].values[key]) : json_null());
        report_append(&splits, split);
    }
    report_set(&root, "splits", splits);
    return root;
}

static void show_release(void *told)
{
    struct model_shown *shown = told;
    const struct split_shown *list = (const struct split_shown *)(const void *)shown->splits.data;
    for (size_t i = 0; i < shown->splits.size / sizeof(*list); i++)
        split_free(&list[i]);
    buffer_free(&shown->splits);
    json_decref(shown->root);
    free(shown);
}

enum opshift_status opshift_show(struct opshift_model *model, struct opshift_report **report,
                                 struct opshift_error *error)
{
    static const struct report_kind kind = {show_text, show_tree, show_release};
    struct model_shown *shown = calloc(1, sizeof(*shown));
    *report = NULL;
    if (shown == NULL)
        return opshift_no_memory(error);
    shown->root = json_pack("{s:s, s:s, s:o, s:I, s:I, s:o}", "kind", "show", "version", opshift_version(), "model",
                            report_string(model->name, strlen(model->name)), "size",
                            (json_int_t)opshift_model_size(model), "ir_version", (json_int_t)model->ir_version,
                            "opsets", imports_json(model, model->imports, model->import_count));
    enum opshift_status status = shown->root ? show_origin(model, &shown->root, error) : opshift_no_memory(error);
    if (status == OPSHIFT_OK && json_object_set_new(shown->root, "counts", counts_json(model)) != 0)
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = show_summary(model, &shown->root, error);
    if (status == OPSHIFT_OK)
        status = show_splits(model, &shown->splits, error);
    if (status) {
        show_release(shown);
        return status;
    }
    *report = report_new_told(shown, &kind);
    return *report ? OPSHIFT_OK : opshift_no_memory(error);
}
