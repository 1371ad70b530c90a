/* Verbs that check a condition before a node is converted, and verbs that replace values by equal ones of the other
 * opset. */
#include "rule/action_require.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/facts.h"
#include "rule/action_split.h"
#include "base/real.h"

static enum opshift_status unmet(const struct step *step, struct opshift_error *error)
{
    return opshift_fail(error, OPSHIFT_NO, "%s", step_text(step, "words"));
}

static enum opshift_status unless(bool met, const struct step *step, struct opshift_error *error)
{
    return met ? OPSHIFT_OK : unmet(step, error);
}

static const Onnx__AttributeProto *named_attribute(const struct step *step, const struct draft *draft)
{
    const struct draft_attribute *attribute = draft_attribute_find(draft, step_text(step, "attribute"));
    return attribute ? attribute->message : NULL;
}

/* The other opset of the current step. */
static long long next_opset(const struct draft *draft)
{
    return (long long)draft->opset + (draft->up ? 1 : -1);
}

/* ---- constant inputs --------------------------------------------------------------------------------------------- */

/* NULL: absent or not constant. */
static enum opshift_status input_constant(const struct draft *draft, uint32_t position, const struct tensor **tensor,
                                          struct opshift_error *error)
{
    const char *why = NULL;
    *tensor = NULL;
    if (!draft_input_present(draft, position))
        return OPSHIFT_OK;
    const struct draft_input *input = &draft->inputs[position];
    if (input->kind == VALUE_LITERAL)
        *tensor = input->literal;
    if (input->kind != VALUE_NAME)
        return OPSHIFT_OK;
    return draft_constant(draft, input->name, tensor, &why, error);
}

enum opshift_status draft_input_type(const struct draft *draft, uint32_t position, enum draft_reliance on,
                                     struct value_type *type, struct opshift_error *error)
{
    *type = (struct value_type){.rank = -1};
    if (!draft_input_present(draft, position))
        return OPSHIFT_OK;
    const struct draft_input *input = &draft->inputs[position];
    if (input->kind == VALUE_LITERAL) {
        type->type = input->literal->type;
        type->rank = (int32_t)input->literal->rank;
        type->dims = input->literal->dims;
    }
    if (input->kind != VALUE_NAME)
        return OPSHIFT_OK;
    draft_relies(draft, input->name, on);
    return draft_type(draft, input->name, type, error);
}

/* ---- conditions ------------------------------------------------------------------------------------------------- */

enum opshift_status require_default(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const Onnx__AttributeProto *attribute = named_attribute(step, draft);
    return unless(attribute == NULL || rule_value_equal(attribute, step_text(step, "value")), step, error);
}

enum opshift_status refuse_value(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const Onnx__AttributeProto *attribute = named_attribute(step, draft);
    bool met =
        attribute == NULL || (!attribute->has_ref_attr_name && !rule_value_equal(attribute, step_text(step, "value")));
    return unless(met, step, error);
}

enum opshift_status require_present(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    return unless(named_attribute(step, draft) != NULL, step, error);
}

enum opshift_status require_input(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    return unless(draft_input_present(draft, step_position(step, "input")), step, error);
}

enum opshift_status require_no_input(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    return unless(!draft_input_present(draft, step_position(step, "input")), step, error);
}

static bool output_present(const struct step *step, const struct draft *draft)
{
    uint32_t position = step_position(step, "output");
    return position < draft->output_count && draft->outputs[position] != NAME_NONE;
}

enum opshift_status require_output(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    return unless(output_present(step, draft), step, error);
}

enum opshift_status require_no_output(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    return unless(!output_present(step, draft), step, error);
}

enum opshift_status drop_unread_output(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    bool unread = false;
    uint32_t position = step_position(step, "output");
    if (!output_present(step, draft))
        return OPSHIFT_OK;
    enum opshift_status status = draft_unread(draft, draft->outputs[position], &unread, error);
    if (status || !unread)
        return status;
    if (draft->outputs[position] != NAME_FRESH)
        status = draft_note(draft, error, "output '%.120s', which nobody reads, is left out",
                            names_text(draft->model->names, draft->outputs[position]));
    draft_output_remove(draft, position);
    return status;
}

