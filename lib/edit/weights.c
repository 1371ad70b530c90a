/* --external, --internal, --external-from, --align and --dedupe: where weights are. */
#include "model/weights_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/descriptor.h"
#include "base/list.h"
#include "edit/edit.h"
#include "edit/walk.h"
#include "model/external.h"
#include "model/fields.h"
#include "wire/wire.h"

#define FROM_DEFAULT  1024u
#define ALIGN_DEFAULT 64u

struct weights {
    struct editing *editing;
    struct opshift_model *model;
    struct messages messages;
    struct weights_file *file; /* NULL: weights go into the model */
    uint64_t from, align;      /* bytes */
    uint64_t count, size;
    struct opshift_error *error;
};

/* ---- one weight ---- */

static void entry_add(struct buffer *out, const char *key, const char *text, uint64_t number)
{
    struct buffer entry = {0}, value = {0};
    if (text)
        buffer_add_text(&value, text);
    else
        buffer_print(&value, "%" PRIu64, number);
    wire_add_bytes(&entry, 1, key, strlen(key));
    wire_add_bytes(&entry, 2, value.data, value.size);
    wire_add_bytes(out, TENSOR_EXTERNAL, entry.data, entry.size);
    out->failed |= entry.failed || value.failed;
    buffer_free(&entry);
    buffer_free(&value);
}

/* Replaces what holds the bytes, or names their place. */
static enum opshift_status payload_set(struct weights *weights, struct graph *graph,
                                       const struct initializer *initializer, const struct buffer *payload)
{
    const uint32_t holders = 1u << TENSOR_FLOATS | 1u << TENSOR_INT32S | 1u << TENSOR_INT64S | 1u << TENSOR_RAW |
                             1u << TENSOR_DOUBLES | 1u << TENSOR_UINT64S | 1u << TENSOR_EXTERNAL |
                             1u << TENSOR_LOCATION;
    struct range range = initializer->range;
    struct wire_cursor cursor = {weights->model->source, range_offset(range), range_end(range)};
    struct message *message =
        messages_find(&weights->messages, graph->message, range_record(range), range_offset(range), range_size(range));
    enum opshift_status status = message && !payload->failed ? OPSHIFT_OK : opshift_no_memory(weights->error);
    bool found = true;
    for (struct wire_field field; status == OPSHIFT_OK && found;) {
        status = wire_next(&cursor, &field, &found, weights->error);
        if (status == OPSHIFT_OK && found && field.number < 32 && (holders >> field.number & 1))
            status = model_edit(weights->model, message, field.record, field.offset + field.size - field.record,
                                (struct bytes){0}, weights->error);
    }
    return status ? status
                  : model_edit(weights->model, message, range_end(range), 0,
                               (struct bytes){payload->data, payload->size}, weights->error);
}

static enum opshift_status weight_out(struct weights *weights, struct graph *graph,
                                      const struct initializer *initializer, struct weight_part *part)
{
    struct weights_file *file = weights->file;
    struct buffer payload = {0};
    uint32_t shared = 0; /* several weights may be one range of a file */
    while (shared < file->count && !weight_parts_same(&file->parts[shared], part))
        shared++;
    if (shared == file->count) {
        part->at = (file->size + weights->align - 1) / weights->align * weights->align;
        if (!arena_list_grow(weights->editing->lasting, &file->parts, file->count, &file->room, sizeof(*file->parts)))
            return opshift_no_memory(weights->error);
        file->parts[file->count] = *part;
        file->parts[file->count++].model = NULL; /* the preview, which will be gone */
        file->size = part->at + part->size;
    } else {
        part->at = file->parts[shared].at;
        weights->size -= part->size;
    }
    entry_add(&payload, "location", file->location, 0);
    entry_add(&payload, "offset", NULL, part->at);
    entry_add(&payload, "length", NULL, part->size);
    wire_add_int(&payload, TENSOR_LOCATION, 1);
    enum opshift_status status = payload_set(weights, graph, initializer, &payload);
    buffer_free(&payload);
    return status;
}

static enum opshift_status weight_in(struct weights *weights, struct graph *graph,
                                     const struct initializer *initializer, const struct weight_part *part)
{
    struct buffer payload = {0};
    if (weights->size > INT32_MAX)
        return opshift_fail(
            weights->error, OPSHIFT_UNSUPPORTED,
            "internal: the weights take more than %d bytes, but readers of protobuf take no more; leave "
            "them in files",
            INT32_MAX);
    uint8_t *bytes = malloc((size_t)part->size);
    enum opshift_status status = bytes ? weight_part_read(part, 0, bytes, (size_t)part->size, weights->error)
                                       : opshift_no_memory(weights->error);
    if (status == OPSHIFT_OK) {
        wire_add_bytes(&payload, TENSOR_RAW, bytes, (size_t)part->size);
        status = payload_set(weights, graph, initializer, &payload);
    }
    buffer_free(&payload);
    free(bytes);
    return status;
}

