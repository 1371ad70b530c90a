/* OPS: existence of the operator at the opset in force, its attributes, and its numbers of inputs and outputs. */
#include <inttypes.h>
#include <string.h>

#include "check/family.h"
#include "check/fix.h"
#include "base/nearest.h"
#include "check/tables.h"
#include "check/target.h"
#include "infer/clash.h"

/* The name of the domain; ai.onnx for the empty one. */
static const char *domain_text(const struct checking *checking, name_id domain)
{
    return domain == NAME_NONE ? "ai.onnx" : checking_text(checking, domain);
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* ---- domains and opsets ---- */

static enum opshift_status domain_imported(struct checking *checking, const struct subject *subject,
                                           struct opshift_error *error)
{
    const struct opshift_model *model = checking->model;
    bool first;
    /* Missing imports and opset 0 are reported by PRT. */
    if (subject->opset || subject->graph->function || model->import_count == 0)
        return OPSHIFT_OK;
    for (uint32_t i = 0; i < model->import_count; i++)
        if (model->imports[i].domain == node_domain(subject->node))
            return OPSHIFT_OK;
    enum opshift_status status = tables_once(checking, ONCE_DOMAIN, graph_root(subject->graph)->number,
                                             node_domain(subject->node), &first, error);
    if (status || !first)
        return status;
    return finding_add(checking, subject, NULL, error,
                       "the model imports no opset of domain '%s', which this operator is of; add it to opset_import",
                       domain_text(checking, node_domain(subject->node)));
}

static enum opshift_status imports_known(struct checking *checking, const struct subject *subject,
                                         const struct opset_import *imports, uint32_t count,
                                         struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        int64_t newest = schema_newest(checking_text(checking, imports[i].domain));
        if (newest != INT64_MAX && imports[i].version > newest)
            status = finding_add(checking, subject, &imports[i].range, error,
                                 "opset %" PRId64 " of domain '%s' is not known; known are 1 to %" PRId64,
                                 imports[i].version, domain_text(checking, imports[i].domain), newest);
    }
    return status;
}

static enum opshift_status opsets_known(struct checking *checking, const struct subject *subject,
                                        struct opshift_error *error)
{
    struct opshift_model *model = checking->model;
    enum opshift_status status = imports_known(checking, subject, model->imports, model->import_count, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->function_count; i++) {
        const struct function *function = &model->functions[i];
        const struct subject here = {.graph = function->body};
        status = imports_known(checking, &here, function->imports, function->import_count, error);
    }
    return status;
}

/* ---- operators ---- */

/* Is it a node of a known domain and opset, and not a call? */
static bool is_known(const struct checking *checking, const struct subject *subject)
{
    int64_t newest = schema_newest(checking_text(checking, node_domain(subject->node)));
    return newest != INT64_MAX && subject->opset >= 1 && subject->opset <= newest && subject->callee == NULL;
}

static const char *operator_nearest(const char *domain, const char *op_type, int64_t opset)
{
    uint32_t count;
    const struct schema *all = schema_all(&count);
    struct nearest nearest;
    nearest_begin(&nearest, op_type);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(all[i].domain, domain) == 0 && all[i].since <= opset && !all[i].deprecated && all[i].runtime == NULL)
            nearest_offer(&nearest, all[i].op_type);
    return nearest.best;
}

/* Does the operator's name or domain contain a NUL? */
static bool is_cut(const struct checking *checking, const struct node *node)
{
    const struct names *names = checking->model->names;
    return names_whole(names, node->op_type) == NULL || names_whole(names, node_domain(node)) == NULL;
}

/* Do targets want this model that all have ONNX Runtime's own operators? */
static bool targets_take_own(const struct checking *checking)
{
    bool take = checking->targets != NULL;
    for (const struct target *target = checking->targets; target; target = target->next)
        take = take && target_takes(target, FEATURE_RUNTIME_OPERATORS) == TARGET_YES;
    return take;
}

/* The first version of the standard's; else the last one, from which on the runtime's is gone, too. */
static const struct schema *version_behind_own(const struct schema *own)
{
    uint32_t count;
    const struct schema *versions = schema_versions(own->domain, own->op_type, &count);
    for (uint32_t i = 0; i < count; i++)
        if (versions[i].runtime == NULL)
            return &versions[i];
    return versions[count - 1].since > versions->since ? &versions[count - 1] : NULL;
}

