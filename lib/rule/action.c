/* The verbs of rules: one function and one row each. */
#include "rule/rule.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/real.h"
#include "base/strings.h"
#include "model/number.h"
#include "model/text_attribute.h"
#include "rule/action_split.h"
#include "rule/draft_facts.h"
#include "rule/replace.h"

#define LIST(...)                                                                                                      \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }

uint32_t step_position(const struct step *step, const char *name)
{
    const char *text = step_text(step, name);
    return text ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

static bool read_int(const char *text, int64_t *value)
{
    return text_to_int64(text, strlen(text), value);
}

static bool read_float(const char *text, float *value)
{
    char *end;
    *value = real_parse_float(text, &end);
    return end != text && *end == '\0';
}

/* The other opset of the current step. */
static long long next_opset(const struct draft *draft)
{
    return (long long)draft->opset + (draft->up ? 1 : -1);
}

/* Does an attribute's list of numbers equal the text in the rule? */
static bool same_list(const Onnx__AttributeProto *attribute, const char *const *items)
{
    bool ints = attribute->type == ATTRIBUTE(INTS);
    size_t count = 0;
    while (items[count])
        count++;
    if (count != (ints ? attribute->n_ints : attribute->n_floats))
        return false;
    for (size_t i = 0; i < count; i++) {
        int64_t whole;
        float number;
        if (ints ? !read_int(items[i], &whole) || whole != attribute->ints[i]
                 : !read_float(items[i], &number) || number != attribute->floats[i])
            return false;
    }
    return true;
}

/* Has the attribute this value, written as in a rule? The value of a reference to a function's attribute is unknown. */
static bool has_value(const Onnx__AttributeProto *attribute, const char *text, const char *const *items)
{
    int64_t whole;
    float number;
    if (attribute->has_ref_attr_name)
        return false;
    switch (attribute->type) {
    case ATTRIBUTE(INT):
        return text && read_int(text, &whole) && whole == attribute->i;
    case ATTRIBUTE(FLOAT):
        return text && read_float(text, &number) && number == attribute->f;
    case ATTRIBUTE(STRING):
        return text && bytes_are(bytes_of(attribute->s), text);
    case ATTRIBUTE(INTS):
    case ATTRIBUTE(FLOATS):
        return items && same_list(attribute, items);
    default:
        return false;
    }
}

bool rule_value_equal(const Onnx__AttributeProto *attribute, const char *text)
{
    if (*text != '[')
        return has_value(attribute, text, NULL);
    char copy[256];
    const char *items[65] = {NULL};
    size_t count = 0;
    if (strlen(text) >= sizeof(copy))
        return false;
    snprintf(copy, sizeof(copy), "%s", text + 1);
    char *rest = copy;
    for (char *item; count < 64 && (item = strtok_r(NULL, ", ]", &rest));)
        items[count++] = item;
    return has_value(attribute, NULL, items);
}

/* Texts that fit the type, as the loader has checked; a text of another kind stays empty. */
static void fill_single(Onnx__AttributeProto *attribute, const char *text)
{
    attribute->has_i = attribute->type == ATTRIBUTE(INT) && read_int(text, &attribute->i);
    attribute->has_f = attribute->type == ATTRIBUTE(FLOAT) && read_float(text, &attribute->f);
    attribute->has_s = attribute->type == ATTRIBUTE(STRING);
    if (attribute->has_s)
        attribute->s = binary_of(text);
}

static enum opshift_status fill_list(struct draft *draft, Onnx__AttributeProto *attribute, const char *const *items,
                                     struct opshift_error *error)
{
    Onnx__AttributeProto single = {.type = attribute_single(attribute->type)};
    size_t size = 0, count = 0;
    const void *element = attribute_element(&single, &size);
    while (items[count])
        count++;
    uint8_t *list = arena_alloc(draft->arena, count, size);
    if (list == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        fill_single(&single, items[i]);
        memcpy(list + i * size, element, size);
    }
    attribute_set_list(attribute, list, count);
    return OPSHIFT_OK;
}

static enum opshift_status set_attribute(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const struct parameter *value = step_parameter(step, "value");
    const char *type = step_text(step, "type");
    Onnx__AttributeProto *attribute =
        draft_attribute_set(draft, step_text(step, "attribute"), attribute_find(type, strlen(type)));
    if (attribute == NULL)
        return opshift_no_memory(error);
    if (value->items)
        return fill_list(draft, attribute, value->items, error);
    fill_single(attribute, value->text);
    return OPSHIFT_OK;
}

static enum opshift_status write_default(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    if (draft_attribute_find(draft, step_text(step, "attribute")))
        return OPSHIFT_OK;
    return set_attribute(step, draft, error);
}

static enum opshift_status remove_attribute(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    struct draft_attribute *attribute = draft_attribute_find(draft, step_text(step, "attribute"));
    if (attribute)
        draft_attribute_remove(draft, attribute);
    return OPSHIFT_OK;
}

/* Removes an attribute with its default value; other values cannot be expressed below. */
static enum opshift_status drop_default(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const char *name = step_text(step, "attribute");
    const struct parameter *value = step_parameter(step, "value");
    struct draft_attribute *attribute = draft_attribute_find(draft, name);
    if (attribute == NULL)
        return OPSHIFT_OK;
    if (!has_value(attribute->message, value->text, value->items)) {
        const char *words = step_text(step, "words") ? step_text(step, "words") : draft->wanted;
        return opshift_fail(error, OPSHIFT_NO,
                            "attribute '%s' does not exist at opset %lld and has another value than its "
                            "default%s%s",
                            name, next_opset(draft), words ? "; " : "", words ? words : "");
    }
    draft_attribute_remove(draft, attribute);
    return OPSHIFT_OK;
}

/* `inserted: N`: the node's output has N additional dims for each axis (Unsqueeze: 1). */
static enum opshift_status nonnegative_axes(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    struct draft_attribute *found = draft_attribute_find(draft, step_text(step, "attribute"));
    struct value_type type = {.rank = -1};
    int64_t least = 0;
    if (found == NULL || found->message->type != ATTRIBUTE(INTS) || found->message->has_ref_attr_name ||
        draft->input_count == 0 || draft->inputs[0].kind != VALUE_NAME)
        return OPSHIFT_OK;
    Onnx__AttributeProto *axes = found->message;
    for (size_t i = 0; i < axes->n_ints; i++)
        least = axes->ints[i] < least ? axes->ints[i] : least;
    if (least == 0)
        return OPSHIFT_OK;
    enum opshift_status status = draft_type(draft, draft->inputs[0].name, &type, error);
    if (status || type.rank < 0)
        return status;
    int64_t rank = type.rank + (step_position(step, "inserted") ? (int64_t)axes->n_ints : 0);
    draft_relies(draft, draft->inputs[0].name, RELIES_ON_RANK);
    int64_t *front = arena_alloc(draft->arena, axes->n_ints, sizeof(*front));
    if (front == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < axes->n_ints; i++)
        front[i] = axes->ints[i] < 0 ? axes->ints[i] + rank : axes->ints[i];
    axes->ints = front;
    found->changed = draft->changed = true;
    return OPSHIFT_OK;
}

static enum opshift_status rename_operator(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    draft->op_type = step_text(step, "to");
    draft->changed = true;
    return OPSHIFT_OK;
}

static enum opshift_status keep(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    (void)step;
    (void)draft;
    (void)error;
    return OPSHIFT_OK;
}

/* The number as one of the kind; false: an integer type cannot hold it. */
static bool number_of(enum number_kind kind, double number, union number *result)
{
    if (kind == NUMBER_REAL)
        result->d = number;
    else if (number != floor(number) || fabs(number) > 0x1p53 || (kind == NUMBER_UNSIGNED && number < 0))
        return false;
    else
        result->i = (int64_t)number;
    return true;
}

/* A tensor with an attribute's number, string or list; a single one is a scalar, or a list of one. */
static enum opshift_status attribute_tensor(struct draft *draft, const Onnx__AttributeProto *attribute,
                                            enum opshift_type type, bool as_list, struct tensor **tensor,
                                            struct opshift_error *error)
{
    bool list = attribute_is_list(attribute->type);
    enum attribute_type single = attribute_single(attribute->type);
    int64_t dim = list ? (int64_t)(attribute->n_ints + attribute->n_floats + attribute->n_strings) : 1;
    const struct number_type *numbers = number_type(type);
    enum opshift_status status = tensor_new(draft->arena, type, list || as_list, &dim, tensor, error);
    if (status)
        return status;
    const int64_t *wholes = list ? attribute->ints : &attribute->i;
    const float *reals = list ? attribute->floats : &attribute->f;
    const ProtobufCBinaryData *strings = list ? attribute->strings : &attribute->s;
    for (uint64_t i = 0; i < (*tensor)->count; i++) {
        union number number = {.i = 0};
        double real = single == ATTRIBUTE(INT) ? (double)wholes[i] : single == ATTRIBUTE(FLOAT) ? reals[i] : 0;
        if (single == ATTRIBUTE(STRING)) {
            (*tensor)->strings[i] = bytes_of(strings[i]);
            continue;
        }
        if (single == ATTRIBUTE(INT) && numbers->kind == NUMBER_SIGNED)
            number.i = wholes[i];
        else if (!number_of(numbers->kind, real, &number))
            return opshift_fail(error, OPSHIFT_NO, "attribute '%.*s' is %g, which %s cannot hold",
                                (int)attribute->name.len, (const char *)attribute->name.data, real, type_name(type));
        numbers->store((char *)(*tensor)->data + i * numbers->size, number);
    }
    return OPSHIFT_OK;
}

/* The element type of a tensor with an attribute's value; UNDEFINED: its value is no number, string or list. */
static enum opshift_type type_of_attribute(const Onnx__AttributeProto *attribute)
{
    enum attribute_type single = attribute_single(attribute->type);
    return single == ATTRIBUTE(INT)      ? OPSHIFT_TYPE_INT64
           : single == ATTRIBUTE(FLOAT)  ? OPSHIFT_TYPE_FLOAT
           : single == ATTRIBUTE(STRING) ? OPSHIFT_TYPE_STRING
                                         : OPSHIFT_TYPE_UNDEFINED;
}

/* attribute_to_tensor: a number, a string or a list becomes an attribute that is a tensor. */
static enum opshift_status attribute_to_tensor(const struct step *step, struct draft *draft,
                                               struct opshift_error *error)
{
    struct draft_attribute *attribute = draft_attribute_find(draft, step_text(step, "attribute"));
    struct tensor *tensor;
    if (attribute == NULL)
        return OPSHIFT_OK;
    if (attribute->message->has_ref_attr_name)
        return opshift_fail(error, OPSHIFT_NO,
                            "the constant is the function's attribute, which opset %lld cannot say; "
                            "call the function with a tensor instead",
                            next_opset(draft));
    enum opshift_type type = type_of_attribute(attribute->message);
    if (type == OPSHIFT_TYPE_UNDEFINED)
        return opshift_fail(error, OPSHIFT_NO, "the constant's value is no number, no string and no list of them");
    enum opshift_status status = attribute_tensor(draft, attribute->message, type, false, &tensor, error);
    if (status)
        return status;
    draft_attribute_remove(draft, attribute);
    Onnx__AttributeProto *value = draft_attribute_set(draft, step_text(step, "to"), ATTRIBUTE(TENSOR));
    if (value == NULL || (value->t = tensor_encode(draft->arena, tensor, (struct bytes){0})) == NULL)
        return opshift_no_memory(error);
    return OPSHIFT_OK;
}

/* The type of the draft's input; unknown if absent. Records that the draft relies on it. */
static enum opshift_status input_type(const struct draft *draft, uint32_t position, struct value_type *type,
                                      struct opshift_error *error)
{
    *type = (struct value_type){.rank = -1};
    if (!draft_input_present(draft, position))
        return OPSHIFT_OK;
    const struct draft_input *input = &draft->inputs[position];
    if (input->kind == VALUE_LITERAL)
        type->type = input->literal->type;
    if (input->kind != VALUE_NAME)
        return OPSHIFT_OK;
    draft_relies(draft, input->name, RELIES_ON_ELEMENT);
    return draft_type(draft, input->name, type, error);
}

/* The element type that the attribute gets as an input: `type`, that of the input `as`, or the attribute's own. */
static enum opshift_status type_as_input(const struct step *step, const struct draft *draft,
                                         const Onnx__AttributeProto *attribute, enum opshift_type *type,
                                         struct opshift_error *error)
{
    const char *word = step_text(step, "type"), *name = step_text(step, "attribute");
    enum opshift_type own = type_of_attribute(attribute);
    struct value_type data;
    *type = word ? type_find(word, strlen(word)) : own;
    if (step_text(step, "as")) {
        uint32_t position = step_position(step, "as");
        enum opshift_status status = input_type(draft, position, &data, error);
        if (status)
            return status;
        *type = data.type;
        if (number_type(*type) == NULL || *type == OPSHIFT_TYPE_BOOL)
            return opshift_fail(error, OPSHIFT_NO,
                                "attribute '%s' becomes an input of the type of input %u, which is %s; %s", name,
                                position, data.type ? type_name(data.type) : "not known",
                                data.type ? "insert a Cast" : "declare its type in the model");
        return OPSHIFT_OK;
    }
    if (own == OPSHIFT_TYPE_INT64 || *type != OPSHIFT_TYPE_INT64)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_USAGE, "the rule's step in line %u: attribute '%s' cannot become %s", step->line,
                        name, word);
}

