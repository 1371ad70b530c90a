/* Builds layers and constants of an IR from a model's values. */
#include "dialect/openvino.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"

/* The .bin holds each constant at a multiple of this. */
#define ALIGNMENT 8

/* A piece of the .bin. */
struct payload {
    uint64_t offset, size;
    const void *bytes; /* NULL: of the initializer */
    const struct initializer *initializer;
};

enum opshift_status openvino_open(struct openvino *openvino, struct exporting *exporting, struct opshift_error *error)
{
    uint32_t count = names_count(exporting->model->names);
    *openvino = (struct openvino){.exporting = exporting};
    openvino->net.arena = arena_new(exporting->model->limits.memory);
    openvino->values = calloc(count, sizeof(*openvino->values));
    if (!ir_names_open(&openvino->names) || openvino->net.arena == NULL || openvino->values == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < count; i++)
        openvino->values[i] = (struct ir_link){IR_NONE, 0};
    return OPSHIFT_OK;
}

void openvino_close(struct openvino *openvino)
{
    ir_net_free(&openvino->net);
    free(openvino->values);
    ir_names_close(&openvino->names);
    buffer_free(&openvino->payloads);
}

/* About the bytes of a port and a dim in the file, and how much all input ports may take: so many times the model, and
 * some more for small ones. */
#define PORT_SIZE    60u
#define DIM_SIZE     18u
#define PORTS_FACTOR 48u
#define PORTS_LEAST  (UINT64_C(4) << 20)

/* ---- names ---- */

const char *openvino_name(const struct openvino *openvino, name_id name)
{
    struct bytes bytes = names_bytes(openvino->exporting->model->names, name);
    return xml_is_text(bytes.data, bytes.size) ? names_whole(openvino->exporting->model->names, name) : NULL;
}

enum opshift_status openvino_port_name(struct openvino *openvino, name_id name, struct ir_port *port,
                                       struct opshift_error *error)
{
    const char *text = openvino_name(openvino, name);
    struct arena *arena = openvino->net.arena;
    if (text == NULL || text[strlen(text) - 1] == '\\')
        return opshift_fail(error, OPSHIFT_NO, "the name '%s' has characters that an IR cannot hold; rename it",
                            names_text(openvino->exporting->model->names, name));
    const char **names = arena_alloc(arena, port->name_count + 1, sizeof(*names));
    text = arena_copy(arena, text, strlen(text));
    if (names == NULL || text == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < port->name_count; i++)
        names[i] = port->names[i];
    names[port->name_count++] = text;
    port->names = names;
    return OPSHIFT_OK;
}

/* ---- layers ---- */

/* The port at the other end of a link, as an input. */
static struct ir_port port_of(const struct openvino *openvino, struct ir_link link)
{
    struct ir_port port = openvino->net.layers[link.layer].outputs[link.port];
    port.names = NULL;
    port.name_count = 0;
    return port;
}

/* An input port repeats the dims of what it reads. */
static enum opshift_status ports_charge(struct openvino *openvino, const struct ir_link *links, uint32_t count,
                                        struct opshift_error *error)
{
    uint64_t most = PORTS_LEAST + PORTS_FACTOR * source_size(openvino->exporting->model->source);
    for (uint32_t i = 0; i < count; i++)
        openvino->port_size += PORT_SIZE + DIM_SIZE * (uint32_t)port_of(openvino, links[i]).rank;
    return openvino->port_size <= most
               ? OPSHIFT_OK
               : opshift_fail(error, OPSHIFT_NO,
                              "the dims of its inputs and of those before it would take more than %u times the model's "
                              "file in an IR",
                              PORTS_FACTOR);
}

enum opshift_status openvino_layer(struct openvino *openvino, const char *stem, const char *type, const char *version,
                                   const struct ir_link *links, uint32_t input_count, uint32_t output_count,
                                   struct ir_layer **result, struct opshift_error *error)
{
    struct arena *arena = openvino->net.arena;
    enum opshift_status status = ports_charge(openvino, links, input_count, error);
    if (status)
        return status;
    const char *name = ir_name_fresh(&openvino->names, openvino->net.arena, stem, "layer");
    struct ir_layer *layer = ir_layer_add(&openvino->net);
    if (name == NULL || layer == NULL)
        return opshift_no_memory(error);
    layer->name = name;
    layer->type = type;
    layer->version = version;
    layer->inputs = arena_alloc(arena, input_count + 1, sizeof(*layer->inputs));
    layer->links = arena_alloc(arena, input_count + 1, sizeof(*layer->links));
    layer->outputs = arena_alloc(arena, output_count + 1, sizeof(*layer->outputs));
    if (layer->inputs == NULL || layer->links == NULL || layer->outputs == NULL)
        return opshift_no_memory(error);
    layer->input_count = input_count;
    layer->output_count = output_count;
    for (uint32_t i = 0; i < input_count; i++) {
        layer->links[i] = links[i];
        layer->inputs[i] = port_of(openvino, links[i]);
    }
    *result = layer;
    return OPSHIFT_OK;
}