/* An operator that a runtime has of its own. */
static enum opshift_status operator_of_runtime(struct checking *checking, const struct subject *subject,
                                               struct opshift_error *error)
{
    const struct schema *own = subject->schema, *behind = version_behind_own(own);
    if (own->deprecated)
        return finding_add(checking, subject, NULL, error,
                           "%s is not an operator of the standard; %s has one of its own, below opset %u only",
                           own->op_type, own->runtime, own->since);
    if (targets_take_own(checking))
        return OPSHIFT_OK;
    if (behind)
        return finding_add(checking, subject, NULL, error,
                           "%s is not an operator of the standard at opset %" PRId64
                           "; %s alone takes it; convert the model to %u, which replaces it",
                           own->op_type, subject->opset, own->runtime, behind->since);
    return finding_add(checking, subject, NULL, error,
                       "%s is not an operator of the standard; %s alone takes it; lint for it with --target "
                       "onnxruntime-cpu",
                       own->op_type, own->runtime);
}

static enum opshift_status operator_exists(struct checking *checking, const struct subject *subject,
                                           struct opshift_error *error)
{
    uint32_t versions;
    const char *op_type = checking_text(checking, subject->node->op_type),
               *domain = checking_text(checking, node_domain(subject->node));
    bool cut = is_cut(checking, subject->node);
    if (subject->schema)
        return operator_of_runtime(checking, subject, error);
    if (!is_known(checking, subject) || subject->node->op_type == NAME_NONE ||
        (!cut && schema_versions(domain, op_type, &versions)))
        return OPSHIFT_OK;
    if (cut)
        return finding_add(checking, subject, NULL, error,
                           "the operator's name or its domain contains a NUL character; remove it");
    bool first;
    enum opshift_status status =
        tables_once(checking, ONCE_OPERATOR, node_domain(subject->node), subject->node->op_type, &first, error);
    /* The table is searched once per name; with many unknown names, suggestions are omitted. */
    const char *meant = status == OPSHIFT_OK && first ? operator_nearest(domain, op_type, subject->opset) : NULL;
    if (status)
        return status;
    return finding_add(checking, subject, NULL, error, "domain '%s' has no operator '%s'%s%s%s",
                       domain_text(checking, node_domain(subject->node)), op_type,
                       meant ? "; did you mean '" : "; correct the name, or set its domain", meant ? meant : "",
                       meant ? "'?" : "");
}

static enum opshift_status operator_in_force(struct checking *checking, const struct subject *subject,
                                             struct opshift_error *error)
{
    uint32_t count;
    const struct schema *meant;
    const char *op_type = checking_text(checking, subject->node->op_type),
               *domain = checking_text(checking, node_domain(subject->node));
    if (!is_known(checking, subject) || is_cut(checking, subject->node))
        return OPSHIFT_OK;
    const struct schema *versions = schema_versions(domain, op_type, &count);
    bool early = versions && versions->early && versions->early <= subject->opset;
    if (versions == NULL || (early && targets_take_own(checking)))
        return OPSHIFT_OK;
    enum opshift_status status =
        types_meant(checking->types, subject->graph, subject->node, subject->opset, &meant, error);
    if (status)
        return status;
    uint16_t from = meant ? meant->since : versions->since;
    return finding_add(checking, subject, NULL, error,
                       "%s exists from opset %u on, and opset %" PRId64 " is imported%s; convert the model to %u",
                       op_type, versions->since, subject->opset, early ? " (ONNX Runtime alone takes it there)" : "",
                       from);
}

static bool is_unknown_or_own(const struct subject *subject)
{
    return subject->schema == NULL || subject->schema->runtime;
}

static bool is_deprecated(const struct subject *subject)
{
    return subject->schema && subject->schema->runtime == NULL && schema_is_removed(subject->schema);
}

static enum opshift_status operator_supported(struct checking *checking, const struct subject *subject,
                                              struct opshift_error *error)
{
    return finding_add(checking, subject, NULL, error,
                       "%s was removed at opset %u, and opset %" PRId64 " is imported; use its replacement",
                       subject->schema->op_type, subject->schema->since, subject->opset);
}

static enum opshift_status operator_given(struct checking *checking, const struct subject *subject,
                                          struct opshift_error *error)
{
    if (subject->node->op_type != NAME_NONE)
        return OPSHIFT_OK;
    return finding_add(checking, subject, NULL, error, "the node has no operator; set op_type");
}

/* ---- attributes ---- */

const struct schema_attribute *attribute_known(const struct checking *checking, const struct subject *subject,
                                               const struct attribute_range *attribute)
{
    const char *name = names_whole(checking->model->names, attribute->name);
    return name ? schema_attribute_find(subject->schema, name) : NULL;
}