static enum opshift_status value_of_attribute(const struct step *step, struct draft *draft,
                                              const Onnx__AttributeProto *message, struct tensor **tensor,
                                              struct opshift_error *error)
{
    enum opshift_type type = OPSHIFT_TYPE_UNDEFINED;
    if (message->type == ATTRIBUTE(TENSOR) && message->t)
        return tensor_decode(draft->arena, message->t, tensor, error);
    enum opshift_status status = type_as_input(step, draft, message, &type, error);
    return status ? status : attribute_tensor(draft, message, type, step_position(step, "rank") == 1, tensor, error);
}

/* attribute_to_input: the attribute becomes an input, which a graph can compute. */
static enum opshift_status attribute_to_input(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const char *name = step_text(step, "attribute");
    struct draft_attribute *attribute = draft_attribute_find(draft, name);
    struct draft_input value = {.kind = VALUE_REFERENCE};
    struct tensor *tensor = NULL;
    if (attribute == NULL)
        return OPSHIFT_OK;
    const Onnx__AttributeProto *message = attribute->message;
    enum attribute_type single = attribute_single(message->type);
    if (single != ATTRIBUTE(INT) && single != ATTRIBUTE(FLOAT) && message->type != ATTRIBUTE(TENSOR))
        return opshift_fail(error, OPSHIFT_NO, "attribute '%s' is no number and no list of numbers", name);
    if (message->has_ref_attr_name) {
        if (message->type != ATTRIBUTE(INTS))
            return opshift_fail(error, OPSHIFT_NO,
                                "attribute '%s' refers to the function's attribute, and only a list of "
                                "integers can follow it into an input",
                                name);
        value.reference = bytes_of(message->ref_attr_name);
    } else {
        enum opshift_status status = value_of_attribute(step, draft, message, &tensor, error);
        if (status)
            return status;
        value = (struct draft_input){.kind = VALUE_LITERAL, .literal = tensor};
    }
    draft_attribute_remove(draft, attribute);
    struct draft_input *input = draft_input_set(draft, step_position(step, "input"));
    if (input == NULL)
        return opshift_no_memory(error);
    *input = value;
    return OPSHIFT_OK;
}

