/* Operators on images: GridSample, AffineGrid, CenterCropPad, DepthToSpace, SpaceToDepth. */
#include <math.h>

#include "kernel/reals.h"
#include "kernel/walk.h"

/* ---- GridSample (16, 20, 22) ---- */

#define GRID_AXES_MAX 8
#define GRID_TAPS_MAX 4
#define GRID_CUBIC_A  (-0.75)
/* Coordinates beyond this are outside any image. */
#define GRID_FAR 1e15

enum grid_mode { GRID_LINEAR, GRID_NEAREST, GRID_CUBIC };
enum grid_padding { GRID_ZEROS, GRID_BORDER, GRID_REFLECTION };

struct grid {
    uint32_t axes;
    unsigned mode, padding;
    bool align, narrow; /* narrow: coordinates are computed in float */
    const int64_t *sizes;
    uint64_t plane, points; /* elements per channel, points per sample */
    double *x, *places;
};

/* The input elements along one axis that contribute to a point; -1: zero. */
struct grid_taps {
    uint32_t count;
    int64_t index[GRID_TAPS_MAX];
    double weight[GRID_TAPS_MAX];
};

static double grid_place(const struct grid *grid, double normal, int64_t size)
{
    double place;
    if (grid->narrow && grid->align)
        place = (double)(((float)normal + 1) / 2 * (float)(size - 1));
    else if (grid->narrow)
        place = (double)((((float)normal + 1) * (float)size - 1) / 2);
    else
        place = grid->align ? (normal + 1) / 2 * (double)(size - 1) : ((normal + 1) * (double)size - 1) / 2;
    return isnan(place) ? -GRID_FAR : fmax(-GRID_FAR, fmin(GRID_FAR, place));
}

static int64_t grid_index(const struct grid *grid, double place, int64_t size)
{
    double least = grid->align ? 0 : -0.5, range = (double)size - (grid->align ? 1 : 0);
    if (place >= 0 && place <= (double)(size - 1))
        return (int64_t)place;
    if (grid->padding == GRID_ZEROS)
        return -1;
    if (grid->padding == GRID_BORDER || range <= 0)
        return place < 0 ? 0 : size - 1;
    double beyond = fmod(fabs(place - least), 2 * range);
    double reflected = least + (beyond > range ? 2 * range - beyond : beyond);
    return (int64_t)fmax(0, fmin((double)(size - 1), reflected));
}

static void grid_taps(const struct grid *grid, double normal, int64_t size, struct grid_taps *taps)
{
    double place = grid_place(grid, normal, size), first = floor(place);
    taps->count = grid->mode == GRID_NEAREST ? 1 : grid->mode == GRID_LINEAR ? 2 : 4;
    if (grid->mode == GRID_NEAREST)
        first = nearbyint(place);
    if (grid->mode == GRID_CUBIC)
        first -= 1;
    for (uint32_t i = 0; i < taps->count; i++) {
        double distance = fabs(place - (first + i));
        taps->index[i] = grid_index(grid, first + i, size);
        taps->weight[i] = grid->mode == GRID_NEAREST  ? 1
                          : grid->mode == GRID_LINEAR ? 1 - distance
                                                      : reals_cubic(distance, GRID_CUBIC_A);
    }
}

/* The sum over all combinations of taps, last axis fastest. */
static double grid_sum(const struct grid *grid, const struct grid_taps *taps, const double *plane)
{
    uint32_t chosen[GRID_AXES_MAX] = {0};
    double sum = 0;
    for (;;) {
        double weight = 1;
        int64_t at = 0;
        uint32_t axis = grid->axes;
        for (uint32_t i = 0; i < grid->axes; i++) {
            int64_t index = taps[i].index[chosen[i]];
            weight *= taps[i].weight[chosen[i]];
            at = at < 0 || index < 0 ? -1 : at * grid->sizes[i] + index;
        }
        if (at >= 0 && weight != 0)
            sum += weight * plane[at];
        while (axis > 0 && ++chosen[axis - 1] == taps[axis - 1].count)
            chosen[--axis] = 0;
        if (axis == 0)
            return sum;
    }
}

