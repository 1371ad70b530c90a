/* GRF: model-local functions and their calls (ONNX IR.md, "Functions"). */
#include <inttypes.h>

#include "check/family.h"
#include "base/nearest.h"
#include "check/tables.h"

/* ---- function definitions ---- */

static enum opshift_status functions_unique(struct checking *checking, const struct subject *subject,
                                            struct opshift_error *error)
{
    struct opshift_model *model = checking->model;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->function_count; i++) {
        const struct function *function = &model->functions[i];
        /* The search finds one of the equal functions; all others are reported. */
        struct inside inside = {.domain = function->domain, .overload = function->overload};
        name_id room[INSIDE_ROOM];
        struct node call = {.op_type = function->name, .names = room + INSIDE_ROOM};
        node_set_inside(&call, &inside);
        const struct subject here = {.graph = function->body};
        if (scope_callee(checking->scopes, &call) != function)
            status = finding_add(checking, &here, NULL, error,
                                 "there is another function '%s' of domain '%s' and overload '%s'; rename one of them",
                                 checking_text(checking, function->name), checking_text(checking, function->domain),
                                 checking_text(checking, function->overload));
    }
    return status;
}

enum colour { WHITE, GREY, BLACK };

struct visit {
    const struct function *function;
    uint32_t next; /* next caller to visit */
};

/* Depth-first search from a function to its callers; reaching a caller on the current path closes a cycle. */
static enum opshift_status callers_visit(struct checking *checking, struct visit *path, uint8_t *colours,
                                         const struct function *start, struct opshift_error *error)
{
    const struct function *functions = checking->model->functions;
    enum opshift_status status = OPSHIFT_OK;
    size_t depth = 0;
    path[depth++] = (struct visit){start, 0};
    colours[start - functions] = GREY;
    while (status == OPSHIFT_OK && depth) {
        struct visit *visit = &path[depth - 1];
        uint32_t count;
        const struct call *calls = scope_calls(checking->scopes, visit->function, &count);
        if (visit->next == count) {
            colours[visit->function - functions] = BLACK;
            depth--;
            continue;
        }
        const struct call *call = &calls[visit->next++];
        const struct function *caller = call->graph->function;
        if (caller && colours[caller - functions] == WHITE) {
            colours[caller - functions] = GREY;
            path[depth++] = (struct visit){caller, 0};
        } else if (caller && colours[caller - functions] == GREY) {
            struct subject subject = {.graph = call->graph, .node = &call->graph->nodes[call->node]};
            status = finding_add(checking, &subject, NULL, error,
                                 "function '%s' calls itself%s%s; remove the call: functions must not be recursive",
                                 checking_text(checking, caller->name), caller == visit->function ? "" : " through ",
                                 caller == visit->function ? "" : checking_text(checking, visit->function->name));
        }
    }
    return status;
}

static enum opshift_status functions_end(struct checking *checking, const struct subject *subject,
                                         struct opshift_error *error)
{
    struct opshift_model *model = checking->model;
    uint8_t *colours = arena_alloc(checking->scratch, model->function_count, 1);
    struct visit *path = arena_alloc(checking->scratch, model->function_count, sizeof(*path));
    if (colours == NULL || path == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->function_count; i++)
        if (colours[i] == WHITE)
            status = callers_visit(checking, path, colours, &model->functions[i], error);
    return status;
}

/* ---- inside a function ---- */

static enum opshift_status is_parameter(struct checking *checking, const struct function *function, name_id name,
                                        bool *is, struct opshift_error *error)
{
    const name_id *defaults;
    enum opshift_status status = function_defaults(checking, function, &defaults, error);
    *is = false;
    for (uint32_t i = 0; i < function->attribute_count; i++)
        *is = *is || function->attributes[i] == name;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < function->default_count; i++)
        *is = *is || defaults[i] == name;
    return status;
}

