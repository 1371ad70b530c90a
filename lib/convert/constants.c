/* The constants that a plan adds: one for each pair of value and graph. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/table.h"
#include "convert/new_nodes.h"
#include "convert/planner.h"
#include "model/fields.h"
#include "wire/wire.h"

struct constants {
    struct table table;                /* index of the list by graph and value */
    const struct plan_constant **list; /* the plan's */
    uint32_t room;
};

void constants_free(struct constants *constants)
{
    if (constants == NULL)
        return;
    table_free(&constants->table);
    free((void *)constants->list);
    free(constants);
}

static uint64_t constant_hash(const struct constants *constants, const struct graph *graph, const struct tensor *tensor)
{
    const uint64_t key[] = {graph->number, tensor_hash(&constants->table, tensor)};
    return table_hash(&constants->table, key, sizeof(key));
}

static const struct plan_constant *constant_find(const struct constants *constants, uint64_t hash,
                                                 const struct graph *graph, const struct tensor *tensor)
{
    for (uint32_t at = 0, item; (item = table_next(&constants->table, hash, &at)) != TABLE_NONE;) {
        const struct plan_constant *constant = constants->list[item];
        if (constant->graph == graph && tensor_equal(constant->tensor, tensor))
            return constant;
    }
    return NULL;
}

static enum opshift_status add_initializer(struct planner *planner, const struct draft *draft,
                                           const struct tensor *tensor, const char *suffix, name_id *name,
                                           struct opshift_error *error)
{
    struct buffer *out = &planner->plan->bytes;
    *name = new_nodes_fresh(planner->around.scopes, draft, suffix);
    if (*name == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    const Onnx__TensorProto *message = tensor_encode(draft->arena, tensor, names_bytes(planner->model->names, *name));
    if (message)
        wire_add_message(out, GRAPH_INITIALIZER, &message->base);
    return message == NULL || out->failed ? opshift_no_memory(error) : OPSHIFT_OK;
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

/* Adds a Constant node before all nodes of the graph, so that any of them can read it: of double and with a Cast to
 * int64, where Constant does not support int64. */
static enum opshift_status add_constant(struct planner *planner, struct draft *draft, const struct tensor *tensor,
                                        const char *suffix, name_id *name, struct opshift_error *error)
{
    struct new_nodes made = {.planner = planner, .scopes = planner->around.scopes, .draft = draft};
    struct buffer *out = &planner->plan->bytes;
    struct tensor *number = NULL;
    name_id from = NAME_NONE;
    enum opshift_status status = OPSHIFT_OK;
    if (constant_takes(planner, tensor->type)) {
        status = new_nodes_constant(&made, tensor, suffix, name, error);
    } else {
        status = as_double(draft, tensor, &number, error);
        if (status == OPSHIFT_OK)
            status = new_nodes_constant(&made, number, "number", &from, error);
        if (status == OPSHIFT_OK)
            status = new_nodes_int64(&made, from, suffix, name, error);
    }
    if (status == OPSHIFT_OK)
        buffer_add(out, made.nodes.data, made.nodes.size);
    bool failed = made.nodes.failed || out->failed;
    buffer_free(&made.nodes);
    return status == OPSHIFT_OK && failed ? opshift_no_memory(error) : status;
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
    const struct plan_constant *known = constant_find(constants, hash, draft->graph, tensor);
    if (known) {
        *name = known->name;
        return OPSHIFT_OK;
    }
    bool is_node = is_constant_node(planner, draft->graph);
    size_t place = planner->plan->bytes.size;
    enum opshift_status status = is_node ? add_constant(planner, draft, tensor, suffix, name, error)
                                         : add_initializer(planner, draft, tensor, suffix, name, error);
    if (status)
        return status;
    const struct plan_constant planned = {draft->graph, *name, tensor, is_node};
    const struct plan_added *added = plan_constant_add(planner->plan, &planned, place);
    if (added == NULL)
        return opshift_no_memory(error);
    constants->list[constants->table.count] = &added->constant;
    table_put(&constants->table, hash, constants->table.count);
    return OPSHIFT_OK;
}
