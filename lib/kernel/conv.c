/* Convolutions: Conv, ConvTranspose, DeformConv, quantized ones, and Col2Im. */
#include <math.h>
#include <string.h>

#include "kernel/product.h"
#include "kernel/reals.h"
#include "kernel/walk.h"
#include "kernel/window.h"

/* Elements of the input that are copied under the kernel at once. */
#define COLUMNS_COUNT (UINT64_C(1) << 19)
/* With fewer filters in a group, copying the input costs more than it saves. */
#define PRODUCT_FILTERS 4

/* ---- Conv (1, 11, 22): each output is a sum over the window and the channels of its group ---- */

struct convolution {
    struct window window;
    uint64_t samples, channels, filters, groups;
    double *x, *bias, *y;  /* bias: NULL, or one per filter */
    struct factor weights; /* a row for each filter; elements NULL: not set yet */
};

/* Checks the weights of input `position` against the channels of input 0, and reads the window. */
static enum opshift_status load_shapes(struct kernel_call *call, uint32_t position, bool transposed,
                                       struct convolution *conv, struct opshift_error *error)
{
    const struct tensor *x = call->inputs[0], *w = call->inputs[position];
    int64_t groups = kernel_int(call, ATTRIBUTE_GROUP);
    enum opshift_status status = kernel_rank(call, 0, 3, WINDOW_AXES_MAX + 2, error);
    if (status == OPSHIFT_OK)
        status = kernel_rank(call, position, x->rank, x->rank, error);
    if (status == OPSHIFT_OK)
        status = window_load(call, w->dims + 2, &conv->window, error);
    if (status)
        return status;
    bool fits = groups >= 1 && x->dims[1] % groups == 0 && w->dims[0] % groups == 0;
    fits = fits && (transposed ? w->dims[0] == x->dims[1] : w->dims[1] == x->dims[1] / groups);
    fits = fits && (!transposed || w->dims[1] <= INT64_MAX / groups);
    if (!fits)
        return opshift_fail(error, OPSHIFT_MALFORMED, "kernels of shape %s do not fit %lld channels in %lld groups",
                            kernel_dims_text(call->arena, w->rank, w->dims), (long long)x->dims[1], (long long)groups);
    conv->samples = (uint64_t)x->dims[0];
    conv->channels = (uint64_t)x->dims[1];
    conv->groups = (uint64_t)groups;
    conv->filters = (uint64_t)(transposed ? w->dims[1] * groups : w->dims[0]);
    return OPSHIFT_OK;
}

/* Allocates the output as doubles, sets it to the bias, and counts the steps of the sums. */
static enum opshift_status start_sums(struct kernel_call *call, struct convolution *conv, uint64_t sums_each,
                                      struct opshift_error *error)
{
    uint64_t planes = kernel_times(conv->samples, conv->filters);
    uint64_t count = kernel_times(planes, conv->window.out_count);
    enum opshift_status status = product_work(call, count, sums_each, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, count, &conv->y, error);
    if (status)
        return status;
    for (uint64_t plane = 0; conv->bias != NULL && plane < planes; plane++)
        for (uint64_t i = 0; i < conv->window.out_count; i++)
            conv->y[plane * conv->window.out_count + i] = conv->bias[plane % conv->filters];
    return OPSHIFT_OK;
}

/* The windows, along an axis, whose kernel position k is inside the input: from *first to below *last. */
static void find_run(const struct window *window, uint32_t axis, int64_t k, int64_t *first, int64_t *last)
{
    int64_t offset = k * window->dilation[axis] - window->begin[axis], stride = window->stride[axis];
    *first = offset >= 0 ? 0 : stride == 1 ? -offset : (-offset + stride - 1) / stride;
    int64_t room = window->in[axis] - 1 - offset;
    *last = room < 0 ? 0 : (stride == 1 ? room : room / stride) + 1;
    *last = *last < window->out[axis] ? *last : window->out[axis];
}