/* A version of the operator that has the attribute: the nearest later one, else the nearest earlier one. */
static const struct schema *version_with(const struct schema *schema, const char *attribute)
{
    uint32_t count;
    const struct schema *versions = schema_versions(schema->domain, schema->op_type, &count), *earlier = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (schema_attribute_find(&versions[i], attribute) == NULL)
            continue;
        if (versions[i].since > schema->since)
            return &versions[i];
        earlier = &versions[i];
    }
    return earlier;
}

/* The first opset at which a newer version applies. */
static uint16_t version_end(const struct schema *version)
{
    uint32_t count;
    const struct schema *versions = schema_versions(version->domain, version->op_type, &count);
    return version < versions + count - 1 ? version[1].since : 0;
}

/* The input that has an attribute's name; as many as the version has: none. */
static uint32_t input_named(const struct schema *schema, const char *name)
{
    uint32_t i = 0;
    while (i < schema->input_count && strcmp(schema->inputs[i].name, name) != 0)
        i++;
    return i;
}

/* OPS007: integers that an earlier version has as an attribute become an input, where it is the next one. */
static enum opshift_status attribute_to_input(struct checking *checking, const struct finding *finding,
                                              struct opshift_error *error)
{
    const struct names *names = checking->model->names;
    int64_t opset = graph_opset(checking->model, finding->graph, node_domain(finding->node));
    const char *domain = names_whole(names, node_domain(finding->node));
    const char *op_type = names_whole(names, finding->node->op_type);
    const struct schema *schema = domain && op_type ? schema_find(domain, op_type, opset) : NULL;
    struct attribute_range attribute = {.range = finding->range};
    Onnx__AttributeProto *message;
    enum opshift_status status = attribute_look(checking->model, &attribute, error);
    const char *name = status == OPSHIFT_OK ? names_whole(names, attribute.name) : NULL;
    if (name == NULL || schema == NULL)
        return status;
    uint32_t position = input_named(schema, name);
    if (position != finding->node->input_count || position >= schema->input_count || attribute.reference != NAME_NONE ||
        attribute.type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS)
        return status;
    status = attribute_decode(checking->model, &attribute, checking->scratch, &message, error);
    return status ? status
                  : fix_ints_to_input(checking, finding, attribute.range, message->ints, message->n_ints, position,
                                      name, error);
}

/* other: the version that has it. */
static enum opshift_status attribute_too_new(struct checking *checking, const struct subject *subject,
                                             const struct attribute_range *attribute, const struct schema *other,
                                             struct opshift_error *error)
{
    const struct schema *meant;
    const char *name = checking_text(checking, attribute->name), *way = "";
    enum opshift_status status =
        types_meant(checking->types, subject->graph, subject->node, subject->opset, &meant, error);
    if (status)
        return status;
    if (meant && (way = arena_print(checking->scratch, ", or convert the model to %u", meant->since)) == NULL)
        return opshift_no_memory(error);
    return finding_add(checking, subject, &attribute->range, error,
                       "%s has the attribute '%s' from opset %u on, and opset %" PRId64 " is imported; remove it%s",
                       subject->schema->op_type, name, other->since, subject->opset, way);
}

static enum opshift_status attribute_unknown(struct checking *checking, const struct subject *subject,
                                             const struct attribute_range *attribute, struct opshift_error *error)
{
    const struct schema *schema = subject->schema;
    const char *name = checking_text(checking, attribute->name);
    const struct schema *other = version_with(schema, name);
    struct nearest nearest;
    if (names_whole(checking->model->names, attribute->name) == NULL)
        return finding_add(checking, subject, &attribute->range, error,
                           "the name of attribute '%s' contains a NUL character; remove it", name);
    if (other && other->since > schema->since)
        return attribute_too_new(checking, subject, attribute, other, error);
    if (other && input_named(schema, name) < schema->input_count)
        return finding_add(checking, subject, &attribute->range, error,
                           "%s has '%s' as input %u from opset %u on, not as an attribute, and opset %" PRId64
                           " is imported; give it as that input",
                           schema->op_type, name, input_named(schema, name), version_end(other), subject->opset);
    if (other)
        return finding_add(checking, subject, &attribute->range, error,
                           "%s has no attribute '%s' from opset %u on, and opset %" PRId64
                           " is imported; write it as in this version",
                           schema->op_type, name, version_end(other), subject->opset);
    nearest_begin(&nearest, name);
    for (uint16_t i = 0; i < schema->attribute_count; i++)
        nearest_offer(&nearest, schema->attributes[i].name);
    return finding_add(checking, subject, &attribute->range, error, "%s has no attribute '%s'%s%s%s", schema->op_type,
                       name, nearest.best ? "; did you mean '" : "; remove it", nearest.best ? nearest.best : "",
                       nearest.best ? "'?" : "");
}

