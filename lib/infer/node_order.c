/* A topological order of a graph's nodes, for graphs that are not sorted. */
#include "infer/result.h"

#include <stdlib.h>

/* Edges: one node reads an output of another node of the graph. */
struct order_edges {
    uint32_t *starts;  /* by producer: start of its consumers; one more at the end */
    uint32_t *readers; /* NULL: while edges are counted */
    uint32_t *waiting; /* by node: number of inputs whose producers are not yet in order */
};

struct order_walk {
    const struct scopes *scopes;
    struct graph *graph; /* the graph to be sorted */
    struct order_edges *edges;
};

static void edge_add(const struct order_walk *walk, struct graph *from, name_id name, uint32_t reader)
{
    struct definition definition = scope_find(walk->scopes, from, name);
    if (definition.kind != DEFINED_NODE || definition.graph != walk->graph)
        return;
    if (walk->edges->readers == NULL) {
        walk->edges->starts[definition.index + 1]++;
        return;
    }
    walk->edges->readers[walk->edges->starts[definition.index]++] = reader;
    walk->edges->waiting[reader]++;
}

/* Visits all reads of a node, including its bodies. Depth is bounded by the nesting limit of models. */
static void node_walk(const struct order_walk *walk, struct graph *graph, const struct node *node, uint32_t reader)
{
    for (uint32_t i = 0; i < node->input_count; i++)
        edge_add(walk, graph, node_inputs(node)[i], reader);
    for (uint32_t i = 0; i < node_subgraph_count(node); i++) {
        struct graph *body = node_subgraphs(node)[i];
        for (uint32_t k = 0; k < body->node_count; k++)
            node_walk(walk, body, &body->nodes[k], reader);
        for (uint32_t k = 0; k < body->output_count; k++)
            edge_add(walk, body, body->outputs[k].name, reader);
    }
}

static void edges_walk(const struct order_walk *walk)
{
    for (uint32_t i = 0; i < walk->graph->node_count; i++)
        node_walk(walk, walk->graph, &walk->graph->nodes[i], i);
}

/* Kahn's algorithm with a queue; nodes of a cycle come last, in file order. */
static void order_fill(const struct graph *graph, const struct order_edges *edges, uint32_t *order)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (edges->waiting[i] == 0)
            order[count++] = i;
    for (uint32_t at = 0; at < count; at++) {
        uint32_t first = order[at] > 0 ? edges->starts[order[at] - 1] : 0;
        for (uint32_t k = first; k < edges->starts[order[at]]; k++)
            if (--edges->waiting[edges->readers[k]] == 0)
                order[count++] = edges->readers[k];
    }
    for (uint32_t i = 0; i < graph->node_count && count < graph->node_count; i++)
        if (edges->waiting[i] > 0)
            order[count++] = i;
}

const uint32_t *node_order_find(struct types *types, struct graph *graph)
{
    size_t count = graph->node_count;
    struct order_edges edges = {.starts = calloc(count + 1, sizeof(uint32_t)),
                                .waiting = calloc(count + 1, sizeof(uint32_t))};
    struct order_walk walk = {types->scopes, graph, &edges};
    uint32_t *order = arena_alloc(types->arena, count + 1, sizeof(*order));
    if (edges.starts && edges.waiting && order) {
        edges_walk(&walk);
        for (size_t i = 1; i <= count; i++)
            edges.starts[i] += edges.starts[i - 1];
        edges.readers = malloc((edges.starts[count] + 1u) * sizeof(*edges.readers));
    }
    if (edges.readers) {
        edges_walk(&walk); /* each start advances to its end, where the next producer's range begins */
        order_fill(graph, &edges, order);
    }
    bool made = edges.readers != NULL;
    free(edges.starts);
    free(edges.readers);
    free(edges.waiting);
    return made ? order : NULL;
}