/* Adds a plane, multiplied by one kernel element, to the outputs that it contributes to. */
static void add_plane(const struct window *window, const int64_t *kernel, double factor, const double *from, double *to)
{
    int64_t first[WINDOW_AXES_MAX] = {0}, last[WINDOW_AXES_MAX] = {0}, at[WINDOW_AXES_MAX] = {0};
    uint32_t inner = window->axes - 1;
    for (uint32_t i = 0; i < window->axes; i++) {
        find_run(window, i, kernel[i], &first[i], &last[i]);
        at[i] = first[i];
        if (first[i] >= last[i])
            return;
    }
    int64_t stride = window->stride[inner], count = last[inner] - first[inner];
    int64_t start = first[inner] * stride + kernel[inner] * window->dilation[inner] - window->begin[inner];
    for (;;) {
        int64_t source = 0, target = 0;
        uint32_t axis = inner;
        for (uint32_t i = 0; i < inner; i++) {
            source =
                source * window->in[i] + at[i] * window->stride[i] + kernel[i] * window->dilation[i] - window->begin[i];
            target = target * window->out[i] + at[i];
        }
        const double *row = from + source * window->in[inner] + start;
        double *sums = to + target * window->out[inner] + first[inner];
        int64_t i = 0;
        for (; stride == 1 && i + LANES <= count; i += LANES)
            *(lanes *)(sums + i) += factor * *(const lanes *)(row + i);
        for (; i < count; i++)
            sums[i] += factor * row[i * stride];
        while (axis > 0 && ++at[axis - 1] == last[axis - 1]) {
            axis--;
            at[axis] = first[axis];
        }
        if (axis == 0)
            return;
    }
}

static double weight(const struct factor *weights, uint64_t at)
{
    return weights->single ? (double)((const float *)weights->elements)[at] : ((const double *)weights->elements)[at];
}

/* The sums of one filter for one sample. */
static void filter_add(const struct convolution *conv, uint64_t sample, uint64_t filter)
{
    const struct window *window = &conv->window;
    uint64_t each = conv->channels / conv->groups, group = filter / (conv->filters / conv->groups);
    double *to = conv->y + (sample * conv->filters + filter) * window->out_count;
    for (uint64_t c = 0; c < each; c++) {
        const double *from = conv->x + (sample * conv->channels + group * each + c) * window->in_count;
        struct walk walk;
        walk_start(&walk, window->axes, window->kernel);
        for (uint64_t k = 0; k < window->kernel_count; k++, walk_next(&walk))
            add_plane(window, walk.index, weight(&conv->weights, (filter * each + c) * window->kernel_count + k), from,
                      to);
    }
}

/* Copies what one place of the kernel covers, for `count` windows of one innermost row from `at` on. */
static void copy_row(const struct window *window, const int64_t *kernel, const double *plane, uint64_t at,
                     uint64_t count, double *to)
{
    uint32_t inner = window->axes - 1;
    int64_t first, last, source = 0, begin = (int64_t)(at % (uint64_t)window->out[inner]);
    int64_t index[WINDOW_AXES_MAX] = {0};
    bool inside = true;
    uint64_t left = at / (uint64_t)window->out[inner];
    for (uint32_t i = inner; i-- > 0; left /= (uint64_t)window->out[i])
        index[i] = (int64_t)(left % (uint64_t)window->out[i]);
    for (uint32_t i = 0; i < inner; i++) {
        int64_t place = index[i] * window->stride[i] + kernel[i] * window->dilation[i] - window->begin[i];
        inside = inside && place >= 0 && place < window->in[i];
        source = source * window->in[i] + place;
    }
    find_run(window, inner, kernel[inner], &first, &last);
    int64_t stride = window->stride[inner], offset = kernel[inner] * window->dilation[inner] - window->begin[inner];
    for (int64_t i = begin; i < begin + (int64_t)count; i++)
        *to++ = inside && i >= first && i < last ? plane[source * window->in[inner] + i * stride + offset] : 0;
}

/* The input under the kernel for `count` windows from `first` on: a row for each channel and place of the kernel. */
static void copy_columns(const struct window *window, uint64_t channels, const double *x, uint64_t first,
                         uint64_t count, double *columns)
{
    uint64_t row = (uint64_t)window->out[window->axes - 1];
    for (uint64_t c = 0; c < channels; c++) {
        struct walk walk;
        walk_start(&walk, window->axes, window->kernel);
        for (uint64_t k = 0; k < window->kernel_count; k++, walk_next(&walk))
            for (uint64_t done = 0, part; done < count; done += part, columns += part) {
                part = row - (first + done) % row;
                part = part < count - done ? part : count - done;
                copy_row(window, walk.index, x + c * window->in_count, first + done, part, columns);
            }
    }
}

