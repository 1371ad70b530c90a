/* The constants that a plan adds: one for each pair of value and graph. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/table.h"
#include "convert/new_nodes.h"
#include "convert/planner.h"
#include "convert/validity.h"
#include "model/fields.h"
#include "wire/wire.h"

/* Field numbers of onnx.proto. */
/* Where a TensorProto is in the bytes; the name is inserted between its two parts. */
struct constant_record {
    struct bytes before, behind;
};

struct constant {
    const struct graph *graph;
    const struct tensor *tensor;
    name_id name;
};

struct constants {
    struct table table; /* index of the list by graph and value */
    struct constant *list;
    uint32_t room;
};

void constants_free(struct constants *constants)
{
    if (constants == NULL)
        return;
    table_free(&constants->table);
    free(constants->list);
    free(constants);
}

static uint64_t constant_hash(const struct constants *constants, const struct graph *graph, const struct tensor *tensor)
{
    const uint64_t key[] = {graph->number, tensor_hash(&constants->table, tensor)};
    return table_hash(&constants->table, key, sizeof(key));
}

static const struct constant *constant_find(const struct constants *constants, uint64_t hash, const struct graph *graph,
                                            const struct tensor *tensor)
{
    for (uint32_t at = 0, item; (item = table_next(&constants->table, hash, &at)) != TABLE_NONE;) {
        const struct constant *constant = &constants->list[item];
        if (constant->graph == graph && tensor_equal(constant->tensor, tensor))
            return constant;
    }
    return NULL;
}

/* Encodes a TensorProto in two parts: before the name and after it. */
static enum opshift_status value_encode(const struct tensor *tensor, struct arena *arena, struct constant_record *value,
                                        struct opshift_error *error)
{
    Onnx__TensorProto *message = tensor_encode(arena, tensor, (struct bytes){0});
    uint8_t head[WIRE_HEAD_MAX];
    if (message == NULL)
        return opshift_no_memory(error);
    size_t size = protobuf_c_message_get_packed_size(&message->base), behind = 0;
    uint8_t *packed = arena_bytes(arena, size);
    if (packed == NULL)
        return opshift_no_memory(error);
    protobuf_c_message_pack(&message->base, packed);
    if (message->has_raw_data) /* the last field */
        behind = wire_put_head(head, TENSOR_RAW, message->raw_data.len) + message->raw_data.len;
    value->before = (struct bytes){packed, size - behind};
    value->behind = (struct bytes){packed + size - behind, behind};
    return OPSHIFT_OK;
}

static enum opshift_status tensor_keep(struct planner *planner, const struct tensor *tensor, const struct tensor **kept,
                                       struct opshift_error *error)
{
    struct tensor *copy;
    enum opshift_status status = tensor_new(planner->scratch, tensor->type, tensor->rank, tensor->dims, &copy, error);
    if (status)
        return status;
    memcpy(copy->data, tensor->data, (size_t)type_size(tensor->type, tensor->count));
    *kept = copy;
    return OPSHIFT_OK;
}

static struct bytes value_bytes(const struct constant_record *value)
{
    return (struct bytes){value->before.data, value->before.size + value->behind.size};
}

