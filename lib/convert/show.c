/* Describes a model: its opsets, its sizes, and how each Split node splits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "base/report.h"
#include "base/shown.h"
#include "convert/show.h"
#include "kernel/facts.h"
#include "schema/split_cut.h"
#include "wire/wire.h"

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

/* Limits of what is repeated for each Split: bytes of a dim's name, and dims and lengths of all, besides the file's
 * size. */
#define DIM_NAME_SHOWN 120u
#define LISTED_LEAST   UINT64_C(65536)

/* A value of a Split. Texts are escaped (base/shown.h); they and lists are in the report's arena, or constant. */
enum shown_kind { SHOWN_ABSENT, SHOWN_NULL, SHOWN_NUMBER, SHOWN_REAL, SHOWN_TEXT, SHOWN_LIST };
struct shown_value {
    enum shown_kind kind;
    uint32_t count; /* of a list */
    union {
        int64_t number;
        double real;
        const char *text;
        struct shown_value *items;
    };
};

struct split_shown {
    struct shown_value values[SPLIT_KEYS];
};

/* The report; the Splits are no JSON, as an object for each of 20,000 would take most of the memory. */
struct model_shown {
    json_t *root; /* everything except the Splits */
    struct buffer splits;
    struct arena *arena; /* the texts and lists of the Splits */
};

/* State of the walk over all nodes. */
struct show {
    struct opshift_model *model;
    struct surroundings around;
    struct model_shown *shown;
    struct arena *arena;        /* for one node */
    struct buffer raw, text;    /* one text, before and after it is escaped */
    uint64_t nodes, node_count; /* so far; of the model */
    uint64_t listed;            /* items of all lists */
    bool failed;                /* out of memory */
    struct opshift_error *error;
};

static struct shown_value shown_number(int64_t number)
{
    return (struct shown_value){.kind = SHOWN_NUMBER, .number = number};
}

/* JSON has neither infinities nor NaN. */
static struct shown_value shown_real(double number)
{
    return isfinite(number) ? (struct shown_value){.kind = SHOWN_REAL, .real = number}
                            : (struct shown_value){.kind = SHOWN_NULL};
}

/* A constant text; NULL: null. */
static struct shown_value shown_word(const char *word)
{
    return word ? (struct shown_value){.kind = SHOWN_TEXT, .text = word} : (struct shown_value){.kind = SHOWN_NULL};
}

/* Escapes and copies. */
static struct shown_value shown_text(struct show *show, const void *data, size_t size)
{
    show->text.size = 0;
    shown_add(&show->text, data, size);
    buffer_add_byte(&show->text, '\0');
    uint8_t *copy = show->text.failed ? NULL : arena_bytes(show->shown->arena, show->text.size);
    show->failed |= copy == NULL;
    if (copy)
        memcpy(copy, show->text.data, show->text.size);
    return shown_word((const char *)copy);
}

static struct shown_value shown_name(struct show *show, name_id name)
{
    struct bytes bytes = names_bytes(show->model->names, name);
    return shown_text(show, bytes.data, bytes.size);
}

/* "@name" */
static struct shown_value shown_reference(struct show *show, const void *name, size_t size)
{
    show->raw.size = 0;
    buffer_add_byte(&show->raw, '@');
    buffer_add(&show->raw, name, size);
    show->failed |= show->raw.failed;
    return shown_text(show, show->raw.data, show->raw.size);
}

