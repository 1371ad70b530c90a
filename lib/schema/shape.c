/* Shapes of outputs, for operators whose shape is simple. A rule is a function and a row; it says only what is certain.
 */
#include "schema/infer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A runtime that computes the chunks of an equal split in float differs above this. */
#define SPLIT_DIM_MAX (INT64_C(1) << 24)

/* ---- elementwise ---- */

static void shape_same(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    if (data != NULL)
        shape_like(&inference->outputs[0], data);
}

static void shape_dropout(struct inference *inference)
{
    shape_same(inference);
    if (inference->node->output_count > 1)
        shape_like(&inference->outputs[1], &inference->outputs[0]);
}

/* One dim of the broadcast of two: what is not 1 decides, even against the unknown. */
static void dim_broadcast(struct value_type *to, size_t at, int64_t dim, name_id param)
{
    if (to->dims[at] == 1) {
        to->dims[at] = dim;
        to->params[at] = param;
    } else if (dim == 1 || (dim == to->dims[at] && param == to->params[at])) {
        return;
    } else if (to->dims[at] < 0) {
        to->dims[at] = dim;
        to->params[at] = NAME_NONE;
    }
}

/* Broadcasts the inputs' first `count`. */
static void broadcast(struct inference *inference, uint32_t count)
{
    size_t rank = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct value_type *input = input_ranked(inference, i);
        if (input == NULL)
            return;
        rank = (size_t)input->rank > rank ? (size_t)input->rank : rank;
    }
    struct value_type *output = &inference->outputs[0];
    if (count == 0 || !shape_new(inference, output, rank))
        return;
    for (size_t i = 0; i < rank; i++)
        output->dims[i] = 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct value_type *input = input_ranked(inference, i);
        size_t shift = rank - (size_t)input->rank;
        for (size_t k = 0; k < (size_t)input->rank; k++)
            dim_broadcast(output, shift + k, input->dims[k], input->params[k]);
    }
}

static void shape_broadcast(struct inference *inference)
{
    broadcast(inference, inference->node->input_count);
}

/* Before opset 7 the second operand was stretched to the first, never the other way. */
static void shape_binary(struct inference *inference)
{
    if (inference->schema->since < 7)
        shape_same(inference);
    else
        broadcast(inference, inference->node->input_count);
}

/* ---- shapes out of constants ---- */

/* Dims as a list says them; a negative one is unknown. False: no list, but perhaps its length, then the rank. */
static bool shape_from_ints(struct inference *inference, uint32_t position, const int64_t **values, size_t *count)
{
    struct value_type *output = &inference->outputs[0];
    if (setting_ints(inference, "shape", position, values, count) == ANSWER_KNOWN)
        return shape_new(inference, output, *count);
    const struct value_type *list = input_ranked(inference, position);
    if (list != NULL && list->rank == 1 && list->dims[0] >= 0)
        shape_new(inference, output, (size_t)list->dims[0]);
    return false;
}

static void shape_constant_of_shape(struct inference *inference)
{
    struct value_type value = type_unknown, *output = &inference->outputs[0];
    const int64_t *dims;
    size_t count;
    enum answer answer = attribute_tensor_type(inference, "value", &value);
    output->type = answer == ANSWER_ABSENT ? OPSHIFT_TYPE_FLOAT : value.type;
    if (shape_from_ints(inference, 0, &dims, &count))
        for (size_t i = 0; i < count; i++)
            output->dims[i] = dims[i] >= 0 ? dims[i] : -1;
}

/* RandomNormal, RandomUniform. */
static void shape_attribute(struct inference *inference)
{
    const int64_t *dims;
    size_t count;
    struct value_type *output = &inference->outputs[0];
    if (attribute_ints(inference, "shape", &dims, &count) == ANSWER_KNOWN && shape_new(inference, output, count))
        for (size_t i = 0; i < count; i++)
            output->dims[i] = dims[i] >= 0 ? dims[i] : -1;
}

/* The dim written as -1: what is left of the elements. */
static int64_t reshape_rest(const struct value_type *data, const struct value_type *output, size_t rest)
{
    if (data == NULL)
        return -1;
    int64_t all = dims_product(data, 0, (size_t)data->rank), before = dims_product(output, 0, rest);
    int64_t after = dims_product(output, rest + 1, (size_t)output->rank), others;
    if (all < 0 || before < 0 || after < 0 || __builtin_mul_overflow(before, after, &others) || others == 0 ||
        all % others != 0)
        return -1;
    return all / others;
}

