/* Shapes of operators that permute, join, split or reduce axes: Transpose, Squeeze, Concat, Split, reductions. */
#include "infer/shape.h"

#include <inttypes.h>

#include "schema/split_cut.h"

/* False: it is no permutation of the axes. */
static bool order_check(struct inference *inference, const struct value_type *data, const int64_t *order, size_t count)
{
    bool marked[TENSOR_RANK_MAX] = {false};
    if (data && (size_t)data->rank != count) {
        shape_clash(inference, CLASH_PERMUTATION, "perm lists %zu axes, and the input has %d; list each once", count,
                    data->rank);
        return false;
    }
    for (size_t i = 0; i < count && count <= TENSOR_RANK_MAX; i++) {
        bool outside = order[i] < 0 || order[i] >= (int64_t)count;
        if (outside || marked[order[i]]) {
            shape_clash(inference, CLASH_PERMUTATION,
                        "perm is not a permutation of the axes 0 to %zu: %" PRId64 " is %s; list each once", count - 1,
                        order[i], outside ? "none of them" : "there twice");
            return false;
        }
        marked[order[i]] = true;
    }
    return true;
}

void shape_transpose(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    const int64_t *order = NULL;
    size_t count;
    enum setting_state answer = attribute_ints(inference, ATTRIBUTE_PERM, &order, &count);
    if ((answer >= SETTING_DEFAULT && !order_check(inference, data, order, count)) || data == NULL ||
        !shape_new(inference, output, (size_t)data->rank) || answer == SETTING_UNKNOWN)
        return;
    size_t rank = (size_t)data->rank, from;
    for (size_t i = 0; i < rank; i++)
        if (axis_resolve(answer >= SETTING_DEFAULT ? order[i] : (int64_t)(rank - 1 - i), rank, &from))
            dim_copy(output, i, data, from);
}

/* False: an axis that goes is not 1 long. */
static bool squeeze_check(struct inference *inference, const struct value_type *data, const int64_t *axes, size_t count,
                          bool *gone)
{
    size_t at;
    for (size_t i = 0; i < count; i++)
        if (axis_resolve(axes[i], (size_t)data->rank, &at) && dims_clash(data->dims[at], 1)) {
            shape_clash(inference, CLASH_AXIS,
                        "axis %" PRId64 " is to go, and it is %" PRId64 " long; only one of length 1 can", axes[i],
                        data->dims[at]);
            return false;
        }
    return axes_check(inference, axes, count, data->rank, gone);
}

