/* GRF: the order of nodes: topologically sorted and without cycles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/list.h"
#include "check/family.h"
#include "check/fix.h"
#include "check/tables.h"

#define LOOP_SHOWN 8u                   /* nodes of a cycle that a message lists */
#define MOVED_MAX  (UINT64_C(64) << 20) /* total bytes of nodes that a fix moves, which are kept in memory */

/* A node of the graph depends on another one, directly or through a node in a body. */
struct edge {
    uint32_t reader, maker;
    struct graph *graph; /* the graph that uses the name */
    uint32_t node;
    name_id name;
};

struct order {
    struct checking *checking;
    struct graph *graph;
    struct edge *edges; /* sorted by consumer */
    uint32_t edge_count, edge_room;
    size_t *first;       /* by node: start of its edges; one more at the end */
    uint32_t *number;    /* by node: order of visit, from 1; 0: not visited */
    uint32_t *low;       /* by node: lowest number reachable (Tarjan's low link) */
    uint32_t *component; /* by node: its component, from 1 */
    uint32_t *stack, *path;
    size_t *next;   /* by node: next edge to follow */
    bool *reported; /* by node */
    uint32_t *from; /* by node: the next one of the cycle */
};

/* ---- dependencies ---- */

static enum opshift_status edge_add(struct order *order, const struct edge *edge, struct opshift_error *error)
{
    if (!list_grow(&order->edges, order->edge_count, &order->edge_room, sizeof(*order->edges)))
        return opshift_no_memory(error);
    order->edges[order->edge_count++] = *edge;
    return OPSHIFT_OK;
}

/* A name that an outer graph defines too is reported as GRF008; the outer definition was probably meant. */
static bool is_shadowing(const struct order *order, name_id name)
{
    struct graph *outer = order->graph->parent;
    return outer && scope_find(order->checking->scopes, outer, name).kind != DEFINED_NOWHERE;
}

/* The dependencies of a node in `inner` on the sorted graph, in which `reader` contains it. */
static enum opshift_status edges_of_node(struct order *order, struct graph *inner, uint32_t index, uint32_t reader,
                                         struct opshift_error *error)
{
    const struct node *node = &inner->nodes[index];
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->input_count; i++) {
        name_id name = node_inputs(node)[i];
        struct definition found = scope_find(order->checking->scopes, inner, name);
        if (found.kind == DEFINED_NODE && found.graph == order->graph && !is_shadowing(order, name))
            status = edge_add(order, &(struct edge){reader, found.index, inner, index, name}, error);
    }
    return status;
}

static enum opshift_status edges_of_graph(struct order *order, struct graph *inner, uint32_t reader,
                                          struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < inner->node_count; i++) {
        uint32_t at = inner == order->graph ? i : reader;
        if (inner == order->graph)
            order->first[i] = order->edge_count;
        status = edges_of_node(order, inner, i, at, error);
        for (uint32_t k = 0; status == OPSHIFT_OK && k < node_subgraph_count(&inner->nodes[i]); k++)
            status = edges_of_graph(order, node_subgraphs(&inner->nodes[i])[k], at, error);
    }
    return status;
}

/* ---- cycles: Tarjan's strongly connected components with an explicit stack ---- */

static void components_find(struct order *order, uint32_t root, uint32_t *reached, uint32_t *components)
{
    size_t depth = 0, open = 0;
    order->path[depth++] = root;
    while (depth) {
        uint32_t at = order->path[depth - 1];
        if (order->number[at] == 0) {
            order->number[at] = order->low[at] = ++*reached;
            order->next[at] = order->first[at];
            order->stack[open++] = at;
        }
        if (order->next[at] < order->first[at + 1]) {
            uint32_t maker = order->edges[order->next[at]++].maker;
            if (order->number[maker] == 0)
                order->path[depth++] = maker;
            else if (order->component[maker] == 0 && order->number[maker] < order->low[at])
                order->low[at] = order->number[maker];
            continue;
        }
        depth--;
        if (depth && order->low[at] < order->low[order->path[depth - 1]])
            order->low[order->path[depth - 1]] = order->low[at];
        if (order->low[at] != order->number[at])
            continue;
        ++*components;
        do
            order->component[order->stack[--open]] = *components;
        while (order->stack[open] != at);
    }
}

