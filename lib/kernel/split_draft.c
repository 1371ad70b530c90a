/* Reads and writes a draft's Split: axis, lengths, num_outputs. */
#include "kernel/split_draft.h"

#include <inttypes.h>
#include <string.h>

#include "schema/schema.h"

/* ---- reading ---- */

static enum opshift_status read_axis(const struct draft *draft, struct split_cut *cut, struct opshift_error *error)
{
    struct draft_int given;
    const struct draft_attribute *axis = draft_attribute_find(draft, "axis");
    enum opshift_status status = draft_int_read(draft, "axis", &given, error);
    if (status)
        return status;
    /* A call that omits the attribute omits it in the node: the default holds for that call only. */
    cut->axis_known = given.known || !given.given;
    cut->axis = given.value;
    cut->axis_reference = axis && axis->message->has_ref_attr_name;
    if (draft->input_count == 0 || draft->inputs[0].kind != VALUE_NAME)
        return OPSHIFT_OK;
    struct value_type type;
    name_id data = draft->inputs[0].name;
    status = draft_type(draft, data, &type, error);
    if (status)
        return status;
    cut->data_name = names_text(draft->model->names, data);
    split_cut_data(cut, &type);
    return OPSHIFT_OK;
}

void split_relies(const struct draft *draft, const struct split_cut *cut)
{
    if (cut->dim >= 0)
        draft_relies(draft, draft->inputs[0].name, RELIES_ON_SHAPE);
}

enum opshift_status split_read_axis(const struct draft *draft, struct split_cut *cut, struct opshift_error *error)
{
    *cut = split_cut_start(0, draft->output_count);
    enum opshift_status status = read_axis(draft, cut, error);
    split_relies(draft, cut);
    return status;
}

static void read_attribute(const struct draft *draft, struct split_cut *cut)
{
    const struct draft_attribute *split = draft_attribute_find(draft, "split");
    if (split == NULL)
        return;
    const Onnx__AttributeProto *message = split->message;
    if (message->has_ref_attr_name)
        cut->unknown = "a parameter of the function";
    if (message->has_ref_attr_name || message->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS)
        split_cut_list(cut, SPLIT_ATTRIBUTE, NULL, -1);
    else
        split_cut_list(cut, SPLIT_ATTRIBUTE, message->ints, (int64_t)message->n_ints);
}

static enum opshift_status read_count(const struct draft *draft, struct split_cut *cut, struct opshift_error *error)
{
    struct draft_int count;
    enum opshift_status status = draft_int_read(draft, "num_outputs", &count, error);
    if (status == OPSHIFT_OK && count.given)
        split_cut_count(cut, count.known, count.value);
    cut->uncounted = count.missing;
    return status;
}

static enum opshift_status read_input(const struct draft *draft, struct split_cut *cut, struct opshift_error *error)
{
    const struct draft_input *input = &draft->inputs[1];
    const struct tensor *tensor = input->kind == VALUE_LITERAL ? input->literal : NULL;
    struct value_type type = {.rank = -1};
    enum opshift_status status = OPSHIFT_OK;
    cut->unknown = input->kind == VALUE_REFERENCE ? "a parameter of the function" : "computed in the graph";
    if (input->kind == VALUE_NAME) {
        cut->lengths_name = names_text(draft->model->names, input->name);
        status = draft_constant(draft, input->name, &tensor, &cut->unknown, error);
    }
    if (status == OPSHIFT_OK && tensor == NULL && input->kind == VALUE_NAME)
        status = draft_type(draft, input->name, &type, error);
    if (status)
        return status;
    if (tensor == NULL) {
        split_cut_computed(cut, &type);
        return OPSHIFT_OK;
    }
    status = split_cut_constant(cut, tensor, draft->arena, error);
    cut->unknown = cut->lengths ? NULL : "not a list of int64";
    return status;
}

enum opshift_status split_read(const struct draft *draft, struct split_cut *cut, struct opshift_error *error)
{
    const struct schema *schema = schema_find("", "Split", draft->opset);
    *cut = split_cut_start(schema ? schema->since : 0, draft->output_count);
    enum opshift_status status = read_axis(draft, cut, error);
    if (status == OPSHIFT_OK && cut->since >= 18)
        status = read_count(draft, cut, error);
    read_attribute(draft, cut);
    if (status == OPSHIFT_OK && schema && schema->input_max > 1 && draft_input_present(draft, 1))
        status = read_input(draft, cut, error);
    if (!split_is_listed(cut))
        split_relies(draft, cut);
    return status;
}

