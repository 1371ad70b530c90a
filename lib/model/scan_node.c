/* Scans nodes: names of inputs and outputs, and subgraphs in attributes. */
#include "model/limits.h"
#include "model/scan_part.h"

#include <string.h>

#define PLACES_MAX 4u /* maximum number of enclosing nodes named in an error */

static enum opshift_status owner_messages(struct scan *scan, struct owner *owner, const struct wire_field *attribute,
                                          struct message **message)
{
    if (*message != NULL)
        return OPSHIFT_OK;
    enum opshift_status status = OPSHIFT_OK;
    if (owner->node == NULL)
        status = scan_message_add(scan, owner->around, &owner->field, &owner->node);
    return status ? status : scan_message_add(scan, owner->node, attribute, message);
}

static enum opshift_status scan_subgraph(struct scan *scan, struct owner *owner, const struct wire_field *field,
                                         struct message *attribute, uint32_t depth)
{
    struct graph *graph;
    enum opshift_status status = scan_graph(scan, field, attribute, owner->graph, GRAPH_SUB, depth, &graph);
    if (status)
        return status;
    graph->owner = owner->index;
    return scan_stack_push(scan, &scan->subgraphs, &graph, sizeof(struct graph *));
}

enum opshift_status scan_attribute(struct scan *scan, const struct scan_place *around, struct owner *owner)
{
    struct scan_place spot = scan_spot(scan, &onnx__attribute_proto__descriptor, around->field.offset,
                                       around->field.size, around->depth + 1);
    spot.parts = SCAN_PART(6) | SCAN_PART(11);
    struct message *message = NULL;
    struct wire_field name = {0};
    size_t base = scan->subgraphs.count;
    bool single = false;
    for (bool found;;) {
        enum opshift_status status = scan_next(scan, &spot, &found);
        if (status)
            return status;
        if (!found)
            break;
        if (spot.field.number == 1)
            name = spot.field;
        if (spot.field.number != 6 && spot.field.number != 11)
            continue;
        if (owner->graph == NULL)
            return opshift_fail_at(scan->error, OPSHIFT_UNSUPPORTED, OPSHIFT_FAULT_DEFAULT_GRAPH, spot.field.record,
                                   "a default attribute that is a graph; give it at each call instead");
        if (spot.field.number == 6 && single)
            return opshift_fail_at(scan->error, OPSHIFT_MALFORMED, OPSHIFT_FAULT_TWO_GRAPHS, spot.field.record,
                                   "AttributeProto.g is given twice; it is not known which one counts");
        single = single || spot.field.number == 6;
        status = owner_messages(scan, owner, &around->field, &message);
        if (status == OPSHIFT_OK)
            status = scan_subgraph(scan, owner, &spot.field, message, spot.depth + 1);
        if (status)
            return status;
    }
    if (scan->subgraphs.count == base || name.size == 0)
        return OPSHIFT_OK;
    name_id id = NAME_NONE;
    enum opshift_status status = scan_name(scan, &name, &id);
    for (size_t i = base; status == OPSHIFT_OK && i < scan->subgraphs.count; i++)
        ((struct graph **)scan->subgraphs.items)[i]->owner_attribute = id;
    return status;
}

/* Counts another attribute or output of the node and checks the limit. */
static enum opshift_status count_check(struct scan *scan, const struct scan_place *spot, const char *what,
                                       uint64_t *count, uint64_t limit)
{
    return ++*count > limit ? limit_exceeded(scan->error, spot->field.record, what, limit, what) : OPSHIFT_OK;
}

static enum opshift_status scan_output(struct scan *scan, struct scan_place *spot, struct owner *owner)
{
    enum opshift_status status = count_check(scan, spot, "outputs", &owner->outputs, scan->model->limits.outputs);
    return status ? status : scan_push_name(scan, &spot->field, &scan->outputs);
}

static enum opshift_status scan_node_attribute(struct scan *scan, struct scan_place *spot, struct node *node,
                                               struct owner *owner)
{
    uint64_t before = spot->field.record - range_offset(node->range);
    if (node->attributes_from == 0)
        node->attributes_from = before < UINT32_MAX ? (uint32_t)before + 1 : 1;
    enum opshift_status status =
        count_check(scan, spot, "attributes", &owner->attributes, scan->model->limits.attributes);
    return status ? status : scan_attribute(scan, spot, owner);
}

static enum opshift_status scan_node_field(struct scan *scan, struct scan_place *spot, struct node *node,
                                           struct owner *owner)
{
    enum opshift_status status;
    name_id op_type = NAME_NONE;
    switch (spot->field.number) {
    case 1:
        return scan_push_name(scan, &spot->field, &scan->inputs);
    case 2:
        return scan_output(scan, spot, owner);
    case 3:
        owner->name = spot->field;
        return scan_check_memory(scan, spot->field.size); /* the name is read on demand */
    case 4:
        status = scan_name(scan, &spot->field, &op_type);
        node->op_type = op_type;
        return status;
    case 5:
        return scan_node_attribute(scan, spot, node, owner);
    case 7:
        return scan_domain(scan, &spot->field, &owner->domain);
    case 8:
        return scan_name(scan, &spot->field, &owner->overload);
    case 10: /* device_configurations */
        scan->model->names_outside = true;
        return OPSHIFT_OK;
    default:
        return OPSHIFT_OK;
    }
}

