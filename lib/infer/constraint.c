/* Holds a node against the table of constraints (schema/constraint.h). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "infer/clash.h"
#include "infer/shape.h"
#include "schema/constraint.h"

/* A constraint on an attribute that the node gives, with its value. */
struct constrained {
    const struct constraint *row;
    Onnx__AttributeProto__AttributeType type;
    const Onnx__AttributeProto *value;
};

#define VERSION(where) (where)->schema->op_type, (where)->schema->since

static size_t item_count(const Onnx__AttributeProto *value)
{
    return value->n_ints + value->n_floats + value->n_strings;
}

static void words_check(struct inference *inference, const struct constrained *attribute)
{
    const ProtobufCBinaryData *text = &attribute->value->s;
    const char *name = attribute->row->subject;
    if (!constraint_has_word(attribute->row, text->data, text->len))
        attribute_clash(inference, name, "attribute '%s' of %s-%u is '%.*s'; it may be one of: %s", name,
                        VERSION(inference), (int)(text->len < 80 ? text->len : 80),
                        text->data ? (const char *)text->data : "", attribute->row->words);
}

static void type_check(struct inference *inference, const struct constrained *attribute)
{
    int64_t number = attribute->value->i;
    if (attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT &&
        (number < attribute->row->least || number >= OPSHIFT_TYPE_COUNT))
        attribute_clash(inference, attribute->row->subject,
                        "attribute '%s' is %" PRId64
                        ", which is not an element type; use the number of one (1 is float)",
                        attribute->row->subject, number);
}

/* "at least 1", "0 or 1", "from 1 to 3" */
static const char *range_text(const struct constraint *row, char *buffer, size_t size)
{
    if (row->most == INT64_MAX)
        snprintf(buffer, size, "at least %" PRId64, row->least);
    else if (row->most == row->least)
        snprintf(buffer, size, "%" PRId64, row->least);
    else if (row->most == row->least + 1)
        snprintf(buffer, size, "%" PRId64 " or %" PRId64, row->least, row->most);
    else
        snprintf(buffer, size, "from %" PRId64 " to %" PRId64, row->least, row->most);
    return buffer;
}

static bool is_within(const struct constraint *row, int64_t number)
{
    return number >= row->least && number <= row->most;
}

static void range_check(struct inference *inference, const struct constrained *attribute)
{
    const struct constraint *row = attribute->row;
    const Onnx__AttributeProto *value = attribute->value;
    char range[64];
    if (attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT && !is_within(row, value->i))
        attribute_clash(inference, row->subject, "attribute '%s' of %s-%u is %" PRId64 "; it must be %s", row->subject,
                        VERSION(inference), value->i, range_text(row, range, sizeof(range)));
    for (size_t i = 0; i < value->n_ints; i++)
        if (!is_within(row, value->ints[i])) {
            attribute_clash(inference, row->subject,
                            "attribute '%s' of %s-%u has %" PRId64 " at position %zu; each number must be %s",
                            row->subject, VERSION(inference), value->ints[i], i, range_text(row, range, sizeof(range)));
            return;
        }
}

static void count_check(struct inference *inference, const struct constrained *attribute)
{
    const struct constraint *row = attribute->row;
    size_t count = item_count(attribute->value);
    char range[64];
    if (!is_within(row, (int64_t)count))
        attribute_clash(inference, row->subject, "attribute '%s' of %s-%u lists %zu; it must list %s", row->subject,
                        VERSION(inference), count, range_text(row, range, sizeof(range)));
}

static void per_axis_check(struct inference *inference, const struct constrained *attribute)
{
    const struct constraint *row = attribute->row;
    const struct value_type *data = input_peek(inference, 0);
    size_t count = item_count(attribute->value);
    if (data == NULL || data->rank < row->most || (int64_t)count == row->least * (data->rank - row->most))
        return;
    attribute_clash(inference, row->subject,
                    "attribute '%s' of %s-%u has %zu numbers, and the input has %d axes, %" PRId64
                    " of them spatial; give %" PRId64 " for each spatial one",
                    row->subject, VERSION(inference), count, data->rank, data->rank - row->most, row->least);
}

static void as_long_check(struct inference *inference, const struct constrained *attribute)
{
    const struct constraint *row = attribute->row;
    const struct schema_attribute *known = schema_attribute_find(inference->schema, row->words);
    Onnx__AttributeProto *other;
    size_t count = item_count(attribute->value);
    if (known && attribute_get(inference, row->words, known->type, &other) == ANSWER_KNOWN &&
        item_count(other) != count)
        attribute_clash(inference, row->subject,
                        "attribute '%s' of %s-%u lists %zu and '%s' %zu; they must be equally long", row->subject,
                        VERSION(inference), count, row->words, item_count(other));
}

static void needs_check(struct inference *inference, const struct constrained *attribute)
{
    if (!attribute_is_there(inference, attribute->row->words))
        attribute_clash(inference, attribute->row->subject, "attribute '%s' of %s-%u needs '%s'; give both",
                        attribute->row->subject, VERSION(inference), attribute->row->words);
}

