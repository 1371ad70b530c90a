/* Attributes that refer to a function's parameter, and inputs of a function: where calls omit them they are absent
 * (IR.md), and the rewritten node must be right with them and without them. */
#include "convert/omitted.h"

#include <string.h>

#include "convert/validity.h"
#include "wire/wire.h"

#define OMITTED_MOST 3u /* of one node; with more of them the combinations are not checked */

static enum opshift_status find_calls(struct planner *planner, const struct draft *draft,
                                      const Onnx__AttributeProto *message, bool *given, bool *omitted,
                                      struct opshift_error *error)
{
    *given = true;
    *omitted = false;
    if (!message->has_ref_attr_name || draft->graph->function == NULL)
        return OPSHIFT_OK;
    struct bytes name = {message->ref_attr_name.data, message->ref_attr_name.len};
    return parameter_given(&planner->around, draft->graph->function, name, given, omitted, error);
}

/* Removes an attribute from a draft that otherwise stays unchanged. */
static void leave_out(struct draft *draft, struct draft_attribute *attribute)
{
    bool changed = draft->changed;
    draft_attribute_remove(draft, attribute);
    draft->changed = changed;
}

static void mixed_add(struct omitted *omitted, struct omitted_part part)
{
    if (omitted->count < COUNT(omitted->mixed))
        omitted->mixed[omitted->count] = part;
    omitted->count++;
}

/* Puts the value that all calls give in the place of a reference. */
static enum opshift_status attribute_resolve(struct planner *planner, const struct draft *draft,
                                             struct draft_attribute *attribute, struct opshift_error *error)
{
    struct bytes reference = {attribute->message->ref_attr_name.data, attribute->message->ref_attr_name.len};
    Onnx__AttributeProto *value = NULL;
    if (!attribute->message->has_ref_attr_name || draft->graph->function == NULL)
        return OPSHIFT_OK;
    enum opshift_status status =
        parameter_message(&planner->around, draft->graph->function, reference, draft->arena, &value, error);
    if (status || value == NULL)
        return status;
    if (value->type == attribute->message->type || !attribute->message->has_type || !value->has_type) {
        value->has_name = 1;
        value->name = attribute->message->name;
        attribute->message = value;
    }
    return OPSHIFT_OK;
}

static enum opshift_status attributes_open(struct planner *planner, struct draft *draft, struct omitted *omitted,
                                           struct opshift_error *error)
{
    for (uint32_t i = 0; i < draft->attribute_count; i++) {
        struct draft_attribute *attribute = &draft->attributes[i];
        bool given, left_out;
        enum opshift_status status = find_calls(planner, draft, attribute->message, &given, &left_out, error);
        if (status == OPSHIFT_OK && !left_out && planner->node.resolves)
            status = attribute_resolve(planner, draft, attribute, error);
        if (status)
            return status;
        if (!left_out)
            continue;
        if (given)
            mixed_add(omitted, (struct omitted_part){attribute->message->name, OMITTED_ATTRIBUTE});
        if (given)
            continue;
        const struct schema *target = schema_find(draft->domain, draft->op_type, draft->target);
        struct bytes name = {attribute->message->name.data, attribute->message->name.len};
        char text[SCHEMA_NAME_SIZE] = "";
        if (name.size < sizeof(text) && name.size > 0)
            memcpy(text, name.data, name.size);
        omitted->lost |= target == NULL || schema_attribute_find(target, text) == NULL;
        leave_out(draft, attribute);
        i--;
    }
    return OPSHIFT_OK;
}

/* Makes an input absent in a draft that otherwise stays unchanged. */
static void input_leave_out(struct draft *draft, uint32_t position)
{
    bool changed = draft->changed;
    draft_input_remove(draft, position);
    draft->changed = changed;
}

/* A call that leaves out such an input is not valid, whatever is known of it. */
static bool is_required(const struct draft *draft, uint32_t position)
{
    const struct schema *schema = schema_find(draft->domain, draft->op_type, draft->opset);
    const struct schema_parameter *input = schema ? schema_input(schema, position) : NULL;
    return input && input->option == PARAMETER_SINGLE;
}

static enum opshift_status inputs_open(struct planner *planner, struct draft *draft, struct omitted *omitted,
                                       struct opshift_error *error)
{
    const struct schema *target = schema_find(draft->domain, draft->op_type, draft->target);
    for (uint32_t i = 0; draft->graph->function && i < draft->input_count; i++) {
        enum input_presence presence;
        enum opshift_status status =
            input_presence_find(&planner->around, draft->graph, draft->inputs[i].name, &presence, error);
        if (status)
            return status;
        if (presence == INPUT_MIXED && !is_required(draft, i))
            mixed_add(omitted, (struct omitted_part){.input = i});
        if (presence != INPUT_LEFT_OUT)
            continue;
        omitted->lost |= target == NULL || i >= target->input_max;
        input_leave_out(draft, i);
    }
    return OPSHIFT_OK;
}

enum opshift_status omitted_open(struct planner *planner, struct draft *draft, struct omitted *omitted,
                                 struct opshift_error *error)
{
    *omitted = (struct omitted){0};
    enum opshift_status status = attributes_open(planner, draft, omitted, error);
    return status ? status : inputs_open(planner, draft, omitted, error);
}

/* ---- with and without ------------------------------------------------------------------------------------------- */

static bool is_mixed(const struct omitted *omitted, ProtobufCBinaryData name)
{
    for (uint32_t i = 0; i < omitted->count; i++)
        if (omitted->mixed[i].input == OMITTED_ATTRIBUTE &&
            bytes_same(bytes_of(omitted->mixed[i].name), bytes_of(name)))
            return true;
    return false;
}

