/* Pad: adds elements (or, with negative pads, removes them) at both ends of the axes. */
#include "model/number.h"
#include "kernel/walk.h"

#include <math.h>

/* No tensor has so many elements; sums of several such numbers do not overflow. */
#define PAD_MAX (INT64_MAX / 8)

enum pad_mode { PAD_CONSTANT, PAD_REFLECT, PAD_EDGE, PAD_WRAP };

struct pad_sizes {
    enum pad_mode mode;
    int64_t before[TENSOR_RANK_MAX], after[TENSOR_RANK_MAX];
    const struct tensor *value; /* one element; NULL: zero */
};

/* Two numbers per axis: first all begins, then all ends. */
static enum opshift_status place_pads(const struct kernel_call *call, const struct int_list *pads,
                                      const struct int_list *axes, struct pad_sizes *padding,
                                      struct opshift_error *error)
{
    const struct tensor *data = call->inputs[0];
    bool chosen[TENSOR_RANK_MAX] = {false};
    size_t count = axes->present ? axes->count : data->rank;
    enum opshift_status status = kernel_axes(axes, data->rank, chosen, error);
    if (status)
        return status;
    if (pads->count != 2 * count)
        return opshift_fail(error, OPSHIFT_MALFORMED, "there are %zu pads, must be %zu", pads->count, 2 * count);
    for (size_t i = 0; i < count; i++) {
        int64_t axis = axes->present ? axes->values[i] : (int64_t)i;
        size_t place = (size_t)(axis < 0 ? axis + data->rank : axis);
        padding->before[place] = pads->values[i];
        padding->after[place] = pads->values[count + i];
    }
    return OPSHIFT_OK;
}

static enum opshift_status find_padding(struct kernel_call *call, struct pad_sizes *padding,
                                        struct opshift_error *error)
{
    const struct tensor *data = call->inputs[0];
    struct int_list pads, axes = {0};
    float value = kernel_float(call, ATTRIBUTE_VALUE);
    *padding = (struct pad_sizes){.mode = (enum pad_mode)kernel_choice(call, ATTRIBUTE_MODE)};
    enum opshift_status status =
        kernel_setting(call, kernel_has(call, ATTRIBUTE_PADDINGS) ? ATTRIBUTE_PADDINGS : ATTRIBUTE_PADS, 1,
                       "the list of pads", &pads, error);
    if (status == OPSHIFT_OK && call->operation.opset >= 18)
        status = kernel_vector(call, kernel_input(call, 3), "the list of axes", &axes, error);
    if (status == OPSHIFT_OK)
        status = place_pads(call, &pads, &axes, padding, error);
    if (status)
        return status;
    padding->value = call->operation.opset < 11 ? NULL : kernel_input(call, 2);
    if (padding->value != NULL && (padding->value->type != data->type || padding->value->count != 1))
        return opshift_fail(error, OPSHIFT_MALFORMED, "the value is %s with %llu elements, must be %s with one",
                            type_name(padding->value->type), (unsigned long long)padding->value->count,
                            type_name(data->type));
    if (value == 0 && !signbit(value))
        return OPSHIFT_OK;
    struct tensor *element = NULL;
    const struct number_type *type = number_type(data->type);
    if (type == NULL || type->kind != NUMBER_REAL)
        return kernel_no_number(data->type, error);
    status = tensor_new(call->arena, data->type, 0, NULL, &element, error);
    if (status == OPSHIFT_OK)
        type->store(element->data, (union number){.d = (double)value});
    padding->value = element;
    return status;
}

/* The input position along an axis of size dim for an output position; -1: none. */
static int64_t source_place(enum pad_mode mode, int64_t place, int64_t dim)
{
    if (place >= 0 && place < dim)
        return place;
    int64_t period = mode == PAD_REFLECT ? 2 * (dim - 1) : dim;
    switch (mode) {
    case PAD_EDGE:
        return place < 0 ? 0 : dim - 1;
    case PAD_REFLECT:
    case PAD_WRAP:
        if (period == 0)
            return 0;
        place = (place % period + period) % period;
        return place < dim ? place : period - place;
    default:
        return -1;
    }
}

