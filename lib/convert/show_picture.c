/* The graphs of a model for a picture: every node with its inputs and outputs, the type of every value. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/shown.h"
#include "convert/show.h"
#include "infer/types.h"
#include "model/text_write.h"
#include "schema/operation.h"

/* State of the walk. */
struct picture {
    struct opshift_model *model;
    struct types *types;
    struct arena *arena; /* reset for each node */
    struct buffer *out, scratch;
    const struct schema **schemas; /* of the operators so far; grown with realloc */
    uint32_t schema_count, schema_room;
};

/* ---- JSON, written without a tree: of 100,000 nodes it would take most of the time ---- */

static void add_string(struct picture *picture, struct bytes text)
{
    struct buffer *scratch = &picture->scratch, *out = picture->out;
    scratch->size = 0;
    shown_add(scratch, text.data, text.size);
    buffer_add_byte(out, '"');
    for (size_t i = 0, from = 0; !scratch->failed && i <= scratch->size; i++)
        if (i == scratch->size || scratch->data[i] == '"' || scratch->data[i] == '\\') {
            buffer_add(out, scratch->data + from, i - from);
            buffer_add_text(out, i < scratch->size ? "\\" : "\"");
            from = i;
        }
    out->failed |= scratch->failed;
}

static void add_text(struct picture *picture, const char *text)
{
    add_string(picture, (struct bytes){(const uint8_t *)text, strlen(text)});
}

static void add_name(struct picture *picture, name_id name)
{
    add_string(picture, names_bytes(picture->model->names, name));
}

static void add_key(struct picture *picture, const char *key)
{
    buffer_print(picture->out, ",\"%s\":", key);
}

static void add_names(struct picture *picture, const char *key, const name_id *names, uint32_t count)
{
    add_key(picture, key);
    buffer_add_byte(picture->out, '[');
    for (uint32_t i = 0; i < count; i++) {
        buffer_add_text(picture->out, i > 0 ? "," : "");
        add_name(picture, names[i]);
    }
    buffer_add_byte(picture->out, ']');
}

/* ---- types ---- */

/* "float[N,3]", as show_type_text; "" for what is not known. */
static void add_type(struct picture *picture, const struct value_type *type)
{
    struct buffer text = {0};
    bool tensor = type->is_tensor && type->type != OPSHIFT_TYPE_UNDEFINED;
    const char *word = tensor ? type_name(type->type) : type->other;
    buffer_add_text(&text, word ? word : "");
    if (tensor && type->rank != 0)
        buffer_add_byte(&text, '[');
    for (int32_t i = 0; tensor && i < type->rank; i++) {
        buffer_add_text(&text, i > 0 ? "," : "");
        if (type->dims[i] >= 0) {
            buffer_add_decimal(&text, type->dims[i]);
        } else {
            struct bytes name = {(const uint8_t *)"?", 1};
            if (type->params && type->params[i] != NAME_NONE)
                name = names_bytes(picture->model->names, type->params[i]);
            buffer_add(&text, name.data, name.size);
        }
    }
    if (tensor && type->rank != 0)
        buffer_add_byte(&text, ']');
    picture->out->failed |= text.failed;
    add_string(picture, (struct bytes){text.data, text.failed ? 0 : text.size});
    buffer_free(&text);
}

static enum opshift_status add_value_type(struct picture *picture, struct graph *graph, name_id name,
                                          struct opshift_error *error)
{
    struct value_type type = {.rank = -1};
    enum opshift_status status = name == NAME_NONE ? OPSHIFT_OK : types_find(picture->types, graph, name, &type, error);
    if (status == OPSHIFT_MALFORMED || status == OPSHIFT_UNSUPPORTED) {
        type = (struct value_type){.rank = -1};
        status = error_forget(error); /* lint finds it */
    }
    add_type(picture, &type);
    return status;
}

/* Inputs or outputs of a graph: pairs of name and type. */
static enum opshift_status add_values(struct picture *picture, const char *key, struct graph *graph,
                                      const struct value_info *values, uint32_t count, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    add_key(picture, key);
    buffer_add_byte(picture->out, '[');
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        buffer_add_text(picture->out, i > 0 ? ",[" : "[");
        add_name(picture, values[i].name);
        buffer_add_byte(picture->out, ',');
        status = add_value_type(picture, graph, values[i].name, error);
        buffer_add_byte(picture->out, ']');
    }
    buffer_add_byte(picture->out, ']');
    return status;
}

/* ---- nodes ---- */

static void add_attribute_text(struct picture *picture, const struct buffer *text)
{
    picture->out->failed |= text->failed;
    add_string(picture, (struct bytes){text->data, text->failed ? 0 : text->size});
}

static enum opshift_status add_attributes(struct picture *picture, const struct node *node, struct opshift_error *error)
{
    struct attribute_range *attributes;
    size_t count;
    enum opshift_status status = node_attributes(picture->model, node, picture->arena, &attributes, &count, error);
    if (status || count == 0)
        return status;
    add_key(picture, "attributes");
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        struct buffer text = {0};
        buffer_add_byte(picture->out, i > 0 ? ',' : '[');
        status = show_attribute(picture->model, &attributes[i], picture->arena, &text, error);
        add_attribute_text(picture, &text);
        buffer_free(&text);
    }
    buffer_add_byte(picture->out, ']');
    return status;
}

