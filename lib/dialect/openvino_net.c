/* Opens an IR: its .xml, its .bin, and what follows for the types and shapes of values. */
#include "dialect/openvino_net.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/descriptor.h"
#include "model/external.h"
#include "model/limits.h"
#include "model/number.h"

/* A constant that is read as a list of integers. */
#define LIST_MAX (UINT64_C(1) << 20)

bool ir_layer_is(const struct ir_layer *layer, const char *type)
{
    return ascii_same(layer->type, type);
}

const struct ir_layer *openvino_source(const struct openvino_net *net, const struct ir_layer *layer, uint32_t input)
{
    return &net->net.layers[layer->links[input].layer];
}

const struct ir_value *openvino_input(const struct openvino_net *net, const struct ir_layer *layer, uint32_t input)
{
    return &net->values[layer->links[input].layer][layer->links[input].port];
}

/* ---- shapes as text ---- */

/* "6", "?", "-1", "1..10" */
static bool dim_read(const char *text, size_t size, int64_t *dim)
{
    char digits[24];
    if (size == 1 && *text == '?') {
        *dim = -1;
        return true;
    }
    const char *range = memmem(text, size, "..", 2);
    if (range && size > 2) {
        *dim = -1;
        return true;
    }
    if (size == 0 || size >= sizeof(digits))
        return false;
    memcpy(digits, text, size);
    digits[size] = '\0';
    return ir_number(digits, dim) && *dim >= -1;
}

