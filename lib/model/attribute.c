/* What the index only points at, decoded when someone asks: attributes, and any message. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/external.h"
#include "model/model.h"
#include "model/seen.h"
#include "wire/wire.h"

#define DECODE_COST_MAX (UINT64_C(512) << 20)
#define SMALL_SIZE      (1u << 20) /* cannot cost much: not looked at before it is decoded */
#define FIELD_COST      96u        /* what protobuf-c keeps for each field, and for an unknown one */
#define NAME_SIZE_MAX   65536u

/* ---- decoding ------------------------------------------------------------------------------------------------- */

/* Many tiny records cost protobuf-c a hundred times their size: counted before it gets them. Depth was checked at
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
    uint8_t *data = malloc((size_t)range_size(range) + 1);
    if (data == NULL)
        return opshift_no_memory(error);
    status = source_read(model->source, range_offset(range), data, (size_t)range_size(range), error);
    ProtobufCMessage *decoded = NULL;
    if (status == OPSHIFT_OK) {
        decoded = protobuf_c_message_unpack(descriptor, arena_allocator(arena), (size_t)range_size(range), data);
        if (decoded == NULL && arena_was_out(arena))
            status = opshift_no_memory(error);
        else if (decoded == NULL)
            status = opshift_fail(error, OPSHIFT_MALFORMED,
                                  "byte %" PRIu64 ": does not read as %s; the file is damaged, fetch it again",
                                  range_record(range), descriptor->short_name);
    }
    free(data);
    memcpy(message, &decoded, sizeof decoded);
    return status;
}

/* ---- attributes ----------------------------------------------------------------------------------------------- */

/* Which type an attribute has that does not say it: that of the field that is set. */
static Onnx__AttributeProto__AttributeType type_of_field(uint32_t number)
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

static enum opshift_status read_name(struct opshift_model *model, const struct wire_field *field, name_id *name,
                                     struct opshift_error *error)
{
    if (field->size > NAME_SIZE_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "byte %" PRIu64 ": an attribute's name of %" PRIu64 " bytes",
                            field->record, field->size);
    struct opshift_error seen;
    error_clear(&seen);
    const uint8_t *data = source_window(model->source, field->offset, (size_t)field->size, &seen);
    if (data == NULL) {
        if (error != NULL)
            *error = seen;
        return seen.status;
    }
    *name = names_add(model->names, data, (size_t)field->size);
    return *name == NAME_NO_MEMORY ? opshift_no_memory(error) : OPSHIFT_OK;
}

#define SEEN_INTS 8u

/* What is kept of an attribute; of its value only numbers, and not too many. */
struct seen_attribute {
    struct attribute_range read;
    bool has_number; /* the message says it, without its name and list */
    Onnx__AttributeProto message;
    int64_t ints[SEEN_INTS];
};

/* NULL: it is not kept. */
static struct seen_attribute *seen_find(struct opshift_model *model, struct range range, bool *known)
{
    *known = false;
    if (range_size(range) > SEEN_SIZE)
        return NULL;
    const uint8_t *bytes = source_window(model->source, range_offset(range), (size_t)range_size(range), NULL);
    return bytes ? seen_lately(&model->seen_attributes, model->arena, sizeof(struct seen_attribute), bytes,
                               range_size(range), known)
                 : NULL;
}

/* Name and type of one attribute. */
static enum opshift_status attribute_look(struct opshift_model *model, struct attribute_range *attribute,
                                          struct opshift_error *error)
{
    struct range range = attribute->range;
    struct wire_cursor cursor = {model->source, range_offset(range), range_end(range)};
    for (;;) {
        struct wire_field field;
        bool found;
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status)
            return status;
        if (!found)
            break;
        if (field.number == 1 && field.type == WIRE_BYTES)
            status = read_name(model, &field, &attribute->name, error);
        else if (field.number == 21 && field.type == WIRE_BYTES)
            status = read_name(model, &field, &attribute->reference, error);
        else if (field.number == 20 && field.type == WIRE_VARINT)
            attribute->type = (Onnx__AttributeProto__AttributeType)(int32_t)field.value;
        else if (type_of_field(field.number) != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED)
            attribute->held = type_of_field(field.number);
        if (status)
            return status;
    }
    attribute->typed = attribute->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED;
    if (!attribute->typed)
        attribute->type = attribute->held;
    return OPSHIFT_OK;
}

