/* Attention and the preparation of its inputs: rotary embeddings, cache updates. */
#include <math.h>
#include <string.h>

#include "kernel/reals.h"

/* ---- Attention (23, 24, 25) ---- */

/* A window of this size excludes no key. */
#define WINDOW_MAX (INT64_MAX / 4)

/* Which value output 3 holds. */
enum attention_output { SCORES, SCORES_CAPPED, SCORES_MASKED, SCORES_WEIGHTS };

/* The query, key or value input: [batch, heads, length, size], or with 3 axes [batch, length, heads * size]. */
struct attention_part {
    uint64_t heads, length, size;
    double *elements; /* in 4-axis order */
};

struct attention {
    uint64_t batch, past, total; /* past: cached entries; total: cached and new ones */
    struct attention_part query, key, value;
    double scale, softcap;
    int64_t output_mode, left, right; /* left, right: window sizes; -1: none */
    bool causal;
    double *mask;            /* added to the scores; NULL: none */
    uint64_t mask_stride[3]; /* by batch, head, row; 0: broadcast */
    uint64_t mask_length;    /* keys beyond it are masked */
    bool mask_repeats;       /* one mask entry applies to all keys */
    const int64_t *lengths;  /* number of valid keys per sample; NULL: all */
};

static enum opshift_status find_part(const struct kernel_call *call, uint32_t position, int64_t heads,
                                     struct attention_part *part, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[position];
    const char *attribute = position == 0 ? "q_num_heads" : "kv_num_heads";
    if (input->rank == 4) {
        *part =
            (struct attention_part){(uint64_t)input->dims[1], (uint64_t)input->dims[2], (uint64_t)input->dims[3], NULL};
        return OPSHIFT_OK;
    }
    if (heads < 1)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input %u has rank 3, which needs the attribute '%s'", position,
                            attribute);
    if (input->dims[2] % heads != 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "%lld elements of input %u do not make %lld heads",
                            (long long)input->dims[2], position, (long long)heads);
    *part =
        (struct attention_part){(uint64_t)heads, (uint64_t)input->dims[1], (uint64_t)(input->dims[2] / heads), NULL};
    return OPSHIFT_OK;
}

static enum opshift_status find_parts(struct kernel_call *call, struct attention *attention,
                                      struct opshift_error *error)
{
    struct attention_part *const parts[] = {&attention->query, &attention->key, &attention->value};
    int64_t heads[] = {kernel_int(call, ATTRIBUTE_Q_NUM_HEADS), kernel_int(call, ATTRIBUTE_KV_NUM_HEADS)};
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < COUNT(parts) && status == OPSHIFT_OK; i++) {
        status = kernel_rank(call, i, 3, 4, error);
        if (status == OPSHIFT_OK)
            status = find_part(call, i, heads[i > 0], parts[i], error);
        if (status == OPSHIFT_OK && call->inputs[i]->dims[0] != call->inputs[0]->dims[0])
            status = opshift_fail(error, OPSHIFT_MALFORMED, "input %u has %lld samples, must have %lld", i,
                                  (long long)call->inputs[i]->dims[0], (long long)call->inputs[0]->dims[0]);
    }
    if (status)
        return status;
    const struct attention_part *query = parts[0], *key = parts[1], *value = parts[2];
    attention->batch = (uint64_t)call->inputs[0]->dims[0];
    if (key->heads == 0 || query->heads % key->heads != 0 || key->heads != value->heads)
        return opshift_fail(
            error, OPSHIFT_MALFORMED, "%llu heads of queries do not fit %llu of keys and %llu of values",
            (unsigned long long)query->heads, (unsigned long long)key->heads, (unsigned long long)value->heads);
    if (query->size == 0 || value->size == 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the heads have no elements");
    if (query->size != key->size || key->length != value->length)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "queries of %llu elements do not fit %llu keys of %llu and %llu values",
                            (unsigned long long)query->size, (unsigned long long)key->length,
                            (unsigned long long)key->size, (unsigned long long)value->length);
    if (call->defined && (query->size == 0 || value->size == 0 || key->length == 0))
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "of no elements or no keys, attention is not defined");
    return OPSHIFT_OK;
}

