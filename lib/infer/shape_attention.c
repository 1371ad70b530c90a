/* Shapes of attention operators and of layers with a state. */
#include "infer/shape.h"

#include <inttypes.h>

/* Dims of an attention. */
enum { BATCH, QUERY_HEADS, QUERY_LENGTH, KEY_HEADS, KEY_LENGTH, TOTAL_LENGTH, HEAD, VALUE_HEAD, SIZES };

static int64_t dim_divided(int64_t dim, int64_t by)
{
    return dim >= 0 && by > 0 && dim % by == 0 ? dim / by : -1;
}

/* Query, key or value: [batch, heads, length, head size] or [batch, length, heads * head size]. */
static void heads_read(struct inference *inference, const struct value_type *input, struct value_type *sizes,
                       enum attribute_id attribute, size_t heads, size_t length, size_t head)
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
    if (operation_int(&inference->operation, attribute, &count) >= SETTING_DEFAULT && count > 0) {
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

/* False: packed heads without their number, or of another size. */
static bool heads_check(struct inference *inference, uint32_t position, enum attribute_id attribute)
{
    const struct value_type *input = input_peek(inference, position);
    char text[SHAPE_TEXT_SIZE];
    int64_t count = -1;
    enum setting_state answer = operation_int(&inference->operation, attribute, &count);
    if (input == NULL || input->rank != 3)
        return true;
    if (answer == SETTING_ABSENT)
        shape_clash(inference, CLASH_SHAPES,
                    "input %u has the shape %s, with packed heads, and '%s' is not given; give it", position,
                    shape_text(input, text), schema_attribute(inference->operation.schema, attribute)->name);
    else if (answer >= SETTING_DEFAULT && count > 0 && input->dims[2] >= 0 && input->dims[2] % count)
        shape_clash(inference, CLASH_SHAPES,
                    "input %u has the shape %s, and %" PRId64 " do not divide into %" PRId64 " heads; correct '%s'",
                    position, shape_text(input, text), input->dims[2], count,
                    schema_attribute(inference->operation.schema, attribute)->name);
    return inference->clash_count == 0;
}

/* False: the heads of the queries do not divide into those of keys and values. */
static bool groups_check(struct inference *inference, const struct value_type *sizes)
{
    int64_t queries = sizes->dims[QUERY_HEADS], keys = sizes->dims[KEY_HEADS];
    if (queries < 0 || keys < 1 || queries % keys == 0)
        return true;
    shape_clash(inference, CLASH_SHAPES,
                "%" PRId64 " heads of queries do not divide into %" PRId64 " of keys; make them a multiple", queries,
                keys);
    return false;
}

/* False: query, key or value has another rank or head size than another. */
static bool attention_check(struct inference *inference, const struct value_type *sizes)
{
    const struct value_type *query = input_peek(inference, 0), *key = input_peek(inference, 1);
    const struct value_type *value = input_peek(inference, 2);
    int64_t heads = sizes->dims[KEY_HEADS], head = sizes->dims[HEAD];
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    if ((query && key && query->rank != key->rank) || (key && value && key->rank != value->rank)) {
        bool first = query && key && query->rank != key->rank;
        shape_clash(inference, CLASH_SHAPES, "input %d has the shape %s and input %d %s; they must have as many axes",
                    first ? 0 : 1, shape_text(first ? query : key, one), first ? 1 : 2,
                    shape_text(first ? key : value, other));
        return false;
    }
    bool packed = (query && query->rank == 3) || (key && key->rank == 3);
    int32_t length = packed ? 1 : 2;
    bool fits = heads_check(inference, 0, ATTRIBUTE_Q_NUM_HEADS) && heads_check(inference, 1, ATTRIBUTE_KV_NUM_HEADS) &&
                heads_check(inference, 2, ATTRIBUTE_KV_NUM_HEADS) && groups_check(inference, sizes) &&
                dim_fits(inference, 2, length, key ? key->dims[length] : -1);
    if (fits && packed)
        fits = dim_fits(inference, 0, 2, dim_times(sizes->dims[QUERY_HEADS], head));
    else if (fits)
        fits = dim_fits(inference, 0, 3, head) && dim_fits(inference, 2, 1, heads);
    return fits && dim_fits(inference, 4, 0, sizes->dims[BATCH]) && dim_fits(inference, 5, 0, sizes->dims[BATCH]) &&
           dim_fits(inference, 4, 1, heads) && dim_fits(inference, 5, 1, heads) && dim_fits(inference, 4, 3, head) &&
           dim_fits(inference, 5, 3, sizes->dims[VALUE_HEAD]);
}

/* False: one cache alone, or a mask that does not broadcast to the scores; from opset 24 on it may be shorter. */
static bool mask_check(struct inference *inference, const struct value_type *sizes)
{
    const struct value_type *mask = input_peek(inference, 3);
    int64_t total = sizes->dims[TOTAL_LENGTH];
    char text[SHAPE_TEXT_SIZE];
    if (inference_has_input(inference, 4) != inference_has_input(inference, 5)) {
        shape_clash(inference, CLASH_SHAPES, "past_key and past_value come together, and one is omitted; give both");
        return false;
    }
    if (mask == NULL || mask->rank < 2)
        return true;
    int64_t rows = mask->dims[mask->rank - 2], columns = mask->dims[mask->rank - 1];
    bool shorter = inference->operation.schema->since >= 24 && columns <= total;
    if ((rows == 1 || !dims_clash(rows, sizes->dims[QUERY_LENGTH])) &&
        (columns == 1 || shorter || !dims_clash(columns, total)))
        return true;
    shape_clash(inference, CLASH_SHAPES,
                "the mask has the shape %s, and there are %" PRId64 " queries and %" PRId64
                " keys; its last axes must be these, or 1",
                shape_text(mask, text), sizes->dims[QUERY_LENGTH], total);
    return false;
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
    heads_read(inference, query, &sizes, ATTRIBUTE_Q_NUM_HEADS, QUERY_HEADS, QUERY_LENGTH, HEAD);
    heads_read(inference, input_ranked(inference, 1), &sizes, ATTRIBUTE_KV_NUM_HEADS, KEY_HEADS, KEY_LENGTH, HEAD);
    heads_read(inference, input_ranked(inference, 2), &sizes, ATTRIBUTE_KV_NUM_HEADS, KEY_HEADS, KEY_LENGTH,
               VALUE_HEAD);
    total_read(inference, &sizes);
    if (!attention_check(inference, &sizes) || !mask_check(inference, &sizes))
        return;
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

/* False: heads or states do not fit, or the rule lacks an input. */
static bool linear_check(struct inference *inference, const struct value_type *sizes)
{
    const struct value_type *key = input_peek(inference, 1);
    int64_t heads = sizes->dims[KEY_HEADS];
    struct bytes rule = {0};
    enum setting_state answer = operation_text(&inference->operation, ATTRIBUTE_UPDATE_RULE, &rule);
    bool known = answer != SETTING_UNKNOWN, gated = answer == SETTING_ABSENT || bytes_are(rule, "gated_delta");
    bool wanted[] = {gated || bytes_are(rule, "gated"), gated || bytes_are(rule, "delta")};
    static const char *const names[] = {"decay", "beta"};
    for (uint32_t i = 0; known && i < 2; i++)
        if (wanted[i] && !inference_has_input(inference, 4 + i)) {
            shape_clash(inference, CLASH_SHAPES, "the update rule needs the input '%s', which is omitted; give it",
                        names[i]);
            return false;
        }
    if (!heads_check(inference, 0, ATTRIBUTE_Q_NUM_HEADS) || !heads_check(inference, 1, ATTRIBUTE_KV_NUM_HEADS) ||
        !heads_check(inference, 2, ATTRIBUTE_KV_NUM_HEADS) || !groups_check(inference, sizes))
        return false;
    int64_t head = key && heads > 0 ? dim_divided(key->dims[2], heads) : -1;
    return dim_fits(inference, 0, 2, dim_times(sizes->dims[QUERY_HEADS], head)) && dim_fits(inference, 3, 1, heads) &&
           dim_fits(inference, 3, 2, head) && dim_fits(inference, 3, 3, sizes->dims[VALUE_HEAD]) &&
           dim_fits(inference, 4, 0, sizes->dims[BATCH]) && dim_fits(inference, 5, 0, sizes->dims[BATCH]) &&
           dim_fits(inference, 4, 1, sizes->dims[QUERY_LENGTH]) && dim_fits(inference, 5, 1, sizes->dims[QUERY_LENGTH]);
}

/* Packed inputs, and a state of [batch, key heads, head size, value head size]. */
void shape_linear_attention(struct inference *inference)
{
    static const uint8_t state[] = {BATCH, KEY_HEADS, HEAD, VALUE_HEAD};
    struct value_type sizes, *output = shape_output(inference, 0, 3);
    const struct value_type *past = input_ranked(inference, 3);
    if (output == NULL || !shape_new(inference, &sizes, SIZES))
        return;
    heads_read(inference, input_ranked(inference, 0), &sizes, ATTRIBUTE_Q_NUM_HEADS, QUERY_HEADS, QUERY_LENGTH, HEAD);
    heads_read(inference, input_ranked(inference, 2), &sizes, ATTRIBUTE_KV_NUM_HEADS, KEY_HEADS, KEY_LENGTH,
               VALUE_HEAD);
    if (!linear_check(inference, &sizes))
        return;
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
    int64_t kernel = weights && weights->rank == 3 ? weights->dims[2] : -1;
    if (kernel == 0)
        shape_clash(inference, CLASH_SHAPES, "the kernel has no elements; it must have at least one");
    if (!dim_fits(inference, 3, 2, kernel - 1) || state == NULL || data == NULL || data->rank != 3)
        return;
    dim_copy(state, 0, data, 0);
    dim_copy(state, 1, data, 1);
    if (weights && weights->rank == 3 && weights->dims[2] > 0)
        dim_set(state, 2, weights->dims[2] - 1);
}

/* Pairs of elements are turned: of each head, or of its first rotary_embedding_dim ones. */
void shape_rotary_embedding(struct inference *inference)
{
    const struct value_type *data = input_peek(inference, 0);
    int64_t heads = 0, turned = 0, head = -1;
    bool known = operation_int(&inference->operation, ATTRIBUTE_NUM_HEADS, &heads) &&
                 operation_int(&inference->operation, ATTRIBUTE_ROTARY_EMBEDDING_DIM, &turned);
    if (data && data->rank == 4)
        head = data->dims[3];
    else if (data && data->rank == 3 && known && heads > 0)
        head = dim_divided(data->dims[2], heads);
    if (known && data && data->rank == 3 && heads == 0) {
        attribute_clash(inference, "num_heads",
                        "the input has 3 axes, with packed heads, and num_heads is not given; give it");
        return;
    }
    int64_t size = turned > 0 ? turned : head;
    if (known && (size % 2 == 1 || (head >= 0 && turned > head))) {
        shape_clash(inference, CLASH_SHAPES,
                    "%" PRId64 " of the %" PRId64 " elements of a head cannot be turned in pairs; give an even number",
                    size, head);
        return;
    }
    for (uint32_t i = 1; known && i < 3; i++) {
        const struct value_type *cache = input_peek(inference, i);
        if (cache && cache->rank > 0 && !dim_fits(inference, i, cache->rank - 1, size < 0 ? -1 : size / 2))
            return;
    }
    shape_same(inference);
}

/* The update is as the cache, or shorter along the axis. */
void shape_tensor_scatter(struct inference *inference)
{
    const struct value_type *cache = input_peek(inference, 0), *update = input_peek(inference, 1);
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    int64_t number;
    size_t axis;
    if (cache && update && operation_int(&inference->operation, ATTRIBUTE_AXIS, &number)) {
        if (!axis_check(inference, number, cache->rank, &axis))
            return;
        bool fits = cache->rank == update->rank;
        for (size_t i = 0; fits && i < (size_t)cache->rank; i++)
            fits = i == axis ? cache->dims[i] < 0 || update->dims[i] <= cache->dims[i]
                             : !dims_clash(cache->dims[i], update->dims[i]);
        if (!fits) {
            shape_clash(inference, CLASH_SHAPES,
                        "the cache has the shape %s and the update %s, which may only be shorter along axis %zu",
                        shape_text(cache, one), shape_text(update, other), axis);
            return;
        }
    }
    shape_same(inference);
}
