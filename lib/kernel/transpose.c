/* Transpose: permutes the axes; reverses them by default. */
#include "split/split_copy.h"
#include "split/split_rows.h"
#include "kernel/walk.h"

static enum opshift_status find_order(const struct kernel_call *call, uint32_t rank, uint32_t *order,
                                      struct opshift_error *error)
{
    struct int_list perm = kernel_ints(call, ATTRIBUTE_PERM);
    bool chosen[TENSOR_RANK_MAX] = {false};
    if (perm.present && perm.count != rank)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'perm' has %zu entries, the input has %u axes",
                            perm.count, rank);
    enum opshift_status status = kernel_axes(&perm, rank, chosen, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < rank; i++) {
        if (perm.present)
            status = kernel_axis(perm.values[i], rank, &order[i], error);
        else
            order[i] = rank - 1 - i;
    }
    return status;
}

/* Most permutations exchange two groups of adjacent axes: [outer, rows, columns, inner] becomes [outer, columns,
 * rows, inner]. */
struct exchange {
    uint64_t outer, rows, columns, inner;
};

static bool find_exchange(const struct tensor *input, const uint32_t *order, struct exchange *exchange)
{
    uint32_t first = 0, end = input->rank, middle;
    while (first < end && order[first] == first)
        first++;
    while (end > first && order[end - 1] == end - 1)
        end--;
    middle = first < end ? order[first] : first;
    *exchange = (struct exchange){1, 1, 1, 1};
    for (uint32_t i = 0; i < input->rank; i++) {
        if (i >= first && i < end && order[i] != first + (middle + i - 2 * first) % (end - first))
            return false;
        *(i < first    ? &exchange->outer
          : i < middle ? &exchange->rows
          : i < end    ? &exchange->columns
                       : &exchange->inner) *= (uint64_t)input->dims[i];
    }
    return true;
}

/* Each column is a part, as in a Split into parts of length 1. */
static enum opshift_status split_columns(struct kernel_call *call, const struct exchange *exchange,
                                         struct opshift_error *error)
{
    size_t size = kernel_element(call->inputs[0]->type), columns = (size_t)exchange->columns;
    size_t column = size * (size_t)(exchange->rows * exchange->inner);
    int64_t *lengths = arena_alloc(call->arena, columns, sizeof(*lengths));
    void **outputs = arena_alloc(call->arena, columns, sizeof(*outputs));
    enum opshift_status status = lengths == NULL || outputs == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    for (uint64_t at = 0; at < exchange->outer && status == OPSHIFT_OK; at++) {
        size_t start = (size_t)at * columns * column;
        for (size_t i = 0; i < columns; i++) {
            lengths[i] = 1;
            outputs[i] = (uint8_t *)call->outputs[0]->data + start + i * column;
        }
        status = opshift_split((const uint8_t *)call->inputs[0]->data + start, size, exchange->rows, columns,
                               exchange->inner, lengths, columns, outputs, NULL, error);
    }
    return status;
}

/* For short columns, where the list of parts would cost more than the copy: copies a few columns of all rows at a
 * time, which stay in the L1 cache. */
static void join_rows(struct kernel_call *call, const struct exchange *exchange)
{
    size_t unit = kernel_element(call->inputs[0]->type) * (size_t)exchange->inner;
    size_t row = unit * (size_t)exchange->columns, column = unit * (size_t)exchange->rows;
    const uint8_t *from = call->inputs[0]->data;
    uint8_t *to = call->outputs[0]->data;
    for (uint64_t outer = 0; outer < exchange->outer; outer++, from += row * exchange->rows)
        for (uint64_t at = 0; at < exchange->columns; at += SPLIT_TILE_ROWS) {
            uint64_t left = exchange->columns - at, count = left < SPLIT_TILE_ROWS ? left : SPLIT_TILE_ROWS;
            for (uint64_t i = 0; i < exchange->rows; i++)
                rows_copy(to + i * unit, column, from + i * row + at * unit, (ptrdiff_t)unit, unit, count, false);
            to += count * column;
        }
}

static enum opshift_status copy_elements(struct kernel_call *call, const uint32_t *order, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    int64_t strides[TENSOR_RANK_MAX];
    struct exchange exchange;
    struct walk walk;
    if (kernel_element(input->type) > 0 && input->count > 0 && find_exchange(input, order, &exchange)) {
        enum opshift_status status = kernel_work(call, exchange.outer, STEPS_ITEM, error);
        if (status == OPSHIFT_OK)
            status = kernel_work(call, exchange.outer * exchange.columns, STEPS_MOVE, error);
        if (status)
            return status;
        if (exchange.columns * 2 <= exchange.rows * exchange.inner)
            return split_columns(call, &exchange, error);
        join_rows(call, &exchange);
        return OPSHIFT_OK;
    }
    walk_start(&walk, input->rank, call->outputs[0]->dims);
    walk_strides(input->rank, input->dims, strides);
    for (uint32_t i = 0; i < input->rank; i++)
        walk.strides[0][i] = strides[order[i]];
    return walk_copy(call, &walk, call->outputs[0], input, error);
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    uint32_t order[TENSOR_RANK_MAX] = {0};
    int64_t dims[TENSOR_RANK_MAX];
    enum opshift_status status = find_order(call, call->inputs[0]->rank, order, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    for (uint32_t i = 0; i < input->rank; i++)
        dims[i] = input->dims[order[i]];
    status = kernel_output(call, 0, input->type, input->rank, dims, error);
    return status == OPSHIFT_OK ? copy_elements(call, order, error) : status;
}

const struct kernel kernels_transpose[] = {{OPERATOR_TRANSPOSE, 1, KERNEL_ANY, run, {0}}, {0}};
