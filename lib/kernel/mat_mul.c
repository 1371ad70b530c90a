/* MatMul: products of the matrices in the last two axes, the axes before them stretched to each other. */
#include "kernel/matrix.h"

#include "kernel/walk.h"

/* A vector counts as a matrix of one row (left) or one column (right), whose axis does not come out. */
struct operand {
    struct tensor batch; /* the axes before the last two: a shape alone */
    uint64_t rows, columns;
    const union number *elements;
};

static enum opshift_status find_operand(struct kernel_call *call, uint32_t position, struct operand *operand,
                                        struct opshift_error *error)
{
    const struct tensor *input = call->inputs[position];
    if (input->rank == 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input %u is a scalar, must have an axis", position);
    uint64_t last = (uint64_t)input->dims[input->rank - 1];
    operand->batch = (struct tensor){.rank = input->rank < 2 ? 0 : input->rank - 2, .dims = input->dims};
    operand->rows = input->rank == 1 ? (position == 0 ? 1 : last) : (uint64_t)input->dims[input->rank - 2];
    operand->columns = input->rank == 1 && position == 1 ? 1 : last;
    return OPSHIFT_OK;
}

static enum opshift_status multiply_all(struct kernel_call *call, struct operand *a, struct operand *b,
                                        const struct number_type *type, uint32_t batch_rank, const int64_t *dims,
                                        struct opshift_error *error)
{
    uint64_t size = a->rows * b->columns;
    struct tensor *output = call->outputs[0];
    if (output->count == 0)
        return OPSHIFT_OK;
    enum opshift_status status = matrix_work(call, output->count, a->columns, false, error);
    if (status == OPSHIFT_OK)
        status = matrix_elements(call, call->inputs[0], &a->elements, error);
    if (status == OPSHIFT_OK)
        status = matrix_elements(call, call->inputs[1], &b->elements, error);
    if (status != OPSHIFT_OK)
        return status;
    union number *product = arena_alloc(call->arena, size + 1, sizeof(*product));
    struct walk walk;
    if (product == NULL)
        return opshift_no_memory(error);
    walk_start(&walk, batch_rank, dims);
    walk_broadcast(&walk, 0, &a->batch);
    walk_broadcast(&walk, 1, &b->batch);
    for (uint64_t at = 0; at < output->count; at += size, walk_next(&walk)) {
        const struct matrix left = {a->elements + (uint64_t)walk.at[0] * a->rows * a->columns, a->rows, a->columns,
                                    a->columns, 1};
        const struct matrix right = {b->elements + (uint64_t)walk.at[1] * b->rows * b->columns, b->rows, b->columns,
                                     b->columns, 1};
        matrix_multiply(type->kind, &left, &right, product);
        for (uint64_t i = 0; i < size; i++)
            type->store((char *)output->data + (at + i) * type->size, product[i]);
    }
    return OPSHIFT_OK;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct operand a, b;
    int64_t dims[TENSOR_RANK_MAX + 2];
    uint32_t batch_rank = 0, rank;
    enum opshift_status status = kernel_arity(call, 2, 2, error);
    if (status == OPSHIFT_OK)
        status = kernel_same_type(call, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct number_type *type = number_type(call->inputs[0]->type);
    if (type == NULL || type->type == OPSHIFT_TYPE_BOOL)
        return kernel_no_number(call->inputs[0]->type, error);
    status = find_operand(call, 0, &a, error);
    if (status == OPSHIFT_OK)
        status = find_operand(call, 1, &b, error);
    if (status == OPSHIFT_OK && a.columns != b.rows)
        return opshift_fail(error, OPSHIFT_MALFORMED, "rows of %llu elements do not meet columns of %llu",
                            (unsigned long long)a.columns, (unsigned long long)b.rows);
    const struct tensor *const batches[] = {&a.batch, &b.batch};
    if (status == OPSHIFT_OK)
        status = walk_common_shape(call, batches, 2, &batch_rank, dims, error);
    if (status != OPSHIFT_OK)
        return status;
    rank = batch_rank;
    if (call->inputs[0]->rank > 1)
        dims[rank++] = (int64_t)a.rows;
    if (call->inputs[1]->rank > 1)
        dims[rank++] = (int64_t)b.columns;
    status = kernel_output(call, 0, type->type, rank, dims, error);
    return status == OPSHIFT_OK ? multiply_all(call, &a, &b, type, batch_rank, dims, error) : status;
}

const struct kernel kernel_mat_mul[] = {{"MatMul", 1, KERNEL_ANY, run}, {0}};