/* The tensor as int64 or float, the types that an attribute can have. NULL: it cannot be written so exactly. */
static enum opshift_status attribute_numbers(struct draft *draft, const struct tensor **tensor,
                                             struct opshift_error *error)
{
    const struct tensor *from = *tensor;
    struct tensor *numbers;
    bool whole = from->type == OPSHIFT_TYPE_INT32;
    if (from->type == OPSHIFT_TYPE_INT64 || from->type == OPSHIFT_TYPE_FLOAT)
        return OPSHIFT_OK;
    *tensor = NULL;
    if (!whole && from->type != OPSHIFT_TYPE_FLOAT16 && from->type != OPSHIFT_TYPE_BFLOAT16 &&
        from->type != OPSHIFT_TYPE_DOUBLE)
        return OPSHIFT_OK;
    enum opshift_status status = tensor_new(draft->arena, whole ? OPSHIFT_TYPE_INT64 : OPSHIFT_TYPE_FLOAT, from->rank,
                                            from->dims, &numbers, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < from->count; i++) {
        double number = tensor_number(from, i);
        if (whole)
            ((int64_t *)numbers->data)[i] = (int64_t)number;
        else if (number == number && (double)(float)number != number)
            return OPSHIFT_OK;
        else
            ((float *)numbers->data)[i] = (float)number;
    }
    *tensor = status ? NULL : numbers;
    return status;
}

