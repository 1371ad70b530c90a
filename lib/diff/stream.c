/* Reads a tensor's elements piecewise, in the format of raw_data: from raw_data, typed fields or an external file. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "diff/diff.h"
#include "model/external.h"

#define FLOAT_DATA    4u
#define INT32_DATA    5u
#define INT64_DATA    7u
#define RAW_DATA      9u
#define DOUBLE_DATA   10u
#define UINT64_DATA   11u
#define DATA_LOCATION 14u

/* The typed field that stores elements of a type. */
static uint32_t field_of(enum opshift_type type)
{
    switch (type) {
    case OPSHIFT_TYPE_FLOAT:
    case OPSHIFT_TYPE_COMPLEX64:
        return FLOAT_DATA;
    case OPSHIFT_TYPE_DOUBLE:
    case OPSHIFT_TYPE_COMPLEX128:
        return DOUBLE_DATA;
    case OPSHIFT_TYPE_INT64:
        return INT64_DATA;
    case OPSHIFT_TYPE_UINT32:
    case OPSHIFT_TYPE_UINT64:
        return UINT64_DATA;
    default:
        return INT32_DATA;
    }
}

const char *stream_word(const struct stream *stream)
{
    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field(&onnx__tensor_proto__descriptor, stream->number);
    return field == NULL ? "another file" : field->name;
}

static enum opshift_status open_outside(struct diff *diff, int side, const struct record *tensor, struct stream *stream,
                                        struct opshift_error *error)
{
    struct opshift_model *model = diff->models[side];
    struct arena *arena = arena_new(0);
    Onnx__TensorProto *message = NULL;
    struct range range = range_make(tensor->offset, tensor->offset, tensor->size);
    if (arena == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = range_decode(model, range, &onnx__tensor_proto__descriptor, arena, &message, error);
    if (status == OPSHIFT_OK)
        status = external_open(model->directory, model->external, message, &stream->descriptor, &stream->outside,
                               &stream->left, error);
    arena_free(arena);
    return status == OPSHIFT_OK ? status : opshift_within(error, status, "%s", model->name);
}

enum opshift_status stream_open(struct diff *diff, int side, const struct record *tensor, enum opshift_type type,
                                struct stream *stream, struct opshift_error *error)
{
    struct source *source = diff->models[side]->source;
    struct wire_cursor cursor = {source, tensor->offset, tensor->offset + tensor->size};
    bool raw = false, outside = false;
    *stream = (struct stream){.source = source, .cursor = cursor, .descriptor = -1};
    for (bool found = true; found;) {
        struct wire_field field;
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status)
            return opshift_within(error, status, "%s", diff->models[side]->name);
        if (found && field.number == RAW_DATA && field.type == WIRE_BYTES) {
            raw = true;
            stream->raw = (struct record){.type = WIRE_BYTES, .offset = field.offset, .size = field.size};
        }
        if (found && field.number == DATA_LOCATION)
            outside = field.value == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
    }
    if (outside)
        return open_outside(diff, side, tensor, stream, error);
    stream->number = raw ? RAW_DATA : field_of(type);
    stream->width = type_bits(type) < 8 ? 1 : type_bits(type) / 8;
    stream->at = stream->raw.offset;
    stream->end = stream->raw.offset + stream->raw.size;
    return OPSHIFT_OK;
}

void stream_close(struct stream *stream)
{
    descriptor_close(stream->descriptor);
    stream->descriptor = -1;
}

static enum opshift_status read_outside(struct stream *stream, uint8_t *into, size_t *size, struct opshift_error *error)
{
    size_t part = stream->left < STREAM_PIECE ? (size_t)stream->left : STREAM_PIECE;
    ssize_t got = descriptor_read(stream->descriptor, into, part, (off_t)stream->outside);
    if (got < 0)
        return opshift_fail(error, OPSHIFT_IO, "external data cannot be read: %s", strerror(errno));
    if ((size_t)got < part)
        return opshift_fail(error, OPSHIFT_IO, "external data: the file became shorter while it was read");
    *size = part;
    stream->outside += part;
    stream->left -= part;
    return OPSHIFT_OK;
}

static enum opshift_status read_raw(struct stream *stream, uint8_t *into, size_t *size, struct opshift_error *error)
{
    uint64_t left = stream->end - stream->at;
    *size = left < STREAM_PIECE ? (size_t)left : STREAM_PIECE;
    uint64_t from = stream->at;
    stream->at += *size;
    return *size == 0 ? OPSHIFT_OK : source_read(stream->source, from, into, *size, error);
}

/* The next record of the field; *value: its value if it is not packed. */
static enum opshift_status next_record(struct stream *stream, bool *packed, uint64_t *value, bool *found,
                                       struct opshift_error *error)
{
    struct wire_field field;
    enum opshift_status status;
    do
        status = wire_next(&stream->cursor, &field, found, error);
    while (status == OPSHIFT_OK && *found && field.number != stream->number);
    if (status || !*found)
        return status;
    *packed = field.type == WIRE_BYTES;
    *value = field.value;
    stream->at = *packed ? field.offset : 0;
    stream->end = *packed ? field.offset + field.size : 0;
    return OPSHIFT_OK;
}

/* The next element of a packed record. */
static enum opshift_status next_packed(struct stream *stream, uint64_t *value, struct opshift_error *error)
{
    bool fixed = stream->number == FLOAT_DATA || stream->number == DOUBLE_DATA;
    size_t most = stream->number == FLOAT_DATA ? 4 : stream->number == DOUBLE_DATA ? 8 : 10, used = 0;
    if (most > stream->end - stream->at)
        most = (size_t)(stream->end - stream->at);
    const uint8_t *data;
    enum opshift_status status = source_view(stream->source, stream->at, most, &data, error);
    if (status)
        return status;
    *value = 0;
    if (fixed)
        for (; used < most; used++)
            *value |= (uint64_t)data[used] << (8 * used);
    else
        do
            *value |= (uint64_t)(data[used] & 0x7f) << (7 * used);
        while (data[used++] >= 0x80 && used < most);
    stream->at += used;
    return OPSHIFT_OK;
}

static enum opshift_status read_typed(struct stream *stream, uint8_t *into, size_t *size, struct opshift_error *error)
{
    size_t width = stream->number == FLOAT_DATA ? 4 : stream->number == DOUBLE_DATA ? 8 : stream->width;
    *size = 0;
    while (*size + width <= STREAM_PIECE) {
        uint64_t value = 0;
        enum opshift_status status = OPSHIFT_OK;
        if (stream->at < stream->end) {
            status = next_packed(stream, &value, error);
        } else {
            bool packed = false, found = false;
            status = next_record(stream, &packed, &value, &found, error);
            if (status == OPSHIFT_OK && !found)
                return OPSHIFT_OK;
            if (status == OPSHIFT_OK && packed)
                continue;
        }
        if (status)
            return status;
        for (size_t i = 0; i < width; i++)
            into[(*size)++] = (uint8_t)(value >> (8 * i));
    }
    return OPSHIFT_OK;
}

enum opshift_status stream_read(struct stream *stream, uint8_t *into, size_t *size, struct opshift_error *error)
{
    *size = 0;
    if (stream->number == 0)
        return read_outside(stream, into, size, error);
    return stream->number == RAW_DATA ? read_raw(stream, into, size, error) : read_typed(stream, into, size, error);
}
