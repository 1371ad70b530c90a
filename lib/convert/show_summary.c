/* Describes a model as a whole: inputs and outputs, operators by count, weights by size, functions, external data. */
#include <stdlib.h>
#include <string.h>

#include "convert/show.h"
#include "model/fields.h"
#include "model/external_set.h"
#include "schema/schema.h"
#include "wire/wire.h"

#define OPERATORS_MAX 8u /* operators in the text; JSON has all */
#define METADATA_MAX  65536u
#define VALUES_MAX    10000u /* described inputs, and outputs; a damaged file may list one for every two bytes */

json_t *show_name(const struct opshift_model *model, name_id name)
{
    struct bytes bytes = names_bytes(model->names, name);
    return report_string(bytes.data, bytes.size);
}

/* The dims as a list: numbers, names, or null where a dim is unknown; null: the rank is unknown. */
static json_t *show_shape(const struct opshift_model *model, const struct value_type *type)
{
    if (type->rank < 0)
        return json_null();
    json_t *shape = json_array();
    for (int32_t i = 0; i < type->rank; i++) {
        if (type->dims[i] >= 0)
            report_append(&shape, json_integer(type->dims[i]));
        else if (type->params && type->params[i] != NAME_NONE)
            report_append(&shape, show_name(model, type->params[i]));
        else
            report_append(&shape, json_null());
    }
    return shape;
}

/* ---- inputs and outputs ---------------------------------------------------------------------------------------- */

static json_t *type_json(const struct value_type *type)
{
    const char *word = type->is_tensor && type->type != OPSHIFT_TYPE_UNDEFINED ? type_name(type->type) : type->other;
    return word ? report_string(word, strlen(word)) : json_null();
}

/* has_default: by name, or NULL. */
static enum opshift_status values_json(struct opshift_model *model, const struct value_info *values, uint32_t count,
                                       const bool *has_default, json_t **list, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    struct arena *arena = arena_new(0);
    *list = json_array();
    if (arena == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count && i < VALUES_MAX; i++) {
        struct value_type type;
        json_t *value = json_object();
        arena_clear(arena);
        status = value_info_type(model, &values[i], arena, &type, error);
        report_set(&value, "name", show_name(model, values[i].name));
        if (status == OPSHIFT_MALFORMED || status == OPSHIFT_UNSUPPORTED) {
            error_forget(error);
            status = OPSHIFT_OK; /* lint finds it */
            report_set(&value, "type", json_null());
            report_set(&value, "shape", json_null());
        } else if (status == OPSHIFT_OK) {
            report_set(&value, "type", type_json(&type));
            report_set(&value, "shape", type.is_tensor ? show_shape(model, &type) : json_null());
        }
        if (has_default && has_default[values[i].name])
            report_set(&value, "has_default", json_true());
        report_append(list, value);
    }
    arena_free(arena);
    return status;
}

static enum opshift_status add_values(struct opshift_model *model, json_t **root, struct opshift_error *error)
{
    const struct graph *main = model->graphs[0];
    json_t *inputs = NULL, *outputs = NULL;
    bool *has_default = calloc(names_count(model->names), sizeof(*has_default));
    if (has_default == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < main->initializer_count; i++)
        has_default[main->initializers[i].name] = true;
    enum opshift_status status = values_json(model, main->inputs, main->input_count, has_default, &inputs, error);
    if (status == OPSHIFT_OK)
        status = values_json(model, main->outputs, main->output_count, NULL, &outputs, error);
    free(has_default);
    report_set(root, "inputs", inputs);
    if (status == OPSHIFT_OK)
        report_set(root, "outputs", outputs);
    else
        json_decref(outputs);
    if (main->input_count > VALUES_MAX)
        report_set(root, "inputs_left_out", json_integer(main->input_count - VALUES_MAX));
    if (main->output_count > VALUES_MAX)
        report_set(root, "outputs_left_out", json_integer(main->output_count - VALUES_MAX));
    return status;
}

/* ---- operators ------------------------------------------------------------------------------------------------- */

struct operator_count {
    const char *name;
    name_id op_type, domain;
    uint32_t since; /* the operator's version; 0: unknown */
    uint32_t count;
};

static int by_operator(const void *a, const void *b)
{
    const struct operator_count *left = a, *right = b;
    if (left->domain != right->domain)
        return left->domain < right->domain ? -1 : 1;
    if (left->op_type != right->op_type)
        return left->op_type < right->op_type ? -1 : 1;
    return left->since < right->since ? -1 : left->since > right->since;
}

static int by_count(const void *a, const void *b)
{
    const struct operator_count *left = a, *right = b;
    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    int order = strcmp(left->name, right->name);
    return order ? order : by_operator(a, b);
}