enum opshift_status openvino_settings(struct openvino *openvino, struct ir_layer *layer,
                                      const struct ir_setting *settings, uint32_t count, struct opshift_error *error)
{
    struct arena *arena = openvino->net.arena;
    struct ir_setting *copy = arena_alloc(arena, count + 1, sizeof(*copy));
    if (copy == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        copy[i].name = settings[i].name;
        copy[i].value = arena_copy(arena, settings[i].value, strlen(settings[i].value));
        if (copy[i].value == NULL)
            return opshift_no_memory(error);
    }
    layer->settings = copy;
    layer->setting_count = count;
    return OPSHIFT_OK;
}

static enum opshift_status type_refuse(const struct openvino *openvino, name_id name, const struct value_type *type,
                                       struct opshift_error *error)
{
    const char *text = names_text(openvino->exporting->model->names, name);
    if (type->other)
        return opshift_fail(error, OPSHIFT_NO, "'%s' is a %s, and OpenVINO has only tensors", text, type->other);
    if (type->type == OPSHIFT_TYPE_UNDEFINED)
        return opshift_fail(error, OPSHIFT_NO,
                            "the element type of '%s' is unknown, and an IR needs it; declare it in the model", text);
    return opshift_fail(error, OPSHIFT_NO,
                        "'%s' is %s, an element type that OpenVINO does not have; cast it to another", text,
                        type_name(type->type));
}

enum opshift_status openvino_port_type(struct openvino *openvino, struct graph *graph, name_id name,
                                       struct ir_port *port, struct opshift_error *error)
{
    struct value_type type;
    enum opshift_status status = types_find(openvino->exporting->around.types, graph, name, &type, error);
    if (status)
        return status;
    if (type.other || ir_precision(type.type) == NULL)
        return type_refuse(openvino, name, &type, error);
    port->type = type.type;
    port->rank = type.rank < 0 ? 0 : type.rank;
    port->dims =
        port->rank ? arena_copy(openvino->net.arena, type.dims, (size_t)port->rank * sizeof(*port->dims)) : NULL;
    return port->rank && port->dims == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* "6,2", "?,3", "" for a scalar, "..." where the rank is unknown. */
static char *shape_text_of(const int64_t *dims, int64_t rank)
{
    struct buffer text = {0};
    if (rank < 0)
        buffer_add_text(&text, "...");
    for (int64_t i = 0; i < rank; i++) {
        buffer_add_text(&text, i == 0 ? "" : ",");
        if (dims[i] < 0)
            buffer_add_text(&text, "?");
        else
            buffer_add_decimal(&text, dims[i]);
    }
    buffer_add_text(&text, "");
    return buffer_take(&text);
}

enum opshift_status openvino_parameter(struct openvino *openvino, struct graph *graph, name_id name,
                                       struct ir_link *link, struct opshift_error *error)
{
    struct ir_layer *layer;
    struct value_type type;
    struct ir_port port = {0};
    const char *stem = openvino_name(openvino, name);
    enum opshift_status status = types_find(openvino->exporting->around.types, graph, name, &type, error);
    if (status == OPSHIFT_OK)
        status = openvino_port_type(openvino, graph, name, &port, error);
    if (status == OPSHIFT_OK)
        status = openvino_port_name(openvino, name, &port, error);
    if (status == OPSHIFT_OK)
        status = openvino_layer(openvino, stem ? stem : "", "Parameter", "opset1", NULL, 0, 1, &layer, error);
    if (status)
        return status;
    layer->outputs[0] = port;
    *link = (struct ir_link){openvino->net.count - 1, 0};
    char *shape = shape_text_of(type.dims, type.rank);
    if (shape == NULL)
        return opshift_no_memory(error);
    const struct ir_setting settings[] = {{"shape", shape}, {"element_type", ir_element(type.type)}};
    status = openvino_settings(openvino, layer, settings, COUNT(settings), error);
    free(shape);
    return status;
}

enum opshift_status openvino_result(struct openvino *openvino, const char *stem, struct ir_link link,
                                    struct opshift_error *error)
{
    struct ir_layer *layer;
    const char *name = arena_print(openvino->net.arena, "%s/result", stem);
    if (name == NULL)
        return opshift_no_memory(error);
    return openvino_layer(openvino, name, "Result", "opset1", &link, 1, 0, &layer, error);
}

/* ---- constants ---- */

static enum opshift_status const_add(struct openvino *openvino, const char *stem, enum opshift_type type, int32_t rank,
                                     const int64_t *dims, uint64_t size, struct payload *payload, struct ir_link *link,
                                     struct opshift_error *error)
{
    struct ir_layer *layer = NULL;
    char offset[24], bytes[24];
    enum opshift_status status = openvino_layer(openvino, stem, "Const", "opset1", NULL, 0, 1, &layer, error);
    if (status || layer == NULL)
        return status;
    struct ir_port *port = &layer->outputs[0];
    port->type = type;
    port->rank = rank;
    port->dims = rank ? arena_copy(openvino->net.arena, dims, (size_t)rank * sizeof(*dims)) : NULL;
    if (rank && port->dims == NULL)
        return opshift_no_memory(error);
    payload->offset = openvino->size;
    payload->size = size;
    if (size > UINT64_MAX / 2 - openvino->size)
        return opshift_fail(error, OPSHIFT_NO, "the constants are too large for one file");
    openvino->size += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    buffer_add(&openvino->payloads, payload, sizeof(*payload));
    *link = (struct ir_link){openvino->net.count - 1, 0};
    char *shape = shape_text_of(dims, rank);
    if (shape == NULL || openvino->payloads.failed) {
        free(shape);
        return opshift_no_memory(error);
    }
    snprintf(offset, sizeof(offset), "%" PRIu64, payload->offset);
    snprintf(bytes, sizeof(bytes), "%" PRIu64, size);
    const struct ir_setting settings[] = {
        {"element_type", ir_element(type)}, {"shape", shape}, {"offset", offset}, {"size", bytes}};
    status = openvino_settings(openvino, layer, settings, COUNT(settings), error);
    free(shape);
    return status;
}

enum opshift_status openvino_ints(struct openvino *openvino, const char *stem, const int64_t *values, size_t count,
                                  struct ir_link *link, struct opshift_error *error)
{
    bool scalar = count == SIZE_MAX;
    int64_t dim = (int64_t)count;
    size_t size = (scalar ? 1 : count) * sizeof(*values);
    struct payload payload = {.bytes = arena_alloc(openvino->net.arena, size + 1, 1)};
    if (payload.bytes == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)payload.bytes)[i] = (uint8_t)((uint64_t)values[i / 8] >> (i % 8 * 8));
    return const_add(openvino, stem, OPSHIFT_TYPE_INT64, scalar ? 0 : 1, &dim, size, &payload, link, error);
}

