/* The edit that turns a node into its draft: the fields that differ are written anew, all else in the node's message,
 * unknown fields too, keeps its bytes. */
#include <string.h>

#include "convert/convert.h"
#include "convert/piece.h"
#include "wire/wire.h"

/* Field numbers of onnx.proto. */
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_OP_TYPE = 4, NODE_ATTRIBUTE = 5 };

#define SMALL_SIZE 4096u

/* The fields of a node, one after the other, against the draft. */
struct splice {
    struct opshift_model *model;
    struct draft *draft;
    struct range range;                               /* of the node */
    struct message *message;                          /* of the node; NULL: it is small, and written anew: */
    struct buffer made;                               /* its new payload, */
    uint64_t at;                                      /* as far as this in the old one */
    uint32_t inputs, outputs, attributes;             /* met; of attributes those that the draft still has */
    uint64_t inputs_end, outputs_end, attributes_end; /* behind the last field of a kind; 0: there is none */
};

/* Copies what stands before a place. */
static enum opshift_status copy_until(struct splice *splice, uint64_t place, struct opshift_error *error)
{
    size_t size = (size_t)(place - splice->at);
    const uint8_t *kept = source_window(splice->model->source, splice->at, size, error);
    if (kept == NULL)
        return error ? error->status : OPSHIFT_IO;
    buffer_add(&splice->made, kept, size);
    splice->at = place;
    return OPSHIFT_OK;
}

/* Puts bytes in the place of others; places rise. Takes the buffer. */
static enum opshift_status replace(struct splice *splice, uint64_t offset, uint64_t removed, struct buffer *added,
                                   struct opshift_error *error)
{
    struct bytes bytes = {added->data, added->size};
    enum opshift_status status = added->failed ? opshift_no_memory(error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK && splice->message) {
        status = model_edit(splice->model, splice->message, offset, removed, bytes, error);
    } else if (status == OPSHIFT_OK) {
        status = copy_until(splice, offset, error);
        buffer_add(&splice->made, bytes.data, bytes.size);
        splice->at = offset + removed;
    }
    buffer_free(added);
    return status;
}

static enum opshift_status replace_field(struct splice *splice, const struct wire_field *field, struct buffer *added,
                                         struct opshift_error *error)
{
    return replace(splice, field->record, field->offset + field->size - field->record, added, error);
}

/* The next input or output: kept, replaced or removed. */
static enum opshift_status splice_name(struct splice *splice, const struct wire_field *field, bool output,
                                       struct opshift_error *error)
{
    struct draft *draft = splice->draft;
    const struct node *node = draft->node;
    struct buffer added = {0};
    uint32_t position = output ? splice->outputs++ : splice->inputs++;
    name_id was = (output ? node_outputs(node) : node_inputs(node))[position];
    if (position >= (output ? draft->output_count : draft->input_count))
        return replace_field(splice, field, &added, error);
    name_id now = output ? draft->outputs[position] : draft->inputs[position].name;
    if (now == was)
        return OPSHIFT_OK;
    struct bytes name = names_bytes(splice->model->names, now);
    wire_add_bytes(&added, field->number, name.data, name.size);
    return replace_field(splice, field, &added, error);
}

static enum opshift_status splice_attribute(struct splice *splice, const struct wire_field *field,
                                            struct opshift_error *error)
{
    const struct draft *draft = splice->draft;
    struct buffer added = {0};
    /* A draft keeps its attributes in the order of the file; what it removed is missing there. */
    if (splice->attributes < draft->attribute_count &&
        range_record(draft->attributes[splice->attributes].range) == field->record) {
        const struct draft_attribute *attribute = &draft->attributes[splice->attributes++];
        if (!attribute->changed)
            return OPSHIFT_OK;
        piece_add_message(&added, NODE_ATTRIBUTE, &attribute->message->base);
    }
    return replace_field(splice, field, &added, error);
}

static enum opshift_status splice_op_type(struct splice *splice, const struct wire_field *field,
                                          struct opshift_error *error)
{
    const char *now = splice->draft->op_type;
    struct buffer added = {0};
    if (strcmp(now, names_text(splice->model->names, splice->draft->node->op_type)) == 0)
        return OPSHIFT_OK;
    wire_add_bytes(&added, NODE_OP_TYPE, now, strlen(now));
    return replace_field(splice, field, &added, error);
}