static void add_operator(struct buffer *list, const struct opshift_model *model, const struct graph *graph,
                         name_id domain, name_id op_type, uint32_t count)
{
    const char *name = names_text(model->names, op_type);
    const struct schema *schema = schema_find(domain == NAME_NONE ? "" : names_text(model->names, domain), name,
                                              graph_opset(model, graph, domain));
    struct operator_count added = {name, op_type, domain, schema ? schema->since : 0, count};
    buffer_add(list, &added, sizeof(added));
}

/* One entry for each operator of ai.onnx at the model's opset, counted by name, and one for each other node. */
static void count_operators(const struct opshift_model *model, uint32_t *counts, struct buffer *list)
{
    int64_t opset = graph_opset(model, model->graphs[0], NAME_NONE);
    for (uint32_t i = 0; i < model->graph_count; i++) {
        const struct graph *graph = model->graphs[i];
        bool same = graph_opset(model, graph, NAME_NONE) == opset;
        for (uint32_t k = 0; k < graph->node_count; k++) {
            const struct node *node = &graph->nodes[k];
            if (same && node_domain(node) == NAME_NONE)
                counts[node->op_type]++;
            else
                add_operator(list, model, graph, node_domain(node), node->op_type, 1);
        }
    }
    for (name_id name = 0; name < names_count(model->names); name++)
        if (counts[name] > 0)
            add_operator(list, model, model->graphs[0], NAME_NONE, name, counts[name]);
}

static size_t join_equal(struct operator_count *list, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept > 0 && by_operator(&list[kept - 1], &list[i]) == 0)
            list[kept - 1].count += list[i].count;
        else
            list[kept++] = list[i];
    return kept;
}

