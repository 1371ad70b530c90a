/* Slice: a range along each axis; attributes before opset 10, inputs (with steps) since. */
#include "infer/infer.h"
#include "kernel/walk.h"

struct slice_lists {
    struct int_list starts, ends, axes, steps;
};

/* The range taken along one axis. */
struct axis_slice {
    int64_t start, step, count;
};

static enum opshift_status find_ranges(const struct kernel_call *call, struct slice_lists *ranges,
                                       struct opshift_error *error)
{
    *ranges = (struct slice_lists){0};
    const struct {
        enum attribute_id id;
        const char *words;
        struct int_list *list;
    } parts[] = {
        {ATTRIBUTE_STARTS, "the list of starts", &ranges->starts},
        {ATTRIBUTE_ENDS, "the list of ends", &ranges->ends},
        {ATTRIBUTE_AXES, "the list of axes", &ranges->axes},
    };
    enum opshift_status status = kernel_vector(call, kernel_input(call, 4), "the list of steps", &ranges->steps, error);
    for (uint32_t i = 0; i < COUNT(parts); i++) {
        if (status == OPSHIFT_OK)
            status = kernel_setting(call, parts[i].id, i + 1, parts[i].words, parts[i].list, error);
        if (status)
            return status;
        if (parts[i].list->present && parts[i].list->count != ranges->starts.count)
            return opshift_fail(error, OPSHIFT_MALFORMED, "%s has %zu entries, must have %zu as the starts",
                                parts[i].words, parts[i].list->count, ranges->starts.count);
    }
    return OPSHIFT_OK;
}

static enum opshift_status find_cuts(const struct tensor *data, const struct slice_lists *ranges,
                                     struct axis_slice *cuts, struct opshift_error *error)
{
    bool chosen[TENSOR_RANK_MAX] = {false};
    for (uint32_t i = 0; i < data->rank; i++)
        cuts[i] = (struct axis_slice){.step = 1, .count = data->dims[i]};
    for (size_t i = 0; i < ranges->starts.count; i++) {
        int64_t axis = ranges->axes.present ? ranges->axes.values[i] : (int64_t)i;
        int64_t step = ranges->steps.present ? ranges->steps.values[i] : 1;
        uint32_t place;
        enum opshift_status status = kernel_axis(axis, data->rank, &place, error);
        if (status)
            return status;
        if (chosen[place])
            return opshift_fail(error, OPSHIFT_MALFORMED, "axis %lld is given twice", (long long)axis);
        if (step == 0)
            return opshift_fail(error, OPSHIFT_MALFORMED, "the step along axis %lld is 0", (long long)axis);
        chosen[place] = true;
        cuts[place].step = step;
        cuts[place].count =
            slice_cut(data->dims[place], ranges->starts.values[i], ranges->ends.values[i], step, &cuts[place].start);
    }
    return OPSHIFT_OK;
}

static enum opshift_status copy_elements(struct kernel_call *call, const struct axis_slice *cuts,
                                         struct opshift_error *error)
{
    const struct tensor *data = call->inputs[0];
    int64_t dims[TENSOR_RANK_MAX], strides[TENSOR_RANK_MAX];
    struct walk walk;
    for (uint32_t i = 0; i < data->rank; i++)
        dims[i] = cuts[i].count;
    enum opshift_status status = kernel_output(call, 0, data->type, data->rank, dims, error);
    if (status)
        return status;
    walk_start(&walk, data->rank, dims);
    walk_strides(data->rank, data->dims, strides);
    for (uint32_t i = 0; i < data->rank; i++) {
        /* Along an axis of size 1 the stride is unused, and a huge step would overflow. */
        walk.strides[0][i] = dims[i] > 1 ? strides[i] * cuts[i].step : 0;
        walk.at[0] += strides[i] * cuts[i].start;
    }
    return walk_copy(call, &walk, call->outputs[0], data, error);
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct slice_lists ranges;
    struct axis_slice cuts[TENSOR_RANK_MAX];
    enum opshift_status status = find_ranges(call, &ranges, error);
    if (status == OPSHIFT_OK)
        status = find_cuts(call->inputs[0], &ranges, cuts, error);
    return status == OPSHIFT_OK ? copy_elements(call, cuts, error) : status;
}

const struct kernel kernels_slice[] = {{OPERATOR_SLICE, 1, KERNEL_ANY, run, {0}}, {0}};