static void shape_reshape(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    const int64_t *dims;
    size_t count, rest = SIZE_MAX;
    int64_t allow_zero;
    if (!shape_from_ints(inference, 1, &dims, &count))
        return;
    if (!attribute_int_or(inference, "allowzero", 0, &allow_zero))
        return;
    for (size_t i = 0; i < count; i++) {
        if (dims[i] > 0 || (dims[i] == 0 && allow_zero != 0))
            output->dims[i] = dims[i];
        else if (dims[i] == 0 && data != NULL && i < (size_t)data->rank)
            dim_copy(output, i, data, i);
        else if (dims[i] == -1)
            rest = i;
    }
    if (rest != SIZE_MAX)
        output->dims[rest] = reshape_rest(data, output, rest);
}

static void shape_expand(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    const int64_t *dims;
    size_t count;
    struct value_type *output = &inference->outputs[0];
    if (data == NULL || input_ints(inference, 1, &dims, &count) != ANSWER_KNOWN)
        return;
    size_t rank = count > (size_t)data->rank ? count : (size_t)data->rank;
    if (!shape_new(inference, output, rank))
        return;
    for (size_t i = 0; i < rank; i++)
        output->dims[i] = 1;
    for (size_t i = 0; i < (size_t)data->rank; i++)
        dim_copy(output, rank - (size_t)data->rank + i, data, i);
    for (size_t i = 0; i < count; i++)
        dim_broadcast(output, rank - count + i, dims[i] >= 0 ? dims[i] : -1, NAME_NONE);
}

static void shape_tile(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    const int64_t *repeats;
    size_t count;
    /* Tile-1 repeats along one axis that is an input. */
    if (data == NULL || !shape_new(inference, output, (size_t)data->rank) || inference->schema->since < 6 ||
        input_ints(inference, 1, &repeats, &count) != ANSWER_KNOWN || count != (size_t)data->rank)
        return;
    for (size_t i = 0; i < count; i++) {
        if (repeats[i] == 1)
            dim_copy(output, i, data, i);
        else if (data->dims[i] < 0 || repeats[i] < 0 ||
                 __builtin_mul_overflow(data->dims[i], repeats[i], &output->dims[i]))
            output->dims[i] = -1;
    }
}

static void pad_axis(struct value_type *output, const struct value_type *data, size_t axis, int64_t before,
                     int64_t after)
{
    int64_t sum;
    output->params[axis] = NAME_NONE;
    output->dims[axis] = -1;
    if (before == 0 && after == 0)
        dim_copy(output, axis, data, axis);
    else if (data->dims[axis] >= 0 && !__builtin_add_overflow(before, after, &sum) &&
             !__builtin_add_overflow(sum, data->dims[axis], &sum) && sum >= 0)
        output->dims[axis] = sum;
}

static void shape_pad(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    const int64_t *pads, *axes = NULL;
    size_t count, axis_count = 0, axis;
    if (data == NULL || !shape_new(inference, output, (size_t)data->rank))
        return;
    enum answer named =
        inference_has_input(inference, 3) ? input_ints(inference, 3, &axes, &axis_count) : ANSWER_ABSENT;
    if (named == ANSWER_ABSENT)
        axis_count = (size_t)data->rank;
    if (named == ANSWER_UNKNOWN || setting_ints(inference, "pads", 1, &pads, &count) != ANSWER_KNOWN ||
        count != 2 * axis_count)
        return;
    for (size_t i = 0; i < (size_t)data->rank; i++)
        dim_copy(output, i, data, i);
    for (size_t i = 0; i < axis_count; i++) {
        if (!axis_resolve(axes != NULL ? axes[i] : (int64_t)i, (size_t)data->rank, &axis)) {
            shape_new(inference, output, (size_t)data->rank);
            return;
        }
        pad_axis(output, data, axis, pads[i], pads[i + axis_count]);
    }
}

static bool input_int(struct inference *inference, uint32_t position, int64_t *value)
{
    const int64_t *values;
    size_t count;
    if (input_ints(inference, position, &values, &count) != ANSWER_KNOWN || count != 1)
        return false;
    *value = values[0];
    return true;
}

