/* The one pass over a file that builds a model's index. */
#ifndef MODEL_SCAN_H
#define MODEL_SCAN_H

#include "model/model.h"
#include "wire/wire.h"

/* Fills the model's index from its source; name, limits, arena and names are set. */
enum opshift_status model_scan(struct opshift_model *model, struct opshift_error *error);

/* How a field of this type is written, one by one. */
static inline enum wire_type field_wire_type(const ProtobufCFieldDescriptor *known)
{
    switch (known->type) {
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_SFIXED32:
        return WIRE_FIXED32;
    case PROTOBUF_C_TYPE_DOUBLE:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_SFIXED64:
        return WIRE_FIXED64;
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
        return WIRE_BYTES;
    default:
        return WIRE_VARINT;
    }
}

/* NULL: the message has no such field. Most messages number their fields from 1 on. */
static inline const ProtobufCFieldDescriptor *field_find(const ProtobufCMessageDescriptor *message, uint32_t number)
{
    if (number <= message->n_fields && message->fields[number - 1].id == number)
        return &message->fields[number - 1];
    return protobuf_c_message_descriptor_get_field(message, number);
}

/* Fails (MALFORMED) unless a known field is written as its type is. */
enum opshift_status field_check_wire(const ProtobufCMessageDescriptor *message, const ProtobufCFieldDescriptor *known,
                                     const struct wire_field *field, struct opshift_error *error);

#endif
