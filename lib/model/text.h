/* Parses and prints ONNX's textual syntax.
 *
 * As in ONNX's parser, `float` is a scalar, `float[]` a tensor of unknown rank (before data: a scalar), and an
 * integer in a float16, bfloat16 or 8-bit float tensor is the bits of the element. Extensions: a decimal in a
 * float16 or bfloat16 tensor is the value; 4-bit and 2-bit elements are listed one by one; any name may be in quotes;
 * strings have the escapes \n \r \t \" \\ \xNN; a sparse tensor is its values and its indices:
 * sparse_tensor(float[9]) name = {float[2] {1.0, 2.0}, int64[2] {0, 7}}. Data is always read into the typed fields. */
#ifndef MODEL_TEXT_H
#define MODEL_TEXT_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "onnx.pb-c.h"

/* Errors are MALFORMED, "name:line:column: what was expected". */
enum opshift_status text_parse_model(const char *text, size_t size, const char *name, struct arena *arena,
                                     Onnx__ModelProto **model, struct opshift_error *error);
/* Parses nodes without a graph, as in a rule's examples: `a = F(x)\n b = G(a)`. first_line: added to line numbers in
 * messages. */
enum opshift_status text_parse_nodes(const char *text, size_t size, const char *name, unsigned first_line,
                                     struct arena *arena, Onnx__NodeProto ***nodes, size_t *count,
                                     struct opshift_error *error);
/* The same, and where each node begins. */
struct text_place {
    unsigned line, column;
};
enum opshift_status text_parse_nodes_placed(const char *text, size_t size, const char *name, unsigned first_line,
                                            struct arena *arena, Onnx__NodeProto ***nodes, struct text_place **places,
                                            size_t *count, struct opshift_error *error);
void text_print_model(struct buffer *out, const Onnx__ModelProto *model);
void text_print_node(struct buffer *out, const Onnx__NodeProto *node);
/* Prints one message of a graph, a function or a model on its own lines. field: the name of its field. */
void text_print_item(struct buffer *out, const char *field, const ProtobufCMessage *message);

#endif
