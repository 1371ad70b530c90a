/* Operators that select each element from one of two sources: Where, Trilu, EyeLike. */
#include "kernel/walk.h"

/* ---- Where: selects by a bool tensor ---- */

/* Adjacent elements with the same condition are copied as one run. */
static void choose_row(const struct kernel_call *call, uint64_t to, const struct walk *walk, const struct walk_row *row)
{
    const uint8_t *choice = (const uint8_t *)call->inputs[0]->data + walk->at[0];
    for (uint64_t i = 0, run; i < row->count; i += run) {
        bool chosen = choice[(int64_t)i * row->step[0]] != 0;
        uint32_t from = chosen ? 1 : 2;
        run = 1;
        while (row->step[from] == 1 && i + run < row->count &&
               (choice[(int64_t)(i + run) * row->step[0]] != 0) == chosen)
            run++;
        kernel_copy(call->outputs[0], to + i, call->inputs[from],
                    (uint64_t)(walk->at[from] + (int64_t)i * row->step[from]), run);
    }
}

static enum opshift_status run_where(struct kernel_call *call, struct opshift_error *error)
{
    struct walk walk;
    struct walk_row row = {0};
    enum opshift_status status = walk_inputs(call, call->inputs, 3, call->inputs[1]->type, STEPS_MOVE, &walk, error);
    if (status)
        return status;
    walk_take_row(&walk, &row);
    for (uint64_t at = 0; at < call->outputs[0]->count; at += row.count, walk_next(&walk))
        choose_row(call, at, &walk, &row);
    return OPSHIFT_OK;
}

/* ---- Trilu: zeros below or above a diagonal ---- */

static enum opshift_status run_trilu(struct kernel_call *call, struct opshift_error *error)
{
    int64_t diagonal = 0, upper = kernel_int(call, ATTRIBUTE_UPPER);
    enum opshift_status status = kernel_whole(call, 1, "the diagonal", &diagonal, error);
    if (status)
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
    /* Diagonals outside the matrix are equivalent. */
    diagonal = diagonal < -rows - 1 ? -rows - 1 : diagonal > columns + 1 ? columns + 1 : diagonal;
    for (uint64_t at = 0; status == OPSHIFT_OK && at < input->count; at += (uint64_t)columns) {
        int64_t from = (int64_t)(at / (uint64_t)columns % (uint64_t)rows) + diagonal + (upper != 0 ? 0 : 1);
        from = from < 0 ? 0 : from > columns ? columns : from;
        uint64_t first = upper != 0 ? (uint64_t)from : 0, count = (uint64_t)(upper != 0 ? columns - from : from);
        kernel_copy(call->outputs[0], at + first, input, at + first, count);
    }
    return status;
}

/* ---- EyeLike (9, 22): ones on a diagonal, zeros elsewhere ---- */

static enum opshift_status run_eye_like(struct kernel_call *call, struct opshift_error *error)
{
    int64_t diagonal = kernel_int(call, ATTRIBUTE_K);
    enum opshift_status status = kernel_rank(call, 0, 2, 2, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    int64_t type = kernel_gives(call, ATTRIBUTE_DTYPE) ? kernel_int(call, ATTRIBUTE_DTYPE) : input->type;
    const struct number_type *number = number_type((enum opshift_type)type);
    if (number == NULL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "attribute 'dtype' is %lld, which is not a type of numbers",
                            (long long)type);
    status = kernel_output(call, 0, number->type, 2, input->dims, error);
    if (status)
        return status;
    int64_t rows = input->dims[0], columns = input->dims[1];
    if (diagonal <= -rows || diagonal >= columns)
        return OPSHIFT_OK;
    for (int64_t row = diagonal < 0 ? -diagonal : 0; row < rows && row + diagonal < columns; row++)
        number->store((char *)call->outputs[0]->data + (row * columns + row + diagonal) * number->size,
                      number_one(number->kind));
    return OPSHIFT_OK;
}

const struct kernel kernels_where[] = {
    {OPERATOR_EYE_LIKE, 9, KERNEL_ANY, run_eye_like, {0}},
    {OPERATOR_TRILU, 14, KERNEL_ANY, run_trilu, {0}},
    {OPERATOR_WHERE, 9, KERNEL_ANY, run_where, {0}},
    {0},
};
