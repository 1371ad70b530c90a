/* Shapes of operators that slide a window over the last axes: convolution and pooling. */
#include "infer/shape.h"

#include <string.h>

enum padding { PADDING_EXPLICIT, PADDING_SAME, PADDING_VALID, PADDING_UNKNOWN };

/* One setting per spatial axis; NULL: the default. */
struct window {
    const int64_t *kernel, *strides, *dilations, *pads;
    enum padding padding;
    bool ceil;
};

static enum padding padding_read(struct inference *inference)
{
    static const struct {
        const char *word;
        enum padding padding;
    } words[] = {
        {"", PADDING_EXPLICIT},       {"NOTSET", PADDING_EXPLICIT}, {"VALID", PADDING_VALID},
        {"SAME_UPPER", PADDING_SAME}, {"SAME_LOWER", PADDING_SAME},
    };
    struct bytes text;
    enum answer answer = attribute_text(inference, "auto_pad", &text);
    if (answer != ANSWER_KNOWN)
        return answer == ANSWER_ABSENT ? PADDING_EXPLICIT : PADDING_UNKNOWN;
    for (size_t i = 0; i < COUNT(words); i++)
        if (text.size == strlen(words[i].word) && memcmp(text.data, words[i].word, text.size) == 0)
            return words[i].padding;
    return PADDING_UNKNOWN;
}

/* False: unknown, or not `wanted` of them, or one is below `least`. */
static bool list_read(struct inference *inference, const char *name, size_t wanted, int64_t least,
                      const int64_t **values)
{
    size_t count = 0;
    *values = NULL;
    enum answer answer = attribute_ints(inference, name, values, &count);
    if (answer != ANSWER_KNOWN)
        return answer == ANSWER_ABSENT;
    if (count != wanted)
        return false;
    for (size_t i = 0; i < count; i++)
        if ((*values)[i] < least || (*values)[i] > INT32_MAX)
            return false;
    return true;
}

static bool window_read(struct inference *inference, size_t axes, struct window *window)
{
    int64_t ceil_mode = 0;
    window->padding = padding_read(inference);
    bool known = list_read(inference, "kernel_shape", axes, 1, &window->kernel) &&
                 list_read(inference, "strides", axes, 1, &window->strides) &&
                 list_read(inference, "dilations", axes, 1, &window->dilations) &&
                 list_read(inference, "pads", axes * 2, 0, &window->pads) &&
                 attribute_int_or(inference, "ceil_mode", 0, &ceil_mode);
    window->ceil = ceil_mode != 0;
    return known && window->padding != PADDING_UNKNOWN;
}

/* How many places the window has along an axis; -1: unknown. */
static int64_t window_places(const struct window *window, size_t axis, size_t axes, int64_t dim, int64_t kernel)
{
    if (dim < 0 || dim > INT64_MAX / 4 || kernel < 1 || kernel > INT32_MAX)
        return -1;
    int64_t stride = window->strides != NULL ? window->strides[axis] : 1;
    int64_t dilation = window->dilations != NULL ? window->dilations[axis] : 1;
    if (window->padding == PADDING_SAME)
        return (dim + stride - 1) / stride;
    int64_t room = dim - (dilation * (kernel - 1) + 1);
    if (window->padding == PADDING_EXPLICIT && window->pads != NULL)
        room += window->pads[axis] + window->pads[axis + axes];
    if (room < 0)
        return -1;
    /* With ceil, versions and runtimes differ in whether a window may start in the padding: known only where it
     * divides. */
    if (window->ceil && room % stride != 0)
        return -1;
    return room / stride + 1;
}

void shape_conv(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0), *weights = input_ranked(inference, 1);
    const struct value_type *known = data != NULL ? data : weights;
    struct value_type *output = &inference->outputs[0];
    if (known == NULL || known->rank < 3 || !shape_new(inference, output, (size_t)known->rank))
        return;
    if (data != NULL)
        dim_copy(output, 0, data, 0);
    if (weights == NULL || weights->rank != known->rank)
        return;
    dim_copy(output, 1, weights, 0);
    struct window window;
    size_t axes = (size_t)known->rank - 2;
    if (data == NULL || !window_read(inference, axes, &window))
        return;
    for (size_t i = 0; i < axes; i++) {
        int64_t kernel = window.kernel != NULL ? window.kernel[i] : weights->dims[i + 2];
        output->dims[i + 2] = window_places(&window, i, axes, data->dims[i + 2], kernel);
    }
}

/* Only the batch and, with the group, the channels: the rest has too many ways to be said. */
void shape_conv_transpose(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0), *weights = input_ranked(inference, 1);
    struct value_type *output = &inference->outputs[0];
    int64_t group;
    if (data == NULL || data->rank < 3 || !shape_new(inference, output, (size_t)data->rank))
        return;
    dim_copy(output, 0, data, 0);
    if (weights == NULL || weights->rank != data->rank || weights->dims[1] < 0 ||
        !attribute_int_or(inference, "group", 1, &group) || group < 1 ||
        __builtin_mul_overflow(group, weights->dims[1], &output->dims[1]))
        return;
}

void shape_pool(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    struct window window;
    if (data == NULL || data->rank < 3 || !shape_new(inference, output, (size_t)data->rank))
        return;
    dim_copy(output, 0, data, 0);
    dim_copy(output, 1, data, 1);
    size_t axes = (size_t)data->rank - 2;
    if (window_read(inference, axes, &window) && window.kernel != NULL)
        for (size_t i = 0; i < axes; i++)
            output->dims[i + 2] = window_places(&window, i, axes, data->dims[i + 2], window.kernel[i]);
    /* MaxPool's second output, the indices, lies like the first. */
    if (inference->node->output_count > 1)
        shape_like(&inference->outputs[1], output);
}

void shape_global_pool(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    if (data == NULL || data->rank < 2 || !shape_new(inference, output, (size_t)data->rank))
        return;
    dim_copy(output, 0, data, 0);
    dim_copy(output, 1, data, 1);
    for (int32_t i = 2; i < data->rank; i++)
        output->dims[i] = 1;
}
