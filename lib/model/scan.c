/* The one pass over a file that builds a model's index: which messages stand where, and the few fields that everyone
 * asks for. Payloads are stepped over. Whatever protobuf-c decodes later has had its depth checked here. */
#include "model/scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/wire.h"

#define WINDOW_MAX  65536u
#define SLAB_SIZE   1024u /* names taken from the arena at once: a node has few */
#define PLACES_MAX  4u    /* of the nodes around a fault, so many are named */
#define IMPORTS_MAX 1000u /* each node's operator is looked up in them */

/* Items under way, of a message and of those around it: each message takes off what it put on. */
struct stack {
    void *items;
    size_t count, room;
};

struct scan {
    struct opshift_model *model;
    struct opshift_error *error;
    struct stack inputs, outputs; /* name_id */
    struct stack subgraphs;       /* struct graph * */
    struct stack dims;            /* int64_t */
    name_id *slab;                /* room for the names of nodes to come */
    size_t slab_left;
    uint64_t held; /* bytes of the arrays outside the arena */
    unsigned places;
};

/* Where the scan is: in this message, which has so many levels around it. */
struct spot {
    const ProtobufCMessageDescriptor *descriptor;
    struct wire_cursor cursor;
    struct wire_field field;
    uint32_t depth;
};

static enum opshift_status scan_graph(struct scan *scan, const struct wire_field *field, struct message *around,
                                      struct graph *parent, enum graph_kind kind, uint32_t depth, struct graph **made);

/* ---- memory --------------------------------------------------------------------------------------------------- */

static enum opshift_status check_memory(struct scan *scan, uint64_t wanted)
{
    struct opshift_model *model = scan->model;
    uint64_t used = arena_size(model->arena) + names_memory(model->names) + scan->held;
    if (used <= model->limits.memory && wanted <= model->limits.memory - used)
        return OPSHIFT_OK;
    return opshift_fail(scan->error, OPSHIFT_UNSUPPORTED,
                        "the index takes more than %" PRIu64 " bytes; if the file is to be trusted, raise the limit",
                        model->limits.memory);
}

static enum opshift_status take(struct scan *scan, size_t count, size_t size, void *pointer)
{
    enum opshift_status status = check_memory(scan, (uint64_t)count * size);
    if (status)
        return status;
    void *made = arena_alloc(scan->model->arena, count, size);
    if (made == NULL)
        return opshift_no_memory(scan->error);
    memcpy(pointer, &made, sizeof made);
    return OPSHIFT_OK;
}

/* A copy in the arena of what a stack has from `base` on, which leaves the stack. Nothing: NULL. */
static enum opshift_status stack_take(struct scan *scan, struct stack *stack, size_t base, size_t size, void *pointer)
{
    size_t count = stack->count - base;
    memset(pointer, 0, sizeof(void *));
    if (count == 0)
        return OPSHIFT_OK;
    enum opshift_status status = take(scan, count, size, pointer);
    if (status)
        return status;
    void *made;
    memcpy(&made, pointer, sizeof made);
    memcpy(made, (uint8_t *)stack->items + base * size, count * size);
    stack->count = base;
    return OPSHIFT_OK;
}

static enum opshift_status stack_push(struct scan *scan, struct stack *stack, const void *item, size_t size)
{
    if (stack->count == stack->room) {
        size_t room = stack->room ? stack->room * 2 : 16;
        enum opshift_status status = check_memory(scan, (uint64_t)(room - stack->room) * size);
        if (status)
            return status;
        void *items = realloc(stack->items, room * size);
        if (items == NULL)
            return opshift_no_memory(scan->error);
        scan->held += (room - stack->room) * size;
        stack->items = items;
        stack->room = room;
    }
    memcpy((uint8_t *)stack->items + stack->count++ * size, item, size);
    return OPSHIFT_OK;
}

/* One more zeroed item at the end of an array that the model owns. Its room follows from its count: 4, 8, 16, ... */
static enum opshift_status array_add(struct scan *scan, void *array, uint32_t *count, size_t size, void *item)
{
    uint8_t *items;
    memcpy(&items, array, sizeof items);
    if (*count == 0 || (*count >= 4 && (*count & (*count - 1)) == 0)) {
        size_t room = *count ? (size_t)*count * 2 : 4;
        enum opshift_status status = check_memory(scan, (uint64_t)(room - *count) * size);
        if (status)
            return status;
        items = *count < UINT32_MAX / 2 ? realloc(items, room * size) : NULL;
        if (items == NULL)
            return opshift_no_memory(scan->error);
        scan->held += (room - *count) * size;
        memcpy(array, &items, sizeof items);
    }
    items += (size_t)(*count)++ * size;
    memset(items, 0, size);
    memcpy(item, &items, sizeof items);
    return OPSHIFT_OK;
}

