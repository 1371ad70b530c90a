/* Operators of ai.onnx.ml: tables of labels, preprocessing of features, linear models. */
#include "kernel/learned.h"

#include <math.h>
#include <string.h>

#include "kernel/element.h"

/* ---- rows, scores, labels --------------------------------------------------------------------------------------- */

enum opshift_status feature_rows_read(const struct kernel_call *call, uint32_t position, struct feature_rows *rows,
                                      struct opshift_error *error)
{
    const struct tensor *tensor = kernel_input(call, position);
    enum opshift_status status = kernel_rank(call, position, 1, 2, error);
    if (status)
        return status;
    rows->count = tensor->rank == 1 ? 1 : (uint64_t)tensor->dims[0];
    rows->width = (uint64_t)tensor->dims[tensor->rank - 1];
    status = kernel_work(call, rows->count, STEPS_ENTRY, error); /* rows may be empty */
    return status ? status : reals_load(call, tensor, &rows->values, error);
}

enum opshift_status post_transform_read(const struct kernel_call *call, enum post_transform *post,
                                        struct opshift_error *error)
{
    *post = (enum post_transform)kernel_choice(call, ATTRIBUTE_POST_TRANSFORM);
    if (*post == POST_PROBIT)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "post_transform PROBIT is not computed here");
    return OPSHIFT_OK;
}

/* Zeros stay zeros for SOFTMAX_ZERO, and do not count. */
static void soft_max(double *scores, uint64_t count, bool zeros_stay)
{
    double greatest = -INFINITY, sum = 0;
    for (uint64_t i = 0; i < count; i++)
        greatest = scores[i] > greatest ? scores[i] : greatest;
    for (uint64_t i = 0; i < count; i++) {
        bool stays = zeros_stay && fabs(scores[i]) <= 1e-7;
        scores[i] = stays ? 0 : exp(scores[i] - greatest);
        sum += scores[i];
    }
    for (uint64_t i = 0; i < count && sum > 0; i++)
        scores[i] /= sum;
}

static void post_transform_apply(enum post_transform post, double *scores, uint64_t count)
{
    for (uint64_t i = 0; i < count && post == POST_LOGISTIC; i++)
        scores[i] = 1 / (1 + exp(-scores[i]));
    if (post == POST_SOFTMAX || post == POST_SOFTMAX_ZERO)
        soft_max(scores, count, post == POST_SOFTMAX_ZERO);
}

enum opshift_status scores_give(struct kernel_call *call, uint32_t output, enum opshift_type type, double *scores,
                                uint64_t rows, uint64_t width, enum post_transform post, struct opshift_error *error)
{
    const int64_t dims[] = {(int64_t)rows, (int64_t)width};
    enum opshift_status status = kernel_output(call, output, type, 2, dims, error);
    for (uint64_t row = 0; status == OPSHIFT_OK && row < rows; row++)
        post_transform_apply(post, scores + row * width, width);
    if (status == OPSHIFT_OK)
        reals_store(call->outputs[output], 0, scores, call->outputs[output]->count);
    return status;
}

/* The place of the greatest score; of several, the first. */
static uint64_t scores_greatest(const double *scores, uint64_t count)
{
    uint64_t best = 0;
    for (uint64_t i = 1; i < count; i++)
        if (scores[i] > scores[best])
            best = i;
    return best;
}

uint64_t labels_count(const struct kernel_call *call, enum attribute_id integers)
{
    const Onnx__AttributeProto *texts = kernel_message(call, ATTRIBUTE_CLASSLABELS_STRINGS);
    return kernel_ints(call, integers).count + (texts ? texts->n_strings : 0);
}