static void shape_range(struct inference *inference)
{
    int64_t start, limit, delta, span;
    struct value_type *output = &inference->outputs[0];
    if (!shape_new(inference, output, 1) || !input_int(inference, 0, &start) || !input_int(inference, 1, &limit) ||
        !input_int(inference, 2, &delta) || delta == 0 || __builtin_sub_overflow(limit, start, &span) ||
        span == INT64_MIN || delta == INT64_MIN)
        return;
    if (span == 0 || (span < 0) != (delta < 0))
        output->dims[0] = 0;
    else
        output->dims[0] = (llabs(span) - 1) / llabs(delta) + 1;
}

/* ---- shapes about shapes ---- */

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

static void shape_shape(struct inference *inference)
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

static void shape_scalar(struct inference *inference)
{
    shape_new(inference, &inference->outputs[0], 0);
}

static void shape_nonzero(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    if (shape_new(inference, output, 2) && data != NULL && data->rank > 0)
        output->dims[0] = data->rank;
}

/* ---- axes moved, joined, cut ---- */

static void shape_transpose(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    const int64_t *order = NULL;
    size_t count;
    if (data == NULL || !shape_new(inference, output, (size_t)data->rank))
        return;
    enum answer answer = attribute_ints(inference, "perm", &order, &count);
    size_t rank = (size_t)data->rank, from;
    if (answer == ANSWER_UNKNOWN || (answer == ANSWER_KNOWN && count != rank))
        return;
    for (size_t i = 0; i < rank; i++)
        if (axis_resolve(answer == ANSWER_KNOWN ? order[i] : (int64_t)(rank - 1 - i), rank, &from))
            dim_copy(output, i, data, from);
}

/* Marks which of `rank` axes a list names; false: one is out of range or named twice. */
static bool axes_mark(const int64_t *axes, size_t count, size_t rank, bool *marked)
{
    memset(marked, 0, TENSOR_RANK_MAX * sizeof(*marked));
    for (size_t i = 0; i < count; i++) {
        size_t axis;
        if (!axis_resolve(axes[i], rank, &axis) || marked[axis])
            return false;
        marked[axis] = true;
    }
    return true;
}

static void shape_squeeze(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    const int64_t *axes;
    size_t count = 0, at = 0;
    bool gone[TENSOR_RANK_MAX] = {false};
    if (data == NULL)
        return;
    enum answer answer = setting_ints(inference, "axes", 1, &axes, &count);
    if (answer == ANSWER_UNKNOWN || (answer == ANSWER_KNOWN && !axes_mark(axes, count, (size_t)data->rank, gone)))
        return;
    for (int32_t i = 0; i < data->rank && answer == ANSWER_ABSENT; i++) {
        if (data->dims[i] < 0)
            return;
        gone[i] = data->dims[i] == 1;
        count += gone[i];
    }
    if (!shape_new(inference, output, (size_t)data->rank - count))
        return;
    for (size_t i = 0; i < (size_t)data->rank; i++)
        if (!gone[i])
            dim_copy(output, at++, data, i);
}

static void shape_unsqueeze(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    const int64_t *axes;
    size_t count, from = 0;
    bool fresh[TENSOR_RANK_MAX];
    if (data == NULL || setting_ints(inference, "axes", 1, &axes, &count) != ANSWER_KNOWN ||
        count > TENSOR_RANK_MAX - (size_t)data->rank || !axes_mark(axes, count, (size_t)data->rank + count, fresh) ||
        !shape_new(inference, output, (size_t)data->rank + count))
        return;
    for (size_t i = 0; i < (size_t)output->rank; i++) {
        if (fresh[i])
            output->dims[i] = 1;
        else
            dim_copy(output, i, data, from++);
    }
}

static void shape_flatten(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    int64_t axis;
    if (!shape_new(inference, output, 2) || data == NULL || !attribute_int_or(inference, "axis", 1, &axis))
        return;
    axis = axis < 0 ? axis + data->rank : axis;
    if (axis < 0 || axis > data->rank)
        return;
    output->dims[0] = dims_product(data, 0, (size_t)axis);
    output->dims[1] = dims_product(data, (size_t)axis, (size_t)data->rank);
}

