/* Products and determinants of matrices in the last two axes. */
#include "kernel/elementwise.h"
#include "kernel/product.h"
#include "kernel/reals.h"
#include "kernel/walk.h"

#include <math.h>
#include <string.h>

/* Real numbers as a factor; integers as union number in the factor's elements. */
struct matrix {
    struct factor factor;
    uint64_t rows, columns;
};

static const union number *whole_at(const struct matrix *matrix, uint64_t row, uint64_t column)
{
    return (const union number *)matrix->factor.elements + row * matrix->factor.row_stride +
           column * matrix->factor.column_stride;
}

/* Sets the elements of a factor: the tensor's own if they are floats or doubles, else numbers, freed after the call. */
static enum opshift_status matrix_elements(const struct kernel_call *call, const struct tensor *tensor,
                                           struct factor *factor, struct opshift_error *error)
{
    const struct number_type *type = number_type(tensor->type);
    void *room = NULL;
    factor->single = tensor->type == OPSHIFT_TYPE_FLOAT;
    factor->elements = tensor->data;
    if (factor->single || tensor->type == OPSHIFT_TYPE_DOUBLE)
        return OPSHIFT_OK;
    enum opshift_status status = kernel_work(call, tensor->count, STEPS_COMPUTE, error);
    if (status == OPSHIFT_OK)
        status = kernel_scratch(call, tensor->count, sizeof(union number), &room, error);
    union number *loaded = room;
    factor->elements = loaded;
    for (uint64_t i = 0; status == OPSHIFT_OK && i < tensor->count; i++)
        loaded[i] = type->load((const char *)tensor->data + i * type->size);
    return status;
}

/* Counts the steps for `count` elements, each a sum of `depth` products. */
static enum opshift_status matrix_work(const struct kernel_call *call, const struct number_type *type, uint64_t count,
                                       uint64_t depth, struct opshift_error *error)
{
    if (type->kind == NUMBER_REAL)
        return product_work(call, count, depth, error);
    enum opshift_status status = kernel_work(call, count, depth * 2, error);
    return status == OPSHIFT_OK ? kernel_work(call, count, STEPS_COMPUTE, error) : status;
}

/* Integers wrap around. False: one did. */
static bool whole_product(const struct number_type *type, const struct matrix *a, const struct matrix *b,
                          union number *product)
{
    bool fits = true;
    for (uint64_t row = 0; row < a->rows; row++) {
        union number *sums = product + row * b->columns, part;
        for (uint64_t k = 0; k < a->columns; k++)
            for (uint64_t i = 0; i < b->columns; i++) {
                bool whole = whole_multiply(type->kind, *whole_at(a, row, k), *whole_at(b, k, i), &part);
                whole = whole_add(type->kind, sums[i], part, &sums[i]) && whole;
                fits = fits && whole && whole_fits(type, sums[i]);
            }
    }
    return fits;
}

/* Writes the product row by row, a->rows * b->columns elements; reals are summed as doubles. room: for product_add. */
static bool matrix_multiply(const struct number_type *type, const struct matrix *a, const struct matrix *b,
                            union number *product, double *room)
{
    memset(product, 0, a->rows * b->columns * sizeof(*product));
    if (type->kind != NUMBER_REAL)
        return whole_product(type, a, b, product);
    product_add(a->rows, b->columns, a->columns, &a->factor, &b->factor, &product->d, b->columns, room);
    return true;
}

/* ---- MatMul: the axes before the last two broadcast ---- */

/* A vector is a matrix of one row (left) or one column (right), whose axis is removed from the output. */
struct matrix_operand {
    struct tensor batch; /* the axes before the last two: a shape without elements */
    struct matrix matrix;
};

