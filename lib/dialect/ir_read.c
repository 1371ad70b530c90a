/* Reads an IR: the elements become layers and ports, then the edges are followed. Elements that are not of interest,
 * and all inside them, are passed over. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dialect/ir.h"

/* Elements that are told apart; the others are ELEMENT_OTHER. */
enum ir_element_kind {
    ELEMENT_OTHER,
    ELEMENT_NET,
    ELEMENT_LAYERS,
    ELEMENT_LAYER,
    ELEMENT_DATA,
    ELEMENT_INPUT,
    ELEMENT_OUTPUT,
    ELEMENT_PORT,
    ELEMENT_DIM,
    ELEMENT_EDGES,
    ELEMENT_EDGE
};

static const struct {
    enum ir_element_kind inside, kind;
    const char *name;
} elements[] = {
    {ELEMENT_NET, ELEMENT_LAYERS, "layers"},   {ELEMENT_LAYERS, ELEMENT_LAYER, "layer"},
    {ELEMENT_LAYER, ELEMENT_DATA, "data"},     {ELEMENT_LAYER, ELEMENT_INPUT, "input"},
    {ELEMENT_LAYER, ELEMENT_OUTPUT, "output"}, {ELEMENT_INPUT, ELEMENT_PORT, "port"},
    {ELEMENT_OUTPUT, ELEMENT_PORT, "port"},    {ELEMENT_PORT, ELEMENT_DIM, "dim"},
    {ELEMENT_NET, ELEMENT_EDGES, "edges"},     {ELEMENT_EDGES, ELEMENT_EDGE, "edge"},
};

#define DEPTH_MAX 100
#define DIGITS    24 /* of a dim's text */

struct ir_edge {
    int64_t from, from_port, to, to_port;
    uint64_t offset;
};

/* A document while it is read. */
struct ir_reader {
    struct ir_net *net;
    const struct opshift_limits *limits;
    enum ir_element_kind open[DEPTH_MAX];
    unsigned depth;
    struct buffer settings, inputs, outputs, dims, edges; /* of the layer, the port; all edges */
    char digits[DIGITS];                                  /* of the dim */
    size_t digit_count;
    uint64_t offset; /* of the last tag, for errors */
};

static enum opshift_status reader_fail(struct ir_reader *reader, enum opshift_status status,
                                       struct opshift_error *error)
{
    if (error)
        error->offset = reader->offset;
    return status;
}

static struct ir_layer *layer_last(const struct ir_reader *reader)
{
    return &reader->net->layers[reader->net->count - 1];
}

/* An attribute that must be there. */
static enum opshift_status attribute_need(const struct xml_element *element, const char *name, const char **value,
                                          struct opshift_error *error)
{
    *value = xml_attribute_find(element, name);
    if (*value)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "byte %" PRIu64 ": <%s> has no attribute '%s'; write the IR again",
                        element->offset, element->name, name);
}

static enum opshift_status number_need(const struct xml_element *element, const char *name, int64_t *number,
                                       struct opshift_error *error)
{
    const char *text = NULL;
    enum opshift_status status = attribute_need(element, name, &text, error);
    if (status || ir_number(text, number))
        return status;
    return opshift_fail(error, OPSHIFT_MALFORMED, "byte %" PRIu64 ": <%s> has %s=\"%.40s\", which is no number",
                        element->offset, element->name, name, text);
}

static enum opshift_status text_need(struct ir_reader *reader, const struct xml_element *element, const char *name,
                                     const char **text, struct opshift_error *error)
{
    const char *value = NULL;
    enum opshift_status status = attribute_need(element, name, &value, error);
    *text = NULL;
    if (status)
        return status;
    *text = arena_copy(reader->net->arena, value, strlen(value));
    return *text ? OPSHIFT_OK : opshift_no_memory(error);
}

/* ---- elements ---- */

