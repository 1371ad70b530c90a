/* The verbs of Split's rules. */
#include "rule/action_split.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/split_cut.h"
#include "base/real.h"

/* Beyond this size, a runtime that divides in float may not split into equal parts. */
#define COUNT_DIM_MAX (INT64_C(1) << 24)

/* Maximum number of outputs added for parts that a node omits. */
#define PARTS_MAX (INT64_C(1) << 20)

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

/* Sets the attribute INTS to these lengths. */
static enum opshift_status lengths_attribute(struct draft *draft, const char *name, const int64_t *lengths,
                                             size_t count, struct opshift_error *error)
{
    Onnx__AttributeProto *attribute = draft_attribute_set(draft, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
    int64_t *copy = arena_copy(draft->arena, lengths, count * sizeof(*lengths));
    if (attribute == NULL || copy == NULL)
        return opshift_no_memory(error);
    attribute->n_ints = count;
    attribute->ints = copy;
    return OPSHIFT_OK;
}

/* Lengths of Split-1 have the data's type; only integral values are valid. */
static enum opshift_status whole_lengths(struct draft *draft, const struct tensor *tensor, int64_t **lengths,
                                         struct opshift_error *error)
{
    *lengths = arena_alloc(draft->arena, tensor->count, sizeof(**lengths));
    if (*lengths == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; i < tensor->count; i++) {
        double number = tensor_number(tensor, i);
        if (!(fabs(number) <= 9007199254740992.0) || number != floor(number))
            return opshift_fail(error, OPSHIFT_NO, "length %s is not a whole number", REAL_SHOWN(number));
        (*lengths)[i] = (int64_t)number;
    }
    return OPSHIFT_OK;
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
    int64_t *lengths;
    status = whole_lengths(draft, tensor, &lengths, error);
    if (status)
        return status;
    draft_input_remove(draft, position);
    return lengths_attribute(draft, step_text(step, "attribute"), lengths, tensor->count, error);
}

static enum opshift_status set_lengths(struct draft *draft, uint32_t position, int64_t dim, int64_t parts,
                                       struct opshift_error *error)
{
    struct tensor *tensor;
    enum opshift_status status = tensor_new(draft->arena, OPSHIFT_TYPE_INT64, 1, &parts, &tensor, error);
    if (status)
        return status;
    int64_t *lengths = tensor->data;
    for (int64_t i = 0; i < parts - 1; i++)
        lengths[i] = split_chunk(dim, parts);
    lengths[parts - 1] = split_last(dim, parts);
    struct draft_input *input = draft_input_set(draft, position);
    if (input == NULL)
        return opshift_no_memory(error);
    input->kind = VALUE_LITERAL;
    input->literal = tensor;
    return OPSHIFT_OK;
}

enum opshift_status count_outputs(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    uint32_t position = step_position(step, "input");
    if (draft_input_present(draft, position))
        return OPSHIFT_OK;
    draft_input_remove(draft, position);
    struct split_cut cut;
    enum opshift_status status = split_cut(draft, &cut, error);
    if (status)
        return status;
    if (cut.dim == 0 || cut.dim > COUNT_DIM_MAX)
        return set_lengths(draft, position, cut.dim, draft->output_count, error);
    Onnx__AttributeProto *attribute =
        draft_attribute_set(draft, step_text(step, "attribute"), ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
    if (attribute == NULL)
        return opshift_no_memory(error);
    attribute->has_i = 1;
    attribute->i = draft->output_count;
    if (cut.dim > 0 || draft->output_count == 1)
        return OPSHIFT_OK;
    return draft_note(draft, error,
                      "the dim it cuts is unknown: one that does not divide by %u was an error and now gives a "
                      "short last part",
                      draft->output_count);
}

/* Below 18 the number of parts is the number of outputs: omitted outputs are added, unused. */
static enum opshift_status add_outputs(struct draft *draft, int64_t parts, struct opshift_error *error)
{
    name_id *grown = arena_alloc(draft->arena, (size_t)parts, sizeof(*grown));
    if (grown == NULL)
        return opshift_no_memory(error);
    memcpy(grown, draft->outputs, draft->output_count * sizeof(*grown));
    while (draft->output_count < parts)
        grown[draft->output_count++] = NAME_FRESH;
    draft->outputs = grown;
    draft->changed = true;
    return OPSHIFT_OK;
}

enum opshift_status expand_count(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const char *name = step_text(step, "attribute");
    uint32_t position = step_position(step, "input");
    struct draft_int count;
    enum opshift_status status = draft_int_read(draft, name, &count, error);
    if (status || !count.given)
        return status;
    if (count.missing)
        return opshift_fail(error, OPSHIFT_NO, "%s", count.missing);
    if (!count.known)
        return opshift_fail(error, OPSHIFT_NO,
                            "%s is the function's attribute and its calls do not agree on one number; "
                            "give each number of parts a function of its own",
                            name);
    int64_t parts = count.value;
    if (parts > PARTS_MAX)
        return opshift_fail(error, OPSHIFT_NO, "%s is %" PRId64 "; more than %" PRId64 " parts are not written out",
                            name, parts, PARTS_MAX);
    struct split_cut cut;
    status = split_cut(draft, &cut, error);
    if (status)
        return status;
    bool even = parts == 1 || (cut.dim >= 0 && cut.dim % parts == 0);
    bool whole = parts == (int64_t)draft->output_count;
    draft_attribute_remove(draft, draft_attribute_find(draft, name));
    if (!whole)
        status = add_outputs(draft, parts, error);
    if (status)
        return status;
    if (even && whole) {
        draft_input_remove(draft, position);
        return OPSHIFT_OK;
    }
    if (cut.dim >= 0)
        return set_lengths(draft, position, cut.dim, parts, error);
    if (even)
        return OPSHIFT_OK;
    struct draft_input *input = draft_input_set(draft, position);
    if (input == NULL)
        return opshift_no_memory(error);
    input->kind = VALUE_CHUNKS;
    input->parts = parts;
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
