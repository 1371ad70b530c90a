/* Decodes attributes and other messages on demand, by their ranges in the index. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/fields.h"
#include "model/model.h"
#include "wire/wire.h"

#define DECODE_COST_MAX (UINT64_C(512) << 20)
#define SMALL_SIZE      (1u << 20) /* smaller messages are decoded without an estimate */
#define FIELD_COST      96u        /* memory of protobuf-c for each field, and for an unknown one */
#define NAME_SIZE_MAX   65536u
#define WINDOW_SIZE     4096u /* decoded in the source's window; larger messages are copied */
#define PLAIN_HEAD      (1u << ATTRIBUTE_FIELD_NAME | 1u << ATTRIBUTE_FIELD_TYPE)

/* ---- decoding ------------------------------------------------------------------------------------------------- */

/* protobuf-c takes a hundred times the size of tiny records, so the cost is estimated first. Depth was checked at
 * open. */
static enum opshift_status decode_cost(struct source *source, struct range range,
                                       const ProtobufCMessageDescriptor *descriptor, uint64_t *cost,
                                       struct opshift_error *error)
{
    struct wire_cursor cursor = {source, range_offset(range), range_end(range)};
    *cost += descriptor->sizeof_message;
    for (;;) {
        struct wire_field field;
        bool found;
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status || !found)
            return status;
        *cost += FIELD_COST;
        if (*cost > DECODE_COST_MAX)
            return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                                "byte %" PRIu64 ": a message of too many parts; it would take more than %u MiB",
                                range_record(range), (unsigned)(DECODE_COST_MAX >> 20));
        const ProtobufCFieldDescriptor *known = protobuf_c_message_descriptor_get_field(descriptor, field.number);
        struct range inner = range_make(field.record, field.offset, field.size);
        if (known != NULL && known->type == PROTOBUF_C_TYPE_MESSAGE && field.type == WIRE_BYTES)
            status = decode_cost(source, inner, known->descriptor, cost, error);
        if (status)
            return status;
    }
}

static enum opshift_status decode_check(struct opshift_model *model, struct range range,
                                        const ProtobufCMessageDescriptor *descriptor, struct opshift_error *error)
{
    uint64_t cost = 0;
    if (range_size(range) > model->limits.decode)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "byte %" PRIu64 ": %s of %" PRIu64 " bytes; at most %" PRIu64
                            " are decoded; if the file is to be trusted, raise the limit 'decode'",
                            range_record(range), descriptor->short_name, range_size(range), model->limits.decode);
    return range_size(range) > SMALL_SIZE ? decode_cost(model->source, range, descriptor, &cost, error) : OPSHIFT_OK;
}

enum opshift_status range_decode(struct opshift_model *model, struct range range,
                                 const ProtobufCMessageDescriptor *descriptor, struct arena *arena, void *message,
                                 struct opshift_error *error)
{
    enum opshift_status status = decode_check(model, range, descriptor, error);
    if (status)
        return status;
    size_t size = (size_t)range_size(range);
    uint8_t *copy = NULL;
    const uint8_t *data = NULL;
    if (size <= WINDOW_SIZE) {
        status = source_view(model->source, range_offset(range), size, &data, error);
        if (status)
            return status;
    } else {
        data = copy = malloc(size);
        if (copy == NULL)
            return opshift_no_memory(error);
        status = source_read(model->source, range_offset(range), copy, size, error);
    }
    ProtobufCMessage *decoded = NULL;
    if (status == OPSHIFT_OK) {
        decoded = protobuf_c_message_unpack(descriptor, arena_allocator(arena), size, data);
        if (decoded == NULL && (arena_was_out(arena) || arena_was_full(arena)))
            status = opshift_no_memory(error);
        else if (decoded == NULL)
            status = opshift_fail(error, OPSHIFT_MALFORMED,
                                  "byte %" PRIu64 ": does not read as %s; the file is damaged, fetch it again",
                                  range_record(range), descriptor->short_name);
    }
    free(copy);
    memcpy(message, &decoded, sizeof decoded);
    return status;
}

enum opshift_status range_try_decode(struct opshift_model *model, struct range range,
                                     const ProtobufCMessageDescriptor *descriptor, struct arena *arena, void *message,
                                     struct opshift_error *error)
{
    enum opshift_status status = range_decode(model, range, descriptor, arena, message, error);
    if (status)
        memset(message, 0, sizeof(void *));
    return status == OPSHIFT_MALFORMED || status == OPSHIFT_UNSUPPORTED ? error_forget(error) : status;
}

