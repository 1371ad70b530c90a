/* The order in which the nodes of a graph follow from one another, where they do not stand in it. */
#include "infer/result.h"

#include <stdlib.h>

/* One node reads what another one of the same graph makes. */
struct order_edges {
    uint32_t *starts;  /* by node that is read: where its readers begin; one more at the end */
    uint32_t *readers; /* NULL: edges are counted first */
    uint32_t *waiting; /* by node: edges to those that it reads and that are not in order yet */
};

struct order_walk {
    const struct scopes *scopes;
    struct graph *graph; /* whose order is looked for */
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

/* All that a node reads, in its bodies too. Bodies are as deep as the reader of models allows. */
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

/* Nodes that wait for none, first come, first served; those of a cycle come last, as they stand. */
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
        edges_walk(&walk); /* each start moves on to the end, where the next one's readers begin */
        order_fill(graph, &edges, order);
    }
    bool made = edges.readers != NULL;
    free(edges.starts);
    free(edges.readers);
    free(edges.waiting);
    return made ? order : NULL;
}
