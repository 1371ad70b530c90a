/* Shapes of operators that work element by element, and of matrix products: inputs broadcast. */
#include "infer/shape.h"

void shape_same(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    if (data != NULL)
        shape_like(&inference->outputs[0], data);
}

void shape_dropout(struct inference *inference)
{
    shape_same(inference);
    if (inference->node->output_count > 1)
        shape_like(&inference->outputs[1], &inference->outputs[0]);
}

void dim_broadcast(struct value_type *to, size_t at, int64_t dim, name_id param)
{
    if (to->dims[at] == 1) {
        to->dims[at] = dim;
        to->params[at] = param;
    } else if (dim == 1 || (dim == to->dims[at] && param == to->params[at])) {
        return;
    } else if (to->dims[at] < 0) {
        to->dims[at] = dim;
        to->params[at] = NAME_NONE;
    }
}

/* Broadcasts the inputs' first `count`. */
static void broadcast(struct inference *inference, uint32_t count)
{
    size_t rank = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct value_type *input = input_ranked(inference, i);
        if (input == NULL)
            return;
        rank = (size_t)input->rank > rank ? (size_t)input->rank : rank;
    }
    struct value_type *output = &inference->outputs[0];
    if (count == 0 || !shape_new(inference, output, rank))
        return;
    for (size_t i = 0; i < rank; i++)
        output->dims[i] = 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct value_type *input = input_ranked(inference, i);
        size_t shift = rank - (size_t)input->rank;
        for (size_t k = 0; k < (size_t)input->rank; k++)
            dim_broadcast(output, shift + k, input->dims[k], input->params[k]);
    }
}

void shape_broadcast(struct inference *inference)
{
    broadcast(inference, inference->node->input_count);
}

/* Before opset 7 the second operand was stretched to the first, never the other way. */
void shape_binary(struct inference *inference)
{
    if (inference->schema->since < 7)
        shape_same(inference);
    else
        broadcast(inference, inference->node->input_count);
}

/* numpy's rule: a vector is a row on the left, a column on the right, and that dim goes again. */
void shape_mat_mul(struct inference *inference)
{
    const struct value_type *a = input_ranked(inference, 0), *b = input_ranked(inference, 1);
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
