/* Shapes of operators that select elements: Slice, Gather, TopK, OneHot; and of Shape and Size. */
#include "infer/shape.h"

#include <inttypes.h>

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

void shape_shape(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    int64_t start, end;
    if (!shape_new(inference, output, 1) || data == NULL ||
        !operation_int(&inference->operation, ATTRIBUTE_START, &start) ||
        !operation_int(&inference->operation, ATTRIBUTE_END, &end))
        return;
    end = operation_gives(&inference->operation, ATTRIBUTE_END) ? end : data->rank;
    start = clamp(start < 0 ? start + data->rank : start, 0, data->rank);
    end = clamp(end < 0 ? end + data->rank : end, 0, data->rank);
    output->dims[0] = end > start ? end - start : 0;
}

void shape_scalar(struct inference *inference)
{
    shape_new(inference, &inference->outputs[0], 0);
}

/* A negative place counts from the end first. */
static int64_t slice_place(int64_t place, int64_t dim, int64_t least, int64_t most)
{
    return clamp(place < 0 ? (place < -dim ? -1 : place + dim) : place, least, most);
}

int64_t slice_cut(int64_t dim, int64_t start, int64_t end, int64_t step, int64_t *first)
{
    *first = dim == 0 ? 0 : slice_place(start, dim, 0, step > 0 ? dim : dim - 1);
    end = step > 0 ? slice_place(end, dim, 0, dim) : slice_place(end, dim, -1, dim - 1);
    int64_t distance = step > 0 ? end - *first : *first - end;
    /* -INT64_MIN overflows; INT64_MAX gives the same result. */
    int64_t stride = step == INT64_MIN ? INT64_MAX : step < 0 ? -step : step;
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a step of 0 is refused before. */
    return dim == 0 || distance <= 0 ? 0 : (distance - 1) / stride + 1;
}

/* -1: unknown. */
static int64_t slice_length(int64_t dim, int64_t start, int64_t end, int64_t step)
{
    int64_t first;
    return dim < 0 || step == 0 ? -1 : slice_cut(dim, start, end, step, &first);
}

/* starts, ends, axes, steps: lists of equal length. */
struct slice {
    const int64_t *starts, *ends, *axes, *steps;
    size_t count;
    bool marked; /* the sliced axes are known */
};

static void slice_read(struct inference *inference, struct slice *slice)
{
    size_t starts = 0, ends = 0, axes = 0, steps = 0;
    enum setting_state start = setting_ints(inference, ATTRIBUTE_STARTS, 1, &slice->starts, &starts);
    enum setting_state end = setting_ints(inference, ATTRIBUTE_ENDS, 2, &slice->ends, &ends);
    enum setting_state axis = setting_ints(inference, ATTRIBUTE_AXES, 3, &slice->axes, &axes);
    enum setting_state step = SETTING_ABSENT;
    if (schema_input(inference->operation.schema, 4) != NULL)
        step = input_ints(inference, 4, &slice->steps, &steps);
    bool known = start >= SETTING_DEFAULT && end >= SETTING_DEFAULT && step != SETTING_UNKNOWN && starts == ends &&
                 (step == SETTING_ABSENT || steps == starts);
    slice->count = axis >= SETTING_DEFAULT ? axes : starts;
    slice->marked = axis >= SETTING_DEFAULT || (axis == SETTING_ABSENT && start >= SETTING_DEFAULT);
    if (!known || starts != slice->count)
        slice->starts = NULL;
}

/* False: the lists are of different lengths, or a step is 0. */
static bool slice_check(struct inference *inference)
{
    const int64_t *numbers;
    size_t starts = 0, count;
    bool known = setting_ints(inference, ATTRIBUTE_STARTS, 1, &numbers, &starts) >= SETTING_DEFAULT;
    static const char *const names[] = {"ends", "axes", "steps"};
    static const enum attribute_id ids[] = {ATTRIBUTE_ENDS, ATTRIBUTE_AXES};
    for (uint32_t i = 0; i < 3; i++) {
        enum setting_state state = i < COUNT(ids) ? setting_ints(inference, ids[i], 2 + i, &numbers, &count)
                                                  : input_ints(inference, 2 + i, &numbers, &count);
        if (state < SETTING_DEFAULT || (i == COUNT(ids) && schema_input(inference->operation.schema, 2 + i) == NULL))
            continue;
        if (known && count != starts && (count > 0 || i == 0)) { /* empty axes or steps are the default ones */
            shape_clash(inference, CLASH_SHAPES, "starts has %zu numbers and %s %zu; they must be equally long", starts,
                        names[i], count);
            return false;
        }
        for (size_t k = 0; i == 2 && k < count; k++)
            if (numbers[k] == 0) {
                shape_clash(inference, CLASH_SHAPES, "steps has 0 at position %zu; a step must not be 0", k);
                return false;
            }
    }
    return true;
}

