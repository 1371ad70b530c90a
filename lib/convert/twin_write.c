/* Writes a node as one like it was written. */
#include "convert/twin_parts.h"

/* The record of an input that is a value. */
static enum opshift_status add_literal(struct conversion *conversion, struct literal *literal, struct graph *graph,
                                       struct node *node, struct opshift_error *error)
{
    struct names *names = conversion->model->names;
    struct draft draft = {.model = conversion->model,
                          .graph = graph,
                          .node = node,
                          .arena = conversion->node,
                          .outputs = (name_id *)(uintptr_t)node_outputs(node),
                          .output_count = node->output_count};
    if (literal->graph != graph) {
        enum opshift_status status =
            shared_initializer(conversion, &draft, literal->value, literal->suffix, &literal->name, error);
        if (status)
            return status;
        literal->graph = graph;
    }
    struct bytes name = names_bytes(names, literal->name);
    wire_add_bytes(&conversion->twins->record, NODE_INPUT, name.data, name.size);
    return OPSHIFT_OK;
}

static void add_bytes(struct buffer *record, struct bytes bytes)
{
    if (bytes.size)
        buffer_add(record, bytes.data, bytes.size);
}

/* Copies the node as it stands, from where the last copy ended; goes on behind `to`. */
static void copy_until(struct twins *twins, uint64_t *from, uint64_t until, uint64_t to)
{
    const struct subject *subject = &twins->subject;
    if (until > *from)
        buffer_add(&twins->record, subject->data + (*from - subject->start), (size_t)(until - *from));
    *from = to;
}

/* The number-th input, which may be replaced or go; behind the last one stand those that come. */
static enum opshift_status write_input(struct conversion *conversion, struct twin *twin, struct graph *graph,
                                       struct node *node, const struct wire_field *field, uint32_t number,
                                       uint64_t *from, struct opshift_error *error)
{
    struct twins *twins = conversion->twins;
    uint64_t end = field->offset + field->size;
    bool kept = number < twin->inputs_after && twin->inputs[number].value == NULL;
    enum opshift_status status = OPSHIFT_OK;
    copy_until(twins, from, kept ? end : field->record, end);
    if (!kept && number < twin->inputs_after)
        status = add_literal(conversion, &twin->inputs[number], graph, node, error);
    if (number + 1 < twin->input_count)
        return status;
    for (uint32_t i = twin->input_count; status == OPSHIFT_OK && i < twin->inputs_after; i++)
        status = add_literal(conversion, &twin->inputs[i], graph, node, error);
    return status;
}

static void write_attribute(struct twins *twins, const struct twin *twin, const struct wire_field *field,
                            uint32_t number, uint64_t *from)
{
    const struct fate *fate = &twin->fates[number];
    uint64_t end = field->offset + field->size;
    copy_until(twins, from, fate->kept ? end : field->record, end);
    add_bytes(&twins->record, fate->record);
    if (number + 1 == twins->subject.attribute_count)
        add_bytes(&twins->record, twin->added);
}

static enum opshift_status write_fields(struct conversion *conversion, struct twin *twin, struct graph *graph,
                                        struct node *node, struct opshift_error *error)
{
    struct twins *twins = conversion->twins;
    const struct subject *subject = &twins->subject;
    uint64_t from = subject->start, end = range_end(node->range);
    uint32_t inputs = 0, attributes = 0;
    enum opshift_status status = OPSHIFT_OK;
    twins->record.size = 0;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < subject->field_count; i++) {
        const struct wire_field *field = &subject->fields[i];
        if (field->number == NODE_INPUT)
            status = write_input(conversion, twin, graph, node, field, inputs++, &from, error);
        else if (field->number == NODE_ATTRIBUTE)
            write_attribute(twins, twin, field, attributes++, &from);
    }
    copy_until(twins, &from, end, end);
    if (attributes == 0)
        add_bytes(&twins->record, twin->added);
    return status;
}

enum opshift_status twin_write(struct conversion *conversion, struct twin *twin, struct graph *graph, struct node *node,
                               struct opshift_error *error)
{
    struct opshift_model *model = conversion->model;
    struct range range = node->range;
    if (!twin->changed)
        return OPSHIFT_OK;
    enum opshift_status status = write_fields(conversion, twin, graph, node, error);
    if (status)
        return status;
    const struct buffer *written = &conversion->twins->record;
    uint8_t head[WIRE_HEAD_MAX];
    size_t head_size = wire_put_head(head, GRAPH_NODE, written->size), size = head_size + written->size;
    uint8_t *record = written->failed ? NULL : arena_bytes(model->arena, size);
    if (record == NULL)
        return opshift_no_memory(error);
    memcpy(record, head, head_size);
    memcpy(record + head_size, written->data, written->size);
    status = model_edit(model, graph->message, range_record(range), range_length(range), (struct bytes){record, size},
                        error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->input_count; i++)
        if (i >= twin->inputs_after || twin->inputs[i].value)
            status = prune_drop(conversion, graph, node_inputs(node)[i], error);
    return status ? status : report_became(conversion, graph, node, 0, 0, "", error);
}
