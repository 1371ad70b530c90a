/* Writes a Split in the form that the goal names, or in one that its target takes: explicit lengths, num_outputs, or
 * equal parts. */
#include <inttypes.h>
#include <string.h>

#include "base/buffer.h"
#include "check/target.h"
#include "convert/planner.h"
#include "kernel/split_draft.h"

#define PARTS_SHOWN 8u

/* ---- lengths ----------------------------------------------------------------------------------------------------- */

static enum opshift_status write_lengths(struct draft *draft, const struct split_cut *cut, struct opshift_error *error)
{
    if (split_is_listed(cut))
        return OPSHIFT_OK;
    if (cut->dim < 0 && draft->target < 13 && cut->parts_known)
        return opshift_fail(error, OPSHIFT_NO,
                            "the dim that it cuts is unknown, and below opset 13 lengths cannot be computed in the "
                            "graph; give the input a shape in the model or by --shape, or go to opset 13 or up");
    enum opshift_status status = split_write_parts(draft, cut, error);
    if (status || cut->dim >= 0 || cut->counted || cut->parts == 1)
        return status;
    return draft_note(draft, error,
                      "the dim it cuts is unknown: one that does not divide by %" PRId64
                      " was an error and now gives a short last part",
                      cut->parts);
}

/* ---- num_outputs, and equal parts -------------------------------------------------------------------------------- */

/* "2, 4, 1, ..."; "" without memory. */
static const char *lengths_text(const struct draft *draft, const int64_t *lengths, size_t count)
{
    struct buffer text = {0};
    for (size_t i = 0; i < count && i < PARTS_SHOWN; i++)
        buffer_print(&text, "%s%" PRId64, i ? ", " : "", lengths[i]);
    if (count > PARTS_SHOWN)
        buffer_add_text(&text, ", ...");
    const char *copy = text.failed ? NULL : arena_copy(draft->arena, text.data, text.size);
    buffer_free(&text);
    return copy ? copy : "";
}

/* Takes the place of known lengths: num_outputs, or equal parts below opset 18. */
static enum opshift_status replace_lengths(struct draft *draft, const struct split_cut *cut,
                                           struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    int64_t dim = cut->dim;
    if (cut->form == SPLIT_INPUT)
        draft_relies(draft, draft->node->input_count > 1 ? node_inputs(draft->node)[1] : NAME_NONE, RELIES_ON_CONSTANT);
    if (draft->target >= 18)
        status = split_write_count(draft, split_part_count(cut), error);
    else
        split_write_equal(draft);
    if (status == OPSHIFT_OK && dim < 0)
        return draft_note(draft, error,
                          "the dim it cuts is unknown: one that is not %" PRId64 " was an error and now gives other "
                          "parts",
                          split_sum(cut->lengths, cut->length_count));
    if (status || draft->target < 18)
        return status;
    if (dim == 0)
        return draft_note(draft, error, "the dim it cuts is 0: ONNX Runtime refuses num_outputs there");
    if (dim > SPLIT_COUNTED_MAX)
        return draft_note(draft, error,
                          "the dim it cuts is %" PRId64 ": some runtimes divide those above 2^24 in float", dim);
    return OPSHIFT_OK;
}

static enum opshift_status check_lengths(const struct draft *draft, const struct split_cut *cut, bool even,
                                         struct opshift_error *error)
{
    if (cut->lengths == NULL)
        return opshift_fail(error, OPSHIFT_NO,
                            "its lengths are known only at run time (they are %s), and only explicit lengths can be; "
                            "make them constant, or choose the split form lengths",
                            cut->unknown ? cut->unknown : "unknown");
    if (split_are_chunks(cut->lengths, cut->length_count, even))
        return OPSHIFT_OK;
    const char *text = lengths_text(draft, cut->lengths, (size_t)cut->length_count);
    if (even)
        return opshift_fail(error, OPSHIFT_NO, "its parts are not equal: %s; choose the split form lengths", text);
    return opshift_fail(error, OPSHIFT_NO,
                        "its lengths %s are not chunks of one length and a shorter last one, as num_outputs cuts; "
                        "choose the split form lengths",
                        text);
}

static enum opshift_status write_count(struct draft *draft, const struct split_cut *cut, struct opshift_error *error)
{
    if (draft->target < 18)
        return opshift_fail(
            error, OPSHIFT_NO,
            "Split has num_outputs from opset 18 on; go to opset 18 or up, or choose another split form");
    if (cut->counted)
        return OPSHIFT_OK;
    enum opshift_status status = check_lengths(draft, cut, false, error);
    return status ? status : replace_lengths(draft, cut, error);
}