/* Sets output 0 to a label for each row, by its place among the labels. */
static enum opshift_status labels_give(struct kernel_call *call, enum attribute_id integers, const uint64_t *places,
                                       uint64_t count, struct opshift_error *error)
{
    struct int_list numbers = kernel_ints(call, integers);
    const Onnx__AttributeProto *texts = kernel_message(call, ATTRIBUTE_CLASSLABELS_STRINGS);
    const int64_t dims[] = {(int64_t)count};
    bool words = numbers.count == 0;
    enum opshift_status status =
        kernel_output(call, 0, words ? OPSHIFT_TYPE_STRING : OPSHIFT_TYPE_INT64, 1, dims, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < count; i++)
        if (words)
            call->outputs[0]->strings[i] =
                (struct bytes){texts->strings[places[i]].data, texts->strings[places[i]].len};
        else
            ((int64_t *)call->outputs[0]->data)[i] = numbers.values[places[i]];
    return status == OPSHIFT_OK && words ? kernel_texts_copy(call->arena, call->outputs[0], error) : status;
}

enum opshift_status classes_give(struct kernel_call *call, enum attribute_id integers, double *scores, uint64_t rows,
                                 uint64_t width, enum post_transform post, struct opshift_error *error)
{
    void *room = NULL;
    enum opshift_status status = kernel_scratch(call, rows, sizeof(uint64_t), &room, error);
    uint64_t *places = room;
    for (uint64_t i = 0; status == OPSHIFT_OK && i < rows; i++)
        places[i] = scores_greatest(scores + i * width, width);
    if (status == OPSHIFT_OK)
        status = labels_give(call, integers, places, rows, error);
    return status ? status : scores_give(call, 1, OPSHIFT_TYPE_FLOAT, scores, rows, width, post, error);
}

/* ---- LabelEncoder, CategoryMapper -------------------------------------------------------------------------------- */

/* A list of strings, integers or floats: the entries that are not NULL, or a tensor. */
struct word_list {
    enum opshift_type type;
    uint64_t count;
    const Onnx__AttributeProto *texts;
    struct int_list numbers;
    const float *floats;
    struct tensor *tensor;
};

static void list_of_strings(const struct kernel_call *call, enum attribute_id id, struct word_list *list)
{
    const Onnx__AttributeProto *texts = kernel_message(call, id);
    if (texts)
        *list = (struct word_list){.type = OPSHIFT_TYPE_STRING, .count = texts->n_strings, .texts = texts};
}

static void list_of_integers(const struct kernel_call *call, enum attribute_id id, struct word_list *list)
{
    struct int_list numbers = kernel_ints(call, id);
    if (numbers.present)
        *list = (struct word_list){.type = OPSHIFT_TYPE_INT64, .count = numbers.count, .numbers = numbers};
}

static void list_of_floats(const struct kernel_call *call, enum attribute_id id, struct word_list *list)
{
    struct float_list floats = kernel_floats(call, id);
    if (floats.count)
        *list = (struct word_list){.type = OPSHIFT_TYPE_FLOAT, .count = floats.count, .floats = floats.values};
}

