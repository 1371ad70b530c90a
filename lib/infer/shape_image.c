/* Shapes of image operators: depth and space, grid sampling, regions, crops. */
#include "infer/shape.h"

#include <inttypes.h>

/* A dim divided by the block size. */
static int64_t dim_shrunk(int64_t dim, int64_t by)
{
    return dim >= 0 && by > 0 && dim % by == 0 ? dim / by : -1;
}

/* The output of four axes, with the input's batch, and the size and area of a block. NULL: nothing more is known. */
static struct value_type *block_output(struct inference *inference, int64_t *size, int64_t *area)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = shape_output(inference, 0, 4);
    if (output == NULL || data == NULL || data->rank != 4)
        return NULL;
    dim_copy(output, 0, data, 0);
    if (operation_int(&inference->operation, ATTRIBUTE_BLOCKSIZE, size) < SETTING_DEFAULT || *size < 1)
        return NULL;
    *area = dim_times(*size, *size);
    return *area > 0 ? output : NULL;
}

static bool block_check(struct inference *inference, const char *what, int64_t dim, int64_t by)
{
    if (dim < 0 || dim % by == 0)
        return true;
    shape_clash(inference, CLASH_SHAPES, "%" PRId64 " %s do not divide into blocks of %" PRId64 "; correct blocksize",
                dim, what, by);
    return false;
}

void shape_depth_to_space(struct inference *inference)
{
    int64_t size, area;
    struct value_type *output = block_output(inference, &size, &area);
    if (output == NULL)
        return;
    const struct value_type *data = &inference->inputs[0];
    if (!block_check(inference, "channels", data->dims[1], area))
        return;
    dim_set(output, 1, dim_shrunk(data->dims[1], area));
    dim_set(output, 2, dim_times(data->dims[2], size));
    dim_set(output, 3, dim_times(data->dims[3], size));
}

void shape_space_to_depth(struct inference *inference)
{
    int64_t size, area;
    struct value_type *output = block_output(inference, &size, &area);
    if (output == NULL)
        return;
    const struct value_type *data = &inference->inputs[0];
    if (!block_check(inference, "rows", data->dims[2], size) || !block_check(inference, "columns", data->dims[3], size))
        return;
    dim_set(output, 1, dim_times(data->dims[1], area));
    dim_set(output, 2, dim_shrunk(data->dims[2], size));
    dim_set(output, 3, dim_shrunk(data->dims[3], size));
}

/* False: the grid has not a coordinate for each spatial axis. */
static bool grid_check(struct inference *inference, const struct value_type *data, const struct value_type *grid)
{
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    if (grid == NULL)
        return true;
    int64_t axes = (data ? data->rank : grid->rank) - 2;
    if ((data == NULL || data->rank == grid->rank) && !dims_clash(grid->dims[grid->rank - 1], axes))
        return true;
    shape_clash(inference, CLASH_SHAPES,
                "the input has the shape %s and the grid %s; it must have as many axes, and %" PRId64
                " coordinates in the last one",
                data ? shape_text(data, one) : "an unknown one", shape_text(grid, other), axes);
    return false;
}

/* The grid is [batch, axes..., coordinates]. */
void shape_grid_sample(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0), *grid = input_ranked(inference, 1);
    const struct value_type *known = data != NULL ? data : grid;
    if (known == NULL || known->rank < 3)
        return;
    if (!grid_check(inference, data, grid))
        return;
    size_t rank = (size_t)known->rank;
    struct value_type *output = shape_output(inference, 0, rank);
    if (output && data) {
        dim_copy(output, 0, data, 0);
        dim_copy(output, 1, data, 1);
    }
    if (output == NULL || grid == NULL || grid->rank != known->rank)
        return;
    if (output->dims[0] < 0)
        dim_copy(output, 0, grid, 0);
    for (size_t i = 2; i < rank; i++)
        dim_copy(output, i, grid, i - 1);
}

/* False: the size is of no image, or theta is for another number of axes. */
static bool affine_check(struct inference *inference, const struct known *size, int64_t count)
{
    if (count >= 0 && count != 4 && count != 5)
        shape_clash(inference, CLASH_SHAPES, "the size has %" PRId64 " numbers; it must have 4 or 5", count);
    for (uint32_t i = 0; size && i < size->count && inference->clash_count == 0; i++)
        if (known_symbol(size, i) == NAME_NONE && size->numbers[i] < 0)
            shape_clash(inference, CLASH_SHAPES, "the size has %" PRId64 " at position %u; it must be 0 or more",
                        size->numbers[i], i);
    return inference->clash_count == 0 && dim_fits(inference, 0, 1, count < 0 ? -1 : count - 2) &&
           dim_fits(inference, 0, 2, count < 0 ? -1 : count - 1);
}