static enum opshift_status attributes_known(struct checking *checking, const struct subject *subject,
                                            struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < subject->attribute_count; i++)
        if (attribute_known(checking, subject, &subject->attributes[i]) == NULL)
            status = attribute_unknown(checking, subject, &subject->attributes[i], error);
    return status;
}

static bool has_attribute(const struct checking *checking, const struct subject *subject, const char *name)
{
    for (size_t i = 0; i < subject->attribute_count; i++)
        if (names_is(checking->model->names, subject->attributes[i].name, name, strlen(name)))
            return true;
    return false;
}

static bool requires_attributes(const struct subject *subject)
{
    bool required = false;
    for (uint16_t i = 0; subject->schema && i < subject->schema->attribute_count; i++)
        required = required || subject->schema->attributes[i].required;
    return required;
}

static enum opshift_status attributes_given(struct checking *checking, const struct subject *subject,
                                            struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint16_t i = 0; status == OPSHIFT_OK && i < subject->schema->attribute_count; i++) {
        const struct schema_attribute *attribute = &subject->schema->attributes[i];
        if (attribute->required && !has_attribute(checking, subject, attribute->name))
            status = finding_add(checking, subject, NULL, error, "%s-%u needs the attribute '%s'; give it",
                                 subject->schema->op_type, subject->schema->since, attribute->name);
    }
    return status;
}

static enum opshift_status attribute_types_fit(struct checking *checking, const struct subject *subject,
                                               struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < subject->attribute_count; i++) {
        const struct attribute_range *attribute = &subject->attributes[i];
        const struct schema_attribute *known = attribute_known(checking, subject, attribute);
        if (known == NULL || attribute->type == known->type ||
            attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED)
            continue;
        status = finding_add(checking, subject, &attribute->range, error,
                             "attribute '%s' is %s, and %s-%u wants %s; correct its type", known->name,
                             attribute_type_name(attribute->type, "no known type"), subject->schema->op_type,
                             subject->schema->since, attribute_type_name(known->type, "no known type"));
    }
    return status;
}

static enum opshift_status attributes_unique(struct checking *checking, const struct subject *subject,
                                             struct opshift_error *error)
{
    if (subject->attribute_count < 2)
        return OPSHIFT_OK;
    /* Finds duplicates by sorting, as a node may have many attributes. */
    name_id *sorted = arena_alloc(checking->scratch, subject->attribute_count, sizeof(*sorted));
    enum opshift_status status = OPSHIFT_OK;
    if (sorted == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < subject->attribute_count; i++)
        sorted[i] = subject->attributes[i].name;
    names_sort(sorted, subject->attribute_count);
    for (size_t i = 1; status == OPSHIFT_OK && i < subject->attribute_count; i++)
        if (sorted[i] == sorted[i - 1] && (i < 2 || sorted[i] != sorted[i - 2]))
            status = finding_add(checking, subject, NULL, error,
                                 "attribute '%s' is given more than once; keep the intended one",
                                 checking_text(checking, sorted[i]));
    return status;
}

/* ---- inputs and outputs ---- */

static enum opshift_status count_fits(struct checking *checking, const struct subject *subject, const char *what,
                                      uint32_t count, uint32_t least, uint32_t most, struct opshift_error *error)
{
    const struct schema *schema = subject->schema;
    if (count < least)
        return finding_add(checking, subject, NULL, error, "%s-%u needs at least %u %s%s and has %u; give the others",
                           schema->op_type, schema->since, least, what, plural(least), count);
    if (count <= most)
        return OPSHIFT_OK;
    const struct schema *meant;
    enum opshift_status status =
        types_meant(checking->types, subject->graph, subject->node, subject->opset, &meant, error);
    if (status)
        return status;
    if (meant)
        return finding_add(
            checking, subject, NULL, error,
            "%s-%u has at most %u %s%s, not %u; remove the others, or convert the model to %u, which takes "
            "them",
            schema->op_type, schema->since, most, what, plural(most), count, meant->since);
    return finding_add(checking, subject, NULL, error, "%s-%u has at most %u %s%s, not %u; remove the others",
                       schema->op_type, schema->since, most, what, plural(most), count);
}

/* Empty names at the end count too, as the operator has no input that they could omit. */
static enum opshift_status inputs_fit(struct checking *checking, const struct subject *subject,
                                      struct opshift_error *error)
{
    return count_fits(checking, subject, "input", subject->node->input_count, subject->schema->input_min,
                      subject->schema->input_max, error);
}

