/* Checks a rewritten node against the schema of its operator at the target. */
#include "convert/validity.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"

/* A draft, and the schemas of its operator at the source and at the target. */
struct judged {
    const struct planner *planner;
    const struct draft *draft;
    const struct schema *source, *target; /* source NULL: unknown there */
    bool renamed;                         /* a rule changed the node's operator */
};

bool result_may_differ(const struct schema *source, const struct schema *target)
{
    if (source == target)
        return false;
    if (target->input_max < source->input_max || target->input_min > source->input_min ||
        target->output_max < source->output_max || target->output_min > source->output_min)
        return true;
    for (uint16_t i = 0; i < source->attribute_count; i++) {
        const struct schema_attribute *attribute = &source->attributes[i];
        const struct schema_attribute *there = schema_attribute_find(target, attribute->name);
        if (there == NULL || there->type != attribute->type)
            return true;
    }
    for (uint16_t i = 0; i < target->attribute_count; i++) {
        const struct schema_attribute *attribute = &target->attributes[i];
        const struct schema_attribute *here = schema_attribute_find(source, attribute->name);
        if (attribute->required && (here == NULL || !here->required))
            return true;
    }
    return false;
}

enum opshift_status result_bug(const struct planner *planner, struct opshift_error *error, const char *format, ...)
{
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof(words), format, arguments);
    va_end(arguments);
    if (!planner->rules->shipped && planner->node.origin.count)
        return opshift_fail(error, OPSHIFT_NO, "%.120s: the result would not be valid: %s; fix the rule",
                            planner->node.origin.files[planner->node.origin.count - 1], words);
#ifdef ABORT_ON_BUG
    fprintf(stderr, "internal: the result would not be valid: %s\n", words);
    abort();
#else
    return opshift_fail(error, OPSHIFT_NO, "internal: the result would not be valid: %s; this is an error of opshift",
                        words);
#endif
}

/* ---- removed values ---------------------------------------------------------------------------------------------- */

void result_trim(struct draft *draft, const struct schema *target)
{
    while (target && draft->input_count > target->input_max && !draft_input_present(draft, draft->input_count - 1)) {
        draft->input_count--;
        draft->changed = true;
    }
    while (target && !draft->sequence && draft->output_count > target->output_max &&
           draft->outputs[draft->output_count - 1] == NAME_NONE) {
        draft->output_count--;
        draft->changed = true;
    }
}

/* ---- counts ----------------------------------------------------------------------------------------------------- */

/* Refuses missing or surplus values of the model, unless the node was invalid before. */
static enum opshift_status lacks(const struct judged *judged, struct opshift_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static enum opshift_status lacks(const struct judged *judged, struct opshift_error *error, const char *format, ...)
{
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof(words), format, arguments);
    va_end(arguments);
    return opshift_fail(error, OPSHIFT_NO, "%s-%u %s", judged->target->op_type, judged->target->since, words);
}

static enum opshift_status check_count(const struct judged *judged, bool outputs, struct opshift_error *error)
{
    const struct draft *draft = judged->draft;
    const struct schema *source = judged->source, *target = judged->target;
    const char *what = outputs ? "output" : "input";
    uint32_t count = outputs ? draft->output_count : draft->input_count;
    uint32_t before = outputs ? draft->node->output_count : draft->node->input_count;
    uint32_t least = outputs ? target->output_min : target->input_min;
    uint32_t most = outputs ? target->output_max : target->input_max;
    bool was_invalid = source && (outputs ? before < source->output_min || before > source->output_max
                                          : before < source->input_min || before > source->input_max);
    if ((count >= least && count <= most) || was_invalid)
        return OPSHIFT_OK;
    if (outputs ? count != before && source : count != before || judged->renamed)
        return result_bug(judged->planner, error, "%s-%u has %u to %u %ss, not %u", target->op_type, target->since,
                          least, most, what, count);
    if (source == NULL)
        return OPSHIFT_OK;
    if (count > most && outputs)
        return lacks(judged, error, "has %u output%s, and output %u is read; compute it otherwise, or keep the opset",
                     most, most == 1 ? "" : "s", count - 1);
    if (count > most)
        return lacks(judged, error, "has %u input%s, and the node has %u; remove the others, or keep the opset", most,
                     most == 1 ? "" : "s", count);
    return lacks(judged, error, "%s %u %s%s, and the node has %u; %s the others, or keep the opset",
                 outputs ? "gives at least" : "needs", least, what, least == 1 ? "" : "s", count,
                 outputs ? "name" : "add");
}

