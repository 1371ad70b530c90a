/* Lists all nodes or all initializers of a model. */
#include <stdlib.h>
#include <string.h>

#include "convert/show.h"
#include "model/text_write.h"

#define ATTRIBUTE_MAX 512u /* bytes of an attribute whose value is listed */

/* State of the walk over all nodes. */
struct node_listing {
    struct opshift_model *model;
    struct arena *arena; /* reset for each node */
    struct buffer text;
    json_t *list;
};

/* ---- nodes ----------------------------------------------------------------------------------------------------- */

static void add_names(const struct node_listing *listing, const name_id *names, uint32_t count, struct buffer *out)
{
    for (uint32_t i = 0; i < count; i++) {
        struct bytes name = names_bytes(listing->model->names, names[i]);
        buffer_add_text(out, i > 0 ? ", " : "");
        text_write_name(out, (ProtobufCBinaryData){name.size, (uint8_t *)(uintptr_t)name.data});
    }
}

/* "axis = 1"; the value of a large one and of a graph is left out: "value = ...". */
static enum opshift_status add_attribute(struct node_listing *listing, const struct attribute_range *range,
                                         struct opshift_error *error)
{
    Onnx__AttributeProto *message = NULL;
    struct text_writer writer = {.out = &listing->text};
    enum opshift_status status = OPSHIFT_OK;
    bool short_one = range_size(range->range) <= ATTRIBUTE_MAX &&
                     range->held != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH &&
                     range->held != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPHS;
    if (short_one)
        status = attribute_decode(listing->model, range, listing->arena, &message, error);
    if (message && text_attribute_obstacle(&writer, message) == NULL) {
        text_write_attribute(&writer, message);
    } else {
        add_names(listing, &range->name, 1, &listing->text);
        buffer_add_text(&listing->text, " = ...");
    }
    listing->text.failed |= writer.notes.failed;
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
    add_names(listing, node_outputs(node), node->output_count, out);
    buffer_add_text(out, node->output_count > 0 ? " = " : "= ");
    if (node_domain(node) != NAME_NONE) {
        struct bytes domain = names_bytes(listing->model->names, node_domain(node));
        buffer_add(out, domain.data, domain.size);
        buffer_add_byte(out, '.');
    }
    add_names(listing, &(name_id){node->op_type}, 1, out);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        buffer_add_text(out, i > 0 ? ", " : " <");
        status = add_attribute(listing, &attributes[i], error);
    }
    buffer_add_text(out, count > 0 ? "> (" : " (");
    add_names(listing, node_inputs(node), node->input_count, out);
    buffer_add_byte(out, ')');
    return status;
}

static enum opshift_status list_node(struct node_listing *listing, const struct graph *graph, const struct node *node,
                                     struct opshift_error *error)
{
    json_t *entry = json_object();
    struct buffer place = {0};
    arena_clear(listing->arena);
    node_place_add(listing->model, graph, node, &place);
    enum opshift_status status = place.failed ? opshift_no_memory(error) : add_node_text(listing, node, error);
    if (status == OPSHIFT_OK && listing->text.failed)
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK) {
        report_set(&entry, "node", report_string(place.data, place.size));
        report_set(&entry, "operator", show_name(listing->model, node->op_type));
        report_set(&entry, "text", report_string(listing->text.data, listing->text.size));
        report_append(&listing->list, entry);
    } else {
        json_decref(entry);
    }
    buffer_free(&place);
    return status;
}

static enum opshift_status list_nodes(struct opshift_model *model, json_t **list, struct opshift_error *error)
{
    struct node_listing listing = {.model = model, .arena = arena_new(0), .list = json_array()};
    enum opshift_status status = listing.arena ? OPSHIFT_OK : opshift_no_memory(error);
    for (uint32_t i = 0; i < model->graph_count; i++)
        for (uint32_t k = 0; status == OPSHIFT_OK && k < model->graphs[i]->node_count; k++)
            status = list_node(&listing, model->graphs[i], &model->graphs[i]->nodes[k], error);
    buffer_free(&listing.text);
    arena_free(listing.arena);
    *list = listing.list;
    return status;
}

static void print_nodes(const json_t *root, struct buffer *out)
{
    static const char *const heads[] = {"PLACE", "NODE"};
    struct report_table *table = report_table_new(COUNT(heads), heads);
    const json_t *entry;
    size_t at;
    json_array_foreach(json_object_get(root, "nodes"), at, entry)
    {
        const char *const cells[] = {report_text_of(entry, "node"), report_text_of(entry, "text")};
        report_table_row(table, cells);
    }
    report_table_print(table, out);
}

/* ---- initializers ---------------------------------------------------------------------------------------------- */

struct weighed {
    const struct initializer *initializer;
    uint64_t bytes;
};

static int by_weight(const void *a, const void *b)
{
    const struct weighed *left = a, *right = b;
    if (left->bytes != right->bytes)
        return left->bytes > right->bytes ? -1 : 1;
    uint64_t one = range_record(left->initializer->range), other = range_record(right->initializer->range);
    return one < other ? -1 : one > other;
}

static enum opshift_status list_initializers(struct opshift_model *model, json_t **list, struct opshift_error *error)
{
    struct buffer all = {0};
    for (uint32_t i = 0; i < model->graph_count; i++)
        for (uint32_t k = 0; k < model->graphs[i]->initializer_count; k++) {
            const struct initializer *initializer = &model->graphs[i]->initializers[k];
            struct weighed weighed = {initializer, show_bytes(initializer)};
            buffer_add(&all, &weighed, sizeof(weighed));
        }
    struct weighed *sorted = (struct weighed *)(void *)all.data;
    size_t count = all.size / sizeof(*sorted);
    if (count > 0)
        qsort(sorted, count, sizeof(*sorted), by_weight);
    *list = json_array();
    for (size_t i = 0; i < count; i++)
        report_append(list, show_initializer(model, sorted[i].initializer));
    bool failed = all.failed;
    buffer_free(&all);
    return failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

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
        buffer_add_text(&type, json_is_string(json_object_get(entry, "type")) ? report_text_of(entry, "type") : "?");
        show_shape_text(json_object_get(entry, "shape"), &type);
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

enum opshift_status opshift_list(struct opshift_model *model, enum opshift_listed what, struct opshift_report **report,
                                 struct opshift_error *error)
{
    json_t *list = NULL, *root = json_object();
    bool nodes = what == OPSHIFT_LISTED_NODES;
    *report = NULL;
    enum opshift_status status = nodes ? list_nodes(model, &list, error) : list_initializers(model, &list, error);
    if (status == OPSHIFT_OK && list == NULL)
        status = opshift_no_memory(error);
    report_set(&root, "kind", json_string("list"));
    report_set(&root, "version", json_string(opshift_version()));
    report_set(&root, "model", report_string(model->name, strlen(model->name)));
    report_set(&root, nodes ? "nodes" : "initializers", list);
    if (status || root == NULL) {
        json_decref(root);
        return status ? status : opshift_no_memory(error);
    }
    *report = report_new(root, nodes ? print_nodes : print_initializers);
    return *report ? OPSHIFT_OK : opshift_no_memory(error);
}
