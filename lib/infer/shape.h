/* Shapes of outputs, operator by operator: each function is for a row of shape_list.txt. It gives only certain results,
 * and reports what its operator cannot compute (clash.h); then it gives nothing.
 *
 * Types of inputs are read by input_ranked, and constants by input_ints, input_int or input_sizes (known.h), so that it
 * is noted on which declarations the outputs rest. A function whose output's rank, not only its dims, depends on the
 * dims of an input sets inference->rank_follows_dims. */
#ifndef INFER_SHAPE_H
#define INFER_SHAPE_H

#include "infer/clash.h"
#include "infer/known.h"

#define SHAPE(function) void function(struct inference *inference);
#define RULE(operator, function)
#include "infer/shape_list.h"
#undef SHAPE
#undef RULE

/* ---- what several of them need ---- */

/* Makes it "seq" or "optional" of a type. False: that type is not known, or no memory. */
bool type_hold(struct arena *arena, struct value_type *type, const char *kind, const struct value_type *element);
/* The type of one element. */
void type_held(struct value_type *type, const struct value_type *element);

/* The output at a position, with `rank` unknown dims; NULL: the node has none there, or no memory. */
static inline struct value_type *shape_output(struct inference *inference, uint32_t position, size_t rank)
{
    if (position >= inference->node->output_count || !shape_new(inference, &inference->outputs[position], rank))
        return NULL;
    return &inference->outputs[position];
}
/* A dim that is a number; a negative one is unknown. */
static inline void dim_set(struct value_type *type, size_t at, int64_t dim)
{
    type->dims[at] = dim >= 0 ? dim : -1;
    type->params[at] = NAME_NONE;
}
/* -1: one is unknown, or it overflows. */
static inline int64_t dim_plus(int64_t a, int64_t b)
{
    int64_t sum;
    return a >= 0 && b >= 0 && !__builtin_add_overflow(a, b, &sum) ? sum : -1;
}
static inline int64_t dim_times(int64_t a, int64_t b)
{
    int64_t product;
    return a >= 0 && b >= 0 && !__builtin_mul_overflow(a, b, &product) ? product : -1;
}

/* One dim of the broadcast of two: what is not 1 decides, even against the unknown. */
void dim_broadcast(struct value_type *to, size_t at, int64_t dim, name_id param);
/* The axis of a Concat, which is 1 in version 1 where it is not given; false: unknown. */
bool concat_axis(const struct inference *inference, int64_t *axis);
/* Marks which of `rank` axes a reduction removes; false: they are not known, or (*known) clash. */
bool axes_reduced(struct inference *inference, int64_t rank, bool *gone, bool *known);
/* The one integer behind an input; false: unknown. */
bool input_int(struct inference *inference, uint32_t position, int64_t *value);

#endif