static enum opshift_status add_initializer(struct planner *planner, const struct draft *draft,
                                           const struct constant_record *value, const char *suffix, name_id *name,
                                           struct opshift_error *error)
{
    struct buffer *out = &planner->plan->bytes;
    *name = new_nodes_fresh(planner->around.scopes, draft, suffix);
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

/* Can the target's Constant have a value of this type? Below opset 9, only floating-point types. */
static bool constant_takes(const struct planner *planner, enum opshift_type type)
{
    const struct schema *schema = schema_find("", "Constant", planner->plan->target);
    return schema && schema_types(schema, schema->outputs)->tensor >> type & 1;
}

/* The same values as double. NO: a value is not exact in double. */
static enum opshift_status as_double(const struct draft *draft, const struct tensor *tensor, struct tensor **result,
                                     struct opshift_error *error)
{
    const int64_t most = INT64_C(1) << 53, *numbers = tensor->data;
    if (tensor->type != OPSHIFT_TYPE_INT64)
        return opshift_fail(error, OPSHIFT_NO, "it needs a constant of %s, which %s, or go to opset 9 or up",
                            type_name(tensor->type),
                            draft->graph->function ? "a function cannot have below opset 9; write it as int64"
                                                   : "cannot be written below opset 9 and IR version 4; raise the IR "
                                                     "version (--ir-version 4)");
    enum opshift_status status =
        tensor_new(draft->arena, OPSHIFT_TYPE_DOUBLE, tensor->rank, tensor->dims, result, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < tensor->count; i++) {
        if (numbers[i] < -most || numbers[i] > most)
            return opshift_fail(error, OPSHIFT_NO,
                                "it needs a constant of the number %" PRId64 ", which below opset 9 and IR version 4 "
                                "cannot be written; raise the IR version (--ir-version 4), or go to opset 9 or up",
                                numbers[i]);
        ((double *)(*result)->data)[i] = (double)numbers[i];
    }
    return status;
}

/* Adds a Constant of double and a Cast to int64, where Constant does not support int64. */
static enum opshift_status add_cast(struct planner *planner, struct draft *draft, const struct tensor *tensor,
                                    const char *suffix, name_id *name, struct opshift_error *error)
{
    struct new_nodes made = {.planner = planner, .scopes = planner->around.scopes, .draft = draft};
    struct buffer *out = &planner->plan->bytes;
    struct tensor *number = NULL;
    struct constant_record value = {0};
    name_id from = NAME_NONE;
    enum opshift_status status = as_double(draft, tensor, &number, error);
    if (status == OPSHIFT_OK)
        status = value_encode(number, draft->arena, &value, error);
    if (status == OPSHIFT_OK)
        status = new_nodes_constant(&made, value_bytes(&value), "number", &from, error);
    if (status == OPSHIFT_OK)
        status = new_nodes_int64(&made, from, suffix, name, error);
    if (status == OPSHIFT_OK)
        buffer_add(out, made.nodes.data, made.nodes.size);
    bool failed = made.nodes.failed || out->failed;
    buffer_free(&made.nodes);
    return status == OPSHIFT_OK && failed ? opshift_no_memory(error) : status;
}

/* Adds a Constant node before all nodes of the graph, so that any of them can read it. */
static enum opshift_status add_constant(struct planner *planner, struct draft *draft,
                                        const struct constant_record *value, const char *suffix, name_id *name,
                                        struct opshift_error *error)
{
    struct new_nodes made = {.planner = planner, .scopes = planner->around.scopes, .draft = draft};
    struct buffer *out = &planner->plan->bytes;
    enum opshift_status status = new_nodes_constant(&made, value_bytes(value), suffix, name, error);
    if (status == OPSHIFT_OK)
        buffer_add(out, made.nodes.data, made.nodes.size);
    buffer_free(&made.nodes);
    return status == OPSHIFT_OK && out->failed ? opshift_no_memory(error) : status;
}

enum opshift_status shared_constant(struct planner *planner, struct draft *draft, const struct tensor *tensor,
                                    const char *suffix, name_id *name, struct opshift_error *error)
{
    if (planner->constants == NULL)
        planner->constants = calloc(1, sizeof(*planner->constants));
    struct constants *constants = planner->constants;
    if (constants == NULL || !table_reserve(&constants->table, 1) ||
        !list_grow(&constants->list, constants->table.count, &constants->room, sizeof(*constants->list)))
        return opshift_no_memory(error);
    uint64_t hash = constant_hash(constants, draft->graph, tensor);
    const struct constant *known = constant_find(constants, hash, draft->graph, tensor);
    if (known) {
        *name = known->name;
        return OPSHIFT_OK;
    }
    struct constant_record value;
    const struct tensor *kept = NULL;
    enum opshift_status status = tensor_keep(planner, tensor, &kept, error);
    if (status == OPSHIFT_OK)
        status = value_encode(kept, draft->arena, &value, error);
    if (status)
        return status;
    bool is_node = is_constant_node(planner, draft->graph);
    size_t place = planner->plan->bytes.size;
    if (is_node && !constant_takes(planner, tensor->type))
        status = add_cast(planner, draft, tensor, suffix, name, error);
    else if (is_node)
        status = add_constant(planner, draft, &value, suffix, name, error);
    else
        status = add_initializer(planner, draft, &value, suffix, name, error);
    if (status)
        return status;
    const struct plan_constant planned = {draft->graph, *name, kept, is_node};
    if (plan_constant_add(planner->plan, &planned, place) == NULL)
        return opshift_no_memory(error);
    constants->list[constants->table.count] = (struct constant){draft->graph, kept, *name};
    table_put(&constants->table, hash, constants->table.count);
    return OPSHIFT_OK;
}