/* "6,2", "" for a scalar, "..." for an unknown rank. MALFORMED: it is none of these; without a text. MEMORY. */
static enum opshift_status shape_read(struct arena *arena, const char *text, struct ir_value *value,
                                      struct opshift_error *error)
{
    int64_t dims[TENSOR_RANK_MAX];
    int32_t rank = 0;
    if (strcmp(text, "...") == 0) {
        value->rank = -1;
        return OPSHIFT_OK;
    }
    text += strspn(text, "[ ");
    for (size_t size; *text && *text != ']'; text += size + strspn(text + size, ", ")) {
        size = strcspn(text, ", ]");
        if (rank == TENSOR_RANK_MAX || !dim_read(text, size, &dims[rank++]))
            return OPSHIFT_MALFORMED;
    }
    value->rank = rank;
    value->dims = rank ? arena_copy(arena, dims, (size_t)rank * sizeof(*dims)) : NULL;
    return rank && value->dims == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

static enum opshift_status setting_need(const struct openvino_net *net, const struct ir_layer *layer, const char *name,
                                        const char **value, struct opshift_error *error)
{
    *value = ir_setting_find(layer, name);
    if (*value)
        return OPSHIFT_OK;
    if (error)
        error->offset = layer->offset;
    return opshift_fail(error, OPSHIFT_MALFORMED, "%s has no attribute '%s'; write the IR again",
                        ir_place(&net->net, layer), name);
}

/* element_type and shape of a Parameter or Const. */
static enum opshift_status declared_read(struct openvino_net *net, const struct ir_layer *layer, struct ir_value *value,
                                         struct opshift_error *error)
{
    const char *type, *shape;
    enum opshift_status status = setting_need(net, layer, "element_type", &type, error);
    if (status == OPSHIFT_OK)
        status = setting_need(net, layer, "shape", &shape, error);
    if (status)
        return status;
    value->type = ir_type_find(type);
    status = shape_read(net->net.arena, shape, value, error);
    if (status != OPSHIFT_MALFORMED)
        return status;
    return opshift_fail(error, OPSHIFT_MALFORMED, "%s has the shape '%.100s', which cannot be read",
                        ir_place(&net->net, layer), shape);
}

/* ---- given shapes ---- */

/* Is "NAME=1x3" about this Parameter? By the names of its tensor, or its own. */
static bool given_is_for(const struct ir_layer *layer, const char *text)
{
    const char *end = strrchr(text, '=');
    size_t size = end ? (size_t)(end - text) : 0;
    const struct ir_port *port = &layer->outputs[0];
    bool found = strlen(layer->name) == size && memcmp(layer->name, text, size) == 0;
    for (uint32_t i = 0; i < port->name_count; i++)
        found |= strlen(port->names[i]) == size && memcmp(port->names[i], text, size) == 0;
    return end && found;
}

/* Every given shape names a Parameter. */
static enum opshift_status given_check(const struct openvino_net *net, struct opshift_error *error)
{
    const struct opshift_given *given = net->given;
    if (given && given->dim_count > 0)
        return opshift_fail(error, OPSHIFT_USAGE, "'%.100s': dims of an IR have no names; give the shape of an input",
                            given->dims[0]);
    for (size_t i = 0; given && i < given->shape_count; i++) {
        bool found = false;
        for (uint32_t at = 0; at < net->net.count; at++)
            found |= ir_layer_is(&net->net.layers[at], "Parameter") && net->net.layers[at].output_count == 1 &&
                     given_is_for(&net->net.layers[at], given->shapes[i]);
        if (!found)
            return opshift_fail(error, OPSHIFT_USAGE, "'%.100s' names no Parameter, or has no '='", given->shapes[i]);
    }
    return OPSHIFT_OK;
}

/* "1x3" or "1,3"; ? keeps what the Parameter declares. */
static enum opshift_status given_apply(struct openvino_net *net, const struct ir_layer *layer, const char *text,
                                       struct ir_value *value, struct opshift_error *error)
{
    const char *place = ir_place(&net->net, layer);
    char *shape = arena_copy(net->net.arena, strrchr(text, '=') + 1, strlen(strrchr(text, '=') + 1));
    struct ir_value wished = {0};
    for (char *at = shape; at && *at; at++)
        *at = *at == 'x' ? ',' : *at;
    if (shape == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = shape_read(net->net.arena, shape, &wished, error);
    if (status == OPSHIFT_MALFORMED)
        return opshift_fail(error, OPSHIFT_USAGE, "'%.100s' is no shape; write numbers separated by x", text);
    if (status)
        return status;
    if (value->rank >= 0 && wished.rank != value->rank)
        return opshift_fail(error, OPSHIFT_USAGE, "'%.100s' has %d dims, and %s has %d", text, wished.rank, place,
                            value->rank);
    int64_t *dims =
        arena_copy(net->net.arena, wished.dims, (size_t)(wished.rank > 0 ? wished.rank : 0) * sizeof(*dims));
    for (int32_t i = 0; dims && value->rank >= 0 && i < wished.rank; i++) {
        if (dims[i] >= 0 && value->dims[i] >= 0 && dims[i] != value->dims[i])
            return opshift_fail(error, OPSHIFT_USAGE, "'%.100s' gives %" PRId64 " for dim %d, and %s has %" PRId64,
                                text, dims[i], i, place, value->dims[i]);
        dims[i] = dims[i] < 0 ? value->dims[i] : dims[i];
    }
    value->rank = wished.rank;
    value->dims = dims;
    return wished.rank > 0 && dims == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

static enum opshift_status given_find(struct openvino_net *net, const struct ir_layer *layer, struct ir_value *value,
                                      struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && net->given && i < net->given->shape_count; i++)
        if (given_is_for(layer, net->given->shapes[i]))
            status = given_apply(net, layer, net->given->shapes[i], value, error);
    return status;
}

/* ---- constants ---- */

void openvino_const(const struct openvino_net *net, const struct ir_layer *layer, struct ir_const *constant,
                    bool *found)
{
    const struct ir_value *value = net->values[layer - net->net.layers];
    int64_t offset = 0, size = 0;
    *found = ir_layer_is(layer, "Const") && layer->output_count == 1;
    if (!*found)
        return;
    ir_number(ir_setting_find(layer, "offset"), &offset);
    ir_number(ir_setting_find(layer, "size"), &size);
    *constant = (struct ir_const){value->type, value->rank, value->dims, 1, (uint64_t)offset, (uint64_t)size};
    for (int32_t i = 0; i < value->rank; i++)
        constant->count *= (uint64_t)value->dims[i];
}

static enum opshift_status number_setting(const struct openvino_net *net, const struct ir_layer *layer,
                                          const char *name, uint64_t *number, struct opshift_error *error)
{
    const char *text;
    int64_t value;
    enum opshift_status status = setting_need(net, layer, name, &text, error);
    if (status)
        return status;
    if (!ir_number(text, &value) || value < 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "%s has %s=\"%.40s\", which is no number of bytes",
                            ir_place(&net->net, layer), name, text);
    *number = (uint64_t)value;
    return OPSHIFT_OK;
}

/* The bytes that dims and type need lie inside the .bin. */
static enum opshift_status const_check(struct openvino_net *net, const struct ir_layer *layer,
                                       const struct ir_value *value, struct opshift_error *error)
{
    uint64_t offset = 0, size = 0, count = 1, needed;
    const char *place = ir_place(&net->net, layer);
    enum opshift_status status = number_setting(net, layer, "offset", &offset, error);
    if (status == OPSHIFT_OK)
        status = number_setting(net, layer, "size", &size, error);
    if (status)
        return status;
    bool whole = value->rank >= 0;
    for (int32_t i = 0; i < value->rank && whole; i++)
        whole = value->dims[i] >= 0 && !__builtin_mul_overflow(count, (uint64_t)value->dims[i], &count);
    if (!whole || count > net->limits.elements)
        return opshift_fail(error, whole ? OPSHIFT_UNSUPPORTED : OPSHIFT_MALFORMED,
                            whole ? "%s has more elements than the limit 'elements'"
                                  : "%s has dims that a constant cannot have",
                            place);
    needed = value->type && value->type != OPSHIFT_TYPE_STRING ? type_size(value->type, count) : 0;
    if (size < needed)
        return opshift_fail(error, OPSHIFT_MALFORMED, "%s has %" PRIu64 " bytes, and its type and shape need %" PRIu64,
                            place, size, needed);
    uint64_t held = net->weights ? source_size(net->weights) : 0;
    if (offset > held || size > held - offset)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "%s needs %" PRIu64 " bytes at offset %" PRIu64 " of %s, which has %" PRIu64
                            "; fetch the .bin again, or write the IR again",
                            place, size, offset, net->weights_path, held);
    return OPSHIFT_OK;
}

enum opshift_status openvino_const_ints(struct openvino_net *net, const struct ir_layer *layer, const int64_t **values,
                                        size_t *count, struct opshift_error *error)
{
    struct ir_const constant;
    bool found;
    *values = NULL;
    openvino_const(net, layer, &constant, &found);
    const struct number_type *type = found ? number_type(constant.type) : NULL;
    if (type == NULL || type->kind == NUMBER_REAL || constant.type == OPSHIFT_TYPE_BOOL || constant.count > LIST_MAX)
        return OPSHIFT_OK;
    int64_t *list = arena_alloc(net->net.arena, constant.count + 1, sizeof(*list));
    struct tensor tensor = {.type = constant.type, .count = constant.count};
    tensor.data = arena_alloc(net->net.arena, constant.count * type->size + 1, 1);
    if (list == NULL || tensor.data == NULL)
        return opshift_no_memory(error);
    enum opshift_status status =
        constant.count ? source_read(net->weights, constant.offset, tensor.data, constant.count * type->size, error)
                       : OPSHIFT_OK;
    tensor_from_little_endian(&tensor);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < constant.count; i++) {
        union number number = type->load((const char *)tensor.data + i * type->size);
        list[i] = constant.type == OPSHIFT_TYPE_UINT64 && number.i < 0 ? INT64_MAX : number.i;
    }
    *values = list;
    *count = (size_t)constant.count;
    return status ? opshift_within(error, status, "%s", net->weights_path) : OPSHIFT_OK;
}

