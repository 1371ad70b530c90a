/* Products of matrices of real numbers, in blocks that fit the caches. */
#ifndef KERNEL_PRODUCT_H
#define KERNEL_PRODUCT_H

#include "kernel/support.h"

/* A factor: floats or doubles, where an element of row r and column c is at r * row_stride + c * column_stride. */
struct factor {
    const void *elements;
    bool single; /* floats */
    uint64_t row_stride, column_stride;
    bool exact; /* doubles, each with the value of a float */
};

/* The factor that begins at a later element. */
static inline struct factor factor_from(struct factor factor, uint64_t element)
{
    factor.elements = (const char *)factor.elements + element * (factor.single ? sizeof(float) : sizeof(double));
    return factor;
}
/* Doubles that are computed at once. */
#define LANES 4
typedef double lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));

/* Elements of room that product_add needs. */
uint64_t product_room(uint64_t columns, uint64_t depth);

/* sums += a * b. a: rows x depth; b: depth x columns; sums: row by row, each `stride` behind the one before. Each sum
 * adds its `depth` products one after another to what it holds, in doubles, so it does not depend on the sizes of
 * blocks or vectors. room: product_room elements. */
void product_add(uint64_t rows, uint64_t columns, uint64_t depth, const struct factor *a, const struct factor *b,
                 double *sums, uint64_t stride, double *room);
/* Counts the steps of a product. */
enum opshift_status product_work(const struct kernel_call *call, uint64_t count, uint64_t depth,
                                 struct opshift_error *error);

#endif
