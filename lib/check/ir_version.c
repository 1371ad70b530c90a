/* What in a model needs a newer IR version than a given one: the checks of the IR version, made against that one. */
#include "check/check.h"

#include <inttypes.h>

/* Fields, element types, imports, types of attributes. Initializers become inputs where they must be. */
#define CHECKS PRT029, PRT030, PRT043, PRT052

/* Below IR 4 a caller cannot replace an initializer. */
static enum opshift_status overridable(struct checking *checking, struct opshift_error *error)
{
    const struct opshift_model *model = checking->model;
    const struct graph *graph = model->graph_count ? model->graphs[0] : NULL;
    for (uint32_t i = 0; graph && checking->ir_version < 4 && i < graph->initializer_count; i++)
        if (scope_initializer_role(checking->scopes, graph, graph->initializers[i].name) == INITIALIZER_DEFAULT)
            return opshift_fail(error, OPSHIFT_NO,
                                "initializer '%.80s' is an input, too: callers may give another value, which needs IR "
                                "version 4; add --freeze-initializers if they do not",
                                names_text(checking->model->names, graph->initializers[i].name));
    return OPSHIFT_OK;
}

/* What is around the place of the first finding; "": nothing. NULL: no memory. */
static const char *around(const struct checking *checking)
{
    const struct finding *finding = &checking->findings[0];
    struct opshift_model *model = checking->model;
    const struct graph *graph = finding->graph;
    if (finding->node)
        return arena_print(checking->arena, "%s: ", node_place(model, graph, finding->node));
    if (graph && graph->kind == GRAPH_FUNCTION)
        return arena_print(checking->arena, "function '%.80s': ", names_text(model->names, graph->name));
    if (graph && graph->kind == GRAPH_SUB)
        return arena_print(checking->arena,
                           "%s: %.80s: ", node_place(model, graph->parent, &graph->parent->nodes[graph->owner]),
                           names_text(model->names, graph->owner_attribute));
    return "";
}

static enum opshift_status refuse(const struct checking *checking, struct opshift_error *error)
{
    const char *place = around(checking);
    if (place == NULL)
        return opshift_no_memory(error);
    if (checking->ir_least <= checking->ir_version)
        return opshift_fail(error, OPSHIFT_NO, "%s%s", place, checking->findings[0].message);
    return opshift_fail(error, OPSHIFT_NO, "%s%s; the least for this model is %" PRId64, place,
                        checking->findings[0].message, checking->ir_least);
}

enum opshift_status check_ir_version(struct opshift_model *model, struct scopes *scopes,
                                     const struct ir_question *question, struct opshift_error *error)
{
    struct arena *arena = arena_new(0);
    struct checking checking = {.model = model,
                                .directory = model->directory,
                                .scopes = scopes,
                                .arena = arena,
                                .only = question->imports ? IDS(CHECKS) : IDS(CHECKS, PRT042),
                                .ir_version = question->version};
    model->directory = NULL;
    enum opshift_status status = arena ? check_model(&checking, error) : opshift_no_memory(error);
    model->directory = checking.directory;
    if (status == OPSHIFT_OK && checking.count)
        status = refuse(&checking, error);
    if (status == OPSHIFT_OK && !question->frozen)
        status = overridable(&checking, error);
    checking_free(&checking);
    arena_free(arena);
    return status;
}