/* ---- shapes ---- */

/* The parts of a Split have its input's dims but for the axis. */
static enum opshift_status split_shapes(struct openvino_net *net, const struct ir_layer *layer, struct ir_value *values,
                                        struct opshift_error *error)
{
    struct openvino_cut cut;
    const struct ir_value *input = openvino_input(net, layer, 0);
    enum opshift_status status = openvino_cut_read(net, layer, &cut, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < layer->output_count; i++) {
        values[i] = *input;
        if (input->rank <= 0)
            continue;
        int64_t *dims = arena_copy(net->net.arena, input->dims, (size_t)input->rank * sizeof(*dims));
        if (dims == NULL)
            return opshift_no_memory(error);
        for (int32_t at = 0; at < input->rank; at++)
            if (cut.front < 0 || at == cut.front)
                dims[at] = cut.front < 0 ? -1 : openvino_cut_length(&cut, i);
        values[i].dims = dims;
    }
    return status;
}

static enum opshift_status layer_shapes(struct openvino_net *net, const struct ir_layer *layer,
                                        struct opshift_error *error)
{
    struct ir_value *values = arena_alloc(net->net.arena, layer->output_count + 1u, sizeof(*values));
    if (values == NULL)
        return opshift_no_memory(error);
    net->values[layer - net->net.layers] = values;
    /* A port without dims may be a scalar, or of unknown rank. */
    for (uint32_t i = 0; i < layer->output_count; i++)
        values[i] = (struct ir_value){layer->outputs[i].type, layer->outputs[i].rank ? layer->outputs[i].rank : -1,
                                      layer->outputs[i].dims};
    bool constant = ir_layer_is(layer, "Const");
    if ((constant || ir_layer_is(layer, "Parameter")) && layer->output_count == 1) {
        enum opshift_status status = declared_read(net, layer, &values[0], error);
        if (status)
            return status;
        return constant ? const_check(net, layer, &values[0], error) : given_find(net, layer, &values[0], error);
    }
    return openvino_is_split(layer) && layer->input_count > 0 ? split_shapes(net, layer, values, error) : OPSHIFT_OK;
}

