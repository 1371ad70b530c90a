/* A graph inside a planned node against the graph of the second model. */
#ifndef VERIFY_EXPECT_GRAPH_H
#define VERIFY_EXPECT_GRAPH_H

#include "base/arena.h"
#include "base/error.h"
#include "onnx.pb-c.h"

/* Values from outside of such a graph: are the two the same? */
struct outer_values {
    enum opshift_status (*match)(void *data, const ProtobufCBinaryData *planned, const ProtobufCBinaryData *after,
                                 bool *same, struct opshift_error *error);
    void *data;
};

/* Do two attributes hold the same graphs, up to the names of values that these define? Nodes stand in one order. */
enum opshift_status expect_same_graphs(const Onnx__AttributeProto *planned, const Onnx__AttributeProto *after,
                                       const struct outer_values *outer, struct arena *arena, bool *same,
                                       struct opshift_error *error);

#endif