static enum opshift_status find_operand(struct kernel_call *call, uint32_t position, struct matrix_operand *operand,
                                        struct opshift_error *error)
{
    const struct tensor *input = call->inputs[position];
    if (input->rank == 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input %u is a scalar, must have an axis", position);
    uint64_t last = (uint64_t)input->dims[input->rank - 1];
    operand->batch = (struct tensor){.rank = input->rank < 2 ? 0 : input->rank - 2, .dims = input->dims};
    operand->matrix.rows = input->rank == 1 ? (position == 0 ? 1 : last) : (uint64_t)input->dims[input->rank - 2];
    operand->matrix.columns = input->rank == 1 && position == 1 ? 1 : last;
    operand->matrix.factor = (struct factor){.row_stride = operand->matrix.columns, .column_stride = 1};
    return OPSHIFT_OK;
}

/* One of the matrices of an operand. */
static struct matrix operand_at(const struct matrix_operand *operand, int64_t batch)
{
    struct matrix matrix = operand->matrix;
    matrix.factor = factor_from(matrix.factor, (uint64_t)batch * matrix.rows * matrix.columns);
    return matrix;
}

static enum opshift_status multiply_all(struct kernel_call *call, struct matrix_operand *a, struct matrix_operand *b,
                                        const struct number_type *type, uint32_t batch_rank, const int64_t *dims,
                                        struct opshift_error *error)
{
    uint64_t size = a->matrix.rows * b->matrix.columns;
    struct tensor *output = call->outputs[0];
    void *room = NULL;
    if (output->count == 0)
        return OPSHIFT_OK;
    enum opshift_status status = matrix_work(call, type, output->count, a->matrix.columns, error);
    if (status == OPSHIFT_OK)
        status = matrix_elements(call, call->inputs[0], &a->matrix.factor, error);
    if (status == OPSHIFT_OK)
        status = matrix_elements(call, call->inputs[1], &b->matrix.factor, error);
    if (status == OPSHIFT_OK)
        status = kernel_scratch(call, product_room(b->matrix.columns, b->matrix.rows), sizeof(double), &room, error);
    if (status)
        return status;
    union number *product = arena_alloc(call->arena, size + 1, sizeof(*product));
    struct walk walk;
    bool fits = true;
    if (product == NULL)
        return opshift_no_memory(error);
    walk_start(&walk, batch_rank, dims);
    walk_broadcast(&walk, 0, &a->batch);
    walk_broadcast(&walk, 1, &b->batch);
    for (uint64_t at = 0; at < output->count; at += size, walk_next(&walk)) {
        const struct matrix left = operand_at(a, walk.at[0]), right = operand_at(b, walk.at[1]);
        fits = matrix_multiply(type, &left, &right, product, room) && fits;
        if (type->type == OPSHIFT_TYPE_FLOAT)
            reals_store(output, at, &product->d, size);
        else
            for (uint64_t i = 0; i < size; i++)
                type->store((char *)output->data + (at + i) * type->size, product[i]);
    }
    return fits ? OPSHIFT_OK : elementwise_overflowed(call, type, error);
}

static enum opshift_status run_mat_mul(struct kernel_call *call, struct opshift_error *error)
{
    struct matrix_operand a, b;
    int64_t dims[TENSOR_RANK_MAX + 2];
    uint32_t batch_rank = 0, rank;
    const struct number_type *type = number_type(call->inputs[0]->type);
    enum opshift_status status = find_operand(call, 0, &a, error);
    if (status == OPSHIFT_OK)
        status = find_operand(call, 1, &b, error);
    if (status == OPSHIFT_OK && a.matrix.columns != b.matrix.rows)
        return opshift_fail(error, OPSHIFT_MALFORMED, "rows of %llu elements do not meet columns of %llu",
                            (unsigned long long)a.matrix.columns, (unsigned long long)b.matrix.rows);
    const struct tensor *const batches[] = {&a.batch, &b.batch};
    if (status == OPSHIFT_OK)
        status = walk_common_shape(call, batches, 2, &batch_rank, dims, error);
    if (status)
        return status;
    rank = batch_rank;
    if (call->inputs[0]->rank > 1)
        dims[rank++] = (int64_t)a.matrix.rows;
    if (call->inputs[1]->rank > 1)
        dims[rank++] = (int64_t)b.matrix.columns;
    status = kernel_output(call, 0, type->type, rank, dims, error);
    return status == OPSHIFT_OK ? multiply_all(call, &a, &b, type, batch_rank, dims, error) : status;
}

/* ---- Gemm: alpha * A * B + beta * C, with A and B transposed on request ---- */

static enum opshift_status find_matrix(struct kernel_call *call, uint32_t position, enum attribute_id turned_by,
                                       struct matrix *matrix, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[position];
    int64_t turned = kernel_int(call, turned_by);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): kernel_call() refuses a missing matrix. */
    if (input->rank != 2)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input %u has rank %u, must have rank 2", position, input->rank);
    uint64_t rows = (uint64_t)input->dims[0], columns = (uint64_t)input->dims[1];
    *matrix = turned != 0 ? (struct matrix){{.row_stride = 1, .column_stride = columns}, columns, rows}
                          : (struct matrix){{.row_stride = columns, .column_stride = 1}, rows, columns};
    return OPSHIFT_OK;
}

