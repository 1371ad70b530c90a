/* The weights of a model for show: initializers, and tensors of Constant nodes. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "convert/show.h"
#include "model/fields.h"
#include "model/tensor_head.h"
#include "wire/wire.h"

#define LARGEST_MAX 10u /* in the summary; show --initializers lists all */

uint64_t show_weight_bytes(const struct initializer *initializer)
{
    uint64_t elements = 1;
    if (initializer->sparse || type_bits(initializer->type) == 0)
        return range_size(initializer->range);
    for (uint32_t i = 0; i < initializer->rank; i++) {
        uint64_t dim = initializer->dims[i] < 0 ? 0 : (uint64_t)initializer->dims[i];
        if (dim != 0 && elements > UINT64_MAX / dim)
            return UINT64_MAX;
        elements *= dim;
    }
    return type_size(initializer->type, elements);
}

/* ---- Constant nodes ---- */

struct weight_list {
    struct opshift_model *model;
    struct arena *arena; /* of what Constants hold */
    struct arena *scratch;
    const struct initializer **list; /* grown with realloc */
    uint32_t count, room;
};

static enum opshift_status weight_add(struct weight_list *weights, const struct initializer *weight,
                                      struct opshift_error *error)
{
    if (!list_grow(&weights->list, weights->count, &weights->room, sizeof(*weights->list)))
        return opshift_no_memory(error);
    weights->list[weights->count++] = weight;
    return OPSHIFT_OK;
}

/* The last tensor in an attribute; size 0: none. */
static enum opshift_status tensor_find(const struct opshift_model *model, const struct attribute_range *attribute,
                                       struct range *tensor, struct opshift_error *error)
{
    struct wire_cursor cursor = {model->source, range_offset(attribute->range), range_end(attribute->range)};
    struct wire_field field;
    enum opshift_status status = OPSHIFT_OK;
    *tensor = (struct range){0};
    for (bool found = true; status == OPSHIFT_OK && found;) {
        status = wire_next(&cursor, &field, &found, error);
        if (status == OPSHIFT_OK && found && field.number == ATTRIBUTE_FIELD_TENSOR && field.type == WIRE_BYTES)
            *tensor = range_make(field.record, field.offset, field.size);
    }
    return status;
}

static enum opshift_status tensor_add(struct weight_list *weights, name_id name, struct range range,
                                      struct opshift_error *error)
{
    struct tensor_head head;
    enum opshift_status status =
        tensor_head_read(weights->model->source, range_offset(range), range_size(range), &head, error);
    if (status)
        return status;
    struct initializer *weight = arena_alloc(weights->arena, 1, sizeof(*weight));
    int64_t *dims = arena_copy(weights->arena, head.dims, head.rank * sizeof(*head.dims));
    if (weight == NULL || dims == NULL)
        return opshift_no_memory(error);
    *weight = (struct initializer){
        .range = range, .name = name, .type = head.type, .rank = head.rank, .external = head.external, .dims = dims};
    return weight_add(weights, weight, error);
}

static enum opshift_status constant_add(struct weight_list *weights, const struct node *node,
                                        struct opshift_error *error)
{
    const struct opshift_model *model = weights->model;
    struct attribute_range *attributes;
    size_t count;
    arena_clear(weights->scratch);
    enum opshift_status status = node_attributes(weights->model, node, weights->scratch, &attributes, &count, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        struct range tensor;
        if (!names_is(model->names, attributes[i].name, "value", strlen("value")))
            continue;
        status = tensor_find(model, &attributes[i], &tensor, error);
        if (status == OPSHIFT_OK && range_size(tensor) > 0)
            return tensor_add(weights, node_outputs(node)[0], tensor, error);
    }
    return status;
}

/* What is malformed is found by lint. */
static enum opshift_status constants_add(struct weight_list *weights, const struct graph *graph, name_id op_type,
                                         struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++) {
        const struct node *node = &graph->nodes[i];
        if (node->op_type != op_type || node_domain(node) != NAME_NONE || node->output_count == 0)
            continue;
        status = constant_add(weights, node, error);
        if (status == OPSHIFT_MALFORMED || status == OPSHIFT_UNSUPPORTED)
            status = error_forget(error);
    }
    return status;
}

