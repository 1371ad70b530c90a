/* Shapes of normalizations and quantizations, including outputs with statistics. */
#include "infer/shape.h"

#include <inttypes.h>

/* False: the statistics are not one number for each element of a batch. */
static bool elements_check(struct inference *inference, const struct value_type *data)
{
    struct value_type one = *data;
    char words[SHAPE_TEXT_SIZE], wanted[SHAPE_TEXT_SIZE];
    one.rank--;
    one.dims++;
    for (uint32_t i = 1; i < 5; i++) {
        const struct value_type *input = input_peek(inference, i);
        if (input == NULL || !shapes_differ(input, &one))
            continue;
        shape_clash(inference, CLASH_SHAPES,
                    "input %u has the shape %s, and it needs %s where spatial is 0; give one number for each, or set "
                    "spatial to 1",
                    i, shape_text(input, words), shape_text(&one, wanted));
        return false;
    }
    return true;
}

/* False: the statistics are not one number for each channel. Below opset 9, they may be for each element. */
static bool statistics_check(struct inference *inference, const struct value_type *data)
{
    char words[SHAPE_TEXT_SIZE];
    int64_t spatial;
    enum setting_state given = operation_int(&inference->operation, ATTRIBUTE_SPATIAL, &spatial);
    if (data == NULL || data->rank < 2 || given == SETTING_UNKNOWN)
        return true;
    if (given != SETTING_ABSENT && spatial == 0)
        return inference->operation.schema->since != 7 || elements_check(inference, data);
    for (uint32_t i = 1; i < 5; i++) {
        const struct value_type *input = input_ranked(inference, i);
        if (input == NULL || (input->rank == 1 && !dims_clash(input->dims[0], data->dims[1])))
            continue;
        shape_clash(inference, CLASH_SHAPES,
                    "input %u has the shape %s, and there are %" PRId64 " channels; use one number for each", i,
                    shape_text(input, words), data->dims[1]);
        return false;
    }
    return true;
}

/* Mean and variance: one number per channel. */
void shape_batch_normalization(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0), *scale = input_ranked(inference, 1);
    if (!statistics_check(inference, data))
        return;
    shape_same(inference);
    for (uint32_t i = 1; i < inference->node->output_count; i++) {
        struct value_type *output = shape_output(inference, i, 1);
        if (output && scale && scale->rank == 1)
            dim_copy(output, 0, scale, 0);
        else if (output && data && data->rank > 1)
            dim_copy(output, 0, data, 1);
    }
}

/* Scale and bias: one number for each group below opset 21, and for each channel from there on. */
void shape_group_normalization(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    bool groups = inference->operation.schema->since < 21;
    int64_t wanted = -1, count = 0;
    if (data && data->rank > 1 &&
        operation_int(&inference->operation, ATTRIBUTE_NUM_GROUPS, &count) >= SETTING_DEFAULT && count > 0 &&
        data->dims[1] >= 0 && data->dims[1] % count) {
        shape_clash(inference, CLASH_SHAPES,
                    "%" PRId64 " channels do not divide into %" PRId64 " groups; correct num_groups", data->dims[1],
                    count);
        return;
    }
    if (groups && operation_int(&inference->operation, ATTRIBUTE_NUM_GROUPS, &wanted) != SETTING_GIVEN)
        wanted = -1;
    if (!groups && data && data->rank > 1)
        wanted = data->dims[1];
    for (uint32_t i = 1; i < 3 && inference->operation.schema->since <= inference->operation.opset; i++) {
        const struct value_type *input = input_ranked(inference, i);
        if (input == NULL || input->rank != 1 || !dims_clash(input->dims[0], wanted))
            continue;
        shape_clash(inference, CLASH_SHAPES,
                    "input %u has %" PRId64 " values, and there are %" PRId64 " %s; use one for each%s", i,
                    input->dims[0], wanted, groups ? "groups" : "channels",
                    groups ? " below opset 21 (from there on one for each channel)" : "");
        return;
    }
    shape_same(inference);
}

/* Mean and inverse standard deviation: normalized axes have size 1. */
void shape_layer_normalization(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    int64_t number;
    size_t axis;
    shape_same(inference);
    bool known = data && operation_int(&inference->operation, ATTRIBUTE_AXIS, &number);
    if ((known && !axis_check(inference, number, data->rank, &axis)) || !broadcasts_to(inference, 1, data) ||
        !broadcasts_to(inference, 2, data))
        return;
    for (uint32_t i = 1; data && i < inference->node->output_count; i++) {
        struct value_type *output = shape_output(inference, i, (size_t)data->rank);
        for (size_t k = 0; output && known && k < (size_t)data->rank; k++) {
            if (k < axis)
                dim_copy(output, k, data, k);
            else
                dim_set(output, k, 1);
        }
    }
}

/* The scale and the zero point are scalars. */
void shape_dynamic_quantize(struct inference *inference)
{
    shape_same(inference);
    for (uint32_t i = 1; i < inference->node->output_count; i++)
        shape_output(inference, i, 0);
}

void shape_rms_normalization(struct inference *inference)
{
    if (broadcasts_to(inference, 1, input_peek(inference, 0)))
        shape_along_axis(inference);
}

/* The axes are [0, 2, 3] by default. */
void shape_mean_variance(struct inference *inference)
{
    const struct value_type *data = input_peek(inference, 0);
    const int64_t *axes = NULL;
    size_t count = 0;
    bool marked[TENSOR_RANK_MAX];
    enum setting_state answer = attribute_ints(inference, ATTRIBUTE_AXES, &axes, &count);
    if (answer == SETTING_UNKNOWN || data == NULL || axes_check(inference, axes, count, data->rank, marked))
        shape_same(inference);
}

void shape_prelu(struct inference *inference)
{
    if (inference->operation.schema->since < 7 || broadcasts_to(inference, 1, input_peek(inference, 0)))
        shape_same(inference);
}

/* False: a scale for each slice of an axis is not as long as that axis. */
static bool scale_check(struct inference *inference, const struct value_type *data, const struct value_type *scale)
{
    int64_t number = 1, block = 0;
    size_t axis;
    if (inference->operation.schema->since < 13 || !operation_int(&inference->operation, ATTRIBUTE_AXIS, &number) ||
        !operation_int(&inference->operation, ATTRIBUTE_BLOCK_SIZE, &block) || block != 0 || scale->rank != 1 ||
        scale->dims[0] == 1)
        return true;
    if (!axis_check(inference, number, data->rank, &axis))
        return false;
    if (!dims_clash(scale->dims[0], data->dims[axis]))
        return true;
    shape_clash(inference, CLASH_SHAPES,
                "there are %" PRId64 " scales, and axis %zu has %" PRId64
                " elements; give one for each, or set the axis",
                scale->dims[0], axis, data->dims[axis]);
    return false;
}

/* QuantizeLinear, DequantizeLinear. */
void shape_quantize(struct inference *inference)
{
    const struct value_type *data = input_peek(inference, 0), *scale = input_peek(inference, 1);
    const struct value_type *zero = input_peek(inference, 2);
    bool one = scale && zero && dims_product(scale) == 1 && dims_product(zero) == 1;
    if ((!data || !scale || scale_check(inference, data, scale)) && (one || shapes_agree(inference, 1, 2)))
        shape_same(inference);
}