/* Does each window cover just the element at its place? */
static bool is_pointwise(const struct window *window)
{
    bool pointwise = window->kernel_count == 1;
    for (uint32_t i = 0; i < window->axes; i++)
        pointwise = pointwise && window->stride[i] == 1 && window->begin[i] == 0 && window->in[i] == window->out[i];
    return pointwise;
}

/* The sums of one group for one sample, as a product of the weights and the input under the kernel. */
static void group_add(const struct convolution *conv, uint64_t sample, uint64_t group, uint64_t width, double *columns,
                      double *room)
{
    const struct window *window = &conv->window;
    uint64_t each = conv->channels / conv->groups, filters = conv->filters / conv->groups;
    uint64_t depth = each * window->kernel_count;
    const double *x = conv->x + (sample * conv->channels + group * each) * window->in_count;
    double *y = conv->y + (sample * conv->filters + group * filters) * window->out_count;
    struct factor weights = factor_from(conv->weights, group * filters * depth);
    for (uint64_t first = 0, count; first < window->out_count; first += count) {
        count = window->out_count - first < width ? window->out_count - first : width;
        struct factor covered = {x + first, false, window->out_count, 1, weights.single};
        if (columns) {
            copy_columns(window, each, x, first, count, columns);
            covered = (struct factor){columns, false, count, 1, weights.single};
        }
        product_add(filters, count, depth, &weights, &covered, y + first, window->out_count, room);
    }
}

static enum opshift_status convolve(struct kernel_call *call, const struct convolution *conv,
                                    struct opshift_error *error)
{
    const struct window *window = &conv->window;
    uint64_t depth = conv->channels / conv->groups * window->kernel_count, width = window->out_count;
    void *columns = NULL, *room = NULL;
    if (conv->filters / conv->groups < PRODUCT_FILTERS) {
        for (uint64_t at = 0; at < conv->samples * conv->filters; at++)
            filter_add(conv, at / conv->filters, at % conv->filters);
        return OPSHIFT_OK;
    }
    enum opshift_status status = OPSHIFT_OK;
    if (!is_pointwise(window)) {
        uint64_t most = COLUMNS_COUNT / (depth + 1) + 1;
        width = width < most ? width : most;
        status = kernel_scratch(call, depth * width, sizeof(double), &columns, error);
    }
    if (status == OPSHIFT_OK)
        status = kernel_scratch(call, product_room(width, depth), sizeof(double), &room, error);
    for (uint64_t at = 0; status == OPSHIFT_OK && at < conv->samples * conv->groups; at++)
        group_add(conv, at / conv->groups, at % conv->groups, width, columns, room);
    return status;
}

static enum opshift_status conv_output(struct kernel_call *call, const struct convolution *conv, enum opshift_type type,
                                       struct opshift_error *error)
{
    int64_t dims[WINDOW_AXES_MAX + 2] = {(int64_t)conv->samples, (int64_t)conv->filters};
    for (uint32_t i = 0; i < conv->window.axes; i++)
        dims[2 + i] = conv->window.out[i];
    return kernel_output(call, 0, type, conv->window.axes + 2, dims, error);
}

static enum opshift_status load_bias(struct kernel_call *call, uint32_t position, struct convolution *conv,
                                     struct opshift_error *error)
{
    const int64_t dims[] = {(int64_t)conv->filters};
    enum opshift_status status = kernel_shape(call, position, 1, dims, error);
    return status == OPSHIFT_OK ? reals_load(call, kernel_input(call, position), &conv->bias, error) : status;
}

/* The tensor's own floats or doubles, else numbers made of its elements. */
static enum opshift_status load_weights(struct kernel_call *call, const struct tensor *tensor, struct factor *weights,
                                        struct opshift_error *error)
{
    double *loaded;
    weights->single = tensor->type == OPSHIFT_TYPE_FLOAT;
    weights->elements = tensor->data;
    if (weights->single || tensor->type == OPSHIFT_TYPE_DOUBLE)
        return OPSHIFT_OK;
    enum opshift_status status = reals_load(call, tensor, &loaded, error);
    weights->elements = loaded;
    return status;
}