/* ---- all of them ---- */

static int by_weight(const void *a, const void *b)
{
    const struct initializer *left = *(const struct initializer *const *)a;
    const struct initializer *right = *(const struct initializer *const *)b;
    uint64_t bytes = show_weight_bytes(left), others = show_weight_bytes(right);
    if (bytes != others)
        return bytes > others ? -1 : 1;
    uint64_t one = range_record(left->range), other = range_record(right->range);
    return one < other ? -1 : one > other;
}

static enum opshift_status weights_find(struct weight_list *weights, struct opshift_error *error)
{
    struct opshift_model *model = weights->model;
    enum opshift_status status = OPSHIFT_OK;
    name_id op_type;
    bool constants = names_find(model->names, "Constant", strlen("Constant"), &op_type);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graph_count; i++) {
        const struct graph *graph = model->graphs[i];
        for (uint32_t k = 0; status == OPSHIFT_OK && k < graph->initializer_count; k++)
            status = weight_add(weights, &graph->initializers[k], error);
        if (status == OPSHIFT_OK && constants)
            status = constants_add(weights, graph, op_type, error);
    }
    if (weights->count > 0)
        qsort((void *)weights->list, weights->count, sizeof(*weights->list), by_weight);
    return status;
}

static enum opshift_status weights_open(struct opshift_model *model, struct weight_list *weights,
                                        struct opshift_error *error)
{
    *weights = (struct weight_list){.model = model, .arena = arena_new(0), .scratch = arena_new(0)};
    return weights->arena && weights->scratch ? weights_find(weights, error) : opshift_no_memory(error);
}

static void weights_close(struct weight_list *weights)
{
    arena_free(weights->arena);
    arena_free(weights->scratch);
    free((void *)weights->list);
}

static json_t *bytes_json(uint64_t bytes)
{
    return json_integer(bytes > INT64_MAX ? INT64_MAX : (json_int_t)bytes);
}

static json_t *weight_json(const struct opshift_model *model, const struct initializer *initializer)
{
    const char *word = type_name(initializer->type);
    json_t *entry = json_object(), *shape = json_array();
    for (uint32_t i = 0; i < initializer->rank && i < INITIALIZER_DIMS_MAX; i++)
        report_append(&shape, json_integer(initializer->dims[i]));
    report_set(&entry, "name", show_name(model, initializer->name));
    report_set(&entry, "type", word ? json_string(word) : json_null());
    report_set(&entry, "shape", shape);
    report_set(&entry, "bytes", bytes_json(show_weight_bytes(initializer)));
    if (initializer->sparse)
        report_set(&entry, "sparse", json_true());
    if (initializer->external)
        report_set(&entry, "external", json_true());
    return entry;
}

static uint64_t add_limited(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

enum opshift_status show_weights(struct opshift_model *model, json_t **root, struct opshift_error *error)
{
    struct weight_list weights;
    uint64_t bytes = 0, external = 0;
    json_t *found = json_object(), *largest = json_array();
    enum opshift_status status = weights_open(model, &weights, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < weights.count; i++) {
        uint64_t size = show_weight_bytes(weights.list[i]);
        bytes = add_limited(bytes, size);
        external = add_limited(external, weights.list[i]->external ? size : 0);
        if (i < LARGEST_MAX)
            report_append(&largest, weight_json(model, weights.list[i]));
    }
    report_set(&found, "count", json_integer(weights.count));
    report_set(&found, "bytes", bytes_json(bytes));
    report_set(&found, "external_bytes", bytes_json(external));
    report_set(&found, "largest", largest);
    report_set(root, "weights", found);
    weights_close(&weights);
    return status;
}

enum opshift_status show_weights_all(struct opshift_model *model, json_t **list, struct opshift_error *error)
{
    struct weight_list weights;
    enum opshift_status status = weights_open(model, &weights, error);
    *list = json_array();
    for (uint32_t i = 0; status == OPSHIFT_OK && i < weights.count; i++)
        report_append(list, weight_json(model, weights.list[i]));
    weights_close(&weights);
    return status;
}
