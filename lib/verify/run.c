/* Runs what makes a name on either side, with the built-in kernels, on values drawn from a seed. */
#include "verify/run.h"

#include <string.h>

/* One question: a name as seen from a graph of one side. */
static enum opshift_status find_value(struct run *run, struct run_side *side, struct graph *graph, name_id name,
                                      unsigned depth, const struct tensor **tensor, enum outcome *outcome,
                                      struct opshift_error *error);

static const struct tensor *lookup(const struct valued_list *list, name_id name)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].name == name)
            return list->items[i].tensor;
    return NULL;
}

static bool keep(struct run *run, struct valued_list *list, name_id name, const struct tensor *tensor)
{
    if (list->count == list->room) {
        uint32_t room = list->room == 0 ? 16 : list->room * 2;
        struct valued *items = arena_alloc(run->arena, room, sizeof(*items));
        if (items == NULL)
            return false;
        if (list->count > 0)
            memcpy(items, list->items, list->count * sizeof(*items));
        list->items = items;
        list->room = room;
    }
    list->items[list->count++] = (struct valued){name, tensor};
    return true;
}

static void say(struct run *run, enum outcome *outcome, enum outcome what, const char *words)
{
    *outcome = what;
    run->why = words == NULL ? "no memory" : words;
}

bool run_give(struct run *run, name_id name, const struct tensor *tensor)
{
    return keep(run, &run->given, name, tensor);
}

/* ---- values that both sides get ---- */

/* A name that both sides have, and that neither computes here: its type says what can be drawn. */
static enum opshift_status draw(struct run *run, name_id before_name, const struct tensor **tensor,
                                enum outcome *outcome, struct opshift_error *error)
{
    struct value_type type = {.rank = -1};
    int64_t dims[TENSOR_RANK_MAX];
    struct tensor *made = NULL;
    uint64_t count = 1;
    *tensor = lookup(&run->given, before_name);
    if (*tensor != NULL)
        return OPSHIFT_OK;
    enum opshift_status status = types_find(run->before.side->types, run->before.graph, before_name, &type, error);
    if (status != OPSHIFT_OK)
        return status;
    if (type.rank > TENSOR_RANK_MAX || (type.is_tensor && type.type == OPSHIFT_TYPE_UNDEFINED && type.rank > 8)) {
        say(run, outcome, OUTCOME_CANNOT, "an input has too many axes");
        return OPSHIFT_OK;
    }
    uint32_t rank = type.rank < 0 ? 2 : (uint32_t)type.rank;
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = type.rank < 0 || type.dims[i] < 0 ? 3 : type.dims[i];
        count =
            dims[i] == 0 || count < (UINT64_C(1) << 24) / (uint64_t)dims[i] ? count * (uint64_t)dims[i] : UINT64_MAX;
        if (count == UINT64_MAX) {
            say(run, outcome, OUTCOME_CANNOT, "an input is too large to draw");
            return OPSHIFT_OK;
        }
    }
    status = sample_tensor(run->arena, type.type == OPSHIFT_TYPE_UNDEFINED ? OPSHIFT_TYPE_FLOAT : type.type, rank, dims,
                           &run->seed, &made, error);
    if (status != OPSHIFT_OK)
        return status;
    *tensor = made;
    return run_give(run, before_name, made) ? OPSHIFT_OK : opshift_no_memory(error);
}

/* ---- nodes ---- */

/* A reference to a parameter becomes the value that it has in this run; NULL: the call leaves it out. False: it is not
 * known. */
static bool resolve(const struct run *run, Onnx__AttributeProto **attribute)
{
    const ProtobufCBinaryData reference = (*attribute)->ref_attr_name, name = (*attribute)->name;
    if (reference.len == 0)
        return true;
    Onnx__AttributeProto *value = binding_value(run->binding, &reference);
    if (value == NULL) {
        *attribute = NULL;
        return run->binding != NULL && !run->binding->partial;
    }
    **attribute = *value;
    (*attribute)->name = name;
    return true;
}

static enum opshift_status read_attributes(struct run *run, struct run_side *side, const struct node *node,
                                           struct kernel_call *call, enum outcome *outcome, struct opshift_error *error)
{
    struct attribute_range *ranges = NULL;
    size_t count = 0;
    enum opshift_status status = node_attributes(side->side->model, node, run->arena, &ranges, &count, error);
    if (status != OPSHIFT_OK)
        return status;
    Onnx__AttributeProto **attributes = arena_alloc(run->arena, count + 1, sizeof(Onnx__AttributeProto *));
    if (attributes == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        Onnx__AttributeProto *attribute = NULL;
        status = attribute_decode(side->side->model, &ranges[i], run->arena, &attribute, error);
        if (status != OPSHIFT_OK)
            return status;
        if (!resolve(run, &attribute))
            say(run, outcome, OUTCOME_CANNOT,
                arena_print(run->arena, "%s depends on a parameter of its function", call->op_type));
        if (attribute != NULL)
            attributes[call->attribute_count++] = attribute;
    }
    call->attributes = attributes;
    return OPSHIFT_OK;
}

static enum opshift_status read_inputs(struct run *run, struct run_side *side, struct graph *graph,
                                       const struct node *node, unsigned depth, struct kernel_call *call,
                                       enum outcome *outcome, struct opshift_error *error)
{
    const struct tensor **inputs = arena_alloc(run->arena, node->input_count + UINT64_C(1), sizeof(*inputs));
    enum opshift_status status = inputs == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    for (uint32_t i = 0; i < node->input_count && status == OPSHIFT_OK && *outcome == OUTCOME_VALUE; i++)
        if (node_inputs(node)[i] != NAME_NONE)
            status = find_value(run, side, graph, node_inputs(node)[i], depth + 1, &inputs[i], outcome, error);
    call->inputs = inputs;
    call->input_count = node->input_count;
    return status;
}