static bool ints_at_least(const Onnx__AttributeProto *attribute, int64_t least)
{
    if (attribute->has_ref_attr_name)
        return false;
    if (attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT)
        return attribute->i >= least;
    for (size_t i = 0; i < attribute->n_ints; i++)
        if (attribute->ints[i] < least)
            return false;
    return true;
}

/* What is known only at run time is refused, or assumed if the step has `assume` and assumptions are allowed. */
static enum opshift_status unless_assumed(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const char *words = step_text(step, "assume");
    return words && !draft->strict ? draft_add_assumption(draft, words, error) : unless(false, step, error);
}

static bool is_unsigned(enum opshift_type type)
{
    return type == OPSHIFT_TYPE_UINT8 || type == OPSHIFT_TYPE_UINT16 || type == OPSHIFT_TYPE_UINT32 ||
           type == OPSHIFT_TYPE_UINT64 || type == OPSHIFT_TYPE_UINT4 || type == OPSHIFT_TYPE_UINT2;
}

static bool elements_nonnegative(const struct tensor *tensor)
{
    for (uint64_t i = 0; i < tensor->count; i++)
        if (!(tensor_number(tensor, i) >= 0))
            return false;
    return true;
}

enum opshift_status require_nonnegative(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const struct tensor *tensor = NULL;
    const Onnx__AttributeProto *attribute;
    struct value_type type;
    enum opshift_status status;
    int64_t least = step_text(step, "least") ? strtoll(step_text(step, "least"), NULL, 10) : 0;
    if (step_text(step, "attribute")) {
        attribute = named_attribute(step, draft);
        return unless(attribute == NULL || ints_at_least(attribute, least), step, error);
    }
    if (!draft_input_present(draft, step_position(step, "input")))
        return OPSHIFT_OK;
    status = draft_input_type(draft, step_position(step, "input"), RELIES_ON_ELEMENT, &type, error);
    if (status || is_unsigned(type.type))
        return status;
    status = input_constant(draft, step_position(step, "input"), &tensor, error);
    if (status == OPSHIFT_OK && tensor == NULL)
        return unless_assumed(step, draft, error);
    return status ? status : unless(elements_nonnegative(tensor), step, error);
}

enum opshift_status require_ordered(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    uint32_t low = step_position(step, "low"), high = step_position(step, "high");
    const struct tensor *least = NULL, *most = NULL;
    if (!draft_input_present(draft, low) || !draft_input_present(draft, high))
        return OPSHIFT_OK;
    enum opshift_status status = input_constant(draft, low, &least, error);
    if (status == OPSHIFT_OK)
        status = input_constant(draft, high, &most, error);
    if (status)
        return status;
    if (least == NULL || most == NULL)
        return unless_assumed(step, draft, error);
    bool known = least->count == 1 && most->count == 1;
    return unless(known && !(tensor_number(least, 0) > tensor_number(most, 0)), step, error);
}

