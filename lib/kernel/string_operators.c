/* Operators on strings: StringConcat, StringSplit, StringNormalizer, TfIdfVectorizer. */
#include <string.h>

#include "kernel/reals.h"
#include "kernel/walk.h"

/* ---- StringConcat (20) ---- */

/* Counts steps and bytes and allocates a string with a terminating NUL. NULL: *status is the reason. */
static uint8_t *new_text(struct kernel_call *call, size_t size, enum opshift_status *status,
                         struct opshift_error *error)
{
    const int64_t dims[] = {(int64_t)size};
    *status = kernel_room(call, OPSHIFT_TYPE_UINT8, 1, dims, error);
    uint8_t *text = *status == OPSHIFT_OK ? arena_bytes(call->arena, size + 1) : NULL;
    if (*status == OPSHIFT_OK && text == NULL)
        *status = opshift_no_memory(error);
    return text;
}

static enum opshift_status join(struct kernel_call *call, struct bytes a, struct bytes b, struct bytes *joined,
                                struct opshift_error *error)
{
    enum opshift_status status;
    uint8_t *text = new_text(call, a.size + b.size, &status, error);
    if (text == NULL)
        return status;
    if (a.size > 0)
        memcpy(text, a.data, a.size);
    if (b.size > 0)
        memcpy(text + a.size, b.data, b.size);
    *joined = (struct bytes){text, a.size + b.size};
    return OPSHIFT_OK;
}

static enum opshift_status run_concat(struct kernel_call *call, struct opshift_error *error)
{
    struct walk walk;
    enum opshift_status status = walk_inputs(call, call->inputs, 2, OPSHIFT_TYPE_STRING, STEPS_ITEM, &walk, error);
    if (status)
        return status;
    for (uint64_t i = 0; status == OPSHIFT_OK && i < call->outputs[0]->count; i++, walk_next(&walk))
        status = join(call, call->inputs[0]->strings[walk.at[0]], call->inputs[1]->strings[walk.at[1]],
                      &call->outputs[0]->strings[i], error);
    return status;
}

/* ---- StringSplit (20) ---- */

struct splitting {
    struct bytes delimiter; /* empty: runs of white space */
    int64_t most;           /* maximum number of splits; negative: no limit */
};

static bool is_space(uint8_t byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static size_t skip_space(struct bytes text, size_t at)
{
    while (at < text.size && is_space(text.data[at]))
        at++;
    return at;
}

/* The part starting at *at; *at moves to the next one. last: take the rest. */
static struct bytes next_part(const struct splitting *how, struct bytes text, size_t *at, bool last)
{
    size_t start = *at, end = start;
    if (how->delimiter.size == 0) {
        while (end < text.size && (last || !is_space(text.data[end])))
            end++;
        while (last && end > start && is_space(text.data[end - 1]))
            end--;
        *at = skip_space(text, end);
        return (struct bytes){text.data + start, end - start};
    }
    while (end < text.size && (last || text.size - end < how->delimiter.size ||
                               memcmp(text.data + end, how->delimiter.data, how->delimiter.size) != 0))
        end++;
    *at = end < text.size ? end + how->delimiter.size : text.size + 1;
    return (struct bytes){text.data + start, end - start};
}

/* The number of parts; parts: NULL, or room for them. */
static uint64_t split_text(const struct splitting *how, struct bytes text, struct bytes *parts)
{
    bool spaces = how->delimiter.size == 0;
    size_t at = spaces ? skip_space(text, 0) : 0;
    uint64_t count = 0;
    while (spaces ? at < text.size : at <= text.size && text.size > 0) {
        struct bytes part = next_part(how, text, &at, how->most >= 0 && count >= (uint64_t)how->most);
        if (parts != NULL)
            parts[count] = part;
        count++;
    }
    return count;
}

static enum opshift_status start_split(struct kernel_call *call, struct splitting *how, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    how->delimiter = kernel_text(call, ATTRIBUTE_DELIMITER);
    how->most = kernel_gives(call, ATTRIBUTE_MAXSPLIT) ? kernel_int(call, ATTRIBUTE_MAXSPLIT) : -1;
    for (uint64_t i = 0; status == OPSHIFT_OK && i < call->inputs[0]->count; i++)
        status = kernel_work(call, call->inputs[0]->strings[i].size + 1, STEPS_MOVE + how->delimiter.size, error);
    return status;
}

static enum opshift_status run_split(struct kernel_call *call, struct opshift_error *error)
{
    struct splitting how = {0};
    int64_t dims[TENSOR_RANK_MAX + 1];
    uint64_t most = 0;
    enum opshift_status status = start_split(call, &how, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    status = kernel_output(call, 1, OPSHIFT_TYPE_INT64, input->rank, input->dims, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++) {
        uint64_t count = split_text(&how, input->strings[i], NULL);
        ((int64_t *)call->outputs[1]->data)[i] = (int64_t)count;
        most = count > most ? count : most;
    }
    for (uint32_t i = 0; i < input->rank; i++)
        dims[i] = input->dims[i];
    dims[input->rank] = (int64_t)most;
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, OPSHIFT_TYPE_STRING, input->rank + 1, dims, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++)
        split_text(&how, input->strings[i], call->outputs[0]->strings + i * most);
    return status == OPSHIFT_OK ? kernel_texts_copy(call->arena, call->outputs[0], error) : status;
}

/* ---- StringNormalizer (10) ---- */

enum case_change { CASE_LOWER, CASE_UPPER, CASE_NONE };

struct normalizing {
    unsigned change;
    bool exact; /* stopwords are case-sensitive */
    const Onnx__AttributeProto *stopwords;
};

static uint8_t change_case(uint8_t byte, bool up)
{
    if (up)
        return byte >= 'a' && byte <= 'z' ? (uint8_t)(byte - 'a' + 'A') : byte;
    return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte - 'A' + 'a') : byte;
}