/* The shortest cycle through a node, stored in order->from. False: none. */
static bool loop_find(struct order *order, uint32_t start)
{
    size_t head = 0, tail = 0;
    uint32_t *queue = order->path;
    for (queue[tail++] = start; head < tail; head++)
        for (size_t i = order->first[queue[head]]; i < order->first[queue[head] + 1]; i++) {
            uint32_t maker = order->edges[i].maker;
            if (order->component[maker] != order->component[start] || (maker != start && order->from[maker]))
                continue;
            order->from[maker] = queue[head] + 1;
            if (maker == start)
                return true;
            queue[tail++] = maker;
        }
    return false;
}

static const char *node_label(const struct order *order, uint32_t index, char *buffer, size_t size)
{
    const struct names *names = order->checking->model->names;
    const struct node *node = &order->graph->nodes[index];
    name_id name = node_name(order->checking->model, node);
    if (name != NAME_NONE)
        snprintf(buffer, size, "'%.40s'", names_text(names, name));
    else
        snprintf(buffer, size, "node %u (%.40s)", index, names_text(names, node->op_type));
    return buffer;
}

static enum opshift_status loop_report(struct order *order, uint32_t start, struct opshift_error *error)
{
    struct subject subject = {.graph = order->graph, .node = &order->graph->nodes[start]};
    struct buffer words = {0};
    char label[64];
    buffer_add_text(&words, node_label(order, start, label, sizeof(label)));
    uint32_t at = order->from[start] - 1, shown = 1;
    for (; at != start && shown < LOOP_SHOWN; at = order->from[at] - 1, shown++)
        buffer_print(&words, " <- %s", node_label(order, at, label, sizeof(label)));
    buffer_print(&words, " <- %s%s", at != start ? "... <- " : "", node_label(order, start, label, sizeof(label)));
    char *text = buffer_take(&words);
    if (text == NULL)
        return opshift_no_memory(error);
    enum opshift_status status =
        finding_add(order->checking, &subject, NULL, error,
                    "the node depends on its own output: %s; change an input of one of them", text);
    free(text);
    return status;
}

/* ---- findings ---- */

static enum opshift_status order_new(struct order *order, struct checking *checking, struct graph *graph,
                                     struct opshift_error *error)
{
    size_t count = graph->node_count;
    struct arena *arena = checking->scratch;
    *order = (struct order){.checking = checking, .graph = graph};
    order->first = arena_alloc(arena, count + 1, sizeof(*order->first));
    order->next = arena_alloc(arena, count, sizeof(*order->next));
    uint32_t **lists[] = {&order->number, &order->low, &order->component, &order->stack, &order->path, &order->from};
    bool all = order->first && order->next;
    for (size_t i = 0; i < COUNT(lists); i++)
        all = (*lists[i] = arena_alloc(arena, count + 1, sizeof(uint32_t))) != NULL && all;
    order->reported = arena_alloc(arena, count, sizeof(*order->reported));
    if (!all || order->reported == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = edges_of_graph(order, graph, 0, error);
    order->first[count] = order->edge_count;
    uint32_t reached = 0, components = 0;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++)
        if (order->number[i] == 0)
            components_find(order, i, &reached, &components);
    return status;
}

/* One finding per cycle, at its first node. */
static enum opshift_status no_loops(struct checking *checking, const struct subject *subject,
                                    struct opshift_error *error)
{
    struct order order = {0};
    if (!graph_is_disordered(checking->tables, subject->graph))
        return OPSHIFT_OK;
    enum opshift_status status = order_new(&order, checking, subject->graph, error);
    bool *done = arena_alloc(checking->scratch, (size_t)subject->graph->node_count + 1, sizeof(*done));
    bool *looped = arena_alloc(checking->scratch, (size_t)subject->graph->node_count + 1, sizeof(*looped));
    if (status == OPSHIFT_OK && (done == NULL || looped == NULL))
        status = opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < subject->graph->node_count; i++) {
        if (done[order.component[i]])
            continue;
        done[order.component[i]] = true;
        looped[order.component[i]] = loop_find(&order, i);
        if (looped[order.component[i]])
            status = loop_report(&order, i, error);
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < subject->graph->node_count; i++)
        if (looped[order.component[i]])
            status = node_taint(checking, subject->graph, i, error);
    free(order.edges);
    return status;
}

static enum opshift_status late_report(const struct order *order, const struct edge *edge, struct opshift_error *error)
{
    struct subject subject = {.graph = edge->graph, .node = &edge->graph->nodes[edge->node]};
    char label[64];
    return finding_add(order->checking, &subject, NULL, error,
                       "input '%s' is computed by %s, which comes later; move that node before this one",
                       names_text(order->checking->model->names, edge->name),
                       node_label(order, edge->maker, label, sizeof(label)));
}

