/* Where: elements of one tensor or of another, as a tensor of bool chooses. */
#include "kernel/walk.h"

/* Of a row, the elements that are chosen alike and lie side by side are one run. */
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

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t rank = 0;
    struct walk walk;
    struct walk_row row = {0};
    enum opshift_status status = kernel_arity(call, 3, 3, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *choice = call->inputs[0], *yes = call->inputs[1], *no = call->inputs[2];
    if (choice->type != OPSHIFT_TYPE_BOOL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input 0 is %s, must be bool", type_name(choice->type));
    if (yes->type != no->type)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input 2 is %s, must be %s as input 1", type_name(no->type),
                            type_name(yes->type));
    status = walk_common_shape(call, call->inputs, 3, &rank, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, yes->type, rank, dims, error);
    if (status != OPSHIFT_OK)
        return status;
    status = kernel_work(call, call->outputs[0]->count, STEPS_MOVE, error);
    if (status != OPSHIFT_OK)
        return status;
    walk_start(&walk, rank, dims);
    for (uint32_t i = 0; i < 3; i++)
        walk_broadcast(&walk, i, call->inputs[i]);
    walk_take_row(&walk, &row);
    for (uint64_t at = 0; at < call->outputs[0]->count; at += row.count, walk_next(&walk))
        choose_row(call, at, &walk, &row);
    return OPSHIFT_OK;
}

const struct kernel kernel_where[] = {{"Where", 9, KERNEL_ANY, run}, {0}};
