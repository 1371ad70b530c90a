/* What consuming nodes require of an input's elements: indices within an axis, valid shapes, lengths with a given
 * sum. */
#include <math.h>
#include <string.h>

#include "kernel/element.h"
#include "run/draw.h"

/* After this many attempts, integers without a known requirement are 0 or 1. */
#define ATTEMPTS_WIDE 4u
/* Steps per entry of a list, which is kept until all inputs are drawn. */
#define LIST_STEPS 64u

/* ---- ways to express a requirement ---- */

/* Intersects the ranges of two consumers; keeps the first one if the intersection is empty. */
static void allow(struct element_bounds *bounds, double least, double most)
{
    double from = bounds->ranged ? fmax(bounds->least, least) : least,
           to = bounds->ranged ? fmin(bounds->most, most) : most;
    if (from > to)
        return;
    bounds->least = from;
    bounds->most = to;
    bounds->ranged = true;
}

static int64_t own_count(const struct asking *asking)
{
    int64_t count = 1;
    for (uint32_t i = 0; i < asking->input->rank; i++)
        if (__builtin_mul_overflow(count, asking->input->dims[i], &count))
            return -1;
    return count;
}

/* Elements of the value that the node consumes; more than the input's own after a concatenation. */
static int64_t read_count(const struct asking *asking)
{
    struct value_type type;
    int64_t count = asking_shape(asking, asking->position, &type) ? asking_count(&type) : -1, own = own_count(asking);
    return count >= own ? count : own;
}

/* Allocates a list of the length that the node consumes; NULL: unknown length or no memory. */
static double *new_list(const struct asking *asking, int64_t *count)
{
    *count = read_count(asking);
    if (!asking->in_order || *count < 1 || *count > TENSOR_RANK_MAX * INT64_C(1024) ||
        !asking_may(asking->drawing, (uint64_t)*count * LIST_STEPS))
        return NULL;
    double *list = arena_alloc(asking->drawing->arena, (size_t)*count, sizeof(*list));
    if (list == NULL)
        asking->drawing->status = opshift_no_memory(asking->drawing->error);
    return list;
}

/* Takes the part of the list that belongs to this input. */
static void want_list(const struct asking *asking, struct element_bounds *bounds, const double *list, int64_t count)
{
    int64_t own = own_count(asking);
    if (bounds->list == NULL && list != NULL && own >= 0 && asking->offset <= count - own)
        bounds->list = list + asking->offset;
}

/* ---- what operators require ---- */

/* A row of the table: operator, input, function, and two parameters. */
struct draw_row {
    const char *op_type;
    uint32_t position;
    void (*ask)(const struct asking *asking, const struct draw_row *row, struct element_bounds *bounds);
    double a, b;
    const char *attribute;
};

static void ask_range(const struct asking *asking, const struct draw_row *row, struct element_bounds *bounds)
{
    (void)asking;
    allow(bounds, row->a, row->b);
}

/* Indices along an axis of input 0, given by an attribute or by a: from -dim to dim - 1. */
static void ask_index(const struct asking *asking, const struct draw_row *row, struct element_bounds *bounds)
{
    int64_t axis = row->attribute == NULL ? (int64_t)row->a : asking_int(asking, row->attribute, (int64_t)row->a);
    int64_t dim = asking_dim(asking, 0, axis);
    dim = dim < 1 ? 1 : dim;
    allow(bounds, row->b < 0 ? -(double)dim : 0, (double)dim - 1);
}

/* Indices valid on every axis of input 0 that rows of indices address. */
static void ask_indices(const struct asking *asking, const struct draw_row *row, struct element_bounds *bounds)
{
    struct value_type type;
    int64_t first = asking_int(asking, "batch_dims", 0), width = asking_dim(asking, asking->position, -1),
            least = INT64_MAX;
    (void)row;
    if (!asking_shape(asking, 0, &type))
        return;
    for (int64_t i = first; i >= 0 && i < type.rank && (width < 0 || i < first + width); i++)
        least = type.dims[i] < least ? type.dims[i] : least;
    if (least > 0 && least < INT64_MAX)
        allow(bounds, -(double)least, (double)least - 1);
}

/* A length along an axis of input 0: from 1 to its dim. */
static void ask_length(const struct asking *asking, const struct draw_row *row, struct element_bounds *bounds)
{
    int64_t dim = asking_dim(
        asking, 0, row->attribute == NULL ? (int64_t)row->a : asking_int(asking, row->attribute, (int64_t)row->a));
    allow(bounds, 1, dim < 1 ? 1 : (double)dim);
}