/* Computes y, after load_shapes. */
static enum opshift_status run_sums(struct kernel_call *call, uint32_t kernels, struct convolution *conv,
                                    struct opshift_error *error)
{
    enum opshift_status status = window_fit(call, &conv->window, error);
    uint64_t each = conv->channels / conv->groups, sums = kernel_times(each, conv->window.kernel_count);
    if (status == OPSHIFT_OK && conv->x == NULL)
        status = reals_load(call, call->inputs[0], &conv->x, error);
    if (status == OPSHIFT_OK && conv->weights.elements == NULL)
        status = load_weights(call, call->inputs[kernels], &conv->weights, error);
    conv->weights.row_stride = each * conv->window.kernel_count;
    conv->weights.column_stride = 1;
    if (status == OPSHIFT_OK)
        status = start_sums(call, conv, sums, error);
    if (status == OPSHIFT_OK && call->inputs[0]->count > 0 && conv->window.out_count > 0)
        status = convolve(call, conv, error);
    return status;
}

static enum opshift_status run_conv(struct kernel_call *call, struct opshift_error *error)
{
    struct convolution conv = {0};
    enum opshift_status status = load_shapes(call, 1, false, &conv, error);
    if (status == OPSHIFT_OK)
        status = load_bias(call, 2, &conv, error);
    if (status == OPSHIFT_OK)
        status = run_sums(call, 1, &conv, error);
    if (status == OPSHIFT_OK)
        status = conv_output(call, &conv, call->inputs[0]->type, error);
    if (status == OPSHIFT_OK)
        reals_store(call->outputs[0], 0, conv.y, call->outputs[0]->count);
    return status;
}

/* ---- ConvInteger (10), QLinearConv (10) ---- */

/* Elements minus their zero points: one for all, or one per entry of the first axis. */
static enum opshift_status load_shifted(struct kernel_call *call, uint32_t position, uint32_t zero, double **elements,
                                        struct opshift_error *error)
{
    const struct tensor *input = call->inputs[position], *points = kernel_input(call, zero);
    double *zeros = NULL;
    enum opshift_status status = reals_load(call, input, elements, error);
    if (status == OPSHIFT_OK)
        status = reals_load(call, points, &zeros, error);
    if (status || points == NULL)
        return status;
    bool each = position > 0 && points->rank == 1 && points->dims[0] == input->dims[0];
    if (points->count != 1 && !each)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input %u of shape %s does not fit input %u of shape %s", zero,
                            kernel_dims_text(call->arena, points->rank, points->dims), position,
                            kernel_dims_text(call->arena, input->rank, input->dims));
    for (uint64_t i = 0; i < input->count; i++)
        (*elements)[i] -= zeros[points->count == 1 ? 0 : i / (input->count / points->count)];
    return OPSHIFT_OK;
}

static enum opshift_status run_conv_integer(struct kernel_call *call, struct opshift_error *error)
{
    struct convolution conv = {0};
    double *weights = NULL;
    enum opshift_status status = load_shapes(call, 1, false, &conv, error);
    if (status == OPSHIFT_OK)
        status = load_shifted(call, 0, 2, &conv.x, error);
    if (status == OPSHIFT_OK)
        status = load_shifted(call, 1, 3, &weights, error);
    conv.weights.elements = weights;
    if (status == OPSHIFT_OK)
        status = run_sums(call, 1, &conv, error);
    if (status == OPSHIFT_OK)
        status = conv_output(call, &conv, OPSHIFT_TYPE_INT32, error);
    if (status == OPSHIFT_OK)
        reals_store(call->outputs[0], 0, conv.y, call->outputs[0]->count);
    return status;
}

/* Scales of the three tensors, and zero point of the result. */
struct conv_scales {
    double x, *w, y, zero;
    uint64_t w_count;
};

static enum opshift_status load_scales(struct kernel_call *call, const struct convolution *conv,
                                       struct conv_scales *scales, struct opshift_error *error)
{
    scales->w_count = call->inputs[4]->count;
    if (scales->w_count != 1 && scales->w_count != conv->filters)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input 4 has %llu scales, must have 1 or %llu",
                            (unsigned long long)scales->w_count, (unsigned long long)conv->filters);
    enum opshift_status status = kernel_number(call, 1, &scales->x, error);
    if (status == OPSHIFT_OK)
        status = kernel_number(call, 6, &scales->y, error);
    if (status == OPSHIFT_OK)
        status = kernel_number(call, 7, &scales->zero, error);
    return status == OPSHIFT_OK ? reals_load(call, call->inputs[4], &scales->w, error) : status;
}

