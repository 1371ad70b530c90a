/* Walks over the names, descriptions and metadata of a model, and edits them in place. */
#include "edit/walk.h"

#include <stdlib.h>

#include "base/list.h"
#include "edit/edit.h"
#include "model/fields.h"
#include "wire/wire.h"

/* ---- messages ---- */

static uint64_t message_hash(const struct table *table, uint64_t offset)
{
    return table_hash(table, &offset, sizeof(offset));
}

static bool messages_learn(struct messages *messages)
{
    struct opshift_model *model = messages->model;
    for (; messages->known < model->message_count; messages->known++) {
        if (!table_reserve(&messages->table, 1))
            return false;
        table_put(&messages->table, message_hash(&messages->table, model->messages[messages->known]->offset),
                  messages->known);
    }
    return true;
}

struct message *messages_find(struct messages *messages, struct message *parent, uint64_t record, uint64_t offset,
                              uint64_t size)
{
    struct opshift_model *model = messages->model;
    if (!messages_learn(messages) || !table_reserve(&messages->table, 1))
        return NULL;
    uint64_t hash = message_hash(&messages->table, offset);
    for (uint32_t at = 0, item; (item = table_next(&messages->table, hash, &at)) != TABLE_NONE;)
        if (model->messages[item]->offset == offset && model->messages[item]->size == size)
            return model->messages[item];
    struct message *message = arena_alloc(model->arena, 1, sizeof(*message));
    if (message == NULL ||
        !list_grow(&model->messages, model->message_count, &model->message_room, sizeof(struct message *)))
        return NULL;
    *message = message_make(parent, record, offset, size);
    model->messages[model->message_count++] = message;
    return messages_learn(messages) ? message : NULL;
}

void messages_free(struct messages *messages)
{
    table_free(&messages->table);
}

/* ---- what leads where ---- */

struct walk_kind;

struct walk_field {
    uint32_t number;
    unsigned part;                /* 0: a message to descend into */
    const struct walk_kind *kind; /* of that message */
};

/* A message type: its fields that matter, and the parts that are below. */
struct walk_kind {
    unsigned parts;
    const struct walk_field *fields; /* ends with {0} */
    bool is_function;
};

#define FIELDS(...)                                                                                                    \
    (const struct walk_field[])                                                                                        \
    {                                                                                                                  \
        __VA_ARGS__,                                                                                                   \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }
#define ANY       (2 * (unsigned)WALK_INFO - 1)
#define META      (WALK_METADATA | WALK_METADATA_VALUE)
#define OF_TENSOR (WALK_DOC | META)

static const struct walk_kind graph_kind, type_kind;

static const struct walk_kind entry_kind = {META, FIELDS({2, WALK_METADATA_VALUE, NULL}), false};
static const struct walk_kind dim_kind = {WALK_DIM, FIELDS({2, WALK_DIM, NULL}), false};
static const struct walk_kind shape_kind = {WALK_DIM, FIELDS({1, 0, &dim_kind}), false};
static const struct walk_kind tensor_type_kind = {WALK_DIM, FIELDS({2, 0, &shape_kind}), false};
static const struct walk_kind held_kind = {WALK_DIM, FIELDS({1, 0, &type_kind}), false};
static const struct walk_kind map_kind = {WALK_DIM, FIELDS({2, 0, &type_kind}), false};
static const struct walk_kind type_kind = {WALK_DIM,
                                           FIELDS({1, 0, &tensor_type_kind}, {4, 0, &held_kind}, {5, 0, &map_kind},
                                                  {8, 0, &tensor_type_kind}, {9, 0, &held_kind}),
                                           false};
static const struct walk_kind info_kind = {
    WALK_VALUE | WALK_DIM | OF_TENSOR,
    FIELDS({1, WALK_VALUE, NULL}, {2, 0, &type_kind}, {3, WALK_DOC, NULL}, {4, WALK_METADATA, &entry_kind}), false};
static const struct walk_kind initializer_kind = {
    WALK_VALUE | OF_TENSOR,
    FIELDS({TENSOR_NAME, WALK_VALUE, NULL}, {12, WALK_DOC, NULL}, {16, WALK_METADATA, &entry_kind}), false};
static const struct walk_kind sparse_kind = {WALK_VALUE | OF_TENSOR, FIELDS({1, 0, &initializer_kind}), false};
static const struct walk_kind tensor_kind = {OF_TENSOR, FIELDS({12, WALK_DOC, NULL}, {16, WALK_METADATA, &entry_kind}),
                                             false};
