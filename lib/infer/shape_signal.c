/* Shapes of signal operators: window functions, Fourier transforms, mel weights. */
#include "infer/shape.h"

#include <inttypes.h>

/* The dim given by a scalar constant; -1: unknown. */
static int64_t input_dim(struct inference *inference, uint32_t position)
{
    int64_t value;
    return input_int(inference, position, &value) && value >= 0 ? value : -1;
}

void shape_signal_window(struct inference *inference)
{
    const struct known *size = input_sizes(inference, 0);
    struct value_type *output = shape_output(inference, 0, 1);
    if (size && size->count == 1 && known_symbol(size, 0) == NAME_NONE && size->numbers[0] < 0)
        shape_clash(inference, CLASH_SHAPES, "the size is %" PRId64 "; it must be 0 or more", size->numbers[0]);
    else if (output && size && size->count == 1)
        dim_from_known(output, 0, size, 0);
}

void shape_mel_weights(struct inference *inference)
{
    struct value_type *output = shape_output(inference, 0, 2);
    int64_t length = input_dim(inference, 1);
    if (output == NULL)
        return;
    dim_set(output, 0, length < 0 ? -1 : length / 2 + 1);
    dim_set(output, 1, input_dim(inference, 0));
}

/* False: the number of samples is below 1. */
static bool length_check(struct inference *inference, uint32_t position)
{
    int64_t length;
    if (!inference_has_input(inference, position) || !input_int(inference, position, &length) || length > 0)
        return true;
    shape_clash(inference, CLASH_SHAPES, "input %u is %" PRId64 "; it must be at least 1", position, length);
    return false;
}

/* In DFT-17 the axis is an attribute. False: unknown. */
static bool dft_axis(struct inference *inference, size_t rank, size_t *axis)
{
    int64_t number = -2;
    if (inference->operation.schema->since < 20
            ? !operation_int(&inference->operation, ATTRIBUTE_AXIS, &number)
            : inference_has_input(inference, 2) && !input_int(inference, 2, &number))
        return false;
    if (!axis_check(inference, number, (int64_t)rank, axis))
        return false;
    if (*axis + 1 == rank)
        shape_clash(inference, CLASH_AXIS,
                    "axis %" PRId64 " is the last one, which holds real and imaginary part; use another", number);
    return *axis + 1 < rank;
}

void shape_dft(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    int64_t one_sided, inverse;
    size_t axis;
    if (data == NULL || data->rank < 2)
        return;
    size_t rank = (size_t)data->rank;
    if (data->dims[rank - 1] == 0 || data->dims[rank - 1] > 2) {
        shape_clash(inference, CLASH_SHAPES,
                    "the last axis of the input has %" PRId64 " elements; it must have 1 (real) or 2 (complex)",
                    data->dims[rank - 1]);
        return;
    }
    struct value_type *output = shape_output(inference, 0, rank);
    if (output == NULL || !operation_int(&inference->operation, ATTRIBUTE_ONESIDED, &one_sided) ||
        !operation_int(&inference->operation, ATTRIBUTE_INVERSE, &inverse) || !dft_axis(inference, rank, &axis))
        return;
    for (size_t i = 0; i + 1 < rank; i++)
        dim_copy(output, i, data, i);
    if (!length_check(inference, 1))
        return;
    if (axis + 1 < rank && inference_has_input(inference, 1))
        dim_set(output, axis, input_dim(inference, 1));
    if (one_sided != 0 && axis + 1 < rank)
        dim_set(output, axis, inverse == 0 && output->dims[axis] >= 0 ? output->dims[axis] / 2 + 1 : -1);
    if (one_sided == 0 || inverse == 0)
        dim_set(output, rank - 1, 2);
}

/* The frame length: given, or that of the window; -1: unknown. */
static int64_t frame_length(struct inference *inference)
{
    const struct value_type *window = input_ranked(inference, 2);
    if (inference_has_input(inference, 3))
        return input_dim(inference, 3);
    return window && window->rank == 1 ? window->dims[0] : -1;
}

/* False: the frames do not fit the signal, or not the window. */
static bool stft_check(struct inference *inference, const struct value_type *signal, int64_t length)
{
    int64_t one_sided;
    bool is_complex = signal && signal->rank == 3 && signal->dims[2] == 2;
    if (!length_check(inference, 1) || !length_check(inference, 3) || !dim_fits(inference, 2, 0, length))
        return false;
    if (signal && signal->rank > 1 && signal->dims[1] >= 0 && signal->dims[1] < length)
        shape_clash(inference, CLASH_SHAPES,
                    "a frame has %" PRId64 " elements, and the signal %" PRId64 "; use shorter frames", length,
                    signal->dims[1]);
    else if (signal && signal->rank == 3 && (signal->dims[2] == 0 || signal->dims[2] > 2))
        shape_clash(inference, CLASH_SHAPES,
                    "the last axis of the signal has %" PRId64 " elements; it must have 1 (real) or 2 (complex)",
                    signal->dims[2]);
    else if (is_complex && operation_int(&inference->operation, ATTRIBUTE_ONESIDED, &one_sided) && one_sided != 0)
        shape_clash(inference, CLASH_SHAPES,
                    "the signal is complex, so its transform has two sides; set onesided to 0");
    return inference->clash_count == 0;
}

void shape_stft(struct inference *inference)
{
    const struct value_type *signal = input_ranked(inference, 0);
    struct value_type *output = shape_output(inference, 0, 4);
    int64_t one_sided, step = input_dim(inference, 1), length = frame_length(inference);
    if (output == NULL || !stft_check(inference, signal, length))
        return;
    dim_set(output, 3, 2);
    if (signal && signal->rank > 1) {
        dim_copy(output, 0, signal, 0);
        if (step > 0 && length > 0 && signal->dims[1] >= length)
            dim_set(output, 1, (signal->dims[1] - length) / step + 1);
    }
    if (length > 0 && operation_int(&inference->operation, ATTRIBUTE_ONESIDED, &one_sided))
        dim_set(output, 2, one_sided != 0 ? length / 2 + 1 : length);
}
