/* Shapes that depend on data (NonZero, Compress, Unique), and those of losses and string operators. */
#include "infer/shape.h"

#include <inttypes.h>

void shape_nonzero(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = shape_output(inference, 0, 2);
    if (output && data && data->rank > 0)
        dim_set(output, 0, data->rank);
}

/* Number of axis entries selected by a constant condition; -1: unknown. */
static int64_t taken(struct inference *inference)
{
    const struct known *condition = input_known(inference, 1);
    int64_t count = 0;
    if (condition == NULL || condition->symbols || condition->type != OPSHIFT_TYPE_BOOL)
        return -1;
    for (uint32_t i = 0; i < condition->count; i++)
        count += condition->numbers[i] != 0;
    return count;
}

void shape_compress(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    int64_t number;
    size_t axis;
    enum setting_state answer = operation_int(&inference->operation, ATTRIBUTE_AXIS, &number);
    if (answer == SETTING_ABSENT && shape_new(inference, output, 1))
        dim_set(output, 0, taken(inference));
    if (answer < SETTING_DEFAULT || data == NULL || !shape_new(inference, output, (size_t)data->rank) ||
        !axis_check(inference, number, data->rank, &axis))
        return;
    for (size_t i = 0; i < (size_t)data->rank; i++)
        dim_copy(output, i, data, i);
    dim_set(output, axis, taken(inference));
}

/* Outputs Y, indices, inverse_indices, counts. */
void shape_unique(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    int64_t number;
    size_t axis;
    for (uint32_t i = 1; i < 4; i++)
        shape_output(inference, i, 1);
    struct value_type *inverse = inference->node->output_count > 2 ? &inference->outputs[2] : NULL;
    enum setting_state answer = operation_int(&inference->operation, ATTRIBUTE_AXIS, &number);
    if (answer == SETTING_ABSENT) {
        shape_output(inference, 0, 1);
        if (inverse && inverse->rank == 1 && data)
            dim_set(inverse, 0, dims_product(data));
    }
    if (answer < SETTING_DEFAULT || data == NULL || !axis_check(inference, number, data->rank, &axis))
        return;
    struct value_type *output = shape_output(inference, 0, (size_t)data->rank);
    for (size_t i = 0; output && i < (size_t)data->rank; i++)
        if (i != axis)
            dim_copy(output, i, data, i);
    if (inverse && inverse->rank == 1)
        dim_copy(inverse, 0, data, axis);
}

/* Each output row is [batch, class, box]. */
void shape_non_max_suppression(struct inference *inference)
{
    struct value_type *output = shape_output(inference, 0, 2);
    if (output)
        dim_set(output, 1, 3);
}

void shape_multinomial(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = shape_output(inference, 0, 2);
    int64_t count;
    if (output && data && data->rank == 2)
        dim_copy(output, 0, data, 0);
    if (output && operation_int(&inference->operation, ATTRIBUTE_SAMPLE_SIZE, &count))
        dim_set(output, 1, count);
}

/* False: the labels are not the scores without their classes, the second axis. */
static bool loss_check(struct inference *inference, const struct value_type *scores, const struct value_type *labels)
{
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    bool fits = scores == NULL || labels == NULL || labels->rank == scores->rank - 1;
    for (int32_t i = 0; fits && scores && labels && i < labels->rank; i++)
        fits = !dims_clash(labels->dims[i], scores->dims[i > 0 ? i + 1 : 0]);
    if (!fits)
        shape_clash(inference, CLASH_SHAPES,
                    "input 0 has the shape %s and input 1 %s, which must be the same without axis 1, the classes",
                    shape_text(scores, one), shape_text(labels, other));
    return fits;
}