static enum opshift_status list_of_tensor(struct kernel_call *call, enum attribute_id id, struct word_list *list,
                                          struct opshift_error *error)
{
    const Onnx__AttributeProto *attribute = kernel_message(call, id);
    if (attribute == NULL || attribute->t == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = kernel_decode(call, attribute, &list->tensor, error);
    if (status == OPSHIFT_OK) {
        list->type = list->tensor->type;
        list->count = list->tensor->count;
    }
    return status;
}

/* ids: of the attributes for strings, integers, floats and a tensor; stem: the beginning of their names. */
static enum opshift_status list_read(struct kernel_call *call, const enum attribute_id *ids, const char *stem,
                                     struct word_list *list, struct opshift_error *error)
{
    *list = (struct word_list){.type = OPSHIFT_TYPE_UNDEFINED};
    list_of_floats(call, ids[2], list);
    list_of_integers(call, ids[1], list);
    list_of_strings(call, ids[0], list);
    enum opshift_status status = list->type ? OPSHIFT_OK : list_of_tensor(call, ids[3], list, error);
    if (status == OPSHIFT_OK && list->type == OPSHIFT_TYPE_UNDEFINED)
        return opshift_fail(error, OPSHIFT_MALFORMED, "has no %s", stem);
    return status;
}

static struct bytes list_text(const struct word_list *list, uint64_t at)
{
    return list->tensor ? list->tensor->strings[at]
                        : (struct bytes){list->texts->strings[at].data, list->texts->strings[at].len};
}

/* An entry as a number of its type's kind. */
static union number list_number(const struct word_list *list, uint64_t at)
{
    if (list->tensor)
        return element_load(list->tensor, at);
    return list->floats ? (union number){.d = (double)list->floats[at]} : (union number){.i = list->numbers.values[at]};
}

static bool same_number(enum number_kind kind, union number a, union number b)
{
    return kind == NUMBER_REAL ? a.d == b.d || (isnan(a.d) && isnan(b.d)) : a.i == b.i;
}

/* Charges searches for so many elements: each entry is compared, strings of one length byte by byte. */
static enum opshift_status list_charge(const struct kernel_call *call, const struct word_list *list, uint64_t searches,
                                       struct opshift_error *error)
{
    uint64_t size = 0;
    for (uint64_t i = 0; list->type == OPSHIFT_TYPE_STRING && i < list->count; i++)
        size += list_text(list, i).size;
    return kernel_work(call, searches, STEPS_MOVE * (list->count + 1) + size / 8, error);
}

/* The first place of an element in the list; its count: nowhere. */
static uint64_t list_find(const struct word_list *list, const struct tensor *tensor, uint64_t at)
{
    bool words = list->type == OPSHIFT_TYPE_STRING;
    enum number_kind kind = words ? NUMBER_SIGNED : element_kind(list->type);
    for (uint64_t i = 0; i < list->count; i++)
        if (words ? bytes_same(list_text(list, i), tensor->strings[at])
                  : same_number(kind, list_number(list, i), element_load(tensor, at)))
            return i;
    return list->count;
}

/* What stands for an element that is in no list. */
static enum opshift_status default_read(struct kernel_call *call, enum opshift_type type, struct bytes *text,
                                        union number *number, struct opshift_error *error)
{
    struct word_list given = {.type = OPSHIFT_TYPE_UNDEFINED};
    int64_t whole = kernel_int(call, ATTRIBUTE_DEFAULT_INT64);
    float real = kernel_float(call, ATTRIBUTE_DEFAULT_FLOAT);
    enum opshift_status status = list_of_tensor(call, ATTRIBUTE_DEFAULT_TENSOR, &given, error);
    if (status == OPSHIFT_OK && given.tensor) {
        if (given.type != type || given.count != 1)
            return opshift_fail(error, OPSHIFT_MALFORMED, "default_tensor must be one %s", type_name(type));
        if (type == OPSHIFT_TYPE_STRING)
            *text = given.tensor->strings[0];
        else
            *number = element_load(given.tensor, 0);
        return OPSHIFT_OK;
    }
    *text = kernel_text(call, ATTRIBUTE_DEFAULT_STRING);
    if (type != OPSHIFT_TYPE_STRING)
        *number = element_kind(type) == NUMBER_REAL ? (union number){.d = (double)real} : (union number){.i = whole};
    return status;
}

/* Complex numbers are no entries of a list. */
static enum opshift_status check_entries(enum opshift_type type, struct opshift_error *error)
{
    return type == OPSHIFT_TYPE_STRING || number_type(type) ? OPSHIFT_OK : kernel_no_number(type, error);
}

/* Maps each element of input 0 by its place among the keys. */
static enum opshift_status map_elements(struct kernel_call *call, const struct word_list *keys,
                                        const struct word_list *values, struct opshift_error *error)
{
    static const struct element_rounding plain = {0};
    const struct tensor *input = call->inputs[0];
    union number other = {.i = 0};
    struct bytes text = {0};
    if (keys->type != input->type)
        return opshift_fail(error, OPSHIFT_MALFORMED, "the keys are %s and the input is %s", type_name(keys->type),
                            type_name(input->type));
    if (keys->count != values->count)
        return opshift_fail(error, OPSHIFT_MALFORMED, "has %llu keys and %llu values", (unsigned long long)keys->count,
                            (unsigned long long)values->count);
    enum opshift_status status = check_entries(keys->type, error);
    if (status == OPSHIFT_OK)
        status = check_entries(values->type, error);
    if (status == OPSHIFT_OK)
        status = default_read(call, values->type, &text, &other, error);
    if (status == OPSHIFT_OK)
        status = kernel_output(call, 0, values->type, input->rank, input->dims, error);
    if (status == OPSHIFT_OK)
        status = list_charge(call, keys, input->count, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < input->count; i++) {
        uint64_t at = list_find(keys, input, i);
        if (values->type == OPSHIFT_TYPE_STRING)
            call->outputs[0]->strings[i] = at == keys->count ? text : list_text(values, at);
        else
            element_store(call->outputs[0], i, at == keys->count ? other : list_number(values, at), &plain);
    }
    return status == OPSHIFT_OK && values->type == OPSHIFT_TYPE_STRING
               ? kernel_texts_copy(call->arena, call->outputs[0], error)
               : status;
}

/* The places of a list's entries: 0, 1, 2, ... */
static enum opshift_status places_of(const struct kernel_call *call, uint64_t count, struct word_list *places,
                                     struct opshift_error *error)
{
    int64_t *numbers = NULL;
    void *room = NULL;
    enum opshift_status status = kernel_scratch(call, count, sizeof(*numbers), &room, error);
    numbers = room;
    for (uint64_t i = 0; status == OPSHIFT_OK && i < count; i++)
        numbers[i] = (int64_t)i;
    *places = (struct word_list){
        .type = OPSHIFT_TYPE_INT64, .count = count, .numbers = {.values = numbers, .count = count, .present = true}};
    return status;
}

static enum opshift_status label_encoder(struct kernel_call *call, struct opshift_error *error)
{
    struct word_list keys, values;
    static const enum attribute_id key_ids[] = {ATTRIBUTE_KEYS_STRINGS, ATTRIBUTE_KEYS_INT64S, ATTRIBUTE_KEYS_FLOATS,
                                                ATTRIBUTE_KEYS_TENSOR};
    static const enum attribute_id value_ids[] = {ATTRIBUTE_VALUES_STRINGS, ATTRIBUTE_VALUES_INT64S,
                                                  ATTRIBUTE_VALUES_FLOATS, ATTRIBUTE_VALUES_TENSOR};
    enum opshift_status status = list_read(call, key_ids, "keys", &keys, error);
    if (status == OPSHIFT_OK)
        status = list_read(call, value_ids, "values", &values, error);
    return status == OPSHIFT_OK ? map_elements(call, &keys, &values, error) : status;
}

/* Version 1: strings to their places, or back. */
static enum opshift_status class_encoder(struct kernel_call *call, struct opshift_error *error)
{
    struct word_list words = {0}, places = {0};
    list_of_strings(call, ATTRIBUTE_CLASSES_STRINGS, &words);
    if (words.texts == NULL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'classes_strings' is required");
    enum opshift_status status = places_of(call, words.count, &places, error);
    bool back = status == OPSHIFT_OK && call->inputs[0]->type == OPSHIFT_TYPE_INT64;
    return status == OPSHIFT_OK ? map_elements(call, back ? &places : &words, back ? &words : &places, error) : status;
}

static enum opshift_status category_mapper(struct kernel_call *call, struct opshift_error *error)
{
    struct word_list words = {0}, numbers = {0};
    list_of_strings(call, ATTRIBUTE_CATS_STRINGS, &words);
    list_of_integers(call, ATTRIBUTE_CATS_INT64S, &numbers);
    if (words.texts == NULL || !numbers.numbers.present)
        return opshift_fail(error, OPSHIFT_MALFORMED, "needs both 'cats_strings' and 'cats_int64s'");
    bool back = call->inputs[0]->type == OPSHIFT_TYPE_INT64;
    return map_elements(call, back ? &numbers : &words, back ? &words : &numbers, error);
}

/* ---- features ---------------------------------------------------------------------------------------------------- */

static enum opshift_status array_feature_extractor(struct kernel_call *call, struct opshift_error *error)
{
    int64_t dims[TENSOR_RANK_MAX + 1];
    enum opshift_status status = kernel_rank(call, 0, 1, TENSOR_RANK_MAX, error);
    if (status)
        return status;
    const struct tensor *x = call->inputs[0], *places = call->inputs[1];
    uint32_t rank = x->rank == 1 ? 2 : x->rank;
    int64_t width = x->dims[x->rank - 1];
    for (uint32_t i = 0; i + 1 < rank; i++)
        dims[i] = x->rank == 1 ? 1 : x->dims[i];
    dims[rank - 1] = (int64_t)places->count;
    for (uint64_t i = 0; i < places->count; i++)
        if (kernel_index(places, i) < 0 || kernel_index(places, i) >= width)
            return opshift_fail(error, OPSHIFT_MALFORMED, "place %lld is outside of the %lld features",
                                (long long)kernel_index(places, i), (long long)width);
    status = kernel_output(call, 0, x->type, rank, dims, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->outputs[0]->count, STEPS_MOVE, error);
    uint64_t rows = status == OPSHIFT_OK && places->count ? call->outputs[0]->count / places->count : 0;
    for (uint64_t row = 0; row < rows; row++)
        for (uint64_t i = 0; i < places->count; i++)
            kernel_copy(call->outputs[0], row * places->count + i, x,
                        row * (uint64_t)width + (uint64_t)kernel_index(places, i), 1);
    return status == OPSHIFT_OK && x->type == OPSHIFT_TYPE_STRING
               ? kernel_texts_copy(call->arena, call->outputs[0], error)
               : status;
}

/* Output 0 with the shape of input 0, from doubles. */
static enum opshift_status give_like(struct kernel_call *call, enum opshift_type type, const double *values,
                                     struct opshift_error *error)
{
    enum opshift_status status = kernel_output(call, 0, type, call->inputs[0]->rank, call->inputs[0]->dims, error);
    if (status == OPSHIFT_OK)
        reals_store(call->outputs[0], 0, values, call->outputs[0]->count);
    return status;
}

static enum opshift_status binarizer(struct kernel_call *call, struct opshift_error *error)
{
    float threshold = kernel_float(call, ATTRIBUTE_THRESHOLD);
    double *values = NULL;
    enum opshift_status status = reals_load(call, call->inputs[0], &values, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < call->inputs[0]->count; i++)
        values[i] = values[i] > (double)threshold;
    return status == OPSHIFT_OK ? give_like(call, call->inputs[0]->type, values, error) : status;
}

/* The entry of a list for a feature: all have one, or each has its own. */
static enum opshift_status check_width(const char *name, uint64_t count, uint64_t width, struct opshift_error *error)
{
    if (count == 1 || count == width)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "attribute '%s' has %llu entries, must have 1 or %llu", name,
                        (unsigned long long)count, (unsigned long long)width);
}

static enum opshift_status scaler(struct kernel_call *call, struct opshift_error *error)
{
    struct feature_rows rows;
    struct float_list offset = kernel_floats(call, ATTRIBUTE_OFFSET), scale = kernel_floats(call, ATTRIBUTE_SCALE);
    enum opshift_status status = feature_rows_read(call, 0, &rows, error);
    if (status == OPSHIFT_OK)
        status = check_width("offset", offset.count, rows.width, error);
    if (status == OPSHIFT_OK)
        status = check_width("scale", scale.count, rows.width, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < rows.count * rows.width; i++)
        rows.values[i] = (rows.values[i] - (double)offset.values[i % rows.width % offset.count]) *
                         (double)scale.values[i % rows.width % scale.count];
    return status == OPSHIFT_OK ? give_like(call, OPSHIFT_TYPE_FLOAT, rows.values, error) : status;
}

enum norm { NORM_MAX, NORM_L1, NORM_L2 };

static void normalize(enum norm norm, double *row, uint64_t width)
{
    double sum = 0, greatest = -INFINITY;
    for (uint64_t i = 0; i < width; i++) {
        greatest = row[i] > greatest ? row[i] : greatest;
        sum += norm == NORM_L1 ? fabs(row[i]) : row[i] * row[i];
    }
    double divisor = norm == NORM_MAX ? greatest : norm == NORM_L1 ? sum : sqrt(sum);
    for (uint64_t i = 0; i < width && divisor != 0; i++)
        row[i] /= divisor;
}

static enum opshift_status normalizer(struct kernel_call *call, struct opshift_error *error)
{
    struct feature_rows rows;
    unsigned norm = kernel_choice(call, ATTRIBUTE_NORM);
    enum opshift_status status = feature_rows_read(call, 0, &rows, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < rows.count; i++)
        normalize((enum norm)norm, rows.values + i * rows.width, rows.width);
    return status == OPSHIFT_OK ? give_like(call, OPSHIFT_TYPE_FLOAT, rows.values, error) : status;
}

/* Integers: only those that a double holds. */
static enum opshift_status imputer(struct kernel_call *call, struct opshift_error *error)
{
    struct feature_rows rows;
    struct int_list wholes = kernel_ints(call, ATTRIBUTE_IMPUTED_VALUE_INT64S);
    struct float_list floats = kernel_floats(call, ATTRIBUTE_IMPUTED_VALUE_FLOATS);
    float replaced_float = kernel_float(call, ATTRIBUTE_REPLACED_VALUE_FLOAT);
    int64_t replaced = kernel_int(call, ATTRIBUTE_REPLACED_VALUE_INT64);
    enum opshift_status status = feature_rows_read(call, 0, &rows, error);
    if (status)
        return status;
    bool real = element_kind(call->inputs[0]->type) == NUMBER_REAL;
    double old = real ? (double)replaced_float : (double)replaced;
    status = check_width(real ? "imputed_value_floats" : "imputed_value_int64s", real ? floats.count : wholes.count,
                         rows.width, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < rows.count * rows.width; i++) {
        if (rows.values[i] != old && !(isnan(old) && isnan(rows.values[i])))
            continue;
        rows.values[i] = real ? (double)floats.values[i % rows.width % floats.count]
                              : (double)wholes.values[i % rows.width % wholes.count];
    }
    return status == OPSHIFT_OK ? give_like(call, call->inputs[0]->type, rows.values, error) : status;
}

static enum opshift_status feature_vectorizer(struct kernel_call *call, struct opshift_error *error)
{
    struct int_list widths = kernel_ints(call, ATTRIBUTE_INPUTDIMENSIONS);
    int64_t dims[2] = {0, 0};
    enum opshift_status status = OPSHIFT_OK;
    if (widths.count != call->input_count)
        return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'inputdimensions' has %zu entries, must have %u",
                            widths.count, call->input_count);
    for (size_t i = 0; status == OPSHIFT_OK && i < widths.count; i++) {
        if (widths.values[i] < 0 || widths.values[i] > INT32_MAX)
            return opshift_fail(error, OPSHIFT_MALFORMED, "entry %zu of 'inputdimensions' is %lld", i,
                                (long long)widths.values[i]);
        dims[1] += widths.values[i];
    }
    double *line = NULL;
    int64_t first = 0;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < call->input_count; i++) {
        struct feature_rows rows;
        status = feature_rows_read(call, i, &rows, error);
        if (status == OPSHIFT_OK && i == 0) {
            dims[0] = (int64_t)rows.count;
            status = kernel_output(call, 0, OPSHIFT_TYPE_FLOAT, 2, dims, error);
            if (status == OPSHIFT_OK)
                status = reals_new(call, call->outputs[0]->count, &line, error);
        }
        if (status == OPSHIFT_OK && (int64_t)rows.count != dims[0])
            return opshift_fail(error, OPSHIFT_MALFORMED, "input %u has %llu rows, must have %lld", i,
                                (unsigned long long)rows.count, (long long)dims[0]);
        for (uint64_t k = 0; status == OPSHIFT_OK && k < rows.count * rows.width; k++)
            if ((int64_t)(k % rows.width) < widths.values[i])
                line[(int64_t)(k / rows.width) * dims[1] + first + (int64_t)(k % rows.width)] = rows.values[k];
        first += status == OPSHIFT_OK ? widths.values[i] : 0;
    }
    if (status == OPSHIFT_OK)
        reals_store(call->outputs[0], 0, line, call->outputs[0]->count);
    return status;
}

