/* Reads planned nodes without decoding their attributes, most of which are the same bytes in the second model. */
#include "model/fields.h"
#include "verify/expect_record.h"

#include <string.h>

#include "wire/wire.h"

enum { NODE_FIELDS = 10 };

static struct bytes field_text(const struct planned_record *record, const struct wire_field *field)
{
    return (struct bytes){record->bytes.window + field->offset, (size_t)field->size};
}

static struct wire_cursor cursor_of(struct planned_record *record)
{
    return (struct wire_cursor){&record->bytes, 0, record->bytes.size};
}

/* False: no memory. */
static bool rooms_make(struct planned_record *record, struct arena *arena)
{
    record->inputs = arena_alloc(arena, record->input_count, sizeof(*record->inputs));
    record->outputs = arena_alloc(arena, record->output_count, sizeof(*record->outputs));
    record->attributes = arena_alloc(arena, record->attribute_count, sizeof(*record->attributes));
    return record->inputs && record->outputs && record->attributes;
}

static enum opshift_status fields_count(struct planned_record *record, struct opshift_error *error)
{
    struct wire_cursor cursor = cursor_of(record);
    struct wire_field field;
    uint32_t counts[NODE_FIELDS] = {0};
    enum opshift_status status;
    bool found;
    while ((status = wire_next(&cursor, &field, &found, error)) == OPSHIFT_OK && found)
        counts[field.number < NODE_FIELDS ? field.number : 0]++;
    record->input_count = counts[NODE_INPUT];
    record->output_count = counts[NODE_OUTPUT];
    record->attribute_count = counts[NODE_ATTRIBUTE];
    return status;
}

static enum opshift_status attribute_read(struct planned_record *record, const struct wire_field *found_at,
                                          struct planned_attribute *attribute, struct opshift_error *error)
{
    struct wire_cursor cursor = {&record->bytes, found_at->offset, found_at->offset + found_at->size};
    struct wire_field field;
    enum opshift_status status;
    bool found;
    attribute->range = range_make(found_at->record, found_at->offset, found_at->size);
    while ((status = wire_next(&cursor, &field, &found, error)) == OPSHIFT_OK && found)
        if (field.number == ATTRIBUTE_FIELD_NAME && field.type == WIRE_BYTES)
            attribute->name = field_text(record, &field);
        else if (field.number == ATTRIBUTE_FIELD_TYPE && field.type == WIRE_VARINT)
            attribute->type = (Onnx__AttributeProto__AttributeType)(int32_t)field.value;
    return status;
}

/* Most inputs and outputs of a record are those of its node (`likely`), in the same order. */
static name_id name_of(const struct names *names, struct bytes text, const name_id *likely, uint32_t count, uint32_t at)
{
    name_id name;
    return names_find_likely(names, text, at < count ? likely[at] : NAME_NONE, &name) ? name : NAME_NO_MEMORY;
}

enum opshift_status record_read(struct planned_record *record, struct bytes message, const struct attribute_list *of,
                                struct arena *arena, struct opshift_error *error)
{
    const struct names *names = of->model->names;
    *record = (struct planned_record){.bytes = source_of(message.data, message.size)};
    record->source = &record->bytes;
    enum opshift_status status = fields_count(record, error);
    if (status || !rooms_make(record, arena))
        return status ? status : opshift_no_memory(error);
    struct wire_cursor cursor = cursor_of(record);
    uint32_t inputs = 0, outputs = 0, attributes = 0;
    for (bool found; status == OPSHIFT_OK;) {
        struct wire_field field;
        status = wire_next(&cursor, &field, &found, error);
        if (status || !found)
            break;
        if (field.number == NODE_INPUT) {
            record->inputs[inputs] =
                name_of(names, field_text(record, &field), node_inputs(of->node), of->node->input_count, inputs);
            inputs++;
        } else if (field.number == NODE_OUTPUT) {
            record->outputs[outputs] =
                name_of(names, field_text(record, &field), node_outputs(of->node), of->node->output_count, outputs);
            outputs++;
        } else if (field.number == NODE_ATTRIBUTE) {
            status = attribute_read(record, &field, &record->attributes[attributes++], error);
        } else if (field.number == NODE_NAME) {
            record->name = field_text(record, &field);
        } else if (field.number == NODE_OP_TYPE) {
            record->op_type = field_text(record, &field);
        } else if (field.number == NODE_DOMAIN) {
            record->domain = field_text(record, &field);
        } else if (field.number == NODE_OVERLOAD) {
            record->overload = field_text(record, &field);
        }
    }
    return status;
}

enum opshift_status record_read_kept(struct planned_record *record, struct attribute_list *kept,
                                     struct opshift_error *error)
{
    const struct node *node = kept->node;
    const struct names *names = kept->model->names;
    enum opshift_status status = attribute_list_read(kept, error);
    if (status)
        return status;
    *record = (struct planned_record){
        .source = kept->model->source,
        .kept = kept,
        .op_type = names_bytes(names, node->op_type),
        .domain = names_bytes(names, node_domain(node)),
        .overload = names_bytes(names, node_overload(node)),
        .input_count = node->input_count,
        .output_count = node->output_count,
        .attribute_count = (uint32_t)kept->count,
    };
    if (!rooms_make(record, kept->arena))
        return opshift_no_memory(error);
    if (node->input_count > 0)
        memcpy(record->inputs, node_inputs(node), node->input_count * sizeof(*record->inputs));
    if (node->output_count > 0)
        memcpy(record->outputs, node_outputs(node), node->output_count * sizeof(*record->outputs));
    for (size_t i = 0; i < kept->count; i++)
        record->attributes[i] = (struct planned_attribute){.name = names_bytes(names, kept->ranges[i].name),
                                                           .type = kept->ranges[i].type,
                                                           .range = kept->ranges[i].range};
    return OPSHIFT_OK;
}

struct planned_attribute *record_attribute(const struct planned_record *record, struct bytes name)
{
    for (uint32_t i = 0; i < record->attribute_count; i++)
        if (bytes_same(record->attributes[i].name, name))
            return &record->attributes[i];
    return NULL;
}

enum opshift_status record_decode(const struct planned_record *record, struct planned_attribute *attribute,
                                  struct arena *arena, struct opshift_error *error)
{
    if (attribute->message != NULL)
        return OPSHIFT_OK;
    if (record->kept != NULL)
        return attribute_list_decode(record->kept, (size_t)(attribute - record->attributes), &attribute->message,
                                     error);
    attribute->message = onnx__attribute_proto__unpack(arena_allocator(arena), (size_t)range_size(attribute->range),
                                                       record->bytes.window + range_offset(attribute->range));
    return attribute->message == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}