/* A type that constants can have. */
static enum opshift_status const_type_check(enum opshift_type type, struct opshift_error *error)
{
    if (type == OPSHIFT_TYPE_STRING)
        return opshift_fail(error, OPSHIFT_NO, "a constant of strings; opshift does not write those into an IR");
    if (ir_precision(type) == NULL)
        return opshift_fail(error, OPSHIFT_NO, "a constant of %s, an element type that OpenVINO does not have",
                            type_name(type) ? type_name(type) : "an unknown type");
    return OPSHIFT_OK;
}

enum opshift_status openvino_tensor(struct openvino *openvino, const char *stem, const struct tensor *tensor,
                                    struct ir_link *link, struct opshift_error *error)
{
    enum opshift_status status = const_type_check(tensor->type, error);
    if (status)
        return status;
    uint64_t size = type_size(tensor->type, tensor->count);
    struct tensor *copy;
    status = tensor_copy(openvino->net.arena, tensor, &copy, error);
    if (status)
        return status;
    tensor_from_little_endian(copy); /* the way back is the same */
    struct payload payload = {.bytes = copy->data ? copy->data : copy};
    return const_add(openvino, stem, tensor->type, (int32_t)tensor->rank, tensor->dims, size, &payload, link, error);
}

/* A Const with an initializer's elements, read when the .bin is written. */
static enum opshift_status openvino_initializer(struct openvino *openvino, const struct initializer *initializer,
                                                struct ir_link *link, struct opshift_error *error)
{
    struct opshift_model *model = openvino->exporting->model;
    const char *stem = openvino_name(openvino, initializer->name);
    enum opshift_status status = const_type_check(initializer->type, error);
    uint64_t count = 1;
    if (status == OPSHIFT_OK && initializer->sparse) {
        struct arena *arena = arena_new(0);
        struct tensor *tensor;
        status = arena ? initializer_tensor(model, initializer, model->limits.decode, arena, &tensor, error)
                       : opshift_no_memory(error);
        if (status == OPSHIFT_OK)
            status = openvino_tensor(openvino, stem ? stem : "", tensor, link, error);
        arena_free(arena);
        return status;
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < initializer->rank; i++)
        if (initializer->dims[i] < 0 || __builtin_mul_overflow(count, (uint64_t)initializer->dims[i], &count))
            status = opshift_fail(error, OPSHIFT_NO, "its dims are not valid");
    uint64_t size = status ? 0 : type_size(initializer->type, count);
    if (status == OPSHIFT_OK && size == UINT64_MAX)
        status = opshift_fail(error, OPSHIFT_NO, "its dims are not valid");
    struct payload payload = {.initializer = initializer};
    return status ? status
                  : const_add(openvino, stem ? stem : "", initializer->type, (int32_t)initializer->rank,
                              initializer->dims, size, &payload, link, error);
}