/* Gives back the room that an array does not need. */
static void array_trim(void *array, uint32_t count, size_t size)
{
    void *items;
    memcpy(&items, array, sizeof items);
    void *less = count ? realloc(items, (size_t)count * size) : NULL;
    if (less != NULL)
        memcpy(array, &less, sizeof less);
}

static enum opshift_status message_add(struct scan *scan, struct message *parent, const struct wire_field *field,
                                       struct message **message)
{
    struct opshift_model *model = scan->model;
    if (model->message_count == model->message_room) {
        uint32_t room = model->message_room ? model->message_room * 2 : 16;
        enum opshift_status status = check_memory(scan, (uint64_t)room * sizeof *model->messages);
        if (status)
            return status;
        struct message **messages =
            room > model->message_room ? realloc(model->messages, room * sizeof *messages) : NULL;
        if (messages == NULL)
            return opshift_no_memory(scan->error);
        scan->held += (room - model->message_room) * sizeof *messages;
        model->messages = messages;
        model->message_room = room;
    }
    enum opshift_status status = take(scan, 1, sizeof **message, message);
    if (status)
        return status;
    **message = (struct message){parent, field->record, field->offset, field->size};
    model->messages[model->message_count++] = *message;
    return OPSHIFT_OK;
}

/* ---- fields --------------------------------------------------------------------------------------------------- */

static struct range range_of(const struct wire_field *field)
{
    return (struct range){field->record, field->offset, field->size};
}

static struct spot spot_in(const struct scan *scan, const ProtobufCMessageDescriptor *descriptor, uint64_t offset,
                           uint64_t size, uint32_t depth)
{
    return (struct spot){
        .descriptor = descriptor, .cursor = {scan->model->source, offset, offset + size}, .depth = depth};
}

static enum opshift_status too_deep(struct scan *scan, uint64_t record)
{
    return opshift_fail(scan->error, OPSHIFT_UNSUPPORTED,
                        "byte %" PRIu64 ": messages are nested deeper than %" PRIu32
                        " levels; if the file is to be trusted, raise the limit",
                        record, scan->model->limits.nesting);
}

/* Levels below a message of this type, where the type itself bounds them. */
static uint32_t levels_below(const ProtobufCMessageDescriptor *descriptor)
{
    if (descriptor == &onnx__tensor_proto__descriptor || descriptor == &onnx__tensor_annotation__descriptor)
        return 1;
    if (descriptor == &onnx__sparse_tensor_proto__descriptor)
        return 2;
    if (descriptor == &onnx__string_string_entry_proto__descriptor)
        return 0;
    return UINT32_MAX;
}

static enum wire_type wire_type_of(ProtobufCType type)
{
    switch (type) {
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_SFIXED32:
        return WIRE_FIXED32;
    case PROTOBUF_C_TYPE_DOUBLE:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_SFIXED64:
        return WIRE_FIXED64;
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
        return WIRE_BYTES;
    default:
        return WIRE_VARINT;
    }
}

/* Is the message at this depth and all below it within the limit? A level takes at least two bytes, so that most
 * messages are too small to need a look. */
static enum opshift_status check_depth(struct scan *scan, const ProtobufCMessageDescriptor *descriptor,
                                       const struct wire_field *field, uint32_t depth)
{
    uint32_t limit = scan->model->limits.nesting;
    if (depth > limit)
        return too_deep(scan, field->record);
    if (field->size / 2 <= limit - depth || levels_below(descriptor) <= limit - depth)
        return OPSHIFT_OK;
    struct wire_cursor cursor = {scan->model->source, field->offset, field->offset + field->size};
    for (;;) {
        struct wire_field inner;
        bool found;
        enum opshift_status status = wire_next(&cursor, &inner, &found, scan->error);
        if (status || !found)
            return status;
        const ProtobufCFieldDescriptor *known = protobuf_c_message_descriptor_get_field(descriptor, inner.number);
        if (known != NULL && known->type == PROTOBUF_C_TYPE_MESSAGE && inner.type == WIRE_BYTES)
            status = check_depth(scan, known->descriptor, &inner, depth + 1);
        if (status)
            return status;
    }
}

