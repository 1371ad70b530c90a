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

/* The elements of a tensor as numbers, in the call's arena. */
enum opshift_status matrix_elements(const struct kernel_call *call, const struct tensor *tensor,
                                    const union number **elements, struct opshift_error *error);
/* Takes the steps for matrices of so many elements together, each a sum of `depth` products. turned: the second factor
 * is read down its columns. */
enum opshift_status matrix_work(const struct kernel_call *call, uint64_t count, uint64_t depth, bool turned,
                                struct opshift_error *error);
/* Row by row into product, which has a->rows * b->columns elements; reals are summed as doubles, whole numbers wrap. */
void matrix_multiply(enum number_kind kind, const struct matrix *a, const struct matrix *b, union number *product);

#endif
