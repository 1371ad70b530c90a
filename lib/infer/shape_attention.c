/* Shapes of attention operators and of layers with a state. */
#include "infer/shape.h"

/* Dims of an attention. */
enum { BATCH, QUERY_HEADS, QUERY_LENGTH, KEY_HEADS, KEY_LENGTH, TOTAL_LENGTH, HEAD, VALUE_HEAD, SIZES };

static int64_t dim_divided(int64_t dim, int64_t by)
{
    return dim >= 0 && by > 0 && dim % by == 0 ? dim / by : -1;
}

/* Query, key or value: [batch, heads, length, head size] or [batch, length, heads * head size]. */
static void heads_read(struct inference *inference, const struct value_type *input, struct value_type *sizes,
                       const char *attribute, size_t heads, size_t length, size_t head)
{
    int64_t count;
    if (input == NULL || (input->rank != 3 && input->rank != 4))
        return;
    if (sizes->dims[BATCH] < 0)
        dim_copy(sizes, BATCH, input, 0);
    if (input->rank == 4) {
        dim_copy(sizes, heads, input, 1);
        dim_copy(sizes, length, input, 2);
        dim_copy(sizes, head, input, 3);
        return;
    }
    dim_copy(sizes, length, input, 1);
    if (attribute_int(inference, attribute, &count) == ANSWER_KNOWN && count > 0) {
        dim_set(sizes, heads, count);
        dim_set(sizes, head, dim_divided(input->dims[2], count));
    }
}

static void sizes_output(struct inference *inference, uint32_t position, const struct value_type *sizes,
                         const uint8_t order[4])
{
    struct value_type *output = shape_output(inference, position, 4);
    for (size_t i = 0; output && i < 4; i++)
        dim_copy(output, i, sizes, order[i]);
}

/* The number of keys, including past ones. */
static void total_read(struct inference *inference, struct value_type *sizes)
{
    const struct value_type *past = input_ranked(inference, 4);
    if (!inference_has_input(inference, 4))
        dim_copy(sizes, TOTAL_LENGTH, sizes, KEY_LENGTH);
    else if (past && past->rank == 4)
        dim_set(sizes, TOTAL_LENGTH, dim_plus(past->dims[2], sizes->dims[KEY_LENGTH]));
}

void shape_attention(struct inference *inference)
{
    static const uint8_t y[] = {BATCH, QUERY_HEADS, QUERY_LENGTH, VALUE_HEAD};
    static const uint8_t key[] = {BATCH, KEY_HEADS, TOTAL_LENGTH, HEAD};
    static const uint8_t value[] = {BATCH, KEY_HEADS, TOTAL_LENGTH, VALUE_HEAD};
    static const uint8_t product[] = {BATCH, QUERY_HEADS, QUERY_LENGTH, TOTAL_LENGTH};
    const struct value_type *query = input_ranked(inference, 0);
    struct value_type sizes, *output;
    if (!shape_new(inference, &sizes, SIZES))
        return;
    heads_read(inference, query, &sizes, "q_num_heads", QUERY_HEADS, QUERY_LENGTH, HEAD);
    heads_read(inference, input_ranked(inference, 1), &sizes, "kv_num_heads", KEY_HEADS, KEY_LENGTH, HEAD);
    heads_read(inference, input_ranked(inference, 2), &sizes, "kv_num_heads", KEY_HEADS, KEY_LENGTH, VALUE_HEAD);
    total_read(inference, &sizes);
    sizes_output(inference, 1, &sizes, key);
    sizes_output(inference, 2, &sizes, value);
    sizes_output(inference, 3, &sizes, product);
    if (query && query->rank == 4) {
        sizes_output(inference, 0, &sizes, y);
    } else if (query && query->rank == 3 && (output = shape_output(inference, 0, 3))) {
        dim_copy(output, 0, &sizes, BATCH);
        dim_copy(output, 1, &sizes, QUERY_LENGTH);
        dim_set(output, 2, dim_times(sizes.dims[QUERY_HEADS], sizes.dims[VALUE_HEAD]));
    }
}

/* Packed inputs, and a state of [batch, key heads, head size, value head size]. */
void shape_linear_attention(struct inference *inference)
{
    static const uint8_t state[] = {BATCH, KEY_HEADS, HEAD, VALUE_HEAD};
    struct value_type sizes, *output = shape_output(inference, 0, 3);
    const struct value_type *past = input_ranked(inference, 3);
    if (output == NULL || !shape_new(inference, &sizes, SIZES))
        return;
    heads_read(inference, input_ranked(inference, 0), &sizes, "q_num_heads", QUERY_HEADS, QUERY_LENGTH, HEAD);
    heads_read(inference, input_ranked(inference, 2), &sizes, "kv_num_heads", KEY_HEADS, KEY_LENGTH, VALUE_HEAD);
    for (size_t i = 0; past && past->rank == 4 && i < 4; i++)
        if (sizes.dims[state[i]] < 0 && past->dims[i] >= 0)
            dim_copy(&sizes, state[i], past, i);
    sizes_output(inference, 1, &sizes, state);
    dim_copy(output, 0, &sizes, BATCH);
    dim_copy(output, 1, &sizes, QUERY_LENGTH);
    dim_set(output, 2, dim_times(sizes.dims[QUERY_HEADS], sizes.dims[VALUE_HEAD]));
}

/* The state holds the last elements of the input, one fewer than the kernel. */
void shape_causal_conv(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0), *weights = input_ranked(inference, 1);
    struct value_type *state = shape_output(inference, 1, 3);
    shape_same(inference);
    if (state == NULL || data == NULL || data->rank != 3)
        return;
    dim_copy(state, 0, data, 0);
    dim_copy(state, 1, data, 1);
    if (weights && weights->rank == 3 && weights->dims[2] > 0)
        dim_set(state, 2, weights->dims[2] - 1);
}
