/* Computes small constants through operators that move elements: Concat, Gather, Slice, Transpose and similar ones. */
#include "infer/compute.h"

size_t known_broadcast(const struct known *output, size_t at, const struct known *input)
{
    size_t place = 0, stride = 1;
    for (uint32_t i = 0; i < output->rank; i++) {
        size_t axis = output->rank - 1 - i, dim = (size_t)output->dims[axis];
        size_t index = at % dim;
        at /= dim;
        if (i >= input->rank)
            break;
        size_t own = (size_t)input->dims[input->rank - 1 - i];
        place += own == 1 ? 0 : index * stride;
        stride *= own;
    }
    return place < input->count ? place : 0;
}

size_t known_reduced(const struct known *input, size_t at, const bool *gone)
{
    size_t place = 0, stride = 1;
    for (uint32_t i = input->rank; i-- > 0;) {
        size_t dim = (size_t)input->dims[i], index = at % dim;
        at /= dim;
        if (gone[i])
            continue;
        place += index * stride;
        stride *= dim;
    }
    return place;
}

static bool element_copy(struct inference *inference, struct known *to, size_t at, const struct known *from,
                         size_t index)
{
    if (at >= to->count || index >= from->count)
        return false;
    to->numbers[at] = from->numbers[index];
    name_id symbol = known_symbol(from, index);
    if (symbol != NAME_NONE)
        return known_set_symbol(inference, to, at, symbol);
    if (to->symbols)
        to->symbols[at] = NAME_NONE;
    return true;
}

/* Creates the output, if the first input is known and has the output's type. */
static struct known *output_new(struct inference *inference, uint32_t output, const struct known *input)
{
    struct known *made = input ? known_new(inference, &inference->outputs[output]) : NULL;
    return made && made->type == input->type ? made : NULL;
}

/* The same elements in another shape. */
void compute_same(struct inference *inference)
{
    const struct known *input = input_known(inference, 0);
    struct known *output = output_new(inference, 0, input);
    if (output == NULL || output->count != input->count)
        return;
    output->numbers = input->numbers;
    output->symbols = input->symbols;
    inference->known[0] = output;
}

void compute_fill(struct inference *inference)
{
    struct known *output = known_new(inference, &inference->outputs[0]);
    const Onnx__AttributeProto *message;
    struct tensor *tensor;
    enum setting_state state = operation_message(&inference->operation, ATTRIBUTE_VALUE, &message);
    if (output == NULL)
        return;
    if (state != SETTING_ABSENT) {
        if (state == SETTING_UNKNOWN || message->t == NULL ||
            !inference_goes_on(inference, model_tensor(inference->model, message->t, inference->arena, &tensor,
                                                       inference_error(inference))))
            return;
        const struct known *value = known_from_tensor(inference->arena, tensor);
        if (value == NULL || value->count != 1 || value->type != output->type)
            return;
        for (uint32_t i = 0; i < output->count; i++)
            output->numbers[i] = value->numbers[0];
    }
    inference->known[0] = output;
}

/* ---- along one axis ---- */

/* Number of elements before an axis, and after it. */
static void axis_sizes(const struct known *known, size_t axis, size_t *before, size_t *behind)
{
    *before = *behind = 1;
    for (size_t i = 0; i < known->rank; i++)
        *(i < axis ? before : behind) *= i == axis ? 1 : (size_t)known->dims[i];
}

void compute_concat(struct inference *inference)
{
    const struct known *first = input_known(inference, 0);
    struct known *output = output_new(inference, 0, first);
    size_t axis, before, behind, start = 0;
    int64_t number;
    if (output == NULL || !concat_axis(inference, &number) || !axis_resolve(number, output->rank, &axis))
        return;
    axis_sizes(output, axis, &before, &behind);
    size_t whole = (size_t)output->dims[axis];
    for (uint32_t i = 0; i < inference->node->input_count; i++) {
        const struct known *input = input_known(inference, i);
        if (input == NULL || input->rank != output->rank || input->type != output->type)
            return;
        size_t own = (size_t)input->dims[axis];
        for (size_t k = 0; k < input->count; k++) {
            size_t outer = k / (own * behind), rest = k % (own * behind);
            if (!element_copy(inference, output, outer * whole * behind + start * behind + rest, input, k))
                return;
        }
        start += own;
    }
    if (start == whole)
        inference->known[0] = output;
}

void compute_gather(struct inference *inference)
{
    const struct known *data = input_known(inference, 0), *indices = input_known(inference, 1);
    struct known *output = output_new(inference, 0, data);
    size_t axis, before, behind;
    int64_t number;
    if (output == NULL || indices == NULL || indices->symbols || known_is_real(indices) ||
        !operation_int(&inference->operation, ATTRIBUTE_AXIS, &number) || !axis_resolve(number, data->rank, &axis))
        return;
    axis_sizes(data, axis, &before, &behind);
    size_t dim = (size_t)data->dims[axis], at = 0;
    for (size_t i = 0; i < before; i++)
        for (uint32_t k = 0; k < indices->count; k++) {
            int64_t index = indices->numbers[k] < 0 ? indices->numbers[k] + (int64_t)dim : indices->numbers[k];
            if (index < 0 || index >= (int64_t)dim)
                return;
            for (size_t m = 0; m < behind; m++)
                if (!element_copy(inference, output, at++, data, (i * dim + (size_t)index) * behind + m))
                    return;
        }
    if (at == output->count)
        inference->known[0] = output;
}

