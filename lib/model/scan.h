/* The pass over a file that builds a model's index. */
#ifndef MODEL_SCAN_H
#define MODEL_SCAN_H

#include "model/model.h"
#include "wire/wire.h"

/* Fills the model's index from its source; name, limits, arena and names must be set. */
enum opshift_status model_scan(struct opshift_model *model, struct opshift_error *error);

/* The wire type of an unpacked field of this type. */
static inline enum wire_type field_wire_type(const ProtobufCFieldDescriptor *known)
{
    static const uint8_t types[] = {
        [PROTOBUF_C_TYPE_FLOAT] = WIRE_FIXED32,    [PROTOBUF_C_TYPE_FIXED32] = WIRE_FIXED32,
        [PROTOBUF_C_TYPE_SFIXED32] = WIRE_FIXED32, [PROTOBUF_C_TYPE_DOUBLE] = WIRE_FIXED64,
        [PROTOBUF_C_TYPE_FIXED64] = WIRE_FIXED64,  [PROTOBUF_C_TYPE_SFIXED64] = WIRE_FIXED64,
        [PROTOBUF_C_TYPE_STRING] = WIRE_BYTES,     [PROTOBUF_C_TYPE_BYTES] = WIRE_BYTES,
        [PROTOBUF_C_TYPE_MESSAGE] = WIRE_BYTES, /* the others are varints */
    };
    return (enum wire_type)types[known->type];
}

/* NULL: the message has no such field. Its fields are sorted by number, most of them without gaps. */
static inline const ProtobufCFieldDescriptor *field_find(const ProtobufCMessageDescriptor *message, uint32_t number)
{
    uint32_t at = number < message->n_fields ? number : message->n_fields;
    if (number - 1 < message->n_fields && message->fields[number - 1].id == number)
        return &message->fields[number - 1];
    while (at > 0 && message->fields[at - 1].id > number)
        at--;
    return at > 0 && message->fields[at - 1].id == number ? &message->fields[at - 1] : NULL;
}

/* Fails: a known field has the wrong wire type. */
enum opshift_status field_refuse_wire(const ProtobufCMessageDescriptor *message, const ProtobufCFieldDescriptor *known,
                                      const struct wire_field *field, struct opshift_error *error);

/* Fails (MALFORMED) if a known field has the wrong wire type. */
static inline enum opshift_status field_check_wire(const ProtobufCMessageDescriptor *message,
                                                   const ProtobufCFieldDescriptor *known,
                                                   const struct wire_field *field, struct opshift_error *error)
{
    enum wire_type wanted = field_wire_type(known);
    bool packed = known->label == PROTOBUF_C_LABEL_REPEATED && wanted != WIRE_BYTES && field->type == WIRE_BYTES;
    return packed || field->type == wanted ? OPSHIFT_OK : field_refuse_wire(message, known, field, error);
}

#endif
