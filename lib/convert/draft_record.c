/* Writes what a draft changed in its node's record; everything else stays as it is in the file. */
#include "convert/draft_record.h"

#include <string.h>

#include "model/fields.h"
#include "wire/wire.h"

/* Compares the fields of a node, in order, with the draft. */
struct record_walk {
    const struct draft *draft;
    struct buffer *changes, *bytes;
    size_t first;                                     /* index of its first change */
    uint32_t inputs, outputs, attributes;             /* fields seen; attributes: only those that the draft still has */
    uint64_t inputs_end, outputs_end, attributes_end; /* offset behind the last field of a kind; 0: no such field */
};

/* ---- changes ----------------------------------------------------------------------------------------------------- */

/* Adds a change: the bytes added from `place` on replace `removed` bytes. An insertion comes before a removal at the
 * same offset. */
static void change_add(struct record_walk *walk, uint64_t offset, uint64_t removed, size_t place)
{
    struct plan_change change = {offset, removed, place, walk->bytes->size - place};
    if (!buffer_reserve(walk->changes, sizeof(change)))
        return;
    struct plan_change *list = (struct plan_change *)(void *)walk->changes->data;
    size_t at = walk->changes->size / sizeof(change);
    for (; at > walk->first; at--) {
        const struct plan_change *before = &list[at - 1];
        if (before->offset < offset || (before->offset == offset && (removed > 0 || before->removed == 0)))
            break;
        list[at] = *before;
    }
    list[at] = change;
    walk->changes->size += sizeof(change);
}

static void change_field(struct record_walk *walk, const struct wire_field *field, size_t place)
{
    change_add(walk, field->record, field->offset + field->size - field->record, place);
}

static void add_name(struct record_walk *walk, uint32_t number, name_id name)
{
    struct bytes bytes = names_bytes(walk->draft->model->names, name);
    wire_add_bytes(walk->bytes, number, bytes.data, bytes.size);
}

/* Compares the position-th input or output: kept, replaced or removed. */
static void walk_name(struct record_walk *walk, const struct wire_field *field, bool output)
{
    const struct draft *draft = walk->draft;
    uint32_t position = output ? walk->outputs++ : walk->inputs++;
    bool stays = position < (output ? draft->output_count : draft->input_count);
    name_id was = (output ? node_outputs(draft->node) : node_inputs(draft->node))[position];
    name_id now = !stays ? was : output ? draft->outputs[position] : draft->inputs[position].name;
    *(output ? &walk->outputs_end : &walk->inputs_end) = field->offset + field->size;
    size_t place = walk->bytes->size;
    if (stays && now == was)
        return;
    if (stays)
        add_name(walk, field->number, now);
    change_field(walk, field, place);
}

/* The draft keeps its attributes in file order, so an attribute missing at this position was removed. */
static void walk_attribute(struct record_walk *walk, const struct wire_field *field)
{
    const struct draft *draft = walk->draft;
    size_t place = walk->bytes->size;
    walk->attributes_end = field->offset + field->size;
    if (walk->attributes < draft->attribute_count &&
        range_record(draft->attributes[walk->attributes].range) == field->record) {
        const struct draft_attribute *attribute = &draft->attributes[walk->attributes++];
        if (!attribute->changed)
            return;
        wire_add_message(walk->bytes, NODE_ATTRIBUTE, &attribute->message->base);
    }
    change_field(walk, field, place);
}

static void walk_op_type(struct record_walk *walk, const struct wire_field *field)
{
    const struct draft *draft = walk->draft;
    size_t place = walk->bytes->size;
    if (strcmp(draft->op_type, names_text(draft->model->names, draft->node->op_type)) == 0)
        return;
    wire_add_bytes(walk->bytes, NODE_OP_TYPE, draft->op_type, strlen(draft->op_type));
    change_field(walk, field, place);
}

static void walk_field(struct record_walk *walk, const struct wire_field *field)
{
    switch (field->number) {
    case NODE_INPUT:
        walk_name(walk, field, false);
        break;
    case NODE_OUTPUT:
        walk_name(walk, field, true);
        break;
    case NODE_ATTRIBUTE:
        walk_attribute(walk, field);
        break;
    case NODE_OP_TYPE:
        walk_op_type(walk, field);
        break;
    default:
        break;
    }
}

/* The bytes added from `place` on, if any, go behind the last field of the kind, or to the end. */
static void change_behind(struct record_walk *walk, uint64_t last, size_t place)
{
    if (walk->bytes->size > place)
        change_add(walk, last ? last : range_end(walk->draft->node->range), 0, place);
}

