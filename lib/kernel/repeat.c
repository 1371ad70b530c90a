/* Operators that repeat elements: ConstantOfShape, Expand, Tile. */
#include "split/split_copy.h"
#include "kernel/walk.h"

/* ---- ConstantOfShape: one value repeated to a shape ---- */

/* The one-element tensor of attribute value; a float 0 if absent. */
static enum opshift_status find_value(struct kernel_call *call, struct tensor **value, struct opshift_error *error)
{
    const Onnx__AttributeProto *attribute = kernel_message(call, ATTRIBUTE_VALUE);
    if (attribute == NULL || attribute->t == NULL)
        return tensor_new(call->arena, OPSHIFT_TYPE_FLOAT, 0, NULL, value, error);
    enum opshift_status status = kernel_decode(call, attribute, value, error);
    if (status == OPSHIFT_OK && (*value)->count != 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'value' has %llu elements, must have 1",
                            (unsigned long long)(*value)->count);
    return status;
}

static enum opshift_status run_constant_of_shape(struct kernel_call *call, struct opshift_error *error)
{
    struct int_list shape;
    struct tensor *value = NULL;
    enum opshift_status status = kernel_sizes(call, 0, "the shape", &shape, error);
    if (status == OPSHIFT_OK && shape.count > TENSOR_RANK_MAX)
        status = opshift_fail(error, OPSHIFT_UNSUPPORTED, "the shape has %zu dims, above the limit of %d", shape.count,
                              TENSOR_RANK_MAX);
    if (status == OPSHIFT_OK)
        status = find_value(call, &value, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, value->type, (uint32_t)shape.count, shape.values, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->outputs[0]->count, STEPS_MOVE, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < call->outputs[0]->count; i++)
        kernel_copy(call->outputs[0], i, value, 0, 1);
    return status;
}

/* ---- Expand: broadcasts the input and a shape to each other ---- */

static enum opshift_status run_expand(struct kernel_call *call, struct opshift_error *error)
{
    struct int_list shape;
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t rank;
    struct walk walk;
    enum opshift_status status = kernel_sizes(call, 1, "the shape", &shape, error);
    if (status == OPSHIFT_OK && shape.count > TENSOR_RANK_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the shape has %zu dims, above the limit of %d", shape.count,
                            TENSOR_RANK_MAX);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    const struct tensor wanted = {.rank = (uint32_t)shape.count, .dims = (int64_t *)shape.values};
    const struct tensor *const both[] = {input, &wanted};
    status = walk_common_shape(call, both, 2, &rank, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, input->type, rank, dims, error);
    if (status)
        return status;
    walk_start(&walk, rank, dims);
    walk_broadcast(&walk, 0, input);
    return walk_copy(call, &walk, call->outputs[0], input, error);
}

/* ---- Tile: repeats the input along its axes ---- */

/* Opset 1 repeats along one axis; the count and the axis are inputs of the type of the data. */
static enum opshift_status axis_repeats(const struct kernel_call *call, int64_t *repeats, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    uint32_t place = 0;
    double times = 0, axis = 0;
    enum opshift_status status = kernel_number(call, 1, &times, error);
    if (status == OPSHIFT_OK)
        status = kernel_number(call, 2, &axis, error);
    if (status)
        return status;
    if (!(times >= 0 && times <= INT32_MAX))
        return opshift_fail(error, OPSHIFT_MALFORMED, "the input cannot be repeated %g times", times);
    for (uint32_t i = 0; i < input->rank; i++)
        repeats[i] = 1;
    status = kernel_axis(axis > -1000 && axis < 1000 ? (int64_t)axis : 1000, input->rank, &place, error);
    if (status == OPSHIFT_OK)
        repeats[place] = (int64_t)times;
    return status;
}

/* Since opset 6 a list has a count per axis. */
static enum opshift_status find_repeats(const struct kernel_call *call, int64_t *repeats, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    struct int_list list;
    enum opshift_status status = kernel_sizes(call, 1, "the list of repeats", &list, error);
    if (status == OPSHIFT_OK && list.count != input->rank)
        status = opshift_fail(error, OPSHIFT_MALFORMED, "the list of repeats has %zu entries, must have %u", list.count,
                              input->rank);
    for (size_t i = 0; status == OPSHIFT_OK && i < list.count; i++)
        repeats[i] = list.values[i];
    return status;
}

/* The last axes, down to the first repeated one, are one run of the input, copied repeatedly to the output. */
static enum opshift_status repeat_runs(const struct kernel_call *call, const int64_t *repeats,
                                       struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    struct tensor *output = call->outputs[0];
    int64_t strides[TENSOR_RANK_MAX];
    uint64_t run = 1, times = 1;
    uint32_t rank = input->rank;
    size_t element = kernel_element(input->type);
    struct walk walk;
    if (output->count == 0)
        return OPSHIFT_OK;
    while (rank > 0 && times == 1) {
        run *= (uint64_t)input->dims[--rank];
        times = (uint64_t)repeats[rank];
    }
    enum opshift_status status =
        kernel_work(call, output->count / run / times, 2 * (uint64_t)STEPS_MOVE + 4 * (uint64_t)rank, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, element == 0 ? output->count : output->count / run, STEPS_ENTRY, error);
    if (status)
        return status;
    walk_strides(input->rank, input->dims, strides);
    walk_start(&walk, rank, output->dims);
    for (uint64_t at = 0; at < output->count; at += run * times, walk_next(&walk)) {
        uint64_t from = 0;
        for (uint32_t axis = 0; axis < rank; axis++)
            from += (uint64_t)(walk.index[axis] % input->dims[axis] * strides[axis]);
        if (element > 0)
            split_rows((uint8_t *)output->data + at * element, (const uint8_t *)input->data + from * element, 0,
                       run * element, times, output->count * element);
        for (uint64_t i = 0; element == 0 && i < times; i++)
            kernel_copy(output, at + i * run, input, from, run);
    }
    return OPSHIFT_OK;
}

static enum opshift_status run_tile(struct kernel_call *call, struct opshift_error *error)
{
    int64_t repeats[TENSOR_RANK_MAX], dims[TENSOR_RANK_MAX];
    enum opshift_status status =
        call->operation.opset < 6 ? axis_repeats(call, repeats, error) : find_repeats(call, repeats, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    for (uint32_t i = 0; i < input->rank; i++)
        if (__builtin_mul_overflow(input->dims[i], repeats[i], &dims[i]))
            return opshift_fail(error, OPSHIFT_UNSUPPORTED, "axis %u repeated %lld times overflows", i,
                                (long long)repeats[i]);
    status = kernel_output(call, 0, input->type, input->rank, dims, error);
    return status == OPSHIFT_OK ? repeat_runs(call, repeats, error) : status;
}

const struct kernel kernels_repeat[] = {
    {OPERATOR_CONSTANT_OF_SHAPE, 9, KERNEL_ANY, run_constant_of_shape, {0}},
    {OPERATOR_EXPAND, 8, KERNEL_ANY, run_expand, {0}},
    {OPERATOR_TILE, 1, KERNEL_ANY, run_tile, {0}},
    {0},
};