void shape_squeeze(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    const int64_t *axes;
    size_t count = 0, at = 0;
    bool gone[TENSOR_RANK_MAX] = {false};
    if (data == NULL)
        return;
    enum setting_state answer = setting_ints(inference, ATTRIBUTE_AXES, 1, &axes, &count);
    if (answer == SETTING_UNKNOWN || (answer >= SETTING_DEFAULT && !squeeze_check(inference, data, axes, count, gone)))
        return;
    inference->rank_follows_dims = answer == SETTING_ABSENT;
    for (int32_t i = 0; i < data->rank && answer == SETTING_ABSENT; i++) {
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

void shape_unsqueeze(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    const int64_t *axes;
    size_t count, from = 0;
    bool fresh[TENSOR_RANK_MAX];
    if (data == NULL || setting_ints(inference, ATTRIBUTE_AXES, 1, &axes, &count) < SETTING_DEFAULT ||
        count > TENSOR_RANK_MAX - (size_t)data->rank ||
        !axes_check(inference, axes, count, data->rank + (int64_t)count, fresh) ||
        !shape_new(inference, output, (size_t)data->rank + count))
        return;
    for (size_t i = 0; i < (size_t)output->rank; i++) {
        if (fresh[i])
            output->dims[i] = 1;
        else
            dim_copy(output, i, data, from++);
    }
}

/* The product of dims[first .. last), of which at most one may be symbolic. */
static void dim_join(struct value_type *output, size_t at, const struct value_type *data, size_t first, size_t last)
{
    size_t open = last;
    int64_t product = 1;
    for (size_t i = first; i < last; i++) {
        if (data->dims[i] >= 0)
            product = dim_times(product, data->dims[i]);
        else if (open != last)
            return;
        else
            open = i;
    }
    if (open == last)
        dim_set(output, at, product);
    else if (product == 1)
        dim_copy(output, at, data, open);
}

void shape_flatten(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    int64_t axis;
    if (!shape_new(inference, output, 2) || data == NULL ||
        !operation_int(&inference->operation, ATTRIBUTE_AXIS, &axis))
        return;
    int32_t least = inference->operation.schema->since < 11 ? 0 : -data->rank;
    if (axis < least || axis > data->rank) {
        shape_clash(inference, CLASH_AXIS, "axis %" PRId64 " is outside [%d, %d]; use a value in this range", axis,
                    least, data->rank);
        return;
    }
    axis = axis < 0 ? axis + data->rank : axis;
    dim_join(output, 0, data, 0, (size_t)axis);
    dim_join(output, 1, data, (size_t)axis, (size_t)data->rank);
}

/* Adds an input to a concatenation; seen: number of inputs before it. */
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

/* False: shapes differ at another axis. axis SIZE_MAX: unknown. */
static bool concat_check(struct inference *inference, const struct value_type *first, size_t axis)
{
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    uint32_t first_at = 0;
    while (input_ranked(inference, first_at) != first)
        first_at++;
    for (uint32_t i = first_at + 1; i < inference->node->input_count; i++) {
        const struct value_type *input = input_ranked(inference, i);
        bool clash = input && input->rank != first->rank;
        for (int32_t k = 0; input && axis != SIZE_MAX && !clash && k < input->rank; k++)
            clash = (size_t)k != axis && dims_clash(input->dims[k], first->dims[k]);
        if (clash) {
            shape_clash(inference, CLASH_SHAPES,
                        "inputs %u and %u have the shapes %s and %s, which may differ only at the axis of the "
                        "concatenation; make the other dims equal",
                        first_at, i, shape_text(first, one), shape_text(input, other));
            return false;
        }
    }
    return true;
}

bool concat_axis(const struct inference *inference, int64_t *axis)
{
    enum setting_state state = operation_int(&inference->operation, ATTRIBUTE_AXIS, axis);
    bool first = state == SETTING_ABSENT && inference->operation.schema->since < 4;
    *axis = first ? 1 : *axis;
    return first || state == SETTING_GIVEN;
}

void shape_concat(struct inference *inference)
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
    bool known = concat_axis(inference, &number);
    if (first == NULL || (known && !axis_check(inference, number, first->rank, &axis)) ||
        !concat_check(inference, first, known ? axis : SIZE_MAX) ||
        !shape_new(inference, output, (size_t)first->rank) || !known)
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

/* False: the axis is unknown. Lint reports faults; without num_outputs and lengths, equal parts are meant. */
static bool read_split(struct inference *inference, const struct value_type *data, struct split_cut *cut)
{
    const int64_t *lengths = NULL;
    size_t count = 0;
    uint32_t outputs = inference->node->output_count;
    int64_t parts;
    bool counted = operation_gives(&inference->operation, ATTRIBUTE_NUM_OUTPUTS);
    *cut = split_cut_start(inference->operation.schema->since, outputs);
    if (!operation_int(&inference->operation, ATTRIBUTE_AXIS, &cut->axis))
        return false;
    enum setting_state answer = setting_ints(inference, ATTRIBUTE_SPLIT, 1, &lengths, &count);
    if (answer != SETTING_ABSENT)
        split_cut_list(cut, cut->since < 13 ? SPLIT_ATTRIBUTE : SPLIT_INPUT,
                       answer >= SETTING_DEFAULT && count == outputs ? lengths : NULL, outputs);
    else
        split_cut_count(
            cut, operation_int(&inference->operation, ATTRIBUTE_NUM_OUTPUTS, &parts) && (!counted || parts == outputs),
            outputs);
    split_cut_data(cut, data);
    return cut->front >= 0;
}

void shape_split(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct split_cut cut;
    if (data == NULL || !read_split(inference, data, &cut))
        return;
    bool unsure = cut.dim > SPLIT_COUNTED_MAX && !split_is_listed(&cut);
    for (uint32_t i = 0; i < inference->node->output_count; i++) {
        struct value_type *output = &inference->outputs[i];
        int64_t length = unsure || split_length(&cut, i) < 0 ? -1 : split_length(&cut, i);
        if (i > 0 && inference->outputs[i - 1].dims[cut.front] == length) {
            shape_like(output, &inference->outputs[i - 1]);
            continue;
        }
        if (!shape_new(inference, output, (size_t)data->rank))
            return;
        for (size_t k = 0; k < (size_t)data->rank; k++)
            if (k != (size_t)cut.front)
                dim_copy(output, k, data, k);
        output->dims[cut.front] = length;
    }
}

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

bool axes_reduced(struct inference *inference, int64_t rank, bool *gone, bool *known)
{
    const int64_t *axes;
    size_t count = 0;
    int64_t no_op;
    enum setting_state answer = setting_ints(inference, ATTRIBUTE_AXES, 1, &axes, &count);
    *known = answer != SETTING_UNKNOWN && operation_int(&inference->operation, ATTRIBUTE_NOOP_WITH_EMPTY_AXES, &no_op);
    if (!*known)
        return false;
    /* Runtimes accept a reduction of a scalar over axis 0 or -1. */
    bool scalar = rank == 0 && count == 1 && answer >= SETTING_DEFAULT && (axes[0] == 0 || axes[0] == -1);
    if (answer >= SETTING_DEFAULT && count > 0)
        return scalar || axes_check(inference, axes, count, rank, gone);
    for (int64_t i = 0; i < rank; i++)
        gone[i] = no_op == 0;
    return true;
}

void shape_reduce(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    int64_t keep;
    bool gone[TENSOR_RANK_MAX], known;
    if (data == NULL || !operation_int(&inference->operation, ATTRIBUTE_KEEPDIMS, &keep))
        return;
    if (axes_reduced(inference, data->rank, gone, &known))
        reduce(inference, data, gone, keep != 0);
    else if (!known && keep != 0)
        shape_new(inference, &inference->outputs[0], (size_t)data->rank);
}

void shape_arg(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    int64_t axis, keep;
    bool gone[TENSOR_RANK_MAX];
    bool is_scalar = data != NULL && data->rank == 0 && !operation_gives(&inference->operation, ATTRIBUTE_AXIS);
    if (data != NULL && !is_scalar && operation_int(&inference->operation, ATTRIBUTE_AXIS, &axis) &&
        operation_int(&inference->operation, ATTRIBUTE_KEEPDIMS, &keep) &&
        axes_check(inference, &axis, 1, data->rank, gone))
        reduce(inference, data, gone, keep != 0);
}
