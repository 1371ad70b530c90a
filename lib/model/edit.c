/* The list of edits, and the messages that they are made in. */
#include "model/model.h"

#include <assert.h>
#include <stdlib.h>

#include "model/delta.h"

#define ROOM_FIRST 16u
/* For a conversion, which makes many edits: lists that grow to their size one step at a time leave what they were in
 * behind. */
#define NODES_PER_EDIT 4u
#define BYTES_PER_NODE 16u

/* Room for one more element: the list, or one with twice the room in its place. NULL: no memory. */
static void *list_grow(void *list, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return list;
    if (*room > UINT32_MAX / 2)
        return NULL;
    uint32_t wanted = *room ? 2 * *room : ROOM_FIRST;
    void *grown = wanted <= SIZE_MAX / size ? realloc(list, wanted * size) : NULL;
    if (grown)
        *room = wanted;
    return grown;
}

/* Room for the first edits, as many as a model of so many nodes may need; what is not used of it is not touched. */
static bool edits_open(struct opshift_model *model)
{
    uint32_t nodes = model->main->node_count, room = ROOM_FIRST + nodes / NODES_PER_EDIT;
    model->edits = calloc(room, sizeof(*model->edits));
    model->edit_room = model->edits ? room : 0;
    return model->edits && buffer_reserve(&model->added, (size_t)nodes * BYTES_PER_NODE);
}

/* Nodes that are alike change by the same bytes: is that what was added last? */
static bool is_added_last(const struct opshift_model *model, struct bytes bytes)
{
    uint32_t last = model->edit_count;
    while (last > 0 && model->edits[last - 1].size == 0)
        last--;
    const uint8_t *end = model->added.data + model->added.size;
    return last > 0 && model->edits[last - 1].size == bytes.size &&
           model->edits[last - 1].place + bytes.size == model->added.size &&
           memcmp(end - bytes.size, bytes.data, bytes.size) == 0;
}

static bool is_added_at(const struct opshift_model *model, size_t place, struct bytes bytes)
{
    const struct buffer *added = &model->added;
    return place <= added->size && bytes.size <= added->size - place &&
           memcmp(added->data + place, bytes.data, bytes.size) == 0;
}

/* Where the bytes are among those that are added, from now on. */
static size_t bytes_place(struct opshift_model *model, struct bytes bytes, size_t *near)
{
    if (near && is_added_at(model, *near, bytes))
        return *near;
    if (bytes.size > 0 && (near || !is_added_last(model, bytes)))
        buffer_add(&model->added, bytes.data, bytes.size);
    size_t place = model->added.size - bytes.size;
    if (near)
        *near = place;
    return place;
}

static enum opshift_status edit_make(struct opshift_model *model, struct message *parent, uint64_t offset,
                                     uint64_t removed, struct bytes added, bool is_delta, size_t *near,
                                     struct opshift_error *error)
{
    assert(offset >= parent->offset && offset - parent->offset <= parent->size);
    assert(removed <= parent->offset + parent->size - offset);
    if (model->edits == NULL && !edits_open(model))
        return opshift_no_memory(error);
    struct edit *edits = list_grow(model->edits, model->edit_count, &model->edit_room, sizeof(*model->edits));
    if (edits == NULL)
        return opshift_no_memory(error);
    model->edits = edits;
    size_t place = bytes_place(model, added, near);
    if (model->added.failed || added.size > EDIT_SIZE_MAX || place > RANGE_MAX)
        return opshift_no_memory(error);
    struct edit *edit = &edits[model->edit_count++];
    memset(edit, 0, sizeof(*edit)); /* what was there before, parts of whose words would be read otherwise */
    edit->parent = parent;
    edit->offset = offset;
    edit->removed = removed;
    edit->place = place;
    edit->size = added.size;
    edit->is_delta = is_delta;
    return OPSHIFT_OK;
}

enum opshift_status model_edit(struct opshift_model *model, struct message *parent, uint64_t offset, uint64_t removed,
                               struct bytes added, struct opshift_error *error)
{
    return edit_make(model, parent, offset, removed, added, false, NULL, error);
}

enum opshift_status model_edit_delta(struct opshift_model *model, struct message *parent, uint64_t offset,
                                     uint64_t removed, struct bytes delta, size_t *near, struct opshift_error *error)
{
    assert(removed <= DELTA_RECORD_MAX);
    return edit_make(model, parent, offset, removed, delta, true, near, error);
}

/* Each edit with all that it adds, in the same order. */
static enum opshift_status edits_fill(const struct opshift_model *model, struct edit *edits, struct buffer *added,
                                      struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->edit_count; i++) {
        const struct edit *edit = &model->edits[i];
        size_t place = added->size;
        if (edit->is_delta)
            status =
                delta_apply(edit_added(model, edit), model->source, edit->offset, (size_t)edit->removed, added, error);
        else
            buffer_add(added, edit_added(model, edit).data, edit->size);
        if (status == OPSHIFT_OK && (added->failed || added->size - place > EDIT_SIZE_MAX || place > RANGE_MAX))
            status = opshift_no_memory(error);
        edits[i] = *edit;
        edits[i].place = place;
        edits[i].size = added->size - place;
        edits[i].is_delta = false;
    }
    return status;
}

enum opshift_status model_edits_make(struct opshift_model *model, struct opshift_error *error)
{
    struct edit *edits = calloc((size_t)model->edit_room + 1, sizeof(*edits));
    struct buffer added = {0};
    enum opshift_status status = edits ? edits_fill(model, edits, &added, error) : opshift_no_memory(error);
    if (status) {
        free(edits);
        buffer_free(&added);
        return status;
    }
    free(model->edits);
    buffer_free(&model->added);
    model->edits = edits;
    model->added = added;
    return OPSHIFT_OK;
}

/* For a node that has nothing inside so far, or no more than others have. NULL: no memory. */
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

/* A node with subgraphs has its message from the start. */
struct message *node_message(struct opshift_model *model, struct graph *graph, struct node *node)
{
    const struct inside *known = node_inside(node);
    if (known && known->message)
        return known->message;
    struct message **messages =
        list_grow(model->messages, model->message_count, &model->message_room, sizeof(struct message *));
    struct message *message = messages ? arena_alloc(model->arena, 1, sizeof(*message)) : NULL;
    if (messages)
        model->messages = messages;
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
    model->edit_count = mark.count;
    model->added.size = mark.added;
}

void model_edits_clear(struct opshift_model *model)
{
    model->edit_count = 0;
    model->added.size = 0;
    model->added.failed = false;
}
