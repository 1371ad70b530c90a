/* Decodes the graph inside a node with the plan's rewrites in it. */
#include "convert/inner_graph.h"

#include "base/list.h"

/* State of converting the graphs of one node. */
struct inner {
    const struct conversion_plan *plan;
    struct arena *arena;
};

/* A list of messages that grows. */
struct message_list {
    void **items;
    uint32_t count, room;
};

/* False: no memory. */
static bool list_add(struct inner *inner, struct message_list *list, void *item)
{
    if (!arena_list_grow(inner->arena, &list->items, list->count, &list->room, sizeof(*list->items)))
        return false;
    if (item)
        list->items[list->count++] = item;
    return item != NULL;
}

static bool add_record(struct inner *inner, struct message_list *list, const ProtobufCMessageDescriptor *descriptor,
                       struct bytes record)
{
    return list_add(inner, list,
                    protobuf_c_message_unpack(descriptor, arena_allocator(inner->arena), record.size, record.data));
}

/* ---- nodes ------------------------------------------------------------------------------------------------------ */

static enum opshift_status convert_graph(struct inner *inner, const struct graph *graph, Onnx__GraphProto *message,
                                         struct opshift_error *error);

/* Converts the graphs of a node, in the order of the file. */
static enum opshift_status convert_subgraphs(struct inner *inner, const struct node *node, Onnx__NodeProto *message,
                                             struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    struct graph *const *graphs = node_subgraphs(node);
    uint32_t next = 0, count = node_subgraph_count(node);
    for (size_t i = 0; graphs && i < message->n_attribute; i++) {
        Onnx__AttributeProto *attribute = message->attribute[i];
        for (size_t k = 0; status == OPSHIFT_OK && k < attribute->n_graphs + (attribute->g != NULL); k++) {
            Onnx__GraphProto *inside = k < attribute->n_graphs ? attribute->graphs[k] : attribute->g;
            if (next == count)
                return opshift_fail(error, OPSHIFT_UNSUPPORTED, "a node in it has more graphs than were found");
            status = convert_graph(inner, graphs[next++], inside, error);
        }
    }
    return status;
}

/* Gives the graphs back to a record that was written without them. */
static void restore_subgraphs(const Onnx__NodeProto *from, Onnx__NodeProto *to)
{
    for (size_t i = 0; i < to->n_attribute; i++)
        for (size_t k = 0; k < from->n_attribute; k++) {
            const Onnx__AttributeProto *had = from->attribute[k];
            Onnx__AttributeProto *has = to->attribute[i];
            if ((had->g == NULL && had->n_graphs == 0) || !bytes_same(bytes_of(had->name), bytes_of(has->name)))
                continue;
            has->g = had->g;
            has->n_graphs = had->n_graphs;
            has->graphs = had->graphs;
        }
}

static enum opshift_status add_rewritten(struct inner *inner, const struct graph *graph, const struct node *node,
                                         const Onnx__NodeProto *message, struct message_list *nodes,
                                         struct opshift_error *error)
{
    struct planned_node found;
    enum opshift_status status = plan_find(inner->plan, graph, node, inner->arena, &found, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < found.record_count; i++)
        if (!add_record(inner, nodes, &onnx__node_proto__descriptor, found.records[i]))
            status = opshift_no_memory(error);
    if (status == OPSHIFT_OK && nodes->count && plan_entry_find(inner->plan, graph, node)->inside)
        restore_subgraphs(message, nodes->items[nodes->count - 1]);
    return status;
}

static enum opshift_status add_node(struct inner *inner, const struct graph *graph, const struct node *node,
                                    Onnx__NodeProto *message, struct message_list *nodes, struct opshift_error *error)
{
    const struct plan_entry *entry = plan_entry_find(inner->plan, graph, node);
    bool replaced = entry && entry->fate == OPSHIFT_REWRITTEN && entry->replaced; /* its records have the graphs */
    enum opshift_status status = OPSHIFT_OK;
    if (entry && entry->fate == OPSHIFT_REMOVED)
        return OPSHIFT_OK;
    if (!replaced)
        status = convert_subgraphs(inner, node, message, error);
    if (status)
        return status;
    if (entry && entry->fate == OPSHIFT_REWRITTEN)
        return add_rewritten(inner, graph, node, message, nodes, error);
    return list_add(inner, nodes, message) ? OPSHIFT_OK : opshift_no_memory(error);
}

/* ---- graphs ----------------------------------------------------------------------------------------------------- */

/* Adds what the plan adds to the graph: initializers, or nodes before all others. */
static bool add_constants(struct inner *inner, const struct graph *graph, bool nodes, struct message_list *list)
{
    const struct conversion_plan *plan = inner->plan;
    const struct plan_added *added = plan->constants ? plan->constants[graph->number].first : NULL;
    bool done = true;
    for (; done && added; added = added->next) {
        const uint8_t *at = plan->bytes.data + added->place, *end = at + added->size;
        while (done && added->constant.is_node == nodes && at != end)
            done = add_record(inner, list, nodes ? &onnx__node_proto__descriptor : &onnx__tensor_proto__descriptor,
                              plan_record_next(&at));
    }
    return done;
}

static enum opshift_status convert_graph(struct inner *inner, const struct graph *graph, Onnx__GraphProto *message,
                                         struct opshift_error *error)
{
    struct message_list nodes = {0}, initializers = {0};
    bool done = true;
    enum opshift_status status = OPSHIFT_OK;
    if (message->n_node != graph->node_count)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "a graph in it is written in several parts");
    for (size_t i = 0; done && i < message->n_initializer; i++)
        done = list_add(inner, &initializers, message->initializer[i]);
    if (!done || !add_constants(inner, graph, false, &initializers) || !add_constants(inner, graph, true, &nodes))
        return opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++)
        status = add_node(inner, graph, &graph->nodes[i], message->node[i], &nodes, error);
    if (status)
        return status;
    message->node = arena_alloc(inner->arena, nodes.count, sizeof(*message->node));
    message->initializer = arena_alloc(inner->arena, initializers.count, sizeof(*message->initializer));
    if (message->node == NULL || message->initializer == NULL)
        return opshift_no_memory(error);
    message->n_node = nodes.count;
    message->n_initializer = initializers.count;
    for (size_t i = 0; i < nodes.count; i++)
        message->node[i] = nodes.items[i];
    for (size_t i = 0; i < initializers.count; i++)
        message->initializer[i] = initializers.items[i];
    return OPSHIFT_OK;
}

enum opshift_status inner_graph_convert(const struct planner *planner, const struct graph *graph, struct arena *arena,
                                        Onnx__GraphProto **converted, struct opshift_error *error)
{
    struct inner inner = {planner->plan, arena};
    const struct message *place = graph->message;
    struct range range = range_make(message_record(place), place->offset, place->size);
    enum opshift_status status =
        range_decode(planner->model, range, &onnx__graph_proto__descriptor, arena, converted, error);
    return status ? status : convert_graph(&inner, graph, *converted, error);
}
