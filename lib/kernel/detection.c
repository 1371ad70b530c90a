/* Operators for object detection: NonMaxSuppression and pooling of regions. */
#include <math.h>
#include <stdlib.h>

#include "kernel/reals.h"

/* ---- NonMaxSuppression (10, 11) ---- */

struct candidate {
    float score;
    uint64_t box;
};

struct box_suppression {
    uint64_t batches, classes, boxes;
    double *corners, *scores; /* corners: four per box */
    int64_t most;             /* maximum number of boxes per class */
    float overlap, least;
    bool has_least, by_center;
    struct candidate *candidates;
    int64_t *kept; /* batch, class, box */
    uint64_t kept_count, kept_room;
};

static int by_score(const void *a, const void *b)
{
    const struct candidate *left = a, *right = b;
    if (left->score != right->score)
        return left->score < right->score ? 1 : -1;
    return (left->box > right->box) - (left->box < right->box);
}

/* The box's corners in ascending order, from either format. */
static void box_corners(const struct box_suppression *all, const double *box, float *corners)
{
    for (int i = 0; i < 2; i++) {
        float a = (float)box[i], b = (float)box[i + 2];
        float low = all->by_center ? a - b / 2 : fminf(a, b), high = all->by_center ? a + b / 2 : fmaxf(a, b);
        corners[i] = low;
        corners[i + 2] = high;
    }
}

static bool overlaps(const struct box_suppression *all, const double *first, const double *second)
{
    float a[4], b[4], shared = 1, area_a = 1, area_b = 1;
    box_corners(all, first, a);
    box_corners(all, second, b);
    for (int i = 0; i < 2; i++) {
        float side = fminf(a[i + 2], b[i + 2]) - fmaxf(a[i], b[i]);
        if (!(side > 0))
            return false;
        shared *= side;
        area_a *= a[i + 2] - a[i];
        area_b *= b[i + 2] - b[i];
    }
    return area_a > 0 && area_b > 0 && shared / (area_a + area_b - shared) > all->overlap;
}

static enum opshift_status load_limits(struct kernel_call *call, struct box_suppression *all,
                                       struct opshift_error *error)
{
    int64_t by_center = kernel_int(call, ATTRIBUTE_CENTER_POINT_BOX);
    double most = 0, overlap = 0, least = 0;
    enum opshift_status status = kernel_number(call, 2, &most, error);
    if (status == OPSHIFT_OK)
        status = kernel_number(call, 3, &overlap, error);
    if (status == OPSHIFT_OK)
        status = kernel_number(call, 4, &least, error);
    if (status == OPSHIFT_OK && !(overlap >= 0 && overlap <= 1))
        status = opshift_fail(error, OPSHIFT_MALFORMED, "the threshold %g of overlap is not from 0 to 1", overlap);
    all->by_center = by_center != 0;
    all->most = most > (double)INT32_MAX ? INT32_MAX : most > 0 ? (int64_t)most : 0;
    all->overlap = (float)overlap;
    all->least = (float)least;
    all->has_least = kernel_input(call, 4) != NULL;
    return status;
}

