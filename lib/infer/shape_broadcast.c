/* Shapes of elementwise operators, with broadcasting. */
#include "infer/shape.h"

#include <inttypes.h>

void shape_same(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    if (data != NULL)
        shape_like(&inference->outputs[0], data);
}

/* Softmax and others: an axis of the input. */
void shape_along_axis(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    int64_t axis;
    size_t at;
    if (data && operation_int(&inference->operation, ATTRIBUTE_AXIS, &axis) >= SETTING_DEFAULT &&
        !axis_check(inference, axis, data->rank, &at))
        return;
    shape_same(inference);
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

/* False, with a clash: the inputs do not broadcast, as far as they are known. */
static bool broadcast_check(struct inference *inference, uint32_t count)
{
    int64_t dims[TENSOR_RANK_MAX];
    size_t seen = 0;
    char words[SHAPE_TEXT_SIZE];
    for (uint32_t i = 0; i < count; i++) {
        const struct value_type *input = input_ranked(inference, i);
        for (size_t k = 0; input && k < (size_t)input->rank; k++) {
            int64_t dim = input->dims[(size_t)input->rank - 1 - k];
            if (k >= seen)
                dims[seen++] = -1;
            if (dim < 0 || dim == 1)
                continue;
            if (dims_clash(dims[k], dim)) {
                shape_clash(inference, CLASH_SHAPES,
                            "input %u has the shape %s, which is incompatible with %" PRId64
                            " at its axis %d; make them equal, or one of them 1",
                            i, shape_text(input, words), dims[k], input->rank - 1 - (int32_t)k);
                return false;
            }
            dims[k] = dim;
        }
    }
    return true;
}

/* Broadcasts the first `count` inputs. */
static void broadcast(struct inference *inference, uint32_t count)
{
    if (!broadcast_check(inference, count))
        return;
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

/* Before opset 8, those with any number of inputs did not broadcast. */
void shape_broadcast(struct inference *inference)
{
    if (inference->operation.schema->input_max > 3 && inference->operation.schema->since < 8)
        shape_same(inference);
    else
        broadcast(inference, inference->node->input_count);
}

/* Before opset 7, only the second operand was broadcast, and only if an attribute says so. */
void shape_binary(struct inference *inference)
{
    int64_t stretches;
    if (inference->operation.schema->since >= 7)
        broadcast(inference, inference->node->input_count);
    else if (!operation_int(&inference->operation, ATTRIBUTE_BROADCAST, &stretches) || stretches != 0 ||
             shapes_agree(inference, 0, 1))
        shape_same(inference);
}

/* Of floats, only the remainder of C's fmod is defined. */
void shape_mod(struct inference *inference)
{
    int64_t truncates;
    enum opshift_type type = inference->node->input_count > 0 ? inference->inputs[0].type : OPSHIFT_TYPE_UNDEFINED;
    bool is_real = type == OPSHIFT_TYPE_FLOAT || type == OPSHIFT_TYPE_DOUBLE || type == OPSHIFT_TYPE_FLOAT16 ||
                   type == OPSHIFT_TYPE_BFLOAT16;
    if (is_real && operation_int(&inference->operation, ATTRIBUTE_FMOD, &truncates) && truncates == 0)
        attribute_clash(inference, "fmod", "the inputs are %s, for which fmod must be 1; set it", type_name(type));
    else
        shape_binary(inference);
}

void shape_swi_glu(struct inference *inference)
{
    if (shapes_agree(inference, 0, 1))
        shape_same(inference);
}
