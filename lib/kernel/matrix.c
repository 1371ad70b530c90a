/* Products of matrices. */
#include "kernel/matrix.h"

#include <string.h>

union number *matrix_elements(const struct kernel_call *call, const struct tensor *tensor)
{
    const struct number_type *type = number_type(tensor->type);
    union number *elements = arena_alloc(call->arena, tensor->count + 1, sizeof(*elements));
    for (uint64_t i = 0; elements != NULL && i < tensor->count; i++)
        elements[i] = type->load((const char *)tensor->data + i * type->size);
    return elements;
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
