/* Writes a node as one like it was written. */
#include "convert/twin_parts.h"

#include <stdlib.h>

#include "model/delta.h"

/* What is written so far, and how far that is in the node as it stands in the file. */
struct writing {
    const struct subject *subject;
    struct delta delta;
    size_t from;
};

/* Finds or makes the constant of a graph that the node is to read. */
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
    enum opshift_status status = shared_constant(conversion, &draft, literal->value, literal->suffix, &name, error);
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
    /* What becomes of a field, and what comes behind the last one of its kind. */
    size_t pieces = conversion->twins->subject.field_count + twin->inputs_after + (size_t)1;
    *size = DELTA_HEAD_MAX + DELTA_PIECE_MAX * pieces + twin->new_size;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < twin->inputs_after; i++) {
        struct literal *literal = &twin->inputs[i];
        if (literal->value && literal->graph != graph)
            status = literal_place(conversion, literal, graph, node, error);
        *size += literal->size;
    }
    return status;
}

/* Keeps the node as it stands until there, removes what follows until `to`, and adds the bytes. */
static void change(struct writing *writing, size_t until, size_t to, struct bytes added)
{
    delta_add(&writing->delta, until - writing->from, to - until, added);
    writing->from = to;
}

static struct bytes literal_bytes(const struct literal *literal)
{
    return (struct bytes){literal->record, literal->size};
}

/* The number-th input, which may be replaced or go; behind the last one stand those that come. */
static void write_input(struct writing *writing, const struct twin *twin, const struct twin_field *field,
                        uint32_t number)
{
    bool kept = number < twin->inputs_after && twin->inputs[number].value == NULL;
    struct bytes gone = {0};
    if (!kept)
        change(writing, field->start, field->end,
               number < twin->inputs_after ? literal_bytes(&twin->inputs[number]) : gone);
    for (uint32_t i = twin->input_count; number + 1 == twin->input_count && i < twin->inputs_after; i++)
        change(writing, field->end, field->end, literal_bytes(&twin->inputs[i]));
}

static void write_attribute(struct writing *writing, const struct twin *twin, const struct twin_field *field,
                            uint32_t number)
{
    const struct fate *fate = &twin->fates[number];
    if (!fate->kept)
        change(writing, field->start, field->end, fate->record);
    if (number + 1 == writing->subject->attribute_count && twin->added.size > 0)
        change(writing, field->end, field->end, twin->added);
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
    if (attributes == 0 && twin->added.size > 0)
        change(writing, subject->size, subject->size, twin->added);
}

/* Room for a delta of so many bytes. False: no memory. */
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
    struct writing writing = {.subject = &twins->subject, .delta = delta_start(twins->record)};
    write_fields(&writing, twin);
    struct bytes delta = delta_end(&writing.delta, graph_node_field(graph), range_head(range), twins->subject.size);
    status = model_edit_delta(conversion->model, graph->message, range_record(range), range_length(range), delta,
                              &twin->delta, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->input_count; i++)
        if (i >= twin->inputs_after || twin->inputs[i].value)
            status = prune_drop(conversion, graph, node_inputs(node)[i], error);
    return status ? status : report_became(conversion, graph, node, 0, 0, "", error);
}
