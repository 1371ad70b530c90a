/* The list of edits, and the messages that contain them. */
#include "model/model.h"

#include <assert.h>
#include <string.h>

#include "base/list.h"
#include "model/fields.h"
#include "wire/wire.h"

enum opshift_status model_edit_at(struct opshift_model *model, struct message *parent, uint64_t offset,
                                  uint64_t removed, size_t place, size_t size, struct opshift_error *error)
{
    assert(offset >= parent->offset && offset - parent->offset <= parent->size);
    assert(removed <= parent->offset + parent->size - offset);
    assert(place <= model->added.size && size <= model->added.size - place);
    if (!list_grow(&model->edits, model->edit_count, &model->edit_room, sizeof(*model->edits)))
        return opshift_no_memory(error);
    if ((uint64_t)size > EDIT_SIZE_MAX || (uint64_t)place > RANGE_MAX)
        return opshift_no_memory(error);
    struct edit *edit = &model->edits[model->edit_count++];
    memset(edit, 0, sizeof(*edit)); /* clear old content, since bit-fields are read before they are written */
    edit->parent = parent;
    edit->offset = offset;
    edit->removed = removed;
    edit->place = place;
    edit->size = size;
    return OPSHIFT_OK;
}

enum opshift_status model_edit(struct opshift_model *model, struct message *parent, uint64_t offset, uint64_t removed,
                               struct bytes added, struct opshift_error *error)
{
    size_t place = model->added.size;
    buffer_add(&model->added, added.data, added.size);
    if (model->added.failed)
        return opshift_no_memory(error);
    return model_edit_at(model, parent, offset, removed, place, added.size, error);
}

enum opshift_status range_remove(struct opshift_model *model, struct message *parent, struct range range,
                                 struct opshift_error *error)
{
    return model_edit(model, parent, range_record(range), range_length(range), (struct bytes){0}, error);
}

enum opshift_status field_set(struct opshift_model *model, struct message *message, uint32_t number, uint32_t position,
                              struct bytes text, struct opshift_error *error)
{
    if (message == NULL)
        return opshift_no_memory(error);
    struct wire_cursor cursor = {model->source, message->offset, message->offset + message->size};
    struct buffer record = {0};
    uint64_t from = cursor.end, size = 0;
    uint32_t at = 0;
    bool found = true;
    enum opshift_status status = OPSHIFT_OK;
    for (struct wire_field field; status == OPSHIFT_OK && found && size == 0;) {
        status = wire_next(&cursor, &field, &found, error);
        if (status == OPSHIFT_OK && found && field.number == number && at++ == position) {
            from = field.record;
            size = field.offset + field.size - field.record;
        }
    }
    wire_add_bytes(&record, number, text.data, text.size);
    if (status == OPSHIFT_OK)
        status = record.failed
                     ? opshift_no_memory(error)
                     : model_edit(model, message, from, size, (struct bytes){record.data, record.size}, error);
    buffer_free(&record);
    return status;
}

void model_edits_take(struct opshift_model *model, struct buffer *bytes)
{
    assert(model->edit_count == 0 && !bytes->failed);
    buffer_free(&model->added);
    model->added = *bytes;
    *bytes = (struct buffer){0};
}

/* Gives a node its own struct inside. NULL: no memory. */
static struct inside *inside_add(struct opshift_model *model, struct node *node)
{
    const struct inside *shared = node_inside(node);
    size_t count = (size_t)node->input_count + node->output_count;
    struct inside *inside = arena_alloc(model->arena, 1, sizeof(*inside));
    name_id *room = inside ? arena_alloc(model->arena, INSIDE_ROOM + count, sizeof(*room)) : NULL;
    if (room == NULL)
        return NULL;
    if (shared)
        *inside = *shared;
    if (count > 0)
        memcpy(room + INSIDE_ROOM, node->names, count * sizeof(*room));
    node->names = room + INSIDE_ROOM;
    node_set_inside(node, inside);
    return inside;
}

/* Nodes with subgraphs get their message in the scan. */
struct message *node_message(struct opshift_model *model, struct graph *graph, struct node *node)
{
    const struct inside *known = node_inside(node);
    if (known && known->message)
        return known->message;
    if (!list_grow(&model->messages, model->message_count, &model->message_room, sizeof(struct message *)))
        return NULL;
    struct message *message = arena_alloc(model->arena, 1, sizeof(*message));
    struct inside *inside = message ? inside_add(model, node) : NULL;
    if (inside == NULL)
        return NULL;
    *message =
        message_make(graph->message, range_record(node->range), range_offset(node->range), range_size(node->range));
    model->messages[model->message_count++] = message;
    inside->message = message;
    return message;
}

void model_edits_cut(struct opshift_model *model, struct edits_mark mark)
{
    assert(mark.count <= model->edit_count && mark.added <= model->added.size);
    model->edit_count = mark.count;
    model->added.size = mark.added;
}

void model_edits_clear(struct opshift_model *model)
{
    model->edit_count = 0;
    model->added.size = 0;
    model->added.failed = false;
    model->is_stamped = false;
    model->weights = NULL;
    model->moves_external = false;
}

uint64_t initializer_place(const struct graph *graph)
{
    for (uint32_t i = graph->initializer_count; i-- > 0;)
        if (!graph->initializers[i].sparse)
            return range_end(graph->initializers[i].range);
    return graph->message->offset + graph->message->size;
}

void node_record_add(struct buffer *records, const struct graph *graph, const char *op_type, struct bytes input,
                     struct bytes output, const Onnx__AttributeProto *attribute)
{
    struct buffer node = {0};
    if (input.data != NULL)
        wire_add_bytes(&node, NODE_INPUT, input.data, input.size);
    wire_add_bytes(&node, NODE_OUTPUT, output.data, output.size);
    wire_add_bytes(&node, NODE_OP_TYPE, op_type, strlen(op_type));
    if (attribute != NULL)
        wire_add_message(&node, NODE_ATTRIBUTE, &attribute->base);
    wire_add_bytes(records, graph_node_field(graph), node.data, node.size);
    records->failed = records->failed || node.failed;
    buffer_free(&node);
}