/* Adds inputs, outputs and attributes beyond those in the file. */
static void walk_more(struct record_walk *walk)
{
    const struct draft *draft = walk->draft;
    size_t place = walk->bytes->size;
    for (uint32_t i = walk->inputs; i < draft->input_count; i++)
        add_name(walk, NODE_INPUT, draft->inputs[i].name);
    change_behind(walk, walk->inputs_end, place);
    place = walk->bytes->size;
    for (uint32_t i = walk->outputs; i < draft->output_count; i++)
        add_name(walk, NODE_OUTPUT, draft->outputs[i]);
    change_behind(walk, walk->outputs_end, place);
    place = walk->bytes->size;
    for (uint32_t i = 0; i < draft->attribute_count; i++)
        if (range_size(draft->attributes[i].range) == 0 && range_record(draft->attributes[i].range) == 0)
            wire_add_message(walk->bytes, NODE_ATTRIBUTE, &draft->attributes[i].message->base);
    change_behind(walk, walk->attributes_end, place);
}

enum opshift_status record_changes(const struct draft *draft, struct buffer *changes, struct buffer *bytes,
                                   struct opshift_error *error)
{
    struct record_walk walk = {.draft = draft, .changes = changes, .bytes = bytes};
    struct range range = draft->node->range;
    struct wire_cursor cursor = {draft->model->source, range_offset(range), range_end(range)};
    struct wire_field field;
    bool found;
    enum opshift_status status;
    walk.first = changes->size / sizeof(struct plan_change);
    while ((status = wire_next(&cursor, &field, &found, error)) == OPSHIFT_OK && found)
        walk_field(&walk, &field);
    if (status == OPSHIFT_OK)
        walk_more(&walk);
    return status == OPSHIFT_OK && (changes->failed || bytes->failed) ? opshift_no_memory(error) : status;
}

/* ---- whole records ----------------------------------------------------------------------------------------------- */

/* Copies an attribute without its subgraphs. */
static enum opshift_status copy_attribute(struct source *source, const struct wire_field *attribute, struct buffer *out,
                                          struct opshift_error *error)
{
    struct wire_cursor cursor = {source, attribute->offset, attribute->offset + attribute->size};
    struct wire_field field;
    struct buffer rest = {0};
    bool found;
    enum opshift_status status;
    while ((status = wire_next(&cursor, &field, &found, error)) == OPSHIFT_OK && found)
        if (field.number != ATTRIBUTE_FIELD_GRAPH && field.number != ATTRIBUTE_FIELD_GRAPHS &&
            (status = wire_copy_field(source, &field, &rest, error)))
            break;
    if (status == OPSHIFT_OK)
        wire_add_bytes(out, NODE_ATTRIBUTE, rest.data, rest.size);
    out->failed |= rest.failed;
    buffer_free(&rest);
    return status;
}

/* Copies the unchanged bytes between two fields of a node. */
static enum opshift_status copy_fields(struct source *source, uint64_t from, uint64_t end, bool without_graphs,
                                       struct buffer *out, struct opshift_error *error)
{
    struct wire_cursor cursor = {source, from, end};
    struct wire_field field;
    bool found;
    enum opshift_status status = OPSHIFT_OK;
    if (!without_graphs)
        return wire_copy(source, from, end, out, error);
    while (from < end && (status = wire_next(&cursor, &field, &found, error)) == OPSHIFT_OK && found) {
        status = field.number == NODE_ATTRIBUTE ? copy_attribute(source, &field, out, error)
                                                : wire_copy_field(source, &field, out, error);
        if (status)
            break;
    }
    return status;
}

enum opshift_status record_compose(struct opshift_model *model, struct range range, const struct plan_change *changes,
                                   size_t count, const uint8_t *bytes, bool without_graphs, struct buffer *out,
                                   struct opshift_error *error)
{
    uint64_t at = range_offset(range);
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        status = copy_fields(model->source, at, changes[i].offset, without_graphs, out, error);
        if (changes[i].size > 0)
            buffer_add(out, bytes + changes[i].place, changes[i].size);
        at = changes[i].offset + changes[i].removed;
    }
    if (status == OPSHIFT_OK)
        status = copy_fields(model->source, at, range_end(range), without_graphs, out, error);
    return status == OPSHIFT_OK && out->failed ? opshift_no_memory(error) : status;
}
