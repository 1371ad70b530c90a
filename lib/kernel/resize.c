/* Resize (10, 11, 13, 18, 19) and Upsample (1, 7, 9): interpolates one axis after the other. */
#include <math.h>

#include "kernel/reals.h"

enum resize_mode { RESIZE_NEAREST, RESIZE_LINEAR, RESIZE_CUBIC };
enum resize_places {
    PLACES_HALF_PIXEL,
    PLACES_PYTORCH,
    PLACES_ALIGN_CORNERS,
    PLACES_ASYMMETRIC,
    PLACES_TF_NEAREST,
    PLACES_CROP,
    PLACES_SYMMETRIC
};
enum resize_rounding { ROUND_PREFER_FLOOR, ROUND_PREFER_CEIL, ROUND_FLOOR, ROUND_CEIL, ROUND_SIMPLE };
enum resize_policy { POLICY_STRETCH, POLICY_NOT_LARGER, POLICY_NOT_SMALLER };

struct resize_axis {
    int64_t in, out;
    float scale, length, roi_begin, roi_end; /* length: the output's size before rounding down */
    bool by_size;                            /* the scale is out / in, which a float need not hold */
};

struct resize {
    unsigned mode, places, rounding, policy;
    bool antialias, exclude_outside;
    float cubic_a, beyond; /* beyond: the value outside a crop */
    uint32_t rank;
    struct resize_axis axes[TENSOR_RANK_MAX];
};

/* The input elements along one axis that contribute to each output position: `count` of them; index -1: outside. */
struct resize_taps {
    uint64_t count;
    int64_t *index;
    double *weight;
};

/* ---- the input coordinate of an output position ---- */

static float original_place(const struct resize *resize, const struct resize_axis *axis, float x)
{
    float in = (float)axis->in, length = axis->length;
    switch (resize->places) {
    case PLACES_ALIGN_CORNERS:
        return length == 1 ? 0 : x * (in - 1) / (length - 1);
    case PLACES_ASYMMETRIC:
        return x / axis->scale;
    case PLACES_CROP:
        if (axis->out == 1)
            return (axis->roi_begin + axis->roi_end) / 2 * (in - 1);
        return axis->roi_begin * (in - 1) + x * (axis->roi_end - axis->roi_begin) * (in - 1) / (length - 1);
    case PLACES_PYTORCH:
        return length > 1 ? (x + 0.5F) / axis->scale - 0.5F : 0;
    case PLACES_SYMMETRIC:
        return in / 2 * (1 - (float)axis->out / length) + (x + 0.5F) / axis->scale - 0.5F;
    case PLACES_TF_NEAREST:
        return (x + 0.5F) / axis->scale;
    default:
        return (x + 0.5F) / axis->scale - 0.5F;
    }
}

/* The same where sizes are given; exact where it is halfway between two elements. */
static double place_by_size(const struct resize *resize, const struct resize_axis *axis, int64_t x)
{
    double in = (double)axis->in, out = (double)axis->out, first = (double)x;
    switch (resize->places) {
    case PLACES_ALIGN_CORNERS:
        return axis->out == 1 ? 0 : first * (in - 1) / (out - 1);
    case PLACES_ASYMMETRIC:
        return first * in / out;
    case PLACES_PYTORCH:
        return axis->out > 1 ? (first + 0.5) * in / out - 0.5 : 0;
    case PLACES_TF_NEAREST:
        return (first + 0.5) * in / out;
    default:
        return (first + 0.5) * in / out - 0.5;
    }
}

static double nearest_place(const struct resize *resize, const struct resize_axis *axis, double x)
{
    switch (resize->rounding) {
    case ROUND_PREFER_FLOOR:
        return ceil(x - 0.5);
    case ROUND_PREFER_CEIL:
        return floor(x + 0.5);
    case ROUND_CEIL:
        return ceil(x);
    case ROUND_SIMPLE:
        return axis->scale < 1 ? ceil(x) : floor(x);
    default:
        return floor(x);
    }
}

/* Neighbours on each side; more when antialiasing a smaller image. */
static uint64_t tap_reach(const struct resize *resize, const struct resize_axis *axis)
{
    double reach = resize->mode == RESIZE_LINEAR ? 1 : 2;
    if (!resize->antialias || !(axis->scale < 1))
        return (uint64_t)reach;
    return (uint64_t)fmin(ceil(reach / (double)axis->scale), (double)INT32_MAX);
}