/* Adds an input to a concatenation; seen: how many came before. */
static void concat_input(struct value_type *output, size_t axis, const struct value_type *input, bool first)
{
    for (size_t i = 0; i < (size_t)output->rank; i++) {
        if (i == axis)
            continue;
        if (output->dims[i] < 0 && (input->dims[i] >= 0 || first))
            dim_copy(output, i, input, i);
    }
    if (first)
        output->dims[axis] = 0;
    if (output->dims[axis] >= 0 &&
        (input->dims[axis] < 0 || __builtin_add_overflow(output->dims[axis], input->dims[axis], &output->dims[axis])))
        output->dims[axis] = -1;
}

static void shape_concat(struct inference *inference)
{
    const struct value_type *first = NULL;
    struct value_type *output = &inference->outputs[0];
    size_t axis;
    int64_t number;
    bool all = true;
    for (uint32_t i = 0; i < inference->node->input_count; i++) {
        const struct value_type *input = input_ranked(inference, i);
        all = all && input != NULL;
        first = first == NULL ? input : first;
    }
    /* Only Concat-1 has a default. */
    if (first == NULL || !shape_new(inference, output, (size_t)first->rank) ||
        !attribute_int_or(inference, "axis", inference->schema->since < 4 ? 1 : INT64_MAX, &number) ||
        !axis_resolve(number, (size_t)first->rank, &axis))
        return;
    for (uint32_t i = 0; i < inference->node->input_count; i++) {
        const struct value_type *input = input_ranked(inference, i);
        if (input != NULL && input->rank == first->rank)
            concat_input(output, axis, input, input == first);
        else
            all = false;
    }
    if (!all)
        output->dims[axis] = -1;
}

/* How long part `part` of an equal split is; -1: unknown. */
static int64_t split_chunk(const struct inference *inference, int64_t dim, uint32_t part)
{
    int64_t parts = inference->node->output_count;
    if (dim < 0 || dim > SPLIT_DIM_MAX)
        return -1;
    if (dim % parts == 0)
        return dim / parts;
    if (inference->schema->since < 18)
        return -1;
    int64_t chunk = (dim + parts - 1) / parts, last = dim - chunk * (parts - 1);
    if (last < 0)
        return -1;
    return part + 1 < parts ? chunk : last;
}

static void shape_split(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    const int64_t *lengths = NULL;
    size_t count = 0, axis;
    int64_t number, parts;
    if (data == NULL || !attribute_int_or(inference, "axis", 0, &number) ||
        !axis_resolve(number, (size_t)data->rank, &axis))
        return;
    enum answer answer = setting_ints(inference, "split", 1, &lengths, &count);
    bool equal = answer == ANSWER_ABSENT &&
                 attribute_int_or(inference, "num_outputs", inference->node->output_count, &parts) &&
                 parts == inference->node->output_count;
    for (uint32_t i = 0; i < inference->node->output_count; i++) {
        struct value_type *output = &inference->outputs[i];
        int64_t length = -1;
        if (answer == ANSWER_KNOWN && count == inference->node->output_count && lengths[i] >= 0)
            length = lengths[i];
        else if (equal)
            length = split_chunk(inference, data->dims[axis], i);
        if (i > 0 && inference->outputs[i - 1].dims[axis] == length) {
            shape_like(output, &inference->outputs[i - 1]);
            continue;
        }
        if (!shape_new(inference, output, (size_t)data->rank))
            return;
        for (size_t k = 0; k < (size_t)data->rank; k++)
            if (k != axis)
                dim_copy(output, k, data, k);
        output->dims[axis] = length;
    }
}

/* How many elements of a dim a slice takes; -1: unknown. */
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

/* starts, ends, axes, steps: the same number of each. */
struct slice {
    const int64_t *starts, *ends, *axes, *steps;
    size_t count;
    bool marked; /* which axes are cut is known */
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

static void shape_slice(struct inference *inference)
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

/* ---- elements picked ---- */

static void shape_gather(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0), *indices = input_ranked(inference, 1);
    struct value_type *output = &inference->outputs[0];
    size_t axis, at = 0;
    int64_t number;
    if (data == NULL || indices == NULL || !attribute_int_or(inference, "axis", 0, &number) ||
        !axis_resolve(number, (size_t)data->rank, &axis) ||
        !shape_new(inference, output, (size_t)(data->rank - 1 + indices->rank)))
        return;
    for (size_t i = 0; i < axis; i++)
        dim_copy(output, at++, data, i);
    for (size_t i = 0; i < (size_t)indices->rank; i++)
        dim_copy(output, at++, indices, i);
    for (size_t i = axis + 1; i < (size_t)data->rank; i++)
        dim_copy(output, at++, data, i);
}

