/* Runs an IR: Split and VariadicSplit by OpenVINO's definition, the other layers by the kernels of their operators. */
#include <inttypes.h>
#include <string.h>

#include "base/option_struct.h"
#include "dialect/openvino_import.h"
#include "kernel/execute.h"
#include "run/inputs.h"

/* A run; the values of all names. */
struct ir_run {
    struct opshift_imported *imported;
    struct opshift_model *model;
    struct execution *execution;
    struct budget *budget;
    struct arena *arena;            /* of the values that layers of Split make, and of initializers */
    struct value *values;           /* by name_id; ABSENT: not computed */
    const struct ir_layer **splits; /* by node; NULL: another operator */
};

/* ---- Split ---- */

/* The lengths: equal parts, each at least 1 long, or a list in which one -1 is the rest. */
static enum opshift_status find_lengths(const struct ir_run *run, const struct tensor *list, int64_t dim,
                                        int64_t **lengths, size_t count, struct opshift_error *error)
{
    int64_t sum = 0, rest = -1;
    *lengths = arena_alloc(run->arena, count + 1, sizeof(**lengths));
    if (*lengths == NULL)
        return opshift_no_memory(error);
    if (list == NULL) {
        if ((int64_t)count > dim || dim % (int64_t)count != 0)
            return opshift_fail(error, OPSHIFT_MALFORMED,
                                "num_splits %zu %s the dim %" PRId64
                                "; Split takes a number in [1, dim] that divides it",
                                count, (int64_t)count > dim ? "is more than" : "does not divide", dim);
        for (size_t i = 0; i < count; i++)
            (*lengths)[i] = dim / (int64_t)count;
        return OPSHIFT_OK;
    }
    if (list->rank != 1 || list->count != count || list->type != OPSHIFT_TYPE_INT64)
        return opshift_fail(error, OPSHIFT_MALFORMED, "there are %" PRIu64 " lengths and %zu outputs", list->count,
                            count);
    for (size_t i = 0; i < count; i++) {
        int64_t length = (*lengths)[i] = ((const int64_t *)list->data)[i];
        if (length < -1 || (length == -1 && rest >= 0))
            return opshift_fail(error, OPSHIFT_MALFORMED,
                                "length %zu is %" PRId64 "; lengths are 0 or more, and one may be -1 for the rest", i,
                                length);
        if (length == -1)
            rest = (int64_t)i;
        else if (__builtin_add_overflow(sum, length, &sum))
            sum = INT64_MAX;
    }
    if (rest >= 0 ? sum > dim : sum != dim)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the lengths sum to %" PRId64 ", and the dim is %" PRId64, sum,
                            dim);
    if (rest >= 0)
        (*lengths)[rest] = dim - sum;
    return OPSHIFT_OK;
}

static enum opshift_status make_parts(const struct ir_run *run, const struct tensor *data, uint32_t axis,
                                      const int64_t *lengths, struct tensor **parts, void **outputs, size_t count,
                                      struct opshift_error *error)
{
    int64_t dims[TENSOR_RANK_MAX];
    enum opshift_status status = budget_bytes(run->budget, type_size(data->type, data->count), error);
    memcpy(dims, data->dims, data->rank * sizeof(*dims));
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        dims[axis] = lengths[i];
        status = tensor_new(run->arena, data->type, data->rank, dims, &parts[i], error);
        if (status == OPSHIFT_OK)
            outputs[i] = parts[i]->data;
    }
    return status;
}

static enum opshift_status copy_parts(const struct ir_run *run, const struct tensor *data, uint32_t axis,
                                      const int64_t *lengths, struct tensor **parts, size_t count,
                                      struct opshift_error *error)
{
    uint64_t outer = 1, inner = 1;
    void **outputs = arena_alloc(run->arena, count + 1, sizeof(*outputs));
    if (outputs == NULL)
        return opshift_no_memory(error);
    size_t size = data->type == OPSHIFT_TYPE_STRING ? sizeof(struct bytes) : type_bits(data->type) / 8;
    enum opshift_status status = make_parts(run, data, axis, lengths, parts, outputs, count, error);
    for (uint32_t i = 0; i < data->rank; i++)
        *(i < axis ? &outer : &inner) *= i == axis ? 1 : (uint64_t)data->dims[i];
    if (status == OPSHIFT_OK)
        status = budget_steps(run->budget, data->count, STEPS_MOVE, error);
    if (status || data->count == 0)
        return status;
    return opshift_split(data->data, size, outer, (uint64_t)data->dims[axis], inner, lengths, count, outputs, NULL,
                         error);
}