static const struct walk_kind value_kind = {WALK_VALUE, FIELDS({2, WALK_VALUE, NULL}), false};
static const struct walk_kind pair_kind = {WALK_VALUE, FIELDS({1, WALK_VALUE, NULL}, {2, WALK_VALUE, NULL}), false};
static const struct walk_kind annotation_kind = {WALK_VALUE, FIELDS({1, WALK_VALUE, NULL}, {2, 0, &value_kind}), false};
static const struct walk_kind sharding_kind = {WALK_VALUE, FIELDS({1, WALK_VALUE, NULL}), false};
static const struct walk_kind devices_kind = {WALK_VALUE, FIELDS({2, 0, &sharding_kind}), false};
static const struct walk_kind attribute_kind = {
    ANY,
    FIELDS({ATTRIBUTE_FIELD_TENSOR, 0, &tensor_kind}, {ATTRIBUTE_FIELD_GRAPH, 0, &graph_kind}, {10, 0, &tensor_kind},
           {ATTRIBUTE_FIELD_GRAPHS, 0, &graph_kind}, {13, WALK_DOC, NULL}, {14, 0, &type_kind}, {15, 0, &type_kind}),
    false};
static const struct walk_kind node_kind = {
    ANY,
    FIELDS({NODE_INPUT, WALK_VALUE, NULL}, {NODE_OUTPUT, WALK_VALUE, NULL}, {NODE_NAME, WALK_NODE, NULL},
           {NODE_ATTRIBUTE, 0, &attribute_kind}, {NODE_DOC_STRING, WALK_DOC, NULL}, {NODE_DOMAIN, WALK_DOMAIN, NULL},
           {NODE_METADATA, WALK_METADATA, &entry_kind}, {NODE_DEVICES, 0, &devices_kind}),
    false};
static const struct walk_kind graph_kind = {
    ANY,
    FIELDS({1, 0, &node_kind}, {2, WALK_GRAPH, NULL}, {GRAPH_INITIALIZER, 0, &initializer_kind}, {10, WALK_DOC, NULL},
           {GRAPH_INPUT, 0, &info_kind}, {GRAPH_OUTPUT, 0, &info_kind}, {GRAPH_VALUE_INFO, WALK_INFO, &info_kind},
           {GRAPH_ANNOTATION, 0, &annotation_kind}, {15, 0, &sparse_kind}, {16, WALK_METADATA, &entry_kind}),
    false};
static const struct walk_kind import_kind = {WALK_DOMAIN, FIELDS({1, WALK_DOMAIN, NULL}), false};
static const struct walk_kind training_kind = {
    ANY, FIELDS({1, 0, &graph_kind}, {2, 0, &graph_kind}, {3, 0, &pair_kind}, {4, 0, &pair_kind}), false};
static const struct walk_kind function_kind = {ANY,
                                               FIELDS({4, WALK_VALUE, NULL}, {5, WALK_VALUE, NULL}, {7, 0, &node_kind},
                                                      {8, WALK_DOC, NULL}, {9, 0, &import_kind},
                                                      {10, WALK_DOMAIN, NULL}, {11, 0, &attribute_kind},
                                                      {12, WALK_INFO, &info_kind}, {14, WALK_METADATA, &entry_kind}),
                                               true};
static const struct walk_kind model_kind = {
    ANY,
    FIELDS({6, WALK_DOC, NULL}, {7, 0, &graph_kind}, {MODEL_OPSET_IMPORT, 0, &import_kind},
           {MODEL_METADATA, WALK_METADATA, &entry_kind}, {MODEL_TRAINING, 0, &training_kind}, {25, 0, &function_kind}),
    false};

/* ---- the walk ---- */

struct edit_walk {
    struct opshift_model *model;
    unsigned parts;
    walk_visit *visit;
    void *data;
    struct messages messages;
    struct buffer text, record;
    struct opshift_error *error;
};

/* A message that is being walked over; its struct message is found when an edit needs it. */
struct walk_frame {
    struct walk_frame *around;
    struct message *message;
    uint64_t record, offset, size;
    bool in_function;
};

static struct message *frame_message(struct edit_walk *walk, struct walk_frame *frame)
{
    if (frame->message == NULL) {
        struct message *parent = frame_message(walk, frame->around);
        frame->message =
            parent ? messages_find(&walk->messages, parent, frame->record, frame->offset, frame->size) : NULL;
    }
    return frame->message;
}

/* The text of a field, or of the key of an entry. */
static enum opshift_status text_read(struct edit_walk *walk, const struct wire_field *field, enum walk_part part)
{
    struct wire_field inner = *field;
    walk->text.size = 0;
    if (part == WALK_METADATA) {
        struct wire_cursor cursor = {walk->model->source, field->offset, field->offset + field->size};
        bool found = true;
        inner.size = 0;
        for (struct wire_field key; found;) {
            enum opshift_status status = wire_next(&cursor, &key, &found, walk->error);
            if (status)
                return status;
            if (found && key.number == 1 && key.type == WIRE_BYTES)
                inner = key;
        }
    }
    enum opshift_status status =
        wire_copy(walk->model->source, inner.offset, inner.offset + inner.size, &walk->text, walk->error);
    return status == OPSHIFT_OK && walk->text.failed ? opshift_no_memory(walk->error) : status;
}