/* A category of a number is its integer part. */
static uint64_t category_of(const struct word_list *categories, const struct tensor *x, uint64_t at)
{
    if (x->type == OPSHIFT_TYPE_STRING || element_kind(x->type) != NUMBER_REAL)
        return list_find(categories, x, at);
    double value = element_load(x, at).d;
    for (uint64_t i = 0; i < categories->count; i++)
        if (trunc(value) == (double)categories->numbers.values[i])
            return i;
    return categories->count;
}

static enum opshift_status one_hot_encoder(struct kernel_call *call, struct opshift_error *error)
{
    struct word_list categories = {0};
    int64_t zeros = kernel_int(call, ATTRIBUTE_ZEROS), dims[TENSOR_RANK_MAX + 1];
    enum opshift_status status = check_entries(call->inputs[0]->type, error);
    if (status)
        return status;
    if (call->inputs[0]->type == OPSHIFT_TYPE_STRING)
        list_of_strings(call, ATTRIBUTE_CATS_STRINGS, &categories);
    else
        list_of_integers(call, ATTRIBUTE_CATS_INT64S, &categories);
    const struct tensor *x = call->inputs[0];
    if (categories.count == 0)
        return opshift_fail(error, OPSHIFT_MALFORMED, "has no categories of the type of its input");
    if (x->rank == TENSOR_RANK_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "the output's rank is above the limit of %d", TENSOR_RANK_MAX);
    for (uint32_t i = 0; i < x->rank; i++)
        dims[i] = x->dims[i];
    dims[x->rank] = (int64_t)categories.count;
    status = kernel_output(call, 0, OPSHIFT_TYPE_FLOAT, x->rank + 1, dims, error);
    if (status == OPSHIFT_OK)
        status = list_charge(call, &categories, x->count, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < x->count; i++) {
        uint64_t at = category_of(&categories, x, i);
        float *line = (float *)call->outputs[0]->data + i * categories.count;
        memset(line, 0, categories.count * sizeof(*line));
        if (at < categories.count)
            line[at] = 1;
        else if (zeros == 0)
            return opshift_fail(error, OPSHIFT_MALFORMED, "element %llu is in no category, and zeros is 0",
                                (unsigned long long)i);
    }
    return status;
}