void shape_slice(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    struct slice slice = {0};
    size_t axis;
    if (!slice_check(inference) || data == NULL || !shape_new(inference, output, (size_t)data->rank))
        return;
    slice_read(inference, &slice);
    if (!slice.marked)
        return;
    for (size_t i = 0; i < (size_t)data->rank; i++)
        dim_copy(output, i, data, i);
    for (size_t i = 0; i < slice.count; i++) {
        if (!axis_check(inference, slice.axes != NULL ? slice.axes[i] : (int64_t)i, data->rank, &axis))
            return;
        output->params[axis] = NAME_NONE;
        output->dims[axis] = slice.starts == NULL ? -1
                                                  : slice_length(data->dims[axis], slice.starts[i], slice.ends[i],
                                                                 slice.steps != NULL ? slice.steps[i] : 1);
    }
}

/* ---- selected elements ---- */

/* False: a constant index is outside of the axis. */
static bool indices_check(struct inference *inference, int64_t dim)
{
    const int64_t *indices;
    size_t count;
    if (dim < 0 || input_ints(inference, 1, &indices, &count) < SETTING_DEFAULT)
        return true;
    for (size_t i = 0; i < count; i++)
        if (indices[i] < -dim || indices[i] >= dim) {
            shape_clash(inference, CLASH_SHAPES,
                        "index %" PRId64 " is outside of the axis, which has %" PRId64 " elements; use one of them",
                        indices[i], dim);
            return false;
        }
    return true;
}

void shape_gather(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0), *indices = input_ranked(inference, 1);
    struct value_type *output = &inference->outputs[0];
    size_t axis, at = 0;
    int64_t number;
    if (data == NULL || !operation_int(&inference->operation, ATTRIBUTE_AXIS, &number) ||
        !axis_check(inference, number, data->rank, &axis) || !indices_check(inference, data->dims[axis]) ||
        indices == NULL || !shape_new(inference, output, (size_t)data->rank - 1 + (size_t)indices->rank))
        return;
    for (size_t i = 0; i < axis; i++)
        dim_copy(output, at++, data, i);
    for (size_t i = 0; i < (size_t)indices->rank; i++)
        dim_copy(output, at++, indices, i);
    for (size_t i = axis + 1; i < (size_t)data->rank; i++)
        dim_copy(output, at++, data, i);
}

void shape_gather_elements(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0), *indices = input_ranked(inference, 1);
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    int64_t number;
    size_t axis;
    if (data && operation_int(&inference->operation, ATTRIBUTE_AXIS, &number) &&
        !axis_check(inference, number, data->rank, &axis))
        return;
    if (data && indices && data->rank != indices->rank)
        shape_clash(inference, CLASH_SHAPES,
                    "the data has the shape %s and the indices %s; they must have as many axes", shape_text(data, one),
                    shape_text(indices, other));
    else if (indices)
        shape_like(&inference->outputs[0], indices);
}

void shape_gather_nd(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0), *indices = input_ranked(inference, 1);
    struct value_type *output = &inference->outputs[0];
    int64_t batch;
    size_t at = 0;
    if (data == NULL || indices == NULL || indices->rank < 1 ||
        !operation_int(&inference->operation, ATTRIBUTE_BATCH_DIMS, &batch) || batch < 0)
        return;
    int64_t picked = indices->dims[indices->rank - 1];
    if (batch >= indices->rank || batch >= data->rank || picked > data->rank - batch) {
        shape_clash(inference, CLASH_SHAPES,
                    "the data has %d axes, the indices %d, and batch_dims is %" PRId64
                    "; the last axis of the indices must be 1 to the number of the data's other axes long",
                    data->rank, indices->rank, batch);
        return;
    }
    inference->rank_follows_dims = true;
    if (picked < 1 || picked > data->rank - batch ||
        !shape_new(inference, output, (size_t)(indices->rank - 1 + data->rank - batch - picked)))
        return;
    for (size_t i = 0; i < (size_t)indices->rank - 1; i++)
        dim_copy(output, at++, indices, i);
    for (size_t i = (size_t)(batch + picked); i < (size_t)data->rank; i++)
        dim_copy(output, at++, data, i);
}

