/* CumSum and CumProd: cumulative sums and products along an axis, inclusive or exclusive, forward or reverse. */
#include "kernel/elementwise.h"

/* One line along the axis: count elements, stride bytes apart. */
static bool sum_line(const struct number_type *type, const char *from, char *to, int64_t count, int64_t stride,
                     bool exclusive, bool product)
{
    union number sum = {.u = product};
    bool fits = true;
    if (type->kind == NUMBER_REAL)
        sum.d = product ? 1.0 : exclusive ? 0.0 : -0.0; /* so that a sum of -0.0 alone is -0.0 */
    for (int64_t i = 0; i < count; i++) {
        union number value = type->load(from + i * stride), next;
        if (type->kind == NUMBER_REAL)
            next.d = product ? sum.d * value.d : sum.d + value.d;
        else if (product)
            fits = whole_multiply(type->kind, sum, value, &next) && whole_fits(type, next) && fits;
        else
            fits = whole_add(type->kind, sum, value, &next) && whole_fits(type, next) && fits;
        type->store(to + i * stride, next);
        next = type->load(to + i * stride); /* rounded to the type at each step */
        if (exclusive)
            type->store(to + i * stride, sum);
        sum = next;
    }
    return fits;
}

/* False: an integer sum has wrapped around. */
static bool sum_lines(struct kernel_call *call, const struct number_type *type, uint32_t axis, bool exclusive,
                      bool reverse)
{
    const struct tensor *input = call->inputs[0];
    int64_t inner = 1, length = input->dims[axis];
    bool fits = true;
    if (input->count == 0)
        return true;
    for (uint32_t i = axis + 1; i < input->rank; i++)
        inner *= input->dims[i];
    for (uint64_t at = 0; at < input->count; at += (uint64_t)(inner * length)) {
        for (int64_t line = 0; line < inner; line++) {
            int64_t first = (int64_t)at + line + (reverse ? (length - 1) * inner : 0);
            fits =
                sum_line(type, (const char *)input->data + first * type->size,
                         (char *)call->outputs[0]->data + first * type->size, length,
                         (reverse ? -inner : inner) * type->size, exclusive, call->operation.id == OPERATOR_CUM_PROD) &&
                fits;
        }
    }
    return fits;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    int64_t number = 0, exclusive = kernel_int(call, ATTRIBUTE_EXCLUSIVE),
            reverse = kernel_int(call, ATTRIBUTE_REVERSE);
    uint32_t axis = 0;
    enum opshift_status status = kernel_whole(call, 1, "the axis", &number, error);
    if (status == OPSHIFT_OK)
        status = kernel_axis(number, call->inputs[0]->rank, &axis, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    const struct number_type *type = number_type(input->type);
    status = kernel_like(call, input->type, STEPS_MOVE, error);
    if (status == OPSHIFT_OK && !sum_lines(call, type, axis, exclusive != 0, reverse != 0))
        status = elementwise_overflowed(call, type, error);
    return status;
}

const struct kernel kernels_cum_sum[] = {
    {OPERATOR_CUM_PROD, 26, KERNEL_ANY, run, {0}},
    {OPERATOR_CUM_SUM, 11, KERNEL_ANY, run, {0}},
    {0},
};