/* ---- linear models ----------------------------------------------------------------------------------------------- */

struct linear {
    struct feature_rows rows;
    struct float_list coefficients, intercepts;
    uint64_t outputs;
    double *scores; /* [rows, outputs] */
};

static enum opshift_status linear_scores(struct kernel_call *call, struct linear *linear, struct opshift_error *error)
{
    struct feature_rows *rows = &linear->rows;
    uint64_t room, sums;
    linear->coefficients = kernel_floats(call, ATTRIBUTE_COEFFICIENTS);
    linear->intercepts = kernel_floats(call, ATTRIBUTE_INTERCEPTS);
    if (!kernel_multiply(linear->outputs, rows->width, &sums) || linear->coefficients.count != sums ||
        (linear->intercepts.count && linear->intercepts.count != linear->outputs))
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "has %zu coefficients and %zu intercepts for %llu features and %llu outputs",
                            linear->coefficients.count, linear->intercepts.count, (unsigned long long)rows->width,
                            (unsigned long long)linear->outputs);
    room = kernel_times(rows->count, linear->outputs);
    enum opshift_status status = reals_new(call, room, &linear->scores, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, room, rows->width + 1, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < room; i++) {
        const double *row = rows->values + i / linear->outputs * rows->width;
        const float *factors = linear->coefficients.values + i % linear->outputs * rows->width;
        double sum = linear->intercepts.count ? (double)linear->intercepts.values[i % linear->outputs] : 0;
        for (uint64_t k = 0; k < rows->width; k++)
            sum += row[k] * (double)factors[k];
        linear->scores[i] = sum;
    }
    return status;
}

