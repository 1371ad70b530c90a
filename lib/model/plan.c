/* The edits as splices of the source's bytes, and the lengths of the messages around them. */
#include "model/plan.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/sort.h"
#include "model/fit.h"
#include "wire/wire.h"

#define NEAR 6u /* messages */

static int order(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* By place; where one message ends and its parent goes on, what belongs to the inner one first; what is only added goes
 * before what is replaced there; then as they were made. */
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

/* A message starts behind all that it lies in, so this puts outer ones before inner ones. */
static int message_order(const void *a, const void *b)
{
    const struct message *const *left = a, *const *right = b;
    return order((*left)->offset, (*right)->offset);
}

static int length_order(const void *a, const void *b)
{
    const struct splice *left = a, *right = b;
    return order(left->offset, right->offset);
}

/* What one message lies in, or the next edit is in, mostly stands near the one asked for before. */
static int64_t *growth_find(struct plan *plan, const struct message *message)
{
    struct opshift_model *model = plan->model;
    uint32_t first = plan->near < NEAR ? 0 : plan->near - NEAR, last = first + 2 * NEAR;
    for (uint32_t i = first; i < last && i < model->message_count; i++)
        if (model->messages[i] == message) {
            plan->near = i;
            return &plan->growth[i];
        }
    struct message **found =
        bsearch(&message, model->messages, model->message_count, sizeof(*model->messages), message_order);
    assert(found && *found == message);
    plan->near = (uint32_t)(found - model->messages);
    return &plan->growth[plan->near];
}

/* Does an edit lie within what an earlier one removed? */
static bool is_gone(const struct edit *edit, uint64_t start, uint64_t end)
{
    const struct message *parent = edit->parent;
    bool parent_gone = parent->offset > start && parent->offset + parent->size <= end;
    return parent_gone || (edit->offset > start && edit->offset < end);
}

/* The next edit that does not lie in what one before it removed. NULL: none. Two edits may remove the same bytes; they
 * go once. */
static const struct edit *edit_next(const struct plan *plan, struct plan_walk *walk, struct splice *splice)
{
    const struct opshift_model *model = plan->model;
    for (; walk->edit < model->edit_count; walk->edit++) {
        const struct edit *edit = &model->edits[walk->edit];
        if (is_gone(edit, walk->start, walk->end))
            continue;
        uint64_t end = edit->offset + edit->removed;
        splice->offset = edit->offset < walk->end ? walk->end : edit->offset;
        splice->removed = end > splice->offset ? end - splice->offset : 0;
        splice->added = plan->fit ? plan->fit->added[walk->edit] : edit_added(model, edit);
        return edit;
    }
    return NULL;
}

/* Goes on behind the edit. */
static void edit_pass(struct plan_walk *walk, const struct edit *edit)
{
    uint64_t end = edit->offset + edit->removed;
    if (end > walk->end) {
        walk->start = edit->offset;
        walk->end = end;
    }
    walk->edit++;
}

bool plan_next(const struct plan *plan, struct plan_walk *walk, struct splice *splice)
{
    const struct splice *length = walk->length < plan->length_count ? &plan->lengths[walk->length] : NULL;
    const struct edit *edit = edit_next(plan, walk, splice);
    if (edit && (length == NULL || splice->offset < length->offset)) {
        edit_pass(walk, edit);
        return true;
    }
    if (length) {
        *splice = *length;
        walk->length++;
    }
    return length != NULL;
}

enum opshift_status plan_splices(const struct plan *plan, struct arena *arena, struct splice **splices, size_t *count,
                                 struct opshift_error *error)
{
    size_t most = (size_t)plan->model->edit_count + plan->length_count;
    struct plan_walk walk = {0};
    *count = 0;
    *splices = arena_alloc(arena, most + 1, sizeof(**splices));
    if (*splices == NULL)
        return opshift_no_memory(error);
    while (plan_next(plan, &walk, &(*splices)[*count]))
        ++*count;
    return OPSHIFT_OK;
}

static enum opshift_status plan_edits(struct plan *plan, struct opshift_error *error)
{
    struct plan_walk walk = {0};
    struct splice splice;
    for (const struct edit *edit; (edit = edit_next(plan, &walk, &splice)) != NULL; edit_pass(&walk, edit)) {
        if (plan->fit && !fit_fill(plan->fit, walk.edit, edit_added(plan->model, edit), plan->arena))
            return opshift_no_memory(error);
        size_t added = plan->fit ? plan->fit->added[walk.edit].size : splice.added.size;
        *growth_find(plan, edit->parent) += (int64_t)added - (int64_t)splice.removed;
    }
    return OPSHIFT_OK;
}

/* Rewrites the length of a message that grew or shrank, and tells its parent. */
static enum opshift_status plan_length(struct plan *plan, const struct message *message, int64_t growth,
                                       struct opshift_error *error)
{
    size_t header_size = (size_t)(message->offset - message->record), tag_size = 0;
    const uint8_t *header = source_window(plan->model->source, message->record, header_size, error);
    if (header == NULL)
        return error->status;
    while (tag_size < header_size && header[tag_size] >= 0x80)
        tag_size++;
    tag_size++;
    struct buffer length = {0};
    uint64_t removed = header_size - tag_size;
    /* What is to keep its place is not to be moved by a length that takes fewer bytes than before. */
    wire_add_varint_wide(&length, (uint64_t)((int64_t)message->size + growth), plan->fit ? removed : 1);
    struct bytes added = {arena_copy(plan->arena, length.data, length.size), length.size};
    bool failed = length.failed || added.data == NULL;
    buffer_free(&length);
    if (failed)
        return opshift_no_memory(error);
    plan->lengths[plan->length_count++] = (struct splice){message->record + tag_size, removed, added};
    *growth_find(plan, message->parent) += growth + (int64_t)added.size - (int64_t)removed;
    return OPSHIFT_OK;
}

/* Inner to outer: a length that takes more bytes than before makes its parent longer too. */
static enum opshift_status plan_lengths(struct plan *plan, struct opshift_error *error)
{
    struct opshift_model *model = plan->model;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = model->message_count; status == OPSHIFT_OK && i-- > 0;)
        if (model->messages[i]->parent && plan->growth[i] != 0) {
            plan->near = i;
            status = plan_length(plan, model->messages[i], plan->growth[i], error);
        }
    return status;
}