static enum opshift_status shapes_find(struct openvino_net *net, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    net->values = arena_alloc(net->net.arena, net->net.count + UINT64_C(1), sizeof(*net->values));
    if (net->values == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < net->net.count; i++) {
        const struct ir_layer *layer = &net->net.layers[net->net.order[i]];
        status = layer_shapes(net, layer, error);
        if (status && error)
            error->offset = layer->offset;
    }
    return status;
}

/* ---- files ---- */

static bool needs_weights(const struct ir_net *net)
{
    int64_t size;
    for (uint32_t i = 0; i < net->count; i++) {
        const char *text = ir_layer_is(&net->layers[i], "Const") ? ir_setting_find(&net->layers[i], "size") : NULL;
        if (text && ir_number(text, &size) && size > 0)
            return true;
    }
    return false;
}

/* NAME.bin for NAME.xml, and NAME.bin for NAME. */
static enum opshift_status weights_name(struct openvino_net *net, struct opshift_error *error)
{
    size_t size = strlen(net->path), stem = size > 4 && strcmp(net->path + size - 4, ".xml") == 0 ? size - 4 : size;
    net->weights_path = malloc(stem + 5);
    if (net->weights_path == NULL)
        return opshift_no_memory(error);
    memcpy(net->weights_path, net->path, stem);
    memcpy(net->weights_path + stem, ".bin", 5);
    return OPSHIFT_OK;
}

/* The .bin is external data of the IR: the same policy holds. */
static enum opshift_status weights_open(struct openvino_net *net, const struct opshift_open_options *options,
                                        struct opshift_error *error)
{
    const char *slash = strrchr(net->weights_path, '/'), *name = slash ? slash + 1 : net->weights_path;
    char *directory = slash ? strndup(net->weights_path, (size_t)(name - net->weights_path)) : strdup(".");
    struct external_file file;
    if (directory == NULL)
        return opshift_no_memory(error);
    external_look(options->directory ? options->directory : directory, options->external, name, &file);
    free(directory);
    if (file.state == EXTERNAL_MISSING)
        return opshift_fail(error, OPSHIFT_IO, "its constants are in %s, which is missing; put it beside the .xml",
                            net->weights_path);
    enum opshift_status status = external_refuse(&file, options->external, name, error);
    if (status)
        return status;
    if (file.about.st_size > 0) /* else a constant needs more, which const_check reports */
        status = source_open_descriptor(file.descriptor, &net->weights, error);
    descriptor_close(file.descriptor);
    return status ? opshift_within(error, status, "%s", net->weights_path) : OPSHIFT_OK;
}

enum opshift_status openvino_net_open(const char *path, const struct opshift_open_options *options,
                                      const struct opshift_given *given, struct openvino_net *net,
                                      struct opshift_error *error)
{
    *net = (struct openvino_net){.path = strdup(path), .given = given};
    if (options->limits)
        net->limits = *options->limits;
    enum opshift_status status = net->path ? limits_complete(&net->limits, error) : opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = source_open(path, &net->xml, error);
    if (status == OPSHIFT_OK)
        status = ir_read(net->xml, &net->limits, &net->net, error);
    if (status == OPSHIFT_OK)
        status = weights_name(net, error);
    if (status == OPSHIFT_OK && needs_weights(&net->net))
        status = weights_open(net, options, error);
    if (status == OPSHIFT_OK)
        status = given_check(net, error);
    if (status == OPSHIFT_OK)
        status = shapes_find(net, error);
    net->given = NULL;
    return status ? opshift_within(error, status, "%.256s", path) : OPSHIFT_OK;
}

void openvino_net_close(struct openvino_net *net)
{
    ir_net_free(&net->net);
    source_free(net->xml);
    source_free(net->weights);
    free(net->path);
    free(net->weights_path);
    *net = (struct openvino_net){0};
}
