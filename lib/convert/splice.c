/* The edits that turn a node into what its draft is: one for each field that differs. All else in the node's message
 * keeps its bytes. */
#include <string.h>

#include "convert/convert.h"
#include "convert/piece.h"
#include "wire/wire.h"

/* Field numbers of onnx.proto. */
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_OP_TYPE = 4, NODE_ATTRIBUTE = 5 };

/* The records of a node, one after the other, against what the draft says now. */
struct splice {
    struct opshift_model *model;
    struct message *message; /* of the node */
    struct draft *draft;
    uint32_t inputs, outputs, attributes;             /* records seen; of attributes those that the draft has still */
    uint64_t inputs_end, outputs_end, attributes_end; /* behind the last record of a kind; 0: there is none */
};

static enum opshift_status splice_edit(struct splice *splice, uint64_t offset, uint64_t removed, struct buffer *added,
                                       struct opshift_error *error)
{
    struct bytes bytes = {added->data, added->size};
    enum opshift_status status = added->failed
                                     ? opshift_no_memory(error)
                                     : model_edit(splice->model, splice->message, offset, removed, bytes, error);
    buffer_free(added);
    return status;
}

/* Removes a record of the node, and puts another in its place. */
static enum opshift_status splice_record(struct splice *splice, const struct wire_field *field, const void *data,
                                         size_t size, struct opshift_error *error)
{
    struct buffer record = {0};
    wire_add_bytes(&record, field->number, data, size);
    return splice_edit(splice, field->record, field->offset + field->size - field->record, &record, error);
}

static enum opshift_status splice_remove(struct splice *splice, const struct wire_field *field,
                                         struct opshift_error *error)
{
    return model_edit(splice->model, splice->message, field->record, field->offset + field->size - field->record,
                      (struct bytes){0}, error);
}

/* The position-th record of inputs or outputs: kept, replaced or removed. */
static enum opshift_status splice_name(struct splice *splice, const struct wire_field *field, bool output,
                                       struct opshift_error *error)
{
    struct draft *draft = splice->draft;
    const struct node *node = draft->node;
    uint32_t position = output ? splice->outputs++ : splice->inputs++;
    uint64_t end = field->offset + field->size;
    *(output ? &splice->outputs_end : &splice->inputs_end) = end;
    name_id was = (output ? node_outputs(node) : node_inputs(node))[position];
    if (position >= (output ? draft->output_count : draft->input_count))
        return splice_remove(splice, field, error);
    name_id now = output ? draft->outputs[position] : draft->inputs[position].name;
    if (now == was)
        return OPSHIFT_OK;
    struct bytes name = names_bytes(splice->model->names, now);
    return splice_record(splice, field, name.data, name.size, error);
}

static enum opshift_status splice_attribute(struct splice *splice, const struct wire_field *field,
                                            struct opshift_error *error)
{
    uint64_t end = field->offset + field->size;
    splice->attributes_end = end;
    const struct draft *draft = splice->draft;
    struct buffer added = {0};
    /* A draft keeps its attributes in the order of the file; what it removed is missing there. */
    if (splice->attributes < draft->attribute_count &&
        range_record(draft->attributes[splice->attributes].range) == field->record) {
        const struct draft_attribute *attribute = &draft->attributes[splice->attributes++];
        if (!attribute->changed)
            return OPSHIFT_OK;
        piece_add_message(&added, NODE_ATTRIBUTE, &attribute->message->base);
        return splice_edit(splice, field->record, end - field->record, &added, error);
    }
    return splice_remove(splice, field, error);
}

static enum opshift_status splice_op_type(struct splice *splice, const struct wire_field *field,
                                          struct opshift_error *error)
{
    const char *now = splice->draft->op_type;
    if (strcmp(now, names_text(splice->model->names, splice->draft->node->op_type)) == 0)
        return OPSHIFT_OK;
    return splice_record(splice, field, now, strlen(now), error);
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

/* Inputs, outputs and attributes beyond those that stand there: behind the last of their kind. */
static enum opshift_status splice_more(struct splice *splice, struct opshift_error *error)
{
    struct draft *draft = splice->draft;
    uint64_t end = splice->message->offset + splice->message->size;
    struct buffer added = {0};
    for (uint32_t i = splice->inputs; i < draft->input_count; i++) {
        struct bytes name = names_bytes(splice->model->names, draft->inputs[i].name);
        wire_add_bytes(&added, NODE_INPUT, name.data, name.size);
    }
    enum opshift_status status = OPSHIFT_OK;
    if (added.size || added.failed)
        status = splice_edit(splice, splice->inputs_end ? splice->inputs_end : end, 0, &added, error);
    added = (struct buffer){0};
    for (uint32_t i = splice->outputs; i < draft->output_count; i++) {
        struct bytes name = names_bytes(splice->model->names, draft->outputs[i]);
        wire_add_bytes(&added, NODE_OUTPUT, name.data, name.size);
    }
    if (status == OPSHIFT_OK && (added.size || added.failed))
        status = splice_edit(splice, splice->outputs_end ? splice->outputs_end : end, 0, &added, error);
    added = (struct buffer){0};
    for (uint32_t i = 0; i < draft->attribute_count; i++)
        if (range_size(draft->attributes[i].range) == 0 && range_record(draft->attributes[i].range) == 0)
            piece_add_message(&added, NODE_ATTRIBUTE, &draft->attributes[i].message->base);
    if (status == OPSHIFT_OK && (added.size || added.failed))
        status = splice_edit(splice, splice->attributes_end ? splice->attributes_end : end, 0, &added, error);
    return status;
}

static enum opshift_status splice_fields(struct splice *splice, struct opshift_error *error)
{
    const struct message *message = splice->message;
    struct wire_cursor cursor = {splice->model->source, message->offset, message->offset + message->size};
    struct wire_field field;
    bool found;
    enum opshift_status status;
    while ((status = wire_next(&cursor, &field, &found, error)) == OPSHIFT_OK && found)
        if ((status = splice_field(splice, &field, error)))
            break;
    return status ? status : splice_more(splice, error);
}

enum opshift_status splice_node(struct opshift_model *model, struct draft *draft, struct opshift_error *error)
{
    struct splice splice = {.model = model, .draft = draft};
    splice.message = node_message(model, draft->graph, draft->node);
    return splice.message ? splice_fields(&splice, error) : opshift_no_memory(error);
}