/* Copies an input's entries after the `past` cached ones. */
static void place_entries(const struct tensor *input, const double *from, struct attention_part *part, uint64_t past,
                          uint64_t batch)
{
    uint64_t total = past + part->length;
    bool four = input->rank == 4;
    for (uint64_t b = 0; b < batch && input->count > 0; b++)
        for (uint64_t h = 0; h < part->heads; h++)
            for (uint64_t i = 0; i < part->length; i++) {
                uint64_t source =
                    four ? (b * part->heads + h) * part->length + i : (b * part->length + i) * part->heads + h;
                uint64_t target = (b * part->heads + h) * total + past + i;
                memcpy(part->elements + target * part->size, from + source * part->size, part->size * sizeof(double));
            }
}

/* Reads query, key or value, preceded by the cache of input `cache`. */
static enum opshift_status load_part(struct kernel_call *call, uint32_t position, uint32_t cache, uint64_t past,
                                     struct attention_part *part, struct opshift_error *error)
{
    const struct tensor *input = call->inputs[position], *before = cache == 0 ? NULL : kernel_input(call, cache);
    uint64_t rows = (uint64_t)input->dims[0] * part->heads;
    double *elements = NULL, *old = NULL;
    enum opshift_status status = reals_load(call, input, &elements, error);
    if (status == OPSHIFT_OK)
        status = reals_load(call, before, &old, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, input->count + (before == NULL ? 0 : before->count), &part->elements, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, input->count + (before == NULL ? 0 : before->count), STEPS_MOVE, error);
    if (status)
        return status;
    uint64_t old_size = past * part->size, size = (past + part->length) * part->size;
    for (uint64_t row = 0; row < rows && old_size > 0 && old != NULL; row++)
        memcpy(part->elements + row * size, old + row * old_size, old_size * sizeof(*old));
    place_entries(input, elements, part, past, (uint64_t)input->dims[0]);
    part->length += past;
    return OPSHIFT_OK;
}

static enum opshift_status check_cache(struct kernel_call *call, uint32_t position, const struct attention_part *part,
                                       uint64_t past, struct opshift_error *error)
{
    const int64_t dims[] = {call->inputs[0]->dims[0], (int64_t)part->heads, (int64_t)past, (int64_t)part->size};
    return kernel_shape(call, position, COUNT(dims), dims, error);
}

static enum opshift_status load_parts(struct kernel_call *call, struct attention *attention,
                                      struct opshift_error *error)
{
    const struct tensor *keys = kernel_input(call, 4), *values = kernel_input(call, 5);
    if ((keys == NULL) != (values == NULL))
        return opshift_fail(error, OPSHIFT_MALFORMED, "past_key and past_value come together");
    attention->past = keys != NULL && keys->rank == 4 ? (uint64_t)keys->dims[2] : 0;
    attention->total = attention->past + attention->key.length;
    enum opshift_status status = check_cache(call, 4, &attention->key, attention->past, error);
    if (status == OPSHIFT_OK)
        status = check_cache(call, 5, &attention->value, attention->past, error);
    if (status == OPSHIFT_OK)
        status = load_part(call, 0, 0, 0, &attention->query, error);
    if (status == OPSHIFT_OK)
        status = load_part(call, 1, 4, attention->past, &attention->key, error);
    return status == OPSHIFT_OK ? load_part(call, 2, 5, attention->past, &attention->value, error) : status;
}