static void weigh_taps(const struct resize *resize, const struct resize_axis *axis, double place, uint64_t count,
                       int64_t *index, double *weight)
{
    double narrow = resize->antialias && axis->scale < 1 ? (double)axis->scale : 1, sum = 0;
    uint64_t half = count / 2;
    double first = floor(place) - (double)half + 1;
    for (uint64_t i = 0; i < count; i++) {
        double at = first + (double)i, distance = (at - place) * narrow;
        weight[i] = resize->mode == RESIZE_LINEAR ? fmax(0, 1 - fabs(distance))
                                                  : reals_cubic(distance, (double)resize->cubic_a);
        if (resize->exclude_outside && (at < 0 || at > (double)(axis->in - 1)))
            weight[i] = 0;
        index[i] = (int64_t)fmax(0, fmin((double)(axis->in - 1), at));
        sum += weight[i];
    }
    for (uint64_t i = 0; i < count && sum != 0; i++)
        weight[i] /= sum;
}

static void find_taps(const struct resize *resize, const struct resize_axis *axis, struct resize_taps *taps)
{
    for (int64_t x = 0; x < axis->out; x++) {
        bool exact = axis->by_size && resize->mode == RESIZE_NEAREST && resize->places != PLACES_CROP;
        double place = exact ? place_by_size(resize, axis, x) : (double)original_place(resize, axis, (float)x);
        double last = (double)(axis->in - 1);
        int64_t *index = taps->index + (uint64_t)x * taps->count;
        if (isnan(place))
            place = 0;
        if (resize->places == PLACES_CROP && (place < 0 || place > last))
            index[0] = -1;
        else if (resize->mode == RESIZE_NEAREST)
            index[0] = (int64_t)fmax(0, fmin(last, nearest_place(resize, axis, place)));
        else
            weigh_taps(resize, axis, place, taps->count, index, taps->weight + (uint64_t)x * taps->count);
    }
}

static enum opshift_status make_taps(const struct kernel_call *call, const struct resize *resize,
                                     const struct resize_axis *axis, struct resize_taps *taps,
                                     struct opshift_error *error)
{
    taps->count = resize->mode == RESIZE_NEAREST ? 1 : 2 * tap_reach(resize, axis);
    const int64_t room[] = {axis->out, (int64_t)taps->count, sizeof(*taps->index)};
    enum opshift_status status = kernel_work(call, (uint64_t)axis->out, taps->count * STEPS_CURVE, error);
    if (status == OPSHIFT_OK)
        status = kernel_room(call, OPSHIFT_TYPE_UINT8, 3, room, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, (uint64_t)axis->out * taps->count, &taps->weight, error);
    if (status)
        return status;
    taps->index = arena_alloc(call->arena, (uint64_t)axis->out * taps->count + 1, sizeof(*taps->index));
    if (taps->index == NULL)
        return opshift_no_memory(error);
    find_taps(resize, axis, taps);
    return OPSHIFT_OK;
}

/* ---- one axis ---- */

/* Elements before and after an axis; the axes before it already have their output size. */
static enum opshift_status around_axis(const struct resize *resize, uint32_t at, uint64_t *outer, uint64_t *inner,
                                       struct opshift_error *error)
{
    bool fits = true;
    *outer = *inner = 1;
    for (uint32_t i = 0; i < at && fits; i++)
        fits = kernel_multiply(*outer, (uint64_t)resize->axes[i].out, outer);
    for (uint32_t i = at + 1; i < resize->rank && fits; i++)
        fits = kernel_multiply(*inner, (uint64_t)resize->axes[i].in, inner);
    return fits ? OPSHIFT_OK : opshift_fail(error, OPSHIFT_UNSUPPORTED, "the image is too large on the way");
}

static bool is_kept(const struct resize *resize, uint32_t at)
{
    const struct resize_axis *axis = &resize->axes[at];
    return axis->scale == 1 && axis->in == axis->out && resize->places != PLACES_CROP;
}