static enum opshift_status check_wire_type(struct scan *scan, const struct spot *spot,
                                           const ProtobufCFieldDescriptor *known)
{
    enum wire_type wanted = wire_type_of(known->type);
    bool packed = known->label == PROTOBUF_C_LABEL_REPEATED && wanted != WIRE_BYTES && spot->field.type == WIRE_BYTES;
    if (packed || spot->field.type == wanted)
        return OPSHIFT_OK;
    char name[96];
    snprintf(name, sizeof name, "%s.%s", spot->descriptor->short_name, known->name);
    return wire_expect(&spot->field, wanted, name, scan->error);
}

/* The next field that is known and written as its type is. Messages below are checked for depth, but those that hold
 * graphs, which get their own scan. */
static enum opshift_status next_known(struct scan *scan, struct spot *spot, bool *found)
{
    for (;;) {
        enum opshift_status status = wire_next(&spot->cursor, &spot->field, found, scan->error);
        if (status || !*found)
            return status;
        const ProtobufCFieldDescriptor *known =
            protobuf_c_message_descriptor_get_field(spot->descriptor, spot->field.number);
        if (known == NULL)
            continue;
        status = check_wire_type(scan, spot, known);
        if (status || known->type != PROTOBUF_C_TYPE_MESSAGE)
            return status;
        const void *below = known->descriptor;
        bool scanned = below == &onnx__graph_proto__descriptor || below == &onnx__node_proto__descriptor ||
                       below == &onnx__attribute_proto__descriptor || below == &onnx__function_proto__descriptor ||
                       below == &onnx__training_info_proto__descriptor;
        if (!scanned)
            return check_depth(scan, below, &spot->field, spot->depth + 1);
        return spot->depth + 1 > scan->model->limits.nesting ? too_deep(scan, spot->field.record) : OPSHIFT_OK;
    }
}

/* A name longer than a window. */
static enum opshift_status add_long_name(struct scan *scan, const struct wire_field *field, name_id *name)
{
    uint8_t *data = field->size < SIZE_MAX ? malloc((size_t)field->size) : NULL;
    if (data == NULL)
        return opshift_no_memory(scan->error);
    enum opshift_status status =
        source_read(scan->model->source, field->offset, data, (size_t)field->size, scan->error);
    if (status == OPSHIFT_OK)
        *name = names_add(scan->model->names, data, (size_t)field->size);
    free(data);
    return status;
}

static enum opshift_status scan_name(struct scan *scan, const struct wire_field *field, name_id *name)
{
    enum opshift_status status = check_memory(scan, field->size);
    if (status)
        return status;
    if (field->size > WINDOW_MAX) {
        status = add_long_name(scan, field, name);
        if (status)
            return status;
    } else {
        const uint8_t *data = source_window(scan->model->source, field->offset, (size_t)field->size, scan->error);
        if (data == NULL)
            return scan->error->status;
        *name = names_add(scan->model->names, data, (size_t)field->size);
    }
    return *name == NAME_NO_MEMORY ? opshift_no_memory(scan->error) : OPSHIFT_OK;
}

/* The domain "ai.onnx" and the empty one are the same. */
static enum opshift_status scan_domain(struct scan *scan, const struct wire_field *field, name_id *name)
{
    enum opshift_status status = scan_name(scan, field, name);
    struct bytes text = status ? (struct bytes){0} : names_bytes(scan->model->names, *name);
    if (text.size == 7 && memcmp(text.data, "ai.onnx", 7) == 0)
        *name = NAME_NONE;
    return status;
}

static enum opshift_status push_name(struct scan *scan, const struct wire_field *field, struct stack *stack)
{
    name_id name = NAME_NONE;
    enum opshift_status status = scan_name(scan, field, &name);
    return status ? status : stack_push(scan, stack, &name, sizeof name);
}

/* ---- initializers and value infos ----------------------------------------------------------------------------- */

/* Varints one after the other. */
static enum opshift_status scan_packed_dims(struct scan *scan, const struct wire_field *field)
{
    for (uint64_t at = field->offset, end = at + field->size; at < end;) {
        size_t size = end - at < 10 ? (size_t)(end - at) : 10, used = 0;
        const uint8_t *data = source_window(scan->model->source, at, size, scan->error);
        if (data == NULL)
            return scan->error->status;
        uint64_t dim = 0;
        do
            dim |= (uint64_t)(data[used] & 0x7f) << (7 * used);
        while (data[used++] >= 0x80 && used < size);
        if (data[used - 1] >= 0x80)
            return opshift_fail(scan->error, OPSHIFT_MALFORMED, "byte %" PRIu64 ": a dim that does not end", at);
        enum opshift_status status = stack_push(scan, &scan->dims, &dim, sizeof dim);
        if (status)
            return status;
        at += used;
    }
    return OPSHIFT_OK;
}

