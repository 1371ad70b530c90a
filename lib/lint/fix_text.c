/* Describes a fix from its edits alone, so that the text shows the actual change. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lint/fix_rounds.h"
#include "model/text.h"
#include "wire/wire.h"

/* Larger records are not shown, only counted. */
#define SHOWN_MAX (64u << 10)

/* The edits of one fix. */
struct fix_printing {
    struct checking *checking;
    const struct edit **edits; /* sorted by place */
    size_t count;
};

static int edit_order(const void *a, const void *b)
{
    const struct edit *one = *(const struct edit *const *)a, *other = *(const struct edit *const *)b;
    if (one->offset != other->offset)
        return one->offset < other->offset ? -1 : 1;
    return one < other ? -1 : 1; /* in the order of their creation */
}

/* Does the edit insert records at the place of the fix? */
static bool is_insertion(const struct fix_printing *printing, const struct edit *edit)
{
    const struct fixing *fixing = printing->checking->fixing;
    size_t low = 0, high = fixing->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (fixing->list[middle].record < edit->offset)
            low = middle + 1;
        else
            high = middle;
    }
    for (; edit->removed == 0 && low < fixing->count; low++) {
        const struct touched *touched = &fixing->list[low];
        if (touched->record != edit->offset || touched->size > 0)
            return false;
        if (touched->parent == edit->parent)
            return true;
    }
    return false;
}

