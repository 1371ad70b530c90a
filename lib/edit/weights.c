/* --external, --internal, --external-from, --align and --dedupe: where weights are. */
#include "model/weights_file.h"

#include <inttypes.h>
#include <stdio.h>
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
    bool is_safetensors;
    struct scopes *scopes;
    uint32_t *uses; /* by number of a definition: the first node that reads it, from 1; 0: none */
    uint32_t node_count;
    struct weights_move *list;
    uint32_t count, room;
    uint64_t size;
    struct opshift_error *error;
};

/* A weight that moves. */
struct weights_move {
    struct graph *graph;
    const struct initializer *initializer;
    struct weight_part part;
    uint32_t use, number; /* first node that reads it; its place among those of the model */
    uint32_t placed;      /* in the parts of the file */
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

/* Gives the bytes a place in the new file. */
static enum opshift_status weight_place(struct weights *weights, struct weights_move *moving)
{
    struct weights_file *file = weights->file;
    struct weight_part *part = &moving->part;
    uint32_t shared = 0; /* several weights may be one range of a file */
    while (shared < file->count && !weight_parts_same(&file->parts[shared], part))
        shared++;
    moving->placed = shared;
    if (shared < file->count) {
        weights->size -= part->size;
        return OPSHIFT_OK;
    }
    if (!arena_list_grow(weights->editing->lasting, &file->parts, file->count, &file->room, sizeof(*file->parts)))
        return opshift_no_memory(weights->error);
    file->parts[file->count] = *part;
    file->parts[file->count].at = (file->size + weights->align - 1) / weights->align * weights->align;
    file->parts[file->count].model = NULL; /* the preview, which will be gone */
    file->size = file->parts[file->count++].at + part->size;
    return OPSHIFT_OK;
}

static enum opshift_status weight_out(struct weights *weights, const struct weights_move *moving)
{
    const struct weights_file *file = weights->file;
    const struct weight_part *part = &file->parts[moving->placed];
    struct buffer payload = {0};
    entry_add(&payload, "location", file->location, 0);
    entry_add(&payload, "offset", NULL, part->at);
    entry_add(&payload, "length", NULL, part->size);
    wire_add_int(&payload, TENSOR_LOCATION, 1);
    enum opshift_status status = payload_set(weights, moving->graph, moving->initializer, &payload);
    buffer_free(&payload);
    return status;
}

static enum opshift_status weight_in(struct weights *weights, const struct weights_move *moving)
{
    const struct weight_part *part = &moving->part;
    struct buffer payload = {0};
    uint8_t *bytes = malloc((size_t)part->size);
    enum opshift_status status = bytes ? weight_part_read(part, 0, bytes, (size_t)part->size, weights->error)
                                       : opshift_no_memory(weights->error);
    if (status == OPSHIFT_OK) {
        wire_add_bytes(&payload, TENSOR_RAW, bytes, (size_t)part->size);
        status = payload_set(weights, moving->graph, moving->initializer, &payload);
    }
    buffer_free(&payload);
    free(bytes);
    return status;
}

/* ---- all weights ---- */

static enum opshift_status weight_take(struct weights *weights, struct graph *graph, uint32_t index)
{
    struct initializer *initializer = &graph->initializers[index];
    struct weights_move moving = {.graph = graph, .initializer = initializer};
    if (!initializer->external && weights->file == NULL)
        return OPSHIFT_OK;
    enum opshift_status status =
        weight_part_find(weights->model, initializer, weights->editing->lasting, &moving.part, weights->error);
    if (status || moving.part.size == 0 || (!initializer->external && moving.part.size < weights->from))
        return status;
    if (!arena_list_grow(weights->editing->arena, &weights->list, weights->count, &weights->room,
                         sizeof(*weights->list)))
        return opshift_no_memory(weights->error);
    uint32_t use = weights->uses[scope_initializer_number(weights->scopes, graph, index)];
    moving.use = use ? use : UINT32_MAX;
    moving.number = weights->count;
    weights->list[weights->count++] = moving;
    weights->size += moving.part.size;
    return OPSHIFT_OK;
}

/* Numbers values by the node that reads them first. */
static void uses_count(struct weights *weights, struct graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct node *node = &graph->nodes[i];
        weights->node_count++;
        for (uint32_t k = 0; k < node->input_count; k++) {
            uint32_t *use = &weights->uses[scope_number(weights->scopes, graph, node_inputs(node)[k])];
            *use = *use ? *use : weights->node_count;
        }
        for (uint32_t k = 0; k < node_subgraph_count(node); k++)
            uses_count(weights, node_subgraphs(node)[k]);
    }
}

