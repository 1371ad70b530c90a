/* Lists all nodes or all initializers of a model. */
#include <stdlib.h>
#include <string.h>

#include "base/shown.h"
#include "convert/show.h"
#include "model/text_write.h"

#define ATTRIBUTE_BYTES_MAX 512u /* bytes of an attribute whose value is listed */

/* A report of nodes; a JSON object for each would take most of the memory. */
struct node_list {
    json_t *root;        /* everything except the nodes */
    struct buffer texts; /* three of each node, escaped, each with its NUL: its place, operator and text */
};

/* State of the walk over all nodes. */
struct node_listing {
    struct opshift_model *model;
    struct arena *arena; /* reset for each node */
    struct buffer place, text;
    struct buffer *texts;
};

static json_t *root_new(const struct opshift_model *model)
{
    return json_pack("{s:s, s:s, s:o}", "kind", "list", "version", opshift_version(), "model",
                     report_string(model->name, strlen(model->name)));
}

/* ---- nodes ----------------------------------------------------------------------------------------------------- */

static void add_names(const struct opshift_model *model, const name_id *names, uint32_t count, struct buffer *out)
{
    for (uint32_t i = 0; i < count; i++) {
        struct bytes name = names_bytes(model->names, names[i]);
        buffer_add_text(out, i > 0 ? ", " : "");
        text_write_name(out, (ProtobufCBinaryData){name.size, (uint8_t *)(uintptr_t)name.data});
    }
}

enum opshift_status show_attribute(struct opshift_model *model, const struct attribute_range *range,
                                   struct arena *arena, struct buffer *out, struct opshift_error *error)
{
    Onnx__AttributeProto *message = NULL;
    struct text_writer writer = {.out = out};
    enum opshift_status status = OPSHIFT_OK;
    bool short_one = range_size(range->range) <= ATTRIBUTE_BYTES_MAX && !attribute_is_graph(range->held);
    if (short_one)
        status = attribute_decode(model, range, arena, &message, error);
    if (message && text_attribute_obstacle(&writer, message) == NULL) {
        text_write_attribute(&writer, message);
    } else {
        add_names(model, &range->name, 1, out);
        buffer_add_text(out, " = ...");
    }
    out->failed |= writer.notes.failed;
    buffer_free(&writer.notes);
    return status;
}

/* "a, b = Split <axis = 1> (x)" */
static enum opshift_status add_node_text(struct node_listing *listing, const struct node *node,
                                         struct opshift_error *error)
{
    struct attribute_range *attributes;
    size_t count;
    struct buffer *out = &listing->text;
    enum opshift_status status = node_attributes(listing->model, node, listing->arena, &attributes, &count, error);
    out->size = 0;
    add_names(listing->model, node_outputs(node), node->output_count, out);
    buffer_add_text(out, node->output_count > 0 ? " = " : "= ");
    if (node_domain(node) != NAME_NONE) {
        struct bytes domain = names_bytes(listing->model->names, node_domain(node));
        buffer_add(out, domain.data, domain.size);
        buffer_add_byte(out, '.');
    }
    add_names(listing->model, &(name_id){node->op_type}, 1, out);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        buffer_add_text(out, i > 0 ? ", " : " <");
        status = show_attribute(listing->model, &attributes[i], listing->arena, out, error);
    }
    buffer_add_text(out, count > 0 ? "> (" : " (");
    add_names(listing->model, node_inputs(node), node->input_count, out);
    buffer_add_byte(out, ')');
    return status;
}

static void add_shown(struct buffer *texts, struct bytes text)
{
    shown_add(texts, text.data, text.size);
    buffer_add_byte(texts, '\0');
}