static enum opshift_status run_q_linear_conv(struct kernel_call *call, struct opshift_error *error)
{
    struct convolution conv = {0};
    struct conv_scales scales = {0};
    double *weights = NULL;
    enum opshift_status status = load_shapes(call, 3, false, &conv, error);
    if (status == OPSHIFT_OK)
        status = load_scales(call, &conv, &scales, error);
    if (status == OPSHIFT_OK)
        status = load_bias(call, 8, &conv, error);
    if (status == OPSHIFT_OK)
        status = load_shifted(call, 0, 2, &conv.x, error);
    if (status == OPSHIFT_OK)
        status = load_shifted(call, 3, 5, &weights, error);
    conv.weights.elements = weights;
    if (status == OPSHIFT_OK)
        status = run_sums(call, 3, &conv, error);
    if (status == OPSHIFT_OK)
        status = conv_output(call, &conv, call->inputs[7]->type, error);
    if (status == OPSHIFT_OK && call->defined && !(fabs(scales.y) > 0))
        status = opshift_fail(error, OPSHIFT_UNSUPPORTED, "the scale of the output is 0, which is not defined");
    if (status)
        return status;
    for (uint64_t i = 0; i < call->outputs[0]->count; i++) {
        uint64_t filter = i / conv.window.out_count % conv.filters;
        float factor = (float)scales.x * (float)scales.w[scales.w_count == 1 ? 0 : filter] / (float)scales.y;
        int32_t sum = (int32_t)(uint32_t)(int64_t)conv.y[i]; /* the sum wraps, as that of ConvInteger and the bias */
        conv.y[i] = (double)nearbyintf((float)sum * factor) + scales.zero;
    }
    reals_store(call->outputs[0], 0, conv.y, call->outputs[0]->count);
    return OPSHIFT_OK;
}

/* ---- ConvTranspose (1, 11, 22): each input element is added to a window of the output ---- */

/* With output_shape given, distributes the excess over the pads. */
static void cut_pads(struct window *window, uint32_t i, int64_t total)
{
    total = total < 0 ? 0 : total;
    window->begin[i] = window->padding == WINDOW_SAME_UPPER ? total / 2 : total - total / 2;
    window->end[i] = total - window->begin[i];
}

static enum opshift_status transposed_sizes(struct kernel_call *call, struct window *window,
                                            struct opshift_error *error)
{
    struct int_list extra = kernel_ints(call, ATTRIBUTE_OUTPUT_PADDING),
                    shape = kernel_ints(call, ATTRIBUTE_OUTPUT_SHAPE);
    if ((extra.count > 0 && extra.count != window->axes) || (shape.count > 0 && shape.count < window->axes))
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute '%s' must have %u entries",
                            extra.count > 0 && extra.count != window->axes ? "output_padding" : "output_shape",
                            window->axes);
    window->out_count = 1;
    for (uint32_t i = 0; i < window->axes; i++) {
        int64_t more = extra.count > 0 ? extra.values[i] : 0;
        int64_t wanted = shape.count > 0 ? shape.values[shape.count - window->axes + i] : -1;
        if (more < 0 || more > INT32_MAX || wanted > INT32_MAX || (shape.count > 0 && wanted < 0))
            return opshift_fail(error, OPSHIFT_MALFORMED, "the output has a size that is negative or too large");
        int64_t full = (window->in[i] - 1) * window->stride[i] + more + window_span(window, i);
        bool same = window->padding == WINDOW_SAME_UPPER || window->padding == WINDOW_SAME_LOWER;
        wanted = same && shape.count == 0 ? window->in[i] * window->stride[i] : wanted;
        if (wanted >= 0)
            cut_pads(window, i, full - wanted);
        window->out[i] = wanted >= 0 ? wanted : full - window->begin[i] - window->end[i];
        if (window->out[i] < 0 || !kernel_multiply(window->out_count, (uint64_t)window->out[i], &window->out_count))
            return opshift_fail(error, OPSHIFT_MALFORMED, "the output has a size that is negative or too large");
    }
    return OPSHIFT_OK;
}