enum opshift_status require_type(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const char *word = step_text(step, "type");
    struct value_type type;
    if (step_text(step, "attribute") && named_attribute(step, draft) == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = draft_input_type(draft, step_position(step, "input"), RELIES_ON_ELEMENT, &type, error);
    return status ? status : unless(type.type && type.type == type_find(word, strlen(word)), step, error);
}

enum opshift_status refuse_type(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const char *word = step_text(step, "type"), *unless_attribute = step_text(step, "unless_attribute");
    struct value_type type;
    if ((unless_attribute && draft_attribute_find(draft, unless_attribute)) ||
        (step_text(step, "unless_input") && draft_input_present(draft, step_position(step, "unless_input"))))
        return OPSHIFT_OK;
    enum opshift_status status = draft_input_type(draft, step_position(step, "input"), RELIES_ON_ELEMENT, &type, error);
    if (status || type.type)
        return status ? status : unless(type.type != type_find(word, strlen(word)), step, error);
    return unless_assumed(step, draft, error);
}

enum opshift_status require_same_type(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    struct value_type one, other = {0};
    enum opshift_status status = draft_input_type(draft, step_position(step, "input"), RELIES_ON_ELEMENT, &one, error);
    if (status == OPSHIFT_OK)
        status = draft_input_type(draft, step_position(step, "as"), RELIES_ON_ELEMENT, &other, error);
    if (status)
        return status;
    bool known = one.type && other.type;
    if (known || !draft->strict)
        return unless(!known || one.type == other.type, step, error);
    return opshift_fail(error, OPSHIFT_NO,
                        "the types of inputs %u and %u must be one at opset %lld, and they are not both known",
                        step_position(step, "as"), step_position(step, "input"), next_opset(draft));
}

enum opshift_status require_rank(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    struct value_type type;
    enum opshift_status status = draft_input_type(draft, step_position(step, "input"), RELIES_ON_RANK, &type, error);
    return status ? status : unless(type.rank == (int32_t)step_position(step, "rank"), step, error);
}

/* ---- shapes ----------------------------------------------------------------------------------------------------- */

static bool same_dim(const struct value_type *one, int32_t i, const struct value_type *other, int32_t j)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a known rank has dims. */
    if (one->dims[i] >= 0 || other->dims[j] >= 0)
        return one->dims[i] == other->dims[j];
    return one->params && other->params && one->params[i] != NAME_NONE && one->params[i] == other->params[j];
}

/* Are the dims of the shorter shape known to equal the last dims of the longer one? */
static bool ends_like(const struct value_type *longer, const struct value_type *shorter)
{
    int32_t skipped = longer->rank - shorter->rank;
    if (shorter->rank < 0 || skipped < 0)
        return false;
    for (int32_t i = 0; i < shorter->rank; i++)
        if (!same_dim(longer, skipped + i, shorter, i))
            return false;
    return true;
}

static bool one_element(const struct value_type *type)
{
    for (int32_t i = 0; i < type->rank; i++)
        if (type->dims[i] != 1)
            return false;
    return type->rank >= 0;
}

enum opshift_status require_same_shapes(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    struct value_type first, other;
    enum opshift_status status = draft_input_type(draft, 0, RELIES_ON_SHAPE, &first, error);
    for (uint32_t i = 1; status == OPSHIFT_OK && i < draft->input_count; i++) {
        status = draft_input_type(draft, i, RELIES_ON_SHAPE, &other, error);
        if (status == OPSHIFT_OK && (first.rank != other.rank || !ends_like(&first, &other)))
            return unmet(step, error);
    }
    return status;
}

/* The last dim of a mask is the number of all keys, past ones included. */
enum opshift_status require_full_mask(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    uint32_t at = step_position(step, "mask"), before = step_position(step, "past");
    struct value_type mask, keys = {.rank = -1}, past = {.rank = -1};
    if (!draft_input_present(draft, at))
        return OPSHIFT_OK;
    enum opshift_status status = draft_input_type(draft, at, RELIES_ON_SHAPE, &mask, error);
    if (status == OPSHIFT_OK)
        status = draft_input_type(draft, step_position(step, "keys"), RELIES_ON_SHAPE, &keys, error);
    if (status == OPSHIFT_OK)
        status = draft_input_type(draft, before, RELIES_ON_SHAPE, &past, error);
    if (status)
        return status;
    if (mask.rank < 1 || keys.rank < 2)
        return unmet(step, error);
    if (!draft_input_present(draft, before))
        return unless(same_dim(&mask, mask.rank - 1, &keys, keys.rank - 2), step, error);
    int64_t last = mask.dims[mask.rank - 1], now = keys.dims[keys.rank - 2];
    bool known = last >= 0 && now >= 0 && past.rank >= 2 && past.dims[past.rank - 2] >= 0;
    return unless(known && last - now == past.dims[past.rank - 2], step, error);
}