/* The caller sets the items, which are absent at first. */
static struct shown_value shown_list(struct show *show, uint64_t count)
{
    struct shown_value list = {.kind = SHOWN_LIST};
    show->listed += count;
    if (show->listed > LISTED_LEAST + source_size(show->model->source))
        return list;
    list.items = count <= UINT32_MAX ? arena_alloc(show->shown->arena, count, sizeof(*list.items)) : NULL;
    list.count = list.items ? (uint32_t)count : 0;
    show->failed |= list.items == NULL;
    return list;
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

static struct shown_value int_or_reference(struct show *show, const struct attribute_range *attribute)
{
    if (attribute->reference == NAME_NONE)
        return shown_number(attribute->i);
    struct bytes reference = names_bytes(show->model->names, attribute->reference);
    return shown_reference(show, reference.data, reference.size);
}

static enum opshift_status show_lengths_attribute(struct show *show, const struct attribute_range *attribute,
                                                  struct split_shown *split)
{
    Onnx__AttributeProto *message;
    if (attribute->reference != NAME_NONE) {
        split->values[SPLIT_LENGTHS] = int_or_reference(show, attribute);
        return OPSHIFT_OK;
    }
    enum opshift_status status = attribute_decode(show->model, attribute, show->arena, &message, show->error);
    if (status)
        return status;
    struct shown_value list = shown_list(show, message->n_ints);
    for (uint32_t i = 0; i < list.count; i++)
        list.items[i] = shown_number(message->ints[i]);
    split->values[SPLIT_LENGTHS] = list;
    return OPSHIFT_OK;
}

static enum opshift_status show_attributes(struct show *show, const struct node *node, struct split_shown *split)
{
    struct attribute_range *attributes;
    size_t count;
    enum opshift_status status = node_attributes(show->model, node, show->arena, &attributes, &count, show->error);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        const char *name = names_text(show->model->names, attributes[i].name);
        if (strcmp(name, "axis") == 0) {
            split->values[SPLIT_AXIS] = int_or_reference(show, &attributes[i]);
        } else if (strcmp(name, "num_outputs") == 0) {
            split->values[SPLIT_NUM_OUTPUTS] = int_or_reference(show, &attributes[i]);
            split->values[SPLIT_FORM] = shown_word("num_outputs");
        } else if (strcmp(name, "split") == 0) {
            status = show_lengths_attribute(show, &attributes[i], split);
            split->values[SPLIT_FORM] = shown_word("attribute");
        }
    }
    return status;
}

