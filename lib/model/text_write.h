/* The internal interface of the printer of ONNX's textual syntax: lines, names, numbers, and notes about omitted parts.
 */
#ifndef MODEL_TEXT_WRITE_H
#define MODEL_TEXT_WRITE_H

#include "base/buffer.h"
#include "onnx.pb-c.h"

#define TEXT_INDENT 2

struct text_writer {
    struct buffer *out;
    struct buffer notes; /* pending comment lines, written after the current line */
    unsigned indent;
    unsigned depth; /* nesting level of graphs */
    bool odd_nan;   /* a NaN with other bits than those of "nan" was written */
};

/* The subject of a note: "node" and its name. */
struct text_owner {
    const char *kind;
    ProtobufCBinaryData name;
};

/* Ends a line, then writes the pending notes, each as a comment on its own line. */
void text_end_line(struct text_writer *writer);
void text_start_line(struct text_writer *writer);

/* A name, quoted if it is not plain; a string, always quoted. */
void text_write_name(struct buffer *out, ProtobufCBinaryData name);
void text_write_string(struct buffer *out, ProtobufCBinaryData string);
bool text_is_plain_name(const uint8_t *data, size_t size);
/* The shortest digits that parse to the same number, with a point or an exponent. */
void text_write_float(struct text_writer *writer, float value);
void text_write_double(struct text_writer *writer, double value);
void text_write_pairs(struct buffer *out, size_t count, Onnx__StringStringEntryProto *const *pairs);

/* "# not in the text: FIELD of KIND "NAME": VALUE". */
void text_note(struct text_writer *writer, struct text_owner owner, const char *field, const char *value);
void text_note_string(struct text_writer *writer, struct text_owner owner, const char *field,
                      ProtobufCBinaryData value);
void text_note_pairs(struct text_writer *writer, struct text_owner owner, const char *field, size_t count,
                     Onnx__StringStringEntryProto *const *pairs);
void text_note_count(struct text_writer *writer, struct text_owner owner, const char *field, size_t count);
void text_note_unknown(struct text_writer *writer, struct text_owner owner, const ProtobufCMessage *message);

/* Why the syntax cannot express the type; NULL: it can. */
const char *text_type_obstacle(const Onnx__TypeProto *type);
const char *text_tensor_obstacle(const Onnx__TensorProto *tensor);
const char *text_sparse_obstacle(const Onnx__SparseTensorProto *sparse);

/* Only for a type without an obstacle. */
void text_write_type(struct text_writer *writer, struct text_owner owner, const Onnx__TypeProto *type);
/* The type, the name when it has one, the data; initializer: always with name and '='. */
void text_write_tensor(struct text_writer *writer, const Onnx__TensorProto *tensor, bool initializer);
void text_write_sparse(struct text_writer *writer, const Onnx__SparseTensorProto *sparse, bool initializer);
/* " = " and the data alone. */
void text_write_tensor_data(struct text_writer *writer, const Onnx__TensorProto *tensor);

/* " <...>" on this line, or over several when graphs are among them; nothing when there are none to write. */
void text_write_attributes(struct text_writer *writer, size_t count, Onnx__AttributeProto *const *attributes);
bool text_has_graph(size_t count, Onnx__AttributeProto *const *attributes);
const char *text_attribute_obstacle(const struct text_writer *writer, const Onnx__AttributeProto *attribute);
void text_write_attribute(struct text_writer *writer, const Onnx__AttributeProto *attribute);
void text_write_graph(struct text_writer *writer, const Onnx__GraphProto *graph);

#endif