static enum opshift_status read_net(struct ir_reader *reader, const struct xml_element *element,
                                    struct opshift_error *error)
{
    const char *name = xml_attribute_find(element, "name");
    if (strcmp(element->name, "net") != 0)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "is XML, but no IR of OpenVINO: it begins with <%.80s>; name the .xml that OpenVINO wrote",
                            element->name);
    enum opshift_status status = number_need(element, "version", &reader->net->version, error);
    if (status)
        return status;
    if (reader->net->version != 11)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "is an IR of version %" PRId64 ", and opshift reads version 11; write it again with "
                            "openvino.save_model of OpenVINO 2023.1 or newer",
                            reader->net->version);
    reader->net->name = arena_copy(reader->net->arena, name ? name : "", name ? strlen(name) : 0);
    return reader->net->name ? OPSHIFT_OK : opshift_no_memory(error);
}

static enum opshift_status read_layer(struct ir_reader *reader, const struct xml_element *element,
                                      struct opshift_error *error)
{
    if (reader->net->count >= reader->limits->nodes)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "there are more than %" PRIu64 " layers; if the file is to be "
                            "trusted, raise the limit 'nodes'",
                            reader->limits->nodes);
    struct ir_layer *layer = ir_layer_add(reader->net);
    if (layer == NULL)
        return opshift_no_memory(error);
    layer->name = layer->type = layer->version = "";
    layer->offset = element->offset;
    layer->size = element->size;
    reader->settings.size = reader->inputs.size = reader->outputs.size = 0;
    enum opshift_status status = number_need(element, "id", &layer->id, error);
    if (status == OPSHIFT_OK)
        status = text_need(reader, element, "name", &layer->name, error);
    if (status == OPSHIFT_OK)
        status = text_need(reader, element, "type", &layer->type, error);
    return status ? status : text_need(reader, element, "version", &layer->version, error);
}

static enum opshift_status read_data(struct ir_reader *reader, const struct xml_element *element,
                                     struct opshift_error *error)
{
    struct arena *arena = reader->net->arena;
    for (size_t i = 0; i < element->attribute_count; i++) {
        struct ir_setting setting = {
            arena_copy(arena, element->attributes[i].name, strlen(element->attributes[i].name)),
            arena_copy(arena, element->attributes[i].value, strlen(element->attributes[i].value))};
        if (setting.name == NULL || setting.value == NULL)
            return opshift_no_memory(error);
        buffer_add(&reader->settings, &setting, sizeof(setting));
    }
    return OPSHIFT_OK;
}

/* "a,b" is two names; "\," is a comma in one. */
static enum opshift_status read_names(struct ir_reader *reader, const char *text, struct ir_port *port,
                                      struct opshift_error *error)
{
    struct arena *arena = reader->net->arena;
    size_t size = strlen(text), count = 1;
    for (size_t i = 0; i < size; i++)
        count += text[i] == ',';
    char *copy = arena_alloc(arena, size + 1, 1);
    const char **names = arena_alloc(arena, count, sizeof(*names));
    if (copy == NULL || names == NULL)
        return opshift_no_memory(error);
    port->names = names;
    for (size_t i = 0; i < size;) {
        names[port->name_count++] = copy;
        for (; i < size && text[i] != ','; i++) {
            i += text[i] == '\\' && text[i + 1] == ',';
            *copy++ = text[i];
        }
        *copy++ = '\0';
        i++;
    }
    return OPSHIFT_OK;
}

static enum opshift_status read_port(struct ir_reader *reader, const struct xml_element *element,
                                     struct opshift_error *error)
{
    struct ir_port port = {0};
    bool output = reader->open[reader->depth - 1] == ELEMENT_OUTPUT;
    struct buffer *ports = output ? &reader->outputs : &reader->inputs;
    const char *precision = xml_attribute_find(element, "precision"), *names = xml_attribute_find(element, "names");
    enum opshift_status status = number_need(element, "id", &port.id, error);
    if (status == OPSHIFT_OK && output)
        status = attribute_need(element, "precision", &precision, error);
    if (status == OPSHIFT_OK && ports->size / sizeof(port) >= reader->limits->outputs)
        status = opshift_fail(error, OPSHIFT_UNSUPPORTED,
                              "layer '%.200s' has more than %" PRIu64 " ports; if the file is to be trusted, raise the "
                              "limit 'outputs'",
                              layer_last(reader)->name, reader->limits->outputs);
    if (status)
        return status;
    port.type = precision ? ir_type_find(precision) : OPSHIFT_TYPE_UNDEFINED;
    if (names && *names)
        status = read_names(reader, names, &port, error);
    reader->dims.size = 0;
    buffer_add(ports, &port, sizeof(port));
    return status;
}