static void ask_lengths_in_time(const struct asking *asking, const struct draw_row *row, struct element_bounds *bounds)
{
    int64_t a = asking_dim(asking, 0, 0), b = asking_dim(asking, 0, 1), least = a < b ? a : b;
    (void)row;
    allow(bounds, 1, least < 1 ? 1 : (double)least);
}

/* An axis of input 0. */
static void ask_axis(const struct asking *asking, const struct draw_row *row, struct element_bounds *bounds)
{
    struct value_type type;
    (void)row;
    if (asking_shape(asking, 0, &type) && type.rank > 0)
        allow(bounds, -(double)type.rank, (double)type.rank - 1);
}

/* Distinct axes; for Squeeze, those of size 1. */
static void ask_axes(const struct asking *asking, const struct draw_row *row, struct element_bounds *bounds)
{
    struct value_type type;
    int64_t count, found = 0;
    double *list = new_list(asking, &count);
    bool known = asking_shape(asking, 0, &type);
    for (int64_t i = 0; list != NULL && i < count; i++)
        list[i] = (double)i;
    for (int32_t i = 0; list != NULL && known && row->a > 0 && i < type.rank; i++)
        if (type.dims[i] == 1 && found < count)
            list[found++] = i;
    want_list(asking, bounds, list, count);
}

/* The shape of the output, if known. */
static void ask_output_shape(const struct asking *asking, const struct draw_row *row, struct element_bounds *bounds)
{
    struct value_type type;
    int64_t count;
    double *list = new_list(asking, &count);
    if (list != NULL && asking_output(asking, 0, &type) && type.rank == count && asking_count(&type) >= 0) {
        for (int64_t i = 0; i < count; i++)
            list[i] = (double)type.dims[i];
        want_list(asking, bounds, list, count);
    } else {
        allow(bounds, row->a, row->b);
    }
}

static void ask_reshape(const struct asking *asking, const struct draw_row *row, struct element_bounds *bounds)
{
    struct value_type data, output;
    int64_t count;
    double *list = new_list(asking, &count);
    int64_t elements = asking_shape(asking, 0, &data) ? asking_count(&data) : -1;
    bool known = asking_output(asking, 0, &output) && output.rank == count && asking_count(&output) >= 0 &&
                 (elements < 0 || asking_count(&output) == elements);
    bool same = elements >= 0 && data.rank == count;
    (void)row;
    for (int64_t i = 0; list != NULL && i < count; i++)
        list[i] = known ? (double)output.dims[i] : same ? (double)data.dims[i] : i == count - 1 ? -1 : 1;
    want_list(asking, bounds, list, count);
}

static void ask_expand(const struct asking *asking, const struct draw_row *row, struct element_bounds *bounds)
{
    struct value_type data, output;
    int64_t count;
    double *list = new_list(asking, &count);
    bool known = asking_output(asking, 0, &output) && output.rank == count && asking_count(&output) >= 0;
    bool aligned = asking_shape(asking, 0, &data);
    (void)row;
    for (int64_t i = 0; list != NULL && i < count; i++) {
        int64_t place = aligned ? data.rank - (count - i) : -1;
        int64_t dim = known ? output.dims[i] : place >= 0 ? data.dims[place] : 1;
        list[i] = dim < 0 ? 1 : (double)dim;
    }
    want_list(asking, bounds, list, count);
}

/* Repeats or scales: the output's dim divided by input 0's; if unknown, a, and b from axis 2 on. */
static void ask_ratio(const struct asking *asking, const struct draw_row *row, struct element_bounds *bounds)
{
    struct value_type data, output;
    int64_t count;
    double *list = new_list(asking, &count);
    bool known = asking_shape(asking, 0, &data) && asking_output(asking, 0, &output) && data.rank == count &&
                 output.rank == count && asking_count(&data) > 0 && asking_count(&output) >= 0;
    for (int64_t i = 0; list != NULL && i < count; i++)
        list[i] = known ? (double)output.dims[i] / (double)data.dims[i] : i < 2 ? row->a : row->b;
    want_list(asking, bounds, list, count);
}

/* One more element or none at both ends of each axis; reflecting needs two elements. */
static void ask_pads(const struct asking *asking, const struct draw_row *row, struct element_bounds *bounds)
{
    struct value_type data;
    int64_t count;
    double *list = new_list(asking, &count);
    bool known = asking_shape(asking, 0, &data) && count == 2 * (int64_t)data.rank;
    (void)row;
    for (int64_t i = 0; list != NULL && known && i < count; i++)
        list[i] = data.dims[i % data.rank] < 2 ? 0 : (double)(draw_next(&asking->drawing->seed) & 1);
    if (known)
        want_list(asking, bounds, list, count);
    else
        allow(bounds, 0, 1);
}