/* The first edit at or after a place. */
static size_t edits_from(const struct fix_printing *printing, uint64_t place)
{
    size_t low = 0, high = printing->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (printing->edits[middle]->offset < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* One record as text. */
static enum opshift_status record_print(const struct fix_printing *printing, const ProtobufCMessageDescriptor *around,
                                        const uint8_t *bytes, size_t size, struct buffer *out,
                                        struct opshift_error *error)
{
    struct source *source = NULL;
    struct wire_field field;
    bool found = false;
    enum opshift_status status = source_open_memory(bytes, size, &source, error);
    struct wire_cursor cursor = {source, 0, size};
    if (status == OPSHIFT_OK)
        status = wire_next(&cursor, &field, &found, error);
    source_free(source);
    if (status || !found)
        return status;
    const ProtobufCFieldDescriptor *known = protobuf_c_message_descriptor_get_field(around, field.number);
    const char *name = known ? known->name : "a field";
    ProtobufCMessage *message = NULL;
    if (known && known->type == PROTOBUF_C_TYPE_MESSAGE && size <= SHOWN_MAX)
        message = protobuf_c_message_unpack(known->descriptor, arena_allocator(printing->checking->scratch),
                                            (size_t)field.size, bytes + field.offset);
    if (message == NULL && arena_was_out(printing->checking->scratch))
        return opshift_no_memory(error);
    if (message)
        text_print_item(out, name, message);
    else
        buffer_print(out, "# %s of %zu bytes\n", name, size);
    return OPSHIFT_OK;
}

/* Prints consecutive records. */
static enum opshift_status records_print(const struct fix_printing *printing, const ProtobufCMessageDescriptor *around,
                                         struct bytes records, struct buffer *out, struct opshift_error *error)
{
    struct source *source = NULL;
    enum opshift_status status = source_open_memory(records.data, records.size, &source, error);
    struct wire_cursor cursor = {source, 0, records.size};
    for (bool found = true; status == OPSHIFT_OK && found;) {
        struct wire_field field;
        status = wire_next(&cursor, &field, &found, error);
        if (status == OPSHIFT_OK && found)
            status = record_print(printing, around, records.data + field.record,
                                  (size_t)(field.offset + field.size - field.record), out, error);
    }
    source_free(source);
    return status;
}

/* Applies the fix's edits to the record; the lengths of enclosing messages are not updated. */
static void record_edit(const struct fix_printing *printing, const struct touched *touched, const uint8_t *bytes,
                        struct buffer *after)
{
    uint64_t position = touched->record, end = touched->record + touched->size;
    for (size_t i = edits_from(printing, position); i < printing->count && printing->edits[i]->offset <= end; i++) {
        const struct edit *edit = printing->edits[i];
        if (edit->offset < position || edit->offset + edit->removed > end || is_insertion(printing, edit))
            continue;
        buffer_add(after, bytes + (position - touched->record), (size_t)(edit->offset - position));
        struct bytes added = edit_added(printing->checking->model, edit);
        buffer_add(after, added.data, added.size);
        position = edit->offset + edit->removed;
    }
    buffer_add(after, bytes + (position - touched->record), (size_t)(end - position));
}

/* Corrects the length in the record's own header. */
static void header_fix(struct buffer *record)
{
    struct buffer fixed = {0};
    size_t tag = 0, length;
    while (tag < record->size && record->data[tag] >= 0x80)
        tag++;
    for (length = ++tag; length < record->size && record->data[length] >= 0x80;)
        length++;
    length++;
    if (record->failed || length > record->size)
        return;
    buffer_add(&fixed, record->data, tag);
    wire_add_varint(&fixed, record->size - length);
    buffer_add(&fixed, record->data + length, record->size - length);
    buffer_free(record);
    *record = fixed;
}

/* If the text does not show the change, prints the sizes. first: where the texts begin. */
static void sizes_print(uint64_t was, uint64_t is, const size_t first[2], struct buffer *before, struct buffer *after)
{
    size_t size = before->size - first[0];
    if (before->failed || after->failed || size != after->size - first[1] ||
        (size > 0 && memcmp(before->data + first[0], after->data + first[1], size) != 0))
        return;
    buffer_print(before, "# in %" PRIu64 " bytes\n", was);
    buffer_print(after, "# in %" PRIu64 " bytes\n", is);
}

static enum opshift_status touched_print(const struct fix_printing *printing, const struct touched *touched,
                                         struct buffer *before, struct buffer *after, struct opshift_error *error)
{
    struct buffer now = {0};
    const size_t first[2] = {before->size, after->size};
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = edits_from(printing, touched->record);
         touched->size == 0 && status == OPSHIFT_OK && i < printing->count &&
         printing->edits[i]->offset == touched->record;
         i++)
        if (is_insertion(printing, printing->edits[i]))
            status = records_print(printing, touched->around, edit_added(printing->checking->model, printing->edits[i]),
                                   after, error);
    if (touched->size == 0)
        return status;
    if (touched->size > SHOWN_MAX) {
        buffer_print(before, "# %" PRIu64 " bytes\n", touched->size);
        return OPSHIFT_OK;
    }
    uint8_t *bytes = malloc((size_t)touched->size);
    status = bytes
                 ? source_read(printing->checking->model->source, touched->record, bytes, (size_t)touched->size, error)
                 : opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = record_print(printing, touched->around, bytes, (size_t)touched->size, before, error);
    if (status == OPSHIFT_OK) {
        record_edit(printing, touched, bytes, &now);
        header_fix(&now);
    }
    if (status == OPSHIFT_OK && now.size)
        status = record_print(printing, touched->around, now.data, now.size, after, error);
    if (status == OPSHIFT_OK && now.size)
        sizes_print(touched->size, now.size, first, before, after);
    buffer_free(&now);
    free(bytes);
    return status;
}

static enum opshift_status text_take(struct arena *arena, struct buffer *text, const char **taken,
                                     struct opshift_error *error)
{
    *taken = text->failed ? NULL : arena_copy(arena, text->data, text->size);
    buffer_free(text);
    return *taken ? OPSHIFT_OK : opshift_no_memory(error);
}

enum opshift_status fix_tell(struct checking *checking, uint32_t first, struct arena *arena, struct opshift_fix *fix,
                             struct opshift_error *error)
{
    struct opshift_model *model = checking->model;
    struct fixing *fixing = checking->fixing;
    struct fix_printing printing = {.checking = checking, .count = model->edit_count - first};
    struct buffer before = {0}, after = {0};
    printing.edits = arena_alloc(checking->scratch, printing.count, sizeof(*printing.edits));
    if (printing.edits == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < printing.count; i++)
        printing.edits[i] = &model->edits[first + i];
    qsort(printing.edits, printing.count, sizeof(*printing.edits), edit_order);
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < fixing->count; i++)
        if (i == 0 || fixing_order(&fixing->list[i - 1], &fixing->list[i]) != 0)
            status = touched_print(&printing, &fixing->list[i], &before, &after, error);
    enum opshift_status taken = text_take(arena, &before, &fix->before, error);
    enum opshift_status also = text_take(arena, &after, &fix->after, error);
    return status ? status : taken ? taken : also;
}