static enum opshift_status read_edge(struct ir_reader *reader, const struct xml_element *element,
                                     struct opshift_error *error)
{
    struct ir_edge edge = {.offset = element->offset};
    enum opshift_status status = number_need(element, "from-layer", &edge.from, error);
    if (status == OPSHIFT_OK)
        status = number_need(element, "from-port", &edge.from_port, error);
    if (status == OPSHIFT_OK)
        status = number_need(element, "to-layer", &edge.to, error);
    if (status == OPSHIFT_OK)
        status = number_need(element, "to-port", &edge.to_port, error);
    buffer_add(&reader->edges, &edge, sizeof(edge));
    return status;
}

static enum ir_element_kind kind_of(const struct ir_reader *reader, const struct xml_element *element)
{
    enum ir_element_kind around = reader->depth ? reader->open[reader->depth - 1] : ELEMENT_OTHER;
    for (size_t i = 0; around != ELEMENT_OTHER && i < COUNT(elements); i++)
        if (elements[i].inside == around && strcmp(elements[i].name, element->name) == 0)
            return elements[i].kind;
    return reader->depth ? ELEMENT_OTHER : ELEMENT_NET;
}

static enum opshift_status element_read(struct ir_reader *reader, const struct xml_element *element,
                                        enum ir_element_kind kind, struct opshift_error *error)
{
    switch (kind) {
    case ELEMENT_NET:
        return read_net(reader, element, error);
    case ELEMENT_LAYER:
        return read_layer(reader, element, error);
    case ELEMENT_DATA:
        return read_data(reader, element, error);
    case ELEMENT_PORT:
        return read_port(reader, element, error);
    case ELEMENT_EDGE:
        return read_edge(reader, element, error);
    default:
        reader->digit_count = 0;
        return OPSHIFT_OK;
    }
}

static enum opshift_status start(void *data, const struct xml_element *element, struct opshift_error *error)
{
    struct ir_reader *reader = data;
    enum ir_element_kind kind = kind_of(reader, element);
    reader->offset = element->offset;
    enum opshift_status status = element_read(reader, element, kind, error);
    reader->open[reader->depth++] = kind; /* fewer than DEPTH_MAX, by the limits of the XML */
    return status ? reader_fail(reader, status, error) : OPSHIFT_OK;
}

static enum opshift_status text(void *data, const char *bytes, size_t size, struct opshift_error *error)
{
    struct ir_reader *reader = data;
    for (size_t i = 0; i < size && reader->depth && reader->open[reader->depth - 1] == ELEMENT_DIM; i++)
        if (strchr(" \t\r\n", bytes[i]) == NULL && reader->digit_count < DIGITS)
            reader->digits[reader->digit_count++] = bytes[i];
    return OPSHIFT_OK;
}

static enum opshift_status end_dim(struct ir_reader *reader, struct opshift_error *error)
{
    int64_t dim;
    char digits[DIGITS + 1] = "";
    memcpy(digits, reader->digits, reader->digit_count);
    if (reader->digit_count == DIGITS || !ir_number(digits, &dim) || dim < -1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "layer '%.200s' has a port with the dim '%s', which is no size",
                            layer_last(reader)->name, digits);
    if (reader->dims.size / sizeof(dim) >= TENSOR_RANK_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "layer '%.200s' has a port with more than %d dims",
                            layer_last(reader)->name, TENSOR_RANK_MAX);
    buffer_add(&reader->dims, &dim, sizeof(dim));
    return OPSHIFT_OK;
}