/* A constant's elements; null if they cannot be lengths. */
static struct shown_value shown_elements(struct show *show, const struct tensor *tensor)
{
    struct shown_value list = shown_list(show, tensor->count);
    for (uint32_t i = 0; i < list.count; i++) {
        switch (tensor->type) {
        case OPSHIFT_TYPE_INT64:
            list.items[i] = shown_number(((const int64_t *)tensor->data)[i]);
            break;
        case OPSHIFT_TYPE_INT32:
            list.items[i] = shown_number(((const int32_t *)tensor->data)[i]);
            break;
        case OPSHIFT_TYPE_FLOAT:
            list.items[i] = shown_real(((const float *)tensor->data)[i]);
            break;
        case OPSHIFT_TYPE_DOUBLE:
            list.items[i] = shown_real(((const double *)tensor->data)[i]);
            break;
        default:
            list.items[i] = shown_word(NULL);
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
    split->values[SPLIT_FORM] = shown_word(is_constant ? constant_form(show, graph, name) : "dynamic");
    split->values[SPLIT_FROM] = shown_name(show, name);
    if (reference.size)
        split->values[SPLIT_LENGTHS] = shown_reference(show, reference.data, reference.size);
    else if (tensor)
        split->values[SPLIT_LENGTHS] = shown_elements(show, tensor);
    else if (why)
        split->values[SPLIT_WHY] = shown_text(show, why, strlen(why));
    return OPSHIFT_OK;
}

static struct shown_value shown_dim(struct show *show, name_id name)
{
    struct bytes bytes = names_bytes(show->model->names, name);
    if (bytes.size <= DIM_NAME_SHOWN)
        return shown_name(show, name);
    show->raw.size = 0;
    buffer_print(&show->raw, "%.*s...", (int)DIM_NAME_SHOWN, (const char *)bytes.data);
    show->failed |= show->raw.failed;
    return shown_text(show, show->raw.data, show->raw.size);
}

/* The dims as a list: numbers, names, or null where a dim is unknown; null: the rank is unknown. */
static struct shown_value shown_shape(struct show *show, const struct value_type *type)
{
    if (type->rank < 0)
        return shown_word(NULL);
    struct shown_value list = shown_list(show, (uint64_t)type->rank);
    for (uint32_t i = 0; i < list.count; i++)
        if (type->dims[i] >= 0)
            list.items[i] = shown_number(type->dims[i]);
        else if (type->params && type->params[i] != NAME_NONE)
            list.items[i] = shown_dim(show, type->params[i]);
        else
            list.items[i] = shown_word(NULL);
    return list;
}

static enum opshift_status show_type(struct show *show, struct graph *graph, name_id name, struct split_shown *split)
{
    struct value_type type;
    enum opshift_status status = types_find(show->around.types, graph, name, &type, show->error);
    if (status)
        return status;
    split->values[SPLIT_TYPE] = shown_word(type.type == OPSHIFT_TYPE_UNDEFINED ? NULL : type_name(type.type));
    split->values[SPLIT_SHAPE] = shown_shape(show, &type);
    return OPSHIFT_OK;
}

static enum opshift_status show_split(struct show *show, struct graph *graph, const struct node *node)
{
    struct split_shown split = {0};
    show->raw.size = 0;
    node_place_add(show->model, graph, node, &show->raw);
    split.values[SPLIT_WHERE] = shown_text(show, show->raw.data, show->raw.size);
    split.values[SPLIT_OPSET] = shown_number(graph_opset(show->model, graph, NAME_NONE));
    split.values[SPLIT_OUTPUTS] = shown_number(node->output_count);
    split.values[SPLIT_FORM] = shown_word("equal");
    split.values[SPLIT_AXIS] = shown_number(0);
    enum opshift_status status = show_attributes(show, node, &split);
    if (status == OPSHIFT_OK && node->input_count > 0)
        status = show_type(show, graph, node_inputs(node)[0], &split);
    if (status == OPSHIFT_OK && node->input_count > 1 && node_inputs(node)[1] != NAME_NONE)
        status = show_lengths_input(show, graph, node_inputs(node)[1], &split);
    buffer_add(&show->shown->splits, &split, sizeof(split));
    if (status == OPSHIFT_OK && show->listed > LISTED_LEAST + source_size(show->model->source))
        status =
            opshift_fail(show->error, OPSHIFT_UNSUPPORTED,
                         "the dims and lengths of this and the Splits before it are more numbers than the file has "
                         "bytes; use show --nodes");
    if (status == OPSHIFT_OK && (show->failed || show->raw.failed || show->shown->splits.failed))
        return opshift_no_memory(show->error);
    return status ? opshift_within(show->error, status, "%s", node_place(show->model, graph, node)) : OPSHIFT_OK;
}

static enum opshift_status show_graph(struct show *show, struct graph *graph)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < graph->node_count && status == OPSHIFT_OK; i++) {
        const struct node *node = &graph->nodes[i];
        if (++show->nodes % PROGRESS_NODES == 0)
            status = model_progress(show->model, show->nodes, show->node_count, show->error);
        if (status || !node_is(show->model, node, "Split"))
            continue;
        arena_clear(show->arena);
        status = show_split(show, graph, node);
    }
    return status;
}

static enum opshift_status show_splits(struct opshift_model *model, struct model_shown *shown,
                                       struct opshift_error *error)
{
    struct show show = {.model = model, .shown = shown, .error = error};
    if (!model_has_operator(model, "Split"))
        return OPSHIFT_OK;
    shown->arena = arena_new(0);
    show.arena = arena_new(0);
    enum opshift_status status = shown->arena && show.arena ? OPSHIFT_OK : opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = surroundings_open(&show.around, model, false, error);
    for (uint32_t i = 0; i < model->graph_count; i++)
        show.node_count += model->graphs[i]->node_count;
    for (uint32_t i = 0; i < model->graph_count && status == OPSHIFT_OK; i++)
        status = show_graph(&show, model->graphs[i]);
    surroundings_close(&show.around);
    buffer_free(&show.raw);
    buffer_free(&show.text);
    arena_free(show.arena);
    return status;
}

/* ---- text ----------------------------------------------------------------------------------------------------- */

/* "[2,4]", "[N,?]", "@axis", "-1" */
static void add_value(struct buffer *out, const struct shown_value *value, const char *nothing)
{
    switch (value->kind) {
    case SHOWN_NUMBER:
        buffer_add_decimal(out, value->number);
        break;
    case SHOWN_REAL:
        buffer_add_text(out, REAL_SHOWN(value->real));
        break;
    case SHOWN_TEXT:
        buffer_add_text(out, value->text);
        break;
    case SHOWN_LIST:
        buffer_add_byte(out, '[');
        for (uint32_t i = 0; i < value->count && i < TEXT_LENGTHS_MAX; i++) {
            if (i > 0)
                buffer_add_byte(out, ',');
            add_value(out, &value->items[i], "?");
        }
        buffer_add_text(out, value->count > TEXT_LENGTHS_MAX ? ",...]" : "]");
        break;
    default:
        buffer_add_text(out, nothing);
    }
}

