/* Shapes of operators that select elements: Slice, Gather, TopK, OneHot; and of Shape and Size. */
#include "infer/shape.h"

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

void shape_shape(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    int64_t start, end;
    if (!shape_new(inference, output, 1) || data == NULL || !attribute_int_or(inference, "start", 0, &start) ||
        !attribute_int_or(inference, "end", data->rank, &end))
        return;
    start = clamp(start < 0 ? start + data->rank : start, 0, data->rank);
    end = clamp(end < 0 ? end + data->rank : end, 0, data->rank);
    output->dims[0] = end > start ? end - start : 0;
}

void shape_scalar(struct inference *inference)
{
    shape_new(inference, &inference->outputs[0], 0);
}

/* Number of elements in a slice of a dim; -1: unknown. */
static int64_t slice_length(int64_t dim, int64_t start, int64_t end, int64_t step)
{
    if (dim < 0 || step == 0 || step == INT64_MIN)
        return -1;
    start = start < 0 ? start + dim : start;
    end = end < 0 ? end + dim : end;
    if (step > 0) {
        start = clamp(start, 0, dim);
        end = clamp(end, 0, dim);
        return end > start ? (end - start - 1) / step + 1 : 0;
    }
    start = clamp(start, 0, dim - 1);
    end = clamp(end, -1, dim - 1);
    return dim > 0 && start > end ? (start - end - 1) / -step + 1 : 0;
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
    enum answer start = setting_ints(inference, "starts", 1, &slice->starts, &starts);
    enum answer end = setting_ints(inference, "ends", 2, &slice->ends, &ends);
    enum answer axis = setting_ints(inference, "axes", 3, &slice->axes, &axes);
    enum answer step = ANSWER_ABSENT;
    if (schema_input(inference->schema, 4) != NULL)
        step = input_ints(inference, 4, &slice->steps, &steps);
    bool known = start == ANSWER_KNOWN && end == ANSWER_KNOWN && step != ANSWER_UNKNOWN && starts == ends &&
                 (step == ANSWER_ABSENT || steps == starts);
    slice->count = axis == ANSWER_KNOWN ? axes : starts;
    slice->marked = axis == ANSWER_KNOWN || (axis == ANSWER_ABSENT && start == ANSWER_KNOWN);
    if (!known || starts != slice->count)
        slice->starts = NULL;
}

void shape_slice(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    struct slice slice = {0};
    size_t axis;
    if (data == NULL || !shape_new(inference, output, (size_t)data->rank))
        return;
    slice_read(inference, &slice);
    if (!slice.marked)
        return;
    for (size_t i = 0; i < (size_t)data->rank; i++)
        dim_copy(output, i, data, i);
    for (size_t i = 0; i < slice.count; i++) {
        if (!axis_resolve(slice.axes != NULL ? slice.axes[i] : (int64_t)i, (size_t)data->rank, &axis)) {
            shape_new(inference, output, (size_t)data->rank);
            return;
        }
        output->params[axis] = NAME_NONE;
        output->dims[axis] = slice.starts == NULL ? -1
                                                  : slice_length(data->dims[axis], slice.starts[i], slice.ends[i],
                                                                 slice.steps != NULL ? slice.steps[i] : 1);
    }
}

/* ---- selected elements ---- */

void shape_gather(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0), *indices = input_ranked(inference, 1);
    struct value_type *output = &inference->outputs[0];
    size_t axis, at = 0;
    int64_t number;
    if (data == NULL || !attribute_int_or(inference, "axis", 0, &number) ||
        !axis_check(inference, number, data->rank, &axis) || indices == NULL ||
        !shape_new(inference, output, (size_t)data->rank - 1 + (size_t)indices->rank))
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
    if (data && attribute_int_or(inference, "axis", 0, &number) && !axis_check(inference, number, data->rank, &axis))
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
    if (data == NULL || indices == NULL || indices->rank < 1 || !attribute_int_or(inference, "batch_dims", 0, &batch) ||
        batch < 0 || batch >= indices->rank)
        return;
    int64_t picked = indices->dims[indices->rank - 1];
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
    bool known = schema_attribute_find(inference->schema, "k") != NULL ? attribute_int_or(inference, "k", -1, &count)
                                                                       : input_int(inference, 1, &count);
    if (attribute_int_or(inference, "axis", -1, &number) && axis_check(inference, number, data->rank, &axis)) {
        for (size_t i = 0; i < (size_t)data->rank; i++)
            if (i != axis)
                dim_copy(output, i, data, i);
        output->dims[axis] = known && count >= 0 ? count : -1;
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
        !attribute_int_or(inference, "axis", -1, &number) || !axis_check(inference, number, output->rank, &axis))
        return;
    for (size_t i = 0; i < (size_t)indices->rank; i++)
        dim_copy(output, i < axis ? i : i + 1, indices, i);
    if (input_int(inference, 1, &depth) && depth >= 0)
        output->dims[axis] = depth;
}
