/* Writes a Split in the form that the goal names, or in one that its target takes: explicit lengths, num_outputs, or
 * equal parts. */
#include <inttypes.h>
#include <string.h>

#include "base/buffer.h"
#include "check/target.h"
#include "convert/planner.h"
#include "kernel/split_cut.h"

#define PARTS_MAX   (INT64_C(1) << 20) /* lengths that are written out */
#define PARTS_SHOWN 8u
#define FLOAT_WHOLE (INT64_C(1) << 24) /* a runtime that divides in float may be wrong above it */

/* How a draft at the target's opset is split. */
struct split_now {
    enum { NOW_EQUAL, NOW_COUNT, NOW_LENGTHS } form;
    bool in_graph;          /* LENGTHS: a second input; else the attribute */
    const int64_t *lengths; /* LENGTHS: if they are known; NULL: they are not */
    size_t count;           /* of lengths, or of parts */
    const char *unknown;    /* why lengths or the number of parts are not known */
    struct split_cut cut;
};

static const char *const count_unknown =
    "num_outputs is the function's attribute and its calls do not agree on one number; give each number of parts a "
    "function of its own";

/* ---- the present form -------------------------------------------------------------------------------------------- */

static void lengths_known(struct split_now *now, const struct tensor *tensor)
{
    if (tensor->type != OPSHIFT_TYPE_INT64 || tensor->rank != 1) {
        now->unknown = "not a list of int64";
        return;
    }
    now->lengths = tensor->data;
    now->count = (size_t)tensor->count;
}

static enum opshift_status read_input(const struct draft *draft, struct split_now *now, struct opshift_error *error)
{
    const struct draft_input *input = &draft->inputs[1];
    const struct tensor *tensor = NULL;
    enum opshift_status status = OPSHIFT_OK;
    now->in_graph = true;
    now->unknown = "computed in the graph";
    if (input->kind == VALUE_REFERENCE)
        now->unknown = "a parameter of the function";
    if (input->kind == VALUE_LITERAL)
        tensor = input->literal;
    if (input->kind == VALUE_NAME)
        status = draft_constant(draft, input->name, &tensor, &now->unknown, error);
    if (status == OPSHIFT_OK && tensor)
        lengths_known(now, tensor);
    return status;
}

static enum opshift_status read_count(const struct draft *draft, struct split_now *now, struct opshift_error *error)
{
    struct draft_int count;
    enum opshift_status status = draft_int_read(draft, "num_outputs", &count, error);
    now->form = NOW_COUNT;
    now->count = (size_t)count.value;
    now->unknown = count.missing ? count.missing : count.known && count.value > 0 ? NULL : count_unknown;
    return status;
}

static enum opshift_status read_now(const struct draft *draft, struct split_now *now, struct opshift_error *error)
{
    const struct draft_attribute *split = draft_attribute_find(draft, "split");
    *now = (struct split_now){.form = NOW_LENGTHS};
    enum opshift_status status = split_cut(draft, &now->cut, error);
    if (status)
        return status;
    if (split && split->message->has_ref_attr_name) {
        now->unknown = "a parameter of the function";
        return OPSHIFT_OK;
    }
    if (split) {
        now->lengths = split->message->ints;
        now->count = split->message->n_ints;
        return OPSHIFT_OK;
    }
    if (draft_input_present(draft, 1))
        return read_input(draft, now, error);
    if (draft_attribute_find(draft, "num_outputs"))
        return read_count(draft, now, error);
    now->form = NOW_EQUAL;
    now->count = draft->output_count;
    return OPSHIFT_OK;
}

/* ---- lengths ----------------------------------------------------------------------------------------------------- */