/* Replaces *x by an array with the axis resized. */
static enum opshift_status resize_reals(const struct kernel_call *call, const struct resize *resize, uint32_t at,
                                        double **x, struct opshift_error *error)
{
    const struct resize_axis *axis = &resize->axes[at];
    struct resize_taps taps;
    uint64_t outer, inner, out = (uint64_t)axis->out, in = (uint64_t)axis->in;
    double *to = NULL;
    enum opshift_status status = around_axis(resize, at, &outer, &inner, error);
    if (status == OPSHIFT_OK)
        status = make_taps(call, resize, axis, &taps, error);
    const int64_t room[] = {(int64_t)outer, axis->out, (int64_t)inner};
    if (status == OPSHIFT_OK)
        status = kernel_room(call, OPSHIFT_TYPE_DOUBLE, 3, room, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, outer * out * inner, taps.count * 2 + STEPS_COMPUTE, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, outer * out * inner, &to, error);
    for (uint64_t row = 0; status == OPSHIFT_OK && row < outer * out; row++) {
        const int64_t *index = taps.index + row % out * taps.count;
        const double *weight = taps.weight + row % out * taps.count;
        double *sums = to + row * inner;
        for (uint64_t k = 0; k < taps.count && index[0] >= 0; k++) {
            const double *from = *x + (row / out * in + (uint64_t)index[k]) * inner;
            double factor = resize->mode == RESIZE_NEAREST ? 1 : weight[k];
            for (uint64_t i = 0; i < inner && factor != 0; i++)
                sums[i] += factor * from[i];
        }
        for (uint64_t i = 0; i < inner && index[0] < 0; i++)
            sums[i] = (double)resize->beyond;
    }
    *x = to;
    return status;
}

static enum opshift_status run_reals(struct kernel_call *call, const struct resize *resize, struct opshift_error *error)
{
    double *x = NULL;
    enum opshift_status status = reals_load(call, call->inputs[0], &x, error);
    for (uint32_t i = 0; i < resize->rank && status == OPSHIFT_OK; i++)
        if (!is_kept(resize, i))
            status = resize_reals(call, resize, i, &x, error);
    if (status == OPSHIFT_OK)
        reals_store(call->outputs[0], 0, x, call->outputs[0]->count);
    return status;
}

/* Copies the nearest elements, of any type. */
static enum opshift_status run_copies(struct kernel_call *call, const struct resize *resize,
                                      struct opshift_error *error)
{
    const struct tensor *from = call->inputs[0];
    for (uint32_t at = 0; at < resize->rank; at++) {
        const struct resize_axis *axis = &resize->axes[at];
        struct resize_taps taps;
        struct tensor *to = NULL;
        int64_t dims[TENSOR_RANK_MAX];
        uint64_t outer, inner, out = (uint64_t)axis->out;
        if (is_kept(resize, at))
            continue;
        for (uint32_t i = 0; i < resize->rank; i++)
            dims[i] = i <= at ? resize->axes[i].out : resize->axes[i].in;
        enum opshift_status status = around_axis(resize, at, &outer, &inner, error);
        if (status == OPSHIFT_OK)
            status = make_taps(call, resize, axis, &taps, error);
        if (status == OPSHIFT_OK)
            status = kernel_tensor(call, from->type, resize->rank, dims, &to, error);
        if (status == OPSHIFT_OK)
            status = kernel_work(call, outer * out, STEPS_MOVE, error);
        for (uint64_t row = 0; status == OPSHIFT_OK && row < outer * out; row++)
            kernel_copy(to, row * inner, from,
                        (row / out * (uint64_t)axis->in + (uint64_t)taps.index[row % out]) * inner, inner);
        if (status)
            return status;
        from = to;
    }
    kernel_copy(call->outputs[0], 0, from, 0, from->count);
    return OPSHIFT_OK;
}

/* ---- attributes and inputs ---- */

static void load_modes(const struct kernel_call *call, struct resize *resize)
{
    int64_t antialias = kernel_int(call, ATTRIBUTE_ANTIALIAS), exclude = kernel_int(call, ATTRIBUTE_EXCLUDE_OUTSIDE);
    resize->mode = kernel_choice(call, ATTRIBUTE_MODE);
    resize->places = kernel_choice(call, ATTRIBUTE_COORDINATE_TRANSFORMATION_MODE);
    resize->rounding = kernel_choice(call, ATTRIBUTE_NEAREST_MODE);
    resize->policy = kernel_choice(call, ATTRIBUTE_KEEP_ASPECT_RATIO_POLICY);
    resize->cubic_a = kernel_float(call, ATTRIBUTE_CUBIC_COEFF_A);
    resize->beyond = kernel_float(call, ATTRIBUTE_EXTRAPOLATION_VALUE);
    resize->antialias = antialias != 0;
    resize->exclude_outside = exclude != 0;
}