/* ---- attributes ----------------------------------------------------------------------------------------------- */

Onnx__AttributeProto__AttributeType attribute_field_type(uint32_t number)
{
    static const Onnx__AttributeProto__AttributeType by_field[] = {
        [2] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT,
        [3] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT,
        [4] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING,
        [5] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR,
        [6] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH,
        [7] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS,
        [8] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS,
        [9] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRINGS,
        [10] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSORS,
        [11] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPHS,
        [14] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TYPE_PROTO,
        [15] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TYPE_PROTOS,
        [22] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__SPARSE_TENSOR,
        [23] = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__SPARSE_TENSORS,
    };
    return number < COUNT(by_field) ? by_field[number] : ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED;
}

const char *attribute_type_name(Onnx__AttributeProto__AttributeType type, const char *otherwise)
{
    const ProtobufCEnumValue *value =
        protobuf_c_enum_descriptor_get_value(&onnx__attribute_proto__attribute_type__descriptor, (int)type);
    return value ? value->name : otherwise;
}

Onnx__AttributeProto *attribute_new(struct arena *arena, const char *name, Onnx__AttributeProto__AttributeType type)
{
    Onnx__AttributeProto *attribute = arena_alloc(arena, 1, sizeof(*attribute));
    if (attribute == NULL)
        return NULL;
    onnx__attribute_proto__init(attribute);
    attribute->has_name = attribute->has_type = 1;
    attribute->name = binary_of(name);
    attribute->type = type;
    return attribute;
}

static enum opshift_status read_name(struct opshift_model *model, const struct wire_field *field, name_id *name,
                                     struct opshift_error *error)
{
    if (field->size > NAME_SIZE_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "byte %" PRIu64 ": an attribute's name has %" PRIu64 " bytes; the most is %u",
                            field->record, field->size, NAME_SIZE_MAX);
    const uint8_t *data;
    enum opshift_status status = source_view(model->source, field->offset, (size_t)field->size, &data, error);
    if (status)
        return status;
    *name = names_add(model->names, data, (size_t)field->size);
    return *name == NAME_NO_MEMORY ? opshift_no_memory(error) : OPSHIFT_OK;
}

enum opshift_status attribute_look(struct opshift_model *model, struct attribute_range *attribute,
                                   struct opshift_error *error)
{
    struct range range = attribute->range;
    struct wire_cursor cursor = {model->source, range_offset(range), range_end(range)};
    uint32_t seen = 0; /* a bit for each field that is handled below; bit 0: any other field */
    for (;;) {
        struct wire_field field;
        bool found, known = true;
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status)
            return status;
        if (!found)
            break;
        if (field.number == ATTRIBUTE_FIELD_NAME && field.type == WIRE_BYTES)
            status = read_name(model, &field, &attribute->name, error);
        else if (field.number == ATTRIBUTE_FIELD_REFERENCE && field.type == WIRE_BYTES)
            status = read_name(model, &field, &attribute->reference, error);
        else if (field.number == ATTRIBUTE_FIELD_TYPE && field.type == WIRE_VARINT)
            attribute->type = (Onnx__AttributeProto__AttributeType)(int32_t)field.value;
        else if (field.number == ATTRIBUTE_FIELD_I && field.type == WIRE_VARINT)
            attribute->i = (int64_t)field.value;
        else if (field.number == ATTRIBUTE_FIELD_INTS && field.type == WIRE_VARINT)
            attribute->int_count++;
        else
            known = false;
        seen |= known ? 1u << field.number : 1;
        if (attribute_field_type(field.number) != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED)
            attribute->held = attribute_field_type(field.number);
        if (status)
            return status;
    }
    attribute->typed = attribute->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED;
    if (!attribute->typed)
        attribute->type = attribute->held;
    attribute->plain =
        attribute->name != NAME_NONE && attribute->type == attribute->held &&
        (seen == (PLAIN_HEAD | 1u << ATTRIBUTE_FIELD_I) || seen == (PLAIN_HEAD | 1u << ATTRIBUTE_FIELD_INTS));
    return OPSHIFT_OK;
}

/* Doubles the room. */
static bool attributes_grow(struct arena *arena, struct attribute_range **attributes, size_t *room)
{
    struct attribute_range *grown = arena_alloc(arena, *room ? 2 * *room : 4, sizeof *grown);
    if (grown == NULL)
        return false;
    if (*room > 0)
        memcpy(grown, *attributes, *room * sizeof *grown);
    *attributes = grown;
    *room = *room ? 2 * *room : 4;
    return true;
}