/* Lengths whose sum is the axis. A scalar is one length for all parts. */
static void ask_lengths(const struct asking *asking, const struct draw_row *row, struct element_bounds *bounds)
{
    struct value_type type;
    int64_t dim = asking_dim(asking, 0, asking_int(asking, "axis", 0)), count, left = dim;
    bool scalar = asking_shape(asking, asking->position, &type) && type.rank == 0;
    (void)row;
    if (scalar) {
        allow(bounds, 1, dim < 1 ? 1 : (double)dim);
        return;
    }
    double *list = new_list(asking, &count);
    for (int64_t i = 0; list != NULL && dim >= 0 && i < count; i++) {
        int64_t part = i == count - 1 ? left : (int64_t)(draw_next(&asking->drawing->seed) % ((uint64_t)left + 1));
        list[i] = (double)part;
        left -= part;
    }
    if (dim >= 0)
        want_list(asking, bounds, list, count);
}

/* Class labels: indices along input 0's second axis. */
static void ask_class(const struct asking *asking, const struct draw_row *row, struct element_bounds *bounds)
{
    int64_t dim = asking_dim(asking, 0, 1);
    (void)row;
    allow(bounds, 0, dim < 1 ? 0 : (double)dim - 1);
}

static void ask_numeral(const struct asking *asking, const struct draw_row *row, struct element_bounds *bounds)
{
    (void)asking, (void)row;
    bounds->numerals = true;
}

/* Integer divisors are neither 0 nor, for the smallest dividend, -1. */
static void ask_divisor(const struct asking *asking, const struct draw_row *row, struct element_bounds *bounds)
{
    enum opshift_type type = asking->input->type;
    bool real = type == OPSHIFT_TYPE_FLOAT || type == OPSHIFT_TYPE_DOUBLE || type == OPSHIFT_TYPE_FLOAT16 ||
                type == OPSHIFT_TYPE_BFLOAT16;
    if (!real)
        allow(bounds, row->a, row->b);
}

/* Of int32, the standard has no zero point but 0. */
static void ask_zero_point(const struct asking *asking, const struct draw_row *row, struct element_bounds *bounds)
{
    if (asking->input->type == OPSHIFT_TYPE_INT32)
        allow(bounds, row->a, row->b);
}