static enum opshift_status references_declared(struct checking *checking, const struct subject *subject,
                                               struct opshift_error *error)
{
    const struct function *function = subject->graph->function;
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; function && status == OPSHIFT_OK && i < subject->attribute_count; i++) {
        const struct attribute_range *attribute = &subject->attributes[i];
        bool is;
        if (attribute->reference == NAME_NONE)
            continue;
        status = is_parameter(checking, function, attribute->reference, &is, error);
        if (status == OPSHIFT_OK && !is)
            status =
                finding_add(checking, subject, &attribute->range, error,
                            "attribute '%s' stands for '%s', which the function does not declare; declare it",
                            checking_text(checking, attribute->name), checking_text(checking, attribute->reference));
    }
    return status;
}

static enum opshift_status references_inside(struct checking *checking, const struct subject *subject,
                                             struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && subject->graph->function == NULL && i < subject->attribute_count; i++)
        if (subject->attributes[i].reference != NAME_NONE)
            status = finding_add(
                checking, subject, &subject->attributes[i].range, error,
                "attribute '%s' refers to a function's attribute '%s', but is not in a function; give it a value",
                checking_text(checking, subject->attributes[i].name),
                checking_text(checking, subject->attributes[i].reference));
    return status;
}

static enum opshift_status domains_imported(struct checking *checking, const struct subject *subject,
                                            struct opshift_error *error)
{
    bool first;
    if (subject->graph->function == NULL || subject->opset)
        return OPSHIFT_OK;
    enum opshift_status status = tables_once(checking, ONCE_DOMAIN, graph_root(subject->graph)->number,
                                             node_domain(subject->node), &first, error);
    if (status || !first)
        return status;
    return finding_add(
        checking, subject, NULL, error,
        "the function imports no opset of domain '%s', which this operator is of; add it to opset_import",
        checking_text(checking, node_domain(subject->node)));
}

static enum opshift_status opsets_agree(struct checking *checking, const struct subject *subject,
                                        struct opshift_error *error)
{
    struct opshift_model *model = checking->model;
    const struct schema *schema = subject->schema;
    if (subject->graph->function == NULL)
        return OPSHIFT_OK;
    int64_t there = graph_opset(model, model->main, node_domain(subject->node));
    if (there == 0 || there == subject->opset || schema_find(schema->domain, schema->op_type, there) == schema)
        return OPSHIFT_OK;
    return finding_add(checking, subject, NULL, error,
                       "the function imports opset %" PRId64 " and the model opset %" PRId64
                       ", and %s is not the same at both; write the function for opset %" PRId64,
                       subject->opset, there, schema->op_type, there);
}

/* ---- calls ---- */

static bool may_miss_callee(const struct subject *subject)
{
    return subject->schema == NULL && subject->callee == NULL;
}

static enum opshift_status callee_exists(struct checking *checking, const struct subject *subject,
                                         struct opshift_error *error)
{
    struct opshift_model *model = checking->model;
    const struct node *node = subject->node;
    const char *domain = checking_text(checking, node_domain(node));
    if (node->op_type == NAME_NONE || !domain_has_functions(checking->tables, node_domain(node)) ||
        schema_newest(domain) != INT64_MAX)
        return OPSHIFT_OK;
    struct nearest nearest;
    bool overloaded = false;
    nearest_begin(&nearest, checking_text(checking, node->op_type));
    for (uint32_t i = 0; i < model->function_count; i++) {
        const struct function *function = &model->functions[i];
        if (function->domain == node_domain(node) && function->name != node->op_type)
            nearest_offer(&nearest, checking_text(checking, function->name));
        overloaded = overloaded || (function->domain == node_domain(node) && function->name == node->op_type);
    }
    if (overloaded)
        return finding_add(
            checking, subject, NULL, error, "function '%s' of domain '%s' has no overload '%s'; call one that it has",
            checking_text(checking, node->op_type), domain, checking_text(checking, node_overload(node)));
    return finding_add(checking, subject, NULL, error, "the model has no function '%s' of domain '%s'%s%s%s",
                       checking_text(checking, node->op_type), domain,
                       nearest.best ? "; did you mean '" : "; add it, or call another one",
                       nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
}

static enum opshift_status call_attributes_known(struct checking *checking, const struct subject *subject,
                                                 struct opshift_error *error)
{
    const struct function *callee = subject->callee;
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < subject->attribute_count; i++) {
        bool is;
        status = is_parameter(checking, callee, subject->attributes[i].name, &is, error);
        if (status == OPSHIFT_OK && !is)
            status = finding_add(checking, subject, &subject->attributes[i].range, error,
                                 "function '%s' has no attribute '%s'; remove it, or declare it there",
                                 checking_text(checking, callee->name),
                                 checking_text(checking, subject->attributes[i].name));
    }
    return status;
}

