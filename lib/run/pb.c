/* Values as protobuf messages: TensorProto, SequenceProto, OptionalProto. */
#include <string.h>

#include "base/buffer.h"
#include "run/values.h"
#include "wire/wire.h"

/* protobuf-c uses about a hundred times the size of a message with many tiny fields; large messages have one large
 * field. */
#define UNPACK_GAIN 4u
#define UNPACK_BASE (UINT64_C(64) << 20)

static enum opshift_status unpack(const ProtobufCMessageDescriptor *descriptor, const uint8_t *data, size_t size,
                                  struct arena **arena, void *message, struct opshift_error *error)
{
    *arena = arena_new(UNPACK_BASE + UNPACK_GAIN * (uint64_t)size);
    if (*arena == NULL)
        return opshift_no_memory(error);
    ProtobufCMessage *read = protobuf_c_message_unpack(descriptor, arena_allocator(*arena), size, data);
    memcpy(message, &read, sizeof(read));
    if (read == NULL && (arena_was_out(*arena) || arena_was_full(*arena)))
        return opshift_no_memory(error);
    if (read == NULL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "does not read as a %s", descriptor->short_name);
    return OPSHIFT_OK;
}

/* Decoded strings point into the message, so they are copied. */
static enum opshift_status take_tensor(struct arena *arena, const Onnx__TensorProto *message, struct arena *scratch,
                                       struct tensor **tensor, struct opshift_error *error)
{
    struct tensor *read = NULL;
    if (message->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "its data lies in another file, which is not read from here");
    enum opshift_status status = tensor_decode(message->n_string_data > 0 ? scratch : arena, message, &read, error);
    if (status || message->n_string_data == 0) {
        *tensor = read;
        return status;
    }
    return tensor_copy(arena, read, tensor, error);
}

static enum opshift_status take_sequence(struct opshift_value *value, const Onnx__SequenceProto *message,
                                         struct arena *scratch, struct opshift_error *error)
{
    struct tensor **tensors = arena_alloc(value->arena, message->n_tensor_values + 1, sizeof(struct tensor *));
    if (tensors == NULL)
        return opshift_no_memory(error);
    if (message->elem_type > ONNX__SEQUENCE_PROTO__DATA_TYPE__TENSOR)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "holds a sequence of something else than tensors");
    for (size_t i = 0; i < message->n_tensor_values; i++) {
        enum opshift_status status = take_tensor(value->arena, message->tensor_values[i], scratch, &tensors[i], error);
        if (status)
            return opshift_within(error, status, "tensor %zu", i);
    }
    return value_set_sequence(value, OPSHIFT_TYPE_UNDEFINED, tensors, message->n_tensor_values, error);
}

static enum opshift_status take_one(struct opshift_value *value, const Onnx__TensorProto *message,
                                    struct arena *scratch, struct opshift_error *error)
{
    struct tensor *tensor = NULL;
    enum opshift_status status = take_tensor(value->arena, message, scratch, &tensor, error);
    if (status == OPSHIFT_OK)
        value_set_tensor(value, tensor);
    return status;
}

static enum opshift_status take_optional(struct opshift_value *value, const Onnx__OptionalProto *message,
                                         struct arena *scratch, struct opshift_error *error)
{
    if (message->tensor_value != NULL)
        return take_one(value, message->tensor_value, scratch, error);
    if (message->sequence_value != NULL)
        return take_sequence(value, message->sequence_value, scratch, error);
    if (message->elem_type != 0)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "holds an optional of something else than tensors or sequences");
    value_set_nothing(value);
    return OPSHIFT_OK;
}

enum opshift_status pb_read(const uint8_t *data, size_t size, enum pb_kind kind, struct opshift_value *value,
                            struct opshift_error *error)
{
    struct arena *scratch = NULL;
    Onnx__TensorProto *tensor = NULL;
    Onnx__SequenceProto *sequence = NULL;
    Onnx__OptionalProto *optional = NULL;
    enum opshift_status status;
    if (kind == PB_SEQUENCE)
        status = unpack(&onnx__sequence_proto__descriptor, data, size, &scratch, &sequence, error);
    else if (kind == PB_OPTIONAL)
        status = unpack(&onnx__optional_proto__descriptor, data, size, &scratch, &optional, error);
    else
        status = unpack(&onnx__tensor_proto__descriptor, data, size, &scratch, &tensor, error);
    if (status == OPSHIFT_OK)
        status = kind == PB_SEQUENCE   ? take_sequence(value, sequence, scratch, error)
                 : kind == PB_OPTIONAL ? take_optional(value, optional, scratch, error)
                                       : take_one(value, tensor, scratch, error);
    if (status == OPSHIFT_MEMORY && scratch != NULL && arena_was_full(scratch))
        status = opshift_fail(error, OPSHIFT_UNSUPPORTED, "takes more than %u times its size to decode", UNPACK_GAIN);
    arena_free(scratch);
    return status;
}

/* ---- writing ---- */

static enum opshift_status pack(const ProtobufCMessage *message, struct buffer *out, struct opshift_error *error)
{
    wire_add_packed(out, message);
    return out->failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

enum opshift_status pb_write(const struct value *value, const char *name, struct buffer *out,
                             struct opshift_error *error)
{
    struct bytes text = {(const uint8_t *)name, strlen(name)};
    struct arena *arena = arena_new(0);
    enum opshift_status status = OPSHIFT_OK;
    Onnx__OptionalProto nothing = ONNX__OPTIONAL_PROTO__INIT;
    Onnx__SequenceProto sequence = ONNX__SEQUENCE_PROTO__INIT;
    if (arena == NULL)
        return opshift_no_memory(error);
    if (value->kind == VALUE_TENSOR) {
        const Onnx__TensorProto *message = tensor_encode(arena, value->tensor, text);
        status = message == NULL ? opshift_no_memory(error) : pack(&message->base, out, error);
    } else if (value->kind == VALUE_SEQUENCE) {
        size_t count = value->sequence->count;
        sequence.has_name = sequence.has_elem_type = true;
        sequence.name = (ProtobufCBinaryData){text.size, (uint8_t *)name};
        sequence.elem_type = ONNX__SEQUENCE_PROTO__DATA_TYPE__TENSOR;
        sequence.tensor_values = arena_alloc(arena, count + 1, sizeof(Onnx__TensorProto *));
        sequence.n_tensor_values = count;
        for (size_t i = 0; sequence.tensor_values != NULL && i < count && status == OPSHIFT_OK; i++) {
            sequence.tensor_values[i] = tensor_encode(arena, value->sequence->items[i].tensor, (struct bytes){0});
            if (sequence.tensor_values[i] == NULL)
                status = opshift_no_memory(error);
        }
        if (sequence.tensor_values == NULL)
            status = opshift_no_memory(error);
        if (status == OPSHIFT_OK)
            status = pack(&sequence.base, out, error);
    } else {
        nothing.has_name = nothing.has_elem_type = true;
        nothing.name = (ProtobufCBinaryData){text.size, (uint8_t *)name};
        status = pack(&nothing.base, out, error);
    }
    arena_free(arena);
    return status;
}
