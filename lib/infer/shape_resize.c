/* Shapes of Resize and Upsample: from scales or sizes. */
#include <inttypes.h>
#include <math.h>

#include "infer/shape.h"

/* A scale or a size for each axis. */
struct resizing {
    double *scales; /* NULL: sizes */
    const struct known *sizes;
    size_t count;
};

/* The numbers of a float constant; NULL: unknown or empty. */
static double *input_scales(struct inference *inference, uint32_t position, size_t *count)
{
    const struct known *known = input_known(inference, position);
    if (known == NULL || !known_is_real(known) || known->symbols || known->rank != 1 || known->count == 0)
        return NULL;
    double *scales = inference_alloc(inference, known->count, sizeof(*scales));
    for (uint32_t i = 0; scales && i < known->count; i++)
        scales[i] = real_of(known->numbers[i]);
    *count = known->count;
    return scales;
}

static double *attribute_scales(struct inference *inference, size_t *count)
{
    struct float_list list;
    if (operation_floats(&inference->operation, ATTRIBUTE_SCALES, &list) < SETTING_DEFAULT)
        return NULL;
    *count = list.count;
    double *scales = inference_alloc(inference, *count, sizeof(*scales));
    for (size_t i = 0; scales && i < *count; i++)
        scales[i] = (double)list.values[i];
    return scales;
}

/* Upsample-1 has attributes for height and width. */
static double *plane_scales(struct inference *inference, size_t *count)
{
    double *scales = inference_alloc(inference, 4, sizeof(*scales));
    float height, width;
    if (scales == NULL || operation_float(&inference->operation, ATTRIBUTE_HEIGHT_SCALE, &height) < SETTING_DEFAULT ||
        operation_float(&inference->operation, ATTRIBUTE_WIDTH_SCALE, &width) < SETTING_DEFAULT)
        return NULL;
    scales[0] = scales[1] = 1;
    scales[2] = (double)height;
    scales[3] = (double)width;
    *count = 4;
    return scales;
}

/* Known only where float and double computation agree, as runtimes use either. */
static int64_t dim_scaled(int64_t dim, double scale)
{
    double exact = floor((double)dim * scale), rounded = (double)floorf((float)dim * (float)scale);
    bool sound = dim >= 0 && exact >= 0 && exact < 9e18; /* false for NaN */
    return sound && exact == rounded ? (int64_t)exact : -1;
}

static int64_t dim_rounded(int64_t dim, double scale)
{
    double exact = floor((double)dim * scale + 0.5), rounded = (double)roundf((float)dim * (float)scale);
    bool sound = dim >= 0 && exact >= 0 && exact < 9e18;
    return sound && exact == rounded ? (int64_t)exact : -1;
}

/* The common scale that keeps the aspect ratio; NAN: unknown. */
static double common_scale(const struct value_type *data, const struct resizing *resizing, const size_t *axes,
                           bool largest)
{
    double scale = NAN;
    for (size_t i = 0; i < resizing->count; i++) {
        int64_t dim = data->dims[axes[i]];
        if (dim < 1 || known_symbol(resizing->sizes, i) != NAME_NONE)
            return NAN;
        double own = (double)resizing->sizes->numbers[i] / (double)dim;
        scale = i == 0 || (largest ? own > scale : own < scale) ? own : scale;
    }
    return scale;
}

static void sizes_apply(struct inference *inference, const struct value_type *data, const struct resizing *resizing,
                        const size_t *axes, struct value_type *output)
{
    struct bytes policy = {0};
    enum setting_state answer = operation_text(&inference->operation, ATTRIBUTE_KEEP_ASPECT_RATIO_POLICY, &policy);
    bool stretch = answer == SETTING_ABSENT || (answer >= SETTING_DEFAULT && bytes_are(policy, "stretch"));
    double scale = NAN;
    if (!stretch && answer >= SETTING_DEFAULT)
        scale = common_scale(data, resizing, axes, bytes_are(policy, "not_smaller"));
    for (size_t i = 0; i < resizing->count; i++) {
        if (stretch)
            dim_from_known(output, axes[i], resizing->sizes, i);
        else
            dim_set(output, axes[i], isnan(scale) ? -1 : dim_rounded(data->dims[axes[i]], scale));
    }
}

static void scales_apply(struct inference *inference, const struct value_type *data, const struct resizing *resizing,
                         const size_t *axes, struct value_type *output)
{
    struct bytes mode;
    enum setting_state answer = operation_text(&inference->operation, ATTRIBUTE_COORDINATE_TRANSFORMATION_MODE, &mode);
    /* The specification can be read in two ways on whether the region affects the size. */
    bool cropped = answer == SETTING_UNKNOWN || (answer >= SETTING_DEFAULT && bytes_are(mode, "tf_crop_and_resize"));
    for (size_t i = 0; i < resizing->count; i++) {
        if (resizing->scales[i] == 1 && !cropped)
            dim_copy(output, axes[i], data, axes[i]);
        else
            dim_set(output, axes[i], cropped ? -1 : dim_scaled(data->dims[axes[i]], resizing->scales[i]));
    }
}

