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

#define HEAD_L "<ir_version: 8, opset_import: [\"\" : 13, \"l\" : 1]>\n"
#define MAIN   "g (float[2] x) => (float[2] y) { y = l.F (x) }\n"
#define F      "<domain: \"l\", opset_import: [\"\" : 13]>\nF "
#define ALPHA  "(a) => (b) { b = LeakyRelu <alpha: float = @alpha> (a) }"

const struct check checks_graph_function[] = {
    {ERROR(GRF017, "duplicate-function", "two functions have the same domain, name and overload"),
     .about.why = "Which of them is called depends on the runtime.",
     .about.mend = "Remove one of them, or rename it and its calls.",
     .about.before = HEAD_L MAIN F "(a) => (b) { b = Neg (a) }\n" F "(a) => (b) { b = Abs (a) }",
     .about.after = HEAD_L MAIN F "(a) => (b) { b = Neg (a) }", .scope = CHECK_MODEL, .find = functions_unique},
    {ERROR(GRF018, "recursive-function", "a function calls itself, directly or through others"),
     .about.why = "A call is replaced by the function's body, which would never end. Use a Loop node for a loop.",
     .about.runtimes = "ONNX Runtime refuses the model, or hangs when loading it.",
     .about.mend = "Remove the call from the body.",
     .about.before = HEAD_L MAIN "<domain: \"l\", opset_import: [\"\" : 13, \"l\" : 1]>\nF (a) => (b) { b = l.F (a) }",
     .about.after = HEAD_L MAIN F "(a) => (b) { b = Neg (a) }", .scope = CHECK_MODEL, .find = functions_end},
    {ERROR(GRF019, "unknown-function", "a call of a function that the model does not have"),
     .about.why = "The model contains functions of this domain, but not this one.",
     .about.runtimes = "A runtime refuses the model unless it has an operator of that name.",
     .about.mend = "Correct the name, or add the function.",
     .about.before = HEAD_L "g (float[2] x) => (float[2] y) { y = l.Square (x) }\n"
                            "<domain: \"l\", opset_import: [\"\" : 13]>\nSqare (a) => (b) { b = Mul (a, a) }",
     .about.after = HEAD_L "g (float[2] x) => (float[2] y) { y = l.Square (x) }\n"
                           "<domain: \"l\", opset_import: [\"\" : 13]>\nSquare (a) => (b) { b = Mul (a, a) }",
     .scope = CHECK_NODE, .concerns = may_miss_callee, .find = callee_exists},
    {ERROR(GRF020, "undeclared-reference", "an attribute refers to an attribute that the function does not declare"),
     .about.why = "No call can give it a value.",
     .about.mend = "Declare the attribute in the function, or replace the reference by a value.",
     .about.before = HEAD_L "g (float[2] x) => (float[2] y) { y = l.F (x) }\n" F ALPHA,
     .about.after = HEAD_L "g (float[2] x) => (float[2] y) { y = l.F <alpha = 0.1> (x) }\n" F "<alpha> " ALPHA,
     .scope = CHECK_NODE, .of_attributes = true, .find = references_declared},
    {ERROR(GRF021, "stray-reference", "an attribute outside a function refers to a function's attribute"),
     .about.why = "Only the body of a function can refer to the attributes of a call.",
     .about.mend = "Give the attribute a value.",
     .about.before = HEAD13 "g (float[2] x) => (float[2] y) { y = LeakyRelu <alpha: float = @alpha> (x) }",
     .about.after = HEAD13 "g (float[2] x) => (float[2] y) { y = LeakyRelu <alpha = 0.1> (x) }", .scope = CHECK_NODE,
     .of_attributes = true, .find = references_inside},
    {ERROR(GRF022, "call-attribute-unknown", "a call gives an attribute that the function does not have"),
     .about.why = "The value has no effect, and the intended attribute keeps its default.",
     .about.mend = "Correct the name, remove it, or declare it in the function.",
     .about.before = HEAD_L "g (float[2] x) => (float[2] y) { y = l.F <beta = 0.1> (x) }\n"
                            "<domain: \"l\", opset_import: [\"\" : 13]>\nF (a) => (b) { b = Neg (a) }",
     .about.after = HEAD_L MAIN F "(a) => (b) { b = Neg (a) }", .scope = CHECK_NODE, .concerns = subject_has_callee,
     .of_attributes = true, .find = call_attributes_known},
    {ERROR(GRF023, "call-attribute-missing", "a call omits an attribute that the function requires"),
     .about.why =
         "An attribute that is neither given nor has a default is absent in the body, and an operator there needs it.",
     .about.mend = "Set it in the call, or give it a default in the function.",
     .about.before =
         HEAD_L "g (float[2] x) => (int32[2] y) { y = l.F (x) }\n"
                "<domain: \"l\", opset_import: [\"\" : 13]>\nF <to> (a) => (b) { b = Cast <to: int = @to> (a) }",
     .about.after =
         HEAD_L "g (float[2] x) => (int32[2] y) { y = l.F <to = 6> (x) }\n"
                "<domain: \"l\", opset_import: [\"\" : 13]>\nF <to> (a) => (b) { b = Cast <to: int = @to> (a) }",
     .scope = CHECK_NODE, .concerns = subject_has_callee, .find = call_attributes_given},
    {ERROR(GRF024, "call-arity", "a call has more inputs or outputs than the function"),
     .about.why = "The additional ones have no parameter.",
     .about.mend = "Remove the additional ones, or add parameters to the function.",
     .about.before = HEAD_L "g (float[2] x) => (float[2] y) { y = l.F (x, x) }\n" F "(a) => (b) { b = Neg (a) }",
     .about.after = HEAD_L MAIN F "(a) => (b) { b = Neg (a) }", .scope = CHECK_NODE, .concerns = subject_has_callee,
     .find = call_fits},
    {WARNING(GRF025, "call-short", "a call has fewer inputs than the function"),
     .about.why = "The other parameters have no value, which is valid only if every node that reads them accepts that.",
     .about.mend = "Give all inputs; write an empty name for an input that is omitted on purpose.",
     .about.before = HEAD_L "g (float[2] x) => (float[2] y) { y = l.F (x) }\n" F "(a, c) => (b) { b = Add (a, c) }",
     .about.after = HEAD_L "g (float[2] x) => (float[2] y) { y = l.F (x, x) }\n" F "(a, c) => (b) { b = Add (a, c) }",
     .scope = CHECK_NODE, .concerns = subject_has_callee, .find = call_complete},
    {ERROR(GRF026, "function-import", "a function does not import the domain of an operator in its body"),
     .about.why = "The model's imports do not apply inside a function: the version of the operator is undefined. Only "
                  "the first operator of the domain is reported.",
     .about.mend = "Add the domain to the function's opset_import.",
     .about.before = HEAD_L MAIN "<domain: \"l\">\nF (a) => (b) { b = Neg (a) }",
     .about.after = HEAD_L MAIN F "(a) => (b) { b = Neg (a) }", .scope = CHECK_NODE, .find = domains_imported},
    {ERROR(GRF027, "function-opset", "a function imports another opset, in which one of its operators differs"),
     .about.why = "A function may import another opset than the model only if all its operators are the same in both.",
     .about.runtimes = "onnx.checker refuses the model; a runtime that inlines the function uses the model's opset.",
     .about.mend = "Write the function for the model's opset, or convert the model.",
     .about.before = HEAD_L MAIN "<domain: \"l\", opset_import: [\"\" : 12]>\nF (a) => (b) { b = Softmax (a) }",
     .about.after = HEAD_L MAIN F "(a) => (b) { b = Softmax (a) }", .scope = CHECK_NODE, .concerns = subject_has_schema,
     .find = opsets_agree},
    {0},
};