/* Is there a kernel that stands for this node? */
static bool is_runnable(struct run *run, struct run_side *side, const struct node *node, const struct kernel_call *call,
                        unsigned depth, enum outcome *outcome)
{
    const char *words = NULL;
    if (depth >= RUN_DEPTH_MAX || side->node_count++ >= RUN_NODES_MAX)
        words = "more nodes are between the two cuts than are run here";
    else if (node->subgraph_count > 0 || node->domain != NAME_NONE || scope_callee(side->side->scopes, node) != NULL ||
             kernel_find(call->op_type, call->opset) == NULL)
        words = arena_print(run->arena, "there is no built-in kernel for %s at opset %lld", call->op_type,
                            (long long)call->opset);
    else
        return true;
    say(run, outcome, OUTCOME_CANNOT, words);
    return false;
}

static enum opshift_status call_kernel(struct run *run, struct run_side *side, const struct node *node,
                                       struct kernel_call *call, enum outcome *outcome, struct opshift_error *error)
{
    struct opshift_error wrong = {0};
    bool *wanted = arena_alloc(run->arena, node->output_count + UINT64_C(1), sizeof(*wanted));
    call->outputs = arena_alloc(run->arena, node->output_count + UINT64_C(1), sizeof(struct tensor *));
    if (wanted == NULL || call->outputs == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < node->output_count; i++)
        wanted[i] = node_outputs(node)[i] != NAME_NONE;
    call->wanted = wanted;
    call->output_count = node->output_count;
    call->arena = run->arena;
    enum opshift_status status = kernel_run(call, &wrong);
    if (status != OPSHIFT_OK)
        say(run, outcome, status == OPSHIFT_MALFORMED ? OUTCOME_REFUSED : OUTCOME_CANNOT,
            arena_print(run->arena, "%s", wrong.text));
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->output_count; i++)
        if (wanted[i] && !keep(run, &side->known, node_outputs(node)[i], call->outputs[i]))
            return opshift_no_memory(error);
    return OPSHIFT_OK;
}

static enum opshift_status run_node(struct run *run, struct run_side *side, struct graph *graph,
                                    const struct node *node, unsigned depth, enum outcome *outcome,
                                    struct opshift_error *error)
{
    struct kernel_call call = {
        .op_type = names_text(side->side->model->names, node->op_type),
        .opset = graph_opset(side->side->model, graph, NAME_NONE),
    };
    if (!is_runnable(run, side, node, &call, depth, outcome))
        return OPSHIFT_OK;
    enum opshift_status status = read_inputs(run, side, graph, node, depth, &call, outcome, error);
    if (status == OPSHIFT_OK && *outcome == OUTCOME_VALUE)
        status = read_attributes(run, side, node, &call, outcome, error);
    if (status == OPSHIFT_OK && *outcome == OUTCOME_VALUE)
        status = call_kernel(run, side, node, &call, outcome, error);
    return status;
}

/* ---- names ---- */

/* The constant of this name on either side. */
static enum opshift_status find_constant(struct run_side *side, struct graph *graph, name_id name,
                                         const struct tensor **tensor, struct opshift_error *error)
{
    enum opshift_status status = fold_constant(side->side->folder, graph, name, tensor, NULL, error);
    name_id other = side->side->other[name];
    if (status != OPSHIFT_OK || *tensor != NULL || other == NAME_NO_MEMORY)
        return status;
    return fold_constant(side->other->folder, side->other_graph, other, tensor, NULL, error);
}

static bool both_have(const struct run_side *side, name_id name)
{
    name_id other = side->side->other[name];
    return other != NAME_NO_MEMORY && scope_find(side->other->scopes, side->other_graph, other).kind != DEFINED_NOWHERE;
}

static enum opshift_status find_value(struct run *run, struct run_side *side, struct graph *graph, name_id name,
                                      unsigned depth, const struct tensor **tensor, enum outcome *outcome,
                                      struct opshift_error *error)
{
    *tensor = lookup(&side->known, name);
    if (*tensor != NULL)
        return OPSHIFT_OK;
    enum opshift_status status = find_constant(side, graph, name, tensor, error);
    if (status != OPSHIFT_OK || *tensor != NULL)
        return status;
    if (both_have(side, name))
        return draw(run, side == &run->before ? name : side->side->other[name], tensor, outcome, error);
    struct definition definition = scope_find(side->side->scopes, graph, name);
    if (definition.kind != DEFINED_NODE) {
        say(run, outcome, OUTCOME_CANNOT,
            arena_print(run->arena, "'%s' is no value of the other side", names_text(side->side->model->names, name)));
        return OPSHIFT_OK;
    }
    status = run_node(run, side, definition.graph, &definition.graph->nodes[definition.index], depth, outcome, error);
    *tensor = lookup(&side->known, name);
    return status;
}

enum opshift_status run_output(struct run *run, struct run_side *side, name_id name, const struct tensor **tensor,
                               enum outcome *outcome, struct opshift_error *error)
{
    struct definition definition = scope_find(side->side->scopes, side->graph, name);
    *outcome = OUTCOME_VALUE;
    *tensor = lookup(&side->known, name);
    if (*tensor != NULL)
        return OPSHIFT_OK;
    if (definition.kind != DEFINED_NODE)
        return find_value(run, side, side->graph, name, 0, tensor, outcome, error);
    enum opshift_status status =
        run_node(run, side, definition.graph, &definition.graph->nodes[definition.index], 0, outcome, error);
    *tensor = lookup(&side->known, name);
    return status;
}