static enum opshift_status linear_regressor(struct kernel_call *call, struct opshift_error *error)
{
    struct linear linear = {0};
    enum post_transform post;
    int64_t targets = kernel_int(call, ATTRIBUTE_TARGETS);
    enum opshift_status status = post_transform_read(call, &post, error);
    if (status == OPSHIFT_OK && (targets < 1 || targets > INT32_MAX))
        return opshift_fail(error, OPSHIFT_MALFORMED, "targets is %lld, must be above 0", (long long)targets);
    linear.outputs = (uint64_t)targets;
    if (status == OPSHIFT_OK)
        status = feature_rows_read(call, 0, &linear.rows, error);
    if (status == OPSHIFT_OK)
        status = linear_scores(call, &linear, error);
    return status ? status
                  : scores_give(call, 0, OPSHIFT_TYPE_FLOAT, linear.scores, linear.rows.count, linear.outputs, post,
                                error);
}

/* With as many scores as labels; one score for two labels is not computed here. */
static enum opshift_status linear_classifier(struct kernel_call *call, struct opshift_error *error)
{
    struct linear linear = {0};
    enum post_transform post;
    enum opshift_status status = post_transform_read(call, &post, error);
    if (status == OPSHIFT_OK)
        status = feature_rows_read(call, 0, &linear.rows, error);
    linear.outputs = labels_count(call, ATTRIBUTE_CLASSLABELS_INTS);
    linear.coefficients = kernel_floats(call, ATTRIBUTE_COEFFICIENTS);
    if (status == OPSHIFT_OK && linear.outputs == 2 && linear.coefficients.count == linear.rows.width)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "one score for two labels is not computed here");
    if (status == OPSHIFT_OK)
        status = linear_scores(call, &linear, error);
    return status ? status
                  : classes_give(call, ATTRIBUTE_CLASSLABELS_INTS, linear.scores, linear.rows.count, linear.outputs,
                                 post, error);
}