/* ---- windows ---------------------------------------------------------------------------------------------------- */

/* One number of an attribute's list; fallback: its value if absent. False: unknown. */
static bool list_number(const struct draft *draft, const char *name, size_t index, size_t count, int64_t fallback,
                        int64_t *number)
{
    const struct draft_attribute *attribute = draft_attribute_find(draft, name);
    *number = fallback;
    if (attribute == NULL)
        return true;
    if (attribute->message->has_ref_attr_name || attribute->message->n_ints != count)
        return false;
    *number = attribute->message->ints[index];
    return true;
}

static bool is_small(int64_t number)
{
    return number >= 0 && number <= INT32_MAX;
}

enum windows { WINDOWS_INSIDE, WINDOWS_BEYOND, WINDOWS_UNKNOWN };

/* For a pooling that rounds up, along one axis: does every window begin before the padding at the end? */
static enum windows windows_judge(const struct draft *draft, const struct value_type *type, size_t axis, size_t axes)
{
    int64_t dim = type->dims[axis + 2], kernel, stride, dilation, head, tail;
    if (!list_number(draft, "kernel_shape", axis, axes, -1, &kernel) ||
        !list_number(draft, "strides", axis, axes, 1, &stride) ||
        !list_number(draft, "dilations", axis, axes, 1, &dilation) ||
        !list_number(draft, "pads", axis, 2 * axes, 0, &head) ||
        !list_number(draft, "pads", axes + axis, 2 * axes, 0, &tail))
        return WINDOWS_UNKNOWN;
    if (head == 0 && tail == 0 && stride == 1)
        return WINDOWS_INSIDE; /* rounding has no effect */
    if (!is_small(dim) || !is_small(kernel) || !is_small(stride) || stride == 0 || !is_small(dilation) ||
        !is_small(head) || !is_small(tail))
        return WINDOWS_UNKNOWN;
    int64_t room = dim + head + tail - (kernel - 1) * dilation - 1;
    if (room < 0)
        return WINDOWS_UNKNOWN;
    return (room + stride - 1) / stride * stride < dim + head ? WINDOWS_INSIDE : WINDOWS_BEYOND;
}

static bool attribute_says(const struct draft *draft, const char *name, const char *value)
{
    const struct draft_attribute *attribute = draft_attribute_find(draft, name);
    return attribute == NULL || rule_value_equal(attribute->message, value);
}

/* words: what such a window does. */
static enum opshift_status windows_unknown(const struct step *step, const struct value_type *type,
                                           struct opshift_error *error)
{
    bool open = type->rank < 0;
    for (int32_t i = 2; i < type->rank; i++)
        open = open || type->dims[i] < 0;
    return opshift_fail(error, OPSHIFT_NO,
                        "with ceil_mode a window may begin in the padding at the end, which %s; %sset ceil_mode to 0",
                        step_text(step, "words"), open ? "give the input's shape, or " : "");
}

enum opshift_status require_inside_windows(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    struct value_type type = {.rank = 0};
    if (attribute_says(draft, "ceil_mode", "0"))
        return OPSHIFT_OK;
    /* SAME and VALID determine the number of windows, and none begins in the padding. */
    const Onnx__AttributeProto *pad = NULL;
    if (!attribute_says(draft, "auto_pad", "NOTSET"))
        pad = draft_attribute_find(draft, "auto_pad")->message;
    if (pad)
        return pad->has_ref_attr_name ? windows_unknown(step, &type, error) : OPSHIFT_OK;
    enum opshift_status status = draft_input_type(draft, 0, RELIES_ON_SHAPE, &type, error);
    if (status || type.rank < 3)
        return status ? status : windows_unknown(step, &type, error);
    bool known = true;
    for (int32_t i = 0; i < type.rank - 2; i++) {
        enum windows windows = windows_judge(draft, &type, (size_t)i, (size_t)type.rank - 2);
        if (windows == WINDOWS_BEYOND)
            return opshift_fail(error, OPSHIFT_NO,
                                "with ceil_mode the last window along axis %d begins in the padding at the end, which "
                                "%s; set ceil_mode to 0",
                                i + 2, step_text(step, "words"));
        known = known && windows == WINDOWS_INSIDE;
    }
    return known ? OPSHIFT_OK : windows_unknown(step, &type, error);
}