/* A copy of what a buffer holds, or NULL where it is empty. */
static enum opshift_status list_take(struct ir_reader *reader, const struct buffer *list, void *into,
                                     struct opshift_error *error)
{
    void *copy = list->failed || list->size == 0 ? NULL : arena_copy(reader->net->arena, list->data, list->size);
    memcpy(into, &copy, sizeof(copy));
    return list->failed || (list->size && copy == NULL) ? opshift_no_memory(error) : OPSHIFT_OK;
}

static enum opshift_status end_port(struct ir_reader *reader, struct opshift_error *error)
{
    struct buffer *ports = reader->open[reader->depth - 1] == ELEMENT_OUTPUT ? &reader->outputs : &reader->inputs;
    if (ports->failed)
        return opshift_no_memory(error);
    struct ir_port *port = (struct ir_port *)(void *)(ports->data + ports->size) - 1;
    port->rank = (int32_t)(reader->dims.size / sizeof(*port->dims));
    return list_take(reader, &reader->dims, &port->dims, error);
}

static enum opshift_status end_layer(struct ir_reader *reader, struct opshift_error *error)
{
    struct ir_layer *layer = layer_last(reader);
    enum opshift_status status = list_take(reader, &reader->settings, &layer->settings, error);
    if (status == OPSHIFT_OK)
        status = list_take(reader, &reader->inputs, &layer->inputs, error);
    if (status == OPSHIFT_OK)
        status = list_take(reader, &reader->outputs, &layer->outputs, error);
    layer->setting_count = (uint32_t)(reader->settings.size / sizeof(*layer->settings));
    layer->input_count = (uint32_t)(reader->inputs.size / sizeof(*layer->inputs));
    layer->output_count = (uint32_t)(reader->outputs.size / sizeof(*layer->outputs));
    layer->links = arena_alloc(reader->net->arena, layer->input_count + 1u, sizeof(*layer->links));
    if (status == OPSHIFT_OK && layer->links == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < layer->input_count; i++)
        layer->links[i].layer = IR_NONE;
    return status;
}

static enum opshift_status end(void *data, struct opshift_error *error)
{
    struct ir_reader *reader = data;
    enum opshift_status status = OPSHIFT_OK;
    enum ir_element_kind kind = reader->open[--reader->depth];
    if (kind == ELEMENT_DIM)
        status = end_dim(reader, error);
    else if (kind == ELEMENT_PORT)
        status = end_port(reader, error);
    else if (kind == ELEMENT_LAYER)
        status = end_layer(reader, error);
    return status ? reader_fail(reader, status, error) : OPSHIFT_OK;
}

/* ---- edges ---- */

/* The layers by id. */
static enum opshift_status ids_read(struct ir_reader *reader, struct table *ids, struct opshift_error *error)
{
    const struct ir_net *net = reader->net;
    if (!table_reserve(ids, net->count + 1))
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < net->count; i++) {
        uint64_t hash = table_hash(ids, &net->layers[i].id, sizeof(net->layers[i].id));
        for (uint32_t at = 0, item; (item = table_next(ids, hash, &at)) != TABLE_NONE;) {
            if (net->layers[item].id != net->layers[i].id)
                continue;
            reader->offset = net->layers[i].offset;
            return opshift_fail(error, OPSHIFT_MALFORMED, "the layers '%.200s' and '%.200s' have the same id, %" PRId64,
                                net->layers[item].name, net->layers[i].name, net->layers[i].id);
        }
        table_put(ids, hash, i);
    }
    return OPSHIFT_OK;
}

static uint32_t layer_of_id(const struct ir_net *net, const struct table *ids, int64_t id)
{
    uint64_t hash = table_hash(ids, &id, sizeof(id));
    for (uint32_t at = 0, item; (item = table_next(ids, hash, &at)) != TABLE_NONE;)
        if (net->layers[item].id == id)
            return item;
    return IR_NONE;
}

/* A port whose id is not its place. */
struct port_key {
    int64_t layer, output, id;
};

/* Finds layers and ports by id, while edges are followed. */
struct ir_ids {
    struct table layers, ports;
    struct buffer keys;   /* struct port_key, by item of ports */
    struct buffer places; /* uint32_t: where in its layer each of them is */
};