static enum opshift_status inputs_present(struct checking *checking, const struct subject *subject,
                                          struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < subject->node->input_count; i++) {
        const struct schema_parameter *parameter = schema_input(subject->schema, i);
        bool needed = parameter && (parameter->option == PARAMETER_SINGLE || i < subject->schema->input_min);
        if (needed && parameter->option != PARAMETER_OPTIONAL && node_inputs(subject->node)[i] == NAME_NONE)
            status = finding_add(checking, subject, NULL, error,
                                 "input %u ('%s') of %s-%u is omitted, but it is required; add it", i, parameter->name,
                                 subject->schema->op_type, subject->schema->since);
    }
    return status;
}

static enum opshift_status outputs_fit(struct checking *checking, const struct subject *subject,
                                       struct opshift_error *error)
{
    return count_fits(checking, subject, "output", subject->node->output_count, subject->schema->output_min,
                      subject->schema->output_max, error);
}

/* ---- related outputs ---- */

static bool output_named(const struct node *node, uint32_t position)
{
    return position < node->output_count && node_outputs(node)[position] != NAME_NONE;
}

/* Before opset 14: only Y, or all five outputs. */
static enum opshift_status old_statistics(struct checking *checking, const struct subject *subject,
                                          struct opshift_error *error)
{
    uint32_t given = 0, missing = 0;
    for (uint32_t i = 1; i < 5; i++) {
        given += output_named(subject->node, i);
        missing = missing || output_named(subject->node, i) ? missing : i;
    }
    if (given == 0 || missing == 0)
        return OPSHIFT_OK;
    return finding_add(checking, subject, NULL, error,
                       "BatchNormalization-%u has only its first output, or all five, but output %u is omitted; name "
                       "all, or only the first",
                       subject->schema->since, missing);
}

/* Since opset 14: only Y, and in training mode running mean and variance. */
static enum opshift_status new_statistics(struct checking *checking, const struct subject *subject,
                                          struct opshift_error *error)
{
    struct inference *inference;
    int64_t training;
    bool given = output_named(subject->node, 1) || output_named(subject->node, 2);
    enum opshift_status status = given ? checking_infer(checking, subject, &inference, error) : OPSHIFT_OK;
    if (status || !given || !operation_int(&inference->operation, ATTRIBUTE_TRAINING_MODE, &training) || training != 0)
        return status;
    return finding_add(checking, subject, NULL, error,
                       "BatchNormalization-%u has one output if training_mode is 0, but others are named; remove them, "
                       "or set training_mode",
                       subject->schema->since);
}

static enum opshift_status outputs_together(struct checking *checking, const struct subject *subject,
                                            struct opshift_error *error)
{
    return subject->schema->since < 14 ? old_statistics(checking, subject, error)
                                       : new_statistics(checking, subject, error);
}

const struct check checks_operator_form[] = {
    {CHECK(OPS001), .scope = CHECK_NODE, .find = domain_imported},
    {CHECK(OPS002), .scope = CHECK_MODEL, .find = opsets_known},
    {CHECK(OPS003), .scope = CHECK_NODE, .concerns = is_unknown_or_own, .find = operator_exists},
    {CHECK(OPS004), .scope = CHECK_NODE, .concerns = subject_has_no_schema, .find = operator_in_force},
    {CHECK(OPS005), .scope = CHECK_NODE, .concerns = is_deprecated, .find = operator_supported},
    {CHECK(OPS006), .scope = CHECK_NODE, .find = operator_given},
    {CHECK(OPS007), FIXED_BY(attribute_to_input), .scope = CHECK_NODE, .concerns = subject_has_schema,
     .of_attributes = true, .find = attributes_known},
    {CHECK(OPS008), .scope = CHECK_NODE, .relies_on = IDS(OPS007), .concerns = requires_attributes,
     .find = attributes_given},
    {CHECK(OPS009), .scope = CHECK_NODE, .concerns = subject_has_schema, .of_attributes = true,
     .find = attribute_types_fit},
    {CHECK(OPS010), .scope = CHECK_NODE, .of_attributes = true, .find = attributes_unique},
    {CHECK(OPS012), .scope = CHECK_NODE, .concerns = subject_has_schema, .find = inputs_fit},
    {CHECK(OPS013), .scope = CHECK_NODE, .concerns = subject_has_schema, .find = inputs_present},
    {CHECK(OPS014), .scope = CHECK_NODE, .concerns = subject_has_schema, .find = outputs_fit},
    {CHECK(OPS021), .scope = CHECK_NODE, .relies_on = IDS(OPS014), .operator_type = "BatchNormalization",
     .find = outputs_together},
    {0},
};
