/* What the fields of each message are, as bits: tables that generate.c makes from the messages' descriptors. */
#ifndef MODEL_FORM_H
#define MODEL_FORM_H

#include <onnx.pb-c.h>
#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

/* The messages that are walked field by field. */
enum form_kind {
    FORM_MODEL,
    FORM_GRAPH,
    FORM_NODE,
    FORM_ATTRIBUTE,
    FORM_VALUE,
    FORM_TENSOR,
    FORM_SPARSE,
    FORM_IMPORT,
    FORM_FUNCTION,
    FORM_TRAINING,
    FORM_COUNT
};

/* A bit for each number: what scan_next asks of every field. */
#define FORM_FIELDS 64u /* what has a higher number is looked at more slowly */
struct form {
    const ProtobufCMessageDescriptor *descriptor;
    uint64_t plain[WIRE_FIXED32 + 1]; /* by wire type: no messages, and written as their type is */
    uint64_t messages;                /* all of them */
    uint64_t scanned;                 /* of these, what gets its own scan */
    uint8_t frame;                    /* its row among the frames */
};
extern const struct form scan_forms[FORM_COUNT];

/* The messages that are only stepped through: a row for each type. */
#define FRAME_FIELDS 32u /* as FORM_FIELDS */
struct frame {
    uint32_t plain[WIRE_FIXED32 + 1]; /* as in struct form */
    uint32_t packed;                  /* of plain, what may stand in a row: lists of numbers */
    uint8_t below[FRAME_FIELDS];      /* of a message: its row's index + 1 */
};
extern const struct frame scan_frames[];

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

/* TensorProto.data_location: it is seen, so no tensor that has one is plain. */
static inline bool field_says_place(const ProtobufCMessageDescriptor *message, const ProtobufCFieldDescriptor *known)
{
    return message == &onnx__tensor_proto__descriptor && known->id == 14;
}

#endif