static const struct draw_row rows[] = {
    {"BatchNormalization", 4, ask_range, 0.5, 1.5, NULL},
    {"BitShift", 1, ask_range, 0, 7, NULL},
    {"BlackmanWindow", 0, ask_range, 4, 16, NULL},
    {"Cast", 0, ask_numeral, 0, 0, NULL},
    {"CastLike", 0, ask_numeral, 0, 0, NULL},
    {"CenterCropPad", 1, ask_output_shape, 1, 4, NULL},
    {"ConstantOfShape", 0, ask_output_shape, 1, 3, NULL},
    {"CumSum", 1, ask_axis, 0, 0, NULL},
    {"DequantizeLinear", 2, ask_zero_point, 0, 0, NULL},
    {"DFT", 1, ask_range, 4, 8, NULL},
    {"Div", 1, ask_divisor, 1, 7, NULL},
    {"Dropout", 1, ask_range, 0, 0.9, NULL},
    {"Dropout", 2, ask_range, 0, 0, NULL},
    {"Expand", 1, ask_expand, 0, 0, NULL},
    {"Gather", 1, ask_index, 0, -1, "axis"},
    {"GatherElements", 1, ask_index, 0, -1, "axis"},
    {"GatherND", 1, ask_indices, 0, 0, NULL},
    {"GRU", 4, ask_lengths_in_time, 0, 0, NULL},
    {"HammingWindow", 0, ask_range, 4, 16, NULL},
    {"HannWindow", 0, ask_range, 4, 16, NULL},
    {"Loop", 0, ask_range, 0, 4, NULL},
    {"Loop", 1, ask_range, 1, 1, NULL},
    {"LSTM", 4, ask_lengths_in_time, 0, 0, NULL},
    {"MaxUnpool", 1, ask_range, 0, 3, NULL},
    {"MaxUnpool", 2, ask_output_shape, 4, 8, NULL},
    {"MelWeightMatrix", 0, ask_range, 2, 4, NULL},
    {"MelWeightMatrix", 1, ask_range, 16, 32, NULL},
    {"MelWeightMatrix", 2, ask_range, 8000, 8000, NULL},
    {"MelWeightMatrix", 3, ask_range, 0, 10, NULL},
    {"MelWeightMatrix", 4, ask_range, 1000, 2000, NULL},
    {"Mod", 1, ask_divisor, 1, 7, NULL},
    {"NegativeLogLikelihoodLoss", 1, ask_class, 0, 0, NULL},
    {"NonMaxSuppression", 2, ask_range, 1, 4, NULL},
    {"NonMaxSuppression", 3, ask_range, 0, 1, NULL},
    {"OneHot", 1, ask_range, 2, 8, NULL},
    {"Pad", 1, ask_pads, 0, 0, NULL},
    {"Pad", 3, ask_axes, 0, 0, NULL},
    {"Range", 0, ask_range, 0, 3, NULL},
    {"Range", 1, ask_range, 4, 9, NULL},
    {"Range", 2, ask_range, 1, 2, NULL},
    {"ReduceL1", 1, ask_axes, 0, 0, NULL},
    {"ReduceL2", 1, ask_axes, 0, 0, NULL},
    {"ReduceLogSum", 1, ask_axes, 0, 0, NULL},
    {"ReduceLogSumExp", 1, ask_axes, 0, 0, NULL},
    {"ReduceMax", 1, ask_axes, 0, 0, NULL},
    {"ReduceMean", 1, ask_axes, 0, 0, NULL},
    {"ReduceMin", 1, ask_axes, 0, 0, NULL},
    {"ReduceProd", 1, ask_axes, 0, 0, NULL},
    {"ReduceSum", 1, ask_axes, 0, 0, NULL},
    {"ReduceSumSquare", 1, ask_axes, 0, 0, NULL},
    {"Reshape", 1, ask_reshape, 0, 0, NULL},
    {"Resize", 1, ask_ratio, 1, 2, NULL},
    {"Resize", 2, ask_ratio, 1, 2, NULL},
    {"Resize", 3, ask_output_shape, 1, 4, NULL},
    {"ReverseSequence", 1, ask_lengths_in_time, 0, 0, NULL},
    {"RNN", 4, ask_lengths_in_time, 0, 0, NULL},
    {"RoiAlign", 2, ask_index, 0, 0, NULL},
    {"Scatter", 1, ask_index, 0, 0, "axis"},
    {"ScatterElements", 1, ask_index, 0, -1, "axis"},
    {"ScatterND", 1, ask_indices, 0, 0, NULL},
    {"SequenceAt", 1, ask_range, -1, 0, NULL},
    {"SequenceErase", 1, ask_range, -1, 0, NULL},
    {"SequenceInsert", 2, ask_range, -1, 0, NULL},
    {"Slice", 1, ask_range, 0, 1, NULL},
    {"Slice", 2, ask_range, 2, 9, NULL},
    {"Slice", 3, ask_axes, 0, 0, NULL},
    {"Slice", 4, ask_range, 1, 2, NULL},
    {"SoftmaxCrossEntropyLoss", 1, ask_class, 0, 0, NULL},
    {"Split", 1, ask_lengths, 0, 0, NULL},
    {"SplitToSequence", 1, ask_lengths, 0, 0, NULL},
    {"Squeeze", 1, ask_axes, 1, 0, NULL},
    {"STFT", 1, ask_range, 1, 4, NULL},
    {"STFT", 3, ask_range, 4, 8, NULL},
    {"Tile", 1, ask_ratio, 2, 1, NULL},
    {"TopK", 1, ask_length, -1, 0, "axis"},
    {"Trilu", 1, ask_range, -2, 2, NULL},
    {"Unsqueeze", 1, ask_axes, 0, 0, NULL},
    {"Upsample", 1, ask_ratio, 1, 2, NULL},
};

static void ask_reader(const struct asking *asking, void *data)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].position == asking->position && strcmp(rows[i].op_type, asking->op_type) == 0)
            rows[i].ask(asking, &rows[i], data);
}

void element_bounds_find(struct drawing *drawing, const struct drawn *input, struct element_bounds *bounds)
{
    bool whole = element_is_number(input->type) && element_kind(input->type) != NUMBER_REAL;
    *bounds = (struct element_bounds){.ranged = false};
    readers_ask(drawing, input, false, ask_reader, bounds);
    /* An index computed from this input cannot be detected; small numbers are usually valid indices. */
    if (whole && drawing->options->attempt > ATTEMPTS_WIDE)
        allow(bounds, 0, 1);
}