/* ---- inputs ----------------------------------------------------------------------------------------------------- */

static bool reads(const struct node *node, name_id name)
{
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node_inputs(node)[i] == name)
            return true;
    return false;
}

/* Checks an empty input where the schema requires one. */
static enum opshift_status check_absent(const struct judged *judged, uint32_t position,
                                        const struct schema_parameter *parameter, struct opshift_error *error)
{
    const struct node *node = judged->draft->node;
    if (parameter->option != PARAMETER_SINGLE)
        return OPSHIFT_OK;
    const struct schema_parameter *before = judged->source ? schema_input(judged->source, position) : NULL;
    bool was_empty = position < node->input_count ? node_inputs(node)[position] == NAME_NONE
                                                  : before && before->option == PARAMETER_SINGLE;
    if (!was_empty || judged->renamed)
        return result_bug(judged->planner, error, "input '%s' of %s-%u is left out", parameter->name,
                          judged->target->op_type, judged->target->since);
    if (before == NULL || before->option == PARAMETER_SINGLE)
        return OPSHIFT_OK;
    return lacks(judged, error, "needs the input '%s', which the node leaves out; give it, or keep the opset",
                 parameter->name);
}

static enum opshift_status check_value(const struct judged *judged, const struct draft_input *input,
                                       const struct schema_parameter *parameter, struct opshift_error *error)
{
    const struct draft *draft = judged->draft;
    const struct scopes *scopes = judged->planner->around.scopes;
    const struct type_set *types = schema_types(judged->target, parameter);
    if (input->kind == VALUE_LITERAL && (types->tensor >> input->literal->type & 1) == 0)
        return result_bug(judged->planner, error, "input '%s' of %s-%u would be %s", parameter->name,
                          judged->target->op_type, judged->target->since, type_name(input->literal->type));
    if (input->kind == VALUE_REFERENCE && judged->planner->plan->target < 12)
        return opshift_fail(error, OPSHIFT_NO,
                            "its value is the function's attribute '%.*s', and below opset 12 no Constant takes its "
                            "value from one; write it into the function, or go to opset 12 or up",
                            (int)(input->reference.size < 80 ? input->reference.size : 80),
                            (const char *)input->reference.data);
    if (input->kind == VALUE_NAME && !reads(draft->node, input->name) && !scope_gave(scopes, input->name) &&
        scope_find(scopes, draft->graph, input->name).kind == DEFINED_NOWHERE)
        return result_bug(judged->planner, error, "input '%s' of %s-%u would be defined nowhere", parameter->name,
                          judged->target->op_type, judged->target->since);
    return OPSHIFT_OK;
}

static enum opshift_status check_inputs(const struct judged *judged, struct opshift_error *error)
{
    const struct draft *draft = judged->draft;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->input_count; i++) {
        const struct schema_parameter *parameter = schema_input(judged->target, i);
        const struct draft_input *input = &draft->inputs[i];
        bool kept = i < draft->node->input_count && input->kind == VALUE_NAME &&
                    input->name == node_inputs(draft->node)[i] && input->name != NAME_NONE;
        if (parameter == NULL || kept)
            continue;
        status = draft_input_present(draft, i) ? check_value(judged, input, parameter, error)
                                               : check_absent(judged, i, parameter, error);
    }
    return status;
}