static void grid_sample(struct kernel_call *call, const struct grid *grid)
{
    uint64_t channels = (uint64_t)call->inputs[0]->dims[1], samples = (uint64_t)call->inputs[0]->dims[0];
    struct grid_taps taps[GRID_AXES_MAX];
    for (uint64_t at = 0; at < samples * grid->points; at++) {
        uint64_t sample = at / grid->points, point = at % grid->points;
        const double *place = grid->places + at * grid->axes;
        for (uint32_t i = 0; i < grid->axes; i++)
            grid_taps(grid, place[grid->axes - 1 - i], grid->sizes[i], &taps[i]);
        for (uint64_t c = 0; c < channels; c++) {
            double value = grid_sum(grid, taps, grid->x + (sample * channels + c) * grid->plane);
            reals_store(call->outputs[0], (sample * channels + c) * grid->points + point, &value, 1);
        }
    }
}

static void grid_settings(const struct kernel_call *call, struct grid *grid)
{
    grid->mode = kernel_choice(call, ATTRIBUTE_MODE);
    grid->padding = kernel_choice(call, ATTRIBUTE_PADDING_MODE);
    grid->align = kernel_int(call, ATTRIBUTE_ALIGN_CORNERS) != 0;
}

static enum opshift_status grid_shapes(struct kernel_call *call, struct grid *grid, int64_t *dims,
                                       struct opshift_error *error)
{
    const struct tensor *x = call->inputs[0], *places = call->inputs[1];
    enum opshift_status status = kernel_rank(call, 0, call->operation.opset < 20 ? 4 : 3,
                                             call->operation.opset < 20 ? 4 : GRID_AXES_MAX + 2, error);
    if (status)
        return status;
    grid->axes = x->rank - 2;
    grid->sizes = x->dims + 2;
    grid->plane = grid->points = 1;
    bool fits = places->rank == x->rank && places->dims[0] == x->dims[0] && places->dims[x->rank - 1] == grid->axes;
    for (uint32_t i = 2; i < x->rank && fits; i++) {
        dims[i] = places->dims[i - 1];
        grid->plane *= (uint64_t)x->dims[i];
        grid->points *= (uint64_t)dims[i];
    }
    if (!fits)
        return opshift_fail(error, OPSHIFT_MALFORMED, "a grid of shape %s does not fit an input of shape %s",
                            kernel_dims_text(call->arena, places->rank, places->dims),
                            kernel_dims_text(call->arena, x->rank, x->dims));
    dims[0] = x->dims[0];
    dims[1] = x->dims[1];
    return OPSHIFT_OK;
}

static enum opshift_status run_grid_sample(struct kernel_call *call, struct opshift_error *error)
{
    struct grid grid = {0};
    double **const loaded[] = {&grid.x, &grid.places};
    int64_t dims[GRID_AXES_MAX + 2];
    enum opshift_status status = grid_shapes(call, &grid, dims, error);
    grid_settings(call, &grid);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, call->inputs[0]->type, grid.axes + 2, dims, error);
    if (status == OPSHIFT_OK && grid.plane == 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "an image without elements cannot be sampled");
    if (status || call->outputs[0]->count == 0)
        return status;
    grid.narrow = call->inputs[1]->type == OPSHIFT_TYPE_FLOAT;
    uint64_t taps = grid.mode == GRID_NEAREST ? 1 : UINT64_C(1) << (grid.axes * (grid.mode == GRID_LINEAR ? 1 : 2));
    status = kernel_work(call, call->outputs[0]->count, STEPS_CURVE + taps * STEPS_COMPUTE, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->inputs[1]->count, 2 * (uint64_t)STEPS_CURVE, error);
    if (status == OPSHIFT_OK)
        status = reals_inputs(call, loaded, COUNT(loaded), error);
    if (status == OPSHIFT_OK)
        grid_sample(call, &grid);
    return status;
}

/* ---- AffineGrid (20): the source coordinates of each output position ---- */

static double affine_place(bool align, int64_t index, int64_t size)
{
    if (align)
        return size == 1 ? 1 : 2 * (double)index / (double)(size - 1) - 1;
    return (2 * (double)index + 1) / (double)size - 1;
}

static enum opshift_status affine_shape(struct kernel_call *call, uint32_t *axes, int64_t *dims,
                                        struct opshift_error *error)
{
    struct int_list size = {0};
    enum opshift_status status = kernel_sizes(call, 1, "the size", &size, error);
    if (status)
        return status;
    if (size.count != 4 && size.count != 5)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the size has %zu elements, must have 4 or 5", size.count);
    *axes = (uint32_t)size.count - 2;
    const int64_t theta[] = {size.values[0], *axes, *axes + 1};
    for (size_t i = 0; i < size.count; i++)
        if (size.values[i] == 0 && call->defined)
            return opshift_fail(error, OPSHIFT_UNSUPPORTED, "a grid of no elements is not defined");
    dims[0] = size.values[0];
    for (uint32_t i = 0; i < *axes; i++)
        dims[1 + i] = size.values[2 + i];
    dims[1 + *axes] = *axes;
    return kernel_shape(call, 0, 3, theta, error);
}