static enum opshift_status attribute_read(struct opshift_model *model, struct attribute_range *attribute,
                                          struct opshift_error *error)
{
    bool known;
    struct range range = attribute->range;
    struct seen_attribute *seen = seen_find(model, range, &known);
    if (known) {
        *attribute = seen->read;
        attribute->range = range;
        return OPSHIFT_OK;
    }
    enum opshift_status status = attribute_look(model, attribute, error);
    if (seen != NULL && status)
        seen_forget(seen);
    else if (seen != NULL)
        seen->read = *attribute;
    return status;
}

/* Twice the room. */
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
    struct wire_cursor cursor = {model->source, range_offset(node->range), range_end(node->range)};
    size_t room = 0;
    *attributes = NULL;
    *count = 0;
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
        status = attribute_read(model, attribute, error);
        if (status)
            return status;
    }
}

/* Field numbers of an attribute that is a number or a list of whole numbers. */
enum { ATTRIBUTE_NAME = 1, ATTRIBUTE_INT = 3, ATTRIBUTE_INTS = 8, ATTRIBUTE_TYPE = 20 };

/* Its name and number, and how many ints there are. *plain false: it says something else too. */
static enum opshift_status numbers_look(struct wire_cursor cursor, Onnx__AttributeProto *message, bool *plain,
                                        struct opshift_error *error)
{
    struct wire_field field;
    for (bool found;;) {
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status || !found)
            return status;
        enum wire_type wanted = field.number == ATTRIBUTE_NAME ? WIRE_BYTES : WIRE_VARINT;
        *plain = field.type == wanted;
        if (field.number == ATTRIBUTE_INT) {
            message->has_i = 1;
            message->i = (int64_t)field.value;
        } else if (field.number == ATTRIBUTE_INTS) {
            message->n_ints++;
        } else if (field.number == ATTRIBUTE_NAME) {
            message->has_name = 1;
        } else if (field.number == ATTRIBUTE_TYPE) {
            message->has_type = 1;
        } else {
            *plain = false;
        }
        if (!*plain)
            return OPSHIFT_OK;
    }
}

static enum opshift_status ints_read(struct wire_cursor cursor, Onnx__AttributeProto *message,
                                     struct opshift_error *error)
{
    struct wire_field field;
    size_t count = 0;
    for (bool found = true; found && count < message->n_ints;) {
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status)
            return status;
        if (field.number == ATTRIBUTE_INTS)
            message->ints[count++] = (int64_t)field.value;
    }
    return OPSHIFT_OK;
}

/* What most attributes are, read without protobuf-c. *plain false: this is none of them. */
static enum opshift_status numbers_read(struct opshift_model *model, const struct attribute_range *attribute,
                                        struct arena *arena, Onnx__AttributeProto *message, bool *plain,
                                        struct opshift_error *error)
{
    struct range range = attribute->range;
    struct wire_cursor cursor = {model->source, range_offset(range), range_end(range)};
    struct bytes name = names_bytes(model->names, attribute->name);
    onnx__attribute_proto__init(message);
    enum opshift_status status = numbers_look(cursor, message, plain, error);
    if (status || !*plain)
        return status;
    message->name = (ProtobufCBinaryData){name.size, (uint8_t *)(uintptr_t)name.data};
    if (message->n_ints == 0)
        return OPSHIFT_OK;
    message->ints = arena_alloc(arena, message->n_ints, sizeof *message->ints);
    return message->ints ? ints_read(cursor, message, error) : opshift_no_memory(error);
}

/* An attribute that was decoded before. NULL: no memory. */
static Onnx__AttributeProto *seen_give(const struct seen_attribute *seen, struct bytes name, struct arena *arena)
{
    Onnx__AttributeProto *made = arena_copy(arena, &seen->message, sizeof *made);
    if (made == NULL)
        return NULL;
    made->name = (ProtobufCBinaryData){name.size, (uint8_t *)(uintptr_t)name.data};
    made->ints = made->n_ints ? arena_copy(arena, seen->ints, made->n_ints * sizeof *made->ints) : NULL;
    return made->n_ints && made->ints == NULL ? NULL : made;
}

