/* The list of edits, and the messages that they are made in. */
#include "model/model.h"

#include <assert.h>
#include <string.h>

#define ROOM_FIRST 16u

/* Room for one more element: the old memory, or twice as much in the arena. NULL: no memory. */
static void *list_grow(struct arena *arena, void *list, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return list;
    if (*room > UINT32_MAX / 2)
        return NULL;
    uint32_t wanted = *room ? 2 * *room : ROOM_FIRST;
    void *copy = arena_alloc(arena, wanted, size);
    if (copy == NULL)
        return NULL;
    if (count > 0)
        memcpy(copy, list, count * size);
    *room = wanted;
    return copy;
}

enum opshift_status model_edit(struct opshift_model *model, struct message *parent, uint64_t offset, uint64_t removed,
                               struct bytes added, struct opshift_error *error)
{
    assert(offset >= parent->offset && offset - parent->offset <= parent->size);
    assert(removed <= parent->offset + parent->size - offset);
    struct edit *edits =
        list_grow(model->arena, model->edits, model->edit_count, &model->edit_room, sizeof(*model->edits));
    if (edits == NULL)
        return opshift_no_memory(error);
    model->edits = edits;
    edits[model->edit_count] = (struct edit){parent, offset, removed, added, model->edit_count};
    model->edit_count++;
    return OPSHIFT_OK;
}

/* A node with subgraphs has its message from the start: the way up from them leads there. */
static struct message *message_above(const struct node *node)
{
    struct message *message = node->subgraph_count > 0 ? node->subgraphs[0]->message : NULL;
    while (message && message->record != node->range.record)
        message = message->parent;
    return message;
}

struct message *node_message(struct opshift_model *model, struct graph *graph, struct node *node)
{
    if (node->message == NULL)
        node->message = message_above(node);
    if (node->message)
        return node->message;
    struct message **messages =
        list_grow(model->arena, model->messages, model->message_count, &model->message_room, sizeof(struct message *));
    struct message *message = messages ? arena_alloc(model->arena, 1, sizeof(*message)) : NULL;
    if (messages)
        model->messages = messages;
    if (message == NULL)
        return NULL;
    *message = (struct message){graph->message, node->range.record, node->range.offset, node->range.size};
    model->messages[model->message_count++] = message;
    node->message = message;
    return message;
}

void model_edits_clear(struct opshift_model *model)
{
    model->edit_count = 0;
}