void shape_top_k(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    int64_t number, count = -1;
    size_t axis;
    if (data == NULL || !shape_new(inference, output, (size_t)data->rank))
        return;
    bool known = schema_attribute(inference->operation.schema, ATTRIBUTE_K) != NULL
                     ? operation_int(&inference->operation, ATTRIBUTE_K, &count) == SETTING_GIVEN
                     : input_int(inference, 1, &count);
    if (operation_int(&inference->operation, ATTRIBUTE_AXIS, &number) &&
        axis_check(inference, number, data->rank, &axis)) {
        for (size_t i = 0; i < (size_t)data->rank; i++)
            if (i != axis)
                dim_copy(output, i, data, i);
        output->dims[axis] = known && count >= 0 ? count : -1;
        if (known && (count < 0 || (data->dims[axis] >= 0 && count > data->dims[axis])))
            shape_clash(inference, CLASH_SHAPES,
                        "k is %" PRId64 ", and axis %zu has %" PRId64 " elements; k must be from 0 to that", count,
                        axis, data->dims[axis]);
    }
    if (inference->node->output_count > 1)
        shape_like(&inference->outputs[1], output);
}

void shape_one_hot(struct inference *inference)
{
    const struct value_type *indices = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    int64_t number, depth;
    size_t axis;
    if (indices == NULL || !shape_new(inference, output, (size_t)indices->rank + 1) ||
        !operation_int(&inference->operation, ATTRIBUTE_AXIS, &number) ||
        !axis_check(inference, number, output->rank, &axis))
        return;
    for (size_t i = 0; i < (size_t)indices->rank; i++)
        dim_copy(output, i < axis ? i : i + 1, indices, i);
    if (input_int(inference, 1, &depth) && depth < 1)
        shape_clash(inference, CLASH_SHAPES, "depth is %" PRId64 "; it must be at least 1", depth);
    else if (input_int(inference, 1, &depth))
        output->dims[axis] = depth;
}

/* ScatterElements, Scatter: updates are as many as indices, and those have as many axes as the data. */
void shape_scatter_elements(struct inference *inference)
{
    const struct value_type *data = input_peek(inference, 0), *indices = input_peek(inference, 1);
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    if (data && indices && data->rank != indices->rank)
        shape_clash(inference, CLASH_SHAPES,
                    "the data has the shape %s and the indices %s; they must have as many axes", shape_text(data, one),
                    shape_text(indices, other));
    else if (shapes_agree(inference, 1, 2))
        shape_along_axis(inference);
}

/* The updates are one part of the data for each index. */
void shape_scatter_nd(struct inference *inference)
{
    const struct value_type *data = input_peek(inference, 0), *indices = input_peek(inference, 1);
    const struct value_type *updates = input_peek(inference, 2);
    char texts[3][SHAPE_TEXT_SIZE];
    int64_t picked = indices && indices->rank > 0 ? indices->dims[indices->rank - 1] : -1;
    bool fits = !data || picked <= data->rank;
    if (fits && data && updates && picked >= 0) {
        int64_t rank = indices->rank - 1 + data->rank - picked;
        fits = updates->rank == rank;
        for (int32_t i = 0; fits && i < updates->rank; i++)
            fits = i < indices->rank - 1 ? !dims_clash(updates->dims[i], indices->dims[i])
                                         : !dims_clash(updates->dims[i], data->dims[i - (indices->rank - 1) + picked]);
    }
    if (fits)
        shape_same(inference);
    else
        shape_clash(inference, CLASH_SHAPES,
                    "the indices have the shape %s, the data %s and the updates %s; these must be one part of the data "
                    "for each index",
                    shape_text(indices, texts[0]), shape_text(data, texts[1]),
                    updates ? shape_text(updates, texts[2]) : "an unknown one");
}
