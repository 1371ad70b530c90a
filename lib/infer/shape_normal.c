/* Shapes of normalizations and quantizations, including outputs with statistics. */
#include "infer/shape.h"

/* Mean and variance: one number per channel. */
void shape_batch_normalization(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0), *scale = input_ranked(inference, 1);
    shape_same(inference);
    for (uint32_t i = 1; i < inference->node->output_count; i++) {
        struct value_type *output = shape_output(inference, i, 1);
        if (output && scale && scale->rank == 1)
            dim_copy(output, 0, scale, 0);
        else if (output && data && data->rank > 1)
            dim_copy(output, 0, data, 1);
    }
}

/* Mean and inverse standard deviation: normalized axes have size 1. */
void shape_layer_normalization(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    int64_t number;
    size_t axis;
    shape_same(inference);
    for (uint32_t i = 1; data && i < inference->node->output_count; i++) {
        struct value_type *output = shape_output(inference, i, (size_t)data->rank);
        if (output == NULL || !attribute_int_or(inference, "axis", -1, &number) ||
            !axis_resolve(number, (size_t)data->rank, &axis))
            continue;
        for (size_t k = 0; k < (size_t)data->rank; k++) {
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