static enum opshift_status add_operators(const struct opshift_model *model, json_t **root, struct opshift_error *error)
{
    struct buffer all = {0};
    json_t *operators = json_array();
    uint32_t *counts = calloc(names_count(model->names), sizeof(*counts));
    if (counts)
        count_operators(model, counts, &all);
    struct operator_count *list = (struct operator_count *)(void *)all.data;
    size_t count = all.size / sizeof(*list);
    bool failed = counts == NULL || all.failed;
    if (!failed && count > 0) {
        qsort(list, count, sizeof(*list), by_operator);
        count = join_equal(list, count);
        qsort(list, count, sizeof(*list), by_count);
    }
    for (size_t i = 0; !failed && i < count; i++) {
        json_t *entry = json_object();
        report_set(&entry, "operator", show_name(model, list[i].op_type));
        report_set(&entry, "domain",
                   list[i].domain == NAME_NONE ? json_string("ai.onnx") : show_name(model, list[i].domain));
        report_set(&entry, "version", list[i].since ? json_integer(list[i].since) : json_null());
        report_set(&entry, "count", json_integer(list[i].count));
        report_append(&operators, entry);
    }
    report_set(root, "operators", operators);
    buffer_free(&all);
    free(counts);
    return failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* ---- functions, metadata, external data
 * -------------------------------------------------------------------------------- */

static void add_functions(const struct opshift_model *model, json_t **root)
{
    json_t *functions = json_array();
    for (uint32_t i = 0; i < model->function_count; i++) {
        const struct function *function = &model->functions[i];
        json_t *entry = json_object();
        report_set(&entry, "name", show_name(model, function->name));
        report_set(&entry, "domain", show_name(model, function->domain));
        report_set(&entry, "nodes", json_integer(function->body->node_count));
        report_append(&functions, entry);
    }
    report_set(root, "functions", functions);
}

static enum opshift_status metadata_entry(struct opshift_model *model, const struct wire_field *field, json_t **list,
                                          struct opshift_error *error)
{
    Onnx__StringStringEntryProto *message = NULL;
    struct arena *arena = arena_new(0);
    if (arena == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = range_try_decode(model, range_make(field->record, field->offset, field->size),
                                                  &onnx__string_string_entry_proto__descriptor, arena, &message, error);
    if (status == OPSHIFT_OK && message) {
        json_t *entry = json_object();
        report_set(&entry, "key", report_string(message->key.data, message->key.len));
        report_set(&entry, "value", report_string(message->value.data, message->value.len));
        report_append(list, entry);
    }
    arena_free(arena);
    return status;
}

/* The model's metadata_props, without entries that are too large to read at a glance. */
static enum opshift_status add_metadata(struct opshift_model *model, json_t **root, struct opshift_error *error)
{
    struct wire_cursor cursor = {model->source, 0, source_size(model->source)};
    struct wire_field field;
    json_t *list = json_array();
    bool found = true;
    enum opshift_status status = OPSHIFT_OK;
    while (status == OPSHIFT_OK && found) {
        status = wire_next(&cursor, &field, &found, error);
        if (status == OPSHIFT_OK && found && field.number == MODEL_METADATA && field.type == WIRE_BYTES &&
            field.size <= METADATA_MAX)
            status = metadata_entry(model, &field, &list, error);
    }
    report_set(root, "metadata", list);
    return status;
}

/* The files that the model's external data is in. */
static enum opshift_status add_external(struct opshift_model *model, json_t **root, struct opshift_error *error)
{
    struct external_set set = {0};
    json_t *files = json_array();
    enum opshift_status status = external_set_look(model, &set, error);
    for (size_t i = 0; i < set.count; i++) {
        const char *location = set.list[i].location;
        if (i == 0 || strcmp(set.list[i - 1].location, location) != 0)
            report_append(&files, report_string(location, strlen(location)));
    }
    report_set(root, "external", files);
    external_set_free(&set);
    return status;
}

enum opshift_status show_summary(struct opshift_model *model, json_t **root, struct opshift_error *error)
{
    enum opshift_status status = add_values(model, root, error);
    if (status == OPSHIFT_OK)
        status = add_operators(model, root, error);
    if (status == OPSHIFT_OK)
        status = show_weights(model, root, error);
    add_functions(model, root);
    if (status == OPSHIFT_OK)
        status = add_metadata(model, root, error);
    if (status == OPSHIFT_OK)
        status = add_external(model, root, error);
    return status == OPSHIFT_OK && *root == NULL ? opshift_no_memory(error) : status;
}

/* ---- text ------------------------------------------------------------------------------------------------------ */

void show_type_text(const json_t *value, const char *no_type, struct buffer *out)
{
    size_t at;
    const json_t *shape = json_object_get(value, "shape"), *dim;
    const char *type = json_string_value(json_object_get(value, "type"));
    buffer_add_text(out, type ? type : no_type);
    if (json_is_null(shape))
        buffer_add_text(out, type && strchr(type, '(') == NULL ? "[]" : "");
    if (json_array_size(shape) == 0)
        return;
    json_array_foreach(shape, at, dim)
    {
        buffer_add_text(out, at > 0 ? "," : "[");
        if (json_is_integer(dim))
            buffer_add_decimal(out, json_integer_value(dim));
        else
            buffer_add_text(out, json_is_string(dim) ? json_string_value(dim) : "?");
    }
    buffer_add_text(out, "]");
}

/* "input         x: float[N,3]"; an input with a default is a weight, and left out. left_out: NULL, or a number. */
static void print_values(const char *head, const json_t *values, const json_t *left_out, struct buffer *out)
{
    size_t at;
    const json_t *value;
    json_array_foreach(values, at, value)
    {
        if (json_is_true(json_object_get(value, "has_default")))
            continue;
        buffer_print(out, "%-14s%s: ", head, report_text_of(value, "name"));
        show_type_text(value, "no type", out);
        buffer_add_byte(out, '\n');
    }
    if (left_out)
        buffer_print(out, "%-14sand %" JSON_INTEGER_FORMAT " others\n", head, json_integer_value(left_out));
}

/* "3 Split, 2 Mul, 1 example.Half, and 4 others" */
static void print_operators(const json_t *operators, struct buffer *out)
{
    size_t at;
    const json_t *entry;
    buffer_print(out, "%-14s", "operators");
    json_array_foreach(operators, at, entry)
    {
        const char *domain = report_text_of(entry, "domain");
        bool ours = strcmp(domain, "ai.onnx") == 0;
        if (at == OPERATORS_MAX)
            break;
        buffer_print(out, "%s%" JSON_INTEGER_FORMAT " %s%s%s", at > 0 ? ", " : "",
                     json_integer_value(json_object_get(entry, "count")), ours ? "" : domain, ours ? "" : ".",
                     report_text_of(entry, "operator"));
    }
    if (json_array_size(operators) > OPERATORS_MAX)
        buffer_print(out, ", and %zu others", json_array_size(operators) - OPERATORS_MAX);
    buffer_add_text(out, json_array_size(operators) == 0 ? "-\n" : "\n");
}

void show_summary_text(const json_t *root, struct buffer *out)
{
    const json_t *weights = json_object_get(root, "weights"), *file;
    json_int_t external = json_integer_value(json_object_get(weights, "external_bytes"));
    size_t at;
    print_values("input", json_object_get(root, "inputs"), json_object_get(root, "inputs_left_out"), out);
    print_values("output", json_object_get(root, "outputs"), json_object_get(root, "outputs_left_out"), out);
    print_operators(json_object_get(root, "operators"), out);
    buffer_print(out, "%-14s%" JSON_INTEGER_FORMAT " bytes", "weights",
                 json_integer_value(json_object_get(weights, "bytes")));
    if (external > 0)
        buffer_print(out, ", %" JSON_INTEGER_FORMAT " of them external", external);
    buffer_add_byte(out, '\n');
    json_array_foreach(json_object_get(root, "external"), at, file)
        buffer_print(out, "%-14s%s\n", "external data", json_string_value(file));
}