static int by_use(const void *one, const void *other)
{
    const struct weights_move *a = one, *b = other;
    int order = (a->use > b->use) - (a->use < b->use);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

/* In the layout of safetensors larger elements come first, so that all are aligned. */
static int by_element(const void *one, const void *other)
{
    const struct weights_move *a = one, *b = other;
    uint64_t first = type_size(a->initializer->type, 1), second = type_size(b->initializer->type, 1);
    return first == second ? by_use(one, other) : (first < second) - (first > second);
}

static enum opshift_status weights_take(struct weights *weights)
{
    struct opshift_model *model = weights->model;
    enum opshift_status status = scopes_new(model, &weights->scopes, weights->error);
    if (status == OPSHIFT_OK)
        weights->uses =
            arena_alloc(weights->editing->arena, scopes_last_number(weights->scopes) + UINT64_C(1), sizeof(uint32_t));
    if (status == OPSHIFT_OK && weights->uses == NULL)
        return opshift_no_memory(weights->error);
    if (status == OPSHIFT_OK)
        uses_count(weights, model->main);
    for (uint32_t g = 0; status == OPSHIFT_OK && g < model->graph_count; g++)
        for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graphs[g]->initializer_count; i++)
            status = weight_take(weights, model->graphs[g], i);
    if (status == OPSHIFT_OK && weights->count)
        qsort(weights->list, weights->count, sizeof(*weights->list), weights->is_safetensors ? by_element : by_use);
    return status;
}

/* ---- the layout of safetensors ---- */

static const char *safetensors_type(enum opshift_type type)
{
    static const char *const names[OPSHIFT_TYPE_COUNT] = {
        [OPSHIFT_TYPE_FLOAT] = "F32",          [OPSHIFT_TYPE_DOUBLE] = "F64",
        [OPSHIFT_TYPE_FLOAT16] = "F16",        [OPSHIFT_TYPE_BFLOAT16] = "BF16",
        [OPSHIFT_TYPE_INT64] = "I64",          [OPSHIFT_TYPE_INT32] = "I32",
        [OPSHIFT_TYPE_INT16] = "I16",          [OPSHIFT_TYPE_INT8] = "I8",
        [OPSHIFT_TYPE_UINT64] = "U64",         [OPSHIFT_TYPE_UINT32] = "U32",
        [OPSHIFT_TYPE_UINT16] = "U16",         [OPSHIFT_TYPE_UINT8] = "U8",
        [OPSHIFT_TYPE_BOOL] = "BOOL",          [OPSHIFT_TYPE_FLOAT8E4M3FN] = "F8_E4M3",
        [OPSHIFT_TYPE_FLOAT8E5M2] = "F8_E5M2",
    };
    return type < OPSHIFT_TYPE_COUNT ? names[type] : NULL;
}

static json_t *safetensors_entry(const struct weights_move *moving, const struct weight_part *part)
{
    const struct initializer *initializer = moving->initializer;
    const json_int_t start = (json_int_t)part->at, end = start + (json_int_t)part->size;
    json_t *shape = json_array();
    for (uint32_t i = 0; i < initializer->rank; i++)
        json_array_append_new(shape, json_integer(initializer->dims[i]));
    return json_pack("{s:s, s:o, s:[I, I]}", "dtype", safetensors_type(initializer->type), "shape", shape,
                     "data_offsets", start, end);
}

/* The header before the bytes: its size in 8 bytes, and what is where as JSON. */
static enum opshift_status header_add(struct weights *weights)
{
    struct weights_file *file = weights->file;
    json_t *root = json_object();
    for (size_t i = 0; i < weights->count; i++) {
        const struct weights_move *moving = &weights->list[i];
        const char *name = names_text(weights->model->names, moving->initializer->name);
        char numbered[OPSHIFT_ERROR_SIZE];
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again = again || weights->list[k].placed == moving->placed;
        if (again)
            continue;
        if (json_object_get(root, name) && snprintf(numbered, sizeof(numbered), "%.400s#%zu", name, i) > 0)
            name = numbered;
        if (json_object_set_new(root, name, safetensors_entry(moving, &file->parts[moving->placed])) != 0) {
            json_decref(root);
            return opshift_fail(weights->error, OPSHIFT_UNSUPPORTED,
                                "safetensors: the name '%.80s' is no UTF-8, which that layout wants; rename the weight",
                                name);
        }
    }
    char *text = root ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    uint64_t size = text ? (strlen(text) + 7) / 8 * 8 : 0;
    uint8_t *bytes = text ? arena_alloc(weights->editing->lasting, size + 8, 1) : NULL;
    bool grown = bytes && arena_list_grow(weights->editing->lasting, &file->parts, file->count, &file->room,
                                          sizeof(*file->parts));
    if (grown) {
        for (unsigned i = 0; i < 8; i++)
            bytes[i] = (uint8_t)(size >> 8 * i);
        memset(bytes + 8, ' ', (size_t)size);
        for (size_t i = 0; text[i] != '\0'; i++)
            bytes[8 + i] = (uint8_t)text[i];
        memmove(file->parts + 1, file->parts, file->count++ * sizeof(*file->parts));
        file->parts[0] = (struct weight_part){.bytes = bytes, .size = size + 8};
        for (uint32_t i = 1; i < file->count; i++)
            file->parts[i].at += size + 8;
        for (size_t i = 0; i < weights->count; i++)
            weights->list[i].placed++;
        file->size += size + 8;
    }
    free(text);
    return grown ? OPSHIFT_OK : opshift_no_memory(weights->error);
}