static enum opshift_status load_boxes(struct kernel_call *call, struct box_suppression *all,
                                      struct opshift_error *error)
{
    enum opshift_status status = kernel_rank(call, 0, 3, 3, error);
    if (status == OPSHIFT_OK)
        status = kernel_rank(call, 1, 3, 3, error);
    if (status)
        return status;
    const int64_t *scores = call->inputs[1]->dims;
    const int64_t boxes[] = {scores[0], scores[2], 4};
    all->batches = (uint64_t)scores[0];
    all->classes = (uint64_t)scores[1];
    all->boxes = (uint64_t)scores[2];
    status = kernel_shape(call, 0, 3, boxes, error);
    if (status == OPSHIFT_OK)
        status = reals_inputs(call, (double **const[]){&all->corners, &all->scores}, 2, error);
    if (status)
        return status;
    all->candidates = arena_alloc(call->arena, all->boxes + 1, sizeof(*all->candidates));
    return all->candidates == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

static enum opshift_status keep_box(struct kernel_call *call, struct box_suppression *all, const int64_t *place,
                                    struct opshift_error *error)
{
    if (all->kept_count == all->kept_room) {
        uint64_t room = all->kept_room == 0 ? 64 : 2 * all->kept_room;
        const int64_t dims[] = {(int64_t)room, 3};
        enum opshift_status status = kernel_room(call, OPSHIFT_TYPE_INT64, 2, dims, error);
        int64_t *more = status == OPSHIFT_OK ? arena_alloc(call->arena, 3 * room, sizeof(*more)) : NULL;
        if (more == NULL)
            return status == OPSHIFT_OK ? opshift_no_memory(error) : status;
        for (uint64_t i = 0; i < 3 * all->kept_count; i++)
            more[i] = all->kept[i];
        all->kept = more;
        all->kept_room = room;
    }
    for (int i = 0; i < 3; i++)
        all->kept[3 * all->kept_count + (uint64_t)i] = place[i];
    all->kept_count++;
    return OPSHIFT_OK;
}

static enum opshift_status suppress_class(struct kernel_call *call, struct box_suppression *all, uint64_t batch,
                                          uint64_t class, struct opshift_error *error)
{
    const double *scores = all->scores + (batch * all->classes + class) * all->boxes;
    const double *boxes = all->corners + batch * all->boxes * 4;
    uint64_t count = 0, first = all->kept_count;
    for (uint64_t i = 0; i < all->boxes; i++)
        if (!isnan(scores[i]) && (!all->has_least || (float)scores[i] > all->least))
            all->candidates[count++] = (struct candidate){(float)scores[i], i};
    qsort(all->candidates, count, sizeof(*all->candidates), by_score);
    for (uint64_t i = 0; i < count && all->kept_count - first < (uint64_t)all->most; i++) {
        uint64_t box = all->candidates[i].box, k = first;
        enum opshift_status status = kernel_work(call, all->kept_count - first + 1, STEPS_CURVE, error);
        while (k < all->kept_count && !overlaps(all, boxes + 4 * box, boxes + 4 * all->kept[3 * k + 2]))
            k++;
        if (status == OPSHIFT_OK && k == all->kept_count)
            status = keep_box(call, all, (const int64_t[]){(int64_t)batch, (int64_t) class, (int64_t)box}, error);
        if (status)
            return status;
    }
    return OPSHIFT_OK;
}

static enum opshift_status run_suppression(struct kernel_call *call, struct opshift_error *error)
{
    struct box_suppression all = {0};
    enum opshift_status status = load_limits(call, &all, error);
    if (status == OPSHIFT_OK)
        status = load_boxes(call, &all, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->inputs[1]->count, 8 * (uint64_t)STEPS_CURVE, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && call->inputs[1]->count > 0 && i < all.batches * all.classes; i++)
        status = suppress_class(call, &all, i / all.classes, i % all.classes, error);
    const int64_t dims[] = {(int64_t)all.kept_count, 3};
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, OPSHIFT_TYPE_INT64, 2, dims, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < 3 * all.kept_count; i++)
        ((int64_t *)call->outputs[0]->data)[i] = all.kept[i];
    return status;
}

/* ---- RoiAlign (10, 16, 22) ---- */

struct regions {
    int64_t height, width, sampling; /* size of the output; samples per output element, 0: from the region's size */
    uint64_t count, channels;
    int64_t in_height, in_width;
    float scale;
    bool half_pixel, greatest;
    double *x, *rois;
};

/* An interpolated sample: the weighted sum of its four neighbours, or the largest weighted neighbour. */
static double sample_image(const struct regions *all, const double *plane, double y, double x)
{
    double last_y = (double)(all->in_height - 1), last_x = (double)(all->in_width - 1);
    if (!(y >= -1 && x >= -1 && y <= (double)all->in_height && x <= (double)all->in_width))
        return 0;
    y = fmax(0, fmin(last_y, y));
    x = fmax(0, fmin(last_x, x));
    int64_t top = (int64_t)y, left = (int64_t)x;
    int64_t bottom = top < all->in_height - 1 ? top + 1 : top, right = left < all->in_width - 1 ? left + 1 : left;
    double low = y - (double)top, far = x - (double)left;
    const double parts[] = {
        (1 - low) * (1 - far) * plane[top * all->in_width + left], (1 - low) * far * plane[top * all->in_width + right],
        low * (1 - far) * plane[bottom * all->in_width + left], low * far * plane[bottom * all->in_width + right]};
    if (all->greatest)
        return fmax(fmax(parts[0], parts[1]), fmax(parts[2], parts[3]));
    return parts[0] + parts[1] + parts[2] + parts[3];
}

/* The region's start and the size of one output element, along both axes. */
struct region {
    double top, left, row, column;
    int64_t rows, columns; /* samples per output element */
};

