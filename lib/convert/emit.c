/* Turns a draft into edits: its changed records, and the constants and nodes that it needs beside it. */
#include "convert/convert.h"

#include <stdlib.h>
#include <string.h>

#include "convert/piece.h"
#include "model/split.h"
#include "wire/wire.h"

/* Field numbers of onnx.proto. */
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_OP_TYPE = 4, NODE_ATTRIBUTE = 5, GRAPH_INITIALIZER = 5 };

struct constant {
    const struct graph *graph;
    const struct tensor *tensor;
    name_id name;
    uint32_t hash;
    struct constant *next;
};

struct constants {
    struct constant **buckets; /* as many as room, a power of two */
    uint32_t count, room;
    uint64_t *places; /* by graph: where new initializers go; 0: not looked for yet */
};

void constants_free(struct constants *constants)
{
    if (constants == NULL)
        return;
    free(constants->buckets);
    free(constants->places);
    free(constants);
}

static struct constants *constants_new(const struct opshift_model *model)
{
    struct constants *constants = calloc(1, sizeof(*constants));
    if (constants == NULL)
        return NULL;
    constants->room = 64;
    constants->buckets = calloc(constants->room, sizeof(*constants->buckets));
    constants->places = calloc(model->graph_count, sizeof(*constants->places));
    if (constants->buckets && constants->places)
        return constants;
    constants_free(constants);
    return NULL;
}

static struct constant **constants_bucket(const struct constants *constants, uint32_t hash)
{
    return &constants->buckets[hash & (constants->room - 1)];
}

/* Twice the buckets once there is a constant for each. */
static bool constants_grow(struct constants *constants)
{
    struct constants grown = {.room = constants->room * 2};
    if (constants->count < constants->room)
        return true;
    grown.buckets = calloc(grown.room, sizeof(*grown.buckets));
    if (grown.buckets == NULL)
        return false;
    for (uint32_t i = 0; i < constants->room; i++)
        for (struct constant *constant = constants->buckets[i], *next; constant; constant = next) {
            struct constant **bucket = constants_bucket(&grown, constant->hash);
            next = constant->next;
            constant->next = *bucket;
            *bucket = constant;
        }
    free(constants->buckets);
    constants->buckets = grown.buckets;
    constants->room = grown.room;
    return true;
}