static enum opshift_status set_lengths(struct draft *draft, int64_t *lengths, size_t count, struct opshift_error *error)
{
    if (draft->target < 13) {
        Onnx__AttributeProto *split = draft_attribute_set(draft, "split", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
        if (split == NULL)
            return opshift_no_memory(error);
        split->n_ints = count;
        split->ints = lengths;
        return OPSHIFT_OK;
    }
    struct draft_input *input = draft_input_set(draft, 1);
    const struct tensor *tensor = tensor_from_int64(draft->arena, lengths, count);
    if (input == NULL || tensor == NULL)
        return opshift_no_memory(error);
    *input = (struct draft_input){.kind = VALUE_LITERAL, .literal = tensor};
    return OPSHIFT_OK;
}

/* An explicit list has a length for each output. */
static enum opshift_status add_outputs(struct draft *draft, size_t count, struct opshift_error *error)
{
    if (draft->output_count >= count)
        return OPSHIFT_OK;
    name_id *grown = arena_alloc(draft->arena, count, sizeof(*grown));
    if (grown == NULL)
        return opshift_no_memory(error);
    memcpy(grown, draft->outputs, draft->output_count * sizeof(*grown));
    while (draft->output_count < count)
        grown[draft->output_count++] = NAME_FRESH;
    draft->outputs = grown;
    return OPSHIFT_OK;
}

static enum opshift_status set_chunks(struct draft *draft, const struct split_now *now, struct opshift_error *error)
{
    struct draft_input *input = draft_input_set(draft, 1);
    if (input == NULL)
        return opshift_no_memory(error);
    *input = (struct draft_input){.kind = VALUE_CHUNKS, .parts = (int64_t)now->count};
    if (now->form == NOW_COUNT || now->count == 1)
        return OPSHIFT_OK;
    return draft_note(draft, error,
                      "the dim it cuts is unknown: one that does not divide by %zu was an error and now gives a short "
                      "last part",
                      now->count);
}

static enum opshift_status write_lengths(struct draft *draft, const struct split_now *now, struct opshift_error *error)
{
    if (now->form == NOW_LENGTHS)
        return OPSHIFT_OK;
    if (now->unknown)
        return opshift_fail(error, OPSHIFT_NO, "%s", now->unknown);
    int64_t dim = now->cut.dim, parts = (int64_t)now->count;
    if (parts > PARTS_MAX)
        return opshift_fail(error, OPSHIFT_NO,
                            "it has %" PRId64 " parts; more than %" PRId64 " lengths are not written out", parts,
                            PARTS_MAX);
    if (dim < 0 && draft->target < 13)
        return opshift_fail(error, OPSHIFT_NO,
                            "the dim that it cuts is unknown, and below opset 13 lengths cannot be computed in the "
                            "graph; give the input a shape in the model or by --shape, or go to opset 13 or up");
    struct draft_attribute *count = draft_attribute_find(draft, "num_outputs");
    if (count)
        draft_attribute_remove(draft, count);
    draft->changed = true;
    enum opshift_status status = add_outputs(draft, now->count, error);
    if (status || dim < 0)
        return status ? status : set_chunks(draft, now, error);
    int64_t *lengths = arena_alloc(draft->arena, now->count, sizeof(*lengths));
    if (lengths == NULL)
        return opshift_no_memory(error);
    for (int64_t i = 0; i < parts; i++)
        lengths[i] = i + 1 < parts ? split_chunk(dim, parts) : split_last(dim, parts);
    return set_lengths(draft, lengths, now->count, error);
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

/* The dim that known lengths add up to; -1: there is none. */
static int64_t lengths_sum(const struct split_now *now)
{
    int64_t sum = 0;
    for (size_t i = 0; i < now->count; i++)
        if (now->lengths[i] < 0 || __builtin_add_overflow(sum, now->lengths[i], &sum))
            return -1;
    return sum;
}

/* Are known lengths those of chunks (even: of one length)? */
static bool are_chunks(const struct split_now *now, bool even)
{
    int64_t sum = lengths_sum(now), parts = (int64_t)now->count;
    if (sum < 0 || parts == 0 || (even && sum % parts != 0))
        return false;
    for (int64_t i = 0; i + 1 < parts; i++)
        if (now->lengths[i] != split_chunk(sum, parts))
            return false;
    return now->lengths[parts - 1] == split_last(sum, parts);
}

static enum opshift_status remove_lengths(struct draft *draft, const struct split_now *now, struct opshift_error *error)
{
    struct draft_attribute *split = draft_attribute_find(draft, "split");
    if (split)
        draft_attribute_remove(draft, split);
    draft_input_remove(draft, 1);
    draft->changed = true;
    if (now->in_graph)
        draft_relies(draft, draft->node->input_count > 1 ? node_inputs(draft->node)[1] : NAME_NONE, RELIES_ON_CONSTANT);
    if (now->cut.dim >= 0)
        return OPSHIFT_OK;
    return draft_note(draft, error,
                      "the dim it cuts is unknown: one that is not %" PRId64 " was an error and now gives other parts",
                      lengths_sum(now));
}

static enum opshift_status set_count(struct draft *draft, const struct split_now *now, struct opshift_error *error)
{
    Onnx__AttributeProto *count = draft_attribute_set(draft, "num_outputs", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
    if (count == NULL)
        return opshift_no_memory(error);
    count->has_i = 1;
    count->i = (int64_t)now->count;
    int64_t dim = now->cut.dim;
    if (dim == 0)
        return draft_note(draft, error, "the dim it cuts is 0: ONNX Runtime refuses num_outputs there");
    if (dim > FLOAT_WHOLE)
        return draft_note(draft, error,
                          "the dim it cuts is %" PRId64 ": some runtimes divide those above 2^24 in float", dim);
    return OPSHIFT_OK;
}

static enum opshift_status check_lengths(const struct draft *draft, const struct split_now *now, bool even,
                                         struct opshift_error *error)
{
    if (now->lengths == NULL)
        return opshift_fail(error, OPSHIFT_NO,
                            "its lengths are known only at run time (they are %s), and only explicit lengths can be; "
                            "make them constant, or choose the split form lengths",
                            now->unknown ? now->unknown : "unknown");
    if (are_chunks(now, even))
        return OPSHIFT_OK;
    const char *text = lengths_text(draft, now->lengths, now->count);
    if (even)
        return opshift_fail(error, OPSHIFT_NO, "its parts are not equal: %s; choose the split form lengths", text);
    return opshift_fail(error, OPSHIFT_NO,
                        "its lengths %s are not chunks of one length and a shorter last one, as num_outputs cuts; "
                        "choose the split form lengths",
                        text);
}

static enum opshift_status write_count(struct draft *draft, const struct split_now *now, struct opshift_error *error)
{
    if (draft->target < 18)
        return opshift_fail(
            error, OPSHIFT_NO,
            "Split has num_outputs from opset 18 on; go to opset 18 or up, or choose another split form");
    if (now->form == NOW_COUNT)
        return OPSHIFT_OK;
    enum opshift_status status = check_lengths(draft, now, false, error);
    if (status == OPSHIFT_OK)
        status = remove_lengths(draft, now, error);
    return status ? status : set_count(draft, now, error);
}

/* A count of parts of a known dim must divide it. */
static enum opshift_status check_count(struct draft *draft, const struct split_now *now, struct opshift_error *error)
{
    if (now->unknown)
        return opshift_fail(error, OPSHIFT_NO, "%s", now->unknown);
    int64_t dim = now->cut.dim, parts = (int64_t)now->count;
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

static enum opshift_status write_equal(struct draft *draft, const struct split_now *now, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (now->form == NOW_EQUAL)
        return OPSHIFT_OK;
    if (now->form == NOW_COUNT)
        return check_count(draft, now, error);
    status = check_lengths(draft, now, true, error);
    if (status == OPSHIFT_OK)
        status = remove_lengths(draft, now, error);
    return status || draft->target < 18 ? status : set_count(draft, now, error);
}

/* ---- a form by name ---------------------------------------------------------------------------------------------- */

static enum opshift_status form_write(enum opshift_split_form form, struct draft *draft, const struct split_now *now,
                                      struct opshift_error *error)
{
    switch (form) {
    case OPSHIFT_SPLIT_LENGTHS:
        return write_lengths(draft, now, error);
    case OPSHIFT_SPLIT_NUM_OUTPUTS:
        return write_count(draft, now, error);
    case OPSHIFT_SPLIT_EQUAL:
        return write_equal(draft, now, error);
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

static bool is_uneven(const struct split_now *now)
{
    if (now->lengths)
        return !are_chunks(now, true);
    return now->cut.dim >= 0 && now->count > 0 && now->cut.dim % (int64_t)now->count != 0;
}

static bool keep_fits(const struct planner *planner, const struct split_now *now)
{
    switch (now->form) {
    case NOW_EQUAL:
        return !lacks(planner, FEATURE_EQUAL);
    case NOW_COUNT:
        return !lacks(planner, FEATURE_NUM_OUTPUTS) && !(is_uneven(now) && lacks(planner, FEATURE_UNEVEN_NUM_OUTPUTS));
    case NOW_LENGTHS:
        break;
    }
    if (now->in_graph)
        return !lacks(planner, now->lengths ? FEATURE_LENGTHS : FEATURE_COMPUTED);
    return !lacks(planner, FEATURE_ATTRIBUTE);
}

/* May the target take what this form becomes? */
static bool form_fits(const struct planner *planner, enum opshift_split_form form, const struct draft *draft,
                      const struct split_now *now)
{
    bool counts = draft->target >= 18;
    bool computed = now->form == NOW_LENGTHS ? now->lengths == NULL : now->cut.dim < 0;
    switch (form) {
    case OPSHIFT_SPLIT_KEEP:
        return keep_fits(planner, now);
    case OPSHIFT_SPLIT_LENGTHS: /* computing them in the graph is the last resort */
        if (computed)
            return !lacks(planner, FEATURE_COMPUTED) && !keep_fits(planner, now);
        return !lacks(planner, draft->target < 13 ? FEATURE_ATTRIBUTE : FEATURE_LENGTHS);
    case OPSHIFT_SPLIT_EQUAL:
        return !lacks(planner, counts ? FEATURE_NUM_OUTPUTS : FEATURE_EQUAL);
    case OPSHIFT_SPLIT_NUM_OUTPUTS:
        return counts && !lacks(planner, FEATURE_NUM_OUTPUTS) &&
               !(is_uneven(now) && lacks(planner, FEATURE_UNEVEN_NUM_OUTPUTS));
    }
    return false;
}

/* The first of the forms that the target takes and that can be written; none: the node keeps its form. */
static enum opshift_status form_choose(const struct planner *planner, struct draft *draft, const struct split_now *now,
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
        if (!form_fits(planner, form, draft, now))
            continue;
        enum opshift_status status = form_write(form, draft, now, error);
        if (status != OPSHIFT_NO)
            return status;
        error_forget(error);
    }
    return OPSHIFT_OK;
}

/* Lengths that the graph computes from constants become a constant. */
static enum opshift_status lengths_settle(const struct planner *planner, struct draft *draft,
                                          const struct split_now *now, struct opshift_error *error)
{
    if (!now->in_graph || now->lengths == NULL || !draft_input_present(draft, 1) || draft->inputs[1].kind != VALUE_NAME)
        return OPSHIFT_OK;
    name_id name = draft->inputs[1].name;
    struct definition found = scope_find(planner->around.scopes, draft->graph, name);
    bool is_plain = found.kind == DEFINED_INITIALIZER;
    if (found.kind == DEFINED_NODE)
        is_plain = strcmp(names_text(draft->model->names, found.graph->nodes[found.index].op_type), "Constant") == 0;
    if (is_plain || draft->target < 13)
        return OPSHIFT_OK;
    int64_t *lengths = arena_copy(draft->arena, now->lengths, now->count * sizeof(*lengths));
    draft_relies(draft, name, RELIES_ON_CONSTANT);
    draft->changed = true;
    return lengths ? set_lengths(draft, lengths, now->count, error) : opshift_no_memory(error);
}

/* Counts the axis from the front, if the rank is known. */
static enum opshift_status axis_turn(struct draft *draft, const struct split_cut *cut, struct opshift_error *error)
{
    if (cut->axis >= 0 || !cut->axis_known || cut->axis_reference || cut->axis < -cut->rank)
        return OPSHIFT_OK;
    Onnx__AttributeProto *axis = draft_attribute_set(draft, "axis", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
    if (axis == NULL)
        return opshift_no_memory(error);
    axis->has_i = 1;
    axis->i = cut->axis + cut->rank;
    draft_relies(draft, draft->inputs[0].name, RELIES_ON_RANK);
    return OPSHIFT_OK;
}

/* A Split into one part gives its input. */
static bool is_identity(const struct draft *draft, const struct split_now *now)
{
    bool one_part = now->form != NOW_COUNT || (now->unknown == NULL && now->count == 1);
    return draft->output_count == 1 && one_part && draft->outputs[0] != NAME_NONE && draft->outputs[0] != NAME_FRESH;
}

static void identity_write(struct draft *draft)
{
    draft->op_type = "Identity";
    draft->attribute_count = 0;
    draft_input_remove(draft, 1);
    draft->changed = true;
}

static enum opshift_status target_write(const struct planner *planner, struct draft *draft, const struct split_now *now,
                                        struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (lacks(planner, FEATURE_SINGLE_OUTPUT) && is_identity(draft, now)) {
        identity_write(draft);
        return OPSHIFT_OK;
    }
    if (planner->goal->split_form == OPSHIFT_SPLIT_KEEP)
        status = form_choose(planner, draft, now, error);
    if (status == OPSHIFT_OK)
        status = lengths_settle(planner, draft, now, error);
    if (status == OPSHIFT_OK && lacks(planner, FEATURE_NEGATIVE_AXIS))
        status = axis_turn(draft, &now->cut, error);
    if (status == OPSHIFT_OK && lacks(planner, FEATURE_SURPLUS) && now->form == NOW_COUNT && now->unknown == NULL &&
        (int64_t)now->count <= PARTS_MAX && now->count > draft->output_count) {
        status = add_outputs(draft, now->count, error);
        draft->changed = true;
    }
    if (status == OPSHIFT_OK && lacks(planner, FEATURE_UNNAMED_OUTPUT))
        draft_outputs_name(draft);
    return status;
}

enum opshift_status split_form_apply(struct planner *planner, struct draft *draft, struct opshift_error *error)
{
    struct split_now now;
    if ((planner->goal->split_form == OPSHIFT_SPLIT_KEEP && planner->target == NULL) ||
        strcmp(draft->op_type, "Split") != 0 || draft->slices || draft->sequence || draft->replacement)
        return OPSHIFT_OK;
    planner->around.relied = &planner->relied;
    enum opshift_status status = read_now(draft, &now, error);
    if (status == OPSHIFT_OK)
        status = form_write(planner->goal->split_form, draft, &now, error);
    if (status == OPSHIFT_OK && planner->target)
        status = target_write(planner, draft, &now, error);
    planner->around.relied = NULL;
    return status;
}