static bool shapes_contradict(const struct value_type *one, const struct value_type *other)
{
    if (one->rank < 0 || other->rank < 0)
        return false;
    for (int32_t i = 0; i < one->rank && i < other->rank; i++)
        if (one->dims[i] >= 0 && other->dims[i] >= 0 && one->dims[i] != other->dims[i])
            return true;
    return one->rank != other->rank;
}

/* The type of a subgraph's output at a position; unknown if there is none. */
static enum opshift_status body_type(const struct draft *draft, struct graph *body, uint32_t position,
                                     struct value_type *type, struct opshift_error *error)
{
    *type = (struct value_type){.rank = -1};
    if (position >= body->output_count || body->outputs[position].name == NAME_NONE)
        return OPSHIFT_OK;
    struct draft inside = *draft; /* the draft in the scope of the subgraph */
    inside.graph = body;
    return draft_type(&inside, body->outputs[position].name, type, error);
}

enum opshift_status require_same_branches(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const struct node *node = draft->node;
    for (uint32_t i = 0; i < draft->output_count; i++)
        for (uint32_t j = 1; j < node_subgraph_count(node); j++) {
            struct value_type first, other = {.rank = -1};
            enum opshift_status status = body_type(draft, node_subgraphs(node)[0], i, &first, error);
            if (status == OPSHIFT_OK)
                status = body_type(draft, node_subgraphs(node)[j], i, &other, error);
            if (status)
                return status;
            if (shapes_contradict(&first, &other))
                return unmet(step, error);
        }
    return OPSHIFT_OK;
}

