/* Shapes of operators with sliding windows over the spatial axes: convolution, pooling and their inverses. */
#include "infer/shape.h"

#include <inttypes.h>

enum padding { PADDING_EXPLICIT, PADDING_SAME, PADDING_VALID, PADDING_UNKNOWN };

/* One value per spatial axis; NULL: the default. */
struct window_settings {
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
    enum setting_state answer = operation_text(&inference->operation, ATTRIBUTE_AUTO_PAD, &text);
    if (answer < SETTING_DEFAULT)
        return answer == SETTING_ABSENT ? PADDING_EXPLICIT : PADDING_UNKNOWN;
    for (size_t i = 0; i < COUNT(words); i++)
        if (bytes_are(text, words[i].word))
            return words[i].padding;
    return PADDING_UNKNOWN;
}

/* False: unknown, not `wanted` entries, or an entry below `least`. */
static bool list_read(struct inference *inference, enum attribute_id id, size_t wanted, int64_t least,
                      const int64_t **values)
{
    size_t count = 0;
    *values = NULL;
    enum setting_state answer = attribute_ints(inference, id, values, &count);
    if (answer < SETTING_DEFAULT)
        return answer == SETTING_ABSENT;
    if (count != wanted)
        return false;
    for (size_t i = 0; i < count; i++)
        if ((*values)[i] < least || (*values)[i] > INT32_MAX)
            return false;
    return true;
}

static bool window_read(struct inference *inference, size_t axes, struct window_settings *window)
{
    int64_t ceil_mode = 0;
    window->padding = padding_read(inference);
    bool known = list_read(inference, ATTRIBUTE_KERNEL_SHAPE, axes, 1, &window->kernel) &&
                 list_read(inference, ATTRIBUTE_STRIDES, axes, 1, &window->strides) &&
                 list_read(inference, ATTRIBUTE_DILATIONS, axes, 1, &window->dilations) &&
                 list_read(inference, ATTRIBUTE_PADS, axes * 2, 0, &window->pads) &&
                 operation_int(&inference->operation, ATTRIBUTE_CEIL_MODE, &ceil_mode);
    window->ceil = ceil_mode != 0;
    return known && window->padding != PADDING_UNKNOWN;
}

/* Number of window positions along an axis; -1: unknown. */
static int64_t window_places(const struct window_settings *window, size_t axis, size_t axes, int64_t dim,
                             int64_t kernel)
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
    if (!window->ceil || room % stride == 0)
        return room / stride + 1;
    /* Versions and runtimes differ in whether another window may start in the padding, and in ceil_mode without
     * padding. */
    int64_t start = (room / stride + 1) * stride;
    bool begins_inside = start < dim + (window->pads != NULL ? window->pads[axis] : 0);
    return window->padding == PADDING_EXPLICIT && begins_inside ? room / stride + 2 : -1;
}

/* False: the window is longer than the axis with its padding, by more than a step: runtimes differ in how they round.
 */
static bool window_fits(struct inference *inference, const struct window_settings *window, size_t axis, size_t axes,
                        int64_t dim, int64_t kernel)
{
    int64_t stride = window->strides ? window->strides[axis] : 1;
    int64_t dilation = window->dilations ? window->dilations[axis] : 1;
    if (dim < 0 || dim > INT32_MAX || kernel < 1 || kernel > INT32_MAX || window->padding == PADDING_SAME)
        return true;
    int64_t length = dilation * (kernel - 1) + 1, room = dim;
    if (window->padding == PADDING_EXPLICIT && window->pads)
        room += window->pads[axis] + window->pads[axis + axes];
    if (length - room < 2 * stride)
        return true;
    shape_clash(inference, CLASH_SHAPES,
                "the window is %" PRId64 " long at axis %zu, which has %" PRId64
                " elements with its padding; use a smaller window",
                length, axis + 2, room);
    return false;
}

/* False: channels, groups, filters and bias do not fit. bias may be NULL. */
static bool groups_check(struct inference *inference, const struct value_type *data, const struct value_type *weights,
                         const struct value_type *bias)
{
    int64_t group, wanted;
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    if (!operation_int(&inference->operation, ATTRIBUTE_GROUP, &group) || group < 1)
        return true;
    if (weights->dims[0] >= 0 && weights->dims[0] % group)
        shape_clash(inference, CLASH_SHAPES,
                    "%" PRId64 " filters do not divide into %" PRId64 " groups; correct one of them", weights->dims[0],
                    group);
    else if (data && weights->dims[1] >= 0 && !__builtin_mul_overflow(weights->dims[1], group, &wanted) &&
             dims_clash(data->dims[1], wanted))
        shape_clash(inference, CLASH_SHAPES,
                    "the input has %" PRId64 " channels, and the weights %s in %" PRId64 " group%s want %" PRId64
                    "; correct one of them",
                    data->dims[1], shape_text(weights, one), group, group == 1 ? "" : "s", wanted);
    else if (bias && (bias->rank != 1 || dims_clash(bias->dims[0], weights->dims[0])))
        shape_clash(inference, CLASH_SHAPES,
                    "the bias has the shape %s, and there are %" PRId64 " filters; use one number for each",
                    shape_text(bias, other), weights->dims[0]);
    return inference->clash_count == 0;
}

