/* ONNX's textual syntax: read into messages, written from messages. */
#ifndef MODEL_TEXT_H
#define MODEL_TEXT_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "onnx.pb-c.h"

/* Errors are MALFORMED, "name:line:column: what was expected". */
enum opshift_status text_parse_model(const char *text, size_t size, const char *name, struct arena *arena,
                                     Onnx__ModelProto **model, struct opshift_error *error);
/* One or more nodes without a graph around them, as in a rule's examples: `a = F(x)\n b = G(a)`. first_line shifts the
 * lines in messages. */
enum opshift_status text_parse_nodes(const char *text, size_t size, const char *name, unsigned first_line,
                                     struct arena *arena, Onnx__NodeProto ***nodes, size_t *count,
                                     struct opshift_error *error);
void text_print_model(struct buffer *out, const Onnx__ModelProto *model);
void text_print_node(struct buffer *out, const Onnx__NodeProto *node, unsigned indent);

#endif
