/* Shapes given by constants: Reshape, Expand, Tile, Pad, Range and similar operators. */
#include "infer/shape.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Dims given by an attribute or an input; -1 and a name for a symbolic dim. */
struct shape_list {
    const int64_t *values; /* NULL: from an input */
    const struct known *sizes;
    size_t count;
};

/* Reads the list and sets the output's rank. False: the list is unknown; if its length is known, the rank is set. */
static bool shape_list_read(struct inference *inference, uint32_t position, struct shape_list *list)
{
    struct value_type *output = &inference->outputs[0];
    *list = (struct shape_list){0};
    if (schema_attribute(inference->operation.schema, ATTRIBUTE_SHAPE) != NULL)
        return attribute_ints(inference, ATTRIBUTE_SHAPE, &list->values, &list->count) >= SETTING_DEFAULT &&
               shape_new(inference, output, list->count);
    list->sizes = input_sizes(inference, position);
    list->count = list->sizes ? list->sizes->count : 0;
    if (list->sizes)
        return shape_new(inference, output, list->count);
    const struct value_type *given = input_ranked(inference, position);
    inference->rank_follows_dims = true;
    if (given != NULL && given->rank == 1 && given->dims[0] >= 0)
        shape_new(inference, output, (size_t)given->dims[0]);
    return false;
}

/* Is it a number? */
static bool shape_list_number(const struct shape_list *list, size_t at, int64_t *number)
{
    if (list->sizes && known_symbol(list->sizes, at) != NAME_NONE)
        return false;
    *number = list->sizes ? list->sizes->numbers[at] : list->values[at];
    return true;
}

/* False: a size is negative. */
static bool sizes_check(struct inference *inference, const struct shape_list *list)
{
    int64_t dim;
    for (size_t i = 0; i < list->count; i++)
        if (shape_list_number(list, i, &dim) && dim < 0) {
            shape_clash(inference, CLASH_SHAPES, "dim %zu of the shape is %" PRId64 "; it must be 0 or more", i, dim);
            return false;
        }
    return true;
}

/* A dim that is the result of arithmetic. False, with a clash: no tensor is as long. */
static bool dim_check(struct inference *inference, size_t axis, bool overflows)
{
    if (overflows)
        shape_clash(inference, CLASH_SHAPES, "axis %zu of the result has more than 2^63 elements; correct the numbers",
                    axis);
    return !overflows;
}

void shape_constant_of_shape(struct inference *inference)
{
    struct value_type value = type_unknown, *output = &inference->outputs[0];
    struct shape_list list;
    enum setting_state answer = attribute_tensor_type(inference, ATTRIBUTE_VALUE, &value);
    output->type = answer == SETTING_ABSENT ? OPSHIFT_TYPE_FLOAT : value.type;
    if (answer >= SETTING_DEFAULT && value.rank >= 0 && dims_clash(dims_product(&value), 1)) {
        attribute_clash(inference, "value", "value has %" PRId64 " elements; it must have one", dims_product(&value));
        return;
    }
    if (shape_list_read(inference, 0, &list) && sizes_check(inference, &list))
        for (size_t i = 0; i < list.count; i++)
            dim_from_known(output, i, list.sizes, i);
}

/* RandomNormal, RandomUniform. */
void shape_attribute(struct inference *inference)
{
    const int64_t *dims;
    size_t count;
    struct value_type *output = &inference->outputs[0];
    if (attribute_ints(inference, ATTRIBUTE_SHAPE, &dims, &count) >= SETTING_DEFAULT &&
        shape_new(inference, output, count))
        for (size_t i = 0; i < count; i++)
            output->dims[i] = dims[i] >= 0 ? dims[i] : -1;
}

/* Is this symbolic output dim equal to an input dim that is not yet matched? */
static bool dim_cancel(const struct value_type *data, const struct value_type *output, size_t at, bool copied,
                       bool *met)
{
    for (size_t i = 0; i < (size_t)data->rank; i++) {
        bool same = output->params[at] != NAME_NONE ? data->params[i] == output->params[at] : copied && i == at;
        if (data->dims[i] < 0 && !met[i] && same)
            return met[i] = true;
    }
    return false;
}