/* False: input and weights do not fit. */
static bool conv_check(struct inference *inference, const struct value_type *data, const struct value_type *weights,
                       const struct value_type *bias)
{
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    if (data && data->rank < 3)
        shape_clash(inference, CLASH_SHAPES,
                    "the input has the shape %s; it needs batch, channels and at least one more axis",
                    shape_text(data, one));
    else if (data && weights && data->rank != weights->rank)
        shape_clash(inference, CLASH_SHAPES,
                    "the input has the shape %s and the weights %s; they must have as many axes", shape_text(data, one),
                    shape_text(weights, other));
    else if (weights && weights->rank >= 3)
        groups_check(inference, data, weights, bias);
    return inference->clash_count == 0;
}

/* False: kernel_shape is not what the weights have. */
static bool kernel_check(struct inference *inference, const struct window_settings *window,
                         const struct value_type *weights)
{
    char words[SHAPE_TEXT_SIZE];
    for (int32_t i = 2; i < weights->rank; i++) {
        if (weights->dims[i] == 0)
            shape_clash(inference, CLASH_SHAPES, "the weights have the shape %s, a kernel of no elements; give it some",
                        shape_text(weights, words));
        else if (window->kernel && dims_clash(window->kernel[i - 2], weights->dims[i]))
            shape_clash(inference, CLASH_SHAPES,
                        "kernel_shape has %" PRId64
                        " at position %d, and the weights have the shape %s; make them equal",
                        window->kernel[i - 2], i - 2, shape_text(weights, words));
        if (inference->clash_count > 0)
            return false;
    }
    return true;
}

static void conv(struct inference *inference, uint32_t weight_position, uint32_t bias_position)
{
    const struct value_type *data = input_ranked(inference, 0), *weights = input_ranked(inference, weight_position);
    const struct value_type *known = data != NULL ? data : weights;
    struct value_type *output = &inference->outputs[0];
    if (!conv_check(inference, data, weights, input_ranked(inference, bias_position)) || known == NULL ||
        known->rank < 3 || !shape_new(inference, output, (size_t)known->rank))
        return;
    if (data != NULL)
        dim_copy(output, 0, data, 0);
    if (weights == NULL || weights->rank != known->rank)
        return;
    dim_copy(output, 1, weights, 0);
    struct window_settings window;
    size_t axes = (size_t)known->rank - 2;
    if (!window_read(inference, axes, &window) || !kernel_check(inference, &window, weights) || data == NULL)
        return;
    for (size_t i = 0; i < axes; i++) {
        int64_t kernel = window.kernel != NULL ? window.kernel[i] : weights->dims[i + 2];
        output->dims[i + 2] = window_places(&window, i, axes, data->dims[i + 2], kernel);
        if (!window_fits(inference, &window, i, axes, data->dims[i + 2], kernel))
            return;
    }
}

void shape_conv(struct inference *inference)
{
    conv(inference, 1, 2);
}

void shape_conv_integer(struct inference *inference)
{
    conv(inference, 1, UINT32_MAX);
}

/* An offset for each place of the kernel and axis, and a mask for each place. */
void shape_deform_conv(struct inference *inference)
{
    const struct value_type *weights = input_peek(inference, 1), *data = input_peek(inference, 0);
    int64_t groups, places = 1;
    conv(inference, 1, 3);
    if (inference->clash_count || !weights || !operation_int(&inference->operation, ATTRIBUTE_OFFSET_GROUP, &groups))
        return;
    for (int32_t i = 2; i < weights->rank; i++)
        places = dim_times(places, weights->dims[i]);
    int64_t masks = dim_times(groups, places);
    for (uint32_t i = 2; i < 5; i += 2)
        if (!dim_fits(inference, i, 0, data ? data->dims[0] : -1) ||
            !dim_fits(inference, i, 1, i == 2 ? dim_times(masks, weights->rank - 2) : masks))
            return;
}

void shape_qlinear_conv(struct inference *inference)
{
    conv(inference, 3, 8);
}