static bool schema_note(struct picture *picture, const struct graph *graph, const struct node *node)
{
    const struct names *names = picture->model->names;
    const struct schema *schema = schema_find(names_text(names, node_domain(node)), names_text(names, node->op_type),
                                              graph_opset(picture->model, graph, node_domain(node)));
    for (uint32_t i = picture->schema_count; schema && i > 0; i--)
        if (picture->schemas[i - 1] == schema)
            return true;
    if (schema == NULL)
        return true;
    if (!list_grow(&picture->schemas, picture->schema_count, &picture->schema_room, sizeof(*picture->schemas)))
        return false;
    picture->schemas[picture->schema_count++] = schema;
    return true;
}

static enum opshift_status add_node(struct picture *picture, struct graph *graph, const struct node *node,
                                    struct opshift_error *error)
{
    struct buffer place = {0};
    arena_clear(picture->arena);
    buffer_print(picture->out, "{\"graph\":%" PRIu32 ",\"node\":", graph->number);
    node_place_add(picture->model, graph, node, &place);
    add_attribute_text(picture, &place);
    buffer_free(&place);
    add_key(picture, "name");
    add_name(picture, node_name(picture->model, node));
    add_key(picture, "operator");
    add_name(picture, node->op_type);
    if (node_domain(node) != NAME_NONE) {
        add_key(picture, "domain");
        add_name(picture, node_domain(node));
    }
    add_names(picture, "inputs", node_inputs(node), node->input_count);
    add_names(picture, "outputs", node_outputs(node), node->output_count);
    enum opshift_status status = add_attributes(picture, node, error);
    add_key(picture, "types");
    buffer_add_byte(picture->out, '[');
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->output_count; i++) {
        buffer_add_text(picture->out, i > 0 ? "," : "");
        status = add_value_type(picture, graph, node_outputs(node)[i], error);
    }
    buffer_add_text(picture->out, "]}");
    if (status == OPSHIFT_OK && !schema_note(picture, graph, node))
        return opshift_no_memory(error);
    return status;
}

static enum opshift_status add_nodes(struct picture *picture, struct opshift_error *error)
{
    const struct opshift_model *model = picture->model;
    enum opshift_status status = OPSHIFT_OK;
    const char *between = "";
    add_key(picture, "nodes");
    buffer_add_byte(picture->out, '[');
    for (uint32_t i = 0; i < model->graph_count; i++)
        for (uint32_t k = 0; status == OPSHIFT_OK && k < model->graphs[i]->node_count; k++) {
            buffer_add_text(picture->out, between);
            between = ",\n";
            status = add_node(picture, model->graphs[i], &model->graphs[i]->nodes[k], error);
        }
    buffer_add_byte(picture->out, ']');
    return status;
}

/* ---- graphs ---- */

/* Each a list: name, type, bytes, whether it is external, and where its TensorProto is in the file. */
static void add_initializers(struct picture *picture, const struct graph *graph)
{
    add_key(picture, "initializers");
    buffer_add_byte(picture->out, '[');
    for (uint32_t i = 0; i < graph->initializer_count; i++) {
        const struct initializer *initializer = &graph->initializers[i];
        struct value_type type = {.type = initializer->type,
                                  .rank = (int32_t)initializer->rank,
                                  .dims = initializer->dims,
                                  .is_tensor = true};
        buffer_add_text(picture->out, i > 0 ? ",[" : "[");
        add_name(picture, initializer->name);
        buffer_add_byte(picture->out, ',');
        add_type(picture, &type);
        buffer_print(picture->out, ",%" PRIu64 ",%s,%" PRIu64 ",%" PRIu64 "]", show_weight_bytes(initializer),
                     initializer->external ? "true" : "false", range_offset(initializer->range),
                     range_size(initializer->range));
    }
    buffer_add_byte(picture->out, ']');
}

static enum opshift_status add_graph(struct picture *picture, struct graph *graph, struct opshift_error *error)
{
    static const char *const kinds[] = {"main", "subgraph", "function", "training"};
    const struct function *function = graph->kind == GRAPH_FUNCTION ? graph->function : NULL;
    buffer_print(picture->out, "{\"kind\":\"%s\",\"name\":", kinds[graph->kind]);
    add_name(picture, function ? function->name : graph->name);
    if (graph->parent) {
        buffer_print(picture->out,
                     ",\"parent\":%" PRIu32 ",\"owner\":%" PRIu32 ",\"attribute\":", graph->parent->number,
                     graph->owner);
        add_name(picture, graph->owner_attribute);
    }
    if (function) {
        add_key(picture, "domain");
        add_name(picture, function->domain);
    }
    enum opshift_status status = add_values(picture, "inputs", graph, graph->inputs, graph->input_count, error);
    if (status == OPSHIFT_OK)
        status = add_values(picture, "outputs", graph, graph->outputs, graph->output_count, error);
    add_initializers(picture, graph);
    buffer_add_byte(picture->out, '}');
    return status;
}

