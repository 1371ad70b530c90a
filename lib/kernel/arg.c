/* Operators that say where along an axis the best element is. */
#include "kernel/arg.h"

/* The best of one line: count elements, stride bytes apart. */
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

enum opshift_status arg_run(struct kernel_call *call,
                            bool (*is_better)(enum number_kind kind, union number a, union number b),
                            struct opshift_error *error)
{
    int64_t axis = 0, keep = 1, last = 0, dims[TENSOR_RANK_MAX], inner = 1;
    uint32_t place = 0, rank = 0;
    enum opshift_status status = kernel_arity(call, 1, 1, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "axis", &axis, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "keepdims", &keep, error);
    if (status == OPSHIFT_OK && call->opset >= 12)
        status = kernel_int(call, "select_last_index", &last, error);
    if (status == OPSHIFT_OK)
        status = kernel_axis(axis, call->inputs[0]->rank, &place, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    const struct number_type *type = number_type(input->type);
    if (type == NULL || input->type == OPSHIFT_TYPE_BOOL)
        return kernel_no_number(input->type, error);
    for (uint32_t i = 0; i < input->rank; i++)
        if (i != place || keep != 0)
            dims[rank++] = i == place ? 1 : input->dims[i];
    status = kernel_work(call, input->count, STEPS_COMPUTE, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, OPSHIFT_TYPE_INT64, rank, dims, error);
    if (status != OPSHIFT_OK || call->outputs[0]->count == 0)
        return status;
    if (input->dims[place] == 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "axis %u has no elements to choose from", place);
    for (uint32_t i = place + 1; i < input->rank; i++)
        inner *= input->dims[i];
    int64_t *output = call->outputs[0]->data;
    for (uint64_t i = 0; i < call->outputs[0]->count; i++) {
        int64_t first = (int64_t)i / inner * inner * input->dims[place] + (int64_t)i % inner;
        output[i] = best_of_line(type, (const char *)input->data + first * type->size, input->dims[place],
                                 inner * type->size, last != 0, is_better);
    }
    return OPSHIFT_OK;
}
