/* Rewrites a Split as a SplitToSequence and a SequenceAt for each of its outputs. */
#include <inttypes.h>

#include "convert/sequence_plan.h"
#include "kernel/split_draft.h"

/* Writes lengths that the node leaves implicit. */
static enum opshift_status write_parts(struct draft *draft, const struct split_cut *cut, struct opshift_error *error)
{
    const int64_t *lengths;
    enum opshift_status status = split_parts_known(cut, error);
    if (status)
        return status;
    if (cut->dim < 0)
        return opshift_fail(error, OPSHIFT_NO,
                            "the dim that it cuts is unknown: SplitToSequence takes the length of its parts, not how "
                            "many there are; give the input a shape in the model or by --shape");
    if (cut->parts > SEQUENCE_COUNT_MAX)
        return opshift_fail(error, OPSHIFT_NO,
                            "it has %" PRId64 " parts, and a list of more than %d lengths is not "
                            "written; leave this model's Splits as they are",
                            cut->parts, SEQUENCE_COUNT_MAX);
    status = split_lengths(cut, draft->arena, &lengths, error);
    return status ? status : split_write_input(draft, lengths, cut->parts, error);
}

/* The attribute `split` as a value: a constant, or a reference to a function's attribute. */
static enum opshift_status write_attribute(struct draft *draft, const Onnx__AttributeProto *split,
                                           struct opshift_error *error)
{
    if (!split->has_ref_attr_name)
        return split_write_input(draft, split->ints, (int64_t)split->n_ints, error);
    if (draft->target < 12)
        return opshift_fail(error, OPSHIFT_NO,
                            "the lengths are the function's attribute '%.80s', and below opset 12 no Constant takes "
                            "its value from one; write them into the function, or go to opset 12 or up",
                            (const char *)split->ref_attr_name.data);
    split_write_equal(draft);
    struct draft_input *input = draft_input_set(draft, 1);
    if (input == NULL)
        return opshift_no_memory(error);
    input->kind = VALUE_REFERENCE;
    input->reference = (struct bytes){split->ref_attr_name.data, split->ref_attr_name.len};
    return OPSHIFT_OK;
}

static enum opshift_status write_lengths(struct draft *draft, struct opshift_error *error)
{
    struct split_cut cut;
    const struct draft_attribute *split = draft_attribute_find(draft, "split");
    if (split)
        return write_attribute(draft, split->message, error);
    if (draft_input_present(draft, 1))
        return OPSHIFT_OK;
    enum opshift_status status = split_read(draft, &cut, error);
    return status ? status : write_parts(draft, &cut, error);
}

/* Converts from Split-1, whose lengths have the data's type, to the form of all later versions. */
static enum opshift_status leave_first(struct planner *planner, struct draft *draft, struct opshift_error *error)
{
    if (draft->opset != 1)
        return OPSHIFT_OK;
    planner->node.step = 2;
    enum opshift_status status = route_step(planner, draft, error);
    draft->opset = 2;
    return status;
}

static bool has_named_output(const struct draft *draft)
{
    for (uint32_t i = 0; i < draft->output_count; i++)
        if (draft->outputs[i] != NAME_NONE)
            return true;
    return false;
}

/* Checks the element type: SequenceAt does not support every type of SplitToSequence. */
static enum opshift_status check_readers(const struct draft *draft, struct opshift_error *error)
{
    const struct schema *reader = schema_find("", "SequenceAt", draft->target);
    struct value_type type = {0};
    enum opshift_status status = OPSHIFT_OK;
    if (draft->input_count && draft->inputs[0].kind == VALUE_NAME)
        status = draft_type(draft, draft->inputs[0].name, &type, error);
    if (status || type.type == OPSHIFT_TYPE_UNDEFINED ||
        (reader && schema_types(reader, reader->outputs)->tensor >> type.type & 1))
        return status;
    return opshift_fail(
        error, OPSHIFT_NO,
        "it cuts %s, and SequenceAt-%u, which would read its parts, gives none; insert a Cast, or leave "
        "this model's Splits as they are",
        type_name(type.type), reader ? reader->since : 11);
}

enum opshift_status split_to_sequence(struct planner *planner, struct draft *draft, struct opshift_error *error)
{
    const struct schema *source = schema_find("", "Split", draft->opset);
    const struct schema *target = schema_find("", "SplitToSequence", draft->target);
    if (target == NULL)
        return opshift_fail(error, OPSHIFT_NO, "there are sequences from opset 11 on; go to opset 11 or up");
    if (!has_named_output(draft))
        return opshift_fail(error, OPSHIFT_NO, "none of its outputs has a name; remove the node");
    enum opshift_status status = leave_first(planner, draft, error);
    if (status == OPSHIFT_OK)
        status = write_lengths(draft, error);
    if (status == OPSHIFT_OK)
        status = check_readers(draft, error);
    if (status)
        return status;
    draft->op_type = "SplitToSequence";
    draft->sequence = draft->changed = true;
    draft->opset = draft->target;
    if (source == NULL)
        return OPSHIFT_OK;
    struct type_limits limits = type_limits_find(source, target);
    return route_limit(planner, draft->graph, draft->node, draft, &limits, error);
}
