/* Uses of values outside of nodes and graph outputs: in training bindings (TrainingInfoProto), quantization
 * annotations, and device configurations of nodes. */
#include "model/fields.h"
#include "model/outside.h"

#include <stdlib.h>

#include "wire/wire.h"

struct outside {
    const struct opshift_model *model;
    uint8_t *bits; /* by name_id */
    struct opshift_error *error;
};

/* A message type that leads to names: its fields that are names, and those to descend into. */
struct road {
    uint32_t names; /* a bit for each field */
    uint32_t field; /* 0: none */
    const struct road *below;
};

static const struct road pair_value = {1u << 2, 0, NULL};
static const struct road pair = {1u << 1 | 1u << 2, 0, NULL};
static const struct road training_rest = {0, 4, &pair};
static const struct road training = {0, 3, &pair};
static const struct road annotation = {1u << 1, 2, &pair_value};
static const struct road sharding = {1u << 1, 0, NULL};
static const struct road devices = {0, 2, &sharding};

static enum opshift_status name_note(struct outside *outside, const struct wire_field *field)
{
    struct source *source = outside->model->source;
    name_id name;
    if (field->size == 0)
        return OPSHIFT_OK;
    uint8_t small[256], *data = field->size <= sizeof(small) ? small : malloc((size_t)field->size);
    if (data == NULL)
        return opshift_no_memory(outside->error);
    enum opshift_status status = source_read(source, field->offset, data, (size_t)field->size, outside->error);
    if (status == OPSHIFT_OK && names_find(outside->model->names, data, (size_t)field->size, &name))
        outside->bits[name / 8] |= (uint8_t)(1u << name % 8);
    if (data != small)
        free(data);
    return status;
}

static enum opshift_status road_walk(struct outside *outside, const struct road *road, uint64_t offset, uint64_t size)
{
    struct wire_cursor cursor = {outside->model->source, offset, offset + size};
    for (;;) {
        struct wire_field field;
        bool found;
        enum opshift_status status = wire_next(&cursor, &field, &found, outside->error);
        if (status || !found)
            return status;
        if (field.type != WIRE_BYTES)
            continue;
        if (field.number < 32 && road->names >> field.number & 1)
            status = name_note(outside, &field);
        if (status == OPSHIFT_OK && road->below && field.number == road->field)
            status = road_walk(outside, road->below, field.offset, field.size);
        if (status)
            return status;
    }
}

static enum opshift_status graph_walk(struct outside *outside, const struct graph *graph)
{
    const struct road in_graph = {0, GRAPH_ANNOTATION, &annotation}, in_node = {0, NODE_DEVICES, &devices};
    enum opshift_status status = OPSHIFT_OK;
    if (graph->kind != GRAPH_FUNCTION)
        status = road_walk(outside, &in_graph, graph->message->offset, graph->message->size);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++)
        status = road_walk(outside, &in_node, range_offset(graph->nodes[i].range), range_size(graph->nodes[i].range));
    return status;
}

enum opshift_status outside_names(const struct opshift_model *model, uint8_t **bits, struct opshift_error *error)
{
    const struct road in_model = {0, MODEL_TRAINING, &training}, rest = {0, MODEL_TRAINING, &training_rest};
    *bits = NULL;
    if (!model->names_outside)
        return OPSHIFT_OK;
    struct outside outside = {model, calloc(names_count(model->names) / 8 + 1, 1), error};
    if (outside.bits == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = road_walk(&outside, &in_model, 0, model->message->size);
    if (status == OPSHIFT_OK)
        status = road_walk(&outside, &rest, 0, model->message->size);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graph_count; i++)
        status = graph_walk(&outside, model->graphs[i]);
    if (status)
        free(outside.bits);
    else
        *bits = outside.bits;
    return status;
}