/* Adds a plane to the output. The window is defined on the output, as in the forward convolution. */
static void spread(const struct convolution *conv, const struct window *turned)
{
    uint64_t each = conv->channels / conv->groups, filters_each = conv->filters / conv->groups;
    for (uint64_t at = 0; at < conv->samples * conv->channels; at++) {
        uint64_t sample = at / conv->channels, channel = at % conv->channels, group = channel / each;
        for (uint64_t f = 0; f < filters_each; f++) {
            double *to = conv->y + (sample * conv->filters + group * filters_each + f) * turned->in_count;
            uint64_t factors = (channel * filters_each + f) * turned->kernel_count;
            const double *from = conv->x + at * turned->out_count;
            struct walk walk, kernel;
            walk_start(&walk, turned->axes, turned->out);
            for (uint64_t i = 0; i < turned->out_count; i++, walk_next(&walk)) {
                walk_start(&kernel, turned->axes, turned->kernel);
                for (uint64_t k = 0; k < turned->kernel_count; k++, walk_next(&kernel)) {
                    uint64_t place;
                    if (window_at(turned, walk.index, kernel.index, &place))
                        to[place] += from[i] * weight(&conv->weights, factors + k);
                }
            }
        }
    }
}

static enum opshift_status run_conv_transpose(struct kernel_call *call, struct opshift_error *error)
{
    struct convolution conv = {0};
    enum opshift_status status = load_shapes(call, 1, true, &conv, error);
    if (status == OPSHIFT_OK)
        status = transposed_sizes(call, &conv.window, error);
    if (status == OPSHIFT_OK)
        status = load_bias(call, 2, &conv, error);
    if (status == OPSHIFT_OK)
        status = reals_load(call, call->inputs[0], &conv.x, error);
    if (status == OPSHIFT_OK)
        status = load_weights(call, call->inputs[1], &conv.weights, error);
    if (status)
        return status;
    uint64_t sums = kernel_times(conv.filters / conv.groups, conv.window.kernel_count);
    status = kernel_work(call, call->inputs[0]->count, sums, error);
    if (status == OPSHIFT_OK) /* for walk_next and window_at at each position */
        status =
            kernel_work(call, call->inputs[0]->count, sums < UINT64_MAX / STEPS_MOVE ? sums * STEPS_MOVE : sums, error);
    if (status == OPSHIFT_OK)
        status = start_sums(call, &conv, 1, error);
    if (status == OPSHIFT_OK)
        status = conv_output(call, &conv, call->inputs[0]->type, error);
    if (status)
        return status;
    struct window turned = conv.window;
    memcpy(turned.in, conv.window.out, sizeof(turned.in));
    memcpy(turned.out, conv.window.in, sizeof(turned.out));
    turned.in_count = conv.window.out_count;
    turned.out_count = conv.window.in_count;
    if (call->inputs[0]->count > 0)
        spread(&conv, &turned);
    reals_store(call->outputs[0], 0, conv.y, call->outputs[0]->count);
    return OPSHIFT_OK;
}

/* ---- DeformConv (19, 22): each window position is shifted by an offset ---- */

struct deformation {
    struct convolution conv;
    int64_t groups; /* groups of channels with common offsets */
    double *offsets, *mask;
};

/* Bilinear interpolation; zero outside. */
static double sample_plane(const struct window *window, const double *plane, double y, double x)
{
    double top = floor(y), left = floor(x), sum = 0;
    if (!(y > -1 && x > -1 && y < (double)window->in[0] && x < (double)window->in[1]))
        return 0;
    for (int i = 0; i < 4; i++) {
        int64_t row = (int64_t)top + i / 2, column = (int64_t)left + i % 2;
        double weight = (i / 2 ? y - top : 1 - (y - top)) * (i % 2 ? x - left : 1 - (x - left));
        if (row >= 0 && row < window->in[0] && column >= 0 && column < window->in[1])
            sum += weight * plane[row * window->in[1] + column];
    }
    return sum;
}