/* The length of an axis before pooling or strided convolution, computed from its result; -1: unknown. */
static int64_t window_span(const struct window_settings *window, size_t axis, size_t axes, int64_t places,
                           int64_t kernel)
{
    if (places < 1 || places > INT32_MAX || kernel < 1 || kernel > INT32_MAX)
        return -1;
    int64_t stride = window->strides != NULL ? window->strides[axis] : 1;
    int64_t dilation = window->dilations != NULL ? window->dilations[axis] : 1, span;
    if (__builtin_mul_overflow(dilation, kernel - 1, &span) || __builtin_add_overflow(span, 1, &span) ||
        __builtin_add_overflow(span, stride * (places - 1), &span))
        return -1;
    if (window->padding == PADDING_EXPLICIT && window->pads != NULL)
        span -= window->pads[axis] + window->pads[axis + axes];
    return span > 0 ? span : -1;
}

/* False: the pads take away more than the transposed convolution gives. */
static bool span_fits(struct inference *inference, const struct window_settings *window, size_t axis, size_t axes,
                      int64_t dim, int64_t kernel, const int64_t *more)
{
    struct window_settings whole = *window;
    whole.pads = NULL;
    int64_t span = dim_plus(window_span(&whole, axis, axes, dim, kernel), more ? more[axis] : 0);
    if (span < 0 || window->padding != PADDING_EXPLICIT || window->pads == NULL ||
        span - window->pads[axis] - window->pads[axis + axes] >= 0)
        return true;
    shape_clash(inference, CLASH_SHAPES,
                "axis %zu of the result has %" PRId64 " elements, of which the pads take %" PRId64 " and %" PRId64
                "; take no more than it has",
                axis + 2, span, window->pads[axis], window->pads[axis + axes]);
    return false;
}

/* The dims of ConvTranspose's axes without output_shape. */
static void transposed_axes(struct inference *inference, const struct value_type *data,
                            const struct value_type *weights, struct value_type *output)
{
    struct window_settings window;
    const int64_t *more;
    size_t axes = (size_t)data->rank - 2;
    if (!window_read(inference, axes, &window) || !kernel_check(inference, &window, weights) ||
        !list_read(inference, ATTRIBUTE_OUTPUT_PADDING, axes, 0, &more))
        return;
    for (size_t i = 0; i < axes; i++) {
        int64_t kernel = window.kernel != NULL ? window.kernel[i] : weights->dims[i + 2];
        int64_t stride = window.strides != NULL ? window.strides[i] : 1;
        /* Before opset 11 the specification defines SAME inconsistently. */
        if (window.padding != PADDING_SAME && !span_fits(inference, &window, i, axes, data->dims[i + 2], kernel, more))
            return;
        if (window.padding != PADDING_SAME)
            dim_set(output, i + 2,
                    dim_plus(window_span(&window, i, axes, data->dims[i + 2], kernel), more != NULL ? more[i] : 0));
        else if (inference->operation.schema->since >= 11 && (more == NULL || more[i] == 0))
            dim_set(output, i + 2, dim_times(data->dims[i + 2], stride));
    }
}

/* False: input and weights do not fit, or a list is of another length. */
static bool transposed_check(struct inference *inference, const struct value_type *data,
                             const struct value_type *weights)
{
    const struct value_type *bias = input_peek(inference, 2);
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    const int64_t *dims;
    int64_t group, filters;
    size_t count;
    bool grouped = operation_int(&inference->operation, ATTRIBUTE_GROUP, &group);
    if (data && weights && data->rank != weights->rank)
        shape_clash(inference, CLASH_SHAPES,
                    "the input has the shape %s and the weights %s; they must have as many axes", shape_text(data, one),
                    shape_text(weights, other));
    else if (data && attribute_ints(inference, ATTRIBUTE_OUTPUT_SHAPE, &dims, &count) >= SETTING_DEFAULT &&
             count != (size_t)data->rank - 2 && count != (size_t)data->rank)
        attribute_clash(inference, "output_shape",
                        "output_shape has %zu numbers, and the input has %d axes; give one for each but the first two",
                        count, data->rank);
    else if (grouped && data && data->dims[1] >= 0 && data->dims[1] % group)
        shape_clash(inference, CLASH_SHAPES,
                    "%" PRId64 " channels do not divide into %" PRId64 " groups; correct one of them", data->dims[1],
                    group);
    else if (grouped && weights && bias && (filters = dim_times(group, weights->dims[1])) >= 0 &&
             dims_clash(bias->dims[0], filters))
        shape_clash(inference, CLASH_SHAPES,
                    "the bias has the shape %s, and there are %" PRId64 " filters; use one number for each",
                    shape_text(bias, one), filters);
    return inference->clash_count == 0;
}