/* Requires input `position` to have one number per axis. */
static enum opshift_status check_count(const struct kernel_call *call, uint32_t position, uint64_t count,
                                       struct opshift_error *error)
{
    const struct tensor *input = call->inputs[position];
    if (input->rank == 1 && input->count == count)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "input %u of shape %s must have %llu numbers", position,
                        kernel_dims_text(call->arena, input->rank, input->dims), (unsigned long long)count);
}

static enum opshift_status scale_axis(struct resize_axis *axis, float scale, struct opshift_error *error)
{
    float out = floorf((float)axis->in * scale);
    if (!(scale > 0) || !(out <= (float)INT32_MAX))
        return opshift_fail(error, OPSHIFT_MALFORMED, "a scale of %g for %lld elements is not usable", (double)scale,
                            (long long)axis->in);
    axis->scale = scale;
    axis->length = (float)axis->in * scale;
    axis->out = (int64_t)out;
    return OPSHIFT_OK;
}

/* Computes scales from sizes; a keep_aspect_ratio policy makes all scales equal. */
static enum opshift_status size_axes(struct resize *resize, const struct int_list *sizes, const uint32_t *order,
                                     struct opshift_error *error)
{
    float common = 0;
    for (size_t i = 0; i < sizes->count; i++) {
        struct resize_axis *axis = &resize->axes[order[i]];
        if (sizes->values[i] < 0 || sizes->values[i] > INT32_MAX || (axis->in == 0 && sizes->values[i] != 0))
            return opshift_fail(error, OPSHIFT_MALFORMED, "%lld elements cannot become %lld", (long long)axis->in,
                                (long long)sizes->values[i]);
        axis->out = sizes->values[i];
        axis->length = (float)axis->out;
        axis->scale = axis->in == 0 ? 1 : (float)axis->out / (float)axis->in;
        axis->by_size = resize->policy == POLICY_STRETCH;
        bool better = resize->policy == POLICY_NOT_LARGER ? axis->scale < common : axis->scale > common;
        common = i == 0 || better ? axis->scale : common;
    }
    for (size_t i = 0; i < sizes->count && resize->policy != POLICY_STRETCH; i++) {
        struct resize_axis *axis = &resize->axes[order[i]];
        axis->scale = common;
        axis->length = (float)axis->in * common;
        axis->out = (int64_t)floorf((float)axis->in * common + 0.5F);
    }
    return OPSHIFT_OK;
}

/* order: the axes to which scales, sizes and the region apply. */
static enum opshift_status load_order(struct kernel_call *call, uint32_t rank, uint32_t *order, uint64_t *count,
                                      struct opshift_error *error)
{
    struct int_list axes = kernel_ints(call, ATTRIBUTE_AXES);
    bool chosen[TENSOR_RANK_MAX] = {false};
    enum opshift_status status = kernel_axes(&axes, rank, chosen, error);
    *count = axes.present ? axes.count : rank;
    for (uint32_t i = 0; i < *count && status == OPSHIFT_OK; i++)
        order[i] = !axes.present ? i : (uint32_t)(axes.values[i] < 0 ? axes.values[i] + rank : axes.values[i]);
    return status;
}

static enum opshift_status load_region(struct kernel_call *call, struct resize *resize, const uint32_t *order,
                                       uint64_t count, struct opshift_error *error)
{
    double *region = NULL;
    if (resize->places != PLACES_CROP)
        return OPSHIFT_OK;
    if (kernel_input(call, 1) == NULL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "tf_crop_and_resize needs a region of interest as input 1");
    enum opshift_status status = check_count(call, 1, 2 * count, error);
    if (status == OPSHIFT_OK)
        status = reals_load(call, call->inputs[1], &region, error);
    for (uint64_t i = 0; i < count && status == OPSHIFT_OK; i++) {
        resize->axes[order[i]].roi_begin = (float)region[i];
        resize->axes[order[i]].roi_end = (float)region[count + i];
    }
    return status;
}

static enum opshift_status load_scales(struct kernel_call *call, struct resize *resize, uint32_t position,
                                       const uint32_t *order, uint64_t count, struct opshift_error *error)
{
    double *scales = NULL;
    enum opshift_status status = check_count(call, position, count, error);
    if (status == OPSHIFT_OK)
        status = reals_load(call, call->inputs[position], &scales, error);
    for (uint64_t i = 0; i < count && status == OPSHIFT_OK; i++)
        status = scale_axis(&resize->axes[order[i]], (float)scales[i], error);
    return status;
}

