/* Records of two files: reads, sorts by number, converts to keys, compares. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "diff/diff.h"

static int by_number(const void *left, const void *right)
{
    const struct record *a = left, *b = right;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

enum opshift_status records_read(struct diff *diff, int side, uint64_t offset, uint64_t size, uint32_t skipped,
                                 struct arena *arena, struct records *records, struct opshift_error *error)
{
    struct opshift_model *model = diff->models[side];
    struct wire_cursor cursor = {model->source, offset, offset + size};
    uint32_t room = 0;
    bool sorted = true;
    *records = (struct records){0};
    for (;;) {
        struct wire_field field;
        bool found = false;
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status)
            return opshift_within(error, status, "%s", model->name);
        if (!found)
            break;
        if (field.number < 32 && (skipped >> field.number & 1) != 0)
            continue;
        bool has_room = arena_list_grow(arena, &records->items, records->count, &room, sizeof(*records->items));
        if (!has_room && !arena_was_full(arena))
            return opshift_no_memory(error);
        if (!has_room)
            return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                                "%s: a message has more than %" PRIu64 " fields; that many are not compared",
                                model->name, (uint64_t)records->count);
        sorted = sorted && (records->count == 0 || records->items[records->count - 1].number <= field.number);
        records->items[records->count++] = (struct record){.number = field.number,
                                                           .type = field.type,
                                                           .offset = field.offset,
                                                           .size = field.size,
                                                           .value = field.value};
    }
    if (!sorted)
        qsort(records->items, records->count, sizeof(*records->items), by_number);
    return OPSHIFT_OK;
}

struct records records_take(const struct records *records, size_t *at, uint32_t number)
{
    struct records run = {records->items == NULL ? NULL : records->items + *at, 0};
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): count is 0 if items is NULL. */
    while (*at < records->count && records->items[*at].number == number) {
        run.count++;
        (*at)++;
    }
    return run;
}

struct record *records_find(const struct records *records, uint32_t number)
{
    for (size_t i = records->count; i > 0; i--)
        if (records->items[i - 1].number == number)
            return &records->items[i - 1];
    return NULL;
}

enum opshift_status record_key(struct diff *diff, int side, const struct record *record, name_id *key,
                               struct opshift_error *error)
{
    uint8_t small[256];
    uint8_t *data = small;
    enum opshift_status status = OPSHIFT_OK;
    *key = NAME_NONE;
    if (record == NULL || record->type != WIRE_BYTES)
        return OPSHIFT_OK;
    if (record->size > sizeof(small))
        data = record->size > UINT32_MAX ? NULL : malloc((size_t)record->size);
    if (data == NULL)
        return opshift_no_memory(error);
    status = source_read(diff->models[side]->source, record->offset, data, (size_t)record->size, error);
    if (status == OPSHIFT_OK) {
        *key = names_add(diff->keys, data, (size_t)record->size);
        if (*key == NAME_NO_MEMORY)
            status = opshift_no_memory(error);
    }
    if (data != small)
        free(data);
    return status;
}

enum opshift_status records_same(struct diff *diff, const struct record *a, const struct record *b, bool *same,
                                 struct opshift_error *error)
{
    *same = a->type == b->type && a->size == b->size;
    if (!*same || a->type != WIRE_BYTES) {
        *same = a->type == b->type && a->type != WIRE_BYTES && a->value == b->value;
        return OPSHIFT_OK;
    }
    for (uint64_t at = 0; *same && at < a->size;) {
        uint8_t copy[8192];
        size_t part = a->size - at < sizeof(copy) ? (size_t)(a->size - at) : sizeof(copy);
        enum opshift_status status = source_read(diff->models[0]->source, a->offset + at, copy, part, error);
        if (status)
            return opshift_within(error, status, "%s", diff->models[0]->name);
        const uint8_t *window;
        status = source_view(diff->models[1]->source, b->offset + at, part, &window, error);
        if (status)
            return opshift_within(error, status, "%s", diff->models[1]->name);
        *same = memcmp(copy, window, part) == 0;
        at += part;
    }
    return OPSHIFT_OK;
}

static bool widen(uint32_t **array, uint32_t from, uint32_t to)
{
    uint32_t *wider = realloc(*array, (size_t)to * sizeof(*wider));
    if (wider == NULL)
        return false;
    memset(wider + from, 0, (size_t)(to - from) * sizeof(*wider));
    *array = wider;
    return true;
}

enum opshift_status marks_clear(struct diff *diff, struct opshift_error *error)
{
    struct marks *marks = &diff->marks;
    uint32_t wanted = names_count(diff->keys);
    marks->now++;
    if (wanted <= marks->room)
        return OPSHIFT_OK;
    wanted = wanted > UINT32_MAX / 2 ? UINT32_MAX : wanted * 2;
    if (!widen(&marks->stamp, marks->room, wanted) || !widen(&marks->value, marks->room, wanted) ||
        !widen(&marks->count, marks->room, wanted))
        return opshift_no_memory(error);
    marks->room = wanted;
    return OPSHIFT_OK;
}
