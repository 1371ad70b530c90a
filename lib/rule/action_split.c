/* The verbs of Split's rules. */
#include "rule/action_split.h"

#include <inttypes.h>
#include <string.h>

#include "kernel/split_draft.h"

/* Describes a negative axis that cannot be rewritten, and the way out. */
static void negative_words(bool reference, const struct draft_parameter *axis, const char **what, const char **way)
{
    *what = "is negative and the input's rank is unknown";
    *way = "give the input a shape in the model or by --shape, or write the axis non-negative";
    if (reference && !axis->known) {
        *what = "is the function's attribute and may be negative";
        *way = "write the axis into the function";
    } else if (reference && !axis->agreed) {
        *what = "is the function's attribute, and its calls give several, some of them negative";
        *way = "write the axis non-negative in each call";
    }
}

enum opshift_status nonnegative_axis(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const char *name = step_text(step, "attribute");
    const char *unknown = step_text(step, "unknown");
    struct draft_attribute *attribute = draft_attribute_find(draft, name);
    if (attribute == NULL || attribute->message->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT)
        return OPSHIFT_OK;
    struct draft_parameter axis = {.agreed = true, .known = true, .least = attribute->message->i};
    struct bytes reference = {attribute->message->ref_attr_name.data, attribute->message->ref_attr_name.len};
    bool is_reference = attribute->message->has_ref_attr_name;
    struct value_type type = {.rank = -1};
    enum opshift_status status = OPSHIFT_OK;
    if (is_reference)
        status = draft_parameter(draft, reference, &axis, error);
    if (status == OPSHIFT_OK && axis.missing)
        status = opshift_fail(error, OPSHIFT_NO, "%s", axis.missing);
    if (status || (axis.known && axis.least >= 0))
        return status;
    if (draft->input_count && draft->inputs[0].kind == VALUE_NAME)
        status = draft_type(draft, draft->inputs[0].name, &type, error);
    if (status)
        return status;
    if (type.rank >= 0)
        draft_relies(draft, draft->inputs[0].name, RELIES_ON_RANK);
    if (axis.agreed && type.rank >= 0) {
        if (axis.least < -type.rank)
            return opshift_fail(error, OPSHIFT_NO, "%s %" PRId64 " is outside the input's rank %d", name, axis.least,
                                type.rank);
        Onnx__AttributeProto *changed = draft_attribute_set(draft, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
        if (changed == NULL)
            return opshift_no_memory(error);
        changed->has_i = 1;
        changed->i = axis.least + type.rank;
        return OPSHIFT_OK;
    }
    const char *what, *way;
    negative_words(is_reference, &axis, &what, &way);
    if (unknown == NULL || strcmp(unknown, "keep") != 0 || draft->strict)
        return opshift_fail(error, OPSHIFT_NO, "%s %s: opset %" PRId64 " has no negative axis; %s", name, what,
                            draft->opset - 1, way);
    return draft_note(draft, error, "%s %s: kept, as the checker and runtimes read it at this opset too", name, what);
}

enum opshift_status lengths_input(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    uint32_t position = step_position(step, "input");
    if (!draft_input_present(draft, position)) {
        if (position < draft->input_count)
            draft_input_remove(draft, position);
        return OPSHIFT_OK;
    }
    const struct tensor *tensor = NULL;
    const char *why = NULL;
    enum opshift_status status = draft_constant(draft, draft->inputs[position].name, &tensor, &why, error);
    if (status)
        return status;
    if (tensor == NULL)
        return opshift_fail(error, OPSHIFT_NO,
                            "its lengths are known only at run time (input %u is %s), and Split has no "
                            "length input at opset 2; make them constant",
                            position, why);
    struct split_cut cut = split_cut_start(1, draft->output_count);
    struct split_fault fault;
    cut.lengths_name = names_text(draft->model->names, draft->inputs[position].name);
    status = split_cut_constant(&cut, tensor, draft->arena, error);
    if (status == OPSHIFT_OK && (split_fault_rank(&cut, &fault) || split_fault_fraction(&cut, &fault)))
        return opshift_fail(error, OPSHIFT_NO, "%s", fault.words);
    return status ? status : split_write_lengths(draft, cut.lengths, cut.length_count, error);
}

enum opshift_status count_outputs(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    struct split_cut cut;
    (void)step;
    if (draft_input_present(draft, 1))
        return OPSHIFT_OK;
    enum opshift_status status = split_read(draft, &cut, error);
    if (status == OPSHIFT_OK && (cut.dim == 0 || cut.dim > SPLIT_COUNTED_MAX))
        return split_write_parts(draft, &cut, error);
    if (status == OPSHIFT_OK)
        status = split_write_count(draft, draft->output_count, error);
    if (status || cut.dim > 0 || draft->output_count == 1)
        return status;
    return draft_note(draft, error,
                      "the dim it cuts is unknown: one that does not divide by %u was an error and now gives a "
                      "short last part",
                      draft->output_count);
}

enum opshift_status expand_count(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    struct split_cut cut;
    (void)step;
    if (draft_attribute_find(draft, "num_outputs") == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = split_read(draft, &cut, error);
    if (status || !cut.counted)
        return status;
    bool even = cut.parts == 1 || (cut.dim >= 0 && cut.parts > 0 && cut.dim % cut.parts == 0);
    if (!cut.parts_known || !even || cut.parts != (int64_t)draft->output_count)
        return split_write_parts(draft, &cut, error);
    split_write_equal(draft);
    return OPSHIFT_OK;
}

enum opshift_status split_chunks_refuse(struct opshift_error *error)
{
    return opshift_fail(
        error, OPSHIFT_NO,
        "num_outputs does not say whether the parts are equal as long as the dim it cuts is "
        "unknown, and below opset 13 lengths cannot be computed in the graph; give the input a shape in the "
        "model or by --shape, or go to opset 13 or up");
}

enum opshift_status input_dynamic(struct draft *draft, uint32_t position, const char *attribute, const char *why,
                                  struct opshift_error *error)
{
    if (strcmp(draft->op_type, "Split") == 0 && draft->target >= 10) {
        draft->slices = draft->changed = true;
        return OPSHIFT_OK;
    }
    return opshift_fail(error, OPSHIFT_NO,
                        "input %u is known only at run time (it is %s), and at opset %" PRId64
                        " it would be attribute '%s'; make it constant, or go to opset %" PRId64 " or up",
                        position, why, draft->opset - 1, attribute,
                        strcmp(draft->op_type, "Split") == 0 ? INT64_C(10) : draft->opset);
}