static enum opshift_status scan_dims(struct scan *scan, const struct wire_field *field)
{
    if (field->type == WIRE_BYTES)
        return scan_packed_dims(scan, field);
    return stack_push(scan, &scan->dims, &field->value, sizeof field->value);
}

/* A TensorProto's name, type and dims; the dims stay on the stack. */
static enum opshift_status scan_tensor(struct scan *scan, const struct range *range, uint32_t depth,
                                       struct initializer *initializer)
{
    struct spot spot = spot_in(scan, &onnx__tensor_proto__descriptor, range->offset, range->size, depth);
    for (bool found;;) {
        enum opshift_status status = next_known(scan, &spot, &found);
        if (status || !found)
            return status;
        if (spot.field.number == 1)
            status = scan_dims(scan, &spot.field);
        else if (spot.field.number == 2)
            initializer->type = (enum opshift_type)(int32_t)spot.field.value;
        else if (spot.field.number == 8)
            status = scan_name(scan, &spot.field, &initializer->name);
        else if (spot.field.number == 14)
            initializer->external = spot.field.value == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
        if (status)
            return status;
    }
}

/* A SparseTensorProto: name and type are those of its values, the dims its own. */
static enum opshift_status scan_sparse(struct scan *scan, const struct range *range, uint32_t depth,
                                       struct initializer *initializer)
{
    struct spot spot = spot_in(scan, &onnx__sparse_tensor_proto__descriptor, range->offset, range->size, depth);
    struct range values = {0};
    for (bool found;;) {
        enum opshift_status status = next_known(scan, &spot, &found);
        if (status)
            return status;
        if (!found)
            break;
        if (spot.field.number == 1)
            values = range_of(&spot.field);
        else if (spot.field.number == 3)
            status = scan_dims(scan, &spot.field);
        if (status)
            return status;
    }
    size_t own = scan->dims.count;
    enum opshift_status status = scan_tensor(scan, &values, depth + 1, initializer);
    scan->dims.count = own;
    return status;
}

static enum opshift_status scan_initializer(struct scan *scan, const struct spot *spot, struct graph *graph)
{
    struct initializer *initializer;
    enum opshift_status status =
        array_add(scan, &graph->initializers, &graph->initializer_count, sizeof *initializer, &initializer);
    if (status)
        return status;
    initializer->range = range_of(&spot->field);
    initializer->sparse = spot->field.number == 15;
    size_t base = scan->dims.count;
    if (initializer->sparse)
        status = scan_sparse(scan, &initializer->range, spot->depth + 1, initializer);
    else
        status = scan_tensor(scan, &initializer->range, spot->depth + 1, initializer);
    if (status == OPSHIFT_OK) {
        initializer->rank = (uint32_t)(scan->dims.count - base);
        status = stack_take(scan, &scan->dims, base, sizeof(int64_t), &initializer->dims);
    }
    if (status && initializer->name != NAME_NONE)
        opshift_within(scan->error, status, "initializer '%.80s'", names_text(scan->model->names, initializer->name));
    return status;
}

static enum opshift_status scan_value(struct scan *scan, const struct spot *around, struct value_info **values,
                                      uint32_t *count)
{
    struct value_info *value;
    enum opshift_status status = array_add(scan, values, count, sizeof *value, &value);
    if (status)
        return status;
    value->range = range_of(&around->field);
    struct spot spot =
        spot_in(scan, &onnx__value_info_proto__descriptor, value->range.offset, value->range.size, around->depth + 1);
    for (bool found;;) {
        status = next_known(scan, &spot, &found);
        if (status || !found)
            return status;
        if (spot.field.number == 1)
            status = scan_name(scan, &spot.field, &value->name);
        if (status)
            return status;
    }
}

/* ---- nodes ---------------------------------------------------------------------------------------------------- */

/* A node, and what stands around it, while its attributes are searched for graphs. */
struct owner {
    struct graph *graph;
    struct message *around; /* the GraphProto or FunctionProto */
    struct message *node;   /* NULL until a graph is found in it */
    struct wire_field field;
    uint32_t index;
};

