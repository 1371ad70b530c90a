/* Holds a node against the table of constraints (schema/constraint.h). */
#include <inttypes.h>
#include <string.h>

#include "infer/clash.h"
#include "infer/shape.h"
#include "schema/constraint.h"

#define VERSION(where) (where)->operation.schema->op_type, (where)->operation.schema->since

static void per_axis_check(struct inference *inference, const struct constraint *row)
{
    const struct value_type *data = input_peek(inference, 0);
    const struct schema_attribute *known = schema_attribute_find(inference->operation.schema, row->subject);
    struct int_list list;
    if (known == NULL || operation_ints(&inference->operation, known->id, &list) != SETTING_GIVEN || data == NULL ||
        data->rank < row->most || (int64_t)list.count == row->least * (data->rank - row->most))
        return;
    attribute_clash(inference, row->subject,
                    "attribute '%s' of %s-%u has %zu numbers, and the input has %d axes, %" PRId64
                    " of them spatial; give %" PRId64 " for each spatial one",
                    row->subject, VERSION(inference), list.count, data->rank, data->rank - row->most, row->least);
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
    else if (!constraint_allows(row, input->rank))
        shape_clash(inference, CLASH_SHAPES, "input %u ('%s') of %s-%u has the shape %s; it must have %s ax%s",
                    position, row->subject, VERSION(inference), shape_text(input, shape),
                    constraint_range(row, range, sizeof(range)), row->least == 1 && row->most == 1 ? "is" : "es");
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
    uint32_t other_position = position_find(inference->operation.schema, row->words);
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
    uint32_t position = position_find(inference->operation.schema, row->subject);
    const struct value_type *input = input_peek(inference, position);
    if (input)
        checks[row->kind](inference, row, position, input);
    return inference->clash_count == before;
}

static void attributes_hold(struct inference *inference, const struct constraint *row)
{
    char words[CONSTRAINT_WORDS_SIZE];
    if (row->kind == CONSTRAINT_PER_AXIS)
        per_axis_check(inference, row);
    else if (constraint_broken(row, &inference->operation, words) && row->subject)
        attribute_clash(inference, row->subject, "%s", words);
    else if (row->subject == NULL && constraint_broken(row, &inference->operation, words))
        shape_clash(inference, CLASH_VALUE, "%s", words);
}

/* One clash of the inputs is enough, as others may follow from it. */
bool constraints_check(struct inference *inference)
{
    const struct operator_rules *rules = &inference->rules;
    bool fit = true;
    for (size_t i = 0; i < rules->constraint_count; i++) {
        const struct constraint *row = &rules->constraints[i];
        if (!constraint_holds(row, inference->operation.schema))
            continue;
        if (row->kind < CONSTRAINT_RANK)
            attributes_hold(inference, row);
        else if (fit)
            fit = input_check(inference, row);
    }
    return inference->clash_count == 0;
}