enum opshift_status plan_make(struct plan *plan, struct opshift_error *error)
{
    struct opshift_model *model = plan->model;
    plan->size = source_size(model->source);
    if (model->edit_count == 0)
        return OPSHIFT_OK;
    arena_free(plan->arena);
    plan->arena = arena_new(0);
    if (plan->arena == NULL)
        return opshift_no_memory(error);
    plan->length_count = 0;
    plan->lengths = arena_alloc(plan->arena, model->message_count, sizeof(*plan->lengths));
    plan->growth = arena_alloc(plan->arena, model->message_count, sizeof(*plan->growth));
    if (plan->lengths == NULL || plan->growth == NULL)
        return opshift_no_memory(error);
    sort_items(model->edits, model->edit_count, sizeof(*model->edits), edit_order);
    sort_items(model->messages, model->message_count, sizeof(*model->messages), message_order);
    enum opshift_status status = plan_edits(plan, error);
    if (status == OPSHIFT_OK)
        status = plan_lengths(plan, error);
    if (status)
        return status;
    sort_items(plan->lengths, plan->length_count, sizeof(*plan->lengths), length_order);
    uint64_t old_size = plan->size;
    plan->size = (uint64_t)((int64_t)old_size + *growth_find(plan, model->message));
    if (plan->size > INT32_MAX && old_size <= INT32_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "would grow to %" PRIu64 " bytes, but readers of protobuf take %d at most; move weights to "
                            "external data first",
                            plan->size, INT32_MAX);
    return OPSHIFT_OK;
}

void plan_free(struct plan *plan)
{
    fit_free(plan->fit);
    arena_free(plan->arena);
}

enum opshift_status model_splices(struct opshift_model *model, struct arena *arena, struct splice **splices,
                                  size_t *count, struct opshift_error *error)
{
    struct plan plan = {.model = model};
    enum opshift_status status = plan_make(&plan, error);
    if (status == OPSHIFT_OK)
        status = plan_splices(&plan, arena, splices, count, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < *count; i++) {
        struct bytes *added = &(*splices)[i].added;
        added->data = added->size ? arena_copy(arena, added->data, added->size) : NULL;
        if (added->size && added->data == NULL)
            status = opshift_no_memory(error);
    }
    plan_free(&plan);
    return status;
}