/* The dim written as -1: the remaining elements. Symbolic dims on both sides cancel. */
static void reshape_rest(const struct value_type *data, struct value_type *output, const bool *copied, size_t rest)
{
    bool met[TENSOR_RANK_MAX] = {false};
    int64_t all = 1, others = 1;
    size_t open = SIZE_MAX;
    if (data == NULL)
        return;
    for (size_t i = 0; i < (size_t)output->rank; i++) {
        if (i != rest && output->dims[i] >= 0)
            others = dim_times(others, output->dims[i]);
        else if (i != rest && !dim_cancel(data, output, i, copied[i], met))
            return;
    }
    for (size_t i = 0; i < (size_t)data->rank; i++) {
        if (data->dims[i] >= 0)
            all = dim_times(all, data->dims[i]);
        else if (!met[i] && open != SIZE_MAX)
            return;
        else if (!met[i])
            open = i;
    }
    if (all < 0 || others <= 0 || all % others != 0)
        return;
    if (open == SIZE_MAX)
        dim_set(output, rest, all / others);
    else if (all == others)
        dim_copy(output, rest, data, open);
}

/* The number of elements of the new shape; -1: unknown. *open: one dim is computed. */
static int64_t reshape_count(const struct value_type *data, const struct shape_list *list, bool keep_zero, bool *open)
{
    int64_t product = 1, dim;
    for (size_t i = 0; i < list->count; i++) {
        if (!shape_list_number(list, i, &dim))
            return -1;
        if (dim == -1) {
            *open = true;
            continue;
        }
        if (dim == 0 && !keep_zero)
            dim = i < (size_t)data->rank ? data->dims[i] : -1;
        if (dim < 0 || __builtin_mul_overflow(product, dim, &product))
            return -1;
    }
    return product;
}

/* False: the list is no shape of this data. */
static bool reshape_list_check(struct inference *inference, const struct value_type *data,
                               const struct shape_list *list, bool keep_zero)
{
    size_t open = 0;
    int64_t dim;
    for (size_t i = 0; i < list->count && inference->clash_count == 0; i++) {
        if (!shape_list_number(list, i, &dim))
            continue;
        open += dim == -1;
        if (dim < -1)
            shape_clash(inference, CLASH_COUNT, "dim %zu of the new shape is %" PRId64 "; a dim must be -1 or more", i,
                        dim);
        else if (open > 1)
            shape_clash(inference, CLASH_COUNT,
                        "dim %zu of the new shape is another %" PRId64 "; only one dim can be -1", i, dim);
        else if (dim == 0 && !keep_zero && data && i >= (size_t)data->rank)
            shape_clash(inference, CLASH_COUNT,
                        "dim %zu of the new shape is 0, for the input's own, which has %d axes; give a number", i,
                        data->rank);
    }
    return inference->clash_count == 0;
}

/* False: the number of elements differs. */
static bool reshape_check(struct inference *inference, const struct value_type *data, const struct shape_list *list,
                          bool keep_zero)
{
    bool open = false;
    char words[SHAPE_TEXT_SIZE];
    if (!reshape_list_check(inference, data, list, keep_zero))
        return false;
    int64_t from = data ? dims_product(data) : -1, to = from < 0 ? -1 : reshape_count(data, list, keep_zero, &open);
    if (to < 0 || (open ? to != 0 && from % to == 0 : from == to))
        return true;
    if (open && to == 0) {
        shape_clash(inference, CLASH_COUNT,
                    "the dim that is -1 does not follow from the others, of which one is 0; give a number");
        return false;
    }
    shape_clash(inference, CLASH_COUNT,
                "%" PRId64 " elements of the shape %s do not fit into the new one, which takes %s%" PRId64
                "; correct the new shape",
                from, shape_text(data, words), open ? "a multiple of " : "", to);
    return false;
}

void shape_reshape(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    struct shape_list list;
    size_t rest = SIZE_MAX;
    bool copied[TENSOR_RANK_MAX] = {false};
    int64_t allow_zero, dim;
    if (!shape_list_read(inference, 1, &list) ||
        !operation_int(&inference->operation, ATTRIBUTE_ALLOWZERO, &allow_zero) ||
        !reshape_check(inference, data, &list, allow_zero != 0))
        return;
    for (size_t i = 0; i < list.count; i++) {
        if (!shape_list_number(&list, i, &dim)) {
            dim_from_known(output, i, list.sizes, i);
        } else if (dim > 0 || (dim == 0 && allow_zero != 0)) {
            output->dims[i] = dim;
        } else if (dim == 0 && data != NULL && i < (size_t)data->rank) {
            dim_copy(output, i, data, i);
            copied[i] = true;
        } else if (dim == -1) {
            rest = i;
        }
    }
    if (rest != SIZE_MAX)
        reshape_rest(data, output, copied, rest);
}

