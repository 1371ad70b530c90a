/* ArgMax, ArgMin and NonZero: indices of elements. */
#include "kernel/element.h"
#include "kernel/walk.h"

#include <math.h>

/* The index of the best element in one line: count elements, stride bytes apart. */
static int64_t best_of_line(const struct number_type *type, const char *from, int64_t count, int64_t stride, bool last,
                            bool (*is_better)(enum number_kind kind, union number a, union number b))
{
    union number best = type->load(from);
    int64_t where = 0;
    for (int64_t i = 1; i < count; i++) {
        union number element = type->load(from + i * stride);
        if (is_better(type->kind, element, best) || (last && !is_better(type->kind, best, element))) {
            best = element;
            where = i;
        }
    }
    return where;
}

/* how.test: is the first element better than the second? */
static enum opshift_status run_best(struct kernel_call *call, struct opshift_error *error)
{
    int64_t axis = kernel_int(call, ATTRIBUTE_AXIS), keep = kernel_int(call, ATTRIBUTE_KEEPDIMS),
            last = kernel_int(call, ATTRIBUTE_SELECT_LAST_INDEX), dims[TENSOR_RANK_MAX], inner = 1;
    uint32_t place = 0, rank = 0;
    enum opshift_status status = kernel_axis(axis, call->inputs[0]->rank, &place, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    const struct number_type *type = number_type(input->type);
    for (uint32_t i = 0; i < input->rank; i++)
        if (i != place || keep != 0)
            dims[rank++] = i == place ? 1 : input->dims[i];
    status = kernel_work(call, input->count, STEPS_COMPUTE, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, OPSHIFT_TYPE_INT64, rank, dims, error);
    if (status || call->outputs[0]->count == 0)
        return status;
    if (input->dims[place] == 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "axis %u has no elements to choose from", place);
    for (uint32_t i = place + 1; i < input->rank; i++)
        inner *= input->dims[i];
    int64_t *output = call->outputs[0]->data;
    for (uint64_t i = 0; i < call->outputs[0]->count; i++) {
        int64_t first = (int64_t)i / inner * inner * input->dims[place] + (int64_t)i % inner;
        output[i] = best_of_line(type, (const char *)input->data + first * type->size, input->dims[place],
                                 inner * type->size, last != 0, call->how.test);
    }
    return OPSHIFT_OK;
}

/* NaN is better than any number, in ArgMax and ArgMin. */
static bool is_greater(enum number_kind kind, union number a, union number b)
{
    return kind == NUMBER_REAL && isnan(a.d) ? !isnan(b.d) : number_order(kind, a, b) > 0;
}

static bool is_less(enum number_kind kind, union number a, union number b)
{
    return kind == NUMBER_REAL && isnan(a.d) ? !isnan(b.d) : number_order(kind, a, b) < 0;
}

static bool is_zero(const struct tensor *tensor, uint64_t at)
{
    if (tensor->type == OPSHIFT_TYPE_STRING)
        return tensor->strings[at].size == 0;
    union number number = element_load(tensor, at);
    return element_kind(tensor->type) == NUMBER_REAL ? number.d == 0 : number.u == 0;
}

static enum opshift_status run_non_zero(struct kernel_call *call, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    int64_t dims[2] = {input->rank, 0}, found = 0;
    struct walk walk;
    if (!element_is_number(input->type) && input->type != OPSHIFT_TYPE_STRING)
        return kernel_no_number(input->type, error);
    enum opshift_status status = kernel_work(call, input->count, 2 * (uint64_t)STEPS_MOVE, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++)
        dims[1] += !is_zero(input, i);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, OPSHIFT_TYPE_INT64, 2, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->outputs[0]->count, STEPS_COMPUTE, error);
    walk_start(&walk, input->rank, input->dims);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++, walk_next(&walk)) {
        if (is_zero(input, i))
            continue;
        for (uint32_t axis = 0; axis < input->rank; axis++)
            ((int64_t *)call->outputs[0]->data)[axis * dims[1] + found] = walk.index[axis];
        found++;
    }
    return status;
}

const struct kernel kernels_arg[] = {
    {OPERATOR_ARG_MAX, 1, KERNEL_ANY, run_best, {.test = is_greater}},
    {OPERATOR_ARG_MIN, 1, KERNEL_ANY, run_best, {.test = is_less}},
    {OPERATOR_NON_ZERO, 9, KERNEL_ANY, run_non_zero, {0}},
    {0},
};
