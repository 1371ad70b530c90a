/* Turns edits into splices of the source's bytes, and computes the new lengths of the enclosing messages. */
#include "model/layout.h"

#include <inttypes.h>
#include <stdlib.h>

static int order(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* By offset; at the end of a message, edits of the inner message first; then insertions before replacements; then in
 * the order in which they were made. */
static int edit_order(const void *a, const void *b)
{
    const struct edit *left = a, *right = b;
    int answer = order(left->offset, right->offset);
    if (answer == 0)
        answer = order(right->parent->offset, left->parent->offset);
    if (answer == 0)
        answer = order(left->removed > 0, right->removed > 0);
    if (answer == 0)
        answer = order(left->place, right->place);
    return answer ? answer : order(left->size, right->size);
}

/* By offset, which puts outer messages before inner ones. */
static int message_order(const void *a, const void *b)
{
    const struct message *const *left = a, *const *right = b;
    return order((*left)->offset, (*right)->offset);
}

/* Is an edit inside a range that an earlier edit removed? */
static bool is_gone(const struct edit *edit, uint64_t start, uint64_t end)
{
    const struct message *parent = edit->parent;
    bool parent_gone = parent->offset > start && parent->offset + parent->size <= end;
    return parent_gone || (edit->offset > start && edit->offset < end);
}

/* The next edit that is not inside a removed range. NULL: none. Two edits may remove the same bytes, which are removed
 * once. */
static const struct edit *edit_next(const struct save_layout *layout, struct layout_walk *walk, struct splice *splice)
{
    const struct opshift_model *model = layout->model;
    for (; walk->edit < model->edit_count; walk->edit++) {
        const struct edit *edit = &model->edits[walk->edit];
        if (is_gone(edit, walk->start, walk->end))
            continue;
        uint64_t end = edit->offset + edit->removed;
        splice->offset = edit->offset < walk->end ? walk->end : edit->offset;
        splice->removed = end > splice->offset ? end - splice->offset : 0;
        splice->added = edit_added(model, edit);
        return edit;
    }
    return NULL;
}

/* Moves the walk behind the edit. */
static void edit_pass(struct layout_walk *walk, const struct edit *edit)
{
    uint64_t end = edit->offset + edit->removed;
    if (end > walk->end) {
        walk->start = edit->offset;
        walk->end = end;
    }
    walk->edit++;
}

/* The next message whose length changes. NULL: none. */
static const struct message *message_next(const struct save_layout *layout, struct layout_walk *walk)
{
    for (; walk->message < layout->message_count; walk->message++) {
        const struct message *message = layout->model->messages[walk->message];
        if (message->parent && message->growth != 0)
            return message;
    }
    return NULL;
}

/* The size of its length field in the source. */
static size_t length_size(const struct message *message)
{
    return (size_t)message->head - message->tag;
}

static void length_splice(struct layout_walk *walk, const struct message *message, struct splice *splice)
{
    uint64_t length = (uint64_t)((int64_t)message->size + message->growth);
    size_t size = wire_put_varint(walk->length, length);
    *splice = (struct splice){message_record(message) + message->tag, length_size(message), {walk->length, size}};
    walk->message++;
}

bool layout_next(const struct save_layout *layout, struct layout_walk *walk, struct splice *splice)
{
    const struct opshift_model *model = layout->model;
    const struct message *message = message_next(layout, walk);
    uint64_t place = message ? message_record(message) + message->tag : UINT64_MAX;
    bool is_near = walk->edit < model->edit_count && model->edits[walk->edit].offset < place;
    const struct edit *edit = is_near ? edit_next(layout, walk, splice) : NULL;
    bool is_edit = edit && splice->offset < place;
    if (is_edit)
        edit_pass(walk, edit);
    else if (message)
        length_splice(walk, message, splice);
    return is_edit || message;
}

static void layout_edits(struct save_layout *layout)
{
    struct layout_walk walk = {0};
    struct splice splice;
    for (const struct edit *edit; (edit = edit_next(layout, &walk, &splice)) != NULL; edit_pass(&walk, edit))
        edit->parent->growth += (int64_t)splice.added.size - (int64_t)splice.removed;
}

/* Computes the change in size of a message's length field and adds it to the parent's growth. */
static enum opshift_status layout_length(struct save_layout *layout, struct message *message,
                                         struct opshift_error *error)
{
    size_t head_size = message->head, tag = 0;
    const uint8_t *head;
    enum opshift_status status = source_view(layout->model->source, message_record(message), head_size, &head, error);
    if (status)
        return status;
    while (tag < head_size && head[tag] >= 0x80)
        tag++;
    message->tag = (tag + 1) & 0x1f;
    size_t size = wire_varint_size((uint64_t)((int64_t)message->size + message->growth));
    message->parent->growth += message->growth + (int64_t)size - (int64_t)length_size(message);
    layout->length_count++;
    return OPSHIFT_OK;
}

/* From inner to outer messages, since a longer length field makes the parent longer, too. */
static enum opshift_status layout_lengths(struct save_layout *layout, struct opshift_error *error)
{
    struct message **messages = layout->model->messages;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = layout->message_count; status == OPSHIFT_OK && i-- > 0;)
        if (messages[i]->parent && messages[i]->growth != 0)
            status = layout_length(layout, messages[i], error);
    return status;
}

/* Resets the growth of all messages. */
static void messages_start(struct save_layout *layout)
{
    const struct opshift_model *model = layout->model;
    bool in_order = true;
    for (uint32_t i = 0; i < model->message_count; i++) {
        model->messages[i]->growth = 0;
        in_order = in_order && (i == 0 || model->messages[i - 1]->offset < model->messages[i]->offset);
    }
    if (!in_order)
        qsort(model->messages, model->message_count, sizeof(*model->messages), message_order);
    layout->message_count = model->message_count;
    layout->length_count = 0;
}

enum opshift_status layout_make(struct save_layout *layout, struct opshift_error *error)
{
    struct opshift_model *model = layout->model;
    layout->size = source_size(model->source);
    if (model->edit_count == 0)
        return OPSHIFT_OK;
    messages_start(layout);
    qsort(model->edits, model->edit_count, sizeof(*model->edits), edit_order);
    layout_edits(layout);
    enum opshift_status status = layout_lengths(layout, error);
    if (status)
        return status;
    uint64_t old_size = layout->size;
    layout->size = (uint64_t)((int64_t)old_size + model->message->growth);
    if (layout->size > INT32_MAX && old_size <= INT32_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "would grow to %" PRIu64 " bytes, but readers of protobuf take %d at most; move weights to "
                            "external data first",
                            layout->size, INT32_MAX);
    return OPSHIFT_OK;
}

enum opshift_status model_splices(struct opshift_model *model, struct arena *arena, struct splice **splices,
                                  size_t *count, struct opshift_error *error)
{
    struct save_layout layout = {.model = model};
    struct layout_walk walk = {0};
    *count = 0;
    enum opshift_status status = layout_make(&layout, error);
    if (status)
        return status;
    *splices = arena_alloc(arena, (size_t)model->edit_count + layout.length_count + 1, sizeof(**splices));
    if (*splices == NULL)
        return opshift_no_memory(error);
    while (layout_next(&layout, &walk, &(*splices)[*count])) {
        struct bytes *added = &(*splices)[(*count)++].added;
        added->data = added->size ? arena_copy(arena, added->data, added->size) : NULL;
        if (added->size && added->data == NULL)
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}
