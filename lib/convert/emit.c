/* Turns a draft into edits: the node, and the constants and nodes that it needs beside it. */
#include "convert/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/piece.h"
#include "model/split.h"
#include "wire/wire.h"

/* Of onnx.proto. */
enum { GRAPH_INITIALIZER = 5, TENSOR_NAME = 8, TENSOR_RAW_DATA = 9 };

#define VALUES 16u

/* What was added not long ago: many graphs get the same. */
struct value {
    const struct tensor *tensor; /* NULL: none */
    struct bytes before, behind; /* its TensorProto, one after the other; its name goes between them */
};

struct constant {
    const struct graph *graph;
    const struct tensor *tensor;
    name_id name;
    uint32_t hash;
    const struct plan_constant *planned; /* the same in the plan; NULL: it is not there yet */
    struct constant *next;
};

struct constants {
    struct constant **buckets; /* as many as room, a power of two */
    uint32_t count, room;
    uint64_t *places;            /* by graph: where new initializers go; 0: not looked for yet */
    struct value values[VALUES]; /* each in a place that follows from its bytes */
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

static uint32_t tensor_hash(const struct tensor *tensor)
{
    uint32_t hash = 2166136261u ^ (uint32_t)tensor->type << 16 ^ tensor->rank << 24;
    const uint8_t *bytes = tensor->data;
    uint64_t size = type_size(tensor->type, tensor->count);
    for (uint64_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash ^ hash >> 15;
}

/* Where a new initializer goes: behind the last one, or at the end of the graph. */
static uint64_t initializer_place(const struct constants *constants, const struct graph *graph)
{
    uint64_t place = constants->places[graph->number];
    for (uint32_t i = graph->initializer_count; i-- > 0 && place == 0;)
        if (!graph->initializers[i].sparse)
            place = range_end(graph->initializers[i].range);
    constants->places[graph->number] = place ? place : graph->message->offset + graph->message->size;
    return constants->places[graph->number];
}

/* Its TensorProto up to the name, and what stands behind that. */
static enum opshift_status value_encode(struct conversion *conversion, const struct tensor *tensor, struct arena *arena,
                                        struct value *value, struct opshift_error *error)
{
    Onnx__TensorProto *message = tensor_encode(arena, tensor, (struct bytes){0});
    uint8_t head[WIRE_HEAD_MAX];
    if (message == NULL)
        return opshift_no_memory(error);
    size_t size = protobuf_c_message_get_packed_size(&message->base), behind = 0;
    uint8_t *packed = arena_bytes(conversion->scratch, size);
    if (packed == NULL)
        return opshift_no_memory(error);
    protobuf_c_message_pack(&message->base, packed);
    if (message->has_raw_data) /* the last field */
        behind = wire_put_head(head, TENSOR_RAW_DATA, message->raw_data.len) + message->raw_data.len;
    value->before = (struct bytes){packed, size - behind};
    value->behind = (struct bytes){packed + size - behind, behind};
    return OPSHIFT_OK;
}

/* The same for all that are like the tensor, as long as no other one needs its place. */
static enum opshift_status value_find(struct conversion *conversion, const struct draft *draft,
                                      const struct tensor *tensor, uint32_t hash, const struct value **found,
                                      struct opshift_error *error)
{
    struct value *value = &conversion->constants->values[hash % VALUES];
    struct tensor *copy;
    *found = value;
    if (value->tensor && tensor_equal(value->tensor, tensor))
        return OPSHIFT_OK;
    value->tensor = NULL;
    enum opshift_status status =
        tensor_new(conversion->scratch, tensor->type, tensor->rank, tensor->dims, &copy, error);
    if (status)
        return status;
    memcpy(copy->data, tensor->data, (size_t)type_size(tensor->type, tensor->count));
    status = value_encode(conversion, copy, draft->arena, value, error);
    if (status == OPSHIFT_OK)
        value->tensor = copy;
    return status;
}

static struct bytes value_bytes(const struct value *value)
{
    return (struct bytes){value->before.data, value->before.size + value->behind.size};
}

static uint8_t *put_bytes(uint8_t *to, struct bytes bytes)
{
    if (bytes.size > 0)
        memcpy(to, bytes.data, bytes.size);
    return to + bytes.size;
}

static enum opshift_status add_initializer(struct conversion *conversion, const struct draft *draft,
                                           const struct value *value, const char *suffix, name_id *name,
                                           struct opshift_error *error)
{
    struct opshift_model *model = conversion->model;
    *name = piece_fresh(conversion->scopes, draft, suffix);
    if (*name == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    struct bytes text = names_bytes(model->names, *name);
    uint8_t head[WIRE_HEAD_MAX];
    size_t head_size = wire_put_head(head, TENSOR_NAME, text.size);
    size_t size = value->before.size + head_size + text.size + value->behind.size;
    uint8_t *record = arena_bytes(draft->arena, WIRE_HEAD_MAX + size);
    if (record == NULL)
        return opshift_no_memory(error);
    uint8_t *to = record + wire_put_head(record, GRAPH_INITIALIZER, size);
    to = put_bytes(to, value->before);
    to = put_bytes(to, (struct bytes){head, head_size});
    to = put_bytes(to, text);
    to = put_bytes(to, value->behind);
    conversion->added_count++;
    return model_edit(model, draft->graph->message, initializer_place(conversion->constants, draft->graph), 0,
                      (struct bytes){record, (size_t)(to - record)}, error);
}

static bool is_constant_node(const struct conversion *conversion, const struct graph *graph)
{
    return graph->function || (conversion->ir_version && conversion->ir_version < 4);
}

/* A Constant in front of all nodes of the graph, so that any of them may read it. */
static enum opshift_status add_constant(struct conversion *conversion, struct draft *draft, const struct value *value,
                                        const char *suffix, name_id *name, struct opshift_error *error)
{
    struct piece piece = {.scopes = conversion->scopes, .draft = draft};
    const struct graph *graph = draft->graph;
    enum opshift_status status = piece_constant(&piece, value_bytes(value), suffix, name, error);
    if (status == OPSHIFT_OK)
        status = model_edit(conversion->model, graph->message, range_record(graph->nodes[0].range), 0,
                            (struct bytes){piece.nodes.data, piece.nodes.size}, error);
    buffer_free(&piece.nodes);
    conversion->added_count++;
    return status;
}

/* For the plan: the draft at hand reads it. */
static enum opshift_status constant_read(struct conversion *conversion, struct constant *constant,
                                         struct opshift_error *error)
{
    if (conversion->plan == NULL)
        return OPSHIFT_OK;
    if (constant->planned == NULL)
        constant->planned = plan_constant_add(conversion->plan,
                                              &(struct plan_constant){constant->graph, constant->name, constant->tensor,
                                                                      is_constant_node(conversion, constant->graph)});
    buffer_add(&conversion->read_constants, &constant->planned, sizeof(constant->planned));
    return constant->planned && !conversion->read_constants.failed ? OPSHIFT_OK : opshift_no_memory(error);
}

enum opshift_status shared_constant(struct conversion *conversion, struct draft *draft, const struct tensor *tensor,
                                    const char *suffix, name_id *name, struct opshift_error *error)
{
    if (conversion->constants == NULL)
        conversion->constants = constants_new(conversion->model);
    if (conversion->constants == NULL || !constants_grow(conversion->constants))
        return opshift_no_memory(error);
    uint32_t of_tensor = tensor_hash(tensor), hash = of_tensor ^ draft->graph->number * UINT32_C(2654435769);
    struct constant **bucket = constants_bucket(conversion->constants, hash);
    for (struct constant *known = *bucket; known; known = known->next)
        if (known->graph == draft->graph && tensor_equal(known->tensor, tensor)) {
            *name = known->name;
            return constant_read(conversion, known, error);
        }
    const struct value *value;
    enum opshift_status status = value_find(conversion, draft, tensor, of_tensor, &value, error);
    struct constant *constant = arena_alloc(conversion->scratch, 1, sizeof(*constant));
    if (status || constant == NULL)
        return status ? status : opshift_no_memory(error);
    if (is_constant_node(conversion, draft->graph))
        status = add_constant(conversion, draft, value, suffix, name, error);
    else
        status = add_initializer(conversion, draft, value, suffix, name, error);
    if (status)
        return status;
    *constant = (struct constant){draft->graph, value->tensor, *name, hash, NULL, *bucket};
    *bucket = constant;
    conversion->constants->count++;
    return constant_read(conversion, constant, error);
}

const char *input_suffix(const struct draft *draft, uint32_t position)
{
    const struct schema *schema = schema_find("", draft->op_type, draft->target);
    const struct schema_parameter *parameter = schema ? schema_input(schema, position) : NULL;
    return parameter ? parameter->name : "value";
}

/* Gives each input that is still a value a name; the nodes that make it go into the piece. */
static enum opshift_status name_inputs(struct conversion *conversion, struct piece *piece, struct opshift_error *error)
{
    struct draft *draft = piece->draft;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->input_count; i++) {
        struct draft_input *input = &draft->inputs[i];
        if (input->kind == VALUE_NAME)
            continue;
        const char *suffix = input_suffix(draft, i);
        if (input->kind == VALUE_LITERAL)
            status = shared_constant(conversion, draft, input->literal, suffix, &input->name, error);
        else if (input->kind == VALUE_REFERENCE && ++conversion->added_count)
            status = piece_reference(piece, input->reference, suffix, &input->name, error);
        else if (input->kind == VALUE_CHUNKS)
            status = piece_chunks(piece, input->parts, &input->name, error);
        else if (input->kind == VALUE_INT64)
            status = piece_int64(piece, input->from, suffix, &input->name, error);
        else if (input->kind == VALUE_SQUEEZED)
            status = piece_squeezed(piece, input->from, input->axis, &input->name, error);
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

/* Names that the node read and no longer reads are dropped. */
static enum opshift_status drop_inputs(struct conversion *conversion, const struct draft *draft,
                                       struct opshift_error *error)
{
    const struct node *node = draft->node;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->input_count; i++) {
        name_id name = node_inputs(node)[i];
        bool kept = i < draft->input_count && (draft->inputs[i].name == name || draft->inputs[i].from == name);
        if (name != NAME_NONE && !kept)
            status = prune_drop(conversion, draft->graph, name, error);
    }
    return status;
}

/* The positions of a sequence's tensors, as constants; then the nodes that read them. */
static enum opshift_status name_places(struct conversion *conversion, struct piece *piece, struct opshift_error *error)
{
    struct draft *draft = piece->draft;
    name_id *places = arena_alloc(draft->arena, draft->output_count + UINT64_C(1), sizeof(*places));
    enum opshift_status status = places ? OPSHIFT_OK : opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->output_count; i++) {
        struct tensor *tensor = NULL;
        char suffix[24];
        if (draft->outputs[i] == NAME_NONE)
            continue;
        status = tensor_new(draft->arena, OPSHIFT_TYPE_INT64, 0, NULL, &tensor, error);
        if (status)
            break;
        *(int64_t *)tensor->data = i;
        snprintf(suffix, sizeof(suffix), "at_%u", i);
        status = shared_constant(conversion, draft, tensor, suffix, &places[i], error);
    }
    return status ? status : piece_sequence(piece, places, error);
}

/* Nodes that stand in the place of the draft's, or before it. */
static enum opshift_status emit_nodes(struct conversion *conversion, struct draft *draft, struct bytes nodes,
                                      struct opshift_error *error)
{
    struct opshift_model *model = conversion->model;
    struct message *parent = draft->graph->message;
    struct range range = draft->node->range;
    enum opshift_status status = OPSHIFT_OK;
    if (draft->slices || draft->sequence)
        return model_edit(model, parent, range_record(range), range_length(range), nodes, error);
    if (nodes.size)
        status = model_edit(model, parent, range_record(range), 0, nodes, error);
    return status ? status : splice_node(model, draft, error);
}

enum opshift_status emit_draft(struct conversion *conversion, struct draft *draft, struct opshift_error *error)
{
    struct piece piece = {.scopes = conversion->scopes, .draft = draft};
    enum opshift_status status;
    if (draft->slices)
        status = piece_slices(&piece, error);
    else
        status = name_inputs(conversion, &piece, error);
    if (status == OPSHIFT_OK && draft->sequence)
        status = name_places(conversion, &piece, error);
    if (status == OPSHIFT_OK && piece.nodes.failed)
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = plan_rewritten(conversion, draft, (struct bytes){piece.nodes.data, piece.nodes.size}, error);
    if (status == OPSHIFT_OK)
        status = emit_nodes(conversion, draft, (struct bytes){piece.nodes.data, piece.nodes.size}, error);
    buffer_free(&piece.nodes);
    return status || draft->slices ? status : drop_inputs(conversion, draft, error);
}
