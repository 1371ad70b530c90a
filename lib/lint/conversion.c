/* Lints a conversion: blockers and assumptions of its plan become findings. */
#include "lint/conversion.h"

#include <inttypes.h>
#include <stdio.h>

#include "convert/plan.h"

static enum opshift_status add_texts(struct checking *checking, enum conversion_word word, struct graph *graph,
                                     const struct node *node, const char *before, const char *const *texts,
                                     size_t count, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++)
        status = conversion_add(checking, word, graph, node, before, texts[i], error);
    return status;
}

/* case_graph: the plan's graph, of which a function may have several. */
static enum opshift_status add_node(struct checking *checking, const struct conversion_plan *plan, struct graph *graph,
                                    const struct graph *case_graph, const struct node *node, struct arena *arena,
                                    struct opshift_error *error)
{
    struct planned_node found;
    char steps[160] = "";
    const struct node *planned = &case_graph->nodes[node - graph->nodes];
    enum opshift_status status = plan_find_words(plan, case_graph, planned, arena, &found, error);
    if (found.from != found.to)
        snprintf(steps, sizeof(steps), "%.80s %" PRId64 " to %" PRId64,
                 node_domain(node) == NAME_NONE ? "opset" : names_text(checking->model->names, node_domain(node)),
                 found.from, found.to);
    if (status == OPSHIFT_OK && found.why)
        status = conversion_add(checking, CONVERSION_BLOCKED, graph, node, steps, found.why, error);
    if (status == OPSHIFT_OK)
        status = add_texts(checking, CONVERSION_NOTE, graph, node, "", found.notes, found.note_count, error);
    if (status == OPSHIFT_OK)
        status = add_texts(checking, CONVERSION_DOUBT, graph, node, "assumed", found.assumptions,
                           found.assumption_count, error);
    return status;
}

static enum opshift_status add_nodes(struct checking *checking, const struct conversion_plan *plan,
                                     struct opshift_error *error)
{
    struct arena *arena = arena_new(0);
    enum opshift_status status = arena ? OPSHIFT_OK : opshift_no_memory(error);
    for (uint32_t g = 0; status == OPSHIFT_OK && g < checking->model->graph_count; g++) {
        struct graph *graph = checking->model->graphs[g];
        for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++) {
            const struct graph *planned;
            for (uint32_t k = 0; status == OPSHIFT_OK && (planned = plan_graph_find(plan, graph, k)) != NULL; k++) {
                arena_clear(arena);
                status = add_node(checking, plan, graph, planned, &graph->nodes[i], arena, error);
            }
        }
    }
    arena_free(arena);
    return status;
}

/* Reads external data as a conversion does, for lengths stored there. */
enum opshift_status conversion_check(struct checking *checking, struct opshift_error *error)
{
    const struct opshift_goal goal = {.opset = checking->options->to,
                                      .rules = checking->options->rules,
                                      .domains = checking->options->to_domains,
                                      .domain_count = checking->options->to_domain_count,
                                      .progress = checking->options->progress,
                                      .progress_data = checking->options->progress_data};
    const char *directory = checking->model->directory;
    struct conversion_plan *plan = NULL;
    struct opshift_error why = {0};
    bool useful = false;
    enum opshift_status status =
        goal.opset || goal.domain_count ? conversion_open(checking, &useful, error) : OPSHIFT_OK;
    if (status || !useful)
        return status;
    checking->model->directory = checking->directory;
    enum opshift_status planned = plan_new(checking->model, &goal, &plan, &why);
    checking->model->directory = directory;
    if (planned == OPSHIFT_OK)
        status = add_nodes(checking, plan, error);
    else if (planned == OPSHIFT_MEMORY || planned == OPSHIFT_CANCELLED)
        status = opshift_fail(error, planned, "%s", why.text);
    else
        status = conversion_add(checking, planned == OPSHIFT_NO ? CONVERSION_BLOCKED : CONVERSION_FAILED, NULL, NULL,
                                "", why.text, error);
    plan_free(plan);
    return status;
}
