/* Gemm: alpha times the product of two matrices, each perhaps turned, plus beta times a third. */
#include "kernel/matrix.h"

#include "kernel/walk.h"

static enum opshift_status find_matrix(struct kernel_call *call, uint32_t position, const char *turned_by,
                                       struct matrix *matrix, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[position];
    int64_t turned = 0;
    enum opshift_status status = kernel_int(call, turned_by, &turned, error);
    if (status != OPSHIFT_OK)
        return status;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): kernel_arity() refuses a missing matrix. */
    if (input->rank != 2)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input %u has rank %u, must have rank 2", position, input->rank);
    uint64_t rows = (uint64_t)input->dims[0], columns = (uint64_t)input->dims[1];
    *matrix = turned != 0 ? (struct matrix){NULL, columns, rows, 1, columns}
                          : (struct matrix){NULL, rows, columns, columns, 1};
    return OPSHIFT_OK;
}

/* Before opset 7 the third is stretched only where attribute broadcast says so. */
static enum opshift_status check_addend(struct kernel_call *call, const struct tensor *output,
                                        struct opshift_error *error)
{
    const struct tensor *c = call->inputs[2];
    int64_t broadcast = 1;
    if (call->opset < 7) {
        broadcast = 0;
        enum opshift_status status = kernel_int(call, "broadcast", &broadcast, error);
        if (status != OPSHIFT_OK)
            return status;
    }
    bool fits = c->rank <= 2 && (broadcast != 0 || c->rank == 2);
    for (uint32_t i = 0; i < c->rank && fits; i++)
        fits = c->dims[i] == output->dims[2 - c->rank + i] || (c->dims[i] == 1 && broadcast != 0);
    if (fits)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "input 2 of shape %s does not fit %s",
                        kernel_dims_text(call->arena, c->rank, c->dims),
                        kernel_dims_text(call->arena, output->rank, output->dims));
}

/* alpha and beta are floats; whole numbers are multiplied by what is left of them without a fraction. */
static union number scale(enum number_kind kind, union number value, float factor)
{
    if (kind == NUMBER_REAL)
        value.d *= (double)factor;
    else if (factor != 1)
        value.u *= (uint64_t)(factor > -0x1p63F && factor < 0x1p63F ? (int64_t)factor : 0);
    return value;
}

static enum opshift_status finish(struct kernel_call *call, const struct number_type *type, const union number *product,
                                  struct opshift_error *error)
{
    struct tensor *output = call->outputs[0];
    const struct tensor *c = kernel_input(call, 2);
    float alpha = 1, beta = 1;
    struct walk walk;
    enum opshift_status status = kernel_float(call, "alpha", &alpha, error);
    if (status == OPSHIFT_OK)
        status = kernel_float(call, "beta", &beta, error);
    if (status == OPSHIFT_OK && c != NULL)
        status = check_addend(call, output, error);
    if (status != OPSHIFT_OK)
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
                sum.u += added.u;
        }
        type->store((char *)output->data + i * type->size, sum);
    }
    return OPSHIFT_OK;
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct matrix a, b;
    enum opshift_status status = kernel_arity(call, call->opset < 11 ? 3 : 2, 3, error);
    for (uint32_t i = 1; status == OPSHIFT_OK && i < call->input_count; i++)
        if (call->inputs[i] != NULL && call->inputs[i]->type != call->inputs[0]->type)
            return opshift_fail(error, OPSHIFT_MALFORMED, "input %u is %s, must be %s as input 0", i,
                                type_name(call->inputs[i]->type), type_name(call->inputs[0]->type));
    if (status != OPSHIFT_OK)
        return status;
    const struct number_type *type = number_type(call->inputs[0]->type);
    if (type == NULL || type->type == OPSHIFT_TYPE_BOOL)
        return kernel_no_number(call->inputs[0]->type, error);
    status = find_matrix(call, 0, "transA", &a, error);
    if (status == OPSHIFT_OK)
        status = find_matrix(call, 1, "transB", &b, error);
    if (status == OPSHIFT_OK && a.columns != b.rows)
        return opshift_fail(error, OPSHIFT_MALFORMED, "rows of %llu elements do not meet columns of %llu",
                            (unsigned long long)a.columns, (unsigned long long)b.rows);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, type->type, 2, (const int64_t[]){(int64_t)a.rows, (int64_t)b.columns}, error);
    if (status == OPSHIFT_OK && call->outputs[0]->count == 0)
        return finish(call, type, NULL, error);
    if (status == OPSHIFT_OK)
        status = matrix_work(call, call->outputs[0]->count, a.columns, b.column_stride != 1, error);
    if (status == OPSHIFT_OK)
        status = matrix_elements(call, call->inputs[0], &a.elements, error);
    if (status == OPSHIFT_OK)
        status = matrix_elements(call, call->inputs[1], &b.elements, error);
    if (status != OPSHIFT_OK)
        return status;
    union number *product = arena_alloc(call->arena, call->outputs[0]->count + 1, sizeof(*product));
    if (product == NULL)
        return opshift_no_memory(error);
    matrix_multiply(type->kind, &a, &b, product);
    return finish(call, type, product, error);
}

const struct kernel kernel_gemm[] = {{"Gemm", 1, KERNEL_ANY, run}, {0}};