static void shape_gather_elements(struct inference *inference)
{
    const struct value_type *indices = input_ranked(inference, 1);
    if (indices != NULL)
        shape_like(&inference->outputs[0], indices);
}

static void shape_gather_nd(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0), *indices = input_ranked(inference, 1);
    struct value_type *output = &inference->outputs[0];
    int64_t batch;
    size_t at = 0;
    if (data == NULL || indices == NULL || indices->rank < 1 || !attribute_int_or(inference, "batch_dims", 0, &batch) ||
        batch < 0 || batch >= indices->rank)
        return;
    int64_t picked = indices->dims[indices->rank - 1];
    if (picked < 1 || picked > data->rank - batch ||
        !shape_new(inference, output, (size_t)(indices->rank - 1 + data->rank - batch - picked)))
        return;
    for (size_t i = 0; i < (size_t)indices->rank - 1; i++)
        dim_copy(output, at++, indices, i);
    for (size_t i = (size_t)(batch + picked); i < (size_t)data->rank; i++)
        dim_copy(output, at++, data, i);
}

static void shape_top_k(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    int64_t number, count = -1;
    size_t axis;
    if (data == NULL || !shape_new(inference, output, (size_t)data->rank))
        return;
    bool known = schema_attribute_find(inference->schema, "k") != NULL ? attribute_int_or(inference, "k", -1, &count)
                                                                       : input_int(inference, 1, &count);
    if (attribute_int_or(inference, "axis", -1, &number) && axis_resolve(number, (size_t)data->rank, &axis)) {
        for (size_t i = 0; i < (size_t)data->rank; i++)
            if (i != axis)
                dim_copy(output, i, data, i);
        output->dims[axis] = known && count >= 0 ? count : -1;
    }
    if (inference->node->output_count > 1)
        shape_like(&inference->outputs[1], output);
}

static void shape_one_hot(struct inference *inference)
{
    const struct value_type *indices = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    int64_t number, depth;
    size_t axis;
    if (indices == NULL || !shape_new(inference, output, (size_t)indices->rank + 1) ||
        !attribute_int_or(inference, "axis", -1, &number) || !axis_resolve(number, (size_t)output->rank, &axis))
        return;
    for (size_t i = 0; i < (size_t)indices->rank; i++)
        dim_copy(output, i < axis ? i : i + 1, indices, i);
    if (input_int(inference, 1, &depth) && depth >= 0)
        output->dims[axis] = depth;
}

/* ---- reductions ---- */

static void reduce(struct inference *inference, const struct value_type *data, const bool *gone, bool keep)
{
    struct value_type *output = &inference->outputs[0];
    size_t rank = 0, at = 0;
    for (size_t i = 0; i < (size_t)data->rank; i++)
        rank += keep || !gone[i];
    if (!shape_new(inference, output, rank))
        return;
    for (size_t i = 0; i < (size_t)data->rank; i++) {
        if (!gone[i])
            dim_copy(output, at++, data, i);
        else if (keep)
            output->dims[at++] = 1;
    }
}

static void shape_reduce(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    const int64_t *axes;
    size_t count = 0;
    int64_t keep, no_op;
    bool gone[TENSOR_RANK_MAX];
    if (data == NULL || !attribute_int_or(inference, "keepdims", 1, &keep) ||
        !attribute_int_or(inference, "noop_with_empty_axes", 0, &no_op))
        return;
    enum answer answer = setting_ints(inference, "axes", 1, &axes, &count);
    if (answer == ANSWER_UNKNOWN) {
        if (keep != 0)
            shape_new(inference, &inference->outputs[0], (size_t)data->rank);
        return;
    }
    if (answer == ANSWER_ABSENT)
        count = 0;
    if (count > 0 && !axes_mark(axes, count, (size_t)data->rank, gone))
        return;
    for (size_t i = 0; i < TENSOR_RANK_MAX && count == 0; i++)
        gone[i] = no_op == 0;
    reduce(inference, data, gone, keep != 0);
}