static void find_region(const struct regions *all, const double *roi, struct region *region)
{
    double offset = all->half_pixel ? 0.5 : 0, scale = (double)all->scale;
    double height, width, most = (double)INT16_MAX;
    region->left = roi[0] * scale - offset;
    region->top = roi[1] * scale - offset;
    width = roi[2] * scale - offset - region->left;
    height = roi[3] * scale - offset - region->top;
    if (!all->half_pixel) {
        width = fmax(width, 1);
        height = fmax(height, 1);
    }
    region->row = height / (double)all->height;
    region->column = width / (double)all->width;
    region->rows = all->sampling > 0 ? all->sampling : (int64_t)fmax(0, fmin(most, ceil(region->row)));
    region->columns = all->sampling > 0 ? all->sampling : (int64_t)fmax(0, fmin(most, ceil(region->column)));
}

static double pool_region(const struct regions *all, const struct region *region, const double *plane, int64_t row,
                          int64_t column)
{
    double sum = 0, greatest = 0;
    int64_t count = region->rows * region->columns;
    for (int64_t i = 0; i < count; i++) {
        int64_t at_row = i / region->columns, at_column = i % region->columns;
        double y = region->top + ((double)row + ((double)at_row + 0.5) / (double)region->rows) * region->row;
        double x =
            region->left + ((double)column + ((double)at_column + 0.5) / (double)region->columns) * region->column;
        double value = sample_image(all, plane, y, x);
        sum += value;
        greatest = i == 0 || value > greatest ? value : greatest;
    }
    return all->greatest ? greatest : sum / (double)(count < 1 ? 1 : count);
}

static enum opshift_status load_align(struct kernel_call *call, struct regions *all, struct opshift_error *error)
{
    enum { MODE_AVERAGE, MODE_GREATEST };
    enum { HALF_PIXEL };
    *all = (struct regions){
        .height = kernel_int(call, ATTRIBUTE_OUTPUT_HEIGHT),
        .width = kernel_int(call, ATTRIBUTE_OUTPUT_WIDTH),
        .sampling = kernel_int(call, ATTRIBUTE_SAMPLING_RATIO),
        .scale = kernel_float(call, ATTRIBUTE_SPATIAL_SCALE),
        .greatest = kernel_choice(call, ATTRIBUTE_MODE) == MODE_GREATEST,
        .half_pixel = kernel_has(call, ATTRIBUTE_COORDINATE_TRANSFORMATION_MODE) &&
                      kernel_choice(call, ATTRIBUTE_COORDINATE_TRANSFORMATION_MODE) == HALF_PIXEL,
    };
    if (all->height < 1 || all->width < 1 || all->height > INT32_MAX || all->width > INT32_MAX || all->sampling < 0 ||
        all->sampling > INT16_MAX)
        return opshift_fail(error, OPSHIFT_MALFORMED, "an output of %lld times %lld by %lld samples is not usable",
                            (long long)all->height, (long long)all->width, (long long)all->sampling);
    return OPSHIFT_OK;
}

/* Reads the image (input 0) and the regions (input 1), which have `numbers` numbers each. */
static enum opshift_status load_regions(struct kernel_call *call, int64_t numbers, struct regions *all,
                                        struct opshift_error *error)
{
    enum opshift_status status = kernel_rank(call, 0, 4, 4, error);
    if (status == OPSHIFT_OK)
        status = kernel_rank(call, 1, 2, 2, error);
    if (status)
        return status;
    const int64_t *dims = call->inputs[0]->dims, rois[] = {call->inputs[1]->dims[0], numbers};
    all->count = (uint64_t)rois[0];
    all->channels = (uint64_t)dims[1];
    all->in_height = dims[2];
    all->in_width = dims[3];
    const int64_t out[] = {rois[0], dims[1], all->height, all->width};
    status = kernel_shape(call, 1, 2, rois, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, call->inputs[0]->type, 4, out, error);
    if (status == OPSHIFT_OK && call->outputs[0]->count > 0 && call->inputs[0]->count == 0)
        status = opshift_fail(error, OPSHIFT_MALFORMED, "an image without elements has no regions");
    if (status == OPSHIFT_OK)
        status = reals_load(call, call->inputs[0], &all->x, error);
    return status == OPSHIFT_OK ? reals_load(call, call->inputs[1], &all->rois, error) : status;
}

static enum opshift_status check_batch(const struct kernel_call *call, int64_t batch, struct opshift_error *error)
{
    if (batch >= 0 && batch < call->inputs[0]->dims[0])
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "a region is in image %lld of %lld", (long long)batch,
                        (long long)call->inputs[0]->dims[0]);
}

