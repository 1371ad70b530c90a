/* The order in which nodes are planned: readers of a value before its producer. */
#include "convert/planner.h"

#include <stdlib.h>

/* The number of the node of the same graph that produces a name; -1: none. */
static int64_t made_at(const struct planner *planner, struct graph *graph, name_id name)
{
    struct definition found = scope_find(planner->around.scopes, graph, name);
    return found.kind == DEFINED_NODE && found.graph == graph ? (int64_t)found.index : -1;
}

/* Are the names that each node defines higher than all names read before? Names are numbered in the order of their
 * first use, so this is true for most sorted graphs and for no unsorted one. */
static bool names_rise(const struct graph *graph)
{
    name_id newest = NAME_NONE;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct node *node = &graph->nodes[i];
        const name_id *inputs = node_inputs(node), *outputs = node_outputs(node);
        for (uint32_t k = 0; k < node->input_count; k++)
            newest = inputs[k] > newest ? inputs[k] : newest;
        for (uint32_t k = 0; k < node->output_count; k++)
            if (outputs[k] != NAME_NONE && outputs[k] <= newest)
                return false;
    }
    return true;
}

/* Does an earlier node read a name that this node defines? If several nodes define it, the first counts. */
static bool is_late(const struct planner *planner, struct graph *graph, uint32_t node, name_id name)
{
    return name != NAME_NONE && (planner->read[name / 8] >> name % 8 & 1) && made_at(planner, graph, name) == node;
}

/* Is the graph topologically sorted, as the format requires? */
static bool is_sorted(const struct planner *planner, struct graph *graph)
{
    uint8_t *read = planner->read;
    bool sorted = true;
    for (uint32_t i = 0; sorted && i < graph->node_count; i++) {
        const struct node *node = &graph->nodes[i];
        const name_id *inputs = node_inputs(node), *outputs = node_outputs(node);
        for (uint32_t k = 0; k < node->input_count; k++)
            read[inputs[k] / 8] |= (uint8_t)(1 << inputs[k] % 8);
        for (uint32_t k = 0; k < node->output_count; k++)
            sorted = sorted && !is_late(planner, graph, i, outputs[k]);
    }
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t k = 0; k < graph->nodes[i].input_count; k++)
            read[node_inputs(&graph->nodes[i])[k] / 8] = 0;
    return sorted;
}

/* Takes nodes without remaining readers, the last first. Nodes of cycles come at the end. */
static void order_fill(const struct planner *planner, struct graph *graph, uint32_t *order, uint32_t *readers)
{
    uint32_t taken = 0, found = 0;
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t k = 0; k < graph->nodes[i].input_count; k++) {
            int64_t made = made_at(planner, graph, node_inputs(&graph->nodes[i])[k]);
            if (made >= 0)
                readers[made]++;
        }
    for (uint32_t i = graph->node_count; i-- > 0;)
        if (readers[i] == 0)
            order[found++] = i;
    for (; taken < found; taken++) {
        const struct node *node = &graph->nodes[order[taken]];
        for (uint32_t k = 0; k < node->input_count; k++) {
            int64_t made = made_at(planner, graph, node_inputs(node)[k]);
            if (made >= 0 && --readers[made] == 0)
                order[found++] = (uint32_t)made;
        }
    }
    for (uint32_t i = graph->node_count; i-- > 0;)
        if (readers[i] != 0)
            order[found++] = i;
}

enum opshift_status order_new(const struct planner *planner, struct graph *graph, uint32_t **order,
                              struct opshift_error *error)
{
    *order = NULL;
    if (names_rise(graph) || is_sorted(planner, graph))
        return OPSHIFT_OK;
    uint32_t *readers = calloc(graph->node_count, sizeof(*readers));
    *order = malloc(graph->node_count * sizeof(**order));
    if (readers && *order)
        order_fill(planner, graph, *order, readers);
    free(readers);
    if (readers && *order)
        return OPSHIFT_OK;
    free(*order);
    *order = NULL;
    return opshift_no_memory(error);
}