static uint32_t port_find(const struct ir_ids *ids, const struct port_key *key)
{
    uint64_t hash = table_hash(&ids->ports, key, sizeof(*key));
    for (uint32_t at = 0, item; (item = table_next(&ids->ports, hash, &at)) != TABLE_NONE;)
        if (memcmp(ids->keys.data + item * sizeof(*key), key, sizeof(*key)) == 0)
            return ((const uint32_t *)(const void *)ids->places.data)[item];
    return IR_NONE;
}

/* Ports mostly have the number of their place, counted through inputs and outputs. */
static bool port_is_in_place(const struct ir_port *ports, uint32_t count, uint32_t first, int64_t id)
{
    return id >= first && id - first < count && ports[id - first].id == id;
}

/* False: no memory. Of equal ids, the first one counts. */
static bool ports_read(struct ir_ids *ids, const struct ir_layer *layer, int64_t number, bool output)
{
    const struct ir_port *ports = output ? layer->outputs : layer->inputs;
    uint32_t count = output ? layer->output_count : layer->input_count, first = output ? layer->input_count : 0;
    for (uint32_t i = 0; i < count; i++) {
        struct port_key key = {number, output, ports[i].id};
        if (port_is_in_place(ports, count, first, key.id))
            continue;
        if (!table_reserve(&ids->ports, 1))
            return false;
        if (port_find(ids, &key) != IR_NONE)
            continue;
        buffer_add(&ids->keys, &key, sizeof(key));
        buffer_add(&ids->places, &i, sizeof(i));
        if (ids->keys.failed || ids->places.failed)
            return false;
        table_put(&ids->ports, table_hash(&ids->ports, &key, sizeof(key)), ids->ports.count);
    }
    return true;
}

static uint32_t port_of_id(const struct ir_net *net, const struct ir_ids *ids, uint32_t number, bool output, int64_t id)
{
    const struct ir_layer *layer = &net->layers[number];
    const struct ir_port *ports = output ? layer->outputs : layer->inputs;
    uint32_t count = output ? layer->output_count : layer->input_count, first = output ? layer->input_count : 0;
    const struct port_key key = {number, output, id};
    return port_is_in_place(ports, count, first, id) ? (uint32_t)(id - first) : port_find(ids, &key);
}

static enum opshift_status edge_follow(struct ir_reader *reader, const struct ir_ids *ids, const struct ir_edge *edge,
                                       struct opshift_error *error)
{
    const struct ir_net *net = reader->net;
    uint32_t from = layer_of_id(net, &ids->layers, edge->from), to = layer_of_id(net, &ids->layers, edge->to);
    reader->offset = edge->offset;
    if (from == IR_NONE || to == IR_NONE)
        return opshift_fail(error, OPSHIFT_MALFORMED, "an edge leads %s layer %" PRId64 ", and no layer has that id",
                            from == IR_NONE ? "from" : "to", from == IR_NONE ? edge->from : edge->to);
    const struct ir_layer *source = &net->layers[from], *target = &net->layers[to];
    uint32_t output = port_of_id(net, ids, from, true, edge->from_port);
    uint32_t input = port_of_id(net, ids, to, false, edge->to_port);
    if (output == IR_NONE)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "an edge leads from port %" PRId64 " of %s, which has no such output", edge->from_port,
                            ir_place(net, source));
    if (input == IR_NONE)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "an edge leads to port %" PRId64 " of %s, which has no such input", edge->to_port,
                            ir_place(net, target));
    if (target->links[input].layer != IR_NONE)
        return opshift_fail(error, OPSHIFT_MALFORMED, "two edges lead to port %" PRId64 " of %s", edge->to_port,
                            ir_place(net, target));
    target->links[input] = (struct ir_link){from, output};
    return OPSHIFT_OK;
}

