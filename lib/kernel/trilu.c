/* Trilu: matrices with zeros below a diagonal, or above it. */
#include "kernel/support.h"

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct int_list list = {0};
    int64_t upper = 1;
    enum opshift_status status = kernel_arity(call, 1, 2, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "upper", &upper, error);
    if (status == OPSHIFT_OK)
        status = kernel_vector(call, kernel_input(call, 1), "the diagonal", &list, error);
    if (status == OPSHIFT_OK && list.present && list.count != 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the diagonal has %zu elements, must be a scalar", list.count);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *input = call->inputs[0];
    if (input->rank < 2)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input 0 has rank %u, must have 2 or more", input->rank);
    if (kernel_element(input->type) == 0)
        return kernel_no_number(input->type, error);
    status = kernel_output(call, 0, input->type, input->rank, input->dims, error);
    if (status == OPSHIFT_OK && input->count > 0)
        status = kernel_work(call, input->count / (uint64_t)input->dims[input->rank - 1], STEPS_MOVE, error);
    int64_t rows = input->dims[input->rank - 2], columns = input->dims[input->rank - 1];
    int64_t diagonal = list.present ? list.values[0] : 0;
    /* Beyond the corners every diagonal is alike. */
    diagonal = diagonal < -rows - 1 ? -rows - 1 : diagonal > columns + 1 ? columns + 1 : diagonal;
    for (uint64_t at = 0; status == OPSHIFT_OK && at < input->count; at += (uint64_t)columns) {
        int64_t from = (int64_t)(at / (uint64_t)columns % (uint64_t)rows) + diagonal + (upper != 0 ? 0 : 1);
        from = from < 0 ? 0 : from > columns ? columns : from;
        uint64_t first = upper != 0 ? (uint64_t)from : 0, count = (uint64_t)(upper != 0 ? columns - from : from);
        kernel_copy(call->outputs[0], at + first, input, at + first, count);
    }
    return status;
}

const struct kernel kernel_trilu[] = {{"Trilu", 14, KERNEL_ANY, run}, {0}};
