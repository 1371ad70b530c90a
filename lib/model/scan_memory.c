/* Allocations of the scan, counted against the model's memory limit. */
#include "model/scan_part.h"

#include <stdlib.h>
#include <string.h>

#define MESSAGES_MANY 64u /* messages per arena allocation */

enum opshift_status scan_check_memory(struct scan *scan, uint64_t wanted)
{
    struct opshift_model *model = scan->model;
    uint64_t used = arena_size(model->arena) + names_memory(model->names) + scan->held;
    if (used <= model->limits.memory && wanted <= model->limits.memory - used)
        return OPSHIFT_OK;
    return opshift_fail_at(scan->error, OPSHIFT_UNSUPPORTED, OPSHIFT_FAULT_MEMORY, ERROR_WHOLE_FILE,
                           "the index takes more than %" PRIu64
                           " bytes; if the file is to be trusted, raise the limit 'memory'",
                           model->limits.memory);
}

enum opshift_status scan_take(struct scan *scan, size_t count, size_t size, void *pointer)
{
    enum opshift_status status = scan_check_memory(scan, (uint64_t)count * size);
    if (status)
        return status;
    void *made = arena_alloc(scan->model->arena, count, size);
    if (made == NULL)
        return opshift_no_memory(scan->error);
    memcpy(pointer, &made, sizeof made);
    return OPSHIFT_OK;
}

/* Allocates name ids for many nodes at once, since a node has few. */
enum opshift_status scan_slab_reserve(struct scan *scan, size_t count)
{
    if (count <= scan->slab_left)
        return OPSHIFT_OK;
    size_t room = scan->slab_room ? scan->slab_room : 64;
    while (room < 2 * count || (room == scan->slab_room && room < SLAB_LAST))
        room *= 2;
    enum opshift_status status = scan_take(scan, room, sizeof *scan->slab, &scan->slab);
    if (status == OPSHIFT_OK)
        scan->slab_left = scan->slab_room = room;
    return status;
}

enum opshift_status scan_stack_take(struct scan *scan, struct stack *stack, size_t base, size_t size, void *pointer)
{
    size_t count = stack->count - base;
    memset(pointer, 0, sizeof(void *));
    if (count == 0)
        return OPSHIFT_OK;
    enum opshift_status status = scan_take(scan, count, size, pointer);
    if (status)
        return status;
    void *made;
    memcpy(&made, pointer, sizeof made);
    memcpy(made, (uint8_t *)stack->items + base * size, count * size);
    stack->count = base;
    return OPSHIFT_OK;
}

enum opshift_status scan_stack_grow(struct scan *scan, struct stack *stack, size_t size)
{
    size_t room = stack->room ? stack->room * 2 : 16;
    enum opshift_status status = scan_check_memory(scan, (uint64_t)(room - stack->room) * size);
    if (status)
        return status;
    void *items = realloc(stack->items, room * size);
    if (items == NULL)
        return opshift_no_memory(scan->error);
    scan->held += (room - stack->room) * size;
    stack->items = items;
    stack->room = room;
    return OPSHIFT_OK;
}

/* The list of spare arrays for items of this size. NULL: not kept for this size. */
static void **spares_of(struct scan *scan, size_t size)
{
    return size % sizeof(void *) == 0 && size / sizeof(void *) < SPARES ? &scan->spares[size / sizeof(void *)] : NULL;
}

/* Keeps the memory of an array that moved into the arena for reuse, else frees it. */
static void spare_keep(struct scan *scan, void *items, size_t room, size_t size)
{
    void **spares = spares_of(scan, size);
    if (spares && room == SCAN_ARRAY_FIRST) {
        memcpy(items, spares, sizeof(void *));
        *spares = items;
    } else {
        free(items);
    }
}

