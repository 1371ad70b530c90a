/* Writes a node as one like it was written. */
#include "convert/twin_parts.h"

#include <stdlib.h>

/* What is written so far, and where what was copied of the node as it stands in the file ends there. */
struct writing {
    const struct subject *subject;
    uint8_t *to;
    size_t from;
};

/* Finds or makes the initializers of a graph that the node is to read. */
static enum opshift_status literal_place(struct conversion *conversion, struct literal *literal, struct graph *graph,
                                         struct node *node, struct opshift_error *error)
{
    struct names *names = conversion->model->names;
    struct draft draft = {.model = conversion->model,
                          .graph = graph,
                          .node = node,
                          .arena = conversion->node,
                          .outputs = (name_id *)(uintptr_t)node_outputs(node),
                          .output_count = node->output_count};
    name_id name;
    enum opshift_status status = shared_initializer(conversion, &draft, literal->value, literal->suffix, &name, error);
    if (status)
        return status;
    struct bytes text = names_bytes(names, name);
    uint8_t head[WIRE_HEAD_MAX];
    size_t head_size = wire_put_head(head, NODE_INPUT, text.size), size = head_size + text.size;
    uint8_t *record = size <= literal->room ? literal->record : arena_bytes(conversion->scratch, size);
    if (record == NULL)
        return opshift_no_memory(error);
    memcpy(record, head, head_size);
    memcpy(record + head_size, text.data, text.size);
    literal->record = record;
    literal->size = size;
    literal->room = size > literal->room ? size : literal->room;
    literal->graph = graph;
    return OPSHIFT_OK;
}

/* And how much room the node then takes at most. */
static enum opshift_status literals_place(struct conversion *conversion, struct twin *twin, struct graph *graph,
                                          struct node *node, size_t *size, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    *size = WIRE_HEAD_MAX + conversion->twins->subject.size + twin->new_size;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < twin->inputs_after; i++) {
        struct literal *literal = &twin->inputs[i];
        if (literal->value && literal->graph != graph)
            status = literal_place(conversion, literal, graph, node, error);
        *size += literal->size;
    }
    return status;
}

static void add_bytes(struct writing *writing, struct bytes bytes)
{
    if (bytes.size > 0)
        memcpy(writing->to, bytes.data, bytes.size);
    writing->to += bytes.size;
}

/* Copies the node as it stands, from where the last copy ended; goes on behind `to`. */
static void copy_until(struct writing *writing, size_t until, size_t to)
{
    if (until > writing->from)
        add_bytes(writing, (struct bytes){writing->subject->data + writing->from, until - writing->from});
    writing->from = to;
}

/* The number-th input, which may be replaced or go; behind the last one stand those that come. */
static void write_input(struct writing *writing, const struct twin *twin, const struct twin_field *field,
                        uint32_t number)
{
    bool kept = number < twin->inputs_after && twin->inputs[number].value == NULL;
    if (!kept)
        copy_until(writing, field->start, field->end);
    if (!kept && number < twin->inputs_after)
        add_bytes(writing, (struct bytes){twin->inputs[number].record, twin->inputs[number].size});
    if (number + 1 < twin->input_count || twin->inputs_after <= twin->input_count)
        return;
    copy_until(writing, field->end, field->end);
    for (uint32_t i = twin->input_count; i < twin->inputs_after; i++)
        add_bytes(writing, (struct bytes){twin->inputs[i].record, twin->inputs[i].size});
}

static void write_attribute(struct writing *writing, const struct twin *twin, const struct twin_field *field,
                            uint32_t number)
{
    const struct fate *fate = &twin->fates[number];
    copy_until(writing, fate->kept ? field->end : field->start, field->end);
    add_bytes(writing, fate->record);
    if (number + 1 == writing->subject->attribute_count)
        add_bytes(writing, twin->added);
}

static void write_fields(struct writing *writing, const struct twin *twin)
{
    const struct subject *subject = writing->subject;
    uint32_t inputs = 0, attributes = 0;
    for (uint32_t i = 0; i < subject->field_count; i++) {
        const struct twin_field *field = &subject->fields[i];
        if (field->number == NODE_INPUT)
            write_input(writing, twin, field, inputs++);
        else if (field->number == NODE_ATTRIBUTE)
            write_attribute(writing, twin, field, attributes++);
    }
    copy_until(writing, subject->size, subject->size);
    if (attributes == 0)
        add_bytes(writing, twin->added);
}

/* Room for a node of so many bytes. False: no memory. */
static bool record_reserve(struct twins *twins, size_t size)
{
    if (size <= twins->record_room)
        return true;
    uint8_t *grown = realloc(twins->record, size * 2);
    if (grown == NULL)
        return false;
    twins->record = grown;
    twins->record_room = size * 2;
    return true;
}

enum opshift_status twin_write(struct conversion *conversion, struct twin *twin, struct graph *graph, struct node *node,
                               struct opshift_error *error)
{
    struct range range = node->range;
    if (!twin->changed)
        return OPSHIFT_OK;
    size_t most;
    enum opshift_status status = literals_place(conversion, twin, graph, node, &most, error);
    if (status)
        return status;
    struct twins *twins = conversion->twins;
    if (!record_reserve(twins, most))
        return opshift_no_memory(error);
    uint8_t *record = twins->record + WIRE_HEAD_MAX;
    struct writing writing = {.subject = &twins->subject, .to = record};
    write_fields(&writing, twin);
    size_t written = (size_t)(writing.to - record);
    uint8_t head[WIRE_HEAD_MAX];
    size_t head_size = wire_put_head(head, GRAPH_NODE, written);
    memcpy(record - head_size, head, head_size);
    status = model_edit(conversion->model, graph->message, range_record(range), range_length(range),
                        (struct bytes){record - head_size, head_size + written}, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->input_count; i++)
        if (i >= twin->inputs_after || twin->inputs[i].value)
            status = prune_drop(conversion, graph, node_inputs(node)[i], error);
    return status ? status : report_became(conversion, graph, node, 0, 0, "", error);
}
