/* Prints what a conversion would make of each node, without doing it: plan MODEL.onnx OPSET */
#include <opshift.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const fates[] = {[OPSHIFT_KEPT] = "kept",
                                    [OPSHIFT_REWRITTEN] = "rewritten",
                                    [OPSHIFT_REMOVED] = "removed",
                                    [OPSHIFT_BLOCKED] = "blocked"};

static enum opshift_status print_node(struct opshift_model *model, const struct opshift_plan *plan,
                                      const struct opshift_graph *graph, const struct opshift_node *node,
                                      struct opshift_error *error)
{
    struct opshift_planned *planned = NULL;
    enum opshift_status status = opshift_plan_find(plan, graph, node, &planned, error);
    if (status != OPSHIFT_OK)
        return status;
    printf("%s: %s", opshift_node_operator(model, node), fates[opshift_planned_fate(planned)]);
    for (size_t i = 0; i < opshift_planned_count(planned, OPSHIFT_PLANNED_RULES); i++)
        printf(" %s", opshift_planned_text(planned, OPSHIFT_PLANNED_RULES, i));
    if (opshift_planned_fate(planned) == OPSHIFT_REWRITTEN)
        printf(": nodes in its place: %zu", opshift_planned_record_count(planned));
    if (opshift_planned_why(planned) != NULL)
        printf(": %s", opshift_planned_why(planned));
    putchar('\n');
    opshift_planned_free(planned);
    return OPSHIFT_OK;
}

static enum opshift_status print_graph(struct opshift_model *model, const struct opshift_plan *plan,
                                       const struct opshift_graph *graph, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < opshift_graph_node_count(graph); i++) {
        const struct opshift_node *node = opshift_graph_node(graph, i);
        status = print_node(model, plan, graph, node, error);
        for (size_t j = 0; status == OPSHIFT_OK && j < opshift_node_graph_count(node); j++)
            status = print_graph(model, plan, opshift_node_graph(node, j), error);
    }
    return status;
}

int main(int argc, char **argv)
{
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    struct opshift_plan *plan = NULL;
    if (argc != 3) {
        fputs("usage: plan MODEL.onnx OPSET\n", stderr);
        return 2;
    }
    struct opshift_goal goal = {.size = sizeof(goal), .opset = strtol(argv[2], NULL, 10)};
    enum opshift_status status = opshift_model_open(argv[1], NULL, &model, &error);
    if (status == OPSHIFT_OK)
        status = opshift_plan_new(model, &goal, &plan, &error);
    if (status == OPSHIFT_OK)
        status = print_graph(model, plan, opshift_model_graph(model), &error);
    if (status == OPSHIFT_OK)
        printf("nodes in the way: %zu\n", opshift_plan_blocker_count(plan));
    else
        fprintf(stderr, "%s\n", error.text);
    opshift_plan_free(plan);
    opshift_model_free(model);
    return status == OPSHIFT_OK ? 0 : 1;
}