/* scalar: one number, alone or as a list of one. */
static enum opshift_status list_attribute(struct draft *draft, const char *name, const struct tensor *tensor,
                                          bool scalar, struct opshift_error *error)
{
    bool whole = tensor->type == OPSHIFT_TYPE_INT64;
    enum attribute_type single = whole ? ATTRIBUTE(INT) : ATTRIBUTE(FLOAT);
    Onnx__AttributeProto *attribute = draft_attribute_set(draft, name, scalar ? single : attribute_plural(single));
    void *copy = arena_copy(draft->arena, tensor->data, type_size(tensor->type, tensor->count));
    if (attribute == NULL || copy == NULL)
        return opshift_no_memory(error);
    if (!scalar) {
        attribute_set_list(attribute, copy, tensor->count);
        return OPSHIFT_OK;
    }
    attribute->has_i = whole;
    attribute->has_f = !whole;
    if (whole)
        attribute->i = *(const int64_t *)copy;
    else
        attribute->f = *(const float *)copy;
    return OPSHIFT_OK;
}

/* The function's attribute @name that an input refers to; size 0: none. */
static enum opshift_status input_reference(const struct draft *draft, const struct draft_input *input,
                                           struct bytes *reference, struct opshift_error *error)
{
    *reference = (struct bytes){0};
    if (input->kind == VALUE_REFERENCE)
        *reference = input->reference;
    if (input->kind != VALUE_NAME || draft->graph->function == NULL)
        return OPSHIFT_OK;
    return draft_reference(draft, input->name, reference, error);
}

