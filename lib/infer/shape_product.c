/* Shapes of matrix products. */
#include "infer/shape.h"

#include <inttypes.h>

/* False: the shapes do not fit. */
static bool mat_mul_check(struct inference *inference, const struct value_type *a, const struct value_type *b)
{
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    if ((a && a->rank == 0) || (b && b->rank == 0)) {
        shape_clash(inference, CLASH_SHAPES, "input %d is a scalar, which MatMul does not accept; use Mul",
                    a && a->rank == 0 ? 0 : 1);
        return false;
    }
    if (a == NULL || b == NULL || !dims_clash(a->dims[a->rank - 1], b->dims[b->rank > 1 ? b->rank - 2 : 0]))
        return true;
    shape_clash(inference, CLASH_SHAPES,
                "the shapes %s and %s do not fit: %" PRId64 " columns on the left, %" PRId64
                " rows on the right; make them equal",
                shape_text(a, one), shape_text(b, other), a->dims[a->rank - 1], b->dims[b->rank > 1 ? b->rank - 2 : 0]);
    return false;
}

/* False: the axes before the matrices do not broadcast. */
static bool stacks_check(struct inference *inference, const struct value_type *a, const struct value_type *b)
{
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    for (int32_t i = 3; i <= a->rank && i <= b->rank; i++) {
        int64_t left = a->dims[a->rank - i], right = b->dims[b->rank - i];
        if (left == 1 || right == 1 || !dims_clash(left, right))
            continue;
        shape_clash(inference, CLASH_SHAPES,
                    "the shapes %s and %s do not fit: %" PRId64 " matrices on the left, %" PRId64
                    " on the right; make them equal, or one of them 1",
                    shape_text(a, one), shape_text(b, other), left, right);
        return false;
    }
    return true;
}

/* numpy's rule: a vector is a row on the left and a column on the right, and the added dim is removed. */
static void mat_mul(struct inference *inference, const struct value_type *a, const struct value_type *b)
{
    struct value_type *output = &inference->outputs[0];
    if (!mat_mul_check(inference, a, b) || a == NULL || b == NULL || !stacks_check(inference, a, b))
        return;
    size_t stack_a = a->rank > 2 ? (size_t)a->rank - 2 : 0, stack_b = b->rank > 2 ? (size_t)b->rank - 2 : 0;
    size_t stack = stack_a > stack_b ? stack_a : stack_b;
    if (!shape_new(inference, output, stack + (a->rank > 1) + (b->rank > 1)))
        return;
    for (size_t i = 0; i < stack; i++)
        output->dims[i] = 1;
    for (size_t i = 0; i < stack_a; i++)
        dim_broadcast(output, stack - stack_a + i, a->dims[i], a->params[i]);
    for (size_t i = 0; i < stack_b; i++)
        dim_broadcast(output, stack - stack_b + i, b->dims[i], b->params[i]);
    if (a->rank > 1)
        dim_copy(output, stack, a, (size_t)a->rank - 2);
    if (b->rank > 1)
        dim_copy(output, (size_t)output->rank - 1, b, (size_t)b->rank - 1);
}

/* MatMul, MatMulInteger. */
void shape_mat_mul(struct inference *inference)
{
    mat_mul(inference, input_ranked(inference, 0), input_ranked(inference, 1));
}

void shape_qlinear_mat_mul(struct inference *inference)
{
    mat_mul(inference, input_ranked(inference, 0), input_ranked(inference, 3));
}

/* False: the shapes do not fit. */
static bool gemm_check(struct inference *inference, const struct value_type *a, const struct value_type *b, bool turn_a,
                       bool turn_b)
{
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    if (a == NULL || b == NULL || !dims_clash(a->dims[turn_a ? 0 : 1], b->dims[turn_b ? 1 : 0]))
        return true;
    shape_clash(inference, CLASH_SHAPES,
                "the shapes %s%s and %s%s do not fit: %" PRId64 " columns on the left, %" PRId64
                " rows on the right; make them equal",
                shape_text(a, one), turn_a ? " (transposed)" : "", shape_text(b, other), turn_b ? " (transposed)" : "",
                a->dims[turn_a ? 0 : 1], b->dims[turn_b ? 1 : 0]);
    return false;
}

void shape_gemm(struct inference *inference)
{
    const struct value_type *a = input_ranked(inference, 0), *b = input_ranked(inference, 1);
    struct value_type *output = &inference->outputs[0];
    int64_t turn_a, turn_b;
    char words[SHAPE_TEXT_SIZE];
    if ((a && a->rank != 2) || (b && b->rank != 2)) {
        shape_clash(inference, CLASH_SHAPES, "input %d has the shape %s, but Gemm requires matrices; reshape it",
                    a && a->rank != 2 ? 0 : 1, shape_text(a && a->rank != 2 ? a : b, words));
        return;
    }
    if (!shape_new(inference, output, 2) || !operation_int(&inference->operation, ATTRIBUTE_TRANSA, &turn_a) ||
        !operation_int(&inference->operation, ATTRIBUTE_TRANSB, &turn_b) ||
        !gemm_check(inference, a, b, turn_a != 0, turn_b != 0))
        return;
    if (a != NULL)
        dim_copy(output, 0, a, turn_a != 0 ? 1 : 0);
    if (b != NULL)
        dim_copy(output, 1, b, turn_b != 0 ? 0 : 1);
    if (inference->operation.schema->since >= 7)
        broadcasts_to(inference, 2, output);
}

/* Determinants of the matrices in the last two axes. */
void shape_det(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    char words[SHAPE_TEXT_SIZE];
    if (data && data->rank >= 2 && dims_clash(data->dims[data->rank - 1], data->dims[data->rank - 2])) {
        shape_clash(inference, CLASH_SHAPES, "the input has the shape %s; its last two axes must be equally long",
                    shape_text(data, words));
        return;
    }
    struct value_type *output = data && data->rank >= 2 ? shape_output(inference, 0, (size_t)data->rank - 2) : NULL;
    for (size_t i = 0; output && i < (size_t)output->rank; i++)
        dim_copy(output, i, data, i);
}
