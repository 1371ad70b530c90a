/* Where something stands, in words, and which opset is in force there. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "model/model.h"
#include "wire/wire.h"

#define NAME_SHOWN 80u

/* A name as a message shows it: cut at a character's end when it is long. */
static struct bytes shown(const struct names *names, name_id id)
{
    struct bytes text = names_bytes(names, id);
    size_t used = 0;
    while (used < text.size && used < NAME_SHOWN) {
        size_t taken = utf8_character(text.data + used, text.size - used);
        used += taken ? taken : 1;
    }
    text.size = used;
    return text;
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

/* The field is behind the outputs, which may be many: who has much to say of one node asks for its name each time. */
name_id node_name(struct opshift_model *model, const struct node *node)
{
    if (model->named.place == node->range.place)
        return model->name_of_that;
    struct wire_cursor cursor = {model->source, range_offset(node->range), range_end(node->range)};
    struct wire_field field, last = {0};
    bool found = true;
    while (found && wire_next(&cursor, &field, &found, NULL) == OPSHIFT_OK)
        if (found && field.number == 3 && field.type == WIRE_BYTES)
            last = field;
    name_id name = NAME_NONE;
    if (last.size > 0 && name_read(model, &last, &name, NULL) == OPSHIFT_MEMORY)
        return NAME_NO_MEMORY;
    model->named = node->range; /* what cannot be read any more is no name */
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

/* Escapes nothing: opshift_fail does that for messages, reports do it in their own way. */
static const char *node_text(struct opshift_model *model, const struct graph *graph, const struct node *node)
{
    name_id id = node_name(model, node);
    struct bytes name = shown(model->names, id), op_type = shown(model->names, node->op_type);
    if (id == NAME_NO_MEMORY)
        return NULL;
    if (id != NAME_NONE)
        return arena_print(model->arena, "node '%.*s' (%.*s)", (int)name.size, (const char *)name.data,
                           (int)op_type.size, (const char *)op_type.data);
    return arena_print(model->arena, "node %" PRIu32 " (%.*s)", (uint32_t)(node - graph->nodes), (int)op_type.size,
                       (const char *)op_type.data);
}

/* The graphs around a node, outermost first: "function 'F': ", "node 'if' (If): then_branch: ". */
static const char *graph_text(struct opshift_model *model, const struct graph *graph)
{
    struct bytes name;
    switch (graph->kind) {
    case GRAPH_FUNCTION:
        name = shown(model->names, graph->name);
        return arena_print(model->arena, "function '%.*s': ", (int)name.size, (const char *)name.data);
    case GRAPH_TRAINING:
        return "training graph: ";
    case GRAPH_SUB:
        name = shown(model->names, graph->owner_attribute);
        const char *owner = node_place_find(model, graph->parent, &graph->parent->nodes[graph->owner]);
        return owner ? arena_print(model->arena, "%s: %.*s: ", owner, (int)name.size, (const char *)name.data) : NULL;
    case GRAPH_MAIN:
        break;
    }
    return "";
}

const char *node_place_find(struct opshift_model *model, const struct graph *graph, const struct node *node)
{
    const char **known = &model->graphs[graph->number]->place;
    if (*known == NULL)
        *known = graph_text(model, graph);
    const char *around = *known, *here = node_text(model, graph, node);
    return around && here ? arena_print(model->arena, "%s%s", around, here) : NULL;
}

const char *node_place(struct opshift_model *model, const struct graph *graph, const struct node *node)
{
    const char *place = node_place_find(model, graph, node);
    return place ? place : "a node";
}

/* The last import of a domain counts, as in protobuf a later value does. */
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
    /* Before IR version 3 a model could not say it. */
    if (model->import_count == 0 && model->ir_version < 3 && domain == NAME_NONE)
        return 1;
    return imported(model->imports, model->import_count, domain);
}