const struct kernel kernels_learned[] = {
    {OPERATOR_ARRAY_FEATURE_EXTRACTOR, 1, KERNEL_ANY, array_feature_extractor, {0}},
    {OPERATOR_BINARIZER, 1, KERNEL_ANY, binarizer, {0}},
    {OPERATOR_CATEGORY_MAPPER, 1, KERNEL_ANY, category_mapper, {0}},
    {OPERATOR_FEATURE_VECTORIZER, 1, KERNEL_ANY, feature_vectorizer, {0}},
    {OPERATOR_IMPUTER, 1, KERNEL_ANY, imputer, {0}},
    {OPERATOR_LABEL_ENCODER, 1, 1, class_encoder, {0}},
    {OPERATOR_LABEL_ENCODER, 2, KERNEL_ANY, label_encoder, {0}},
    {OPERATOR_LINEAR_CLASSIFIER, 1, KERNEL_ANY, linear_classifier, {0}},
    {OPERATOR_LINEAR_REGRESSOR, 1, KERNEL_ANY, linear_regressor, {0}},
    {OPERATOR_NORMALIZER, 1, KERNEL_ANY, normalizer, {0}},
    {OPERATOR_ONE_HOT_ENCODER, 1, KERNEL_ANY, one_hot_encoder, {0}},
    {OPERATOR_SCALER, 1, KERNEL_ANY, scaler, {0}},
    {0},
};