/* Is the attribute a list at the lower opset of the step? */
static bool is_list(const struct draft *draft, const char *name)
{
    const struct schema *schema = schema_find(draft->domain, draft->op_type, draft->opset - 1);
    const struct schema_attribute *attribute = schema == NULL ? NULL : schema_attribute_find(schema, name);
    return attribute != NULL && attribute_is_list(attribute->type);
}

/* input_to_attribute: only a constant can become an attribute. A scalar can become a list of one. */
static enum opshift_status input_to_attribute(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const char *name = step_text(step, "attribute");
    uint32_t position = step_position(step, "input");
    if (!draft_input_present(draft, position)) {
        if (position < draft->input_count)
            draft_input_remove(draft, position);
        return OPSHIFT_OK;
    }
    const struct draft_input *input = &draft->inputs[position];
    struct bytes reference;
    enum opshift_status status = input_reference(draft, input, &reference, error);
    if (status)
        return status;
    if (reference.size) {
        Onnx__AttributeProto *attribute = draft_attribute_set(draft, name, ATTRIBUTE(INTS));
        if (attribute == NULL)
            return opshift_no_memory(error);
        attribute->has_ref_attr_name = 1;
        attribute->ref_attr_name = (ProtobufCBinaryData){reference.size, (uint8_t *)(uintptr_t)reference.data};
        draft_input_remove(draft, position);
        return OPSHIFT_OK;
    }
    const struct tensor *tensor = input->literal;
    const char *why = NULL;
    if (input->kind == VALUE_CHUNKS)
        return split_chunks_refuse(error);
    if (input->kind == VALUE_NAME)
        status = draft_constant(draft, input->name, &tensor, &why, error);
    if (status)
        return status;
    if (tensor == NULL)
        return input_dynamic(draft, position, name, why, error);
    const struct tensor *given = tensor;
    status = attribute_numbers(draft, &tensor, error);
    if (status)
        return status;
    if (tensor == NULL || tensor->rank > 1)
        return opshift_fail(error, OPSHIFT_NO,
                            "input %u has type %s and rank %u; only a list of int64 or int32, or of what a float can "
                            "hold, can become attribute '%s'",
                            position, type_name(given->type), given->rank, name);
    const char *word = step_text(step, "type");
    bool whole = tensor->type == OPSHIFT_TYPE_INT64;
    if (word && (tensor->count != 1 || strcmp(word, whole ? "int" : "float") != 0))
        return opshift_fail(error, OPSHIFT_NO, "input %u is %" PRIu64 " elements of %s, and attribute '%s' is one %s",
                            position, tensor->count, type_name(tensor->type), name, word);
    status = list_attribute(draft, name, tensor, word || (tensor->rank == 0 && !is_list(draft, name)), error);
    if (status == OPSHIFT_OK)
        draft_input_remove(draft, position);
    return status;
}