enum opshift_status node_attributes(struct opshift_model *model, const struct node *node, struct arena *arena,
                                    struct attribute_range **attributes, size_t *count, struct opshift_error *error)
{
    struct wire_cursor cursor = {model->source, range_offset(node->range) + node->attributes_from - 1,
                                 range_end(node->range)};
    size_t room = 0;
    *attributes = NULL;
    *count = 0;
    if (node->attributes_from == 0)
        return OPSHIFT_OK;
    for (bool found;;) {
        struct wire_field field;
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status || !found)
            return status;
        if (field.number != 5 || field.type != WIRE_BYTES)
            continue;
        if (*count == room && !attributes_grow(arena, attributes, &room))
            return opshift_no_memory(error);
        struct attribute_range *attribute = &(*attributes)[(*count)++];
        attribute->range = range_make(field.record, field.offset, field.size);
        status = attribute_look(model, attribute, error);
        if (status)
            return status;
    }
}

/* The elements of a plain list; no more than were counted, even if the file has changed since. */
static enum opshift_status plain_ints(struct opshift_model *model, struct range range, int64_t *ints, uint32_t count,
                                      struct opshift_error *error)
{
    struct wire_cursor cursor = {model->source, range_offset(range), range_end(range)};
    for (uint32_t at = 0; at < count;) {
        bool found;
        struct wire_field field;
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status || !found)
            return status;
        if (field.number == ATTRIBUTE_FIELD_INTS)
            ints[at++] = (int64_t)field.value;
    }
    return OPSHIFT_OK;
}

static enum opshift_status plain_message(struct opshift_model *model, const struct attribute_range *attribute,
                                         struct arena *arena, Onnx__AttributeProto **message,
                                         struct opshift_error *error)
{
    static const Onnx__AttributeProto empty = ONNX__ATTRIBUTE_PROTO__INIT;
    struct bytes name = names_bytes(model->names, attribute->name);
    Onnx__AttributeProto *made = arena_copy(arena, &empty, sizeof(empty));
    int64_t *ints = attribute->int_count ? arena_alloc(arena, attribute->int_count, sizeof(*ints)) : NULL;
    if (made == NULL || (ints == NULL && attribute->int_count > 0))
        return opshift_no_memory(error);
    made->name = (ProtobufCBinaryData){name.size, (uint8_t *)name.data};
    made->type = attribute->type;
    made->i = attribute->i;
    made->ints = ints;
    made->n_ints = attribute->int_count;
    made->has_name = made->has_type = true;
    made->has_i = attribute->int_count == 0;
    *message = made;
    return plain_ints(model, attribute->range, ints, attribute->int_count, error);
}

enum opshift_status attribute_decode(struct opshift_model *model, const struct attribute_range *attribute,
                                     struct arena *arena, Onnx__AttributeProto **message, struct opshift_error *error)
{
    if (attribute->plain && range_size(attribute->range) <= SMALL_SIZE &&
        range_size(attribute->range) <= model->limits.decode)
        return plain_message(model, attribute, arena, message, error);
    enum opshift_status status =
        range_decode(model, attribute->range, &onnx__attribute_proto__descriptor, arena, message, error);
    if (status == OPSHIFT_OK)
        (*message)->type = attribute->type; /* old models do not have the field */
    return status;
}

enum opshift_status attribute_list_read(struct attribute_list *list, struct opshift_error *error)
{
    if (list->read)
        return OPSHIFT_OK;
    enum opshift_status status =
        node_attributes(list->model, list->node, list->arena, &list->ranges, &list->count, error);
    if (status)
        return status;
    list->messages = arena_alloc(list->arena, list->count, sizeof(*list->messages));
    list->read = list->messages != NULL;
    return list->read ? OPSHIFT_OK : opshift_no_memory(error);
}

enum opshift_status attribute_list_decode(const struct attribute_list *list, size_t index,
                                          Onnx__AttributeProto **message, struct opshift_error *error)
{
    Onnx__AttributeProto *decoded = list->messages[index];
    enum opshift_status status = OPSHIFT_OK;
    if (decoded == NULL)
        status = attribute_decode(list->model, &list->ranges[index], list->arena, &decoded, error);
    *message = list->messages[index] = status ? NULL : decoded;
    return status;
}