/* An attribute that is neither given nor has a default is absent in the body (ONNX, IR.md), where an operator may
 * require it. */
static enum opshift_status call_attributes_given(struct checking *checking, const struct subject *subject,
                                                 struct opshift_error *error)
{
    const struct function *callee = subject->callee;
    const struct function_needs *needs = NULL;
    enum opshift_status status =
        callee->attribute_count ? function_needs_find(checking, callee, &needs, error) : OPSHIFT_OK;
    for (uint32_t i = 0; needs && status == OPSHIFT_OK && i < needs->count; i++) {
        bool given = false;
        for (size_t k = 0; !given && k < subject->attribute_count; k++)
            given = subject->attributes[k].name == needs->names[i];
        if (!given)
            status = finding_add(
                checking, subject, NULL, error,
                "attribute '%s' of function '%s' is not given, and an operator in the function requires it; add it",
                checking_text(checking, needs->names[i]), checking_text(checking, callee->name));
    }
    return status;
}

static enum opshift_status call_fits(struct checking *checking, const struct subject *subject,
                                     struct opshift_error *error)
{
    const struct function *callee = subject->callee;
    enum opshift_status status = OPSHIFT_OK;
    if (subject->node->input_count > callee->body->input_count)
        status = finding_add(
            checking, subject, NULL, error, "the call gives %u inputs, and function '%s' takes %u; remove the others",
            subject->node->input_count, checking_text(checking, callee->name), callee->body->input_count);
    if (status == OPSHIFT_OK && subject->node->output_count > callee->body->output_count)
        status = finding_add(
            checking, subject, NULL, error, "the call has %u outputs, and function '%s' gives %u; remove the others",
            subject->node->output_count, checking_text(checking, callee->name), callee->body->output_count);
    return status;
}

static enum opshift_status call_complete(struct checking *checking, const struct subject *subject,
                                         struct opshift_error *error)
{
    const struct function *callee = subject->callee;
    if (subject->node->input_count >= callee->body->input_count)
        return OPSHIFT_OK;
    return finding_add(checking, subject, NULL, error,
                       "the call gives %u inputs, and function '%s' takes %u; give the others, or write empty names "
                       "for intended omissions",
                       subject->node->input_count, checking_text(checking, callee->name), callee->body->input_count);
}

const struct check checks_graph_function[] = {
    {CHECK(GRF017), .scope = CHECK_MODEL, .find = functions_unique},
    {CHECK(GRF018), .scope = CHECK_MODEL, .find = functions_end},
    {CHECK(GRF019), .scope = CHECK_NODE, .concerns = may_miss_callee, .find = callee_exists},
    {CHECK(GRF020), .scope = CHECK_NODE, .of_attributes = true, .find = references_declared},
    {CHECK(GRF021), .scope = CHECK_NODE, .of_attributes = true, .find = references_inside},
    {CHECK(GRF022), .scope = CHECK_NODE, .concerns = subject_has_callee, .of_attributes = true,
     .find = call_attributes_known},
    {CHECK(GRF023), .scope = CHECK_NODE, .concerns = subject_has_callee, .find = call_attributes_given},
    {CHECK(GRF024), .scope = CHECK_NODE, .concerns = subject_has_callee, .find = call_fits},
    {CHECK(GRF025), .scope = CHECK_NODE, .concerns = subject_has_callee, .find = call_complete},
    {CHECK(GRF026), .scope = CHECK_NODE, .find = domains_imported},
    {CHECK(GRF027), .scope = CHECK_NODE, .concerns = subject_has_schema, .find = opsets_agree},
    {0},
};