static void start_axes(const struct tensor *input, struct resize *resize)
{
    resize->rank = input->rank;
    for (uint32_t i = 0; i < input->rank; i++)
        resize->axes[i] = (struct resize_axis){input->dims[i], input->dims[i], 1, (float)input->dims[i], 0, 1, false};
}

static enum opshift_status run(struct kernel_call *call, struct resize *resize, struct opshift_error *error)
{
    int64_t dims[TENSOR_RANK_MAX];
    for (uint32_t i = 0; i < resize->rank; i++)
        dims[i] = resize->axes[i].out;
    enum opshift_status status = kernel_output(call, 0, call->inputs[0]->type, resize->rank, dims, error);
    if (status || call->outputs[0]->count == 0)
        return status;
    if (resize->mode == RESIZE_NEAREST && resize->places != PLACES_CROP)
        return run_copies(call, resize, error);
    return run_reals(call, resize, error);
}

/* Uses scales, or sizes if scales are absent. */
static enum opshift_status run_resize(struct kernel_call *call, struct opshift_error *error)
{
    struct resize resize = {0};
    uint32_t order[TENSOR_RANK_MAX] = {0};
    uint64_t count = 0;
    struct int_list sizes = {0};
    start_axes(call->inputs[0], &resize);
    load_modes(call, &resize);
    enum opshift_status status = load_order(call, resize.rank, order, &count, error);
    if (status == OPSHIFT_OK)
        status = load_region(call, &resize, order, count, error);
    if (status == OPSHIFT_OK)
        status = kernel_vector(call, kernel_input(call, 3), "the list of sizes", &sizes, error);
    if (status)
        return status;
    bool scaled = kernel_input(call, 2) != NULL && call->inputs[2]->count > 0;
    if (scaled == (sizes.count > 0))
        return opshift_fail(error, OPSHIFT_MALFORMED, "needs either scales or sizes");
    if (scaled)
        status = load_scales(call, &resize, 2, order, count, error);
    else if ((status = check_count(call, 3, count, error)) == OPSHIFT_OK)
        status = size_axes(&resize, &sizes, order, error);
    return status == OPSHIFT_OK ? run(call, &resize, error) : status;
}

/* Resize 10 and Upsample 9 have scales as input 1, Upsample 7 and 1 as attributes. */
static enum opshift_status run_upsample(struct kernel_call *call, unsigned rounding, struct opshift_error *error)
{
    struct resize resize = {.places = PLACES_ASYMMETRIC, .rounding = rounding};
    uint32_t order[TENSOR_RANK_MAX] = {0};
    struct float_list scales = kernel_floats(call, ATTRIBUTE_SCALES);
    const float image[] = {1, 1, kernel_float(call, ATTRIBUTE_HEIGHT_SCALE), kernel_float(call, ATTRIBUTE_WIDTH_SCALE)};
    start_axes(call->inputs[0], &resize);
    for (uint32_t i = 0; i < resize.rank; i++)
        order[i] = i;
    resize.mode = kernel_choice(call, ATTRIBUTE_MODE) == RESIZE_NEAREST ? RESIZE_NEAREST : RESIZE_LINEAR;
    enum opshift_status status = OPSHIFT_OK;
    if (call->operation.opset >= 9)
        status = load_scales(call, &resize, 1, order, resize.rank, error);
    if (call->operation.opset < 7)
        scales = (struct float_list){image, COUNT(image), true};
    if (call->operation.opset < 9 && scales.count != resize.rank)
        return opshift_fail(error, OPSHIFT_MALFORMED, "%zu scales do not fit %u axes", scales.count, resize.rank);
    for (uint32_t i = 0; i < scales.count && status == OPSHIFT_OK; i++)
        status = scale_axis(&resize.axes[i], scales.values[i], error);
    return status == OPSHIFT_OK ? run(call, &resize, error) : status;
}

static enum opshift_status run_resize_10(struct kernel_call *call, struct opshift_error *error)
{
    return run_upsample(call, ROUND_SIMPLE, error);
}

static enum opshift_status run_upsample_1(struct kernel_call *call, struct opshift_error *error)
{
    return run_upsample(call, ROUND_FLOOR, error);
}

const struct kernel kernels_resize[] = {
    {OPERATOR_RESIZE, 10, 10, run_resize_10, {0}},
    {OPERATOR_RESIZE, 11, KERNEL_ANY, run_resize, {0}},
    {OPERATOR_UPSAMPLE, 1, 9, run_upsample_1, {0}},
    {0},
};