/* One loss in total, or one per target; log_prob of SoftmaxCrossEntropyLoss has the shape of the scores. */
void shape_loss(struct inference *inference)
{
    const struct value_type *scores = input_ranked(inference, 0), *targets = input_ranked(inference, 1);
    struct bytes reduction;
    if (!loss_check(inference, scores, targets))
        return;
    enum setting_state answer = operation_text(&inference->operation, ATTRIBUTE_REDUCTION, &reduction);
    bool each = answer >= SETTING_DEFAULT && bytes_are(reduction, "none");
    if (answer != SETTING_UNKNOWN && !each)
        shape_output(inference, 0, 0);
    else if (answer != SETTING_UNKNOWN && targets)
        shape_like(&inference->outputs[0], targets);
    if (inference->node->output_count > 1 && scores)
        shape_like(&inference->outputs[1], scores);
}

/* ---- strings ---- */

/* Stop words are removed; if nothing is left, the result is one empty string. */
void shape_string_normalizer(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    if (data == NULL || data->rank < 1 || data->rank > 2)
        return;
    size_t last = (size_t)data->rank - 1;
    char words[SHAPE_TEXT_SIZE];
    if ((last == 1 && dims_clash(data->dims[0], 1)) || data->dims[last] == 0) {
        shape_clash(inference, CLASH_SHAPES, "the input has the shape %s; it must be [C] or [1,C], with C above 0",
                    shape_text(data, words));
        return;
    }
    struct value_type *output = shape_output(inference, 0, last + 1);
    if (output == NULL)
        return;
    if (last == 1)
        dim_set(output, 0, 1);
    if (!operation_gives(&inference->operation, ATTRIBUTE_STOPWORDS) && data->dims[last] != 0)
        dim_copy(output, last, data, last);
}

/* Adds an axis for the parts; the second output is the number of parts of each string. */
void shape_string_split(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *parts = data ? shape_output(inference, 0, (size_t)data->rank + 1) : NULL;
    for (size_t i = 0; parts && i < (size_t)data->rank; i++)
        dim_copy(parts, i, data, i);
    if (data && inference->node->output_count > 1)
        shape_like(&inference->outputs[1], data);
}

/* False: an n-gram begins behind the end of the pool. */
static bool ngrams_check(struct inference *inference)
{
    const int64_t *starts;
    int64_t most;
    size_t count;
    const Onnx__AttributeProto *pool;
    if (attribute_ints(inference, ATTRIBUTE_NGRAM_COUNTS, &starts, &count) < SETTING_DEFAULT ||
        (operation_message(&inference->operation, ATTRIBUTE_POOL_INT64S, &pool) != SETTING_GIVEN &&
         operation_message(&inference->operation, ATTRIBUTE_POOL_STRINGS, &pool) != SETTING_GIVEN))
        return true;
    if (operation_int(&inference->operation, ATTRIBUTE_MAX_GRAM_LENGTH, &most) >= SETTING_DEFAULT &&
        most > (int64_t)count) {
        attribute_clash(inference, "max_gram_length",
                        "max_gram_length is %" PRId64 ", and ngram_counts has %zu numbers; give one for each length",
                        most, count);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (starts[i] <= (int64_t)(pool->n_ints + pool->n_strings) && (i == 0 || starts[i] >= starts[i - 1]))
            continue;
        attribute_clash(inference, "ngram_counts",
                        "ngram_counts has %" PRId64 " at position %zu, and the pool has %zu items; the numbers must "
                        "ascend, up to that",
                        starts[i], i, pool->n_ints + pool->n_strings);
        return false;
    }
    return true;
}

/* Each row has max(ngram_indexes) + 1 numbers. */
void shape_tf_idf(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    const int64_t *indexes;
    size_t count;
    int64_t most = -1;
    if (data == NULL || data->rank < 1 || data->rank > 2)
        return;
    size_t rank = (size_t)data->rank;
    struct value_type *output = shape_output(inference, 0, rank);
    if (output == NULL)
        return;
    if (rank == 2)
        dim_copy(output, 0, data, 0);
    if (!ngrams_check(inference) ||
        attribute_ints(inference, ATTRIBUTE_NGRAM_INDEXES, &indexes, &count) < SETTING_DEFAULT)
        return;
    for (size_t i = 0; i < count; i++)
        most = indexes[i] > most ? indexes[i] : most;
    if (most >= 0 && most < INT64_MAX)
        dim_set(output, rank - 1, most + 1);
}
