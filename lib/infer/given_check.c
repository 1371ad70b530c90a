/* Is what a caller gives accepted by every node? */
#include "infer/given_check.h"

#include "infer/clash.h"
#include "infer/result.h"

/* The first node that clashes here and not there; *node NULL: none. there NULL: nothing clashes there. */
static void clashed_find(const struct types *here, const struct types *there, struct graph **graph,
                         const struct node **node)
{
    const struct opshift_model *model = here->model;
    *node = NULL;
    for (uint32_t i = 0; i < model->graph_count && *node == NULL; i++)
        for (uint32_t k = 0; here->clashed && k < model->graphs[i]->node_count && *node == NULL; k++)
            if (types_clashed(here, model->graphs[i], k) &&
                (there == NULL || !types_clashed(there, model->graphs[i], k))) {
                *graph = model->graphs[i];
                *node = &model->graphs[i]->nodes[k];
            }
}

static enum opshift_status refuse(struct types *probe, struct graph *graph, const struct node *node, const char *sizes,
                                  struct opshift_error *error)
{
    const struct clash *clashes = NULL;
    size_t count;
    struct arena *arena = arena_new(0);
    if (arena == NULL)
        return opshift_no_memory(error);
    enum opshift_status status =
        types_clashes(probe, graph, (uint32_t)(node - graph->nodes), arena, &clashes, &count, error);
    if (status == OPSHIFT_OK)
        status = opshift_fail(error, OPSHIFT_USAGE, "%s: does not accept the given shapes%s%s%s%s",
                              node_place(probe->model, graph, node), *sizes ? ", as with " : "", sizes,
                              count > 0 ? ": " : "", count > 0 ? clashes[0].words : "");
    arena_free(arena);
    return status;
}

/* Types of the same model, with what is given or nothing. */
static enum opshift_status types_again(struct types *types, const struct opshift_given *given, struct types **again,
                                       struct opshift_error *error)
{
    enum opshift_status status = types_new(types->model, types->scopes, again, error);
    if (status)
        return status;
    if (types->freeze)
        types_freeze(*again);
    return types_give(*again, given, error);
}

enum opshift_status given_check(struct types *types, const struct opshift_given *given, struct opshift_error *error)
{
    struct types *probe = NULL, *plain = NULL;
    struct graph *graph = NULL;
    const struct node *node = NULL;
    const char *sizes = "";
    if (types->given == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = types_again(types, given, &probe, error);
    if (status == OPSHIFT_OK)
        status = given_probe(types->model, probe->given, &sizes, error);
    if (status == OPSHIFT_OK)
        status = types_all(probe, error);
    if (status == OPSHIFT_OK)
        clashed_find(probe, NULL, &graph, &node);
    if (node)
        status = types_again(types, NULL, &plain, error);
    if (node && status == OPSHIFT_OK)
        status = types_all(plain, error);
    if (node && status == OPSHIFT_OK)
        clashed_find(probe, plain, &graph, &node);
    if (node && status == OPSHIFT_OK)
        status = refuse(probe, graph, node, sizes, error);
    types_free(probe);
    types_free(plain);
    return status;
}