static double deformed_sum(const struct deformation *deform, uint64_t sample, uint64_t filter, uint64_t out)
{
    const struct convolution *conv = &deform->conv;
    const struct window *window = &conv->window;
    uint64_t each = conv->channels / conv->groups, group = filter / (conv->filters / conv->groups);
    uint64_t shared = conv->channels / (uint64_t)deform->groups;
    int64_t row = (int64_t)(out / (uint64_t)window->out[1]), column = (int64_t)(out % (uint64_t)window->out[1]);
    double sum = 0;
    for (uint64_t c = 0; c < each; c++) {
        uint64_t channel = group * each + c;
        uint64_t first = (sample * (uint64_t)deform->groups + channel / shared) * window->kernel_count;
        for (uint64_t k = 0; k < window->kernel_count; k++) {
            const double *offset = deform->offsets + 2 * (first + k) * window->out_count + out;
            int64_t y = (int64_t)k / window->kernel[1] * window->dilation[0],
                    x = (int64_t)k % window->kernel[1] * window->dilation[1];
            double value =
                sample_plane(window, conv->x + (sample * conv->channels + channel) * window->in_count,
                             (double)(row * window->stride[0] - window->begin[0] + y) + offset[0],
                             (double)(column * window->stride[1] - window->begin[1] + x) + offset[window->out_count]);
            if (deform->mask != NULL)
                value *= deform->mask[(first + k) * window->out_count + out];
            sum += value * weight(&conv->weights, (filter * each + c) * window->kernel_count + k);
        }
    }
    return sum;
}

static enum opshift_status load_deformation(struct kernel_call *call, struct deformation *deform,
                                            struct opshift_error *error)
{
    struct convolution *conv = &deform->conv;
    struct window *window = &conv->window;
    deform->groups = kernel_int(call, ATTRIBUTE_OFFSET_GROUP);
    enum opshift_status status = kernel_rank(call, 0, 4, 4, error);
    if (status == OPSHIFT_OK)
        status = load_shapes(call, 1, false, conv, error);
    if (status == OPSHIFT_OK)
        status = window_fit(call, window, error);
    if (status)
        return status;
    if (deform->groups < 1 || call->inputs[0]->dims[1] % deform->groups != 0 ||
        window->kernel_count > (uint64_t)(INT64_MAX / 2 / deform->groups))
        return opshift_fail(error, OPSHIFT_MALFORMED, "%lld channels do not make %lld offset groups",
                            (long long)call->inputs[0]->dims[1], (long long)deform->groups);
    int64_t places = (int64_t)window->kernel_count * deform->groups;
    const int64_t masks[] = {(int64_t)conv->samples, places, window->out[0], window->out[1]};
    const int64_t offsets[] = {(int64_t)conv->samples, 2 * places, window->out[0], window->out[1]};
    status = kernel_shape(call, 2, 4, offsets, error);
    if (status == OPSHIFT_OK)
        status = kernel_shape(call, 4, 4, masks, error);
    if (status == OPSHIFT_OK)
        status = load_bias(call, 3, conv, error);
    double **const loaded[] = {&conv->x, NULL, &deform->offsets, NULL, &deform->mask};
    if (status == OPSHIFT_OK)
        status = reals_inputs(call, loaded, COUNT(loaded), error);
    return status == OPSHIFT_OK ? load_weights(call, call->inputs[1], &conv->weights, error) : status;
}

static enum opshift_status run_deform_conv(struct kernel_call *call, struct opshift_error *error)
{
    struct deformation deform = {.groups = 1};
    struct convolution *conv = &deform.conv;
    enum opshift_status status = load_deformation(call, &deform, error);
    if (status)
        return status;
    uint64_t sums = kernel_times(conv->channels / conv->groups, conv->window.kernel_count * 4 * STEPS_CURVE);
    status = start_sums(call, conv, sums, error);
    if (status == OPSHIFT_OK)
        status = conv_output(call, conv, call->inputs[0]->type, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < call->outputs[0]->count; i++)
        conv->y[i] += deformed_sum(&deform, i / conv->window.out_count / conv->filters,
                                   i / conv->window.out_count % conv->filters, i % conv->window.out_count);
    if (status == OPSHIFT_OK)
        reals_store(call->outputs[0], 0, conv->y, call->outputs[0]->count);
    return status;
}

/* ---- Col2Im (18): adds columns of windows into an image ---- */

