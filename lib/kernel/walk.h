/* Walks the elements of a shape in row-major order, and with it up to three operands by their own strides. */
#ifndef KERNEL_WALK_H
#define KERNEL_WALK_H

#include "kernel/support.h"

#define WALK_OPERANDS_MAX 3

struct walk {
    uint32_t rank;
    const int64_t *dims;
    int64_t index[TENSOR_RANK_MAX];
    int64_t strides[WALK_OPERANDS_MAX][TENSOR_RANK_MAX];
    int64_t at[WALK_OPERANDS_MAX]; /* where each operand is, in elements */
};

void walk_start(struct walk *walk, uint32_t rank, const int64_t *dims);
/* The operand's shape is stretched to the walk's: numpy's rule, dims are aligned at the end, 1 repeats. */
void walk_broadcast(struct walk *walk, uint32_t operand, const struct tensor *tensor);
/* One element on; after the last it is at the first again. */
void walk_next(struct walk *walk);

/* Takes the last axes out of a walk that has not begun: as far as one step leads each operand from element to element.
 */
struct walk_row {
    uint64_t count;
    int64_t step[WALK_OPERANDS_MAX]; /* in elements */
};
void walk_take_row(struct walk *walk, struct walk_row *row);

/* Copies the elements of operand 0 that a walk which has not begun would visit, one after the other, to all of `to`.
 * UNSUPPORTED: beyond the budget. */
enum opshift_status walk_copy(const struct kernel_call *call, struct walk *walk, struct tensor *to,
                              const struct tensor *from, struct opshift_error *error);

/* How far one step along an axis is. */
void walk_strides(uint32_t rank, const int64_t *dims, int64_t *strides);
/* The shape that all inputs stretch to; dims has room for TENSOR_RANK_MAX. */
enum opshift_status walk_common_shape(const struct kernel_call *call, const struct tensor *const *tensors,
                                      uint32_t count, uint32_t *rank, int64_t *dims, struct opshift_error *error);

/* What is done at each index: its number, and the place in the data that it names. */
typedef void walk_visit(void *context, uint64_t number, uint64_t place);
/* Indices along an axis, as GatherElements and ScatterElements have them: each stands where its element stands in the
 * data, but for the axis, whose position it gives, a negative one from the end. MALFORMED: one lies outside. */
enum opshift_status walk_indices(const struct kernel_call *call, const struct tensor *data,
                                 const struct tensor *indices, uint32_t axis, walk_visit *visit, void *context,
                                 struct opshift_error *error);

#endif