/* ---- attributes ------------------------------------------------------------------------------------------------- */

static bool is_of_file(const struct draft_attribute *attribute)
{
    return range_size(attribute->range) > 0 || range_record(attribute->range) > 0;
}

static enum opshift_status check_attribute(const struct judged *judged, const struct draft_attribute *attribute,
                                           struct opshift_error *error)
{
    const Onnx__AttributeProto *message = attribute->message;
    const struct schema *target = judged->target;
    char name[SCHEMA_NAME_SIZE] = ""; /* a longer name, or one with a NUL, is no operator's */
    if (message->name.len && message->name.len < sizeof(name) &&
        memchr(message->name.data, '\0', message->name.len) == NULL)
        memcpy(name, message->name.data, message->name.len);
    const struct schema_attribute *there = schema_attribute_find(target, name);
    const struct schema_attribute *here = judged->source ? schema_attribute_find(judged->source, name) : NULL;
    bool typed = message->has_type && message->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED;
    if (there && (!typed || there->type == message->type))
        return OPSHIFT_OK;
    if (!is_of_file(attribute) || attribute->changed)
        return result_bug(judged->planner, error, "%s-%u has no such attribute '%s'", target->op_type, target->since,
                          name);
    if (here == NULL || (typed && here->type != message->type))
        return OPSHIFT_OK; /* invalid before */
    return lacks(judged, error, "has no such attribute '%s', which the node has; remove it, or keep the opset", name);
}

static enum opshift_status check_required(const struct judged *judged, struct opshift_error *error)
{
    const struct schema *target = judged->target;
    for (uint16_t i = 0; i < target->attribute_count; i++) {
        const struct schema_attribute *attribute = &target->attributes[i];
        if (!attribute->required || draft_attribute_find(judged->draft, attribute->name))
            continue;
        const struct schema_attribute *here =
            judged->source ? schema_attribute_find(judged->source, attribute->name) : NULL;
        if (judged->renamed)
            return result_bug(judged->planner, error, "%s-%u needs the attribute '%s'", target->op_type, target->since,
                              attribute->name);
        if (here && here->required)
            continue; /* invalid before */
        return lacks(judged, error,
                     "needs the attribute '%s', which the node does not have; give it, or keep the opset",
                     attribute->name);
    }
    return OPSHIFT_OK;
}

struct result_schemas result_schemas_find(const struct planner *planner, const struct draft *draft)
{
    const char *before = names_text(draft->model->names, draft->node->op_type);
    return (struct result_schemas){schema_find(draft->domain, before, planner->node.move->source),
                                   schema_find(draft->domain, draft->op_type, draft->target)};
}

enum opshift_status result_check(const struct planner *planner, const struct draft *draft,
                                 const struct result_schemas *schemas, struct opshift_error *error)
{
    const char *before = names_text(draft->model->names, draft->node->op_type);
    struct judged judged = {planner, draft, schemas->source, schemas->target, strcmp(before, draft->op_type) != 0};
    if (draft->slices || draft->replacement)
        return OPSHIFT_OK; /* the node is removed */
    if (!schema_knows(draft->domain))
        return OPSHIFT_OK;
    if (judged.target == NULL && judged.source)
        return result_bug(planner, error, "opset %" PRId64 " has no %s", draft->target, draft->op_type);
    if (judged.target == NULL || schema_is_removed(judged.target))
        return judged.renamed ? result_bug(planner, error, "opset %" PRId64 " has no %s", draft->target, draft->op_type)
                              : OPSHIFT_OK;
    enum opshift_status status = check_count(&judged, false, error);
    if (status == OPSHIFT_OK && !draft->sequence)
        status = check_count(&judged, true, error);
    if (status == OPSHIFT_OK)
        status = check_inputs(&judged, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->attribute_count; i++)
        status = check_attribute(&judged, &draft->attributes[i], error);
    return status ? status : check_required(&judged, error);
}