void shape_conv_transpose(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0), *weights = input_ranked(inference, 1);
    const struct value_type *known = data != NULL ? data : weights;
    const int64_t *dims;
    int64_t group;
    if (!transposed_check(inference, data, weights) || known == NULL || known->rank < 3)
        return;
    size_t rank = (size_t)known->rank, count;
    struct value_type *output = shape_output(inference, 0, rank);
    if (output == NULL)
        return;
    if (data != NULL)
        dim_copy(output, 0, data, 0);
    if (weights == NULL || weights->rank != known->rank)
        return;
    if (operation_int(&inference->operation, ATTRIBUTE_GROUP, &group) && group >= 1)
        dim_set(output, 1, dim_times(group, weights->dims[1]));
    enum setting_state answer = attribute_ints(inference, ATTRIBUTE_OUTPUT_SHAPE, &dims, &count);
    if (answer == SETTING_ABSENT && data != NULL)
        transposed_axes(inference, data, weights, output);
    for (size_t i = 0; answer >= SETTING_DEFAULT && count == rank - 2 && i < count; i++)
        dim_set(output, i + 2, dims[i]);
}

/* MaxUnpool: output_shape, or the input shape of MaxPool if nothing was truncated. */
void shape_max_unpool(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    const int64_t *dims;
    size_t count;
    struct window_settings window;
    if (data == NULL || data->rank < 3)
        return;
    if (!shapes_agree(inference, 0, 1))
        return;
    size_t rank = (size_t)data->rank;
    struct value_type *output = shape_output(inference, 0, rank);
    enum setting_state answer = input_ints(inference, 2, &dims, &count);
    const struct value_type *given = input_peek(inference, 2);
    if (given && given->rank == 1 && dims_clash(given->dims[0], data->rank))
        shape_clash(inference, CLASH_SHAPES,
                    "output_shape has %" PRId64 " numbers, and the input has %zu axes; give one for each",
                    given->dims[0], rank);
    for (size_t i = 0; output && answer >= SETTING_DEFAULT && count == rank && i < rank; i++)
        dim_set(output, i, dims[i]);
    if (output == NULL || answer != SETTING_ABSENT || !window_read(inference, rank - 2, &window) ||
        window.kernel == NULL)
        return;
    for (size_t i = 0; i < rank; i++) {
        if (i < 2)
            dim_copy(output, i, data, i);
        else
            dim_set(output, i, window_span(&window, i - 2, rank - 2, data->dims[i], window.kernel[i - 2]));
    }
}

/* [batch, channels * block, columns] becomes [batch, channels, image...]. */
void shape_col2im(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0), *given = input_ranked(inference, 1);
    const struct known *image = input_sizes(inference, 1);
    const int64_t *block;
    size_t count = 0;
    int64_t elements = 1;
    if (image == NULL && (given == NULL || given->rank != 1 || given->dims[0] < 0))
        return;
    size_t axes = image ? image->count : (size_t)given->dims[0];
    struct value_type *output = axes < TENSOR_RANK_MAX ? shape_output(inference, 0, axes + 2) : NULL;
    inference->rank_follows_dims = image == NULL;
    for (size_t i = 0; output && image && i < axes; i++)
        dim_from_known(output, i + 2, image, i);
    if (output == NULL || data == NULL || data->rank != 3)
        return;
    dim_copy(output, 0, data, 0);
    if (input_ints(inference, 2, &block, &count) < SETTING_DEFAULT || count != axes)
        return;
    for (size_t i = 0; i < count; i++)
        elements = dim_times(elements, block[i]);
    if (elements > 0 && data->dims[1] >= 0 && data->dims[1] % elements) {
        shape_clash(inference, CLASH_SHAPES,
                    "axis 1 of the input has %" PRId64 " elements, which do not divide into blocks of %" PRId64
                    "; correct block_shape",
                    data->dims[1], elements);
        return;
    }
    if (elements > 0 && data->dims[1] >= 0)
        dim_set(output, 1, data->dims[1] / elements);
}

void shape_pool(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    struct window_settings window;
    if (data == NULL || data->rank < 3 || !shape_new(inference, output, (size_t)data->rank))
        return;
    dim_copy(output, 0, data, 0);
    dim_copy(output, 1, data, 1);
    size_t axes = (size_t)data->rank - 2;
    if (window_read(inference, axes, &window) && window.kernel != NULL)
        for (size_t i = 0; i < axes; i++) {
            output->dims[i + 2] = window_places(&window, i, axes, data->dims[i + 2], window.kernel[i]);
            if (!window_fits(inference, &window, i, axes, data->dims[i + 2], window.kernel[i]))
                return;
        }
    /* MaxPool's second output, the indices, has the shape of the first. */
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