/* One finding per node that is out of order, however many dependencies are violated. */
static enum opshift_status nodes_sorted(struct checking *checking, const struct subject *subject,
                                        struct opshift_error *error)
{
    struct order order = {0};
    if (!graph_is_disordered(checking->tables, subject->graph))
        return OPSHIFT_OK;
    enum opshift_status status = order_new(&order, checking, subject->graph, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < order.edge_count; i++) {
        const struct edge *edge = &order.edges[i];
        if (edge->maker < edge->reader || order.component[edge->maker] == order.component[edge->reader] ||
            order.reported[edge->maker] || order.reported[edge->reader])
            continue;
        order.reported[edge->maker] = order.reported[edge->reader] = true;
        status = late_report(&order, edge, error);
    }
    free(order.edges);
    return status;
}

/* ---- fix: sort the nodes ---- */

/* Moves a node in front of another, after the nodes that it depends on. */
struct move {
    uint32_t node, before;
};

/* Keeps the file order, but moves each node in front of its first consumer. *count moves. */
static struct move *moves_find(const struct order *order, size_t *count)
{
    uint32_t nodes = order->graph->node_count;
    struct arena *arena = order->checking->scratch;
    struct move *moves = arena_alloc(arena, (size_t)nodes + 1, sizeof(*moves));
    bool *seen = arena_alloc(arena, (size_t)nodes + 1, sizeof(*seen));
    *count = 0;
    if (moves == NULL || seen == NULL)
        return NULL;
    memcpy(order->next, order->first, nodes * sizeof(*order->next));
    for (uint32_t i = 0; i < nodes; i++) {
        size_t depth = 0;
        if (!seen[i])
            order->path[depth++] = i;
        seen[i] = true;
        while (depth) {
            uint32_t at = order->path[depth - 1];
            if (order->next[at] == order->first[at + 1]) {
                depth--;
                if (at != i)
                    moves[(*count)++] = (struct move){at, i};
                continue;
            }
            uint32_t maker = order->edges[order->next[at]++].maker;
            if (!seen[maker])
                order->path[depth++] = maker;
            seen[maker] = true;
        }
    }
    return moves;
}

static enum opshift_status node_copy(struct checking *checking, const struct node *node, struct buffer *records,
                                     struct opshift_error *error)
{
    size_t size = (size_t)range_length(node->range);
    uint8_t *bytes = malloc(size);
    enum opshift_status status =
        bytes ? source_read(checking->model->source, range_record(node->range), bytes, size, error)
              : opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        buffer_add(records, bytes, size);
    free(bytes);
    return status;
}

static enum opshift_status moves_lay(struct checking *checking, struct graph *graph, const struct move *moves,
                                     size_t count, struct opshift_error *error)
{
    struct finding whole = {.graph = graph};
    uint64_t size = 0;
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; i < count; i++)
        size += range_size(graph->nodes[moves[i].node].range);
    if (size > MOVED_MAX)
        return OPSHIFT_OK;
    for (size_t i = 0, next; status == OPSHIFT_OK && i < count; i = next) {
        struct buffer records = {0};
        for (next = i; status == OPSHIFT_OK && next < count && moves[next].before == moves[i].before; next++) {
            status = fix_remove(checking, &whole, graph->nodes[moves[next].node].range, error);
            if (status == OPSHIFT_OK)
                status = node_copy(checking, &graph->nodes[moves[next].node], &records, error);
        }
        if (status == OPSHIFT_OK)
            status = fix_insert(checking, graph, range_record(graph->nodes[moves[i].before].range), &records, error);
        else
            buffer_free(&records);
    }
    return status;
}

static enum opshift_status nodes_sort(struct checking *checking, const struct finding *finding,
                                      struct opshift_error *error)
{
    struct order order = {0};
    struct graph *graph = finding->graph;
    while (graph && !graph_is_disordered(checking->tables, graph))
        graph = graph->parent;
    if (graph == NULL)
        return OPSHIFT_OK;
    size_t count = 0;
    enum opshift_status status = order_new(&order, checking, graph, error);
    const struct move *moves = status ? NULL : moves_find(&order, &count);
    if (status == OPSHIFT_OK)
        status = moves ? moves_lay(checking, graph, moves, count, error) : opshift_no_memory(error);
    free(order.edges);
    return status;
}

const struct check checks_graph_order[] = {
    {CHECK(GRF011), .scope = CHECK_GRAPH, .find = no_loops},
    {CHECK(GRF012), .scope = CHECK_GRAPH, .harmless = true, FIXED_BY(nodes_sort), .fixes_graph = true,
     .find = nodes_sorted},
    {0},
};