static void shape_arg(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    int64_t axis, keep;
    bool gone[TENSOR_RANK_MAX];
    if (data != NULL && attribute_int_or(inference, "axis", 0, &axis) &&
        attribute_int_or(inference, "keepdims", 1, &keep) && axes_mark(&axis, 1, (size_t)data->rank, gone))
        reduce(inference, data, gone, keep != 0);
}

/* ---- products ---- */

/* numpy's rule: a vector is a row on the left, a column on the right, and that dim goes again. */
static void shape_mat_mul(struct inference *inference)
{
    const struct value_type *a = input_ranked(inference, 0), *b = input_ranked(inference, 1);
    struct value_type *output = &inference->outputs[0];
    if (a == NULL || b == NULL || a->rank < 1 || b->rank < 1)
        return;
    size_t stack_a = a->rank > 2 ? (size_t)a->rank - 2 : 0, stack_b = b->rank > 2 ? (size_t)b->rank - 2 : 0;
    size_t stack = stack_a > stack_b ? stack_a : stack_b;
    if (!shape_new(inference, output, stack + (a->rank > 1) + (b->rank > 1)))
        return;
    for (size_t i = 0; i < stack; i++)
        output->dims[i] = 1;
    for (size_t i = 0; i < stack_a; i++)
        dim_broadcast(output, stack - stack_a + i, a->dims[i], a->params[i]);
    for (size_t i = 0; i < stack_b; i++)
        dim_broadcast(output, stack - stack_b + i, b->dims[i], b->params[i]);
    if (a->rank > 1)
        dim_copy(output, stack, a, (size_t)a->rank - 2);
    if (b->rank > 1)
        dim_copy(output, (size_t)output->rank - 1, b, (size_t)b->rank - 1);
}

static void shape_gemm(struct inference *inference)
{
    const struct value_type *a = input_ranked(inference, 0), *b = input_ranked(inference, 1);
    struct value_type *output = &inference->outputs[0];
    int64_t turn_a, turn_b;
    if (!shape_new(inference, output, 2) || !attribute_int_or(inference, "transA", 0, &turn_a) ||
        !attribute_int_or(inference, "transB", 0, &turn_b))
        return;
    if (a != NULL && a->rank == 2)
        dim_copy(output, 0, a, turn_a != 0 ? 1 : 0);
    if (b != NULL && b->rank == 2)
        dim_copy(output, 1, b, turn_b != 0 ? 0 : 1);
}

/* ---- the table ---- */