/* Allocates the initial memory of an array. NULL: no memory. */
static void *spare_take(struct scan *scan, size_t size)
{
    void **spares = spares_of(scan, size);
    void *items = spares ? *spares : NULL;
    if (items == NULL)
        return malloc(SCAN_ARRAY_FIRST * size);
    memcpy(spares, items, sizeof(void *));
    return items;
}

void scan_spares_free(struct scan *scan)
{
    for (size_t i = 0; i < COUNT(scan->spares); i++)
        for (void *items = scan->spares[i], *next; items; items = next) {
            memcpy(&next, items, sizeof next);
            free(items);
        }
}

enum opshift_status scan_array_grow(struct scan *scan, void *array, uint32_t count, size_t size)
{
    void *items;
    memcpy(&items, array, sizeof items);
    size_t room = count ? (size_t)count * 2 : SCAN_ARRAY_FIRST;
    enum opshift_status status = scan_check_memory(scan, (uint64_t)(room - count) * size);
    if (status)
        return status;
    if (count == 0)
        items = spare_take(scan, size);
    else
        items = count < UINT32_MAX / 2 ? realloc(items, room * size) : NULL;
    if (items == NULL)
        return opshift_no_memory(scan->error);
    scan->held += (room - count) * size;
    memcpy(array, &items, sizeof items);
    return OPSHIFT_OK;
}

static size_t array_left(uint32_t count)
{
    return count <= SCAN_ARRAY_FIRST ? SCAN_ARRAY_FIRST - count
                                     : ((size_t)1 << (32 - __builtin_clz(count - 1))) - count;
}

static void *array_items(const struct scan_array *array)
{
    void *items;
    memcpy(&items, array->items, sizeof items);
    return items;
}

void scan_array_trim(const struct scan_array *array)
{
    void *less = array->count ? realloc(array_items(array), (size_t)array->count * array->size) : NULL;
    if (less != NULL)
        memcpy(array->items, &less, sizeof less);
}

uint8_t *scan_array_move(struct scan *scan, const struct scan_array *array, uint8_t *to)
{
    void *items = array_items(array);
    size_t room = array->count + array_left(array->count), size = array->count * array->size;
    scan->held -= room * array->size;
    memcpy(to, items, size);
    memcpy(array->items, &to, sizeof to);
    spare_keep(scan, items, room, array->size);
    return to + size;
}

static enum opshift_status messages_grow(struct scan *scan)
{
    struct opshift_model *model = scan->model;
    uint32_t room = model->message_room ? model->message_room * 2 : 16;
    enum opshift_status status = scan_check_memory(scan, (uint64_t)room * sizeof *model->messages);
    if (status)
        return status;
    struct message **messages = room > model->message_room ? realloc(model->messages, room * sizeof *messages) : NULL;
    if (messages == NULL)
        return opshift_no_memory(scan->error);
    scan->held += (room - model->message_room) * sizeof *messages;
    model->messages = messages;
    model->message_room = room;
    return OPSHIFT_OK;
}

/* Starts with few: most models have only the main graph. */
static enum opshift_status messages_take(struct scan *scan)
{
    size_t count = scan->model->message_count < MESSAGES_MANY ? 4 : MESSAGES_MANY;
    enum opshift_status status = scan_take(scan, count, sizeof *scan->messages, &scan->messages);
    scan->messages_left = status ? 0 : count;
    return status;
}

enum opshift_status scan_message_add(struct scan *scan, struct message *parent, const struct wire_field *field,
                                     struct message **message)
{
    struct opshift_model *model = scan->model;
    enum opshift_status status = OPSHIFT_OK;
    if (model->message_count == model->message_room)
        status = messages_grow(scan);
    if (status == OPSHIFT_OK && scan->messages_left == 0)
        status = messages_take(scan);
    if (status)
        return status;
    *message = scan->messages++;
    scan->messages_left--;
    **message = message_make(parent, field->record, field->offset, field->size);
    model->messages[model->message_count++] = *message;
    return OPSHIFT_OK;
}
