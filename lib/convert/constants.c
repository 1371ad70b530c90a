/* The constants that a plan adds: one for each value and graph. */
#include <stdlib.h>
#include <string.h>

#include "convert/piece.h"
#include "convert/planner.h"
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
    struct constant *next;
};

struct constants {
    struct constant **buckets; /* as many as room, a power of two */
    uint32_t count, room;
    struct value values[VALUES]; /* each in a place that follows from its bytes */
};

void constants_free(struct constants *constants)
{
    if (constants == NULL)
        return;
    free(constants->buckets);
    free(constants);
}

static struct constants *constants_new(void)
{
    struct constants *constants = calloc(1, sizeof(*constants));
    if (constants == NULL)
        return NULL;
    constants->room = 64;
    constants->buckets = calloc(constants->room, sizeof(*constants->buckets));
    if (constants->buckets)
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

/* Its TensorProto up to the name, and what stands behind that. */
static enum opshift_status value_encode(struct planner *planner, const struct tensor *tensor, struct arena *arena,
                                        struct value *value, struct opshift_error *error)
{
    Onnx__TensorProto *message = tensor_encode(arena, tensor, (struct bytes){0});
    uint8_t head[WIRE_HEAD_MAX];
    if (message == NULL)
        return opshift_no_memory(error);
    size_t size = protobuf_c_message_get_packed_size(&message->base), behind = 0;
    uint8_t *packed = arena_bytes(planner->scratch, size);
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
static enum opshift_status value_find(struct planner *planner, const struct draft *draft, const struct tensor *tensor,
                                      uint32_t hash, const struct value **found, struct opshift_error *error)
{
    struct value *value = &planner->constants->values[hash % VALUES];
    struct tensor *copy;
    *found = value;
    if (value->tensor && tensor_equal(value->tensor, tensor))
        return OPSHIFT_OK;
    value->tensor = NULL;
    enum opshift_status status = tensor_new(planner->scratch, tensor->type, tensor->rank, tensor->dims, &copy, error);
    if (status)
        return status;
    memcpy(copy->data, tensor->data, (size_t)type_size(tensor->type, tensor->count));
    status = value_encode(planner, copy, draft->arena, value, error);
    if (status == OPSHIFT_OK)
        value->tensor = copy;
    return status;
}

static struct bytes value_bytes(const struct value *value)
{
    return (struct bytes){value->before.data, value->before.size + value->behind.size};
}

static enum opshift_status add_initializer(struct planner *planner, const struct draft *draft,
                                           const struct value *value, const char *suffix, name_id *name,
                                           struct opshift_error *error)
{
    struct buffer *out = &planner->plan->bytes;
    *name = piece_fresh(planner->around.scopes, draft, suffix);
    if (*name == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    struct bytes text = names_bytes(planner->model->names, *name);
    uint8_t head[WIRE_HEAD_MAX], name_head[WIRE_HEAD_MAX];
    size_t name_size = wire_put_head(name_head, TENSOR_NAME, text.size);
    size_t size = value->before.size + name_size + text.size + value->behind.size;
    buffer_add(out, head, wire_put_head(head, GRAPH_INITIALIZER, size));
    buffer_add(out, value->before.data, value->before.size);
    buffer_add(out, name_head, name_size);
    buffer_add(out, text.data, text.size);
    buffer_add(out, value->behind.data, value->behind.size);
    return out->failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

static bool is_constant_node(const struct planner *planner, const struct graph *graph)
{
    return graph->function || (planner->plan->ir_version && planner->plan->ir_version < 4);
}

/* A Constant in front of all nodes of the graph, so that any of them may read it. */
static enum opshift_status add_constant(struct planner *planner, struct draft *draft, const struct value *value,
                                        const char *suffix, name_id *name, struct opshift_error *error)
{
    struct piece piece = {.scopes = planner->around.scopes, .draft = draft};
    struct buffer *out = &planner->plan->bytes;
    enum opshift_status status = piece_constant(&piece, value_bytes(value), suffix, name, error);
    if (status == OPSHIFT_OK)
        buffer_add(out, piece.nodes.data, piece.nodes.size);
    buffer_free(&piece.nodes);
    return status == OPSHIFT_OK && out->failed ? opshift_no_memory(error) : status;
}

enum opshift_status shared_constant(struct planner *planner, struct draft *draft, const struct tensor *tensor,
                                    const char *suffix, name_id *name, struct opshift_error *error)
{
    if (planner->constants == NULL)
        planner->constants = constants_new();
    if (planner->constants == NULL || !constants_grow(planner->constants))
        return opshift_no_memory(error);
    uint32_t of_tensor = tensor_hash(tensor), hash = of_tensor ^ draft->graph->number * UINT32_C(2654435769);
    struct constant **bucket = constants_bucket(planner->constants, hash);
    for (const struct constant *known = *bucket; known; known = known->next)
        if (known->graph == draft->graph && tensor_equal(known->tensor, tensor)) {
            *name = known->name;
            return OPSHIFT_OK;
        }
    const struct value *value;
    enum opshift_status status = value_find(planner, draft, tensor, of_tensor, &value, error);
    struct constant *constant = arena_alloc(planner->scratch, 1, sizeof(*constant));
    if (status || constant == NULL)
        return status ? status : opshift_no_memory(error);
    bool is_node = is_constant_node(planner, draft->graph);
    size_t place = planner->plan->bytes.size;
    if (is_node)
        status = add_constant(planner, draft, value, suffix, name, error);
    else
        status = add_initializer(planner, draft, value, suffix, name, error);
    if (status)
        return status;
    const struct plan_constant planned = {draft->graph, *name, value->tensor, is_node};
    if (plan_constant_add(planner->plan, &planned, place) == NULL)
        return opshift_no_memory(error);
    *constant = (struct constant){draft->graph, value->tensor, *name, hash, *bucket};
    *bucket = constant;
    planner->constants->count++;
    return OPSHIFT_OK;
}
