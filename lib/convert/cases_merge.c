/* Compares what a plan makes of functions, with the names of values replaced by numbers in the order of their first
 * use. */

#include "convert/cases.h"
#include "wire/wire.h"

struct merging {
    const struct conversion_plan *plan;
    const struct scopes *scopes;
    const uint32_t *origin, *number;
    struct arena *arena, *scratch; /* scratch: of one record */
    struct case_results *results;
    bool *known;
};

/* The function that is being written. */
struct writing {
    struct merging *merging;
    struct names *names; /* of values, by first use */
    struct buffer *out;
};

static void add_number(struct writing *writing, int64_t number)
{
    buffer_add(writing->out, &number, sizeof(number));
}

static void add_text(struct writing *writing, struct bytes text)
{
    add_number(writing, (int64_t)text.size);
    if (text.size)
        buffer_add(writing->out, text.data, text.size);
}

static void add_name(struct writing *writing, struct bytes name)
{
    name_id id = names_add(writing->names, name.data, name.size);
    writing->out->failed |= id == NAME_NO_MEMORY;
    add_number(writing, id);
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

static void add_message(struct writing *writing, const ProtobufCMessage *message)
{
    add_number(writing, (int64_t)protobuf_c_message_get_packed_size(message));
    wire_add_packed(writing->out, message);
}

static void add_record(struct writing *writing, Onnx__NodeProto *node);

/* A graph in the record of new nodes. */
static void add_new_graph(struct writing *writing, Onnx__GraphProto *graph)
{
    for (size_t i = 0; i < graph->n_input; i++)
        add_name(writing, bytes_of(graph->input[i]->name));
    for (size_t i = 0; i < graph->n_initializer; i++) {
        add_name(writing, bytes_of(graph->initializer[i]->name));
        graph->initializer[i]->has_name = 0;
        add_message(writing, &graph->initializer[i]->base);
    }
    for (size_t i = 0; i < graph->n_node; i++)
        add_record(writing, graph->node[i]);
    for (size_t i = 0; i < graph->n_output; i++)
        add_name(writing, bytes_of(graph->output[i]->name));
}

static void add_attribute(struct writing *writing, Onnx__AttributeProto *attribute)
{
    if (attribute->g)
        add_new_graph(writing, attribute->g);
    for (size_t i = 0; i < attribute->n_graphs; i++)
        add_new_graph(writing, attribute->graphs[i]);
    attribute->g = NULL;
    attribute->n_graphs = 0;
    add_message(writing, &attribute->base);
}

/* Takes the record apart. */
static void add_record(struct writing *writing, Onnx__NodeProto *node)
{
    add_number(writing, (int64_t)node->n_input);
    for (size_t i = 0; i < node->n_input; i++)
        add_name(writing, bytes_of(node->input[i]));
    add_number(writing, (int64_t)node->n_output);
    for (size_t i = 0; i < node->n_output; i++)
        add_name(writing, bytes_of(node->output[i]));
    for (size_t i = 0; i < node->n_attribute; i++)
        add_attribute(writing, node->attribute[i]);
    node->n_input = node->n_output = node->n_attribute = 0;
    node->has_name = 0;
    add_message(writing, &node->base);
}

static enum opshift_status add_bytes(struct writing *writing, struct bytes record, bool inside,
                                     const struct function *callee, struct opshift_error *error)
{
    struct merging *merging = writing->merging;
    Onnx__NodeProto *node = onnx__node_proto__unpack(arena_allocator(merging->scratch), record.size, record.data);
    if (node == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; inside && i < node->n_attribute; i++) { /* its graphs have their own nodes in the plan */
        node->attribute[i]->g = NULL;
        node->attribute[i]->n_graphs = 0;
    }
    if (callee) {
        uint32_t number = (uint32_t)(callee - merging->plan->model->functions);
        add_number(writing, merging->number ? merging->number[number] : merging->results->same[number]);
        node->has_op_type = 0;
    }
    add_record(writing, node);
    return OPSHIFT_OK;
}

static enum opshift_status add_graph(struct writing *writing, struct graph *graph, struct opshift_error *error);

static enum opshift_status add_kept(struct writing *writing, const struct node *node, struct opshift_error *error)
{
    struct merging *merging = writing->merging;
    struct source *source = merging->plan->model->source;
    size_t size = (size_t)range_size(node->range);
    uint8_t *bytes = arena_alloc(merging->scratch, size + UINT64_C(1), 1);
    if (bytes == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = source_read(source, range_offset(node->range), bytes, size, error);
    return status ? status
                  : add_bytes(writing, (struct bytes){bytes, size}, true, scope_callee(merging->scopes, node), error);
}

static enum opshift_status add_node(struct writing *writing, struct graph *graph, const struct node *node,
                                    struct opshift_error *error)
{
    struct merging *merging = writing->merging;
    const struct plan_entry *entry = plan_entry_find(merging->plan, graph, node);
    enum opshift_fate fate = entry ? entry->fate : OPSHIFT_KEPT;
    enum opshift_status status = OPSHIFT_OK;
    arena_clear(merging->scratch);
    add_number(writing, fate);
    if (fate == OPSHIFT_REMOVED)
        return OPSHIFT_OK;
    bool replaced = fate == OPSHIFT_REWRITTEN && entry->replaced;
    if (fate == OPSHIFT_REWRITTEN) {
        struct planned_node found;
        status = plan_find(merging->plan, graph, node, merging->scratch, &found, error);
        add_number(writing, (int64_t)found.record_count);
        for (size_t i = 0; status == OPSHIFT_OK && i < found.record_count; i++)
            status = add_bytes(writing, found.records[i], !replaced, NULL, error);
    } else {
        status = add_kept(writing, node, error);
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && !replaced && i < node_subgraph_count(node); i++)
        status = add_graph(writing, node_subgraphs(node)[i], error);
    return status;
}

static enum opshift_status add_graph(struct writing *writing, struct graph *graph, struct opshift_error *error)
{
    const struct conversion_plan *plan = writing->merging->plan;
    const struct plan_added *added = plan->constants ? plan->constants[graph->number].first : NULL;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < graph->input_count; i++)
        add_name(writing, names_bytes(plan->model->names, graph->inputs[i].name));
    for (; added; added = added->next) {
        const struct tensor *tensor = added->constant.tensor;
        add_name(writing, names_bytes(plan->model->names, added->constant.name));
        add_number(writing, tensor->type);
        add_text(writing, (struct bytes){(const uint8_t *)tensor->dims, tensor->rank * sizeof(*tensor->dims)});
        if (tensor->type != OPSHIFT_TYPE_STRING)
            add_text(writing, (struct bytes){tensor->data, type_size(tensor->type, tensor->count)});
        else
            add_text(writing, (struct bytes){plan->bytes.data + added->place, added->size});
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++)
        status = add_node(writing, graph, &graph->nodes[i], error);
    for (uint32_t i = 0; i < graph->output_count; i++)
        add_name(writing, names_bytes(plan->model->names, graph->outputs[i].name));
    return status == OPSHIFT_OK && writing->out->failed ? opshift_no_memory(error) : status;
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

static enum opshift_status function_write(struct merging *merging, uint32_t number, struct opshift_error *error)
{
    struct case_results *results = merging->results;
    struct buffer out = {0};
    struct writing writing = {merging, names_new(), &out};
    if (writing.names == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = add_graph(&writing, merging->plan->model->functions[number].body, error);
    names_free(writing.names);
    if (status == OPSHIFT_OK) {
        results->bytes[number] = (struct bytes){arena_copy(merging->arena, out.data, out.size), out.size};
        if (results->bytes[number].data == NULL)
            status = opshift_no_memory(error);
    }
    buffer_free(&out);
    if (status)
        return status;
    for (uint32_t i = 0; i < merging->plan->model->function_count; i++)
        if (merging->known[i] && merging->origin[i] == merging->origin[number] && results->same[i] == i &&
            bytes_same(results->bytes[i], results->bytes[number])) {
            results->same[number] = i;
            break;
        }
    merging->known[number] = true;
    return OPSHIFT_OK;
}

/* Callees first; the depth of calls is limited (calls_check). */
static enum opshift_status function_find(struct merging *merging, uint32_t number, struct opshift_error *error)
{
    const struct opshift_model *model = merging->plan->model;
    const struct function *function = &model->functions[number];
    enum opshift_status status = OPSHIFT_OK;
    if (merging->known[number])
        return OPSHIFT_OK;
    for (uint32_t g = function->body->number; g < model->graph_count && model->graphs[g]->function == function; g++)
        for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graphs[g]->node_count; i++) {
            const struct function *callee = scope_callee(merging->scopes, &model->graphs[g]->nodes[i]);
            if (callee)
                status = function_find(merging, (uint32_t)(callee - model->functions), error);
        }
    return status ? status : function_write(merging, number, error);
}

enum opshift_status case_results_find(const struct conversion_plan *plan, const uint32_t *origin,
                                      const uint32_t *number, struct arena *arena, struct case_results *results,
                                      struct opshift_error *error)
{
    uint32_t count = plan->model->function_count;
    struct scopes *scopes = NULL;
    struct merging merging = {plan,  NULL,         origin,  number,
                              arena, arena_new(0), results, arena_alloc(arena, count + UINT64_C(1), sizeof(bool))};
    results->same = arena_alloc(arena, count + UINT64_C(1), sizeof(*results->same));
    results->bytes = arena_alloc(arena, count + UINT64_C(1), sizeof(*results->bytes));
    enum opshift_status status = scopes_new(plan->model, &scopes, error);
    if (status == OPSHIFT_OK && (!merging.scratch || !merging.known || !results->same || !results->bytes))
        status = opshift_no_memory(error);
    merging.scopes = scopes;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++)
        results->same[i] = i;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++)
        status = function_find(&merging, i, error);
    arena_free(merging.scratch);
    scopes_free(scopes);
    return status;
}