/* One given attribute counts; a reference to a function's parameter may be absent in some calls. */
static void one_of_check(struct inference *inference, const struct constraint *row)
{
    size_t count, given = 0, known = 0;
    const struct attribute_range *attributes = inference_attributes(inference, &count);
    for (size_t i = 0; i < count; i++) {
        const char *name = names_whole(inference->model->names, attributes[i].name);
        bool one = name && constraint_has_word(row, name, strlen(name));
        given += one;
        known += one && attributes[i].reference == NAME_NONE;
    }
    if (given == 0)
        shape_clash(inference, CLASH_VALUE, "%s-%u needs one of the attributes %s; give it", VERSION(inference),
                    row->words);
    else if (known > 1)
        shape_clash(inference, CLASH_VALUE, "%s-%u has %zu of the attributes %s; keep the intended one",
                    VERSION(inference), known, row->words);
}

/* ---- inputs ---- */

/* The position of the input of this name; UINT32_MAX: this version has none. */
static uint32_t position_find(const struct schema *schema, const char *name)
{
    for (uint32_t i = 0; i < schema->input_count; i++)
        if (strcmp(schema->inputs[i].name, name) == 0)
            return i;
    return UINT32_MAX;
}

static void rank_check(struct inference *inference, const struct constraint *row, uint32_t position,
                       const struct value_type *input)
{
    char shape[SHAPE_TEXT_SIZE], range[64];
    if (row->most == 0 && input->rank > 0)
        shape_clash(inference, CLASH_SHAPES, "input %u ('%s') of %s-%u has the shape %s; it must be a scalar", position,
                    row->subject, VERSION(inference), shape_text(input, shape));
    else if (!is_within(row, input->rank))
        shape_clash(inference, CLASH_SHAPES, "input %u ('%s') of %s-%u has the shape %s; it must have %s ax%s",
                    position, row->subject, VERSION(inference), shape_text(input, shape),
                    range_text(row, range, sizeof(range)), row->least == 1 && row->most == 1 ? "is" : "es");
}

static void single_check(struct inference *inference, const struct constraint *row, uint32_t position,
                         const struct value_type *input)
{
    char shape[SHAPE_TEXT_SIZE];
    if (input->rank > 1 || (input->rank == 1 && dims_clash(input->dims[0], 1)))
        shape_clash(inference, CLASH_SHAPES, "input %u ('%s') of %s-%u has the shape %s; it must be one number",
                    position, row->subject, VERSION(inference), shape_text(input, shape));
}

static void dim_check(struct inference *inference, const struct constraint *row, uint32_t position,
                      const struct value_type *input)
{
    (void)input;
    dim_fits(inference, position, (int32_t)row->most, row->least);
}

static void same_check(struct inference *inference, const struct constraint *row, uint32_t position,
                       const struct value_type *input)
{
    uint32_t other_position = position_find(inference->schema, row->words);
    const struct value_type *other = input_peek(inference, other_position);
    char one[SHAPE_TEXT_SIZE], two[SHAPE_TEXT_SIZE];
    if (other && row->least < input->rank && row->most < other->rank &&
        dims_clash(input->dims[row->least], other->dims[row->most]))
        shape_clash(inference, CLASH_SHAPES,
                    "input %u ('%s') of %s-%u has the shape %s and input %u ('%s') %s; axis %" PRId64
                    " of the former and %" PRId64 " of the latter must be equally long",
                    position, row->subject, VERSION(inference), shape_text(input, one), other_position, row->words,
                    shape_text(other, two), row->least, row->most);
}

/* ---- the table ---- */

static bool input_check(struct inference *inference, const struct constraint *row)
{
    uint32_t before = inference->clash_count;
    static void (*const checks[])(struct inference *, const struct constraint *, uint32_t,
                                  const struct value_type *) = {[CONSTRAINT_RANK] = rank_check,
                                                                [CONSTRAINT_SINGLE] = single_check,
                                                                [CONSTRAINT_DIM] = dim_check,
                                                                [CONSTRAINT_SAME] = same_check};
    uint32_t position = position_find(inference->schema, row->subject);
    const struct value_type *input = input_peek(inference, position);
    if (input)
        checks[row->kind](inference, row, position, input);
    return inference->clash_count == before;
}

static void value_check(struct inference *inference, const struct constraint *row)
{
    static void (*const checks[])(struct inference *, const struct constrained *) = {
        [CONSTRAINT_WORDS] = words_check, [CONSTRAINT_TYPE] = type_check,         [CONSTRAINT_RANGE] = range_check,
        [CONSTRAINT_COUNT] = count_check, [CONSTRAINT_PER_AXIS] = per_axis_check, [CONSTRAINT_AS_LONG] = as_long_check,
        [CONSTRAINT_NEEDS] = needs_check};
    const struct schema_attribute *known = schema_attribute_find(inference->schema, row->subject);
    Onnx__AttributeProto *message;
    if (known && attribute_get(inference, row->subject, known->type, &message) == ANSWER_KNOWN)
        checks[row->kind](inference, &(struct constrained){row, known->type, message});
}

/* One clash of the inputs is enough, as others may follow from it. */
bool constraints_check(struct inference *inference)
{
    const struct operator_rules *rules = &inference->rules;
    bool fit = true;
    for (size_t i = 0; i < rules->constraint_count; i++) {
        const struct constraint *row = &rules->constraints[i];
        if (!constraint_holds(row, inference->schema))
            continue;
        if (row->kind == CONSTRAINT_ONE_OF)
            one_of_check(inference, row);
        else if (row->kind < CONSTRAINT_RANK)
            value_check(inference, row);
        else if (fit)
            fit = input_check(inference, row);
    }
    return inference->clash_count == 0;
}