/* ---- all weights ---- */

static enum opshift_status weight_move(struct weights *weights, struct graph *graph,
                                       const struct initializer *initializer)
{
    struct weight_part part;
    if (!initializer->external && weights->file == NULL)
        return OPSHIFT_OK;
    enum opshift_status status =
        weight_part_find(weights->model, initializer, weights->editing->lasting, &part, weights->error);
    if (status || part.size == 0 || (!initializer->external && part.size < weights->from))
        return status;
    weights->count++;
    weights->size += part.size;
    return weights->file ? weight_out(weights, graph, initializer, &part)
                         : weight_in(weights, graph, initializer, &part);
}

/* Ranges of the preview become ranges of the file that was opened, or bytes. */
static enum opshift_status parts_settle(struct weights *weights)
{
    struct opshift_model *model = weights->model;
    struct weights_file *file = weights->file;
    size_t count, at = 0;
    struct source *base;
    const struct stretch *list = source_stretches(model->source, &count, &base);
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && list && i < file->count; i++) {
        struct weight_part *part = &file->parts[i];
        if (part->bytes || part->location)
            continue;
        while (at + 1 < count && list[at + 1].start <= part->offset)
            at++;
        if (list[at].data == NULL && part->offset >= list[at].start &&
            part->offset + part->size <= list[at].start + list[at].size) {
            part->offset = list[at].offset + (part->offset - list[at].start);
            continue;
        }
        uint8_t *bytes = arena_alloc(weights->editing->lasting, part->size, 1);
        status = bytes ? source_read(model->source, part->offset, bytes, part->size, weights->error)
                       : opshift_no_memory(weights->error);
        part->bytes = bytes;
        at = 0;
    }
    return status;
}

static enum opshift_status weights_move(struct editing *editing, const char *location, struct opshift_error *error)
{
    struct opshift_model *model = editing->model;
    struct weights weights = {.editing = editing, .model = model, .messages.model = model, .error = error};
    enum opshift_status status = edit_number(editing, "external-from", FROM_DEFAULT, &weights.from, error);
    if (status == OPSHIFT_OK)
        status = edit_number(editing, "align", ALIGN_DEFAULT, &weights.align, error);
    weights.align = weights.align ? weights.align : 1;
    if (status == OPSHIFT_OK && location && (*location == '/' || strstr(location, "..") || strlen(location) > 255))
        status = opshift_fail(error, OPSHIFT_USAGE,
                              "external '%.200s': must be a path below the directory of the new model", location);
    if (status == OPSHIFT_OK && location) {
        weights.file = editing->weights = arena_alloc(editing->lasting, 1, sizeof(*weights.file));
        if (weights.file == NULL)
            return opshift_no_memory(error);
        weights.file->location = arena_print(editing->lasting, "%s", location);
    }
    for (uint32_t g = 0; status == OPSHIFT_OK && g < model->graph_count; g++)
        for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graphs[g]->initializer_count; i++)
            status = weight_move(&weights, model->graphs[g], &model->graphs[g]->initializers[i]);
    if (status == OPSHIFT_OK && weights.file)
        status = parts_settle(&weights);
    messages_free(&weights.messages);
    if (status || weights.count == 0)
        return status;
    return edit_tell(editing, location ? "external" : "internal", weights.count, error,
                     "%" PRIu64 " weight%s, %" PRIu64 " bytes, %s%s%s", weights.count, weights.count == 1 ? "" : "s",
                     weights.size, location ? "in '" : "in the model", location ? location : "", location ? "'" : "");
}

enum opshift_status weights_edit(struct editing *editing, struct opshift_error *error)
{
    size_t at = 0;
    const char *location = edit_next(editing, "external", &at);
    if (edit_has(editing, "internal") && location)
        return opshift_fail(error, OPSHIFT_USAGE, "edit: 'external' and 'internal' exclude each other");
    if (location == NULL && !edit_has(editing, "internal"))
        return opshift_fail(error, OPSHIFT_USAGE, "edit: 'external-from' and 'align' are of no use without 'external'");
    return weights_move(editing, location, error);
}
