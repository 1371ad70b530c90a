/* The verbs of rules: one function and one row each. */
#include "rule/rule.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/real.h"
#include "base/strings.h"
#include "kernel/facts.h"
#include "model/number.h"
#include "rule/action_require.h"
#include "rule/action_split.h"
#include "rule/replace.h"
#include "schema/schema.h"

#define LIST(...)                                                                                                      \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }

const char *step_text(const struct step *step, const char *name)
{
    for (uint32_t i = 0; i < step->parameter_count; i++)
        if (strcmp(step->parameters[i].name, name) == 0)
            return step->parameters[i].text;
    return NULL;
}

static const char *const *step_items(const struct step *step, const char *name)
{
    for (uint32_t i = 0; i < step->parameter_count; i++)
        if (strcmp(step->parameters[i].name, name) == 0)
            return step->parameters[i].items;
    return NULL;
}

uint32_t step_position(const struct step *step, const char *name)
{
    const char *text = step_text(step, name);
    return text ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

static Onnx__AttributeProto__AttributeType type_of_word(const char *word)
{
    static const struct {
        const char *word;
        Onnx__AttributeProto__AttributeType type;
    } words[] = {
        {"int", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT},
        {"float", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT},
        {"string", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING},
        {"ints", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS},
        {"floats", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS},
    };
    for (size_t i = 0; word && i < COUNT(words); i++)
        if (strcmp(word, words[i].word) == 0)
            return words[i].type;
    return ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED;
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

/* Does an attribute's list of numbers equal the text in the rule? */
static bool same_list(const Onnx__AttributeProto *attribute, const char *const *items)
{
    bool ints = attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS;
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
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT:
        return text && read_int(text, &whole) && whole == attribute->i;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT:
        return text && read_float(text, &number) && number == attribute->f;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING:
        return text && bytes_are(bytes_of(attribute->s), text);
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS:
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS:
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

static enum opshift_status fill_list(struct draft *draft, Onnx__AttributeProto *attribute, const char *const *items,
                                     const struct step *step, struct opshift_error *error)
{
    size_t count = 0;
    while (items[count])
        count++;
    bool ints = attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS;
    attribute->ints = arena_alloc(draft->arena, count, sizeof(*attribute->ints));
    attribute->floats = arena_alloc(draft->arena, count, sizeof(*attribute->floats));
    if (attribute->ints == NULL || attribute->floats == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < count; i++)
        if (ints ? !read_int(items[i], &attribute->ints[i]) : !read_float(items[i], &attribute->floats[i]))
            return opshift_fail(error, OPSHIFT_USAGE, "the rule's step in line %u: '%s' is not a number", step->line,
                                items[i]);
    if (ints)
        attribute->n_ints = count;
    else
        attribute->n_floats = count;
    return OPSHIFT_OK;
}

static enum opshift_status set_attribute(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const char *text = step_text(step, "value");
    const char *const *items = step_items(step, "value");
    Onnx__AttributeProto__AttributeType type = type_of_word(step_text(step, "type"));
    if (type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED)
        return opshift_fail(error, OPSHIFT_USAGE,
                            "the rule's step in line %u: 'type' must be int, float, string, ints or floats",
                            step->line);
    Onnx__AttributeProto *attribute = draft_attribute_set(draft, step_text(step, "attribute"), type);
    if (attribute == NULL)
        return opshift_no_memory(error);
    bool fits = false;
    switch (type) {
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT:
        attribute->has_i = fits = text && read_int(text, &attribute->i);
        break;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT:
        attribute->has_f = fits = text && read_float(text, &attribute->f);
        break;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING:
        attribute->has_s = fits = text != NULL;
        if (fits)
            attribute->s = binary_of(text);
        break;
    default:
        if (items)
            return fill_list(draft, attribute, items, step, error);
    }
    if (!fits)
        return opshift_fail(error, OPSHIFT_USAGE, "the rule's step in line %u: 'value' does not fit the type '%s'",
                            step->line, step_text(step, "type"));
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

static enum opshift_status rename_attribute(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    struct draft_attribute *attribute = draft_attribute_find(draft, step_text(step, "attribute"));
    if (attribute == NULL)
        return OPSHIFT_OK;
    const char *to = step_text(step, "to");
    attribute->message->name = binary_of(to);
    attribute->changed = draft->changed = true;
    return OPSHIFT_OK;
}

/* Removes an attribute with its default value; other values cannot be expressed below. */
static enum opshift_status drop_default(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const char *name = step_text(step, "attribute");
    struct draft_attribute *attribute = draft_attribute_find(draft, name);
    if (attribute == NULL)
        return OPSHIFT_OK;
    if (!has_value(attribute->message, step_text(step, "value"), step_items(step, "value"))) {
        const char *words = step_text(step, "words") ? step_text(step, "words") : draft->wanted;
        return opshift_fail(error, OPSHIFT_NO,
                            "attribute '%s' does not exist at opset %lld and has another value than its "
                            "default%s%s",
                            name, (long long)draft->opset + (draft->up ? 1 : -1), words ? "; " : "",
                            words ? words : "");
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
    if (found == NULL || found->message->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS ||
        found->message->has_ref_attr_name || draft->input_count == 0 || draft->inputs[0].kind != VALUE_NAME)
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

static enum opshift_status require_absent(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    if (draft_attribute_find(draft, step_text(step, "attribute")) == NULL)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_NO, "%s", step_text(step, "words"));
}

static enum opshift_status require_value(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    struct draft_attribute *attribute = draft_attribute_find(draft, step_text(step, "attribute"));
    if (attribute && has_value(attribute->message, step_text(step, "value"), step_items(step, "value")))
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_NO, "%s", step_text(step, "words"));
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

static enum opshift_status refuse(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    return opshift_fail(error, OPSHIFT_NO, "%s%s%s", step_text(step, "words"), draft->wanted ? "; " : "",
                        draft->wanted ? draft->wanted : "");
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

/* A tensor with an attribute's value: INT and FLOAT as a scalar, or a list of one; INTS and FLOATS as a list. */
static enum opshift_status attribute_tensor(struct draft *draft, const Onnx__AttributeProto *attribute,
                                            enum opshift_type type, bool as_list, struct tensor **tensor,
                                            struct opshift_error *error)
{
    bool list = attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS ||
                attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS;
    bool whole = attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS ||
                 attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT;
    int64_t dim = list ? (int64_t)(whole ? attribute->n_ints : attribute->n_floats) : 1;
    const struct number_type *numbers = number_type(type);
    enum opshift_status status = tensor_new(draft->arena, type, list || as_list, &dim, tensor, error);
    if (status)
        return status;
    const int64_t *wholes = list ? attribute->ints : &attribute->i;
    const float *reals = list ? attribute->floats : &attribute->f;
    for (uint64_t i = 0; i < (*tensor)->count; i++) {
        union number number = {.i = whole ? wholes[i] : 0};
        bool exact = whole && numbers->kind == NUMBER_SIGNED;
        if (!exact && !number_of(numbers->kind, whole ? (double)wholes[i] : reals[i], &number))
            return opshift_fail(error, OPSHIFT_NO, "attribute '%.*s' is %g, which %s cannot hold",
                                (int)attribute->name.len, (const char *)attribute->name.data,
                                whole ? (double)wholes[i] : reals[i], type_name(type));
        numbers->store((char *)(*tensor)->data + i * numbers->size, number);
    }
    return OPSHIFT_OK;
}

/* The element type that the attribute gets as an input: `type`, that of the input `as`, or the attribute's own. */
static enum opshift_status type_as_input(const struct step *step, const struct draft *draft, bool whole,
                                         enum opshift_type *type, struct opshift_error *error)
{
    const char *word = step_text(step, "type"), *name = step_text(step, "attribute");
    struct value_type data;
    *type = word ? type_find(word, strlen(word)) : whole ? OPSHIFT_TYPE_INT64 : OPSHIFT_TYPE_FLOAT;
    if (step_text(step, "as")) {
        uint32_t position = step_position(step, "as");
        enum opshift_status status = draft_input_type(draft, position, RELIES_ON_ELEMENT, &data, error);
        if (status)
            return status;
        *type = data.type;
        if (number_type(*type) == NULL || *type == OPSHIFT_TYPE_BOOL)
            return opshift_fail(error, OPSHIFT_NO,
                                "attribute '%s' becomes an input of the type of input %u, which is %s; %s", name,
                                position, data.type ? type_name(data.type) : "not known",
                                data.type ? "insert a Cast" : "declare its type in the model");
    }
    if ((whole && *type == OPSHIFT_TYPE_INT64) || *type == OPSHIFT_TYPE_FLOAT || *type == OPSHIFT_TYPE_DOUBLE ||
        step_text(step, "as"))
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_USAGE, "the rule's step in line %u: attribute '%s' cannot become %s", step->line,
                        name, word);
}

/* attribute_to_input: the attribute becomes an input, which a graph can compute. */
static enum opshift_status attribute_to_input(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    const char *name = step_text(step, "attribute");
    struct draft_attribute *attribute = draft_attribute_find(draft, name);
    if (attribute == NULL)
        return OPSHIFT_OK;
    const Onnx__AttributeProto *message = attribute->message;
    bool ints = message->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS;
    bool whole = ints || message->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT;
    if (!whole && message->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT &&
        message->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS)
        return opshift_fail(error, OPSHIFT_NO, "attribute '%s' is no number and no list of numbers", name);
    struct draft_input value = {0};
    if (message->has_ref_attr_name) {
        if (!ints)
            return opshift_fail(error, OPSHIFT_NO,
                                "attribute '%s' refers to the function's attribute, and only a list of "
                                "integers can follow it into an input",
                                name);
        value.kind = VALUE_REFERENCE;
        value.reference = (struct bytes){message->ref_attr_name.data, message->ref_attr_name.len};
    } else {
        struct tensor *tensor;
        enum opshift_type type;
        enum opshift_status status = type_as_input(step, draft, whole, &type, error);
        if (status == OPSHIFT_OK)
            status = attribute_tensor(draft, message, type, step_position(step, "rank") == 1, &tensor, error);
        if (status)
            return status;
        value.kind = VALUE_LITERAL;
        value.literal = tensor;
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
    Onnx__AttributeProto *attribute = draft_attribute_set(
        draft, name,
        whole
            ? (scalar ? ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT : ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS)
            : (scalar ? ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT : ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS));
    if (attribute == NULL)
        return opshift_no_memory(error);
    if (scalar && whole) {
        attribute->has_i = 1;
        attribute->i = *(const int64_t *)tensor->data;
    } else if (scalar) {
        attribute->has_f = 1;
        attribute->f = *(const float *)tensor->data;
    } else if (whole) {
        attribute->n_ints = tensor->count;
        attribute->ints = arena_copy(draft->arena, tensor->data, tensor->count * sizeof(int64_t));
    } else {
        attribute->n_floats = tensor->count;
        attribute->floats = arena_copy(draft->arena, tensor->data, tensor->count * sizeof(float));
    }
    bool copied = scalar || (whole ? attribute->ints != NULL : attribute->floats != NULL);
    return copied ? OPSHIFT_OK : opshift_no_memory(error);
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
    return attribute != NULL && (attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS ||
                                 attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS);
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
        Onnx__AttributeProto *attribute = draft_attribute_set(draft, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
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

#define VERB(name, required, optional) {#name, required, optional, name},
const struct action rule_actions[] = {
#include "rule/verbs.h"
    {0},
};

const struct action *action_find(const char *verb)
{
    for (const struct action *action = rule_actions; action->verb; action++)
        if (strcmp(action->verb, verb) == 0)
            return action;
    return NULL;
}
