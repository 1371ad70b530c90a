/* Shapes that constants decide: Reshape, Expand, Tile, Pad, Range and their kin. */
#include "infer/shape.h"

#include <stdlib.h>

/* Dims as a list says them; a negative one is unknown. False: no list, but perhaps its length, then the rank. */
static bool shape_from_ints(struct inference *inference, uint32_t position, const int64_t **values, size_t *count)
{
    struct value_type *output = &inference->outputs[0];
    if (setting_ints(inference, "shape", position, values, count) == ANSWER_KNOWN)
        return shape_new(inference, output, *count);
    const struct value_type *list = input_ranked(inference, position);
    if (list != NULL && list->rank == 1 && list->dims[0] >= 0)
        shape_new(inference, output, (size_t)list->dims[0]);
    return false;
}

void shape_constant_of_shape(struct inference *inference)
{
    struct value_type value = type_unknown, *output = &inference->outputs[0];
    const int64_t *dims;
    size_t count;
    enum answer answer = attribute_tensor_type(inference, "value", &value);
    output->type = answer == ANSWER_ABSENT ? OPSHIFT_TYPE_FLOAT : value.type;
    if (shape_from_ints(inference, 0, &dims, &count))
        for (size_t i = 0; i < count; i++)
            output->dims[i] = dims[i] >= 0 ? dims[i] : -1;
}

/* RandomNormal, RandomUniform. */
void shape_attribute(struct inference *inference)
{
    const int64_t *dims;
    size_t count;
    struct value_type *output = &inference->outputs[0];
    if (attribute_ints(inference, "shape", &dims, &count) == ANSWER_KNOWN && shape_new(inference, output, count))
        for (size_t i = 0; i < count; i++)
            output->dims[i] = dims[i] >= 0 ? dims[i] : -1;
}

/* The dim written as -1: what is left of the elements. */
static int64_t reshape_rest(const struct value_type *data, const struct value_type *output, size_t rest)
{
    if (data == NULL)
        return -1;
    int64_t all = dims_product(data, 0, (size_t)data->rank), before = dims_product(output, 0, rest);
    int64_t after = dims_product(output, rest + 1, (size_t)output->rank), others;
    if (all < 0 || before < 0 || after < 0 || __builtin_mul_overflow(before, after, &others) || others == 0 ||
        all % others != 0)
        return -1;
    return all / others;
}

void shape_reshape(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    const int64_t *dims;
    size_t count, rest = SIZE_MAX;
    int64_t allow_zero;
    if (!shape_from_ints(inference, 1, &dims, &count))
        return;
    if (!attribute_int_or(inference, "allowzero", 0, &allow_zero))
        return;
    for (size_t i = 0; i < count; i++) {
        if (dims[i] > 0 || (dims[i] == 0 && allow_zero != 0))
            output->dims[i] = dims[i];
        else if (dims[i] == 0 && data != NULL && i < (size_t)data->rank)
            dim_copy(output, i, data, i);
        else if (dims[i] == -1)
            rest = i;
    }
    if (rest != SIZE_MAX)
        output->dims[rest] = reshape_rest(data, output, rest);
}

void shape_expand(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    const int64_t *dims;
    size_t count;
    struct value_type *output = &inference->outputs[0];
    if (data == NULL || input_ints(inference, 1, &dims, &count) != ANSWER_KNOWN)
        return;
    size_t rank = count > (size_t)data->rank ? count : (size_t)data->rank;
    if (!shape_new(inference, output, rank))
        return;
    for (size_t i = 0; i < rank; i++)
        output->dims[i] = 1;
    for (size_t i = 0; i < (size_t)data->rank; i++)
        dim_copy(output, rank - (size_t)data->rank + i, data, i);
    for (size_t i = 0; i < count; i++)
        dim_broadcast(output, rank - count + i, dims[i] >= 0 ? dims[i] : -1, NAME_NONE);
}

void shape_tile(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    const int64_t *repeats;
    size_t count;
    /* Tile-1 repeats along one axis that is an input. */
    if (data == NULL || !shape_new(inference, output, (size_t)data->rank) || inference->schema->since < 6 ||
        input_ints(inference, 1, &repeats, &count) != ANSWER_KNOWN || count != (size_t)data->rank)
        return;
    for (size_t i = 0; i < count; i++) {
        if (repeats[i] == 1)
            dim_copy(output, i, data, i);
        else if (data->dims[i] < 0 || repeats[i] < 0 ||
                 __builtin_mul_overflow(data->dims[i], repeats[i], &output->dims[i]))
            output->dims[i] = -1;
    }
}

static void pad_axis(struct value_type *output, const struct value_type *data, size_t axis, int64_t before,
                     int64_t after)
{
    int64_t sum;
    output->params[axis] = NAME_NONE;
    output->dims[axis] = -1;
    if (before == 0 && after == 0)
        dim_copy(output, axis, data, axis);
    else if (data->dims[axis] >= 0 && !__builtin_add_overflow(before, after, &sum) &&
             !__builtin_add_overflow(sum, data->dims[axis], &sum) && sum >= 0)
        output->dims[axis] = sum;
}

void shape_pad(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    const int64_t *pads, *axes = NULL;
    size_t count, axis_count = 0, axis;
    if (data == NULL || !shape_new(inference, output, (size_t)data->rank))
        return;
    enum answer named =
        inference_has_input(inference, 3) ? input_ints(inference, 3, &axes, &axis_count) : ANSWER_ABSENT;
    if (named == ANSWER_ABSENT)
        axis_count = (size_t)data->rank;
    if (named == ANSWER_UNKNOWN || setting_ints(inference, "pads", 1, &pads, &count) != ANSWER_KNOWN ||
        count != 2 * axis_count)
        return;
    for (size_t i = 0; i < (size_t)data->rank; i++)
        dim_copy(output, i, data, i);
    for (size_t i = 0; i < axis_count; i++) {
        if (!axis_resolve(axes != NULL ? axes[i] : (int64_t)i, (size_t)data->rank, &axis)) {
            shape_new(inference, output, (size_t)data->rank);
            return;
        }
        pad_axis(output, data, axis, pads[i], pads[i + axis_count]);
    }
}

bool input_int(struct inference *inference, uint32_t position, int64_t *value)
{
    const int64_t *values;
    size_t count;
    if (input_ints(inference, position, &values, &count) != ANSWER_KNOWN || count != 1)
        return false;
    *value = values[0];
    return true;
}

void shape_range(struct inference *inference)
{
    int64_t start, limit, delta, span;
    struct value_type *output = &inference->outputs[0];
    if (!shape_new(inference, output, 1) || !input_int(inference, 0, &start) || !input_int(inference, 1, &limit) ||
        !input_int(inference, 2, &delta) || delta == 0 || __builtin_sub_overflow(limit, start, &span) ||
        span == INT64_MIN || delta == INT64_MIN)
        return;
    if (span == 0 || (span < 0) != (delta < 0))
        output->dims[0] = 0;
    else
        output->dims[0] = (llabs(span) - 1) / llabs(delta) + 1;
}