static bool is_stopword(const struct normalizing *how, struct bytes text)
{
    for (size_t k = 0; how->stopwords != NULL && k < how->stopwords->n_strings; k++) {
        ProtobufCBinaryData word = how->stopwords->strings[k];
        bool same = word.len == text.size;
        for (size_t i = 0; i < text.size && same; i++)
            same = how->exact ? word.data[i] == text.data[i]
                              : change_case(word.data[i], false) == change_case(text.data[i], false);
        if (same)
            return true;
    }
    return false;
}

/* The case of characters beyond ASCII depends on a locale. */
static enum opshift_status check_ascii(const struct normalizing *how, struct bytes text, struct opshift_error *error)
{
    if (how->change == CASE_NONE && how->exact)
        return OPSHIFT_OK;
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] >= 0x80)
            return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the case of letters beyond ASCII is not known here");
    return OPSHIFT_OK;
}

static enum opshift_status normalize(struct kernel_call *call, const struct normalizing *how, struct bytes text,
                                     struct bytes *to, struct opshift_error *error)
{
    enum opshift_status status;
    uint8_t *changed = new_text(call, text.size, &status, error);
    for (size_t i = 0; changed != NULL && i < text.size; i++)
        changed[i] = how->change == CASE_NONE ? text.data[i] : change_case(text.data[i], how->change == CASE_UPPER);
    *to = (struct bytes){changed, text.size};
    return status;
}

static enum opshift_status start_normalizing(struct kernel_call *call, struct normalizing *how,
                                             struct opshift_error *error)
{
    int64_t exact = kernel_int(call, ATTRIBUTE_IS_CASE_SENSITIVE);
    enum opshift_status status = kernel_rank(call, 0, 1, 2, error);
    if (status == OPSHIFT_OK && call->inputs[0]->rank == 2 && call->inputs[0]->dims[0] != 1)
        status = opshift_fail(error, OPSHIFT_MALFORMED, "input 0 has %lld rows, must have 1",
                              (long long)call->inputs[0]->dims[0]);
    how->change = kernel_choice(call, ATTRIBUTE_CASE_CHANGE_ACTION);
    how->stopwords = kernel_message(call, ATTRIBUTE_STOPWORDS);
    how->exact = exact != 0;
    return status;
}

