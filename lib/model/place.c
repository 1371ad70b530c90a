/* Describes places of nodes for messages, and gives the opset in force there. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/utf8.h"
#include "model/fields.h"
#include "model/model.h"
#include "wire/wire.h"

#define NAME_SHOWN    80u
#define AROUND_MAX    512u  /* maximum bytes of the description of the enclosing graphs */
#define NODE_SIZE_MAX 1024u /* nodes up to this size are read again for each name; most are much smaller */

/* Adds a name for a message: up to a NUL, and truncated at a character boundary. */
static void add_shown(struct buffer *out, struct bytes name)
{
    const uint8_t *nul = name.size > 0 ? memchr(name.data, '\0', name.size) : NULL;
    size_t size = nul ? (size_t)(nul - name.data) : name.size, used = size <= NAME_SHOWN ? size : 0;
    while (used < size && used < NAME_SHOWN) {
        size_t taken = utf8_character(name.data + used, size - used);
        used += taken ? taken : 1;
    }
    buffer_add(out, name.data, used);
}

enum opshift_status name_read(struct opshift_model *model, const struct wire_field *field, name_id *name,
                              struct opshift_error *error)
{
    uint8_t small[256], *data = small;
    if (field->size > sizeof(small))
        data = field->size < SIZE_MAX ? malloc((size_t)field->size) : NULL;
    if (data == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = source_read(model->source, field->offset, data, (size_t)field->size, error);
    if (status == OPSHIFT_OK)
        *name = names_add(model->names, data, (size_t)field->size);
    if (data != small)
        free(data);
    return status == OPSHIFT_OK && *name == NAME_NO_MEMORY ? opshift_no_memory(error) : status;
}

/* The name follows the outputs, which may be many, so the last result is cached. */
name_id node_name(struct opshift_model *model, const struct node *node)
{
    if (model->named.place == node->range.place)
        return model->name_of_that;
    struct wire_cursor cursor = {model->source, range_offset(node->range), range_end(node->range)};
    struct wire_field field, last = {0};
    bool found = true;
    while (found && wire_next(&cursor, &field, &found, NULL) == OPSHIFT_OK)
        if (found && field.number == NODE_NAME && field.type == WIRE_BYTES)
            last = field;
    name_id name = NAME_NONE;
    if (last.size > 0 && name_read(model, &last, &name, NULL) == OPSHIFT_MEMORY)
        return NAME_NO_MEMORY;
    model->named = node->range; /* an unreadable name counts as none */
    model->name_of_that = name;
    return name;
}

bool node_names_read(struct opshift_model *model)
{
    bool read = true;
    for (uint32_t i = 0; i < model->graph_count && read && !model->all_named; i++)
        for (uint32_t k = 0; k < model->graphs[i]->node_count && read; k++)
            read = node_name(model, &model->graphs[i]->nodes[k]) != NAME_NO_MEMORY;
    model->all_named = read;
    return read;
}

/* Finds the name in a node whose fields are all short; valid until the next read. False: some field is long. */
static bool short_name(const struct opshift_model *model, const struct node *node, struct bytes *name)
{
    uint64_t size = range_size(node->range);
    const uint8_t *at = NULL;
    *name = (struct bytes){0};
    if (size <= NODE_SIZE_MAX)
        at = source_window(model->source, range_offset(node->range), (size_t)size);
    if (at == NULL)
        return false;
    for (const uint8_t *end = at + size; at < end;) {
        size_t held;
        const uint8_t *data = wire_short_bytes(at, end, &held);
        if (data == NULL)
            return false;
        if (*at >> 3 == NODE_NAME)
            *name = (struct bytes){data, held};
        at = data + held;
    }
    return true;
}

/* Does not escape: opshift_fail does that for messages, reports for themselves. */
static void add_node(struct opshift_model *model, const struct graph *graph, const struct node *node,
                     struct buffer *out)
{
    struct bytes name;
    if (!short_name(model, node, &name)) {
        name_id id = node_name(model, node);
        out->failed |= id == NAME_NO_MEMORY;
        name = id != NAME_NO_MEMORY ? names_bytes(model->names, id) : name;
    }
    buffer_add_text(out, name.size > 0 ? "node '" : "node ");
    if (name.size > 0)
        add_shown(out, name);
    else
        buffer_add_decimal(out, node - graph->nodes);
    buffer_add_text(out, name.size > 0 ? "' (" : " (");
    add_shown(out, names_bytes(model->names, node->op_type));
    buffer_add_byte(out, ')');
}

/* The graphs around a node, outermost first: "function 'F': ", "node 'if' (If): then_branch: ". */
static void add_graph(struct opshift_model *model, const struct graph *graph, struct buffer *out)
{
    switch (graph->kind) {
    case GRAPH_FUNCTION:
        buffer_add_text(out, "function '");
        add_shown(out, names_bytes(model->names, graph->name));
        buffer_add_text(out, "': ");
        break;
    case GRAPH_TRAINING:
        buffer_add_text(out, "training graph: ");
        break;
    case GRAPH_SUB:
        node_place_add(model, graph->parent, &graph->parent->nodes[graph->owner], out);
        buffer_add_text(out, ": ");
        add_shown(out, names_bytes(model->names, graph->owner_attribute));
        buffer_add_text(out, ": ");
        break;
    case GRAPH_MAIN:
        break;
    }
}

void node_place_add(struct opshift_model *model, const struct graph *graph, const struct node *node, struct buffer *out)
{
    const char **known = &model->graphs[graph->number]->place;
    size_t start = out->size;
    if (*known)
        buffer_add_text(out, *known);
    else
        add_graph(model, graph, out);
    buffer_shorten(out, start, AROUND_MAX);
    if (*known == NULL && !out->failed)
        *known = out->size == start ? "" : arena_copy(model->arena, out->data + start, out->size - start);
    out->failed |= *known == NULL;
    add_node(model, graph, node, out);
}

const char *node_place_find(struct opshift_model *model, const struct graph *graph, const struct node *node)
{
    struct buffer place = {0};
    node_place_add(model, graph, node, &place);
    const char *found = place.failed ? NULL : arena_copy(model->arena, place.data, place.size);
    buffer_free(&place);
    return found;
}

const char *node_place(struct opshift_model *model, const struct graph *graph, const struct node *node)
{
    const char *place = node_place_find(model, graph, node);
    return place ? place : "a node";
}

/* The last import of a domain counts, as for repeated scalar fields in protobuf. */
static int64_t imported(const struct opset_import *imports, uint32_t count, name_id domain)
{
    for (uint32_t i = count; i > 0; i--)
        if (imports[i - 1].domain == domain)
            return imports[i - 1].version;
    return 0;
}

int64_t graph_opset(const struct opshift_model *model, const struct graph *graph, name_id domain)
{
    if (graph->function != NULL)
        return imported(graph->function->imports, graph->function->import_count, domain);
    /* Before IR version 3 models had no opset imports. */
    if (model->import_count == 0 && model->ir_version < 3 && domain == NAME_NONE)
        return 1;
    return imported(model->imports, model->import_count, domain);
}