static void seen_keep(struct seen_attribute *seen, const Onnx__AttributeProto *message)
{
    if (message->n_ints > SEEN_INTS)
        return;
    seen->has_number = true;
    seen->message = *message;
    if (message->n_ints)
        memcpy(seen->ints, message->ints, message->n_ints * sizeof *seen->ints);
}

enum opshift_status attribute_decode(struct opshift_model *model, const struct attribute_range *attribute,
                                     struct arena *arena, Onnx__AttributeProto **message, struct opshift_error *error)
{
    bool known, plain = true;
    struct seen_attribute *seen = seen_find(model, attribute->range, &known);
    if (known && seen->has_number) {
        *message = seen_give(seen, names_bytes(model->names, attribute->name), arena);
        return *message ? OPSHIFT_OK : opshift_no_memory(error);
    }
    if (seen != NULL && !known) /* the caller has read it, and it does not have to be kept */
        seen_forget(seen);
    Onnx__AttributeProto *made = arena_alloc(arena, 1, sizeof *made);
    if (made == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = decode_check(model, attribute->range, &onnx__attribute_proto__descriptor, error);
    if (status == OPSHIFT_OK)
        status = numbers_read(model, attribute, arena, made, &plain, error);
    if (status == OPSHIFT_OK && !plain)
        status = range_decode(model, attribute->range, &onnx__attribute_proto__descriptor, arena, &made, error);
    if (status)
        return status;
    made->type = attribute->type; /* old models do not say it */
    if (known && plain)
        seen_keep(seen, made);
    *message = made;
    return OPSHIFT_OK;
}

/* ---- values that many Constants hold ---------------------------------------------------------------------------- */

/* Numbers as they stand in the attribute. */
static const struct tensor *numbers_tensor(struct arena *arena, uint32_t rank, const int64_t *numbers, size_t count)
{
    struct tensor *tensor;
    if (tensor_new(arena, OPSHIFT_TYPE_INT64, rank, &(int64_t){(int64_t)count}, &tensor, NULL))
        return NULL;
    if (count > 0)
        memcpy(tensor->data, numbers, count * sizeof *numbers);
    return tensor;
}

/* One that is a text or lies in another file is not kept. */
static const struct tensor *message_tensor(struct opshift_model *model, const Onnx__TensorProto *message)
{
    struct tensor *tensor;
    if (message == NULL || message->data_type == OPSHIFT_TYPE_STRING ||
        message->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)
        return NULL;
    return model_tensor(model, message, model->arena, &tensor, NULL) ? NULL : tensor;
}

static void listed_read(struct opshift_model *model, const struct node *node, struct arena *arena,
                        struct listed_value *value)
{
    struct attribute_range *attribute;
    Onnx__AttributeProto *message;
    size_t count;
    if (node_attributes(model, node, arena, &attribute, &count, NULL) || count != 1 ||
        attribute->reference != NAME_NONE || attribute->type != attribute->held ||
        attribute_decode(model, attribute, arena, &message, NULL))
        return;
    const char *name = names_whole(model->names, attribute->name);
    value->since = 12;
    if (name == NULL)
        return;
    if (strcmp(name, "value") == 0 && attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR) {
        value->since = 1;
        value->tensor = message_tensor(model, message->t);
    } else if (strcmp(name, "value_int") == 0 && attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT) {
        value->tensor = numbers_tensor(model->arena, 0, &message->i, 1);
    } else if (strcmp(name, "value_ints") == 0 && attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS) {
        value->tensor = numbers_tensor(model->arena, 1, message->ints, message->n_ints);
    }
}

const struct tensor *constant_shared(struct opshift_model *model, const struct node *node, int64_t *since)
{
    unsigned number = range_type(node->range);
    if (number == 0 || number == ATTRIBUTES_NONE)
        return NULL;
    struct listed_value *value = seen_numbered(model->seen_lists, number);
    struct arena *arena = value->asked ? NULL : arena_new(0);
    if (arena) {
        value->asked = true;
        listed_read(model, node, arena, value);
        arena_free(arena);
    }
    *since = value->since;
    return value->tensor;
}