static enum opshift_status run_split(struct ir_run *run, const struct node *node, const struct ir_layer *layer,
                                     struct opshift_error *error)
{
    const struct tensor *data = run->values[node_inputs(node)[0]].tensor;
    const struct tensor *list = node->input_count > 1 ? run->values[node_inputs(node)[1]].tensor : NULL;
    struct tensor **parts = arena_alloc(run->arena, node->output_count + 1u, sizeof(struct tensor *));
    struct openvino_cut cut;
    int64_t *lengths;
    enum opshift_status status = openvino_cut_read(&run->imported->net, layer, &cut, error);
    if (status || parts == NULL)
        return status ? status : opshift_no_memory(error);
    int64_t axis = cut.axis < 0 ? cut.axis + (int64_t)data->rank : cut.axis;
    if (axis < 0 || axis >= (int64_t)data->rank)
        return opshift_fail(error, OPSHIFT_MALFORMED, "axis %" PRId64 " is outside of a tensor of rank %u", cut.axis,
                            data->rank);
    status = find_lengths(run, list, data->dims[axis], &lengths, node->output_count, error);
    if (status == OPSHIFT_OK)
        status = copy_parts(run, data, (uint32_t)axis, lengths, parts, node->output_count, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->output_count; i++)
        if (node_outputs(node)[i] != NAME_NONE)
            run->values[node_outputs(node)[i]] = value_of(parts[i]);
    return status;
}

/* ---- the net ---- */

static enum opshift_status run_node(struct ir_run *run, uint32_t index, struct opshift_error *error)
{
    struct graph *graph = run->model->main;
    const struct node *node = &graph->nodes[index];
    if (run->splits[index]) {
        enum opshift_status split = run_split(run, node, run->splits[index], error);
        return split ? opshift_within(error, split, "%s", ir_place(&run->imported->net.net, run->splits[index]))
                     : OPSHIFT_OK;
    }
    struct value *inputs = arena_alloc(run->arena, node->input_count + 1u, sizeof(*inputs));
    struct value *outputs = arena_alloc(run->arena, node->output_count + 1u, sizeof(*outputs));
    if (inputs == NULL || outputs == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < node->input_count; i++)
        inputs[i] = run->values[node_inputs(node)[i]];
    enum opshift_status status = execution_node(run->execution, graph, node, inputs, outputs, error);
    if (status)
        return opshift_within(error, status, "%s", node_place(run->model, graph, node));
    for (uint32_t i = 0; i < node->output_count; i++)
        if (node_outputs(node)[i] == NAME_NONE)
            value_drop(&outputs[i]);
        else
            run->values[node_outputs(node)[i]] = outputs[i];
    return OPSHIFT_OK;
}

static enum opshift_status read_constants(struct ir_run *run, struct opshift_error *error)
{
    const struct graph *graph = run->model->main;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->initializer_count; i++) {
        struct tensor *tensor;
        status = budget_bytes(run->budget, range_size(graph->initializers[i].range), error);
        if (status == OPSHIFT_OK)
            status = initializer_tensor(run->model, &graph->initializers[i], 0, run->arena, &tensor, error);
        if (status == OPSHIFT_OK)
            run->values[graph->initializers[i].name] = value_of(tensor);
    }
    return status;
}

