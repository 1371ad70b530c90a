/* Lists the operators of a model that have no kernel. */
#include <stdlib.h>

#include "kernel/execute.h"

struct node_search {
    struct opshift_model *model;
    struct scopes *scopes;
    bool (*what)(void *data, const struct graph *graph, const struct node *node);
    void *data;
    bool *seen; /* by graph->number */
    struct graph **waiting;
    uint32_t waiting_count;
};

static void search_later(struct node_search *search, struct graph *graph)
{
    if (!search->seen[graph->number])
        search->waiting[search->waiting_count++] = graph;
    search->seen[graph->number] = true;
}

static bool search_graph(struct node_search *search, struct graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct node *node = &graph->nodes[i];
        const struct function *callee = scope_callee(search->scopes, node);
        for (uint32_t k = 0; k < node_subgraph_count(node); k++)
            search_later(search, node_subgraphs(node)[k]);
        if (callee != NULL) {
            search_later(search, callee->body);
            continue;
        }
        int64_t opset = graph_opset(search->model, graph, node_domain(node));
        const char *domain = names_text(search->model->names, node_domain(node));
        if (kernel_find(schema_find(domain, names_text(search->model->names, node->op_type), opset), opset))
            continue;
        if (!search->what(search->data, graph, node))
            return false;
    }
    return true;
}

enum opshift_status execution_missing(struct opshift_model *model, struct scopes *scopes, struct graph *graph,
                                      bool (*what)(void *data, const struct graph *graph, const struct node *node),
                                      void *data, struct opshift_error *error)
{
    struct node_search search = {
        .model = model,
        .scopes = scopes,
        .what = what,
        .data = data,
        .seen = calloc(model->graph_count, sizeof(*search.seen)),
        .waiting = calloc(model->graph_count, sizeof(struct graph *)),
    };
    enum opshift_status status = OPSHIFT_OK;
    bool go_on = true;
    if (search.seen == NULL || search.waiting == NULL)
        status = opshift_no_memory(error);
    else
        search_later(&search, graph);
    while (status == OPSHIFT_OK && go_on && search.waiting_count > 0)
        go_on = search_graph(&search, search.waiting[--search.waiting_count]);
    free(search.seen);
    free(search.waiting);
    return status;
}