void compute_split(struct inference *inference)
{
    const struct known *data = input_known(inference, 0);
    size_t axis, before, behind, start = 0;
    int64_t number;
    if (data == NULL || !operation_int(&inference->operation, ATTRIBUTE_AXIS, &number) ||
        !axis_resolve(number, data->rank, &axis))
        return;
    axis_sizes(data, axis, &before, &behind);
    size_t dim = (size_t)data->dims[axis];
    for (uint32_t i = 0; i < inference->node->output_count; i++) {
        struct known *output = output_new(inference, i, data);
        if (output == NULL || output->rank != data->rank)
            return;
        size_t own = (size_t)output->dims[axis];
        for (size_t k = 0; k < output->count; k++) {
            size_t outer = k / (own * behind), rest = k % (own * behind);
            if (!element_copy(inference, output, k, data, (outer * dim + start) * behind + rest))
                return;
        }
        start += own;
        inference->known[i] = output;
    }
}

/* ---- along all axes ---- */

/* For an output axis: the start and step of the index on the input axis. */
struct pick_axis {
    int64_t start, step;
    size_t dim, stride; /* of the input axis; indices are taken modulo dim */
};

static void strides_find(const struct known *input, size_t *strides)
{
    size_t stride = 1;
    for (uint32_t i = input->rank; i-- > 0;) {
        strides[i] = stride;
        stride *= (size_t)input->dims[i];
    }
}

static void pick(struct inference *inference, struct known *output, const struct known *input,
                 const struct pick_axis *axes)
{
    for (size_t at = 0; at < output->count; at++) {
        size_t rest = at, place = 0;
        for (uint32_t i = output->rank; i-- > 0;) {
            int64_t index = (int64_t)(rest % (size_t)output->dims[i]);
            rest /= (size_t)output->dims[i];
            index = axes[i].start + axes[i].step * index;
            if (index < 0 || axes[i].dim == 0)
                return;
            place += (size_t)index % axes[i].dim * axes[i].stride;
        }
        if (!element_copy(inference, output, at, input, place))
            return;
    }
    inference->known[0] = output;
}

void compute_transpose(struct inference *inference)
{
    const struct known *input = input_known(inference, 0);
    struct known *output = output_new(inference, 0, input);
    const int64_t *order;
    size_t count, strides[KNOWN_RANK_MAX] = {0}, from;
    struct pick_axis axes[KNOWN_RANK_MAX] = {0};
    if (output == NULL || output->rank != input->rank)
        return;
    enum setting_state answer = attribute_ints(inference, ATTRIBUTE_PERM, &order, &count);
    if (answer == SETTING_UNKNOWN || (answer >= SETTING_DEFAULT && count != input->rank))
        return;
    strides_find(input, strides);
    for (uint32_t i = 0; i < output->rank; i++) {
        if (!axis_resolve(answer >= SETTING_DEFAULT ? order[i] : (int64_t)(input->rank - 1 - i), input->rank, &from))
            return;
        axes[i] = (struct pick_axis){0, 1, (size_t)input->dims[from], strides[from]};
    }
    pick(inference, output, input, axes);
}

/* Expand repeats dims of 1, Tile any dim. */
static void repeat(struct inference *inference)
{
    const struct known *input = input_known(inference, 0);
    struct known *output = output_new(inference, 0, input);
    size_t strides[KNOWN_RANK_MAX] = {0};
    struct pick_axis axes[KNOWN_RANK_MAX] = {0};
    if (output == NULL || output->rank < input->rank)
        return;
    strides_find(input, strides);
    uint32_t shift = output->rank - input->rank;
    for (uint32_t i = 0; i < output->rank; i++) {
        axes[i] = (struct pick_axis){0, 1, 1, 0};
        if (i >= shift)
            axes[i] = (struct pick_axis){0, 1, (size_t)input->dims[i - shift], strides[i - shift]};
    }
    pick(inference, output, input, axes);
}

void compute_expand(struct inference *inference)
{
    repeat(inference);
}

void compute_tile(struct inference *inference)
{
    if (inference->operation.schema->since >= 6)
        repeat(inference);
}

void compute_slice(struct inference *inference)
{
    const struct known *input = input_known(inference, 0);
    struct known *output = output_new(inference, 0, input);
    const int64_t *starts, *numbers = NULL, *steps = NULL;
    size_t count, number_count = 0, step_count = 0, strides[KNOWN_RANK_MAX] = {0}, axis;
    struct pick_axis axes[KNOWN_RANK_MAX] = {0};
    if (output == NULL || output->rank != input->rank ||
        setting_ints(inference, ATTRIBUTE_STARTS, 1, &starts, &count) < SETTING_DEFAULT)
        return;
    enum setting_state chosen = setting_ints(inference, ATTRIBUTE_AXES, 3, &numbers, &number_count);
    enum setting_state stepped = SETTING_ABSENT;
    if (schema_input(inference->operation.schema, 4) != NULL)
        stepped = input_ints(inference, 4, &steps, &step_count);
    if (chosen == SETTING_UNKNOWN || stepped == SETTING_UNKNOWN ||
        (chosen >= SETTING_DEFAULT && number_count != count) || (stepped >= SETTING_DEFAULT && step_count != count))
        return;
    strides_find(input, strides);
    for (uint32_t i = 0; i < output->rank; i++)
        axes[i] = (struct pick_axis){0, 1, (size_t)input->dims[i], strides[i]};
    for (size_t i = 0; i < count; i++) {
        int64_t step = stepped >= SETTING_DEFAULT ? steps[i] : 1;
        if (!axis_resolve(chosen >= SETTING_DEFAULT ? numbers[i] : (int64_t)i, input->rank, &axis) || step == 0 ||
            step < -(int64_t)KNOWN_COUNT_MAX)
            return;
        slice_cut(input->dims[axis], starts[i], 0, step, &axes[axis].start);
        axes[axis].step = step > (int64_t)KNOWN_COUNT_MAX ? (int64_t)KNOWN_COUNT_MAX : step;
    }
    pick(inference, output, input, axes);
}
