/* Checks that both models are valid. The meaning of an invalid model is undefined, so it is equal to no other. */
#include "verify/valid.h"

#include <string.h>

#include "base/report.h"
#include "check/check.h"
#include "convert/plan_store.h"

/* Errors listed for one model. */
#define VALID_SHOWN 20u

static const char *finding_place(struct opshift_model *model, const struct finding *finding)
{
    return finding->graph == NULL || finding->node == NULL ? "model"
                                                           : node_place_find(model, finding->graph, finding->node);
}

static bool finding_report(struct comparison *comparison, struct opshift_model *model, const char *which,
                           const char *id, const char *place, const char *message)
{
    if (place == NULL)
        return false;
    json_t *entry = json_pack("{s:s,s:o,s:s,s:o,s:o}", "model", which, "file",
                              report_string(model->name, strlen(model->name)), "id", id, "place",
                              report_string(place, strlen(place)), "what", report_string(message, strlen(message)));
    return json_array_append_new(comparison->invalid, entry) == 0;
}

/* Formal errors that leave the meaning of the model defined: a subgraph's input with the name of an outer value,
 * unsorted nodes, a model's input or output without a type; and any in a function that nothing reaches. */
static bool is_defined_all_the_same(const struct checking *checking, const struct finding *finding)
{
    static const char *const ids[] = {"GRF009", "GRF012", "GRF041"};
    const char *id = finding->check->about.id;
    for (size_t i = 0; i < COUNT(ids); i++)
        if (strcmp(id, ids[i]) == 0)
            return true;
    return finding->graph && finding->graph->function && !scope_is_reached(checking->scopes, finding->graph->function);
}

/* Is the node one of ONNX Runtime's own operators, or one that it has before the standard? */
static bool is_of_runtime(const struct checking *checking, const struct finding *finding)
{
    const char *id = finding->check->about.id;
    if (finding->node == NULL || (strcmp(id, "OPS003") != 0 && strcmp(id, "OPS004") != 0))
        return false;
    const struct names *names = checking->model->names;
    int64_t opset = graph_opset(checking->model, finding->graph, node_domain(finding->node));
    const struct schema *schema = schema_find_later(names_text(names, node_domain(finding->node)),
                                                    names_text(names, finding->node->op_type), opset);
    return schema && ((schema->runtime && !schema->deprecated) || (schema->early && schema->early <= opset));
}

/* Does the plan tell what the node is meant as, in spite of the error? */
static bool is_meant(const struct comparison *comparison, const char *which, const struct finding *finding)
{
    if (strcmp(which, "before") != 0 || comparison->plan == NULL || finding->graph == NULL || finding->node == NULL)
        return false;
    const struct graph *planned = plan_graph_find(comparison->plan, finding->graph, 0);
    return plan_assumes_meaning(comparison->plan, planned, &planned->nodes[finding->node - finding->graph->nodes]);
}

static enum opshift_status errors_report(struct comparison *comparison, const struct checking *checking,
                                         const char *which, struct opshift_error *error)
{
    size_t shown = 0;
    bool kept = true;
    for (size_t i = 0; kept && i < checking->count && shown < VALID_SHOWN; i++) {
        const struct finding *finding = &checking->findings[i];
        if (finding->check->about.severity != OPSHIFT_SEVERITY_ERROR || is_defined_all_the_same(checking, finding) ||
            is_of_runtime(checking, finding) || is_meant(comparison, which, finding))
            continue;
        kept = finding_report(comparison, checking->model, which, finding->check->about.id,
                              finding_place(checking->model, finding), finding->message);
        shown++;
    }
    return kept ? OPSHIFT_OK : opshift_no_memory(error);
}

/* An error that ends the checks is either in the model or in the environment. */
static enum opshift_status checks_ended(struct comparison *comparison, struct opshift_model *model, const char *which,
                                        const struct opshift_error *why, struct opshift_error *error)
{
    const struct check *check = check_of_fault(why);
    if (why->status == OPSHIFT_MALFORMED || why->status == OPSHIFT_UNSUPPORTED || why->status == OPSHIFT_NO)
        return finding_report(comparison, model, which, check == NULL ? "" : check->about.id, "model", why->text)
                   ? OPSHIFT_OK
                   : opshift_no_memory(error);
    return error_give(error, why->status, why);
}

void validity_find(struct validity *validity, const struct side *side, const char *which)
{
    static const struct opshift_lint_options plain = {0};
    validity->which = which;
    validity->around = (struct surroundings){
        .model = side->model, .scopes = side->scopes, .types = side->types, .fold = side->fold, .lenient = true};
    validity->checking = (struct checking){.model = side->model,
                                           .scopes = side->scopes,
                                           .types = side->types,
                                           .around = &validity->around,
                                           .options = &plain,
                                           .arena = arena_new(0),
                                           .errors_alone = true};
    validity->why.status = validity->checking.arena == NULL ? opshift_no_memory(&validity->why)
                                                            : check_model(&validity->checking, &validity->why);
}

enum opshift_status validity_report(struct comparison *comparison, const struct validity *validity,
                                    struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (validity->why.status)
        status = checks_ended(comparison, validity->checking.model, validity->which, &validity->why, error);
    return status ? status : errors_report(comparison, &validity->checking, validity->which, error);
}

void validity_end(struct validity *validity)
{
    checking_free(&validity->checking);
    parameters_free(&validity->around);
    arena_free(validity->checking.arena);
}
