/* Rewrites a Split as a SplitToSequence and a SequenceAt for each of its outputs. */
#include <inttypes.h>
#include <string.h>

#include "convert/sequence_plan.h"
#include "kernel/split_cut.h"

/* Writes lengths that the node leaves implicit: chunks of ceil(dim / parts). */
static enum opshift_status write_parts(struct draft *draft, int64_t parts, struct opshift_error *error)
{
    struct split_cut cut;
    struct tensor *tensor = NULL;
    enum opshift_status status = split_cut(draft, &cut, error);
    if (status)
        return status;
    if (cut.dim < 0)
        return opshift_fail(error, OPSHIFT_NO,
                            "the dim that it cuts is unknown: SplitToSequence takes the length of its parts, not how "
                            "many there are; give the input a shape in the model or by --shape");
    if (parts > SEQUENCE_COUNT_MAX)
        return opshift_fail(error, OPSHIFT_NO,
                            "it has %" PRId64 " parts, and a list of more than %d lengths is not "
                            "written; leave this model's Splits as they are",
                            parts, SEQUENCE_COUNT_MAX);
    status = tensor_new(draft->arena, OPSHIFT_TYPE_INT64, 1, &parts, &tensor, error);
    if (status)
        return status;
    for (int64_t i = 0; i < parts; i++)
        ((int64_t *)tensor->data)[i] = i + 1 < parts ? split_chunk(cut.dim, parts) : split_last(cut.dim, parts);
    struct draft_input *input = draft_input_set(draft, 1);
    if (input == NULL)
        return opshift_no_memory(error);
    input->kind = VALUE_LITERAL;
    input->literal = tensor;
    return OPSHIFT_OK;
}

/* The attribute `split` as a value: a constant, or a reference to a function's attribute. */
static enum opshift_status write_attribute(struct draft *draft, const Onnx__AttributeProto *split,
                                           struct opshift_error *error)
{
    struct draft_input *input = draft_input_set(draft, 1);
    if (input == NULL)
        return opshift_no_memory(error);
    if (split->has_ref_attr_name && draft->target < 12)
        return opshift_fail(error, OPSHIFT_NO,
                            "the lengths are the function's attribute '%.80s', and below opset 12 no Constant takes "
                            "its value from one; write them into the function, or go to opset 12 or up",
                            (const char *)split->ref_attr_name.data);
    if (split->has_ref_attr_name) {
        input->kind = VALUE_REFERENCE;
        input->reference = (struct bytes){split->ref_attr_name.data, split->ref_attr_name.len};
        return OPSHIFT_OK;
    }
    input->kind = VALUE_LITERAL;
    input->literal = tensor_from_int64(draft->arena, split->ints, split->n_ints);
    return input->literal ? OPSHIFT_OK : opshift_no_memory(error);
}

static enum opshift_status write_lengths(struct draft *draft, struct opshift_error *error)
{
    struct draft_attribute *split = draft_attribute_find(draft, "split");
    struct draft_attribute *count = draft_attribute_find(draft, "num_outputs");
    struct draft_int parts = {.known = true, .value = draft->output_count};
    enum opshift_status status = OPSHIFT_OK;
    if (split) {
        status = write_attribute(draft, split->message, error);
        draft_attribute_remove(draft, split);
        return status;
    }
    if (count)
        status = draft_int_read(draft, "num_outputs", &parts, error);
    if (status)
        return status;
    if (parts.missing)
        return opshift_fail(error, OPSHIFT_NO, "%s", parts.missing);
    if (!parts.known)
        return opshift_fail(error, OPSHIFT_NO,
                            "num_outputs is the function's attribute and its calls do not agree on one number; give "
                            "each number of parts a function of its own");
    if (count)
        draft_attribute_remove(draft, count);
    return draft_input_present(draft, 1) ? OPSHIFT_OK : write_parts(draft, parts.value, error);
}

/* Converts from Split-1, whose lengths have the data's type, to the form of all later versions. */
static enum opshift_status leave_first(struct planner *planner, struct draft *draft, int64_t *step,
                                       struct opshift_error *error)
{
    if (draft->opset != 1)
        return OPSHIFT_OK;
    *step = 2;
    enum opshift_status status = route_step(planner, draft, 2, error);
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

enum opshift_status split_to_sequence(struct planner *planner, struct draft *draft, int64_t *step,
                                      struct opshift_error *error)
{
    const struct schema *source = schema_find("", "Split", draft->opset);
    const struct schema *target = schema_find("", "SplitToSequence", draft->target);
    if (target == NULL)
        return opshift_fail(error, OPSHIFT_NO, "there are sequences from opset 11 on; go to opset 11 or up");
    if (!has_named_output(draft))
        return opshift_fail(error, OPSHIFT_NO, "none of its outputs has a name; remove the node");
    enum opshift_status status = leave_first(planner, draft, step, error);
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
    struct walls walls = walls_find(source, target);
    return route_wall(planner, draft->graph, draft->node, draft, &walls, step, error);
}