/* size is [N, C, H, W] or [N, C, D, H, W]; the grid has coordinates instead of channels. */
void shape_affine_grid(struct inference *inference)
{
    const struct value_type *theta = input_ranked(inference, 0), *given = input_ranked(inference, 1);
    const struct known *size = input_sizes(inference, 1);
    int64_t count = size ? size->count : given && given->rank == 1 ? given->dims[0] : -1;
    bool from_theta = count < 0 && theta && theta->rank == 3 && theta->dims[1] > 0;
    if (from_theta)
        count = theta->dims[1] + 2;
    inference->rank_follows_dims = size == NULL;
    if (!affine_check(inference, size, count))
        return;
    struct value_type *output = count == 4 || count == 5 ? shape_output(inference, 0, (size_t)count) : NULL;
    if (output == NULL)
        return;
    for (size_t i = 1; size && i + 1 < size->count; i++)
        dim_from_known(output, i, size, i + 1);
    if (size)
        dim_from_known(output, 0, size, 0);
    else if (theta && theta->rank == 3)
        dim_copy(output, 0, theta, 0);
    dim_set(output, (size_t)count - 1, count - 2);
}

/* Regions are [count, coordinates]; all channels are pooled for each. */
static struct value_type *regions_output(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0), *regions = input_ranked(inference, 1);
    struct value_type *output = shape_output(inference, 0, 4);
    if (output && regions && regions->rank == 2)
        dim_copy(output, 0, regions, 0);
    if (output && data && data->rank == 4)
        dim_copy(output, 1, data, 1);
    return output;
}

void shape_roi_align(struct inference *inference)
{
    struct value_type *output = regions_output(inference);
    const struct value_type *batches = input_ranked(inference, 2);
    int64_t height, width;
    if (output == NULL)
        return;
    if (output->dims[0] < 0 && batches && batches->rank == 1)
        dim_copy(output, 0, batches, 0);
    if (operation_int(&inference->operation, ATTRIBUTE_OUTPUT_HEIGHT, &height))
        dim_set(output, 2, height);
    if (operation_int(&inference->operation, ATTRIBUTE_OUTPUT_WIDTH, &width))
        dim_set(output, 3, width);
}

void shape_max_roi_pool(struct inference *inference)
{
    struct value_type *output = regions_output(inference);
    const int64_t *pooled;
    size_t count;
    if (output && attribute_ints(inference, ATTRIBUTE_POOLED_SHAPE, &pooled, &count) >= SETTING_DEFAULT && count == 2) {
        dim_set(output, 2, pooled[0]);
        dim_set(output, 3, pooled[1]);
    }
}

void shape_center_crop_pad(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    const struct known *sizes = input_sizes(inference, 1);
    const int64_t *axes = NULL;
    size_t count = 0, axis;
    if (data == NULL || !shape_new(inference, &inference->outputs[0], (size_t)data->rank))
        return;
    struct value_type *output = &inference->outputs[0];
    enum setting_state answer = attribute_ints(inference, ATTRIBUTE_AXES, &axes, &count);
    bool marked[TENSOR_RANK_MAX];
    if (answer == SETTING_UNKNOWN ||
        (answer >= SETTING_DEFAULT && !axes_check(inference, axes, count, data->rank, marked)))
        return;
    count = answer >= SETTING_DEFAULT ? count : (size_t)data->rank;
    for (size_t i = 0; answer >= SETTING_DEFAULT && i < (size_t)data->rank; i++)
        if (!marked[i])
            dim_copy(output, i, data, i);
    if (sizes && sizes->count != count) {
        shape_clash(inference, CLASH_SHAPES, "shape has %u numbers, and there are %zu axes; give one for each",
                    sizes->count, count);
        return;
    }
    for (size_t i = 0; sizes && i < count; i++)
        if (axis_resolve(axes != NULL ? axes[i] : (int64_t)i, (size_t)data->rank, &axis))
            dim_from_known(output, axis, sizes, i);
}

/* [height, width, channels] */
void shape_image_decoder(struct inference *inference)
{
    struct value_type *output = shape_output(inference, 0, 3);
    struct bytes format;
    enum setting_state answer = operation_text(&inference->operation, ATTRIBUTE_PIXEL_FORMAT, &format);
    if (output && answer != SETTING_UNKNOWN)
        dim_set(output, 2, answer >= SETTING_DEFAULT && bytes_are(format, "Grayscale") ? 1 : 3);
}