/* An initializer whose value a caller may replace is none, unless that is wished. */
static enum opshift_status initializer_value(struct openvino *openvino, name_id name,
                                             const struct initializer *initializer, struct ir_link *link,
                                             struct opshift_error *error)
{
    struct opshift_model *model = openvino->exporting->model;
    enum opshift_status status = openvino_initializer(openvino, initializer, link, error);
    if (status)
        return opshift_within(error, status, "initializer '%s'", names_text(model->names, name));
    openvino->values[name] = *link;
    return openvino_name(openvino, name)
               ? openvino_port_name(openvino, name, &openvino->net.layers[link->layer].outputs[0], error)
               : OPSHIFT_OK;
}

enum opshift_status openvino_value(struct openvino *openvino, name_id name, struct ir_link *link,
                                   struct opshift_error *error)
{
    struct exporting *exporting = openvino->exporting;
    struct graph *graph = exporting->model->main;
    *link = openvino->values[name];
    if (link->layer != IR_NONE)
        return OPSHIFT_OK;
    struct definition definition = scope_find(exporting->around.scopes, graph, name);
    if (definition.kind == DEFINED_INITIALIZER && definition.graph == graph)
        return initializer_value(openvino, name, &graph->initializers[definition.index], link, error);
    return opshift_fail(error, OPSHIFT_NO, "'%s' is not defined before it is read",
                        names_text(exporting->model->names, name));
}

/* ---- the .bin ---- */

static enum opshift_status zeros_write(struct destination *destination, uint64_t size, struct opshift_error *error)
{
    static const uint8_t zeros[ALIGNMENT];
    return size ? destination_add(destination, zeros, (size_t)size, error) : OPSHIFT_OK;
}

/* Piece by piece, however the elements are stored. */
static enum opshift_status initializer_write(struct openvino *openvino, const struct payload *payload,
                                             struct destination *destination, struct opshift_error *error)
{
    struct opshift_model *model = openvino->exporting->model;
    struct diff reader = {.models = {model, model}};
    const struct initializer *initializer = payload->initializer;
    const struct record record = {.offset = range_offset(initializer->range), .size = range_size(initializer->range)};
    struct stream stream;
    uint64_t written = 0;
    size_t size = 1;
    uint8_t *piece = malloc(STREAM_PIECE);
    if (piece == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = stream_open(&reader, 0, &record, initializer->type, &stream, error);
    bool opened = status == OPSHIFT_OK;
    while (status == OPSHIFT_OK && size > 0 && written <= payload->size) {
        status = stream_read(&stream, piece, &size, error);
        if (status == OPSHIFT_OK && size <= payload->size - written)
            status = destination_add(destination, piece, size, error);
        written += size;
    }
    if (opened)
        stream_close(&stream);
    free(piece);
    if (status == OPSHIFT_OK && written != payload->size)
        status = opshift_fail(error, OPSHIFT_MALFORMED, "has %s than the %" PRIu64 " bytes that its dims need",
                              written > payload->size ? "more" : "less", payload->size);
    return status ? opshift_within(error, status, "initializer '%s'", names_text(model->names, initializer->name))
                  : OPSHIFT_OK;
}

enum opshift_status openvino_write_payloads(struct openvino *openvino, struct destination *destination,
                                            struct opshift_error *error)
{
    const struct payload *payloads = (const struct payload *)(const void *)openvino->payloads.data;
    enum opshift_status status = destination_reserve(destination, openvino->size, true, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < openvino->payloads.size / sizeof(*payloads); i++) {
        const struct payload *payload = &payloads[i];
        if (payload->initializer)
            status = initializer_write(openvino, payload, destination, error);
        else
            status = destination_add(destination, payload->bytes, (size_t)payload->size, error);
        if (status == OPSHIFT_OK)
            status = zeros_write(destination, (ALIGNMENT - payload->size % ALIGNMENT) % ALIGNMENT, error);
    }
    return status;
}