static enum opshift_status remove_input(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    (void)error;
    draft_input_remove(draft, step_position(step, "input"));
    return OPSHIFT_OK;
}

/* Removes an unused output of an operator that computes the same without it. */
static enum opshift_status drop_unread_output(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    bool unread = false;
    uint32_t position = step_position(step, "output");
    if (position >= draft->output_count || draft->outputs[position] == NAME_NONE)
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

/* Replaces a value in the list `old` by the one at the same index of `new`. */
static enum opshift_status translate_value(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const char *const *old = step_parameter(step, "old")->items, *const *new = step_parameter(step, "new")->items;
    const char *name = step_text(step, "attribute"), *type = step_text(step, "type");
    const struct draft_attribute *attribute = draft_attribute_find(draft, name);
    if (attribute == NULL)
        return OPSHIFT_OK;
    while (*old && !has_value(attribute->message, *old, NULL))
        old++, new ++;
    if (*old == NULL)
        return opshift_fail(error, OPSHIFT_NO, "%s", step_text(step, "words"));
    Onnx__AttributeProto *set = draft_attribute_set(draft, name, attribute_find(type, strlen(type)));
    if (set == NULL)
        return opshift_no_memory(error);
    fill_single(set, *new);
    return OPSHIFT_OK;
}

/* Refuses unless `that` holds; where that is unknown, it is assumed if the step and the goal allow it. */
static enum opshift_status require(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const char *assume = step_text(step, "assume"), *wanted = draft->wanted;
    struct draft_facts facts;
    struct opshift_error why;
    bool holds = false;
    draft->unresolved = false;
    enum opshift_status status = draft_facts_open(&facts, step, draft, draft->opset + draft->up, error);
    if (status)
        return draft_facts_blocks(status, error);
    status = draft_facts_hold(&facts, "that", &holds, &why);
    draft->wanted = wanted; /* for `refuse`, behind conditions of bodies */
    if (status == OPSHIFT_NO && assume && !draft->strict && !draft->unresolved)
        return draft_add_assumption(draft, assume, error);
    if (status && status != OPSHIFT_NO)
        return draft_facts_blocks(error_give(error, status, &why), error);
    return holds && status == OPSHIFT_OK ? OPSHIFT_OK : opshift_fail(error, OPSHIFT_NO, "%s", step_text(step, "words"));
}

static enum opshift_status refuse(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    return opshift_fail(error, OPSHIFT_NO, "%s%s%s", step_text(step, "words"), draft->wanted ? "; " : "",
                        draft->wanted ? draft->wanted : "");
}

#define VERB(name, required, optional) {#name, required, optional, name},
const struct action rule_actions[] = {
#include "rule/verbs.h"
    {0},
};