/* The output's dims; modes that repeat elements need a non-empty axis. */
static enum opshift_status find_dims(const struct tensor *data, const struct pad_sizes *padding, int64_t *dims,
                                     struct opshift_error *error)
{
    for (uint32_t i = 0; i < data->rank; i++) {
        int64_t before = padding->before[i], after = padding->after[i], dim = data->dims[i];
        bool fits = before >= -PAD_MAX && before <= PAD_MAX && after >= -PAD_MAX && after <= PAD_MAX && dim <= PAD_MAX;
        dims[i] = fits ? before + dim + after : -1;
        if (dims[i] < 0)
            return opshift_fail(error, OPSHIFT_MALFORMED, "pads %lld and %lld leave no length for axis %u of %lld",
                                (long long)before, (long long)after, i, (long long)dim);
        if (padding->mode != PAD_CONSTANT && dim == 0 && dims[i] > 0)
            return opshift_fail(error, OPSHIFT_MALFORMED, "axis %u has no elements to pad with", i);
    }
    return OPSHIFT_OK;
}

/* Sets one element outside the input. from is the start of its input row, or -1. */
static void pad_element(struct tensor *output, uint64_t at, const struct tensor *data, int64_t from, int64_t place,
                        const struct tensor *value)
{
    if (from >= 0 && place >= 0)
        kernel_copy(output, at, data, (uint64_t)(from + place), 1);
    else if (value != NULL)
        kernel_copy(output, at, value, 0, 1);
}

/* The start of the input row for an output row along the last axis; -1: none. */
static int64_t source_row(const struct walk *walk, const struct tensor *data, const struct pad_sizes *padding,
                          const int64_t *strides)
{
    int64_t from = 0;
    for (uint32_t axis = 0; axis < walk->rank; axis++) {
        int64_t place = source_place(padding->mode, walk->index[axis] - padding->before[axis], data->dims[axis]);
        if (place < 0)
            return -1;
        from += place * strides[axis];
    }
    return from;
}

/* The part of each row that is in the input is copied as one run. */
static void copy_rows(struct tensor *output, const struct tensor *data, const struct pad_sizes *padding)
{
    int64_t strides[TENSOR_RANK_MAX];
    struct walk walk;
    uint32_t last = data->rank - 1;
    int64_t length = output->dims[last], dim = data->dims[last], before = padding->before[last];
    int64_t first = before < 0 ? 0 : before < length ? before : length;
    int64_t end = before + dim < first ? first : before + dim < length ? before + dim : length;
    walk_strides(data->rank, data->dims, strides);
    walk_start(&walk, last, output->dims);
    for (uint64_t at = 0; at < output->count; at += (uint64_t)length, walk_next(&walk)) {
        int64_t from = source_row(&walk, data, padding, strides), middle = from < 0 ? first : end;
        for (int64_t i = 0; i < first; i++)
            pad_element(output, at + (uint64_t)i, data, from, source_place(padding->mode, i - before, dim),
                        padding->value);
        if (middle > first)
            kernel_copy(output, at + (uint64_t)first, data, (uint64_t)(from + first - before),
                        (uint64_t)(middle - first));
        for (int64_t i = middle; i < length; i++)
            pad_element(output, at + (uint64_t)i, data, from, source_place(padding->mode, i - before, dim),
                        padding->value);
    }
}

static void pad_tensor(struct tensor *output, const struct tensor *data, const struct pad_sizes *padding)
{
    if (data->rank > 0)
        copy_rows(output, data, padding);
    else
        kernel_copy(output, 0, data, 0, 1);
}

/* Cost: one copy per row, and one per padded element. */
static enum opshift_status charge(const struct kernel_call *call, struct opshift_error *error)
{
    const struct tensor *output = call->outputs[0], *data = call->inputs[0];
    if (output->count == 0)
        return OPSHIFT_OK;
    uint64_t rows = output->rank == 0 ? 1 : output->count / (uint64_t)output->dims[output->rank - 1];
    uint64_t apart = output->count > data->count ? output->count - data->count : 0;
    enum opshift_status status = kernel_work(call, rows, (uint64_t)STEPS_MOVE + output->rank, error);
    return status == OPSHIFT_OK ? kernel_work(call, apart, STEPS_MOVE, error) : status;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct pad_sizes padding;
    int64_t dims[TENSOR_RANK_MAX];
    enum opshift_status status = find_padding(call, &padding, error);
    if (status == OPSHIFT_OK)
        status = find_dims(call->inputs[0], &padding, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, call->inputs[0]->type, call->inputs[0]->rank, dims, error);
    if (status == OPSHIFT_OK)
        status = charge(call, error);
    if (status == OPSHIFT_OK)
        pad_tensor(call->outputs[0], call->inputs[0], &padding);
    return status;
}

const struct kernel kernels_pad[] = {{OPERATOR_PAD, 1, KERNEL_ANY, run, {0}}, {0}};
