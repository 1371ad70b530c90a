/* Shapes of elementwise operators, with broadcasting. */
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

/* Broadcasts the first `count` inputs. */
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

/* Before opset 7, only the second operand was broadcast. */
void shape_binary(struct inference *inference)
{
    if (inference->schema->since < 7)
        shape_same(inference);
    else
        broadcast(inference, inference->node->input_count);
}