static enum opshift_status add_graphs(struct picture *picture, struct opshift_error *error)
{
    const struct opshift_model *model = picture->model;
    enum opshift_status status = OPSHIFT_OK;
    add_key(picture, "graphs");
    buffer_add_byte(picture->out, '[');
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graph_count; i++) {
        buffer_add_text(picture->out, i > 0 ? ",\n" : "");
        status = add_graph(picture, model->graphs[i], error);
    }
    buffer_add_byte(picture->out, ']');
    return status;
}

/* ---- operators: what their parameters are called, and what attributes are that a node leaves out ---- */

static void add_parameters(struct picture *picture, const char *key, const struct schema_parameter *list,
                           uint32_t count)
{
    add_key(picture, key);
    buffer_add_byte(picture->out, '[');
    for (uint32_t i = 0; i < count; i++) {
        buffer_add_text(picture->out, i > 0 ? "," : "");
        add_text(picture, list[i].name);
    }
    buffer_add_byte(picture->out, ']');
}

static enum opshift_status add_operator(struct picture *picture, const struct schema *schema,
                                        struct opshift_error *error)
{
    const char *between = "";
    arena_clear(picture->arena);
    buffer_print(picture->out, "{\"since\":%u,\"operator\":", (unsigned)schema->since);
    add_text(picture, schema->op_type);
    add_key(picture, "domain");
    add_text(picture, schema->domain);
    add_parameters(picture, "inputs", schema->inputs, schema->input_count);
    add_parameters(picture, "outputs", schema->outputs, schema->output_count);
    add_key(picture, "defaults");
    buffer_add_byte(picture->out, '[');
    for (uint16_t i = 0; i < schema->attribute_count; i++) {
        if (schema->attributes[i].fallback == NULL)
            continue;
        struct buffer text = {0};
        struct text_writer writer = {.out = &text};
        Onnx__AttributeProto *message = attribute_default(&schema->attributes[i], picture->arena);
        if (message == NULL)
            return opshift_no_memory(error);
        text_write_attribute(&writer, message);
        buffer_add_text(picture->out, between);
        add_attribute_text(picture, &text);
        buffer_free(&writer.notes);
        buffer_free(&text);
        between = ",";
    }
    buffer_add_text(picture->out, "]}");
    return OPSHIFT_OK;
}

static enum opshift_status add_operators(struct picture *picture, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    add_key(picture, "operators");
    buffer_add_byte(picture->out, '[');
    for (uint32_t i = 0; status == OPSHIFT_OK && i < picture->schema_count; i++) {
        buffer_add_text(picture->out, i > 0 ? "," : "");
        status = add_operator(picture, picture->schemas[i], error);
    }
    buffer_add_text(picture->out, "]}");
    return status;
}

/* ---- the whole ---- */

static enum opshift_status add_all(struct picture *picture, struct opshift_error *error)
{
    buffer_print(picture->out, "{\"kind\":\"graph\",\"version\":\"%s\",\"model\":", opshift_version());
    add_text(picture, picture->model->name);
    enum opshift_status status = add_graphs(picture, error);
    if (status == OPSHIFT_OK)
        status = add_nodes(picture, error);
    if (status == OPSHIFT_OK)
        status = add_operators(picture, error);
    return status == OPSHIFT_OK && picture->out->failed ? opshift_no_memory(error) : status;
}

static void graph_text(const void *data, struct buffer *out)
{
    const struct buffer *json = data;
    buffer_add(out, json->data, json->size);
}

static json_t *graph_tree(const void *data)
{
    const struct buffer *json = data;
    json_error_t found;
    return report_parse((const char *)json->data, json->size, &found);
}

static void graph_release(void *data)
{
    buffer_free(data);
    free(data);
}

enum opshift_status show_picture(struct opshift_model *model, struct opshift_report **report,
                                 struct opshift_error *error)
{
    static const struct report_kind kind = {graph_text, graph_tree, graph_release};
    struct scopes *scopes = NULL;
    struct picture picture = {.model = model, .arena = arena_new(0), .out = calloc(1, sizeof(*picture.out))};
    enum opshift_status status = picture.arena && picture.out ? OPSHIFT_OK : opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = scopes_new(model, &scopes, error);
    if (status == OPSHIFT_OK)
        status = types_new(model, scopes, &picture.types, error);
    if (status == OPSHIFT_OK)
        status = add_all(&picture, error);
    types_free(picture.types);
    scopes_free(scopes);
    arena_free(picture.arena);
    buffer_free(&picture.scratch);
    free(picture.schemas);
    if (status) {
        if (picture.out)
            graph_release(picture.out);
        return status;
    }
    *report = report_new_content(picture.out, &kind);
    return *report ? OPSHIFT_OK : opshift_no_memory(error);
}