static bool is_mixed_input(const struct omitted *omitted, uint32_t position)
{
    for (uint32_t i = 0; i < omitted->count; i++)
        if (omitted->mixed[i].input == position)
            return true;
    return false;
}

static bool same_input(const struct draft_input *one, const struct draft_input *other)
{
    if (one->kind != other->kind || one->name != other->name || one->from != other->from || one->axis != other->axis ||
        one->parts != other->parts)
        return false;
    if (one->kind == VALUE_LITERAL)
        return tensor_equal(one->literal, other->literal);
    return one->kind != VALUE_REFERENCE || bytes_same(one->reference, other->reference);
}

/* Are the inputs equal, except for those that one of the drafts omits? */
static bool same_inputs(const struct omitted *omitted, const struct draft *one, const struct draft *other)
{
    static const struct draft_input absent;
    for (uint32_t i = 0; i < one->input_count || i < other->input_count; i++) {
        const struct draft_input *left = i < one->input_count ? &one->inputs[i] : &absent;
        const struct draft_input *right = i < other->input_count ? &other->inputs[i] : &absent;
        bool left_out = is_mixed_input(omitted, i) && !draft_input_present(other, i);
        if (left_out ? left->kind != VALUE_NAME || left->name != node_inputs(one->node)[i] : !same_input(left, right))
            return false;
    }
    return true;
}

static bool same_attributes(const struct omitted *omitted, const struct draft *one, const struct draft *other)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < other->attribute_count; i++)
        seen += !is_mixed(omitted, other->attributes[i].message->name);
    for (uint32_t i = 0; i < one->attribute_count; i++) {
        const Onnx__AttributeProto *message = one->attributes[i].message;
        if (is_mixed(omitted, message->name))
            continue;
        const struct draft_attribute *there =
            draft_attribute_named(other, (struct bytes){message->name.data, message->name.len});
        if (there == NULL || !wire_same_messages(one->arena, &message->base, &there->message->base))
            return false;
        seen--;
    }
    return seen == 0;
}

/* Are two drafts of a node equal, except for what one of them omits? */
static bool same_draft(const struct omitted *omitted, const struct draft *one, const struct draft *other)
{
    if (other->replacement || strcmp(one->op_type, other->op_type) != 0 || one->slices != other->slices ||
        one->sequence != other->sequence || one->output_count != other->output_count ||
        !same_inputs(omitted, one, other))
        return false;
    for (uint32_t i = 0; i < one->output_count; i++)
        if (one->outputs[i] != other->outputs[i])
            return false;
    return same_attributes(omitted, one, other);
}

/* Removes a part that some calls omit. */
static void part_leave_out(struct draft *draft, const struct omitted_part *part)
{
    if (part->input != OMITTED_ATTRIBUTE) {
        input_leave_out(draft, part->input);
        return;
    }
    struct draft_attribute *attribute = draft_attribute_named(draft, bytes_of(part->name));
    if (attribute)
        leave_out(draft, attribute);
}

/* Converts the node without the parts of `left_out`, a bit each. */
static enum opshift_status draft_without(struct planner *planner, const struct draft *draft,
                                         const struct omitted *omitted, uint32_t left_out, struct draft **result,
                                         struct opshift_error *error)
{
    struct draft *other;
    enum opshift_status status =
        draft_new(draft->model, draft->graph, draft->node, draft->arena, draft->around, &other, error);
    if (status)
        return status;
    *result = other;
    draft_start(planner, other);
    const struct schema *schema = schema_find(other->domain, other->op_type, other->opset);
    if (schema)
        schema_type_references(schema, other);
    for (uint32_t i = 0; i < omitted->count; i++)
        if (left_out >> i & 1)
            part_leave_out(other, &omitted->mixed[i]);
    struct omitted none;
    status = omitted_open(planner, other, &none, error);
    if (status == OPSHIFT_OK)
        status = route_apply(planner, other, error);
    if (status == OPSHIFT_OK)
        status = split_form_apply(planner, other, error);
    if (status)
        return status;
    struct result_schemas schemas = result_schemas_find(planner, other);
    result_trim(other, schemas.target);
    return result_check(planner, other, &schemas, error);
}

static enum opshift_status refuse(const struct draft *draft, const struct omitted *omitted, struct opshift_error *error)
{
    const struct omitted_part *part = &omitted->mixed[0];
    bool is_input = part->input != OMITTED_ATTRIBUTE;
    const struct names *names = draft->model->names;
    struct bytes name = is_input ? names_bytes(names, node_inputs(draft->node)[part->input]) : bytes_of(part->name);
    return opshift_fail(error, OPSHIFT_NO,
                        "%s '%.*s' is %s of the function '%.80s' that some calls give and others leave out, and no one "
                        "node means the same for both; give it at every call%s",
                        is_input ? "input" : "attribute", (int)(name.size < 80 ? name.size : 80),
                        (const char *)name.data, is_input ? "an input" : "a parameter",
                        names_text(names, draft->graph->function->name), is_input ? "" : ", or give it a default");
}

enum opshift_status omitted_check(struct planner *planner, const struct draft *draft, const struct omitted *omitted,
                                  struct opshift_error *error)
{
    if (omitted->count == 0)
        return OPSHIFT_OK;
    if (omitted->count > OMITTED_MOST || draft->replacement || draft->slices)
        return refuse(draft, omitted, error);
    struct draft_origin origin = planner->node.origin;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t left_out = 1; status == OPSHIFT_OK && left_out < UINT32_C(1) << omitted->count; left_out++) {
        struct draft *other;
        status = draft_without(planner, draft, omitted, left_out, &other, error);
        if (status == OPSHIFT_OK && !same_draft(omitted, draft, other))
            status = refuse(draft, omitted, error);
    }
    planner->node.origin = origin;
    return status;
}
