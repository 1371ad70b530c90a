/* Products of matrices. */
#ifndef KERNEL_MATRIX_H
#define KERNEL_MATRIX_H

#include "model/number.h"
#include "kernel/support.h"

/* Elements in memory as numbers: rows and columns by their strides. */
struct matrix {
    const union number *elements;
    uint64_t rows, columns;
    uint64_t row_stride, column_stride;
};

/* The elements of a tensor as numbers, in the call's arena. NULL: no memory. */
union number *matrix_elements(const struct kernel_call *call, const struct tensor *tensor);
/* Row by row into product, which has a->rows * b->columns elements; reals are summed as doubles, whole numbers wrap. */
void matrix_multiply(enum number_kind kind, const struct matrix *a, const struct matrix *b, union number *product);

#endif