/* A count of parts of a known dim must divide it. */
static enum opshift_status check_count(struct draft *draft, const struct split_cut *cut, struct opshift_error *error)
{
    enum opshift_status status = split_parts_known(cut, error);
    int64_t dim = cut->dim, parts = cut->parts;
    if (status)
        return status;
    if (parts == 1 || (dim >= 0 && dim % parts == 0))
        return OPSHIFT_OK;
    if (dim >= 0)
        return opshift_fail(error, OPSHIFT_NO,
                            "num_outputs = %" PRId64 " cuts %" PRId64 " into parts of %" PRId64 " and a last one of "
                            "%" PRId64 ", which are not equal; choose the split form lengths",
                            parts, dim, split_chunk(dim, parts), split_last(dim, parts));
    return draft_note(draft, error,
                      "the dim it cuts is unknown: num_outputs stays, whose last part is shorter where %" PRId64
                      " does not divide it",
                      parts);
}

static enum opshift_status write_equal(struct draft *draft, const struct split_cut *cut, struct opshift_error *error)
{
    if (cut->form == SPLIT_EQUAL)
        return OPSHIFT_OK;
    if (cut->counted)
        return check_count(draft, cut, error);
    enum opshift_status status = check_lengths(draft, cut, true, error);
    return status ? status : replace_lengths(draft, cut, error);
}

/* ---- a form by name ---------------------------------------------------------------------------------------------- */

static enum opshift_status form_write(enum opshift_split_form form, struct draft *draft, const struct split_cut *cut,
                                      struct opshift_error *error)
{
    switch (form) {
    case OPSHIFT_SPLIT_LENGTHS:
        return write_lengths(draft, cut, error);
    case OPSHIFT_SPLIT_NUM_OUTPUTS:
        return write_count(draft, cut, error);
    case OPSHIFT_SPLIT_EQUAL:
        return write_equal(draft, cut, error);
    case OPSHIFT_SPLIT_KEEP:
        break;
    }
    return OPSHIFT_OK;
}

/* ---- what a target takes ----------------------------------------------------------------------------------------- */

static bool lacks(const struct planner *planner, enum target_feature feature)
{
    return target_takes(planner->target, feature) == TARGET_NO;
}

static bool is_uneven(const struct split_cut *cut)
{
    if (cut->lengths)
        return !split_are_chunks(cut->lengths, cut->length_count, true);
    return cut->dim >= 0 && cut->parts > 0 && cut->dim % cut->parts != 0;
}

static bool keep_fits(const struct planner *planner, const struct split_cut *cut)
{
    switch (cut->form) {
    case SPLIT_EQUAL:
        return !lacks(planner, FEATURE_EQUAL);
    case SPLIT_COUNTED:
        return !lacks(planner, FEATURE_NUM_OUTPUTS) && !(is_uneven(cut) && lacks(planner, FEATURE_UNEVEN_NUM_OUTPUTS));
    case SPLIT_ATTRIBUTE:
        return !lacks(planner, FEATURE_ATTRIBUTE);
    case SPLIT_INPUT:
        break;
    }
    return !lacks(planner, cut->lengths ? FEATURE_LENGTHS : FEATURE_COMPUTED);
}

/* May the target take what this form becomes? */
static bool form_fits(const struct planner *planner, enum opshift_split_form form, const struct draft *draft,
                      const struct split_cut *cut)
{
    bool counts = draft->target >= 18;
    bool computed = split_is_listed(cut) ? cut->lengths == NULL : cut->dim < 0;
    switch (form) {
    case OPSHIFT_SPLIT_KEEP:
        return keep_fits(planner, cut);
    case OPSHIFT_SPLIT_LENGTHS: /* computing them in the graph is the last resort */
        if (computed)
            return !lacks(planner, FEATURE_COMPUTED) && !keep_fits(planner, cut);
        return !lacks(planner, draft->target < 13 ? FEATURE_ATTRIBUTE : FEATURE_LENGTHS);
    case OPSHIFT_SPLIT_EQUAL:
        return !lacks(planner, counts ? FEATURE_NUM_OUTPUTS : FEATURE_EQUAL);
    case OPSHIFT_SPLIT_NUM_OUTPUTS:
        return counts && !lacks(planner, FEATURE_NUM_OUTPUTS) &&
               !(is_uneven(cut) && lacks(planner, FEATURE_UNEVEN_NUM_OUTPUTS));
    }
    return false;
}