/* By name, as strcmp sorts. */
static const struct {
    const char *op_type;
    void (*infer)(struct inference *inference);
} rules[] = {
    {"Abs", shape_same},
    {"Acos", shape_same},
    {"Acosh", shape_same},
    {"Add", shape_binary},
    {"And", shape_binary},
    {"ArgMax", shape_arg},
    {"ArgMin", shape_arg},
    {"Asin", shape_same},
    {"Asinh", shape_same},
    {"Atan", shape_same},
    {"Atanh", shape_same},
    {"AveragePool", shape_pool},
    {"BatchNormalization", shape_same},
    {"Bernoulli", shape_same},
    {"BitShift", shape_binary},
    {"BitwiseAnd", shape_binary},
    {"BitwiseNot", shape_same},
    {"BitwiseOr", shape_binary},
    {"BitwiseXor", shape_binary},
    {"Cast", shape_same},
    {"CastLike", shape_same},
    {"Ceil", shape_same},
    {"Celu", shape_same},
    {"Clip", shape_same},
    {"Concat", shape_concat},
    {"Constant", infer_constant},
    {"ConstantOfShape", shape_constant_of_shape},
    {"Conv", shape_conv},
    {"ConvTranspose", shape_conv_transpose},
    {"Cos", shape_same},
    {"Cosh", shape_same},
    {"CumProd", shape_same},
    {"CumSum", shape_same},
    {"DequantizeLinear", shape_same},
    {"Div", shape_binary},
    {"Dropout", shape_dropout},
    {"DynamicQuantizeLinear", shape_same},
    {"Elu", shape_same},
    {"Equal", shape_binary},
    {"Erf", shape_same},
    {"Exp", shape_same},
    {"Expand", shape_expand},
    {"EyeLike", shape_same},
    {"Flatten", shape_flatten},
    {"Floor", shape_same},
    {"Gather", shape_gather},
    {"GatherElements", shape_gather_elements},
    {"GatherND", shape_gather_nd},
    {"Gelu", shape_same},
    {"Gemm", shape_gemm},
    {"GlobalAveragePool", shape_global_pool},
    {"GlobalLpPool", shape_global_pool},
    {"GlobalMaxPool", shape_global_pool},
    {"Greater", shape_binary},
    {"GreaterOrEqual", shape_binary},
    {"GroupNormalization", shape_same},
    {"HardSigmoid", shape_same},
    {"HardSwish", shape_same},
    {"Hardmax", shape_same},
    {"Identity", shape_same},
    {"InstanceNormalization", shape_same},
    {"IsInf", shape_same},
    {"IsNaN", shape_same},
    {"LRN", shape_same},
    {"LayerNormalization", shape_same},
    {"LeakyRelu", shape_same},
    {"Less", shape_binary},
    {"LessOrEqual", shape_binary},
    {"Log", shape_same},
    {"LogSoftmax", shape_same},
    {"LpNormalization", shape_same},
    {"LpPool", shape_pool},
    {"MatMul", shape_mat_mul},
    {"Max", shape_broadcast},
    {"MaxPool", shape_pool},
    {"Mean", shape_broadcast},
    {"MeanVarianceNormalization", shape_same},
    {"Min", shape_broadcast},
    {"Mish", shape_same},
    {"Mod", shape_binary},
    {"Mul", shape_binary},
    {"Neg", shape_same},
    {"NonZero", shape_nonzero},
    {"Not", shape_same},
    {"OneHot", shape_one_hot},
    {"Or", shape_binary},
    {"PRelu", shape_same},
    {"Pad", shape_pad},
    {"Pow", shape_binary},
    {"QuantizeLinear", shape_same},
    {"RMSNormalization", shape_same},
    {"RandomNormal", shape_attribute},
    {"RandomNormalLike", shape_same},
    {"RandomUniform", shape_attribute},
    {"RandomUniformLike", shape_same},
    {"Range", shape_range},
    {"Reciprocal", shape_same},
    {"ReduceL1", shape_reduce},
    {"ReduceL2", shape_reduce},
    {"ReduceLogSum", shape_reduce},
    {"ReduceLogSumExp", shape_reduce},
    {"ReduceMax", shape_reduce},
    {"ReduceMean", shape_reduce},
    {"ReduceMin", shape_reduce},
    {"ReduceProd", shape_reduce},
    {"ReduceSum", shape_reduce},
    {"ReduceSumSquare", shape_reduce},
    {"Relu", shape_same},
    {"Reshape", shape_reshape},
    {"ReverseSequence", shape_same},
    {"Round", shape_same},
    {"Scatter", shape_same},
    {"ScatterElements", shape_same},
    {"ScatterND", shape_same},
    {"Selu", shape_same},
    {"Shape", shape_shape},
    {"Shrink", shape_same},
    {"Sigmoid", shape_same},
    {"Sign", shape_same},
    {"Sin", shape_same},
    {"Sinh", shape_same},
    {"Size", shape_scalar},
    {"Slice", shape_slice},
    {"Softmax", shape_same},
    {"Softplus", shape_same},
    {"Softsign", shape_same},
    {"Split", shape_split},
    {"Sqrt", shape_same},
    {"Squeeze", shape_squeeze},
    {"Sub", shape_binary},
    {"Sum", shape_broadcast},
    {"Swish", shape_same},
    {"Tan", shape_same},
    {"Tanh", shape_same},
    {"ThresholdedRelu", shape_same},
    {"Tile", shape_tile},
    {"TopK", shape_top_k},
    {"Transpose", shape_transpose},
    {"Trilu", shape_same},
    {"Unsqueeze", shape_unsqueeze},
    {"Where", shape_broadcast},
    {"Xor", shape_binary},
};

void infer_shapes(struct inference *inference)
{
    size_t low = 0, high = COUNT(rules);
    if (inference->schema->domain[0] != '\0' || inference->node->output_count == 0)
        return;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(rules[middle].op_type, inference->op_type);
        if (order == 0) {
            rules[middle].infer(inference);
            return;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
}