/* Before opset 7, C is broadcast only if attribute broadcast is set. */
static enum opshift_status check_addend(struct kernel_call *call, const struct tensor *output,
                                        struct opshift_error *error)
{
    const struct tensor *c = call->inputs[2];
    int64_t broadcast = kernel_has(call, ATTRIBUTE_BROADCAST) ? kernel_int(call, ATTRIBUTE_BROADCAST) : 1;
    bool fits = c->rank <= 2 && (broadcast != 0 || c->rank == 2);
    for (uint32_t i = 0; i < c->rank && fits; i++)
        fits = c->dims[i] == output->dims[2 - c->rank + i] || (c->dims[i] == 1 && broadcast != 0);
    if (fits)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "input 2 of shape %s does not fit %s",
                        kernel_dims_text(call->arena, c->rank, c->dims),
                        kernel_dims_text(call->arena, output->rank, output->dims));
}

/* alpha and beta are floats; for integers their fraction is dropped. */
static union number scale(enum number_kind kind, union number value, float factor)
{
    if (kind == NUMBER_REAL)
        value.d *= (double)factor;
    else if (factor != 1)
        value.u *= (uint64_t)(factor > -0x1p63F && factor < 0x1p63F ? (int64_t)factor : 0);
    return value;
}

static enum opshift_status finish(struct kernel_call *call, const struct number_type *type, const union number *product,
                                  bool fits, struct opshift_error *error)
{
    struct tensor *output = call->outputs[0];
    const struct tensor *c = kernel_input(call, 2);
    float alpha = kernel_float(call, ATTRIBUTE_ALPHA), beta = kernel_float(call, ATTRIBUTE_BETA);
    struct walk walk;
    enum opshift_status status = OPSHIFT_OK;
    if (c != NULL)
        status = check_addend(call, output, error);
    if (status)
        return status;
    walk_start(&walk, 2, output->dims);
    if (c != NULL)
        walk_broadcast(&walk, 0, c);
    for (uint64_t i = 0; i < output->count; i++, walk_next(&walk)) {
        union number sum = scale(type->kind, product[i], alpha);
        if (c != NULL) {
            union number added = scale(type->kind, type->load((const char *)c->data + walk.at[0] * type->size), beta);
            if (type->kind == NUMBER_REAL)
                sum.d += added.d;
            else
                fits = whole_add(type->kind, sum, added, &sum) && fits;
        }
        fits = fits && whole_fits(type, sum);
        type->store((char *)output->data + i * type->size, sum);
    }
    /* The result of integers times a fractional factor is not defined. */
    fits = fits && (type->kind == NUMBER_REAL || (alpha == 1 && (c == NULL || beta == 1)));
    return fits ? OPSHIFT_OK : elementwise_overflowed(call, type, error);
}