static enum opshift_status collect(struct ir_run *run, struct opshift_values **outputs, struct opshift_error *error)
{
    const struct graph *graph = run->model->main;
    struct opshift_values *made = NULL;
    enum opshift_status status = opshift_values_new(&made, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->output_count; i++) {
        struct opshift_value *value = NULL;
        status = value_copy(&run->values[graph->outputs[i].name], &value, error);
        if (status == OPSHIFT_OK)
            status = opshift_values_add(made, names_text(run->model->names, graph->outputs[i].name), value, error);
    }
    if (status)
        opshift_values_free(made);
    else
        *outputs = made;
    return status;
}

static enum opshift_status run_net(struct ir_run *run, const struct opshift_values *inputs,
                                   const struct opshift_run_options *options, struct opshift_values **outputs,
                                   struct opshift_error *error)
{
    struct graph *graph = run->model->main;
    const struct openvino_lift *lift = &run->imported->lift;
    const struct lifted_split *splits = (const struct lifted_split *)(const void *)lift->splits.data;
    struct value *matched = arena_alloc(run->arena, graph->input_count + UINT64_C(1), sizeof(*matched));
    run->values = arena_alloc(run->arena, names_count(run->model->names), sizeof(*run->values));
    run->splits = arena_alloc(run->arena, graph->node_count + UINT64_C(1), sizeof(*run->splits));
    if (matched == NULL || run->values == NULL || run->splits == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < lift->splits.size / sizeof(*splits); i++)
        run->splits[splits[i].node] = &run->imported->net.net.layers[splits[i].layer];
    enum opshift_status status = inputs_match(run->model, inputs, options->ignore_shapes, matched, error);
    if (status == OPSHIFT_OK)
        status = read_constants(run, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->input_count; i++)
        run->values[graph->inputs[i].name] = matched[i];
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++)
        status = run_node(run, i, error);
    return status ? status : collect(run, outputs, error);
}

/* Values that kernels made have holders; those of this run are in its arena. */
static void values_end(struct ir_run *run)
{
    for (uint32_t i = 0; run->values && run->splits && i < run->model->main->node_count; i++) {
        const struct node *node = &run->model->main->nodes[i];
        for (uint32_t at = 0; !run->splits[i] && at < node->output_count; at++)
            if (node_outputs(node)[at] != NAME_NONE)
                value_drop(&run->values[node_outputs(node)[at]]);
    }
}

/* The default limit, as of other runs. */
static uint64_t memory_default(const struct opshift_imported *imported)
{
    uint64_t weights = imported->net.weights ? source_size(imported->net.weights) : 0;
    return BUDGET_MEMORY_DEFAULT + 2 * weights;
}

enum opshift_status opshift_imported_run(struct opshift_imported *imported, const struct opshift_values *inputs,
                                         const struct opshift_run_options *options, struct opshift_values **outputs,
                                         struct opshift_error *error)
{
    struct opshift_run_options full = {0};
    struct ir_run run = {.imported = imported, .model = imported->model, .arena = arena_new(0)};
    struct scopes *scopes = NULL;
    *outputs = NULL;
    enum opshift_status status = run.arena ? OPTIONS_COPY(options, &full, error) : opshift_no_memory(error);
    if (status == OPSHIFT_OK && full.engine && strcmp(full.engine, "builtin") != 0)
        status = opshift_fail(error, OPSHIFT_USAGE, "an IR is run by the built-in engine alone; leave the engine out");
    if (status == OPSHIFT_OK && !imported->as_it_is)
        status = opshift_fail(error, OPSHIFT_USAGE, "an IR that was imported to an opset is run by opshift_run");
    if (status == OPSHIFT_OK)
        status = scopes_new(imported->model, &scopes, error);
    struct execution_options how = {.steps = full.steps,
                                    .memory = full.memory ? full.memory : memory_default(imported)};
    if (status == OPSHIFT_OK)
        status = execution_new(imported->model, scopes, &how, &run.execution, error);
    if (status == OPSHIFT_OK) {
        run.budget = execution_budget(run.execution);
        status = run_net(&run, inputs, &full, outputs, error);
    }
    values_end(&run);
    execution_free(run.execution);
    scopes_free(scopes);
    arena_free(run.arena);
    return status ? opshift_within(error, status, "%.256s", imported->net.path) : OPSHIFT_OK;
}
