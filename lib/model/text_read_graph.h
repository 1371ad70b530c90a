/* Parser of graphs, values and nodes in ONNX's textual syntax. */
#ifndef MODEL_TEXT_READ_GRAPH_H
#define MODEL_TEXT_READ_GRAPH_H

#include "model/text_read.h"

/* A value: a type and a name, or a name alone. */
void text_value(struct text_reader *reader, Onnx__ValueInfoProto *value);
void text_node(struct text_reader *reader, Onnx__NodeProto *node);
/* { nodes } */
void text_nodes(struct text_reader *reader, size_t *count, Onnx__NodeProto ***nodes);

#endif
