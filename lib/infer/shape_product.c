/* Shapes of matrix products. */
#include "infer/shape.h"

/* numpy's rule: a vector is a row on the left and a column on the right, and the added dim is removed. */
static void mat_mul(struct inference *inference, const struct value_type *a, const struct value_type *b)
{
    struct value_type *output = &inference->outputs[0];
    if (a == NULL || b == NULL || a->rank < 1 || b->rank < 1)
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

void shape_gemm(struct inference *inference)
{
    const struct value_type *a = input_ranked(inference, 0), *b = input_ranked(inference, 1);
    struct value_type *output = &inference->outputs[0];
    int64_t turn_a, turn_b;
    if (!shape_new(inference, output, 2) || !attribute_int_or(inference, "transA", 0, &turn_a) ||
        !attribute_int_or(inference, "transB", 0, &turn_b))
        return;
    if (a != NULL && a->rank == 2)
        dim_copy(output, 0, a, turn_a != 0 ? 1 : 0);
    if (b != NULL && b->rank == 2)
        dim_copy(output, 1, b, turn_b != 0 ? 0 : 1);
}

/* Determinants of the matrices in the last two axes. */
void shape_det(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = data && data->rank >= 2 ? shape_output(inference, 0, (size_t)data->rank - 2) : NULL;
    for (size_t i = 0; output && i < (size_t)output->rank; i++)
        dim_copy(output, i, data, i);
}