/* The mask broadcasts to [batch, heads, queries, keys]; since opset 24 it may have fewer keys. */
static enum opshift_status load_mask(struct kernel_call *call, struct attention *attention, struct opshift_error *error)
{
    const struct tensor *mask = kernel_input(call, 3);
    const uint64_t full[] = {attention->batch, attention->query.heads, attention->query.length, attention->total};
    uint64_t stride = 1;
    if (mask == NULL)
        return OPSHIFT_OK;
    bool fits = mask->rank >= 1 && mask->rank <= 4;
    for (uint32_t i = 0; i < mask->rank && fits; i++) {
        uint64_t dim = (uint64_t)mask->dims[mask->rank - 1 - i], wanted = full[3 - i];
        bool may_be_short = i == 0 && call->operation.opset >= 24;
        fits = dim == wanted || (may_be_short ? dim < wanted : dim == 1);
        if (i > 0)
            attention->mask_stride[3 - i] = dim == 1 ? 0 : stride;
        stride *= dim;
    }
    if (!fits)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the mask of shape %s does not fit [%llu,%llu,%llu,%llu]",
                            kernel_dims_text(call->arena, mask->rank, mask->dims), (unsigned long long)full[0],
                            (unsigned long long)full[1], (unsigned long long)full[2], (unsigned long long)full[3]);
    attention->mask_length = (uint64_t)mask->dims[mask->rank - 1];
    attention->mask_repeats = attention->mask_length == 1 && call->operation.opset < 24;
    enum opshift_status status = reals_load(call, mask, &attention->mask, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && mask->type == OPSHIFT_TYPE_BOOL && i < mask->count; i++)
        attention->mask[i] = attention->mask[i] != 0 ? 0 : -(double)INFINITY;
    bool rounds = number_type(mask->type)->kind != NUMBER_REAL && call->inputs[0]->type != OPSHIFT_TYPE_DOUBLE;
    for (uint64_t i = 0; status == OPSHIFT_OK && rounds && i < mask->count; i++)
        attention->mask[i] = (double)(float)attention->mask[i];
    return status;
}