static enum opshift_status run_normalizer(struct kernel_call *call, struct opshift_error *error)
{
    struct normalizing how = {0};
    uint64_t kept = 0, words;
    enum opshift_status status = start_normalizing(call, &how, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    words = how.stopwords == NULL ? 0 : how.stopwords->n_strings;
    struct bytes *texts = arena_alloc(call->arena, input->count + 1, sizeof(*texts));
    if (texts == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; i < input->count && status == OPSHIFT_OK; i++) {
        status = kernel_work(call, input->strings[i].size + 1, (words + 1) * STEPS_ENTRY, error);
        if (status == OPSHIFT_OK)
            status = check_ascii(&how, input->strings[i], error);
        if (status == OPSHIFT_OK && !is_stopword(&how, input->strings[i]))
            texts[kept++] = input->strings[i];
    }
    /* If nothing is left, the result is one empty string. */
    const int64_t count = kept == 0 ? 1 : (int64_t)kept, dims[] = {input->rank == 2 ? 1 : count, count};
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, OPSHIFT_TYPE_STRING, input->rank, dims, error);
    for (uint64_t i = 0; i < kept && status == OPSHIFT_OK; i++)
        status = normalize(call, &how, texts[i], &call->outputs[0]->strings[i], error);
    return status;
}

/* ---- TfIdfVectorizer (9): counts the n-grams of a pool ---- */

enum gram_mode { GRAM_TF, GRAM_IDF, GRAM_TFIDF };

struct grams {
    int64_t least, most, skips; /* items per gram, items skipped between two of them */
    unsigned mode;
    struct int_list starts, indexes, numbers; /* starts: first pool position of the grams with 1, 2, ... items */
    const Onnx__AttributeProto *words;        /* the pool of strings; else numbers */
    struct float_list weights;
    uint64_t pool, columns;
    uint64_t pool_size; /* bytes of the strings */
};

static void load_grams(const struct kernel_call *call, struct grams *grams)
{
    grams->least = kernel_int(call, ATTRIBUTE_MIN_GRAM_LENGTH);
    grams->most = kernel_int(call, ATTRIBUTE_MAX_GRAM_LENGTH);
    grams->skips = kernel_int(call, ATTRIBUTE_MAX_SKIP_COUNT);
    grams->mode = kernel_choice(call, ATTRIBUTE_MODE);
    grams->starts = kernel_ints(call, ATTRIBUTE_NGRAM_COUNTS);
    grams->indexes = kernel_ints(call, ATTRIBUTE_NGRAM_INDEXES);
    grams->numbers = kernel_ints(call, ATTRIBUTE_POOL_INT64S);
    grams->words = kernel_message(call, ATTRIBUTE_POOL_STRINGS);
    grams->weights = kernel_floats(call, ATTRIBUTE_WEIGHTS);
}

static uint64_t gram_end(const struct grams *grams, size_t size)
{
    return size < grams->starts.count ? (uint64_t)grams->starts.values[size] : grams->pool;
}

/* Requires the pool to hold whole grams, each with an index and, if given, a weight. */
static enum opshift_status check_grams(struct kernel_call *call, struct grams *grams, struct opshift_error *error)
{
    bool strings = call->inputs[0]->type == OPSHIFT_TYPE_STRING;
    uint64_t all = 0;
    grams->pool = strings ? (grams->words == NULL ? 0 : grams->words->n_strings) : grams->numbers.count;
    for (uint64_t i = 0; strings && i < grams->pool; i++)
        grams->pool_size += grams->words->strings[i].len;
    bool fits = grams->least >= 1 && grams->most >= grams->least && grams->skips >= 0 && grams->skips <= INT32_MAX &&
                grams->starts.count >= (uint64_t)grams->most && grams->pool > 0;
    for (size_t i = 0; i < grams->starts.count && fits; i++) {
        uint64_t start = (uint64_t)grams->starts.values[i], end = gram_end(grams, i + 1);
        fits = grams->starts.values[i] >= 0 && start <= end && end <= grams->pool && (end - start) % (i + 1) == 0;
        all += fits ? (end - start) / (i + 1) : 0;
    }
    fits = fits && all == grams->indexes.count && (!grams->weights.present || grams->weights.count == all);
    for (size_t i = 0; i < grams->indexes.count && fits; i++) {
        fits = grams->indexes.values[i] >= 0 && grams->indexes.values[i] < INT32_MAX;
        grams->columns = fits && (uint64_t)grams->indexes.values[i] >= grams->columns
                             ? (uint64_t)grams->indexes.values[i] + 1
                             : grams->columns;
    }
    if (fits)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "the pool, its counts, indexes and weights do not fit each other");
}