static enum opshift_status list_node(struct node_listing *listing, const struct graph *graph, const struct node *node,
                                     struct opshift_error *error)
{
    struct buffer *place = &listing->place, *text = &listing->text;
    arena_clear(listing->arena);
    place->size = 0;
    node_place_add(listing->model, graph, node, place);
    enum opshift_status status = add_node_text(listing, node, error);
    if (status)
        return status;
    add_shown(listing->texts, (struct bytes){place->data, place->size});
    add_shown(listing->texts, names_bytes(listing->model->names, node->op_type));
    add_shown(listing->texts, (struct bytes){text->data, text->size});
    return place->failed || text->failed || listing->texts->failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

static enum opshift_status nodes_read(struct opshift_model *model, struct buffer *texts, struct opshift_error *error)
{
    struct node_listing listing = {.model = model, .arena = arena_new(0), .texts = texts};
    enum opshift_status status = listing.arena ? OPSHIFT_OK : opshift_no_memory(error);
    for (uint32_t i = 0; i < model->graph_count; i++)
        for (uint32_t k = 0; status == OPSHIFT_OK && k < model->graphs[i]->node_count; k++)
            status = list_node(&listing, model->graphs[i], &model->graphs[i]->nodes[k], error);
    buffer_free(&listing.place);
    buffer_free(&listing.text);
    arena_free(listing.arena);
    return status;
}

/* The next three texts; false: there are no more. */
static bool nodes_next(const struct node_list *list, size_t *at, const char *texts[3])
{
    if (*at == list->texts.size)
        return false;
    for (size_t i = 0; i < 3; i++) {
        texts[i] = (const char *)list->texts.data + *at;
        *at += strlen(texts[i]) + 1;
    }
    return true;
}

static void nodes_text(const void *data, struct buffer *out)
{
    static const char *const heads[] = {"PLACE", "NODE"};
    struct report_table *table = report_table_new(COUNT(heads), heads);
    const char *texts[3];
    for (size_t at = 0; table && nodes_next(data, &at, texts);) {
        buffer_add_text(report_table_texts(table), texts[0]);
        report_table_cell(table);
        buffer_add_text(report_table_texts(table), texts[2]);
        report_table_cell(table);
    }
    report_table_print(table, out);
}

static json_t *nodes_tree(const void *data)
{
    static const char *const keys[] = {"node", "operator", "text"};
    const struct node_list *list = data;
    json_t *root = report_copy(list->root), *nodes = json_array();
    const char *texts[COUNT(keys)];
    for (size_t at = 0; nodes_next(list, &at, texts);) {
        json_t *entry = json_object();
        for (size_t i = 0; i < COUNT(keys); i++)
            report_set(&entry, keys[i], json_string(texts[i]));
        report_append(&nodes, entry);
    }
    report_set(&root, "nodes", nodes);
    return root;
}

static void nodes_release(void *data)
{
    struct node_list *list = data;
    json_decref(list->root);
    buffer_free(&list->texts);
    free(list);
}

static enum opshift_status list_nodes(struct opshift_model *model, struct opshift_report **report,
                                      struct opshift_error *error)
{
    static const struct report_kind kind = {nodes_text, nodes_tree, nodes_release};
    struct node_list *list = calloc(1, sizeof(*list));
    if (list == NULL)
        return opshift_no_memory(error);
    list->root = root_new(model);
    enum opshift_status status = list->root ? nodes_read(model, &list->texts, error) : opshift_no_memory(error);
    if (status) {
        nodes_release(list);
        return status;
    }
    *report = report_new_content(list, &kind);
    return *report ? OPSHIFT_OK : opshift_no_memory(error);
}

/* ---- initializers ---------------------------------------------------------------------------------------------- */

static void print_initializers(const json_t *root, struct buffer *out)
{
    static const char *const heads[] = {"BYTES", "TYPE", "NAME"};
    struct report_table *table = report_table_new(COUNT(heads), heads);
    const json_t *entry;
    size_t at;
    json_array_foreach(json_object_get(root, "initializers"), at, entry)
    {
        struct buffer bytes = {0}, type = {0};
        buffer_add_decimal(&bytes, json_integer_value(json_object_get(entry, "bytes")));
        buffer_add_byte(&bytes, '\0');
        show_type_text(entry, "?", &type);
        buffer_add_byte(&type, '\0');
        out->failed |= bytes.failed || type.failed;
        const char *const cells[] = {bytes.failed ? "" : (const char *)bytes.data,
                                     type.failed ? "" : (const char *)type.data, report_text_of(entry, "name")};
        report_table_row(table, cells);
        buffer_free(&bytes);
        buffer_free(&type);
    }
    report_table_print(table, out);
}

static enum opshift_status list_initializers(struct opshift_model *model, struct opshift_report **report,
                                             struct opshift_error *error)
{
    json_t *list, *root = root_new(model);
    enum opshift_status status = show_weights_all(model, &list, error);
    report_set(&root, "initializers", list);
    if (status) {
        json_decref(root);
        return status;
    }
    *report = report_new(root, print_initializers);
    return *report ? OPSHIFT_OK : opshift_no_memory(error);
}

enum opshift_status opshift_list(struct opshift_model *model, enum opshift_listed what, struct opshift_report **report,
                                 struct opshift_error *error)
{
    *report = NULL;
    enum opshift_status status = what == OPSHIFT_LISTED_NODES   ? list_nodes(model, report, error)
                                 : what == OPSHIFT_LISTED_GRAPH ? show_picture(model, report, error)
                                                                : list_initializers(model, report, error);
    return status ? opshift_within(error, status, "%.256s", model->name) : OPSHIFT_OK;
}
