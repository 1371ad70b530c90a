/* OPS: types of inputs, and values of attributes. */
#include <string.h>

#include "check/family.h"

#include "infer/clash.h"
#include "kernel/facts.h"

/* ---- element types ---- */

/* "float, double, int32 or int64"; long lists are cut. NULL: no memory. */
static const char *types_text(struct checking *checking, const struct type_set *types)
{
    char *words = arena_print(checking->scratch, "%s", "");
    uint32_t shown = 0;
    for (int type = 1; words && type < OPSHIFT_TYPE_COUNT; type++)
        if (types->tensor >> type & 1 && shown++ < 20)
            words =
                arena_print(checking->scratch, "%s%s%s", words, *words ? ", " : "", type_name((enum opshift_type)type));
    for (const char *const *other = types->others; words && *other != NULL && shown < 20; other++, shown++)
        words = arena_print(checking->scratch, "%s%s%s", words, *words ? ", " : "", *other);
    return words;
}

/* The element type of an input; UNDEFINED: unknown, or the input is not a tensor. */
static enum opshift_status input_type(struct checking *checking, const struct subject *subject, uint32_t input,
                                      enum opshift_type *type, struct opshift_error *error)
{
    struct value_type found;
    enum opshift_status status =
        types_find(checking->types, subject->graph, node_inputs(subject->node)[input], &found, error);
    *type = found.is_tensor ? found.type : OPSHIFT_TYPE_UNDEFINED;
    return status;
}

/* The version that takes the node is named, too. */
static enum opshift_status input_type_report(struct checking *checking, const struct subject *subject, uint32_t input,
                                             enum opshift_type type, struct opshift_error *error)
{
    const struct schema *schema = subject->schema, *meant;
    const struct schema_parameter *parameter = schema_input(schema, input);
    enum opshift_status status =
        types_meant(checking->types, subject->graph, subject->node, subject->opset, &meant, error);
    const char *words = types_text(checking, schema_types(schema, parameter));
    if (status)
        return status;
    if (words && meant)
        words = arena_print(checking->scratch, "%s; convert the model to %u, where it takes %s", words, meant->since,
                            type_name(type));
    if (words == NULL)
        return opshift_no_memory(error);
    return finding_add(checking, subject, NULL, error,
                       "input %u ('%s') is %s, which is not a type of %s-%u there; it takes %s", input, parameter->name,
                       type_name(type), schema->op_type, schema->since, words);
}

static enum opshift_status input_types_fit(struct checking *checking, const struct subject *subject,
                                           struct opshift_error *error)
{
    enum opshift_type *said = NULL;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < subject->node->input_count; i++) {
        const struct schema_parameter *parameter = schema_input(subject->schema, i);
        enum opshift_type type = OPSHIFT_TYPE_UNDEFINED;
        status = input_type(checking, subject, i, &type, error);
        if (parameter == NULL || type == OPSHIFT_TYPE_UNDEFINED)
            continue;
        const struct type_set *allowed = schema_types(subject->schema, parameter);
        if (allowed->tensor >> type & 1)
            continue;
        if (said == NULL)
            said = arena_alloc(checking->scratch, subject->schema->variable_count, sizeof(*said));
        if (said == NULL)
            return opshift_no_memory(error);
        if (said[parameter->variable] == type)
            continue;
        said[parameter->variable] = type; /* another input with this variable and type would repeat the finding */
        status = input_type_report(checking, subject, i, type, error);
    }
    return status;
}

static bool variable_is_an_inputs(const struct schema *schema, uint8_t variable)
{
    for (uint16_t i = 0; i < schema->input_count; i++)
        if (schema->inputs[i].variable == variable)
            return true;
    return false;
}

/* Only where an attribute alone determines the output's type; else the input has the finding. */
static bool has_own_type(const struct schema *schema, const struct schema_parameter *output)
{
    return output && !variable_is_an_inputs(schema, output->variable);
}

/* Is there such an output? Constant's has its own check. */
static bool has_own_types(const struct subject *subject)
{
    const struct schema *schema = subject->schema;
    bool has = false;
    if (schema == NULL || schema->id == OPERATOR_CONSTANT)
        return false;
    for (uint16_t i = 0; i < schema->output_count; i++)
        has = has || has_own_type(schema, &schema->outputs[i]);
    return has;
}

static enum opshift_status output_types_fit(struct checking *checking, const struct subject *subject,
                                            struct opshift_error *error)
{
    const struct node *node = subject->node;
    const struct type_pair *outputs;
    enum opshift_status status = checking_outputs(checking, subject, &outputs, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->output_count; i++) {
        const struct schema_parameter *parameter = schema_output(subject->schema, i);
        if (node_outputs(node)[i] == NAME_NONE || !has_own_type(subject->schema, parameter))
            continue;
        const struct type_set *allowed = schema_types(subject->schema, parameter);
        const struct value_type *type = outputs[i].found;
        if (!type->is_tensor || type->type == OPSHIFT_TYPE_UNDEFINED || allowed->tensor >> type->type & 1)
            continue;
        const char *words = types_text(checking, allowed);
        status = words
                     ? finding_add(checking, subject, NULL, error,
                                   "output %u ('%s') is %s, which %s-%u does not give; it gives %s", i, parameter->name,
                                   type_name(type->type), subject->schema->op_type, subject->schema->since, words)
                     : opshift_no_memory(error);
    }
    return status;
}