static uint32_t constant_hash(const struct graph *graph, const struct tensor *tensor)
{
    uint32_t hash = 2166136261u ^ graph->number ^ (uint32_t)tensor->type << 16 ^ tensor->rank << 24;
    const uint8_t *bytes = tensor->data;
    uint64_t size = type_size(tensor->type, tensor->count);
    for (uint64_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash ^ hash >> 15;
}

static enum opshift_status hand_over(struct opshift_model *model, struct buffer *buffer, struct bytes *bytes,
                                     struct opshift_error *error)
{
    uint8_t *copy = buffer->failed ? NULL : arena_copy(model->arena, buffer->data, buffer->size);
    *bytes = (struct bytes){copy, buffer->size};
    buffer_free(buffer);
    return copy ? OPSHIFT_OK : opshift_no_memory(error);
}

/* Where a new initializer goes: behind the last one, or at the end of the graph. */
static uint64_t initializer_place(const struct constants *constants, const struct graph *graph)
{
    uint64_t place = constants->places[graph->number];
    for (uint32_t i = graph->initializer_count; i-- > 0 && place == 0;)
        if (!graph->initializers[i].sparse)
            place = graph->initializers[i].range.offset + graph->initializers[i].range.size;
    constants->places[graph->number] = place ? place : graph->message->offset + graph->message->size;
    return constants->places[graph->number];
}

static enum opshift_status add_initializer(struct conversion *conversion, struct graph *graph,
                                           const struct tensor *tensor, name_id name, struct opshift_error *error)
{
    struct opshift_model *model = conversion->model;
    struct arena *scratch = arena_new(0);
    Onnx__TensorProto *message = scratch ? tensor_encode(scratch, tensor, names_bytes(model->names, name)) : NULL;
    struct buffer record = {0};
    if (message)
        piece_add_message(&record, GRAPH_INITIALIZER, &message->base);
    arena_free(scratch);
    if (message == NULL) {
        buffer_free(&record);
        return opshift_no_memory(error);
    }
    struct bytes bytes;
    enum opshift_status status = hand_over(model, &record, &bytes, error);
    if (status)
        return status;
    conversion->added_count++;
    return model_edit(model, graph->message, initializer_place(conversion->constants, graph), 0, bytes, error);
}

/* The name of an initializer with this value in the draft's graph: one that was added before, or a new one. */
static enum opshift_status shared_initializer(struct conversion *conversion, const struct draft *draft,
                                              const struct tensor *tensor, const char *suffix, name_id *name,
                                              struct opshift_error *error)
{
    if (conversion->constants == NULL)
        conversion->constants = constants_new(conversion->model);
    if (conversion->constants == NULL || !constants_grow(conversion->constants))
        return opshift_no_memory(error);
    uint32_t hash = constant_hash(draft->graph, tensor);
    struct constant **bucket = constants_bucket(conversion->constants, hash);
    for (const struct constant *known = *bucket; known; known = known->next)
        if (known->graph == draft->graph && tensor_equal(known->tensor, tensor)) {
            *name = known->name;
            return OPSHIFT_OK;
        }
    struct arena *arena = conversion->model->arena;
    struct constant *constant = arena_alloc(arena, 1, sizeof(*constant));
    struct tensor *copy;
    enum opshift_status status = tensor_new(arena, tensor->type, tensor->rank, tensor->dims, &copy, error);
    if (status || constant == NULL)
        return status ? status : opshift_no_memory(error);
    memcpy(copy->data, tensor->data, (size_t)type_size(tensor->type, tensor->count));
    *name = piece_fresh(conversion->scopes, draft, suffix);
    if (*name == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    *constant = (struct constant){draft->graph, copy, *name, hash, *bucket};
    *bucket = constant;
    conversion->constants->count++;
    return add_initializer(conversion, draft->graph, copy, *name, error);
}

/* A Constant node stands where an initializer may not: in a function, and below IR 4 where each one is a graph input
 * too. */
static bool wants_node(const struct conversion *conversion, const struct graph *graph)
{
    return graph->function || (conversion->ir_version && conversion->ir_version < 4);
}

static enum opshift_status literal_name(struct conversion *conversion, struct piece *piece, const struct tensor *tensor,
                                        const char *suffix, name_id *name, struct opshift_error *error)
{
    if (!wants_node(conversion, piece->draft->graph))
        return shared_initializer(conversion, piece->draft, tensor, suffix, name, error);
    conversion->added_count++;
    return piece_constant(piece, tensor, suffix, name, error);
}

/* Gives each input that is still a value a name; the nodes that make it go into the piece. */
static enum opshift_status name_inputs(struct conversion *conversion, struct piece *piece, struct opshift_error *error)
{
    struct draft *draft = piece->draft;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->input_count; i++) {
        struct draft_input *input = &draft->inputs[i];
        const struct schema_parameter *parameter = NULL;
        const struct schema *schema = schema_find("", draft->op_type, draft->target);
        if (schema)
            parameter = schema_input(schema, i);
        const char *suffix = parameter ? parameter->name : "value";
        if (input->kind == VALUE_LITERAL)
            status = literal_name(conversion, piece, input->literal, suffix, &input->name, error);
        else if (input->kind == VALUE_REFERENCE && ++conversion->added_count)
            status = piece_reference(piece, input->reference, suffix, &input->name, error);
        else if (input->kind == VALUE_CHUNKS)
            status = piece_chunks(piece, input->parts, &input->name, error);
        input->kind = VALUE_NAME;
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->output_count; i++)
        if (draft->outputs[i] == NAME_FRESH) {
            draft->outputs[i] = piece_fresh(conversion->scopes, draft, "unread");
            if (draft->outputs[i] == NAME_NO_MEMORY)
                return opshift_no_memory(error);
        }
    return status;
}

/* The records of a node, one after the other, against what the draft says now. */
struct splice {
    struct opshift_model *model;
    struct message *message;
    struct draft *draft;
    uint32_t inputs, outputs, attributes;             /* records seen; of attributes those that the draft has still */
    uint64_t inputs_end, outputs_end, attributes_end; /* behind the last record of a kind; 0: there is none */
};

static enum opshift_status splice_edit(struct splice *splice, uint64_t offset, uint64_t removed, struct buffer *added,
                                       struct opshift_error *error)
{
    struct bytes bytes = {0};
    enum opshift_status status = OPSHIFT_OK;
    if (added->size || added->failed)
        status = hand_over(splice->model, added, &bytes, error);
    return status ? status : model_edit(splice->model, splice->message, offset, removed, bytes, error);
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
    struct buffer added = {0};
    if (position < (output ? draft->output_count : draft->input_count)) {
        name_id now = output ? draft->outputs[position] : draft->inputs[position].name;
        if (now == was)
            return OPSHIFT_OK;
        struct bytes name = names_bytes(splice->model->names, now);
        wire_add_bytes(&added, field->number, name.data, name.size);
    }
    return splice_edit(splice, field->record, end - field->record, &added, error);
}

static enum opshift_status splice_attribute(struct splice *splice, const struct wire_field *field,
                                            struct opshift_error *error)
{
    uint64_t end = field->offset + field->size;
    splice->attributes_end = end;
    struct buffer added = {0};
    const struct draft *draft = splice->draft;
    /* A draft keeps its attributes in the order of the file; what it removed is missing there. */
    if (splice->attributes < draft->attribute_count &&
        draft->attributes[splice->attributes].range.record == field->record) {
        const struct draft_attribute *attribute = &draft->attributes[splice->attributes++];
        if (!attribute->changed)
            return OPSHIFT_OK;
        piece_add_message(&added, NODE_ATTRIBUTE, &attribute->message->base);
    }
    return splice_edit(splice, field->record, end - field->record, &added, error);
}

static enum opshift_status splice_op_type(struct splice *splice, const struct wire_field *field,
                                          struct opshift_error *error)
{
    const char *now = splice->draft->op_type;
    if (strcmp(now, names_text(splice->model->names, splice->draft->node->op_type)) == 0)
        return OPSHIFT_OK;
    struct buffer added = {0};
    wire_add_bytes(&added, NODE_OP_TYPE, now, strlen(now));
    return splice_edit(splice, field->record, field->offset + field->size - field->record, &added, error);
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
        if (draft->attributes[i].range.size == 0 && draft->attributes[i].range.record == 0)
            piece_add_message(&added, NODE_ATTRIBUTE, &draft->attributes[i].message->base);
    if (status == OPSHIFT_OK && (added.size || added.failed))
        status = splice_edit(splice, splice->attributes_end ? splice->attributes_end : end, 0, &added, error);
    return status;
}

static enum opshift_status splice_node(struct conversion *conversion, struct draft *draft, struct opshift_error *error)
{
    struct splice splice = {.model = conversion->model, .draft = draft};
    splice.message = node_message(conversion->model, draft->graph, draft->node);
    if (splice.message == NULL)
        return opshift_no_memory(error);
    struct range range = draft->node->range;
    struct wire_cursor cursor = {conversion->model->source, range.offset, range.offset + range.size};
    struct wire_field field;
    bool found;
    enum opshift_status status;
    while ((status = wire_next(&cursor, &field, &found, error)) == OPSHIFT_OK && found)
        if ((status = splice_field(&splice, &field, error)))
            break;
    return status ? status : splice_more(&splice, error);
}

/* Names that the node read and no longer reads are dropped. */
static enum opshift_status drop_inputs(struct conversion *conversion, const struct draft *draft,
                                       struct opshift_error *error)
{
    const struct node *node = draft->node;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->input_count; i++) {
        name_id name = node_inputs(node)[i];
        bool kept = i < draft->input_count && draft->inputs[i].name == name;
        if (name != NAME_NONE && !kept)
            status = prune_drop(conversion, draft->graph, name, error);
    }
    return status;
}

enum opshift_status emit_draft(struct conversion *conversion, struct draft *draft, struct opshift_error *error)
{
    struct piece piece = {.scopes = conversion->scopes, .draft = draft};
    struct range range = draft->node->range;
    enum opshift_status status;
    if (draft->slices)
        status = piece_slices(&piece, error);
    else
        status = name_inputs(conversion, &piece, error);
    struct bytes nodes = {0};
    if (status == OPSHIFT_OK && piece.nodes.size)
        status = hand_over(conversion->model, &piece.nodes, &nodes, error);
    buffer_free(&piece.nodes);
    if (status)
        return status;
    if (draft->slices)
        return model_edit(conversion->model, draft->graph->message, range.record,
                          range.offset + range.size - range.record, nodes, error);
    if (nodes.size)
        status = model_edit(conversion->model, draft->graph->message, range.record, 0, nodes, error);
    if (status == OPSHIFT_OK)
        status = splice_node(conversion, draft, error);
    return status ? status : drop_inputs(conversion, draft, error);
}