/* Sets the window's input to the image and its kernel to the blocks. */
static enum opshift_status load_image(struct kernel_call *call, struct window *window, struct opshift_error *error)
{
    struct int_list image = {0}, block = {0};
    enum opshift_status status = kernel_sizes(call, 1, "the image's shape", &image, error);
    if (status == OPSHIFT_OK)
        status = kernel_vector(call, call->inputs[2], "the block's shape", &block, error);
    if (status)
        return status;
    if (image.count < 1 || image.count > WINDOW_AXES_MAX || block.count != image.count)
        return opshift_fail(error, OPSHIFT_MALFORMED, "an image of %zu axes does not fit blocks of %zu", image.count,
                            block.count);
    int64_t dims[WINDOW_AXES_MAX + 2] = {1, 1};
    for (size_t i = 0; i < image.count; i++)
        dims[2 + i] = image.values[i];
    const struct tensor shape = {.rank = (uint32_t)image.count + 2, .dims = dims};
    const struct tensor *const inputs[] = {&shape};
    struct kernel_call seen = *call;
    seen.inputs = inputs;
    status = window_load(&seen, block.values, window, error);
    return status == OPSHIFT_OK ? window_fit(call, window, error) : status;
}

static enum opshift_status add_columns(struct kernel_call *call, const struct window *window, uint64_t planes,
                                       struct opshift_error *error)
{
    double *columns = NULL, *image = NULL;
    enum opshift_status status = reals_load(call, call->inputs[0], &columns, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->inputs[0]->count, 2 * (uint64_t)STEPS_MOVE, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, call->outputs[0]->count, &image, error);
    for (uint64_t plane = 0; status == OPSHIFT_OK && call->inputs[0]->count > 0 && plane < planes; plane++) {
        struct walk out, kernel;
        walk_start(&kernel, window->axes, window->kernel);
        for (uint64_t k = 0; k < window->kernel_count; k++, walk_next(&kernel)) {
            walk_start(&out, window->axes, window->out);
            for (uint64_t i = 0; i < window->out_count; i++, walk_next(&out)) {
                uint64_t place;
                if (window_at(window, out.index, kernel.index, &place))
                    image[plane * window->in_count + place] +=
                        columns[(plane * window->kernel_count + k) * window->out_count + i];
            }
        }
    }
    if (status == OPSHIFT_OK)
        reals_store(call->outputs[0], 0, image, call->outputs[0]->count);
    return status;
}

static enum opshift_status run_col2im(struct kernel_call *call, struct opshift_error *error)
{
    struct window window = {0};
    int64_t dims[WINDOW_AXES_MAX + 2];
    enum opshift_status status = kernel_rank(call, 0, 3, 3, error);
    if (status == OPSHIFT_OK)
        status = load_image(call, &window, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    if ((uint64_t)input->dims[1] % window.kernel_count != 0 || (uint64_t)input->dims[2] != window.out_count)
        return opshift_fail(error, OPSHIFT_MALFORMED, "columns of shape %s are not %llu blocks of %llu places",
                            kernel_dims_text(call->arena, input->rank, input->dims),
                            (unsigned long long)window.out_count, (unsigned long long)window.kernel_count);
    dims[0] = input->dims[0];
    dims[1] = (int64_t)((uint64_t)input->dims[1] / window.kernel_count);
    for (uint32_t i = 0; i < window.axes; i++)
        dims[2 + i] = window.in[i];
    status = kernel_output(call, 0, input->type, window.axes + 2, dims, error);
    return status == OPSHIFT_OK ? add_columns(call, &window, (uint64_t)(dims[0] * dims[1]), error) : status;
}

const struct kernel kernels_conv[] = {
    {OPERATOR_COL2_IM, 18, KERNEL_ANY, run_col2im, {0}},
    {OPERATOR_CONV, 1, KERNEL_ANY, run_conv, {0}},
    {OPERATOR_CONV_INTEGER, 10, KERNEL_ANY, run_conv_integer, {0}},
    {OPERATOR_CONV_TRANSPOSE, 1, KERNEL_ANY, run_conv_transpose, {0}},
    {OPERATOR_DEFORM_CONV, 19, KERNEL_ANY, run_deform_conv, {0}},
    {OPERATOR_QLINEAR_CONV, 10, KERNEL_ANY, run_q_linear_conv, {0}},
    {0},
};