static enum opshift_status splice_field(struct splice *splice, const struct wire_field *field,
                                        struct opshift_error *error)
{
    switch (field->number) {
    case NODE_INPUT:
        return splice_name(splice, field, false, error);
    case NODE_OUTPUT:
        return splice_name(splice, field, true, error);
    case NODE_ATTRIBUTE:
        return splice_attribute(splice, field, error);
    case NODE_OP_TYPE:
        return splice_op_type(splice, field, error);
    default:
        return OPSHIFT_OK;
    }
}

/* Inputs, outputs and attributes beyond those that are there, behind the last of their kind: those that go to `place`.
 */
static enum opshift_status splice_more(struct splice *splice, uint64_t place, struct opshift_error *error)
{
    struct draft *draft = splice->draft;
    const struct names *names = splice->model->names;
    struct buffer added = {0};
    for (uint32_t i = draft->node->input_count; place == splice->inputs_end && i < draft->input_count; i++) {
        struct bytes name = names_bytes(names, draft->inputs[i].name);
        wire_add_bytes(&added, NODE_INPUT, name.data, name.size);
    }
    for (uint32_t i = draft->node->output_count; place == splice->outputs_end && i < draft->output_count; i++) {
        struct bytes name = names_bytes(names, draft->outputs[i]);
        wire_add_bytes(&added, NODE_OUTPUT, name.data, name.size);
    }
    for (uint32_t i = 0; place == splice->attributes_end && i < draft->attribute_count; i++)
        if (range_record(draft->attributes[i].range) == 0)
            piece_add_message(&added, NODE_ATTRIBUTE, &draft->attributes[i].message->base);
    return added.size || added.failed ? replace(splice, place, 0, &added, error) : OPSHIFT_OK;
}

/* Where the last field of each kind ends; of a kind that is not there: where the node does. */
static enum opshift_status ends_find(struct splice *splice, struct opshift_error *error)
{
    struct wire_cursor cursor = {splice->model->source, range_offset(splice->range), range_end(splice->range)};
    struct wire_field field;
    splice->inputs_end = splice->outputs_end = splice->attributes_end = cursor.end;
    for (bool found;;) {
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status || !found)
            return status;
        if (field.number == NODE_INPUT)
            splice->inputs_end = cursor.at;
        else if (field.number == NODE_OUTPUT)
            splice->outputs_end = cursor.at;
        else if (field.number == NODE_ATTRIBUTE)
            splice->attributes_end = cursor.at;
    }
}

static enum opshift_status splice_fields(struct splice *splice, struct opshift_error *error)
{
    struct wire_cursor cursor = {splice->model->source, range_offset(splice->range), range_end(splice->range)};
    struct wire_field field;
    bool found = true;
    enum opshift_status status = ends_find(splice, error);
    while (status == OPSHIFT_OK && found) {
        status = wire_next(&cursor, &field, &found, error);
        if (status == OPSHIFT_OK && found)
            status = splice_field(splice, &field, error);
        if (status == OPSHIFT_OK && found)
            status = splice_more(splice, cursor.at, error);
    }
    return status;
}

/* The node's record with its new payload, as one edit. */
static enum opshift_status made_put(struct splice *splice, struct opshift_error *error)
{
    const struct graph *graph = splice->draft->graph;
    struct buffer record = {0};
    enum opshift_status status = copy_until(splice, range_end(splice->range), error);
    if (status)
        return status;
    wire_add_bytes(&record, graph_node_field(graph), splice->made.data, splice->made.size);
    if (splice->made.failed || record.failed)
        status = opshift_no_memory(error);
    else
        status = model_edit(splice->model, graph->message, range_record(splice->range), range_length(splice->range),
                            (struct bytes){record.data, record.size}, error);
    buffer_free(&record);
    return status;
}

enum opshift_status splice_node(struct opshift_model *model, struct draft *draft, struct opshift_error *error)
{
    struct splice splice = {.model = model, .draft = draft, .range = draft->node->range};
    /* A large node is not copied, and what is edited in a node's graphs would be lost if it were. */
    bool is_small = range_size(splice.range) <= SMALL_SIZE && node_subgraph_count(draft->node) == 0;
    splice.at = range_offset(splice.range);
    if (!is_small && (splice.message = node_message(model, draft->graph, draft->node)) == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = splice_fields(&splice, error);
    if (status == OPSHIFT_OK && is_small)
        status = made_put(&splice, error);
    buffer_free(&splice.made);
    return status;
}