static enum opshift_status load_lengths(struct kernel_call *call, struct attention *attention,
                                        struct opshift_error *error)
{
    const int64_t dims[] = {(int64_t)attention->batch};
    struct int_list lengths = {0};
    if (kernel_input(call, 6) == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = kernel_shape(call, 6, 1, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_vector(call, call->inputs[6], "the list of lengths", &lengths, error);
    attention->lengths = lengths.values;
    for (uint64_t i = 0; status == OPSHIFT_OK && i < lengths.count; i++)
        if (lengths.values[i] < 0 || lengths.values[i] > (int64_t)attention->total)
            return opshift_fail(error, OPSHIFT_MALFORMED, "length %lld is outside the %llu keys",
                                (long long)lengths.values[i], (unsigned long long)attention->total);
    return status;
}

static void load_settings(const struct kernel_call *call, struct attention *attention)
{
    int64_t causal = kernel_int(call, ATTRIBUTE_IS_CAUSAL);
    bool windowed = kernel_has(call, ATTRIBUTE_LEFT_WINDOW_SIZE);
    attention->output_mode = kernel_int(call, ATTRIBUTE_QK_MATMUL_OUTPUT_MODE);
    attention->left = windowed ? kernel_int(call, ATTRIBUTE_LEFT_WINDOW_SIZE) : -1;
    attention->right = windowed ? kernel_int(call, ATTRIBUTE_RIGHT_WINDOW_SIZE) : -1;
    attention->left = attention->left < WINDOW_MAX ? attention->left : WINDOW_MAX;
    attention->right = attention->right < WINDOW_MAX ? attention->right : WINDOW_MAX;
    attention->causal = causal != 0;
    attention->scale = kernel_gives(call, ATTRIBUTE_SCALE) ? (double)kernel_float(call, ATTRIBUTE_SCALE)
                                                           : 1 / sqrt((double)attention->query.size);
    attention->softcap = (double)kernel_float(call, ATTRIBUTE_SOFTCAP);
}

/* May the query of this row attend to the key? Rows count from the first key that is not cached. */
static bool is_visible(const struct attention *attention, uint64_t sample, uint64_t row, uint64_t key)
{
    int64_t at = (int64_t)key, here = (int64_t)row;
    if (attention->past > 0)
        here += (int64_t)attention->past;
    else if (attention->lengths != NULL)
        here += attention->lengths[sample] - (int64_t)attention->query.length;
    if (attention->lengths != NULL && at >= attention->lengths[sample])
        return false;
    if (attention->causal && at > here)
        return false;
    return (attention->left < 0 || at >= here - attention->left) &&
           (attention->right < 0 || at <= here + attention->right);
}

static double mask_value(const struct attention *attention, uint64_t sample, uint64_t head, uint64_t row, uint64_t key)
{
    const uint64_t *stride = attention->mask_stride;
    if (!is_visible(attention, sample, row, key))
        return -(double)INFINITY;
    if (attention->mask == NULL)
        return 0;
    if (key >= attention->mask_length && !attention->mask_repeats)
        return -(double)INFINITY;
    return attention
        ->mask[sample * stride[0] + head * stride[1] + row * stride[2] + (attention->mask_repeats ? 0 : key)];
}

/* Softmax of a row; all weights are 0 if all keys are masked. */
static void soften(double *scores, uint64_t count)
{
    double greatest = -(double)INFINITY, sum = 0;
    for (uint64_t i = 0; i < count; i++)
        greatest = isnan(scores[i]) || scores[i] > greatest ? scores[i] : greatest;
    for (uint64_t i = 0; i < count; i++) {
        scores[i] = isinf(greatest) && greatest < 0 ? 0 : exp(scores[i] - greatest);
        sum += scores[i];
    }
    for (uint64_t i = 0; i < count && sum != 0; i++)
        scores[i] /= sum;
}

/* Computes the weights of one query; shown: the values that output 3 returns. */
static void weigh(const struct attention *attention, uint64_t sample, uint64_t head, uint64_t row, double *weights,
                  double *shown)
{
    const struct attention_part *query = &attention->query, *key = &attention->key;
    const double *q = query->elements + ((sample * query->heads + head) * query->length + row) * query->size;
    uint64_t shared = head / (query->heads / key->heads);
    for (uint64_t j = 0; j < attention->total; j++) {
        const double *k = key->elements + ((sample * key->heads + shared) * attention->total + j) * key->size;
        double score = 0, capped;
        for (uint64_t i = 0; i < key->size; i++)
            score += q[i] * k[i];
        score *= attention->scale;
        capped = attention->softcap > 0 ? attention->softcap * tanh(score / attention->softcap) : score;
        weights[j] = capped + mask_value(attention, sample, head, row, j);
        shown[j] = attention->output_mode == SCORES          ? score
                   : attention->output_mode == SCORES_CAPPED ? capped
                                                             : weights[j];
    }
    soften(weights, attention->total);
    if (attention->output_mode == SCORES_WEIGHTS)
        memcpy(shown, weights, attention->total * sizeof(*shown));
}

static void attend(struct kernel_call *call, const struct attention *attention, double *weights, double *shown,
                   double *result)
{
    const struct attention_part *query = &attention->query, *value = &attention->value;
    bool four = call->inputs[0]->rank == 4;
    for (uint64_t at = 0; at < attention->batch * query->heads * query->length; at++) {
        uint64_t sample = at / query->length / query->heads, head = at / query->length % query->heads;
        uint64_t row = at % query->length, shared = head / (query->heads / value->heads);
        const double *v = value->elements + (sample * value->heads + shared) * attention->total * value->size;
        weigh(attention, sample, head, row, weights, shown);
        memset(result, 0, value->size * sizeof(*result));
        for (uint64_t j = 0; j < attention->total; j++)
            for (uint64_t i = 0; weights[j] != 0 && i < value->size; i++)
                result[i] += weights[j] * v[j * value->size + i];
        uint64_t place = four ? at : (sample * query->length + row) * query->heads + head;
        reals_store(call->outputs[0], place * value->size, result, value->size);
        if (kernel_wants(call, 3))
            reals_store(call->outputs[3], at * attention->total, shown, attention->total);
    }
}

static enum opshift_status make_outputs(struct kernel_call *call, const struct attention *attention,
                                        struct opshift_error *error)
{
    const struct attention_part *query = &attention->query, *key = &attention->key, *value = &attention->value;
    const int64_t batch = (int64_t)attention->batch, total = (int64_t)attention->total;
    const int64_t four[] = {batch, (int64_t)query->heads, (int64_t)query->length, (int64_t)value->size};
    const int64_t three[] = {batch, (int64_t)query->length, (int64_t)(query->heads * value->size)};
    const int64_t keys[] = {batch, (int64_t)key->heads, total, (int64_t)key->size};
    const int64_t values[] = {batch, (int64_t)value->heads, total, (int64_t)value->size};
    const int64_t scores[] = {batch, (int64_t)query->heads, (int64_t)query->length, total};
    enum opshift_type type = call->inputs[0]->type;
    bool is_four = call->inputs[0]->rank == 4;
    enum opshift_status status = kernel_output(call, 0, type, is_four ? 4 : 3, is_four ? four : three, error);
    if (status == OPSHIFT_OK && kernel_wants(call, 1))
        status = kernel_output(call, 1, call->inputs[1]->type, 4, keys, error);
    if (status == OPSHIFT_OK && kernel_wants(call, 1))
        reals_store(call->outputs[1], 0, key->elements, call->outputs[1]->count);
    if (status == OPSHIFT_OK && kernel_wants(call, 2))
        status = kernel_output(call, 2, call->inputs[2]->type, 4, values, error);
    if (status == OPSHIFT_OK && kernel_wants(call, 2))
        reals_store(call->outputs[2], 0, value->elements, call->outputs[2]->count);
    return status == OPSHIFT_OK && kernel_wants(call, 3) ? kernel_output(call, 3, type, 4, scores, error) : status;
}

static enum opshift_status load_attention(struct kernel_call *call, struct attention *attention,
                                          struct opshift_error *error)
{
    enum opshift_status status = find_parts(call, attention, error);
    load_settings(call, attention);
    if (status == OPSHIFT_OK)
        status = load_parts(call, attention, error);
    if (status == OPSHIFT_OK)
        status = load_mask(call, attention, error);
    return status == OPSHIFT_OK ? load_lengths(call, attention, error) : status;
}

static enum opshift_status run_attention(struct kernel_call *call, struct opshift_error *error)
{
    struct attention attention = {0};
    double *weights = NULL, *shown = NULL, *result = NULL;
    enum opshift_status status = load_attention(call, &attention, error);
    if (status)
        return status;
    uint64_t rows = attention.batch * attention.query.heads * attention.query.length;
    uint64_t scores = kernel_times(rows, attention.total);
    status = kernel_work(call, scores, attention.query.size + attention.value.size + 2 * STEPS_CURVE, error);
    if (status == OPSHIFT_OK)
        status = make_outputs(call, &attention, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, attention.total, &weights, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, attention.total, &shown, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, attention.value.size, &result, error);
    if (status == OPSHIFT_OK && call->inputs[0]->count > 0)
        attend(call, &attention, weights, shown, result);
    return status;
}

/* ---- RotaryEmbedding (23): rotates pairs of elements by angles that depend on their position ---- */

struct rotation {
    uint64_t batch, length, heads, size; /* size: elements per head */
    uint64_t half;                       /* rotated pairs; the elements after them are copied */
    bool interleaved, four;
    double *x, *cosines, *sines;
    const struct tensor *positions; /* NULL: entry i uses row i of the caches */
    uint64_t cache_rows;
};

static enum opshift_status find_rotation(struct kernel_call *call, struct rotation *rotation,
                                         struct opshift_error *error)
{
    int64_t interleaved = kernel_int(call, ATTRIBUTE_INTERLEAVED), heads = kernel_int(call, ATTRIBUTE_NUM_HEADS),
            turned = kernel_int(call, ATTRIBUTE_ROTARY_EMBEDDING_DIM);
    enum opshift_status status = kernel_rank(call, 0, 3, 4, error);
    if (status)
        return status;
    const int64_t *dims = call->inputs[0]->dims;
    rotation->four = call->inputs[0]->rank == 4;
    if (!rotation->four && (heads < 1 || dims[2] % heads != 0))
        return opshift_fail(error, OPSHIFT_MALFORMED, "%lld elements do not make the %lld heads of 'num_heads'",
                            (long long)dims[2], (long long)heads);
    rotation->batch = (uint64_t)dims[0];
    rotation->length = (uint64_t)dims[rotation->four ? 2 : 1];
    rotation->heads = (uint64_t)(rotation->four ? dims[1] : heads);
    rotation->size = (uint64_t)(rotation->four ? dims[3] : dims[2] / heads);
    turned = turned == 0 ? (int64_t)rotation->size : turned;
    if (turned < 0 || turned % 2 != 0 || (uint64_t)turned > rotation->size)
        return opshift_fail(error, OPSHIFT_MALFORMED, "%lld of the %llu elements of a head cannot be turned in pairs",
                            (long long)turned, (unsigned long long)rotation->size);
    rotation->half = (uint64_t)turned / 2;
    rotation->interleaved = interleaved != 0;
    return OPSHIFT_OK;
}

/* The caches have a row per position, or without positions per entry. */
static enum opshift_status load_caches(struct kernel_call *call, struct rotation *rotation, struct opshift_error *error)
{
    const struct tensor *cache = call->inputs[1];
    const int64_t entries[] = {(int64_t)rotation->batch, (int64_t)rotation->length, (int64_t)rotation->half};
    rotation->positions = kernel_input(call, 3);
    const int64_t rows[] = {cache->rank > 0 ? cache->dims[0] : 0, (int64_t)rotation->half};
    bool by_position = rotation->positions != NULL;
    rotation->cache_rows = (uint64_t)rows[0];
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 1; i < 3 && status == OPSHIFT_OK; i++)
        status = kernel_shape(call, i, by_position ? 2 : 3, by_position ? rows : entries, error);
    if (status == OPSHIFT_OK)
        status = kernel_shape(call, 3, 2, entries, error);
    double **const loaded[] = {&rotation->x, &rotation->cosines, &rotation->sines};
    return status == OPSHIFT_OK ? reals_inputs(call, loaded, COUNT(loaded), error) : status;
}

static void turn(const struct rotation *rotation, double *x, uint64_t row)
{
    const double *cosines = rotation->cosines + row * rotation->half, *sines = rotation->sines + row * rotation->half;
    for (uint64_t i = 0; i < rotation->half; i++) {
        double *a = x + (rotation->interleaved ? 2 * i : i);
        double *b = rotation->interleaved ? a + 1 : a + rotation->half;
        double real = cosines[i] * *a - sines[i] * *b;
        *b = sines[i] * *a + cosines[i] * *b;
        *a = real;
    }
}

static enum opshift_status turn_all(const struct rotation *rotation, struct opshift_error *error)
{
    for (uint64_t entry = 0; entry < rotation->batch * rotation->length; entry++) {
        uint64_t row = entry, sample = entry / rotation->length, at = entry % rotation->length;
        if (rotation->positions != NULL) {
            int64_t position = kernel_index(rotation->positions, entry);
            if (position < 0 || (uint64_t)position >= rotation->cache_rows)
                return opshift_fail(error, OPSHIFT_MALFORMED, "position %lld is outside the %llu rows of the caches",
                                    (long long)position, (unsigned long long)rotation->cache_rows);
            row = (uint64_t)position;
        }
        for (uint64_t h = 0; h < rotation->heads; h++) {
            uint64_t place =
                rotation->four ? (sample * rotation->heads + h) * rotation->length + at : entry * rotation->heads + h;
            turn(rotation, rotation->x + place * rotation->size, row);
        }
    }
    return OPSHIFT_OK;
}

static enum opshift_status run_rotary(struct kernel_call *call, struct opshift_error *error)
{
    struct rotation rotation = {0};
    enum opshift_status status = find_rotation(call, &rotation, error);
    if (status == OPSHIFT_OK)
        status = load_caches(call, &rotation, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    status = kernel_like(call, input->type, STEPS_MOVE, error);
    if (status == OPSHIFT_OK && input->count > 0)
        status = turn_all(&rotation, error);
    if (status == OPSHIFT_OK)
        reals_store(call->outputs[0], 0, rotation.x, input->count);
    return status;
}

/* ---- TensorScatter (24): writes entries into a cache, from a given position per sample ---- */

struct scatter_into {
    uint64_t rows, block, length, count; /* rows have `length` blocks, of which `count` are written */
    uint64_t rows_each;                  /* per sample */
    bool circular;
};

static enum opshift_status find_cache(struct kernel_call *call, struct scatter_into *into, struct opshift_error *error)
{
    const struct tensor *cache = call->inputs[0], *update = call->inputs[1];
    int64_t axis = kernel_int(call, ATTRIBUTE_AXIS);
    uint32_t place = 0;
    unsigned mode = kernel_choice(call, ATTRIBUTE_MODE);
    enum opshift_status status = kernel_axis(axis, cache->rank, &place, error);
    if (status)
        return status;
    bool fits = place > 0 && update->rank == cache->rank;
    for (uint32_t i = 0; i < cache->rank && fits; i++)
        fits = i == place ? update->dims[i] <= cache->dims[i] : update->dims[i] == cache->dims[i];
    if (!fits)
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "%s of shape %s cannot be written along axis %u of %s of shape %s", type_name(update->type),
                            kernel_dims_text(call->arena, update->rank, update->dims), place, type_name(cache->type),
                            kernel_dims_text(call->arena, cache->rank, cache->dims));
    *into = (struct scatter_into){.rows = 1, .block = 1, .rows_each = 1, .circular = mode == 1};
    into->length = (uint64_t)cache->dims[place];
    into->count = (uint64_t)update->dims[place];
    for (uint32_t i = 0; i < cache->rank; i++) {
        into->rows *= i < place ? (uint64_t)cache->dims[i] : 1;
        into->rows_each *= i < place && i > 0 ? (uint64_t)cache->dims[i] : 1;
        into->block *= i > place ? (uint64_t)cache->dims[i] : 1;
    }
    return OPSHIFT_OK;
}

static enum opshift_status write_rows(struct kernel_call *call, const struct scatter_into *into,
                                      struct opshift_error *error)
{
    const struct tensor *starts = kernel_input(call, 2), *update = call->inputs[1];
    for (uint64_t row = 0; row < into->rows; row++) {
        int64_t start = starts == NULL ? 0 : kernel_index(starts, row / into->rows_each);
        bool fits = into->circular || start <= (int64_t)(into->length - into->count);
        if (start < 0 || !fits)
            return opshift_fail(error, OPSHIFT_MALFORMED, "%llu entries from %lld on do not fit the %llu of the cache",
                                (unsigned long long)into->count, (long long)start, (unsigned long long)into->length);
        for (uint64_t i = 0; i < into->count; i++) {
            uint64_t to = ((uint64_t)start + i) % into->length;
            kernel_copy(call->outputs[0], (row * into->length + to) * into->block, update,
                        (row * into->count + i) * into->block, into->block);
        }
    }
    return OPSHIFT_OK;
}

static enum opshift_status run_tensor_scatter(struct kernel_call *call, struct opshift_error *error)
{
    struct scatter_into into = {0};
    enum opshift_status status = find_cache(call, &into, error);
    if (status == OPSHIFT_OK)
        status = kernel_shape(call, 2, 1, call->inputs[0]->dims, error);
    if (status)
        return status;
    const struct tensor *cache = call->inputs[0];
    status = kernel_output(call, 0, cache->type, cache->rank, cache->dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->inputs[1]->count / (into.block == 0 ? 1 : into.block), STEPS_MOVE, error);
    if (status)
        return status;
    kernel_copy(call->outputs[0], 0, cache, 0, cache->count);
    return call->inputs[1]->count > 0 ? write_rows(call, &into, error) : OPSHIFT_OK;
}

const struct kernel kernels_attention[] = {
    {OPERATOR_ATTENTION, 23, KERNEL_ANY, run_attention, {0}},
    {OPERATOR_ROTARY_EMBEDDING, 23, KERNEL_ANY, run_rotary, {0}},
    {OPERATOR_TENSOR_SCATTER, 24, KERNEL_ANY, run_tensor_scatter, {0}},
    {0},
};