static enum opshift_status types_check(const struct weights *weights)
{
    for (size_t i = 0; weights->is_safetensors && i < weights->count; i++)
        if (safetensors_type(weights->list[i].initializer->type) == NULL)
            return opshift_fail(weights->error, OPSHIFT_UNSUPPORTED,
                                "safetensors: weight '%.80s' is %s, which that layout does not have; use --external",
                                names_text(weights->model->names, weights->list[i].initializer->name),
                                type_name(weights->list[i].initializer->type));
    return OPSHIFT_OK;
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
        at = list[at].start > part->offset ? 0 : at;
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

static enum opshift_status weights_move(struct editing *editing, const char *location, bool is_safetensors,
                                        struct opshift_error *error)
{
    struct opshift_model *model = editing->model;
    struct weights weights = {
        .editing = editing, .model = model, .messages.model = model, .is_safetensors = is_safetensors, .error = error};
    enum opshift_status status = edit_number(editing, "external-from", FROM_DEFAULT, &weights.from, error);
    if (status == OPSHIFT_OK)
        status = edit_number(editing, "align", ALIGN_DEFAULT, &weights.align, error);
    weights.align = weights.align && !is_safetensors ? weights.align : 1; /* there, one follows the other */
    if (status == OPSHIFT_OK && location && (*location == '/' || strstr(location, "..") || strlen(location) > 255))
        status = opshift_fail(error, OPSHIFT_USAGE,
                              "external '%.200s': must be a path below the directory of the new model", location);
    if (status == OPSHIFT_OK && location) {
        weights.file = editing->weights = arena_alloc(editing->lasting, 1, sizeof(*weights.file));
        if (weights.file == NULL)
            return opshift_no_memory(error);
        weights.file->location = arena_print(editing->lasting, "%s", location);
    }
    if (status == OPSHIFT_OK)
        status = weights_take(&weights);
    if (status == OPSHIFT_OK)
        status = types_check(&weights);
    if (status == OPSHIFT_OK && location == NULL && weights.size > INT32_MAX)
        status = opshift_fail(error, OPSHIFT_UNSUPPORTED,
                              "internal: the weights take %" PRIu64 " bytes, but readers of protobuf take no more than "
                              "%d; leave them in files",
                              weights.size, INT32_MAX);
    for (size_t i = 0; status == OPSHIFT_OK && location && i < weights.count; i++)
        status = weight_place(&weights, &weights.list[i]);
    if (status == OPSHIFT_OK && weights.is_safetensors)
        status = header_add(&weights);
    for (size_t i = 0; status == OPSHIFT_OK && i < weights.count; i++)
        status = location ? weight_out(&weights, &weights.list[i]) : weight_in(&weights, &weights.list[i]);
    if (status == OPSHIFT_OK && weights.file)
        status = parts_settle(&weights);
    scopes_free(weights.scopes);
    messages_free(&weights.messages);
    if (status || weights.count == 0)
        return status;
    return edit_tell(editing,
                     weights.is_safetensors ? "safetensors"
                     : location             ? "external"
                                            : "internal",
                     weights.count, error, "%" PRIu32 " weight%s, %" PRIu64 " bytes, %s%s%s", weights.count,
                     weights.count == 1 ? "" : "s", weights.size, location ? "in '" : "in the model",
                     location ? location : "", location ? "'" : "");
}

enum opshift_status weights_edit(struct editing *editing, struct opshift_error *error)
{
    size_t at = 0, start = 0;
    const char *location = edit_next(editing, "external", &at), *tensors = edit_next(editing, "safetensors", &start);
    if ((location != NULL) + (tensors != NULL) + edit_has(editing, "internal") > 1)
        return opshift_fail(error, OPSHIFT_USAGE, "edit: 'external', 'safetensors' and 'internal' exclude each other");
    if (location == NULL && tensors == NULL && !edit_has(editing, "internal"))
        return opshift_fail(error, OPSHIFT_USAGE, "edit: 'external-from' and 'align' are of no use without 'external'");
    return weights_move(editing, tensors ? tensors : location, tensors != NULL, error);
}