/* False: a size is neither the dim nor 1, and the dim is not 1. */
static bool expand_check(struct inference *inference, const struct value_type *data, const struct known *sizes)
{
    char words[SHAPE_TEXT_SIZE];
    for (size_t i = 1; sizes && i <= sizes->count; i++) {
        size_t at = sizes->count - i;
        int64_t size = known_symbol(sizes, at) == NAME_NONE ? sizes->numbers[at] : 1;
        int64_t dim = i <= (size_t)data->rank ? data->dims[(size_t)data->rank - i] : 1;
        if (size >= 0 && (size == 1 || dim == 1 || !dims_clash(size, dim)))
            continue;
        shape_clash(inference, CLASH_SHAPES,
                    "the input has the shape %s, and the new one %" PRId64
                    " at position %zu; make them equal, or one of them 1",
                    shape_text(data, words), size, at);
        return false;
    }
    return true;
}

void shape_expand(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    const struct known *sizes = input_sizes(inference, 1);
    const struct value_type *given = sizes ? NULL : input_ranked(inference, 1);
    bool counted = sizes || (given && given->rank == 1 && given->dims[0] >= 0 && given->dims[0] <= TENSOR_RANK_MAX);
    inference->rank_follows_dims = sizes == NULL;
    if (data == NULL || !counted || !expand_check(inference, data, sizes))
        return;
    size_t count = sizes ? sizes->count : (size_t)given->dims[0];
    size_t rank = count > (size_t)data->rank ? count : (size_t)data->rank;
    if (!shape_new(inference, output, rank))
        return;
    for (size_t i = 0; i < rank; i++)
        output->dims[i] = 1;
    for (size_t i = 0; i < (size_t)data->rank; i++)
        dim_copy(output, rank - (size_t)data->rank + i, data, i);
    for (size_t i = 0; i < count; i++) {
        name_id symbol = sizes ? known_symbol(sizes, i) : SYMBOL_UNKNOWN;
        bool number = symbol == NAME_NONE && sizes->numbers[i] >= 0;
        dim_broadcast(output, rank - count + i, number ? sizes->numbers[i] : -1,
                      symbol < SYMBOL_DIM ? symbol : NAME_NONE);
    }
}

/* False: a list has not `each` numbers for each axis. */
static bool list_check(struct inference *inference, const struct value_type *data, const char *what, size_t count,
                       int32_t each)
{
    if (count == (size_t)each * (size_t)data->rank)
        return true;
    shape_clash(inference, CLASH_SHAPES, "%s has %zu numbers, and the input has %d ax%s; give %d for each", what, count,
                data->rank, data->rank == 1 ? "is" : "es", each);
    return false;
}

void shape_tile(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    const int64_t *repeats;
    size_t count;
    /* Tile-1 repeats along one axis, given as an input. */
    if (data == NULL || !shape_new(inference, output, (size_t)data->rank) || inference->operation.schema->since < 6 ||
        input_ints(inference, 1, &repeats, &count) < SETTING_DEFAULT ||
        !list_check(inference, data, "repeats", count, 1))
        return;
    for (size_t i = 0; i < count; i++) {
        if (repeats[i] < 0)
            shape_clash(inference, CLASH_SHAPES, "repeats has %" PRId64 " at position %zu; it must be 0 or more",
                        repeats[i], i);
        else if (repeats[i] == 1)
            dim_copy(output, i, data, i);
        else if (data->dims[i] >= 0)
            dim_check(inference, i, __builtin_mul_overflow(data->dims[i], repeats[i], &output->dims[i]));
    }
}

static bool sum_is_negative(int64_t dim, int64_t before, int64_t after)
{
    int64_t sum;
    return before != INT64_MIN && after != INT64_MIN && !__builtin_add_overflow(before, after, &sum) &&
           !__builtin_add_overflow(sum, dim, &sum) && sum < 0;
}