/* False: unknown or invalid. */
static bool axes_read(struct inference *inference, size_t rank, const struct resizing *resizing, size_t *axes)
{
    const int64_t *numbers = NULL;
    size_t count = rank;
    bool marked[TENSOR_RANK_MAX];
    enum setting_state answer = attribute_ints(inference, ATTRIBUTE_AXES, &numbers, &count);
    if (answer != SETTING_UNKNOWN && count != resizing->count) {
        shape_clash(inference, CLASH_SHAPES, "%s has %zu numbers, and there are %zu axes; give one for each",
                    resizing->sizes ? "sizes" : "scales", resizing->count, count);
        return false;
    }
    if (answer == SETTING_UNKNOWN || count > rank ||
        (answer >= SETTING_DEFAULT && !axes_check(inference, numbers, count, (int64_t)rank, marked)))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!axis_resolve(answer >= SETTING_DEFAULT ? numbers[i] : (int64_t)i, rank, &axes[i]))
            return false;
    return true;
}

static void resize(struct inference *inference, const struct value_type *data, const struct resizing *resizing)
{
    size_t axes[TENSOR_RANK_MAX] = {0}, rank = (size_t)data->rank;
    struct value_type *output = shape_output(inference, 0, rank);
    if (output == NULL || (!resizing->scales && !resizing->sizes) || !axes_read(inference, rank, resizing, axes))
        return;
    for (size_t i = 0; i < rank; i++)
        dim_copy(output, i, data, i);
    if (resizing->scales)
        scales_apply(inference, data, resizing, axes, output);
    else
        sizes_apply(inference, data, resizing, axes, output);
}

static bool crops(struct inference *inference)
{
    struct bytes mode;
    return operation_text(&inference->operation, ATTRIBUTE_COORDINATE_TRANSFORMATION_MODE, &mode) >= SETTING_DEFAULT &&
           bytes_are(mode, "tf_crop_and_resize");
}

/* False: both scales and sizes are given, or neither, or they are as long as no input. An empty one is none. */
static bool resize_check(struct inference *inference, const struct value_type *data)
{
    uint32_t given = 0, unknown = 0;
    int64_t count = -1;
    const struct value_type *roi = input_peek(inference, 1);
    for (uint32_t i = 2; i < 4; i++) {
        const struct value_type *list = input_peek(inference, i);
        int64_t length = list && list->rank == 1 ? list->dims[0] : -1;
        unknown += inference_has_input(inference, i) && length < 0;
        given += length > 0;
        count = length > 0 ? length : count;
    }
    if (given == 2 || given + unknown == 0)
        shape_clash(inference, CLASH_SHAPES,
                    given ? "both scales and sizes are given; give one of them"
                          : "neither scales nor sizes are given; give one of them");
    else if (given == 1 && data && !operation_gives(&inference->operation, ATTRIBUTE_AXES) && count != data->rank)
        shape_clash(inference, CLASH_SHAPES,
                    "the list of scales or sizes has %" PRId64 " numbers, and the input has %d axes; give one for each",
                    count, data->rank);
    else if (crops(inference) && (!inference_has_input(inference, 1) || (roi && roi->rank == 1 && roi->dims[0] == 0)))
        shape_clash(inference, CLASH_SHAPES, "tf_crop_and_resize needs the input 'roi', the region; give it");
    return inference->clash_count == 0;
}

void shape_resize(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct resizing resizing = {0};
    if ((inference->operation.schema->since >= 11 && !resize_check(inference, data)) || data == NULL)
        return;
    if (inference->operation.schema->since < 11) {
        resizing.scales = input_scales(inference, 1, &resizing.count);
    } else {
        resizing.sizes = input_sizes(inference, 3);
        if (resizing.sizes && resizing.sizes->count > 0)
            resizing.count = resizing.sizes->count;
        else
            resizing.scales = input_scales(inference, 2, &resizing.count);
    }
    resize(inference, data, &resizing);
}

void shape_upsample(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct resizing resizing = {0};
    if (data == NULL)
        return;
    if (inference->operation.schema->since >= 9)
        resizing.scales = input_scales(inference, 1, &resizing.count);
    else if (inference->operation.schema->since >= 7)
        resizing.scales = attribute_scales(inference, &resizing.count);
    else
        resizing.scales = plane_scales(inference, &resizing.count);
    resize(inference, data, &resizing);
}