static enum opshift_status set_int(struct draft *draft, const char *name, int64_t value, struct opshift_error *error)
{
    Onnx__AttributeProto *attribute = draft_attribute_set(draft, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
    if (attribute == NULL)
        return opshift_no_memory(error);
    attribute->has_i = 1;
    attribute->i = value;
    return OPSHIFT_OK;
}

enum opshift_status limited_broadcast(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    struct value_type first, second = {0};
    enum opshift_status status = draft_input_type(draft, 0, RELIES_ON_SHAPE, &first, error);
    if (status == OPSHIFT_OK)
        status = draft_input_type(draft, 1, RELIES_ON_SHAPE, &second, error);
    if (status)
        return status;
    bool ends = ends_like(&first, &second);
    if (ends && first.rank == second.rank)
        return OPSHIFT_OK;
    if (ends || (one_element(&second) && second.rank <= first.rank))
        return set_int(draft, step_text(step, "attribute"), 1, error);
    return opshift_fail(error, OPSHIFT_NO,
                        "the second input's shape is not known to be the end of the first's, and opset %lld broadcasts "
                        "in no other way; give both shapes in the model or by --shape, or insert an Expand",
                        next_opset(draft));
}

/* ---- defaults and renamed values --------------------------------------------------------------------------------- */

enum opshift_status drop_ones(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const char *name = step_text(step, "attribute");
    struct draft_attribute *attribute = draft_attribute_find(draft, name);
    if (attribute == NULL)
        return OPSHIFT_OK;
    bool ones = !attribute->message->has_ref_attr_name;
    for (size_t i = 0; i < attribute->message->n_ints; i++)
        ones = ones && attribute->message->ints[i] == 1;
    if (!ones)
        return opshift_fail(error, OPSHIFT_NO, "attribute '%s' does not exist at opset %lld and is not 1 everywhere",
                            name, next_opset(draft));
    draft_attribute_remove(draft, attribute);
    return OPSHIFT_OK;
}

static bool all_elements(const struct tensor *tensor, double value)
{
    const unsigned char *bools = tensor->type == OPSHIFT_TYPE_BOOL ? tensor->data : NULL;
    for (uint64_t i = 0; i < tensor->count; i++)
        if ((bools ? (double)bools[i] : tensor_number(tensor, i)) != value)
            return false;
    return true;
}

enum opshift_status drop_input(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    uint32_t position = step_position(step, "input");
    const struct tensor *tensor = NULL;
    if (!draft_input_present(draft, position)) {
        draft_input_remove(draft, position);
        return OPSHIFT_OK;
    }
    enum opshift_status status = input_constant(draft, position, &tensor, error);
    if (status)
        return status;
    if (tensor == NULL || !all_elements(tensor, real_parse(step_text(step, "value"), NULL)))
        return unmet(step, error);
    draft_input_remove(draft, position);
    return OPSHIFT_OK;
}

enum opshift_status drop_empty_input(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    uint32_t position = step_position(step, "input");
    const struct tensor *tensor = NULL;
    if (!draft_input_present(draft, step_position(step, "given")) || !draft_input_present(draft, position))
        return OPSHIFT_OK;
    enum opshift_status status = input_constant(draft, position, &tensor, error);
    if (status)
        return status;
    if (tensor == NULL || tensor->count != 0)
        return unmet(step, error);
    draft_input_remove(draft, position);
    return OPSHIFT_OK;
}

static const char *const *step_list(const struct step *step, const char *name)
{
    static const char *const none[] = {NULL};
    for (uint32_t i = 0; i < step->parameter_count; i++)
        if (strcmp(step->parameters[i].name, name) == 0 && step->parameters[i].items)
            return step->parameters[i].items;
    return none;
}

enum opshift_status translate_value(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const char *const *old = step_list(step, "old"), *const *new = step_list(step, "new");
    const Onnx__AttributeProto *attribute = named_attribute(step, draft);
    if (attribute == NULL)
        return OPSHIFT_OK;
    while (*old && *new && !rule_value_equal(attribute, *old))
        old++, new ++;
    if (*old == NULL || *new == NULL)
        return unmet(step, error);
    if (strcmp(step_text(step, "type"), "int") == 0)
        return set_int(draft, step_text(step, "attribute"), strtoll(*new, NULL, 10), error);
    Onnx__AttributeProto *set =
        draft_attribute_set(draft, step_text(step, "attribute"), ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING);
    if (set == NULL)
        return opshift_no_memory(error);
    set->has_s = 1;
    set->s = binary_of(*new);
    return OPSHIFT_OK;
}

enum opshift_status last_axis(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const char *name = step_text(step, "attribute");
    const Onnx__AttributeProto *attribute = named_attribute(step, draft);
    int64_t axis = attribute ? attribute->i : strtoll(step_text(step, "default"), NULL, 10);
    struct value_type type;
    enum opshift_status status = draft_input_type(draft, 0, RELIES_ON_RANK, &type, error);
    if (status)
        return status;
    bool known = attribute == NULL || !attribute->has_ref_attr_name;
    if (!known || (axis != -1 && (type.rank < 1 || axis != type.rank - 1)))
        return unmet(step, error);
    return attribute ? OPSHIFT_OK : set_int(draft, name, axis, error);
}

/* ---- Constant --------------------------------------------------------------------------------------------------- */

static enum opshift_status strings_tensor(struct draft *draft, const Onnx__AttributeProto *attribute, bool list,
                                          struct tensor **tensor, struct opshift_error *error)
{
    int64_t dim = (int64_t)attribute->n_strings;
    enum opshift_status status = tensor_new(draft->arena, OPSHIFT_TYPE_STRING, list, &dim, tensor, error);
    const ProtobufCBinaryData *strings = list ? attribute->strings : &attribute->s;
    for (uint64_t i = 0; status == OPSHIFT_OK && i < (*tensor)->count; i++)
        (*tensor)->strings[i] = (struct bytes){strings[i].data, strings[i].len};
    return status;
}

static enum opshift_status numbers_tensor(struct draft *draft, enum opshift_type type, const void *numbers, bool list,
                                          size_t count, struct tensor **tensor, struct opshift_error *error)
{
    int64_t dim = (int64_t)count;
    enum opshift_status status = tensor_new(draft->arena, type, list, &dim, tensor, error);
    if (status == OPSHIFT_OK && (*tensor)->count)
        memcpy((*tensor)->data, numbers, type_size(type, (*tensor)->count));
    return status;
}

static enum opshift_status constant_tensor(struct draft *draft, const Onnx__AttributeProto *attribute,
                                           struct tensor **tensor, struct opshift_error *error)
{
    switch (attribute->type) {
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT:
        return numbers_tensor(draft, OPSHIFT_TYPE_INT64, &attribute->i, false, 1, tensor, error);
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS:
        return numbers_tensor(draft, OPSHIFT_TYPE_INT64, attribute->ints, true, attribute->n_ints, tensor, error);
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT:
        return numbers_tensor(draft, OPSHIFT_TYPE_FLOAT, &attribute->f, false, 1, tensor, error);
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS:
        return numbers_tensor(draft, OPSHIFT_TYPE_FLOAT, attribute->floats, true, attribute->n_floats, tensor, error);
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING:
        return strings_tensor(draft, attribute, false, tensor, error);
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRINGS:
        return strings_tensor(draft, attribute, true, tensor, error);
    default:
        return opshift_fail(error, OPSHIFT_NO, "the constant's value is no number, no string and no list of them");
    }
}

enum opshift_status constant_to_tensor(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    static const char *const names[] = {"value_int",    "value_ints",   "value_float",
                                        "value_floats", "value_string", "value_strings"};
    struct draft_attribute *attribute = NULL;
    struct tensor *tensor;
    (void)step;
    for (size_t i = 0; attribute == NULL && i < COUNT(names); i++)
        attribute = draft_attribute_find(draft, names[i]);
    if (attribute == NULL)
        return OPSHIFT_OK;
    if (attribute->message->has_ref_attr_name)
        return opshift_fail(error, OPSHIFT_NO,
                            "the constant is the function's attribute, which opset %lld cannot say; "
                            "call the function with a tensor instead",
                            next_opset(draft));
    enum opshift_status status = constant_tensor(draft, attribute->message, &tensor, error);
    if (status)
        return status;
    draft_attribute_remove(draft, attribute);
    Onnx__AttributeProto *value = draft_attribute_set(draft, "value", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR);
    if (value == NULL || (value->t = tensor_encode(draft->arena, tensor, (struct bytes){0})) == NULL)
        return opshift_no_memory(error);
    return OPSHIFT_OK;
}

enum opshift_status constant_to_initializer(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const struct schema *below = schema_find(draft->domain, draft->op_type, draft->opset - 1);
    struct draft_attribute *attribute = draft_attribute_find(draft, "value");
    struct tensor *tensor = NULL;
    (void)step;
    if (below == NULL || attribute == NULL || attribute->message->has_ref_attr_name || attribute->message->t == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = tensor_decode(draft->arena, attribute->message->t, &tensor, error);
    if (status || tensor->type == OPSHIFT_TYPE_STRING ||
        schema_types(below, below->outputs)->tensor >> tensor->type & 1)
        return status;
    draft_attribute_remove(draft, attribute);
    draft->op_type = "Identity";
    struct draft_input *input = draft_input_set(draft, 0);
    if (input == NULL)
        return opshift_no_memory(error);
    *input = (struct draft_input){.kind = VALUE_LITERAL, .literal = tensor};
    return OPSHIFT_OK;
}
