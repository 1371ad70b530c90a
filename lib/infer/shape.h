/* Shapes of outputs, operator by operator: each function is for one row of the table in shape.c. It gives only what is
 * certain.
 *
 * Types of inputs are read by input_ranked, and constants by input_ints, input_int or input_sizes (known.h), so that it
 * is noted on which declarations the outputs rest. A function whose output's rank, not only its dims, depends on the
 * dims of an input sets inference->rank_follows_dims. */
#ifndef INFER_SHAPE_H
#define INFER_SHAPE_H

#include "infer/infer.h"

/* shape_broadcast.c */
void shape_same(struct inference *inference);
void shape_dropout(struct inference *inference);
void shape_broadcast(struct inference *inference);
void shape_binary(struct inference *inference);
void shape_mat_mul(struct inference *inference);
void shape_gemm(struct inference *inference);

/* shape_constant.c */
void shape_constant_of_shape(struct inference *inference);
void shape_attribute(struct inference *inference);
void shape_reshape(struct inference *inference);
void shape_expand(struct inference *inference);
void shape_tile(struct inference *inference);
void shape_pad(struct inference *inference);
void shape_range(struct inference *inference);

/* shape_axes.c */
void shape_transpose(struct inference *inference);
void shape_squeeze(struct inference *inference);
void shape_unsqueeze(struct inference *inference);
void shape_flatten(struct inference *inference);
void shape_concat(struct inference *inference);
void shape_split(struct inference *inference);
void shape_reduce(struct inference *inference);
void shape_arg(struct inference *inference);

/* shape_pick.c */
void shape_shape(struct inference *inference);
void shape_scalar(struct inference *inference);
void shape_nonzero(struct inference *inference);
void shape_slice(struct inference *inference);
void shape_gather(struct inference *inference);
void shape_gather_elements(struct inference *inference);
void shape_gather_nd(struct inference *inference);
void shape_top_k(struct inference *inference);
void shape_one_hot(struct inference *inference);

/* shape_window.c */
void shape_conv(struct inference *inference);
void shape_conv_transpose(struct inference *inference);
void shape_pool(struct inference *inference);
void shape_global_pool(struct inference *inference);

/* ---- what several of them need ---- */

/* One dim of the broadcast of two: what is not 1 decides, even against the unknown. */
void dim_broadcast(struct value_type *to, size_t at, int64_t dim, name_id param);
/* Marks which of `rank` axes a list names (marked has TENSOR_RANK_MAX); false: one is out of range or named twice. */
bool axes_mark(const int64_t *axes, size_t count, size_t rank, bool *marked);
/* The one integer behind an input; false: unknown. */
bool input_int(struct inference *inference, uint32_t position, int64_t *value);

#endif