static enum opshift_status run_affine_grid(struct kernel_call *call, struct opshift_error *error)
{
    int64_t align = kernel_int(call, ATTRIBUTE_ALIGN_CORNERS), dims[5] = {0};
    uint32_t axes = 0;
    double *theta = NULL;
    struct walk walk;
    enum opshift_status status = affine_shape(call, &axes, dims, error);
    if (status == OPSHIFT_OK)
        status = reals_load(call, call->inputs[0], &theta, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, call->inputs[0]->type, axes + 2, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->outputs[0]->count, STEPS_CURVE, error);
    if (status)
        return status;
    walk_start(&walk, axes + 2, dims);
    for (uint64_t i = 0; i < call->outputs[0]->count; i++, walk_next(&walk)) {
        const double *row = theta + (walk.index[0] * axes + walk.index[axes + 1]) * (axes + 1);
        double sum = row[axes];
        for (uint32_t k = 0; k < axes; k++)
            sum += row[k] * affine_place(align != 0, walk.index[axes - k], dims[axes - k]);
        reals_store(call->outputs[0], i, &sum, 1);
    }
    return OPSHIFT_OK;
}

/* ---- CenterCropPad (18): crops the middle of an axis, or pads it with zeros ---- */

static enum opshift_status crop_shape(struct kernel_call *call, int64_t *dims, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    struct int_list axes = kernel_ints(call, ATTRIBUTE_AXES), shape = {0};
    bool chosen[TENSOR_RANK_MAX] = {false};
    enum opshift_status status = kernel_axes(&axes, input->rank, chosen, error);
    if (status == OPSHIFT_OK)
        status = kernel_sizes(call, 1, "the shape", &shape, error);
    if (status)
        return status;
    size_t count = axes.present ? axes.count : input->rank;
    if (shape.count != count)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the shape has %zu elements, must have %zu", shape.count, count);
    for (uint32_t i = 0; i < input->rank; i++)
        dims[i] = input->dims[i];
    for (size_t i = 0; i < count; i++) {
        uint32_t place = (uint32_t)i;
        if (axes.present)
            place = (uint32_t)(axes.values[i] < 0 ? axes.values[i] + input->rank : axes.values[i]);
        if (shape.values[i] > INT32_MAX)
            return opshift_fail(error, OPSHIFT_UNSUPPORTED, "element %zu of the shape is %lld, which is too large", i,
                                (long long)shape.values[i]);
        dims[place] = shape.values[i];
    }
    return OPSHIFT_OK;
}