/* The first of the forms that the target takes and that can be written; none: the node keeps its form. */
static enum opshift_status form_choose(const struct planner *planner, struct draft *draft, const struct split_cut *cut,
                                       struct opshift_error *error)
{
    enum { KEEP = OPSHIFT_SPLIT_KEEP, LENGTHS = OPSHIFT_SPLIT_LENGTHS };
    enum { COUNT_OF = OPSHIFT_SPLIT_NUM_OUTPUTS, EQUAL = OPSHIFT_SPLIT_EQUAL };
    static const uint8_t orders[][4] = {
        [TARGET_SPLIT_KEEP] = {KEEP, LENGTHS, EQUAL, COUNT_OF},
        [TARGET_SPLIT_LENGTHS] = {LENGTHS, KEEP, EQUAL, COUNT_OF},
        [TARGET_SPLIT_ATTRIBUTE] = {LENGTHS, KEEP, EQUAL, COUNT_OF},
        [TARGET_SPLIT_NUM_OUTPUTS] = {COUNT_OF, KEEP, LENGTHS, EQUAL},
        [TARGET_SPLIT_EQUAL] = {EQUAL, LENGTHS, KEEP, COUNT_OF},
    };
    const uint8_t *order = orders[planner->target->split_form];
    for (size_t i = 0; i < COUNT(orders[0]); i++) {
        enum opshift_split_form form = (enum opshift_split_form)order[i];
        if (!form_fits(planner, form, draft, cut))
            continue;
        enum opshift_status status = form_write(form, draft, cut, error);
        if (status != OPSHIFT_NO)
            return status;
        error_forget(error);
    }
    return OPSHIFT_OK;
}

/* Lengths that the graph computes from constants become a constant. */
static enum opshift_status lengths_complete(const struct planner *planner, struct draft *draft,
                                            const struct split_cut *cut, struct opshift_error *error)
{
    if (cut->form != SPLIT_INPUT || cut->lengths == NULL || !draft_input_present(draft, 1) ||
        draft->inputs[1].kind != VALUE_NAME)
        return OPSHIFT_OK;
    name_id name = draft->inputs[1].name;
    struct definition found = scope_find(planner->around.scopes, draft->graph, name);
    bool is_plain = found.kind == DEFINED_INITIALIZER;
    if (found.kind == DEFINED_NODE)
        is_plain = strcmp(names_text(draft->model->names, found.graph->nodes[found.index].op_type), "Constant") == 0;
    if (is_plain || draft->target < 13)
        return OPSHIFT_OK;
    draft_relies(draft, name, RELIES_ON_CONSTANT);
    return split_write_lengths(draft, cut->lengths, cut->length_count, error);
}

/* Counts the axis from the front, if the rank is known. */
static enum opshift_status axis_turn(struct draft *draft, const struct split_cut *cut, struct opshift_error *error)
{
    if (cut->axis >= 0 || !cut->axis_known || cut->axis_reference || cut->front < 0)
        return OPSHIFT_OK;
    Onnx__AttributeProto *axis = draft_attribute_set(draft, "axis", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
    if (axis == NULL)
        return opshift_no_memory(error);
    axis->has_i = 1;
    axis->i = cut->front;
    draft_relies(draft, draft->inputs[0].name, RELIES_ON_RANK);
    return OPSHIFT_OK;
}

/* A Split into one part gives its input. */
static bool is_identity(const struct draft *draft, const struct split_cut *cut)
{
    return draft->output_count == 1 && (!cut->counted || (cut->parts_known && cut->parts == 1)) &&
           draft->outputs[0] != NAME_NONE && draft->outputs[0] != NAME_FRESH;
}

static void identity_write(struct draft *draft)
{
    draft->op_type = "Identity";
    draft->attribute_count = 0;
    draft_input_remove(draft, 1);
    draft->changed = true;
}

static enum opshift_status target_write(const struct planner *planner, struct draft *draft, const struct split_cut *cut,
                                        struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (lacks(planner, FEATURE_SINGLE_OUTPUT) && is_identity(draft, cut)) {
        identity_write(draft);
        return OPSHIFT_OK;
    }
    if (planner->goal->split_form == OPSHIFT_SPLIT_KEEP)
        status = form_choose(planner, draft, cut, error);
    if (status == OPSHIFT_OK)
        status = lengths_complete(planner, draft, cut, error);
    if (status == OPSHIFT_OK && lacks(planner, FEATURE_NEGATIVE_AXIS))
        status = axis_turn(draft, cut, error);
    if (status == OPSHIFT_OK && lacks(planner, FEATURE_SURPLUS) && cut->counted && cut->parts_known &&
        cut->parts <= SPLIT_PARTS_MAX)
        status = split_outputs_add(draft, cut->parts, error);
    if (status == OPSHIFT_OK && lacks(planner, FEATURE_UNNAMED_OUTPUT))
        draft_outputs_name(draft);
    return status;
}

enum opshift_status split_form_apply(struct planner *planner, struct draft *draft, struct opshift_error *error)
{
    struct split_cut cut;
    if ((planner->goal->split_form == OPSHIFT_SPLIT_KEEP && planner->target == NULL) ||
        strcmp(draft->op_type, "Split") != 0 || draft->slices || draft->sequence || draft->replacement)
        return OPSHIFT_OK;
    planner->around.relied = &planner->node.relied;
    enum opshift_status status = split_read(draft, &cut, error);
    split_relies(draft, &cut);
    if (status == OPSHIFT_OK)
        status = form_write(planner->goal->split_form, draft, &cut, error);
    if (status == OPSHIFT_OK && planner->target)
        status = target_write(planner, draft, &cut, error);
    planner->around.relied = NULL;
    return status;
}