static void add_split_row(struct report_table *table, const struct split_shown *split)
{
    struct buffer *out = report_table_texts(table);
    for (size_t key = 0; key < SPLIT_COLUMNS; key++) {
        const struct shown_value *value = &split->values[key];
        if (key == SPLIT_LENGTHS && value->kind == SHOWN_ABSENT)
            value = &split->values[SPLIT_WHY];
        if (key == SPLIT_LENGTHS && value->kind == SHOWN_TEXT && value->text[0] == '@')
            buffer_add_text(out, "from the function's attribute ");
        add_value(out, value, key == SPLIT_LENGTHS ? "-" : "?");
        report_table_cell(table);
    }
}

/* A text or a number; nothing for null. */
static void add_json(struct buffer *out, const json_t *value, const char *nothing)
{
    if (json_is_integer(value))
        buffer_add_decimal(out, json_integer_value(value));
    else
        buffer_add_text(out, json_is_string(value) ? json_string_value(value) : nothing);
}

static void add_line(struct buffer *out, const char *head, const json_t *value)
{
    buffer_print(out, "%-14s", head);
    add_json(out, value, "-");
    buffer_add_text(out, "\n");
}

static void add_splits(const struct buffer *splits, struct buffer *out)
{
    const struct split_shown *list = (const struct split_shown *)(const void *)splits->data;
    if (splits->size == 0)
        return;
    struct report_table *table = report_table_new(SPLIT_COLUMNS, split_keys);
    buffer_add_text(out, "\n");
    for (size_t i = 0; table && i < splits->size / sizeof(*list); i++)
        add_split_row(table, &list[i]);
    report_table_print(table, out);
}

static void show_text(const void *data, struct buffer *out)
{
    const struct model_shown *shown = data;
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
    add_json(out, json_object_get(root, "producer_name"), "-");
    if (json_is_string(json_object_get(root, "producer_version")))
        buffer_add_text(out, " ");
    add_json(out, json_object_get(root, "producer_version"), "");
    buffer_add_text(out, "\n");
    json_object_foreach(json_object_get(root, "counts"), key, count) add_line(out, key, count);
    show_summary_text(root, out);
    add_splits(&shown->splits, out);
}

/* ---- JSON ----------------------------------------------------------------------------------------------------- */

static json_t *value_json(const struct shown_value *value)
{
    json_t *list;
    switch (value->kind) {
    case SHOWN_NUMBER:
        return json_integer(value->number);
    case SHOWN_REAL:
        return json_real(value->real);
    case SHOWN_TEXT:
        return json_string(value->text);
    case SHOWN_LIST:
        list = json_array();
        for (uint32_t i = 0; i < value->count; i++)
            report_append(&list, value_json(&value->items[i]));
        return list;
    default:
        return json_null();
    }
}

static json_t *split_json(const struct split_shown *split)
{
    json_t *object = json_object();
    for (size_t key = 0; key < SPLIT_KEYS; key++)
        if (key < SPLIT_COLUMNS || split->values[key].kind != SHOWN_ABSENT)
            report_set(&object, split_keys[key], value_json(&split->values[key]));
    return object;
}

static json_t *show_tree(const void *data)
{
    const struct model_shown *shown = data;
    const struct split_shown *list = (const struct split_shown *)(const void *)shown->splits.data;
    json_t *root = report_copy(shown->root), *splits = json_array();
    for (size_t i = 0; i < shown->splits.size / sizeof(*list); i++)
        report_append(&splits, split_json(&list[i]));
    report_set(&root, "splits", splits);
    return root;
}

static void show_release(void *data)
{
    struct model_shown *shown = data;
    buffer_free(&shown->splits);
    arena_free(shown->arena);
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
        status = show_splits(model, shown, error);
    if (status) {
        show_release(shown);
        return opshift_within(error, status, "%.256s", model->name);
    }
    *report = report_new_content(shown, &kind);
    return *report ? OPSHIFT_OK : opshift_no_memory(error);
}