/* Takes room for the names of a node from the slab. */
static enum opshift_status take_names(struct scan *scan, size_t count, struct node *node)
{
    if (count > SLAB_LAST / 4) {
        name_id *names = NULL;
        enum opshift_status taken = scan_take(scan, count, sizeof *names, &names);
        node->names = names;
        return taken;
    }
    enum opshift_status status = scan_slab_reserve(scan, count);
    if (status)
        return status;
    node->names = scan->slab;
    scan->slab += count;
    scan->slab_left -= count;
    return OPSHIFT_OK;
}

static void names_take(struct stack *stack, size_t base, name_id *to)
{
    if (stack->count > base)
        memcpy(to, (name_id *)stack->items + base, (stack->count - base) * sizeof(name_id));
    stack->count = base;
}

/* Makes the node's struct inside, with the subgraphs on the stack from `base` on. */
static enum opshift_status inside_finish(struct scan *scan, struct node *node, const struct owner *owner, size_t base)
{
    size_t count = scan->subgraphs.count - base;
    struct inside *inside;
    enum opshift_status status = scan_take(scan, 1, sizeof *inside + count * sizeof(struct graph *), &inside);
    if (status)
        return status;
    *inside = (struct inside){.message = owner->node,
                              .domain = owner->domain,
                              .overload = owner->overload,
                              .subgraph_count = (uint32_t)count};
    if (count > 0)
        memcpy(inside->subgraphs, (struct graph **)scan->subgraphs.items + base, count * sizeof(struct graph *));
    scan->subgraphs.count = base;
    node_set_inside(node, inside);
    return OPSHIFT_OK;
}

/* Moves the node's inputs, outputs and subgraphs from the stacks into the index. */
static enum opshift_status node_finish(struct scan *scan, struct node *node, const struct owner *owner, size_t inputs,
                                       size_t outputs, size_t subgraphs)
{
    bool has_inside = scan->subgraphs.count > subgraphs || owner->domain != NAME_NONE || owner->overload != NAME_NONE;
    uint32_t input_count = (uint32_t)(scan->inputs.count - inputs);
    uint32_t output_count = (uint32_t)(scan->outputs.count - outputs);
    size_t room = (size_t)input_count + output_count + (has_inside ? INSIDE_ROOM : 0);
    enum opshift_status status = room > 0 ? take_names(scan, room, node) : OPSHIFT_OK;
    if (status)
        return status;
    if (has_inside)
        node->names += INSIDE_ROOM;
    node->input_count = input_count;
    node->output_count = output_count;
    names_take(&scan->inputs, inputs, node->names);
    /* Without names there is no array. */
    names_take(&scan->outputs, outputs, input_count ? node->names + input_count : node->names);
    return has_inside ? inside_finish(scan, node, owner, subgraphs) : OPSHIFT_OK;
}

/* Adds the node to the error. */
static enum opshift_status within_node(struct scan *scan, const struct node *node, const struct owner *owner,
                                       enum opshift_status status)
{
    const struct names *names = scan->model->names;
    if (scan->places++ >= PLACES_MAX)
        return status;
    name_id name = NAME_NONE;
    struct opshift_error fault = *scan->error; /* errors of reading the name are ignored */
    enum opshift_status read = owner->name.size ? scan_name(scan, &owner->name, &name) : OPSHIFT_OK;
    *scan->error = fault;
    if (read == OPSHIFT_OK && name != NAME_NONE)
        return opshift_within(scan->error, status, "node '%.80s' (%.40s)", names_text(names, name),
                              names_text(names, node->op_type));
    if (node->op_type != NAME_NONE)
        return opshift_within(scan->error, status, "node %" PRIu32 " (%.40s)", owner->index,
                              names_text(names, node->op_type));
    return opshift_within(scan->error, status, "node %" PRIu32, owner->index);
}

enum opshift_status scan_node(struct scan *scan, struct scan_place *around, struct graph *graph)
{
    struct node *node; /* its address is stable: subgraphs have their own arrays */
    uint64_t most = scan->model->limits.nodes;
    if (++scan->nodes > most)
        return limit_exceeded(scan->error, around->field.record, "nodes", most, "nodes");
    enum opshift_status status = scan_array_add(scan, &graph->nodes, &graph->node_count, sizeof *node, &node);
    if (status == OPSHIFT_OK && scan->nodes % PROGRESS_NODES == 0)
        status = model_progress(scan->model, around->field.record, source_size(scan->model->source), scan->error);
    if (status)
        return status;
    struct owner owner = {
        .graph = graph, .around = graph->message, .field = around->field, .index = graph->node_count - 1};
    node->range = range_of(&around->field);
    struct scan_place spot = scan_spot(scan, &onnx__node_proto__descriptor, range_offset(node->range),
                                       range_size(node->range), around->depth + 1);
    spot.parts = SCAN_PART(5);
    size_t inputs = scan->inputs.count, outputs = scan->outputs.count, subgraphs = scan->subgraphs.count;
    for (bool found = true; found;) {
        status = scan_next(scan, &spot, &found);
        if (status == OPSHIFT_OK && found)
            status = scan_node_field(scan, &spot, node, &owner);
        if (status)
            return within_node(scan, node, &owner, status);
    }
    return node_finish(scan, node, &owner, inputs, outputs, subgraphs);
}