static enum opshift_status field_edit(struct edit_walk *walk, struct walk_frame *frame, const struct wire_field *field,
                                      enum walk_answer answer, struct bytes text)
{
    struct message *parent = frame_message(walk, frame);
    walk->record.size = 0;
    if (answer == WALK_REPLACE)
        wire_add_bytes(&walk->record, field->number, text.data, text.size);
    if (parent == NULL || walk->record.failed)
        return opshift_no_memory(walk->error);
    return model_edit(walk->model, parent, field->record, field->offset + field->size - field->record,
                      (struct bytes){walk->record.data, walk->record.size}, walk->error);
}

static enum opshift_status field_visit(struct edit_walk *walk, struct walk_frame *frame, const struct wire_field *field,
                                       enum walk_part part, enum walk_answer *answer)
{
    struct bytes text = {0};
    enum opshift_status status = part == WALK_INFO ? OPSHIFT_OK : text_read(walk, field, part);
    if (status)
        return status;
    struct walk_place place = {
        part, frame->in_function, {walk->text.data, walk->text.size}, field->offset + field->size - field->record};
    if (part == WALK_INFO)
        place.text = (struct bytes){0};
    *answer = walk->visit(walk->data, &place, &text);
    return *answer == WALK_KEEP ? OPSHIFT_OK : field_edit(walk, frame, field, *answer, text);
}

static const struct walk_field *field_find(const struct walk_kind *kind, uint32_t number)
{
    const struct walk_field *field = kind->fields;
    while (field->number && field->number != number)
        field++;
    return field->number ? field : NULL;
}

static enum opshift_status kind_walk(struct edit_walk *walk, const struct walk_kind *kind, struct walk_frame *frame)
{
    struct wire_cursor cursor = {walk->model->source, frame->offset, frame->offset + frame->size};
    for (;;) {
        struct wire_field field;
        bool found;
        enum opshift_status status = wire_next(&cursor, &field, &found, walk->error);
        if (status || !found)
            return status;
        const struct walk_field *known = field.type == WIRE_BYTES ? field_find(kind, field.number) : NULL;
        enum walk_answer answer = WALK_KEEP;
        if (known && (known->part & walk->parts))
            status = field_visit(walk, frame, &field, (enum walk_part)known->part, &answer);
        if (status == OPSHIFT_OK && answer == WALK_KEEP && known && known->kind && (known->kind->parts & walk->parts)) {
            struct walk_frame inner = {frame,        NULL,       field.record,
                                       field.offset, field.size, frame->in_function || known->kind->is_function};
            status = kind_walk(walk, known->kind, &inner);
        }
        if (status)
            return status;
    }
}

struct names_seen {
    struct names *names;
    struct buffer bits;
};

static enum walk_answer name_see(void *data, const struct walk_place *place, struct bytes *text)
{
    struct names_seen *seen = data;
    name_id name = names_add(seen->names, place->text.data, place->text.size);
    (void)text;
    while (name != NAME_NO_MEMORY && name / 8 >= seen->bits.size && !seen->bits.failed)
        buffer_add_byte(&seen->bits, 0);
    if (name != NAME_NO_MEMORY && name != NAME_NONE && !seen->bits.failed)
        bit_set(seen->bits.data, name);
    return WALK_KEEP;
}

enum opshift_status edit_names(struct editing *editing, unsigned part, uint8_t **bits, struct opshift_error *error)
{
    struct names_seen seen = {.names = editing->model->names};
    enum opshift_status status = model_walk(editing->model, part, name_see, &seen, error);
    *bits = arena_alloc(editing->arena, names_count(seen.names) / 8 + UINT64_C(1), 1);
    bool good = *bits && !seen.bits.failed;
    if (good && seen.bits.size)
        memcpy(*bits, seen.bits.data, seen.bits.size);
    buffer_free(&seen.bits);
    return status || good ? status : opshift_no_memory(error);
}

enum opshift_status model_walk(struct opshift_model *model, unsigned parts, walk_visit *visit, void *data,
                               struct opshift_error *error)
{
    struct edit_walk walk = {.model = model, .parts = parts, .visit = visit, .data = data, .error = error};
    struct walk_frame frame = {NULL, model->message, 0, model->message->offset, model->message->size, false};
    walk.messages.model = model;
    enum opshift_status status = kind_walk(&walk, &model_kind, &frame);
    messages_free(&walk.messages);
    buffer_free(&walk.text);
    buffer_free(&walk.record);
    return status;
}