/* The first input of a type variable; type UNDEFINED: there was none yet. */
struct typed_input {
    enum opshift_type type;
    uint32_t position;
};

/* Requires inputs of one type variable to have one type; reports the first that differs. */
static enum opshift_status input_types_agree(struct checking *checking, const struct subject *subject,
                                             struct opshift_error *error)
{
    if (subject->node->input_count < 2)
        return OPSHIFT_OK;
    struct typed_input *first = arena_alloc(checking->scratch, subject->schema->variable_count, sizeof(*first));
    enum opshift_status status = first ? OPSHIFT_OK : opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < subject->node->input_count; i++) {
        const struct schema_parameter *parameter = schema_input(subject->schema, i);
        enum opshift_type type = OPSHIFT_TYPE_UNDEFINED;
        status = input_type(checking, subject, i, &type, error);
        if (parameter == NULL || !parameter->homogeneous || type == OPSHIFT_TYPE_UNDEFINED)
            continue;
        struct typed_input *earlier = &first[parameter->variable];
        if (earlier->type == OPSHIFT_TYPE_UNDEFINED)
            *earlier = (struct typed_input){type, i};
        else if (earlier->type != type)
            return finding_add(checking, subject, NULL, error,
                               "input %u is %s and input %u is %s, and %s-%u requires the same type for both; insert a "
                               "Cast before one of them",
                               earlier->position, type_name(earlier->type), i, type_name(type),
                               subject->schema->op_type, subject->schema->since);
    }
    return status;
}

/* ---- Clip ---- */

/* A bound from the attribute or a constant input. *known false: absent or computed. */
static enum opshift_status bound_read(const struct draft *draft, const char *name, uint32_t position, double *bound,
                                      bool *known, struct opshift_error *error)
{
    const struct draft_attribute *attribute = draft_attribute_find(draft, name);
    const struct tensor *tensor = NULL;
    const char *why;
    *known = attribute && !attribute->message->has_ref_attr_name &&
             attribute->message->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT;
    if (*known)
        *bound = attribute->message->f;
    if (*known || !draft_input_present(draft, position))
        return OPSHIFT_OK;
    enum opshift_status status = draft_constant(draft, draft->inputs[position].name, &tensor, &why, error);
    *known = status == OPSHIFT_OK && tensor && tensor->count == 1 && tensor->type != OPSHIFT_TYPE_STRING;
    if (*known)
        *bound = tensor_number(tensor, 0);
    return status;
}

static enum opshift_status clip_bounds(struct checking *checking, const struct subject *subject,
                                       struct opshift_error *error)
{
    double least = 0, most = 0;
    bool from, to = false;
    if (subject->schema->since >= 12)
        return OPSHIFT_OK;
    enum opshift_status status = bound_read(subject->draft, "min", 1, &least, &from, error);
    if (status == OPSHIFT_OK)
        status = bound_read(subject->draft, "max", 2, &most, &to, error);
    if (status || !from || !to || !(least > most))
        return status;
    return finding_add(checking, subject, NULL, error,
                       "min is above max, which Clip-%u does not define; from opset 12 on the result is max everywhere",
                       subject->schema->since);
}

/* ---- Attention ---- */

/* Attributes added to Attention after the release of opset 25. */
static enum opshift_status late_attention(struct checking *checking, const struct subject *subject,
                                          struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (subject->schema->since != 25)
        return OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < subject->attribute_count; i++) {
        const struct schema_attribute *known = attribute_known(checking, subject, &subject->attributes[i]);
        if (known && strstr(known->name, "_window_size"))
            status = finding_add(checking, subject, &subject->attributes[i].range, error,
                                 "'%s' was added to Attention after opset 25 had been published; a runtime that uses "
                                 "Attention-24 refuses the node, or ignores the window; use an equivalent attn_mask",
                                 known->name);
    }
    return status;
}

const struct check checks_operator_type[] = {
    {CHECK(OPS015), .scope = CHECK_NODE, .by_types = true, .relies_on = IDS(GRF005, OPS012, OPS013),
     .concerns = subject_has_schema, .find = input_types_fit},
    {CHECK(OPS016), .scope = CHECK_NODE, .by_types = true, .relies_on = IDS(GRF005, OPS012, OPS013, OPS015),
     .concerns = subject_has_schema, .find = input_types_agree},
    {CHECK(OPS022), .scope = CHECK_NODE, .by_types = true, .relies_on = IDS(GRF005, OPS012, OPS013, OPS014, OPS015),
     .concerns = has_own_types, .find = output_types_fit},
    {CHECK(OPS025), .scope = CHECK_NODE, .by_types = true, .harmless = true, .relies_on = IDS(OPS014),
     .operator_type = "Constant", .find = output_types_fit},
    {CHECK(OPS023), .scope = CHECK_DRAFT, .operator_type = "Clip", .harmless = true, .find = clip_bounds},
    {CHECK(OPS024), .scope = CHECK_NODE, .harmless = true, .operator_type = "Attention", .of_attributes = true,
     .find = late_attention},
    {0},
};