static enum opshift_status run_gemm(struct kernel_call *call, struct opshift_error *error)
{
    struct matrix a, b;
    void *room = NULL;
    const struct number_type *type = number_type(call->inputs[0]->type);
    enum opshift_status status = find_matrix(call, 0, ATTRIBUTE_TRANSA, &a, error);
    if (status == OPSHIFT_OK)
        status = find_matrix(call, 1, ATTRIBUTE_TRANSB, &b, error);
    if (status == OPSHIFT_OK && a.columns != b.rows)
        return opshift_fail(error, OPSHIFT_MALFORMED, "rows of %llu elements do not meet columns of %llu",
                            (unsigned long long)a.columns, (unsigned long long)b.rows);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, type->type, 2, (const int64_t[]){(int64_t)a.rows, (int64_t)b.columns}, error);
    if (status == OPSHIFT_OK && call->outputs[0]->count == 0)
        return finish(call, type, NULL, true, error);
    if (status == OPSHIFT_OK)
        status = matrix_work(call, type, call->outputs[0]->count, a.columns, error);
    if (status == OPSHIFT_OK)
        status = matrix_elements(call, call->inputs[0], &a.factor, error);
    if (status == OPSHIFT_OK)
        status = matrix_elements(call, call->inputs[1], &b.factor, error);
    if (status == OPSHIFT_OK)
        status = kernel_scratch(call, product_room(b.columns, b.rows), sizeof(double), &room, error);
    if (status)
        return status;
    union number *product = arena_alloc(call->arena, call->outputs[0]->count + 1, sizeof(*product));
    if (product == NULL)
        return opshift_no_memory(error);
    bool fits = matrix_multiply(type, &a, &b, product, room);
    return finish(call, type, product, fits, error);
}

/* ---- Det (11, 22): determinants by elimination with pivoting ---- */

static double determinant(double *m, uint64_t size)
{
    double product = 1;
    for (uint64_t k = 0; k < size; k++) {
        uint64_t pivot = k;
        for (uint64_t row = k + 1; row < size; row++)
            pivot = fabs(m[row * size + k]) > fabs(m[pivot * size + k]) ? row : pivot;
        product *= pivot == k ? m[pivot * size + k] : -m[pivot * size + k];
        if (m[pivot * size + k] == 0)
            return 0;
        for (uint64_t i = 0; i < size && pivot != k; i++) {
            double swapped = m[k * size + i];
            m[k * size + i] = m[pivot * size + i];
            m[pivot * size + i] = swapped;
        }
        for (uint64_t row = k + 1; row < size; row++) {
            double factor = m[row * size + k] / m[k * size + k];
            for (uint64_t i = k; i < size; i++)
                m[row * size + i] -= factor * m[k * size + i];
        }
    }
    return product;
}

static enum opshift_status run_det(struct kernel_call *call, struct opshift_error *error)
{
    double *x = NULL;
    enum opshift_status status = kernel_rank(call, 0, 2, TENSOR_RANK_MAX, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    uint64_t size = (uint64_t)input->dims[input->rank - 1];
    if (input->dims[input->rank - 2] != input->dims[input->rank - 1])
        return opshift_fail(error, OPSHIFT_MALFORMED, "matrices of %lld times %llu are not square",
                            (long long)input->dims[input->rank - 2], (unsigned long long)size);
    status = kernel_work(call, input->count, STEPS_COMPUTE + size, error);
    if (status == OPSHIFT_OK)
        status = reals_load(call, input, &x, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, input->type, input->rank - 2, input->dims, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < call->outputs[0]->count; i++) {
        double result = determinant(x + i * size * size, size);
        reals_store(call->outputs[0], i, &result, 1);
    }
    return status;
}

const struct kernel kernels_matrix[] = {
    {OPERATOR_DET, 11, KERNEL_ANY, run_det, {0}},
    {OPERATOR_GEMM, 1, KERNEL_ANY, run_gemm, {0}},
    {OPERATOR_MAT_MUL, 1, KERNEL_ANY, run_mat_mul, {0}},
    {0},
};
