/* Walks the elements of a shape in row-major order, together with up to three operands with strides of their own. */
#ifndef KERNEL_WALK_H
#define KERNEL_WALK_H

#include "kernel/support.h"

#define WALK_OPERANDS_MAX 3

struct walk {
    uint32_t rank;
    const int64_t *dims;
    int64_t index[TENSOR_RANK_MAX];
    int64_t strides[WALK_OPERANDS_MAX][TENSOR_RANK_MAX];
    int64_t at[WALK_OPERANDS_MAX]; /* position of each operand, in elements */
};

void walk_start(struct walk *walk, uint32_t rank, const int64_t *dims);
/* Broadcasts the operand to the walk's shape by numpy's rule. */
void walk_broadcast(struct walk *walk, uint32_t operand, const struct tensor *tensor);
/* Advances by one element; wraps from the last to the first. */
void walk_next(struct walk *walk);

/* Splits the innermost axes off a walk that has not begun, as long as every operand has a constant step over them. */
struct walk_row {
    uint64_t count;
    int64_t step[WALK_OPERANDS_MAX]; /* in elements */
};
void walk_take_row(struct walk *walk, struct walk_row *row);

/* Copies the elements of operand 0 that a new walk would visit, contiguously, to all of `to`. UNSUPPORTED: the
 * budget is exceeded. */
enum opshift_status walk_copy(const struct kernel_call *call, struct walk *walk, struct tensor *to,
                              const struct tensor *from, struct opshift_error *error);

/* Strides of a contiguous shape, in elements. */
void walk_strides(uint32_t rank, const int64_t *dims, int64_t *strides);
/* The shape that all inputs broadcast to; dims has room for TENSOR_RANK_MAX. */
enum opshift_status walk_common_shape(const struct kernel_call *call, const struct tensor *const *tensors,
                                      uint32_t count, uint32_t *rank, int64_t *dims, struct opshift_error *error);

/* Creates output 0 with the common shape of the inputs, counts steps for each element, and starts a walk over it and
 * the inputs. */
enum opshift_status walk_inputs(struct kernel_call *call, const struct tensor *const *inputs, uint32_t count,
                                enum opshift_type type, uint64_t steps, struct walk *walk, struct opshift_error *error);

/* Called for each index: its number, and the position in the data that it addresses. */
typedef void walk_visit(void *context, uint64_t number, uint64_t place);
/* Walks indices along an axis as in GatherElements and ScatterElements: each index replaces its own position along
 * the axis; negative ones count from the end. MALFORMED: an index is out of range. */
enum opshift_status walk_indices(const struct kernel_call *call, const struct tensor *data,
                                 const struct tensor *indices, uint32_t axis, walk_visit *visit, void *context,
                                 struct opshift_error *error);

#endif