static void pad_axis(struct inference *inference, const struct value_type *data, size_t axis, int64_t before,
                     int64_t after)
{
    struct value_type *output = &inference->outputs[0];
    int64_t sum, dim = data->dims[axis];
    output->params[axis] = NAME_NONE;
    output->dims[axis] = -1;
    if (before == 0 && after == 0)
        dim_copy(output, axis, data, axis);
    else if (dim >= 0 &&
             dim_check(inference, axis,
                       __builtin_add_overflow(before, after, &sum) || __builtin_add_overflow(sum, dim, &sum)))
        output->dims[axis] = sum >= 0 ? sum : -1;
    if (dim >= 0 && inference->clash_count == 0 && sum_is_negative(dim, before, after))
        shape_clash(inference, CLASH_SHAPES,
                    "the pads take %" PRId64 " and %" PRId64 " elements from axis %zu, which has %" PRId64
                    "; take no more than it has",
                    -before, -after, axis, dim);
}

void shape_pad(struct inference *inference)
{
    const struct value_type *data = input_ranked(inference, 0);
    struct value_type *output = &inference->outputs[0];
    const int64_t *pads, *axes = NULL;
    size_t count, axis_count = 0, axis;
    if (data == NULL || !shape_new(inference, output, (size_t)data->rank))
        return;
    enum setting_state named =
        inference_has_input(inference, 3) ? input_ints(inference, 3, &axes, &axis_count) : SETTING_ABSENT;
    if (named == SETTING_ABSENT)
        axis_count = (size_t)data->rank;
    bool first = inference->operation.schema->since < 2;
    const char *list = first ? "paddings" : "pads";
    if (named == SETTING_UNKNOWN ||
        setting_ints(inference, first ? ATTRIBUTE_PADDINGS : ATTRIBUTE_PADS, 1, &pads, &count) < SETTING_DEFAULT ||
        (axes == NULL && !list_check(inference, data, list, count, 2)))
        return;
    if (count != 2 * axis_count) {
        shape_clash(inference, CLASH_SHAPES, "pads has %zu numbers and axes %zu; give two for each axis", count,
                    axis_count);
        return;
    }
    for (size_t i = 0; i < (size_t)data->rank; i++)
        dim_copy(output, i, data, i);
    for (size_t i = 0; i < axis_count; i++) {
        if (!axis_check(inference, axes != NULL ? axes[i] : (int64_t)i, data->rank, &axis))
            return;
        pad_axis(inference, data, axis, pads[i], pads[i + axis_count]);
    }
}

bool input_int(struct inference *inference, uint32_t position, int64_t *value)
{
    const int64_t *values;
    size_t count;
    if (input_ints(inference, position, &values, &count) < SETTING_DEFAULT || count != 1)
        return false;
    *value = values[0];
    return true;
}

/* For floats: only where float and double computation agree. */
static int64_t range_real(const struct known *start, const struct known *limit, const struct known *delta)
{
    double first = real_of(start->numbers[0]), step = real_of(delta->numbers[0]);
    double exact = ceil((real_of(limit->numbers[0]) - first) / step);
    double rounded = (double)ceilf(((float)real_of(limit->numbers[0]) - (float)first) / (float)step);
    if (step == 0 || isnan(exact) || exact != rounded || exact > 9e18)
        return -1;
    return exact > 0 ? (int64_t)exact : 0;
}

static int64_t range_whole(int64_t start, int64_t limit, int64_t delta)
{
    int64_t span;
    if (delta == 0 || __builtin_sub_overflow(limit, start, &span) || span == INT64_MIN || delta == INT64_MIN)
        return -1;
    return span == 0 || (span < 0) != (delta < 0) ? 0 : (llabs(span) - 1) / llabs(delta) + 1;
}

void shape_range(struct inference *inference)
{
    const struct known *start = input_known(inference, 0), *limit = input_known(inference, 1);
    const struct known *delta = input_known(inference, 2);
    struct value_type *output = shape_output(inference, 0, 1);
    if (!output || !start || !limit || !delta || start->symbols || delta->symbols || start->count != 1 ||
        limit->count != 1 || delta->count != 1 || start->type != limit->type || start->type != delta->type)
        return;
    if (limit->symbols) { /* from 0 to a symbolic dim */
        if (start->numbers[0] == 0 && delta->numbers[0] == 1)
            dim_from_known(output, 0, limit, 0);
    } else if (known_is_real(start) ? real_of(delta->numbers[0]) == 0 : delta->numbers[0] == 0) {
        shape_clash(inference, CLASH_SHAPES, "delta is 0, so the range has no end; give another step");
    } else if (known_is_real(start)) {
        dim_set(output, 0, range_real(start, limit, delta));
    } else {
        dim_set(output, 0, range_whole(start->numbers[0], limit->numbers[0], delta->numbers[0]));
    }
}