static enum opshift_status run_align(struct kernel_call *call, struct opshift_error *error)
{
    struct regions all;
    enum opshift_status status = load_align(call, &all, error);
    if (status == OPSHIFT_OK)
        status = load_regions(call, 4, &all, error);
    if (status == OPSHIFT_OK)
        status = kernel_shape(call, 2, 1, call->inputs[1]->dims, error);
    if (status || call->outputs[0]->count == 0)
        return status;
    uint64_t places = (uint64_t)(all.height * all.width), plane = (uint64_t)(all.in_height * all.in_width);
    for (uint64_t r = 0; r < all.count; r++) {
        struct region region;
        int64_t batch = kernel_index(call->inputs[2], r);
        find_region(&all, all.rois + 4 * r, &region);
        status = check_batch(call, batch, error);
        if (status == OPSHIFT_OK)
            status = kernel_work(call, all.channels * places,
                                 (uint64_t)(region.rows * region.columns + 1) * 2 * STEPS_CURVE, error);
        if (status)
            return status;
        for (uint64_t i = 0; i < all.channels * places; i++) {
            const double *from = all.x + ((uint64_t)batch * all.channels + i / places) * plane;
            double value =
                pool_region(&all, &region, from, (int64_t)(i % places) / all.width, (int64_t)(i % places) % all.width);
            reals_store(call->outputs[0], r * all.channels * places + i, &value, 1);
        }
    }
    return OPSHIFT_OK;
}

/* ---- MaxRoiPool (1, 22): regions with integer coordinates ---- */

/* Input positions along an axis that one output position covers: from *first to below *last. */
static void pool_span(double begin, double end, int64_t at, int64_t out, int64_t in, int64_t *first, int64_t *last)
{
    double length = fmax(end - begin + 1, 1), size = length / (double)out;
    *first = (int64_t)fmax(0, fmin((double)in, floor((double)at * size) + begin));
    *last = (int64_t)fmax(0, fmin((double)in, ceil((double)(at + 1) * size) + begin));
}

static double pool_greatest(const struct regions *all, const double *roi, const double *plane, uint64_t place)
{
    double scale = (double)all->scale, greatest = -(double)INFINITY;
    int64_t top, bottom, left, right, row = (int64_t)place / all->width, column = (int64_t)place % all->width;
    pool_span(round(roi[2] * scale), round(roi[4] * scale), row, all->height, all->in_height, &top, &bottom);
    pool_span(round(roi[1] * scale), round(roi[3] * scale), column, all->width, all->in_width, &left, &right);
    for (int64_t y = top; y < bottom; y++)
        for (int64_t x = left; x < right; x++)
            greatest = plane[y * all->in_width + x] > greatest ? plane[y * all->in_width + x] : greatest;
    return top < bottom && left < right ? greatest : 0;
}

static enum opshift_status run_roi_pool(struct kernel_call *call, struct opshift_error *error)
{
    struct regions all = {.scale = 1};
    struct int_list shape = kernel_ints(call, ATTRIBUTE_POOLED_SHAPE);
    enum opshift_status status = OPSHIFT_OK;
    if ((shape.count != 2 || shape.values[0] < 1 || shape.values[1] < 1 || shape.values[0] > INT32_MAX ||
         shape.values[1] > INT32_MAX))
        status = opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'pooled_shape' must have two positive entries");
    all.scale = kernel_float(call, ATTRIBUTE_SPATIAL_SCALE);
    if (status)
        return status;
    all.height = shape.values[0];
    all.width = shape.values[1];
    status = load_regions(call, 5, &all, error);
    if (status || call->outputs[0]->count == 0)
        return status;
    uint64_t places = (uint64_t)(all.height * all.width), plane = (uint64_t)(all.in_height * all.in_width);
    for (uint64_t i = 0; i < call->outputs[0]->count && status == OPSHIFT_OK; i++) {
        const double *roi = all.rois + 5 * (i / places / all.channels);
        double batch = roi[0], value;
        status = check_batch(call, batch >= 0 && batch < 9e15 ? (int64_t)batch : -1, error);
        if (status == OPSHIFT_OK) /* an output element covers at most a whole channel */
            status =
                kernel_work(call, plane / places + 2 * (uint64_t)(all.in_height + all.in_width), STEPS_COMPUTE, error);
        if (status)
            return status;
        value = pool_greatest(&all, roi, all.x + ((uint64_t)batch * all.channels + i / places % all.channels) * plane,
                              i % places);
        reals_store(call->outputs[0], i, &value, 1);
    }
    return status;
}

const struct kernel kernels_detection[] = {
    {OPERATOR_MAX_ROI_POOL, 1, KERNEL_ANY, run_roi_pool, {0}},
    {OPERATOR_NON_MAX_SUPPRESSION, 10, KERNEL_ANY, run_suppression, {0}},
    {OPERATOR_ROI_ALIGN, 10, KERNEL_ANY, run_align, {0}},
    {0},
};
