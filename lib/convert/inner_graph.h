/* The graph inside a node as the plan converts it, for a replacement that takes it into its own nodes. */
#ifndef CONVERT_INNER_GRAPH_H
#define CONVERT_INNER_GRAPH_H

#include "convert/planner.h"

/* Decodes a subgraph of the planner's model, with the fates that its nodes, and the nodes of the graphs in it, have so
 * far: rewritten nodes and added constants are in it, removed nodes are not. Subgraphs are planned before the nodes
 * that hold them. Blocked nodes stay as they are. The result is in the arena. UNSUPPORTED: above a limit. MALFORMED,
 * IO, MEMORY. */
enum opshift_status inner_graph_convert(const struct planner *planner, const struct graph *graph, struct arena *arena,
                                        Onnx__GraphProto **converted, struct opshift_error *error);

#endif
