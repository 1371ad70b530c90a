/* Operators that compare elements of two inputs. Every ordered comparison with NaN is false, and NaN equals nothing. */
#include "kernel/elementwise.h"

#include "kernel/walk.h"

static bool same(enum number_kind kind, union number a, union number b)
{
    return kind == NUMBER_REAL ? a.d == b.d : a.u == b.u;
}

static enum opshift_status compare_texts(struct kernel_call *call, struct opshift_error *error)
{
    struct walk walk;
    enum opshift_status status = walk_inputs(call, call->inputs, 2, OPSHIFT_TYPE_BOOL, STEPS_MOVE, &walk, error);
    if (status)
        return status;
    for (uint64_t i = 0; i < call->outputs[0]->count && status == OPSHIFT_OK; i++, walk_next(&walk)) {
        struct bytes a = call->inputs[0]->strings[walk.at[0]], b = call->inputs[1]->strings[walk.at[1]];
        status = kernel_work(call, a.size == b.size ? a.size / 8 : 0, 1, error);
        ((uint8_t *)call->outputs[0]->data)[i] = status == OPSHIFT_OK && bytes_same(a, b);
    }
    return status;
}

static enum opshift_status run_equal(struct kernel_call *call, struct opshift_error *error)
{
    const struct tensor *input = kernel_input(call, 0);
    if (call->operation.opset >= 19 && input != NULL && input->type == OPSHIFT_TYPE_STRING)
        return compare_texts(call, error);
    return elementwise_compare(call, error);
}

static bool above(enum number_kind kind, union number a, union number b)
{
    return number_order(kind, a, b) > 0;
}

static bool below(enum number_kind kind, union number a, union number b)
{
    return above(kind, b, a);
}

static bool above_or_same(enum number_kind kind, union number a, union number b)
{
    return kind == NUMBER_REAL ? a.d >= b.d : !above(kind, b, a);
}

static bool below_or_same(enum number_kind kind, union number a, union number b)
{
    return above_or_same(kind, b, a);
}

const struct kernel kernels_compare[] = {
    {OPERATOR_EQUAL, 1, KERNEL_ANY, run_equal, {.test = same}},
    {OPERATOR_GREATER, 1, KERNEL_ANY, elementwise_compare, {.test = above}},
    {OPERATOR_GREATER_OR_EQUAL, 12, KERNEL_ANY, elementwise_compare, {.test = above_or_same}},
    {OPERATOR_LESS, 1, KERNEL_ANY, elementwise_compare, {.test = below}},
    {OPERATOR_LESS_OR_EQUAL, 12, KERNEL_ANY, elementwise_compare, {.test = below_or_same}},
    {0},
};