static enum opshift_status edges_follow(struct ir_reader *reader, struct opshift_error *error)
{
    const struct ir_net *net = reader->net;
    struct ir_ids ids = {0};
    const struct ir_edge *edges = (const struct ir_edge *)(const void *)reader->edges.data;
    enum opshift_status status = reader->edges.failed ? opshift_no_memory(error) : ids_read(reader, &ids.layers, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < net->count; i++)
        if (!ports_read(&ids, &net->layers[i], i, false) || !ports_read(&ids, &net->layers[i], i, true))
            status = opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < reader->edges.size / sizeof(*edges); i++)
        status = edge_follow(reader, &ids, &edges[i], error);
    table_free(&ids.layers);
    table_free(&ids.ports);
    buffer_free(&ids.keys);
    buffer_free(&ids.places);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < net->count; i++)
        for (uint32_t port = 0; status == OPSHIFT_OK && port < net->layers[i].input_count; port++) {
            if (net->layers[i].links[port].layer != IR_NONE)
                continue;
            reader->offset = net->layers[i].offset;
            status = opshift_fail(error, OPSHIFT_MALFORMED, "no edge leads to port %" PRId64 " of %s",
                                  net->layers[i].inputs[port].id, ir_place(net, &net->layers[i]));
        }
    return status;
}

/* Each layer behind those that it reads, else in the order of the file: depth first, without recursion. */
static enum opshift_status layers_order(struct ir_reader *reader, struct opshift_error *error)
{
    struct ir_net *net = reader->net;
    uint32_t *stack = calloc(net->count + UINT64_C(1), sizeof(*stack));
    uint32_t *next = calloc(net->count + UINT64_C(1), sizeof(*next)); /* the input to follow; IR_NONE: done */
    bool *open = calloc(net->count + UINT64_C(1), sizeof(*open));
    uint32_t done = 0;
    net->order = arena_alloc(net->arena, net->count + UINT64_C(1), sizeof(*net->order));
    enum opshift_status status = stack && next && open && net->order ? OPSHIFT_OK : opshift_no_memory(error);
    for (uint32_t root = 0; status == OPSHIFT_OK && root < net->count; root++) {
        uint32_t depth = 0;
        if (next[root] != IR_NONE) {
            stack[depth++] = root;
            open[root] = true;
        }
        while (status == OPSHIFT_OK && depth > 0) {
            uint32_t at = stack[depth - 1];
            const struct ir_layer *layer = &net->layers[at];
            if (next[at] == layer->input_count) {
                next[at] = IR_NONE;
                open[at] = false;
                net->order[done++] = at;
                depth--;
                continue;
            }
            uint32_t from = layer->links[next[at]++].layer;
            if (next[from] == IR_NONE)
                continue;
            if (open[from]) {
                reader->offset = layer->offset;
                status =
                    opshift_fail(error, OPSHIFT_MALFORMED, "the edges form a cycle through %s", ir_place(net, layer));
            } else {
                open[from] = true;
                stack[depth++] = from;
            }
        }
    }
    free(stack);
    free(next);
    free(open);
    return status;
}

enum opshift_status ir_read(struct source *source, const struct opshift_limits *limits, struct ir_net *net,
                            struct opshift_error *error)
{
    static const struct xml_handler handler = {start, text, end};
    struct ir_reader reader = {.net = net, .limits = limits};
    struct xml_limits xml = {.depth = DEPTH_MAX, .attributes = 1000, .elements = UINT64_C(500000000)};
    *net = (struct ir_net){.arena = arena_new(limits->memory)};
    if (net->arena == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = xml_read(source, &xml, &handler, &reader, error);
    if (status == OPSHIFT_OK)
        status = edges_follow(&reader, error);
    if (status == OPSHIFT_OK)
        status = layers_order(&reader, error);
    if (status && error)
        error->offset = reader.offset;
    buffer_free(&reader.settings);
    buffer_free(&reader.inputs);
    buffer_free(&reader.outputs);
    buffer_free(&reader.dims);
    buffer_free(&reader.edges);
    if (status == OPSHIFT_MEMORY && arena_was_full(net->arena))
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "needs more memory than the limit 'memory'; if the file is to be trusted, raise it");
    return status;
}