static enum opshift_status owner_messages(struct scan *scan, struct owner *owner, const struct wire_field *attribute,
                                          struct message **message)
{
    if (*message != NULL)
        return OPSHIFT_OK;
    enum opshift_status status = OPSHIFT_OK;
    if (owner->node == NULL)
        status = message_add(scan, owner->around, &owner->field, &owner->node);
    return status ? status : message_add(scan, owner->node, attribute, message);
}

static enum opshift_status scan_subgraph(struct scan *scan, struct owner *owner, const struct wire_field *field,
                                         struct message *attribute, uint32_t depth)
{
    struct graph *graph;
    enum opshift_status status = scan_graph(scan, field, attribute, owner->graph, GRAPH_SUB, depth, &graph);
    if (status)
        return status;
    graph->owner = owner->index;
    return stack_push(scan, &scan->subgraphs, &graph, sizeof(struct graph *));
}

/* Only the graphs in an attribute are of interest; its name is read when there is one. */
static enum opshift_status scan_attribute(struct scan *scan, const struct spot *around, struct owner *owner)
{
    struct spot spot =
        spot_in(scan, &onnx__attribute_proto__descriptor, around->field.offset, around->field.size, around->depth + 1);
    struct message *message = NULL;
    struct wire_field name = {0};
    size_t base = scan->subgraphs.count;
    bool single = false;
    for (bool found;;) {
        enum opshift_status status = next_known(scan, &spot, &found);
        if (status)
            return status;
        if (!found)
            break;
        if (spot.field.number == 1)
            name = spot.field;
        if (spot.field.number != 6 && spot.field.number != 11)
            continue;
        if (owner->graph == NULL)
            return opshift_fail(scan->error, OPSHIFT_UNSUPPORTED,
                                "byte %" PRIu64 ": a default attribute that is a graph; give it at each call instead",
                                spot.field.record);
        if (spot.field.number == 6 && single)
            return opshift_fail(scan->error, OPSHIFT_MALFORMED,
                                "byte %" PRIu64 ": AttributeProto.g is given twice; "
                                "it is not known which one counts",
                                spot.field.record);
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

static enum opshift_status scan_node_field(struct scan *scan, struct spot *spot, struct node *node, struct owner *owner)
{
    switch (spot->field.number) {
    case 1:
        return push_name(scan, &spot->field, &scan->inputs);
    case 2:
        return push_name(scan, &spot->field, &scan->outputs);
    case 3:
        return scan_name(scan, &spot->field, &node->name);
    case 4:
        return scan_name(scan, &spot->field, &node->op_type);
    case 5:
        return scan_attribute(scan, spot, owner);
    case 7:
        return scan_domain(scan, &spot->field, &node->domain);
    case 8:
        return scan_name(scan, &spot->field, &node->overload);
    default:
        return OPSHIFT_OK;
    }
}

/* Room for the names of a node, many of which share one piece of the arena. */
static enum opshift_status take_names(struct scan *scan, size_t count, name_id **names)
{
    if (count > SLAB_SIZE / 4)
        return take(scan, count, sizeof **names, names);
    if (count > scan->slab_left) {
        enum opshift_status status = take(scan, SLAB_SIZE, sizeof *scan->slab, &scan->slab);
        if (status)
            return status;
        scan->slab_left = SLAB_SIZE;
    }
    *names = scan->slab;
    scan->slab += count;
    scan->slab_left -= count;
    return OPSHIFT_OK;
}

/* Moves the node's inputs, outputs and subgraphs from the stacks into the index. */
static enum opshift_status node_finish(struct scan *scan, struct node *node, size_t inputs, size_t outputs,
                                       size_t subgraphs)
{
    node->input_count = (uint32_t)(scan->inputs.count - inputs);
    node->output_count = (uint32_t)(scan->outputs.count - outputs);
    node->subgraph_count = (uint32_t)(scan->subgraphs.count - subgraphs);
    enum opshift_status status = OPSHIFT_OK;
    if (node->input_count + node->output_count > 0)
        status = take_names(scan, (size_t)node->input_count + node->output_count, &node->names);
    if (status)
        return status;
    if (node->input_count > 0)
        memcpy(node->names, (name_id *)scan->inputs.items + inputs, node->input_count * sizeof(name_id));
    if (node->output_count > 0)
        memcpy(node->names + node->input_count, (name_id *)scan->outputs.items + outputs,
               node->output_count * sizeof(name_id));
    scan->inputs.count = inputs;
    scan->outputs.count = outputs;
    if (node->subgraph_count > 0)
        status = stack_take(scan, &scan->subgraphs, subgraphs, sizeof(struct graph *), &node->subgraphs);
    return status;
}

/* Says in the error which node it was. */
static enum opshift_status within_node(struct scan *scan, const struct node *node, uint32_t index,
                                       enum opshift_status status)
{
    const struct names *names = scan->model->names;
    if (scan->places++ >= PLACES_MAX)
        return status;
    if (node->name != NAME_NONE)
        return opshift_within(scan->error, status, "node '%.80s' (%.40s)", names_text(names, node->name),
                              names_text(names, node->op_type));
    if (node->op_type != NAME_NONE)
        return opshift_within(scan->error, status, "node %" PRIu32 " (%.40s)", index, names_text(names, node->op_type));
    return opshift_within(scan->error, status, "node %" PRIu32, index);
}

static enum opshift_status scan_node(struct scan *scan, const struct spot *around, struct graph *graph)
{
    struct node *added;
    enum opshift_status status = array_add(scan, &graph->nodes, &graph->node_count, sizeof *added, &added);
    if (status)
        return status;
    struct owner owner = {graph, graph->message, NULL, around->field, graph->node_count - 1};
    struct node node = {.range = range_of(&around->field)};
    struct spot spot =
        spot_in(scan, &onnx__node_proto__descriptor, node.range.offset, node.range.size, around->depth + 1);
    size_t inputs = scan->inputs.count, outputs = scan->outputs.count, subgraphs = scan->subgraphs.count;
    for (bool found = true; found;) {
        status = next_known(scan, &spot, &found);
        if (status == OPSHIFT_OK && found)
            status = scan_node_field(scan, &spot, &node, &owner);
        if (status)
            return within_node(scan, &node, owner.index, status);
    }
    node.message = owner.node;
    status = node_finish(scan, &node, inputs, outputs, subgraphs);
    graph->nodes[owner.index] = node;
    return status;
}

/* ---- graphs --------------------------------------------------------------------------------------------------- */

static enum opshift_status graph_add(struct scan *scan, struct graph *parent, enum graph_kind kind,
                                     struct message *message, struct graph **made)
{
    struct opshift_model *model = scan->model;
    struct graph **slot;
    enum opshift_status status = take(scan, 1, sizeof **made, made);
    if (status == OPSHIFT_OK)
        status = array_add(scan, &model->graphs, &model->graph_count, sizeof *slot, &slot);
    if (status)
        return status;
    *slot = *made;
    **made = (struct graph){.kind = kind, .message = message, .parent = parent, .number = model->graph_count - 1};
    if (parent != NULL)
        (*made)->function = parent->function;
    return OPSHIFT_OK;
}

static void graph_trim(struct graph *graph)
{
    array_trim(&graph->nodes, graph->node_count, sizeof *graph->nodes);
    array_trim(&graph->inputs, graph->input_count, sizeof *graph->inputs);
    array_trim(&graph->outputs, graph->output_count, sizeof *graph->outputs);
    array_trim(&graph->values, graph->value_count, sizeof *graph->values);
    array_trim(&graph->initializers, graph->initializer_count, sizeof *graph->initializers);
}

static enum opshift_status scan_graph_field(struct scan *scan, struct spot *spot, struct graph *graph)
{
    switch (spot->field.number) {
    case 1:
        return scan_node(scan, spot, graph);
    case 2:
        return scan_name(scan, &spot->field, &graph->name);
    case 5:
    case 15:
        return scan_initializer(scan, spot, graph);
    case 11:
        return scan_value(scan, spot, &graph->inputs, &graph->input_count);
    case 12:
        return scan_value(scan, spot, &graph->outputs, &graph->output_count);
    case 13:
        return scan_value(scan, spot, &graph->values, &graph->value_count);
    default:
        return OPSHIFT_OK;
    }
}

static enum opshift_status scan_graph(struct scan *scan, const struct wire_field *field, struct message *around,
                                      struct graph *parent, enum graph_kind kind, uint32_t depth, struct graph **made)
{
    struct message *message;
    enum opshift_status status = message_add(scan, around, field, &message);
    if (status == OPSHIFT_OK)
        status = graph_add(scan, parent, kind, message, made);
    if (status)
        return status;
    struct spot spot = spot_in(scan, &onnx__graph_proto__descriptor, field->offset, field->size, depth);
    for (bool found;;) {
        status = next_known(scan, &spot, &found);
        if (status == OPSHIFT_OK && found)
            status = scan_graph_field(scan, &spot, *made);
        if (status || !found)
            break;
    }
    graph_trim(*made);
    return status;
}

/* ---- opset imports, functions, training ----------------------------------------------------------------------- */

static enum opshift_status scan_import(struct scan *scan, const struct spot *around, struct opset_import **imports,
                                       uint32_t *count)
{
    struct opset_import *import;
    if (*count == IMPORTS_MAX)
        return opshift_fail(scan->error, OPSHIFT_UNSUPPORTED, "more than %u opset imports", IMPORTS_MAX);
    enum opshift_status status = array_add(scan, imports, count, sizeof *import, &import);
    if (status)
        return status;
    import->range = range_of(&around->field);
    struct spot spot = spot_in(scan, &onnx__operator_set_id_proto__descriptor, import->range.offset, import->range.size,
                               around->depth + 1);
    for (bool found;;) {
        status = next_known(scan, &spot, &found);
        if (status || !found)
            return status;
        if (spot.field.number == 1)
            status = scan_domain(scan, &spot.field, &import->domain);
        else if (spot.field.number == 2)
            import->version = (int64_t)spot.field.value;
        if (status)
            return status;
    }
}

/* A function's inputs and outputs are names only. */
static enum opshift_status add_bare_value(struct scan *scan, const struct wire_field *field, struct value_info **values,
                                          uint32_t *count)
{
    struct value_info *value;
    enum opshift_status status = array_add(scan, values, count, sizeof *value, &value);
    return status ? status : scan_name(scan, field, &value->name);
}

static enum opshift_status add_default(struct scan *scan, const struct spot *spot, struct function *function)
{
    struct range *range;
    enum opshift_status status = array_add(scan, &function->defaults, &function->default_count, sizeof *range, &range);
    if (status)
        return status;
    *range = range_of(&spot->field);
    struct owner nobody = {0};
    return scan_attribute(scan, spot, &nobody);
}

static enum opshift_status add_parameter(struct scan *scan, const struct wire_field *field, struct function *function)
{
    name_id *name;
    enum opshift_status status =
        array_add(scan, &function->attributes, &function->attribute_count, sizeof *name, &name);
    return status ? status : scan_name(scan, field, name);
}

static enum opshift_status scan_function_field(struct scan *scan, struct spot *spot, struct function *function)
{
    struct graph *body = function->body;
    switch (spot->field.number) {
    case 1:
        return scan_name(scan, &spot->field, &function->name);
    case 4:
        return add_bare_value(scan, &spot->field, &body->inputs, &body->input_count);
    case 5:
        return add_bare_value(scan, &spot->field, &body->outputs, &body->output_count);
    case 6:
        return add_parameter(scan, &spot->field, function);
    case 7:
        return scan_node(scan, spot, body);
    case 9:
        return scan_import(scan, spot, &function->imports, &function->import_count);
    case 10:
        return scan_domain(scan, &spot->field, &function->domain);
    case 11:
        return add_default(scan, spot, function);
    case 12:
        return scan_value(scan, spot, &body->values, &body->value_count);
    case 13:
        return scan_name(scan, &spot->field, &function->overload);
    default:
        return OPSHIFT_OK;
    }
}

static enum opshift_status scan_function(struct scan *scan, const struct wire_field *field, struct function *function)
{
    enum opshift_status status = message_add(scan, scan->model->message, field, &function->message);
    if (status == OPSHIFT_OK)
        status = graph_add(scan, NULL, GRAPH_FUNCTION, function->message, &function->body);
    if (status)
        return status;
    function->body->function = function;
    struct spot spot = spot_in(scan, &onnx__function_proto__descriptor, field->offset, field->size, 1);
    for (bool found;;) {
        status = next_known(scan, &spot, &found);
        if (status == OPSHIFT_OK && found)
            status = scan_function_field(scan, &spot, function);
        if (status || !found)
            break;
    }
    function->body->name = function->name;
    graph_trim(function->body);
    if (status && function->name != NAME_NONE)
        opshift_within(scan->error, status, "function '%.80s'", names_text(scan->model->names, function->name));
    return status;
}

/* TrainingInfoProto: two graphs that see the names of the main one. */
static enum opshift_status scan_training(struct scan *scan, const struct wire_field *field)
{
    struct message *message;
    enum opshift_status status = message_add(scan, scan->model->message, field, &message);
    if (status)
        return status;
    struct spot spot = spot_in(scan, &onnx__training_info_proto__descriptor, field->offset, field->size, 1);
    for (bool found;;) {
        status = next_known(scan, &spot, &found);
        if (status || !found)
            return status;
        struct graph *graph;
        if (spot.field.number == 1 || spot.field.number == 2)
            status = scan_graph(scan, &spot.field, message, scan->model->main, GRAPH_TRAINING, spot.depth + 1, &graph);
        if (status)
            return opshift_within(scan->error, status, "training graph");
    }
}

/* ---- the model ------------------------------------------------------------------------------------------------ */

/* What the first look at the file finds: the graph and the rest may stand in any order, the index has main first. */
struct outline {
    struct wire_field graph;
    bool has_graph;
    struct stack training, functions; /* struct wire_field */
};

static enum opshift_status scan_graph_place(struct scan *scan, const struct wire_field *field, struct outline *outline)
{
    if (outline->has_graph)
        return opshift_fail(scan->error, OPSHIFT_MALFORMED,
                            "byte %" PRIu64 ": ModelProto.graph is given twice; it is not known which one counts",
                            field->record);
    outline->has_graph = true;
    outline->graph = *field;
    return OPSHIFT_OK;
}

static enum opshift_status scan_model_field(struct scan *scan, struct spot *spot, struct outline *outline)
{
    struct opshift_model *model = scan->model;
    switch (spot->field.number) {
    case 1:
        model->ir_version = (int64_t)spot->field.value;
        model->ir_range = range_of(&spot->field);
        return OPSHIFT_OK;
    case 7:
        return scan_graph_place(scan, &spot->field, outline);
    case 8:
        return scan_import(scan, spot, &model->imports, &model->import_count);
    case 20:
        return stack_push(scan, &outline->training, &spot->field, sizeof spot->field);
    case 25:
        return stack_push(scan, &outline->functions, &spot->field, sizeof spot->field);
    default:
        return OPSHIFT_OK;
    }
}

static enum opshift_status scan_outline(struct scan *scan, struct outline *outline)
{
    struct opshift_model *model = scan->model;
    struct wire_field whole = {.size = source_size(model->source)};
    enum opshift_status status = message_add(scan, NULL, &whole, &model->message);
    if (status)
        return status;
    struct spot spot = spot_in(scan, &onnx__model_proto__descriptor, 0, whole.size, 0);
    for (bool found;;) {
        status = next_known(scan, &spot, &found);
        if (status == OPSHIFT_OK && found)
            status = scan_model_field(scan, &spot, outline);
        if (status || !found)
            break;
    }
    if (status == OPSHIFT_OK && !outline->has_graph)
        return opshift_fail(scan->error, OPSHIFT_MALFORMED, "no graph in it; it is no ONNX model, or cut short");
    return status;
}

static enum opshift_status scan_functions(struct scan *scan, const struct stack *functions)
{
    struct opshift_model *model = scan->model;
    enum opshift_status status = take(scan, functions->count, sizeof *model->functions, &model->functions);
    const struct wire_field *fields = functions->items;
    for (size_t i = 0; status == OPSHIFT_OK && i < functions->count; i++) {
        model->function_count++;
        status = scan_function(scan, &fields[i], &model->functions[i]);
    }
    return status;
}

static enum opshift_status scan_parts(struct scan *scan, const struct outline *outline)
{
    struct opshift_model *model = scan->model;
    const struct wire_field *training = outline->training.items;
    enum opshift_status status = scan_graph(scan, &outline->graph, model->message, NULL, GRAPH_MAIN, 1, &model->main);
    for (size_t i = 0; status == OPSHIFT_OK && i < outline->training.count; i++)
        status = scan_training(scan, &training[i]);
    return status ? status : scan_functions(scan, &outline->functions);
}

/* By place; of two that start together the outer one is first. */
static int compare_messages(const void *left, const void *right)
{
    const struct message *a = *(struct message *const *)left, *b = *(struct message *const *)right;
    if (a->record != b->record)
        return a->record < b->record ? -1 : 1;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

enum opshift_status model_scan(struct opshift_model *model, struct opshift_error *error)
{
    struct scan scan = {.model = model, .error = error};
    struct outline outline = {0};
    enum opshift_status status = scan_outline(&scan, &outline);
    if (status == OPSHIFT_OK)
        status = scan_parts(&scan, &outline);
    if (status == OPSHIFT_OK)
        qsort(model->messages, model->message_count, sizeof(*model->messages), compare_messages);
    struct stack *stacks[] = {&scan.inputs, &scan.outputs,     &scan.subgraphs,
                              &scan.dims,   &outline.training, &outline.functions};
    for (size_t i = 0; i < COUNT(stacks); i++)
        free(stacks[i]->items);
    return status;
}
