/* Products of matrices. */
#include "kernel/matrix.h"

#include <string.h>

enum opshift_status matrix_elements(const struct kernel_call *call, const struct tensor *tensor,
                                    const union number **elements, struct opshift_error *error)
{
    const struct number_type *type = number_type(tensor->type);
    enum opshift_status status = kernel_work(call, tensor->count, STEPS_COMPUTE, error);
    union number *loaded = status == OPSHIFT_OK ? arena_alloc(call->arena, tensor->count + 1, sizeof(*loaded)) : NULL;
    *elements = loaded;
    if (status == OPSHIFT_OK && loaded == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < tensor->count; i++)
        loaded[i] = type->load((const char *)tensor->data + i * type->size);
    return status;
}

enum opshift_status matrix_work(const struct kernel_call *call, uint64_t count, uint64_t depth, bool turned,
                                struct opshift_error *error)
{
    enum opshift_status status = kernel_work(call, count, turned ? depth * 2 : depth, error);
    return status == OPSHIFT_OK ? kernel_work(call, count, STEPS_COMPUTE, error) : status;
}

void matrix_multiply(enum number_kind kind, const struct matrix *a, const struct matrix *b, union number *product)
{
    for (uint64_t row = 0; row < a->rows; row++) {
        union number *sums = product + row * b->columns;
        if (b->columns > 0)
            memset(sums, 0, b->columns * sizeof(*sums));
        for (uint64_t k = 0; k < a->columns; k++) {
            union number factor = a->elements[row * a->row_stride + k * a->column_stride];
            const union number *line = b->elements + k * b->row_stride;
            if (kind == NUMBER_REAL)
                for (uint64_t i = 0; i < b->columns; i++)
                    sums[i].d += factor.d * line[i * b->column_stride].d;
            else
                for (uint64_t i = 0; i < b->columns; i++)
                    sums[i].u += factor.u * line[i * b->column_stride].u;
        }
    }
}
