/* Walking a plan by the public interface: the fate of each node, and an unchanged model. */
#include "opshift.h"

#include <string.h>

#include "tests/tap/opened.h"
#include "tests/tap/tap.h"

static const char source[] = "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                             "net (float[6] x, int64[2] given) => (float[2] a, float[4] b, float[4] t)\n"
                             "<int64[2] l = {2, 4}> {\n"
                             "  a, c = Split <axis = 0> (x, l)\n"
                             "  b = Neg (c)\n"
                             "  t = Trilu (c)\n"
                             "}\n";

static void is_fate(const struct opshift_plan *plan, const struct opshift_model *model, size_t index,
                    enum opshift_fate wanted, const char *what)
{
    const struct opshift_graph *graph = opshift_model_graph(model);
    struct opshift_planned *planned = NULL;
    struct opshift_error error = {0};
    enum opshift_status status = opshift_plan_find(plan, graph, opshift_graph_node(graph, index), &planned, &error);
    is_int(OPSHIFT_OK, status, "%s: found %s", what, error.text);
    is_int(wanted, planned ? (int)opshift_planned_fate(planned) : -1, "%s", what);
    ok(planned && (opshift_planned_record_count(planned) > 0) == (wanted == OPSHIFT_REWRITTEN),
       "%s: nodes in its place where it is rewritten", what);
    ok(planned && (opshift_planned_why(planned) != NULL) == (wanted == OPSHIFT_BLOCKED),
       "%s: a reason where it is blocked", what);
    opshift_planned_free(planned);
}

static void test_rewritten(const struct opshift_plan *plan, const struct opshift_model *model)
{
    const struct opshift_graph *graph = opshift_model_graph(model);
    struct opshift_planned *planned = NULL;
    size_t size = 0;
    opshift_plan_find(plan, graph, opshift_graph_node(graph, 0), &planned, NULL);
    is_int(1, (int64_t)opshift_planned_count(planned, OPSHIFT_PLANNED_RULES), "one rule rewrites the Split");
    is_string("rules/opset-13/split.yaml", opshift_planned_text(planned, OPSHIFT_PLANNED_RULES, 0), "its file");
    ok(opshift_planned_text(planned, OPSHIFT_PLANNED_RULES, 1) == NULL, "and no more");
    is_int(0, (int64_t)opshift_planned_count(planned, OPSHIFT_PLANNED_ASSUMPTIONS), "nothing is assumed");
    is_int(0, (int64_t)opshift_planned_count(planned, OPSHIFT_PLANNED_NOTES), "nothing is noted");
    is_int(1, (int64_t)opshift_planned_record_count(planned), "one node stands in its place");
    ok(opshift_planned_record(planned, 0, &size) != NULL && size > 0, "as bytes");
    ok(opshift_planned_record(planned, 1, &size) == NULL && size == 0, "and no more");
    opshift_planned_free(planned);
}

int main(void)
{
    struct opshift_error error = {0};
    struct opened net;
    struct opshift_plan *plan = NULL;
    struct opshift_goal goal = {.size = sizeof(goal), .opset = 11};
    if (!text_open(source, NULL, &net) ||
        !ok(opshift_plan_new(net.model, &goal, &plan, &error) == OPSHIFT_OK, "a plan: %s", error.text))
        return done();
    is_int(1, (int64_t)opshift_plan_blocker_count(plan), "a node in the way is no failure");
    is_fate(plan, net.model, 0, OPSHIFT_REWRITTEN, "Split");
    is_fate(plan, net.model, 1, OPSHIFT_KEPT, "Neg");
    is_fate(plan, net.model, 2, OPSHIFT_BLOCKED, "Trilu, which opset 11 does not have");
    test_rewritten(plan, net.model);
    opshift_plan_free(plan);
    opshift_plan_free(NULL);
    goal.opset = 999;
    is_int(OPSHIFT_USAGE, opshift_plan_new(net.model, &goal, &plan, &error), "an opset that is not known");
    ok(plan == NULL && strncmp(error.text, "<memory>: ", 10) == 0, "in words: %s", error.text);
    text_close(&net);
    return done();
}
