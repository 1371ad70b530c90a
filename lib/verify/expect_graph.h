/* Compares a subgraph of a planned node with the graph of the second model. */
#ifndef VERIFY_EXPECT_GRAPH_H
#define VERIFY_EXPECT_GRAPH_H

#include "base/arena.h"
#include "base/error.h"
#include "onnx.pb-c.h"

/* Compares values from outside such a graph. */
struct outer_values {
    enum opshift_status (*match)(void *data, const ProtobufCBinaryData *planned, const ProtobufCBinaryData *after,
                                 bool *same, struct opshift_error *error);
    void *data;
};

/* Do two attributes hold equal graphs, ignoring the names of values that the graphs define? Nodes must be in the
 * same order. */
enum opshift_status expect_same_graphs(const Onnx__AttributeProto *planned, const Onnx__AttributeProto *after,
                                       const struct outer_values *outer, struct arena *arena, bool *same,
                                       struct opshift_error *error);

#endif