static enum opshift_status run_center_crop_pad(struct kernel_call *call, struct opshift_error *error)
{
    int64_t dims[TENSOR_RANK_MAX], shared[TENSOR_RANK_MAX], from_strides[TENSOR_RANK_MAX], to_strides[TENSOR_RANK_MAX];
    int64_t from = 0, to = 0;
    uint64_t count = 1;
    struct walk walk;
    enum opshift_status status = crop_shape(call, dims, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    status = kernel_output(call, 0, input->type, input->rank, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->outputs[0]->count, STEPS_MOVE, error);
    if (status || input->count == 0 || call->outputs[0]->count == 0)
        return status;
    walk_strides(input->rank, input->dims, from_strides);
    walk_strides(input->rank, dims, to_strides);
    for (uint32_t i = 0; i < input->rank; i++) {
        shared[i] = dims[i] < input->dims[i] ? dims[i] : input->dims[i];
        from += (input->dims[i] - shared[i]) / 2 * from_strides[i];
        to += (dims[i] - shared[i]) / 2 * to_strides[i];
        count *= (uint64_t)shared[i];
    }
    walk_start(&walk, input->rank, shared);
    for (uint32_t i = 0; i < input->rank; i++) {
        walk.strides[0][i] = from_strides[i];
        walk.strides[1][i] = to_strides[i];
    }
    for (uint64_t i = 0; i < count; i++, walk_next(&walk))
        kernel_copy(call->outputs[0], (uint64_t)(to + walk.at[1]), input, (uint64_t)(from + walk.at[0]), 1);
    return OPSHIFT_OK;
}

/* ---- DepthToSpace (1, 11, 13), SpaceToDepth (1, 13): blocks of pixels become channels and back ---- */

#define BLOCK_MAX INT16_MAX

/* Transposes the input, reshaped to 6 axes, with this permutation. */
static enum opshift_status permute_six(struct kernel_call *call, const int64_t *six, const uint32_t *order,
                                       const int64_t *dims, struct opshift_error *error)
{
    int64_t strides[6], ordered[6];
    struct walk walk;
    enum opshift_status status = kernel_output(call, 0, call->inputs[0]->type, 4, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->inputs[0]->count, STEPS_MOVE, error);
    if (status)
        return status;
    walk_strides(6, six, strides);
    for (uint32_t i = 0; i < 6; i++)
        ordered[i] = six[order[i]];
    walk_start(&walk, 6, ordered);
    for (uint32_t i = 0; i < 6; i++)
        walk.strides[0][i] = strides[order[i]];
    for (uint64_t i = 0; i < call->outputs[0]->count; i++, walk_next(&walk))
        kernel_copy(call->outputs[0], i, call->inputs[0], (uint64_t)walk.at[0], 1);
    return OPSHIFT_OK;
}

static enum opshift_status find_block(struct kernel_call *call, int64_t *block, struct opshift_error *error)
{
    enum opshift_status status = kernel_rank(call, 0, 4, 4, error);
    *block = kernel_int(call, ATTRIBUTE_BLOCKSIZE);
    if (status == OPSHIFT_OK && *block > BLOCK_MAX)
        status = opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'blocksize' is %lld, must be at most %d",
                              (long long)*block, BLOCK_MAX);
    for (uint32_t i = 1; status == OPSHIFT_OK && i < 4; i++)
        if (call->inputs[0]->dims[i] > INT32_MAX)
            return opshift_fail(error, OPSHIFT_UNSUPPORTED, "an axis of %lld elements is too long",
                                (long long)call->inputs[0]->dims[i]);
    return status;
}

static enum opshift_status run_depth_to_space(struct kernel_call *call, struct opshift_error *error)
{
    enum { DEPTH_FIRST };
    static const uint32_t depth_first[] = {0, 3, 4, 1, 5, 2}, column_first[] = {0, 1, 4, 2, 5, 3};
    int64_t block = 0;
    bool by_depth = kernel_choice(call, ATTRIBUTE_MODE) == DEPTH_FIRST;
    enum opshift_status status = find_block(call, &block, error);
    if (status)
        return status;
    const int64_t *in = call->inputs[0]->dims;
    if (in[1] % (block * block) != 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "%lld channels do not make blocks of %lld times %lld",
                            (long long)in[1], (long long)block, (long long)block);
    int64_t deep = in[1] / (block * block);
    const int64_t dims[] = {in[0], deep, in[2] * block, in[3] * block};
    const int64_t depth[] = {in[0], block, block, deep, in[2], in[3]};
    const int64_t column[] = {in[0], deep, block, block, in[2], in[3]};
    return permute_six(call, by_depth ? depth : column, by_depth ? depth_first : column_first, dims, error);
}

static enum opshift_status run_space_to_depth(struct kernel_call *call, struct opshift_error *error)
{
    static const uint32_t order[] = {0, 3, 5, 1, 2, 4};
    int64_t block = 0;
    enum opshift_status status = find_block(call, &block, error);
    if (status)
        return status;
    const int64_t *in = call->inputs[0]->dims;
    if (in[2] % block != 0 || in[3] % block != 0)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "an image of %lld times %lld does not make blocks of %lld times %lld", (long long)in[2],
                            (long long)in[3], (long long)block, (long long)block);
    const int64_t six[] = {in[0], in[1], in[2] / block, block, in[3] / block, block};
    const int64_t dims[] = {in[0], in[1] * block * block, in[2] / block, in[3] / block};
    return permute_six(call, six, order, dims, error);
}

const struct kernel kernels_image[] = {
    {OPERATOR_AFFINE_GRID, 20, KERNEL_ANY, run_affine_grid, {0}},
    {OPERATOR_CENTER_CROP_PAD, 18, KERNEL_ANY, run_center_crop_pad, {0}},
    {OPERATOR_DEPTH_TO_SPACE, 1, KERNEL_ANY, run_depth_to_space, {0}},
    {OPERATOR_GRID_SAMPLE, 16, KERNEL_ANY, run_grid_sample, {0}},
    {OPERATOR_SPACE_TO_DEPTH, 1, KERNEL_ANY, run_space_to_depth, {0}},
    {0},
};
