/* Writes a draft's node as a whole record: what the draft changed, and all else as it stands in the file. */
#include "convert/record.h"

#include <string.h>

#include "convert/piece.h"
#include "wire/wire.h"

enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_OP_TYPE = 4, NODE_ATTRIBUTE = 5 };

#define NOWHERE SIZE_MAX

/* Where the records of one kind end in what is written, so that more of them go behind the last. */
struct record {
    const struct draft *draft;
    struct buffer *out;
    size_t start;
    uint32_t inputs, outputs, attributes;           /* records seen; of attributes those that the draft has still */
    size_t inputs_end, outputs_end, attributes_end; /* in out; NOWHERE: there is none */
};

static void write_name(struct record *record, uint32_t number, name_id name)
{
    struct bytes bytes = names_bytes(record->draft->model->names, name);
    wire_add_bytes(record->out, number, bytes.data, bytes.size);
}

static enum opshift_status copy_field(struct record *record, const struct wire_field *field,
                                      struct opshift_error *error)
{
    size_t size = (size_t)(field->offset + field->size - field->record);
    if (!buffer_reserve(record->out, size))
        return opshift_no_memory(error);
    enum opshift_status status =
        source_read(record->draft->model->source, field->record, record->out->data + record->out->size, size, error);
    record->out->size += size;
    return status;
}

static void write_attribute(struct record *record, const struct draft_attribute *attribute)
{
    piece_add_message(record->out, NODE_ATTRIBUTE, &attribute->message->base);
}

static bool is_graph(const struct draft_attribute *attribute)
{
    return attribute->message->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH ||
           attribute->message->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPHS;
}

/* A draft keeps its attributes in the order of the file; what it removed is missing there. */
static enum opshift_status pass_attribute(struct record *record, const struct wire_field *field,
                                          struct opshift_error *error)
{
    const struct draft *draft = record->draft;
    enum opshift_status status = OPSHIFT_OK;
    if (record->attributes < draft->attribute_count &&
        range_record(draft->attributes[record->attributes].range) == field->record) {
        const struct draft_attribute *attribute = &draft->attributes[record->attributes++];
        if (attribute->changed || is_graph(attribute))
            write_attribute(record, attribute);
        else
            status = copy_field(record, field, error);
    }
    record->attributes_end = record->out->size;
    return status;
}

static enum opshift_status pass_field(struct record *record, const struct wire_field *field,
                                      struct opshift_error *error)
{
    const struct draft *draft = record->draft;
    switch (field->number) {
    case NODE_INPUT:
        if (record->inputs < draft->input_count)
            write_name(record, NODE_INPUT, draft->inputs[record->inputs].name);
        record->inputs++;
        record->inputs_end = record->out->size;
        return OPSHIFT_OK;
    case NODE_OUTPUT:
        if (record->outputs < draft->output_count)
            write_name(record, NODE_OUTPUT, draft->outputs[record->outputs]);
        record->outputs++;
        record->outputs_end = record->out->size;
        return OPSHIFT_OK;
    case NODE_OP_TYPE:
        wire_add_bytes(record->out, NODE_OP_TYPE, draft->op_type, strlen(draft->op_type));
        return OPSHIFT_OK;
    case NODE_ATTRIBUTE:
        return pass_attribute(record, field, error);
    default:
        return copy_field(record, field, error);
    }
}

/* What was added at the end from `from` on goes to `to`. False: no memory. */
static bool move_back(struct buffer *out, size_t from, size_t to)
{
    size_t size = out->size - from;
    if (size == 0 || from == to)
        return !out->failed;
    if (!buffer_reserve(out, size))
        return false;
    memcpy(out->data + out->size, out->data + from, size); /* behind the end, which the reserve gave */
    memmove(out->data + to + size, out->data + to, from - to);
    memcpy(out->data + to, out->data + out->size, size);
    return true;
}

/* Inputs, outputs and attributes beyond those that stand there: behind the last of their kind, or at the end. */
static bool write_more(struct record *record)
{
    const struct draft *draft = record->draft;
    struct buffer *out = record->out;
    size_t ends[] = {record->inputs_end, record->outputs_end, record->attributes_end}, end = out->size;
    for (int kind = 0; kind < 3; kind++) {
        size_t from = out->size, to = ends[kind] == NOWHERE ? end : ends[kind];
        for (uint32_t i = record->inputs; kind == 0 && i < draft->input_count; i++)
            write_name(record, NODE_INPUT, draft->inputs[i].name);
        for (uint32_t i = record->outputs; kind == 1 && i < draft->output_count; i++)
            write_name(record, NODE_OUTPUT, draft->outputs[i]);
        for (uint32_t i = 0; kind == 2 && i < draft->attribute_count; i++)
            if (range_size(draft->attributes[i].range) == 0 && range_record(draft->attributes[i].range) == 0)
                write_attribute(record, &draft->attributes[i]);
        size_t size = out->size - from;
        if (!move_back(out, from, to))
            return false;
        end += size;
        for (int other = 0; other < 3; other++)
            if (ends[other] != NOWHERE && (ends[other] > to || (ends[other] == to && other != kind)))
                ends[other] += size;
    }
    return !out->failed;
}

enum opshift_status record_write(const struct draft *draft, struct buffer *out, struct opshift_error *error)
{
    struct range range = draft->node->range;
    struct record record = {draft, out, out->size, 0, 0, 0, NOWHERE, NOWHERE, NOWHERE};
    struct wire_cursor cursor = {draft->model->source, range_offset(range), range_end(range)};
    struct wire_field field;
    bool found;
    enum opshift_status status;
    while ((status = wire_next(&cursor, &field, &found, error)) == OPSHIFT_OK && found)
        if ((status = pass_field(&record, &field, error)))
            return status;
    if (status)
        return status;
    if (!write_more(&record))
        return opshift_no_memory(error);
    uint8_t head[WIRE_HEAD_MAX];
    size_t size = out->size - record.start;
    size_t head_size = wire_put_head(head, graph_node_field(draft->graph), size);
    if (!buffer_reserve(out, head_size))
        return opshift_no_memory(error);
    memmove(out->data + record.start + head_size, out->data + record.start, size);
    memcpy(out->data + record.start, head, head_size);
    out->size += head_size;
    return OPSHIFT_OK;
}