static bool same_item(const struct grams *grams, const struct tensor *input, uint64_t at, uint64_t item)
{
    if (input->type == OPSHIFT_TYPE_STRING) {
        ProtobufCBinaryData word = grams->words->strings[item];
        struct bytes text = input->strings[at];
        return bytes_same(bytes_of(word), text);
    }
    return kernel_index(input, at) == grams->numbers.values[item];
}

static bool same_gram(const struct grams *grams, const struct tensor *input, uint64_t at, uint64_t apart, uint64_t item,
                      uint64_t size)
{
    for (uint64_t k = 0; k < size; k++)
        if (!same_item(grams, input, at + k * apart, item + k))
            return false;
    return true;
}

/* Counts the grams of one size in an input row, with items `apart` from each other. */
static enum opshift_status count_grams(struct kernel_call *call, const struct grams *grams, uint64_t first,
                                       uint64_t length, uint64_t size, uint64_t apart, double *counts,
                                       struct opshift_error *error)
{
    uint64_t start = gram_end(grams, size - 1), end = gram_end(grams, size), number = 0;
    uint64_t span = (size - 1) * apart + 1;
    if (span > length)
        return OPSHIFT_OK;
    for (size_t i = 0; i + 1 < size; i++)
        number += (gram_end(grams, i + 1) - gram_end(grams, i)) / (i + 1);
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): check_grams() refuses grams of no items. */
    uint64_t compared = (length - span + 1) * ((end - start) / size + 1);
    enum opshift_status status = kernel_work(call, compared, STEPS_CURVE * size, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, length - span + 1, grams->pool_size / 8, error);
    for (uint64_t at = 0; status == OPSHIFT_OK && at + span <= length; at++)
        for (uint64_t item = start, k = number; item < end; item += size, k++)
            if (same_gram(grams, call->inputs[0], first + at, apart, item, size)) {
                double weight = !grams->weights.count || grams->mode == GRAM_TF ? 1 : (double)grams->weights.values[k];
                double *count = &counts[grams->indexes.values[k]];
                *count = grams->mode == GRAM_IDF ? weight : *count + weight;
            }
    return status;
}

/* 1-grams are counted once; others for each number of skipped items. */
static enum opshift_status count_row(struct kernel_call *call, const struct grams *grams, uint64_t first,
                                     uint64_t length, double *counts, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (int64_t skip = 0; skip <= grams->skips && (uint64_t)skip < length && status == OPSHIFT_OK; skip++)
        for (int64_t size = grams->least; size <= grams->most && status == OPSHIFT_OK; size++)
            if (size > 1 || skip == 0)
                status = count_grams(call, grams, first, length, (uint64_t)size, (uint64_t)skip + 1, counts, error);
    return status;
}

static enum opshift_status run_tf_idf(struct kernel_call *call, struct opshift_error *error)
{
    struct grams grams = {0};
    double *counts = NULL;
    enum opshift_status status = kernel_rank(call, 0, 1, 2, error);
    load_grams(call, &grams);
    if (status == OPSHIFT_OK)
        status = check_grams(call, &grams, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    uint64_t rows = input->rank == 2 ? (uint64_t)input->dims[0] : 1, length = (uint64_t)input->dims[input->rank - 1];
    const int64_t dims[] = {input->rank == 2 ? (int64_t)rows : (int64_t)grams.columns, (int64_t)grams.columns};
    status = kernel_output(call, 0, OPSHIFT_TYPE_FLOAT, input->rank, dims, error);
    if (status == OPSHIFT_OK)
        status = reals_new(call, call->outputs[0]->count, &counts, error);
    for (uint64_t row = 0; status == OPSHIFT_OK && row < rows && input->count > 0; row++)
        status = count_row(call, &grams, row * length, length, counts + row * grams.columns, error);
    if (status == OPSHIFT_OK)
        reals_store(call->outputs[0], 0, counts, call->outputs[0]->count);
    return status;
}

const struct kernel kernels_string_operators[] = {
    {OPERATOR_STRING_CONCAT, 20, KERNEL_ANY, run_concat, {0}},
    {OPERATOR_STRING_NORMALIZER, 10, KERNEL_ANY, run_normalizer, {0}},
    {OPERATOR_STRING_SPLIT, 20, KERNEL_ANY, run_split, {0}},
    {OPERATOR_TF_IDF_VECTORIZER, 9, KERNEL_ANY, run_tf_idf, {0}},
    {0},
};