enum opshift_status split_parts_known(const struct split_cut *cut, struct opshift_error *error)
{
    if (cut->uncounted)
        return opshift_fail(error, OPSHIFT_NO, "%s", cut->uncounted);
    return cut->parts_known ? OPSHIFT_OK
                            : opshift_fail(error, OPSHIFT_NO,
                                           "num_outputs is the function's attribute and its calls do not agree on one "
                                           "number; give each number of parts a function of its own");
}

enum opshift_status split_parts_refuse(int64_t parts, struct opshift_error *error)
{
    return opshift_fail(error, OPSHIFT_NO,
                        "num_outputs is %" PRId64 "; more than %" PRId64 " parts are not written out", parts,
                        SPLIT_PARTS_MAX);
}

/* ---- writing ---- */

static void remove_attribute(struct draft *draft, const char *name)
{
    struct draft_attribute *attribute = draft_attribute_find(draft, name);
    if (attribute)
        draft_attribute_remove(draft, attribute);
}

enum opshift_status split_outputs_add(struct draft *draft, int64_t count, struct opshift_error *error)
{
    if (draft->output_count >= count)
        return OPSHIFT_OK;
    name_id *grown = arena_alloc(draft->arena, (size_t)count, sizeof(*grown));
    if (grown == NULL)
        return opshift_no_memory(error);
    memcpy(grown, draft->outputs, draft->output_count * sizeof(*grown));
    while (draft->output_count < count)
        grown[draft->output_count++] = NAME_FRESH;
    draft->outputs = grown;
    draft->changed = true;
    return OPSHIFT_OK;
}

enum opshift_status split_write_input(struct draft *draft, const int64_t *lengths, int64_t count,
                                      struct opshift_error *error)
{
    struct draft_input *input = draft_input_set(draft, 1);
    const struct tensor *tensor = tensor_from_int64(draft->arena, lengths, (size_t)count);
    if (input == NULL || tensor == NULL)
        return opshift_no_memory(error);
    *input = (struct draft_input){.kind = VALUE_LITERAL, .literal = tensor};
    remove_attribute(draft, "num_outputs");
    remove_attribute(draft, "split");
    return OPSHIFT_OK;
}

enum opshift_status split_write_lengths(struct draft *draft, const int64_t *lengths, int64_t count,
                                        struct opshift_error *error)
{
    if (draft->opset >= 13)
        return split_write_input(draft, lengths, count, error);
    Onnx__AttributeProto *split = draft_attribute_set(draft, "split", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
    int64_t *copy = arena_copy(draft->arena, lengths, (size_t)count * sizeof(*lengths));
    if (split == NULL || copy == NULL)
        return opshift_no_memory(error);
    split->n_ints = (size_t)count;
    split->ints = copy;
    draft_input_remove(draft, 1);
    return OPSHIFT_OK;
}

void split_write_equal(struct draft *draft)
{
    remove_attribute(draft, "num_outputs");
    remove_attribute(draft, "split");
    draft_input_remove(draft, 1);
}

enum opshift_status split_write_count(struct draft *draft, int64_t parts, struct opshift_error *error)
{
    split_write_equal(draft);
    Onnx__AttributeProto *count = draft_attribute_set(draft, "num_outputs", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
    if (count == NULL)
        return opshift_no_memory(error);
    count->has_i = 1;
    count->i = parts;
    return OPSHIFT_OK;
}

enum opshift_status split_write_parts(struct draft *draft, const struct split_cut *cut, struct opshift_error *error)
{
    const int64_t *lengths = NULL;
    enum opshift_status status = split_parts_known(cut, error);
    if (status == OPSHIFT_OK && cut->counted && cut->parts > SPLIT_PARTS_MAX)
        status = split_parts_refuse(cut->parts, error);
    if (status == OPSHIFT_OK)
        status = split_outputs_add(draft, cut->parts, error);
    if (status == OPSHIFT_OK)
        status = split_lengths(cut, draft->arena, &lengths, error);
    if (status)
        return status;
    if (lengths)
        return split_write_lengths(draft, lengths, cut->parts, error);
    split_write_equal(draft);
    struct draft_input *input = draft_input_set(draft, 1);
    if (input == NULL)
        return opshift_no_memory(error);
    *input = (struct draft_input){.kind = VALUE_CHUNKS, .parts = cut->parts};
    return OPSHIFT_OK;
}
