/* The functions and questions of expressions, a row each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rule/expression_tree.h"

#define CALL(name)                                                                                                     \
    static enum opshift_status name(const struct expression *at, struct expression_world *world,                       \
                                    const struct result *arguments, struct result *value, struct opshift_error *error)

static enum opshift_status expect_int(const struct expression *at, const struct expression_world *world,
                                      const struct result *value, struct opshift_error *error)
{
    if (value->kind == RESULT_INT)
        return OPSHIFT_OK;
    return expression_fail(at, world, error, "%s() takes integers, found %s", at->function->name,
                           result_kind_name(value->kind));
}

/* range(a, b) and range(b) */
CALL(call_range)
{
    int64_t first = 0, end;
    struct result *items;
    if (at->item_count == 2)
        first = arguments[0].i;
    end = arguments[at->item_count - 1].i;
    uint64_t count = end > first ? (uint64_t)end - (uint64_t)first : 0;
    if (count > EXPRESSION_STEPS_MAX)
        return expression_charge(at, world, count, error);
    enum opshift_status status = expression_list(at, world, count, &items, error);
    if (status)
        return status;
    for (uint64_t i = 0; i < count; i++)
        items[i] = result_int(first + (int64_t)i);
    *value = result_list(items, count);
    return OPSHIFT_OK;
}

CALL(call_len)
{
    if (arguments->kind != RESULT_LIST && arguments->kind != RESULT_STRING)
        return expression_fail(at, world, error, "len() takes a list or a string, found %s",
                               result_kind_name(arguments->kind));
    size_t size = arguments->kind == RESULT_LIST ? arguments->list.count : arguments->s.size;
    *value = result_int((int64_t)size);
    return OPSHIFT_OK;
}

/* min(l), min(a, b), and the same for max. */
static enum opshift_status pick(const struct expression *at, struct expression_world *world,
                                const struct result *arguments, int wanted, struct result *value,
                                struct opshift_error *error)
{
    const struct result *items = arguments;
    size_t count = at->item_count;
    enum opshift_status status = OPSHIFT_OK;
    int order;
    if (count == 1)
        status = result_items(at, world, arguments, &items, &count, error);
    if (status == OPSHIFT_OK && count == 0)
        status = expression_fail(at, world, error, "%s() of an empty list", at->function->name);
    if (status)
        return status;
    *value = items[0];
    for (size_t i = 1; status == OPSHIFT_OK && i < count; i++) {
        status = result_order(at, world, &items[i], value, &order, error);
        if (status == OPSHIFT_OK && order == wanted)
            *value = items[i];
    }
    return status;
}

CALL(call_min)
{
    return pick(at, world, arguments, -1, value, error);
}

CALL(call_max)
{
    return pick(at, world, arguments, 1, value, error);
}

static enum opshift_status gather(const struct expression *at, struct expression_world *world,
                                  const struct result *arguments, bool product, struct result *value,
                                  struct opshift_error *error)
{
    enum opshift_status status = expression_charge(at, world, arguments->list.count, error);
    *value = result_int(product);
    for (size_t i = 0; status == OPSHIFT_OK && i < arguments->list.count; i++) {
        struct result left = *value;
        const struct result *item = &arguments->list.items[i];
        if (item->kind == RESULT_LIST || item->kind == RESULT_STRING)
            return expression_fail(at, world, error, "%s() takes numbers, found %s", at->function->name,
                                   result_kind_name(item->kind));
        status = (product ? result_multiply : result_add)(at, world, &left, item, value, error);
    }
    return status;
}

CALL(call_sum)
{
    return gather(at, world, arguments, false, value, error);
}

CALL(call_prod)
{
    return gather(at, world, arguments, true, value, error);
}

CALL(call_index)
{
    const struct result *items;
    size_t count;
    bool equal = false;
    enum opshift_status status = result_items(at, world, &arguments[0], &items, &count, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        status = result_equal(at, world, &items[i], &arguments[1], &equal, error);
        *value = result_int((int64_t)i);
        if (equal)
            return status;
    }
    return status ? status : expression_fail(at, world, error, "index(): there is no such item");
}

/* Not above? Strings by bytes. */
static bool in_order(const struct result *one, const struct result *other)
{
    if (one->kind != RESULT_STRING)
        return one->i <= other->i;
    size_t size = one->s.size < other->s.size ? one->s.size : other->s.size;
    int order = size ? memcmp(one->s.data, other->s.data, size) : 0;
    return order < 0 || (order == 0 && one->s.size <= other->s.size);
}

/* Merges two sorted runs. */
static void merge(const struct result *from, struct result *to, size_t middle, size_t end)
{
    size_t left = 0, right = middle;
    for (size_t i = 0; i < end; i++)
        to[i] = left < middle && (right >= end || in_order(&from[left], &from[right])) ? from[left++] : from[right++];
}

CALL(call_sorted)
{
    struct result *items, *spare;
    size_t count = arguments->list.count, strings = 0;
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; i < count; i++)
        strings += arguments->list.items[i].kind == RESULT_STRING;
    for (size_t i = 0; status == OPSHIFT_OK && strings < count && i < count; i++)
        status = expect_int(at, world, &arguments->list.items[i], error);
    if (status == OPSHIFT_OK)
        status = expression_list(at, world, count, &items, error);
    if (status == OPSHIFT_OK)
        status = expression_list(at, world, count, &spare, error);
    if (status)
        return status;
    if (count)
        memcpy(items, arguments->list.items, count * sizeof(*items));
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t i = 0; i < count; i += 2 * width) {
            size_t left = count - i;
            merge(items + i, spare + i, left < width ? left : width, left < 2 * width ? left : 2 * width);
        }
        memcpy(items, spare, count * sizeof(*items));
    }
    *value = result_list(items, count);
    return OPSHIFT_OK;
}

/* distinct([1, 2]): true */
CALL(call_distinct)
{
    struct result sorted = {0};
    enum opshift_status status = call_sorted(at, world, arguments, &sorted, error);
    bool twice = false;
    for (size_t i = 1; status == OPSHIFT_OK && !twice && i < sorted.list.count; i++)
        twice = in_order(&sorted.list.items[i], &sorted.list.items[i - 1]);
    *value = result_bool(!twice);
    return status;
}

/* same(dims(A), dims(B)): are they known to be equal? */
CALL(call_same)
{
    bool equal = false;
    enum opshift_status status = result_equal(at, world, &arguments[0], &arguments[1], &equal, error);
    *value = result_bool(status == OPSHIFT_OK && equal);
    return status == OPSHIFT_NO ? error_forget(error) : status;
}

/* An integer of a list. */
struct list_place {
    int64_t value;
    size_t at;
};

static int by_value(const void *a, const void *b)
{
    const struct list_place *left = a, *right = b;
    if (left->value != right->value)
        return left->value < right->value ? -1 : 1;
    return left->at < right->at ? -1 : left->at > right->at;
}

/* places([5, 7], [7, 8]): [1, -1] */
CALL(call_places)
{
    struct result *items;
    size_t count = arguments[0].list.count, wanted = arguments[1].list.count;
    enum opshift_status status = expression_charge(at, world, count, error);
    if (status == OPSHIFT_OK)
        status = expression_list(at, world, wanted, &items, error);
    struct list_place *places = status == OPSHIFT_OK ? arena_alloc(world->arena, count, sizeof(*places)) : NULL;
    if (status == OPSHIFT_OK && places == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        status = expect_int(at, world, &arguments[0].list.items[i], error);
        places[i] = (struct list_place){arguments[0].list.items[i].i, i};
    }
    if (status == OPSHIFT_OK && count)
        qsort(places, count, sizeof(*places), by_value);
    for (size_t i = 0; status == OPSHIFT_OK && i < wanted; i++) {
        status = expect_int(at, world, &arguments[1].list.items[i], error);
        size_t first = 0, end = count;
        while (first < end) {
            size_t middle = first + (end - first) / 2;
            if (places[middle].value < arguments[1].list.items[i].i)
                first = middle + 1;
            else
                end = middle;
        }
        bool found = first < count && places[first].value == arguments[1].list.items[i].i;
        items[i] = result_int(found ? (int64_t)places[first].at : -1);
    }
    if (status == OPSHIFT_OK)
        *value = result_list(items, wanted);
    return status;
}

CALL(call_reversed)
{
    struct result *items;
    size_t count = arguments->list.count;
    enum opshift_status status = expression_list(at, world, count, &items, error);
    if (status)
        return status;
    for (size_t i = 0; i < count; i++)
        items[i] = arguments->list.items[count - 1 - i];
    *value = result_list(items, count);
    return OPSHIFT_OK;
}

/* flat([[1], [2, 3]]): [1, 2, 3] */
CALL(call_flat)
{
    struct result *items;
    size_t count = 0, at_item = 0;
    for (size_t i = 0; i < arguments->list.count; i++) {
        const struct result *part = &arguments->list.items[i];
        if (part->kind != RESULT_LIST)
            return expression_fail(at, world, error, "flat() takes a list of lists, found %s in it",
                                   result_kind_name(part->kind));
        count += part->list.count;
    }
    enum opshift_status status = expression_list(at, world, count, &items, error);
    if (status)
        return status;
    for (size_t i = 0; i < arguments->list.count; i++)
        for (size_t k = 0; k < arguments->list.items[i].list.count; k++)
            items[at_item++] = arguments->list.items[i].list.items[k];
    *value = result_list(items, count);
    return OPSHIFT_OK;
}

CALL(call_float)
{
    if (arguments->kind == RESULT_STRING || arguments->kind == RESULT_LIST || arguments->kind == RESULT_OPEN)
        return expression_fail(at, world, error, "float() takes a number, found %s", result_kind_name(arguments->kind));
    *value = result_real(arguments->kind == RESULT_FLOAT ? arguments->f : (double)arguments->i);
    return OPSHIFT_OK;
}

CALL(call_sqrt)
{
    enum opshift_status status = call_float(at, world, arguments, value, error);
    if (status == OPSHIFT_OK)
        value->f = sqrt(value->f);
    return status;
}

CALL(call_str)
{
    char *text = arena_print(world->arena, "%lld", (long long)arguments->i);
    if (text == NULL)
        return opshift_no_memory(error);
    *value = result_text((struct bytes){(const uint8_t *)text, strlen(text)});
    return OPSHIFT_OK;
}

/* The position of a substring in a text, from `at` on; its size: not found. */
static size_t find(struct bytes text, size_t at, struct bytes sign)
{
    for (; at + sign.size <= text.size; at++)
        if (memcmp(text.data + at, sign.data, sign.size) == 0)
            return at;
    return text.size;
}

/* split("a,b", ","): ["a", "b"] */
CALL(call_split)
{
    struct bytes text = arguments[0].s, sign = arguments[1].s;
    struct result *items;
    size_t count = 0, at_byte = 0;
    if (sign.size == 0 || sign.size > 8)
        return expression_fail(at, world, error, "split() takes a separator of 1 to 8 characters");
    enum opshift_status status = expression_list(at, world, text.size + 1, &items, error);
    if (status)
        return status;
    if (text.size == 0)
        text.data = (const uint8_t *)""; /* an empty text may have no address */
    for (bool more = true; more;) {
        size_t end = find(text, at_byte, sign);
        items[count++] = result_text((struct bytes){text.data + at_byte, end - at_byte});
        more = end + sign.size <= text.size && end < text.size;
        at_byte = end + sign.size;
    }
    *value = result_list(items, count);
    return OPSHIFT_OK;
}

/* join(["a", "b"], ","): "a,b" */
CALL(call_join)
{
    const struct result *separator = &arguments[1];
    struct result text = {.kind = RESULT_STRING};
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < arguments->list.count; i++) {
        struct result left = text;
        if (arguments->list.items[i].kind != RESULT_STRING)
            return expression_fail(at, world, error, "join() takes strings, found %s",
                                   result_kind_name(arguments->list.items[i].kind));
        if (i > 0)
            status = result_add(at, world, &text, separator, &left, error);
        if (status == OPSHIFT_OK)
            status = result_add(at, world, &left, &arguments->list.items[i], &text, error);
    }
    *value = text;
    return status;
}

static const struct expression_function functions[] = {
    {"range", 1, 2, {RESULT_INT, RESULT_INT}, call_range, {RESULT_LIST, RESULT_INT}, false, false},
    {"len", 1, 1, {RESULT_ANY, RESULT_ANY}, call_len, {RESULT_INT, RESULT_ANY}, false, false},
    {"min", 1, 2, {RESULT_ANY, RESULT_ANY}, call_min, {RESULT_ANY, RESULT_ANY}, true, false},
    {"max", 1, 2, {RESULT_ANY, RESULT_ANY}, call_max, {RESULT_ANY, RESULT_ANY}, true, false},
    {"sum", 1, 1, {RESULT_LIST, RESULT_ANY}, call_sum, {RESULT_ANY, RESULT_ANY}, true, false},
    {"prod", 1, 1, {RESULT_LIST, RESULT_ANY}, call_prod, {RESULT_ANY, RESULT_ANY}, true, false},
    {"index", 2, 2, {RESULT_ANY, RESULT_ANY}, call_index, {RESULT_INT, RESULT_ANY}, false, false},
    {"sorted", 1, 1, {RESULT_LIST, RESULT_ANY}, call_sorted, {RESULT_LIST, RESULT_INT}, false, true},
    {"distinct", 1, 1, {RESULT_LIST, RESULT_ANY}, call_distinct, {RESULT_BOOL, RESULT_ANY}, false, false},
    {"same", 2, 2, {RESULT_ANY, RESULT_ANY}, call_same, {RESULT_BOOL, RESULT_ANY}, false, false},
    {"places", 2, 2, {RESULT_LIST, RESULT_LIST}, call_places, {RESULT_LIST, RESULT_INT}, false, false},
    {"reversed", 1, 1, {RESULT_LIST, RESULT_ANY}, call_reversed, {RESULT_LIST, RESULT_ANY}, false, true},
    {"flat", 1, 1, {RESULT_LIST, RESULT_ANY}, call_flat, {RESULT_LIST, RESULT_ANY}, false, false},
    {"float", 1, 1, {RESULT_ANY, RESULT_ANY}, call_float, {RESULT_FLOAT, RESULT_ANY}, false, false},
    {"sqrt", 1, 1, {RESULT_ANY, RESULT_ANY}, call_sqrt, {RESULT_FLOAT, RESULT_ANY}, false, false},
    {"str", 1, 1, {RESULT_INT, RESULT_ANY}, call_str, {RESULT_STRING, RESULT_ANY}, false, false},
    {"split", 2, 2, {RESULT_STRING, RESULT_STRING}, call_split, {RESULT_LIST, RESULT_STRING}, false, false},
    {"join", 2, 2, {RESULT_LIST, RESULT_STRING}, call_join, {RESULT_STRING, RESULT_ANY}, false, false},
};

const struct expression_function *function_find(struct bytes name)
{
    for (size_t i = 0; i < COUNT(functions); i++)
        if (bytes_are(name, functions[i].name))
            return &functions[i];
    return NULL;
}

static const struct question_row questions[] = {
    {"present", QUESTION_PRESENT, false, false, {RESULT_BOOL, RESULT_ANY}},
    {"count", QUESTION_COUNT, false, true, {RESULT_INT, RESULT_ANY}},
    {"known", QUESTION_KNOWN, false, false, {RESULT_BOOL, RESULT_ANY}},
    {"rank", QUESTION_RANK, false, false, {RESULT_INT, RESULT_ANY}},
    {"known_dim", QUESTION_KNOWN_DIM, true, false, {RESULT_BOOL, RESULT_ANY}},
    {"dim", QUESTION_DIM, true, false, {RESULT_INT, RESULT_ANY}},
    {"static", QUESTION_STATIC, false, false, {RESULT_BOOL, RESULT_ANY}},
    {"shape", QUESTION_SHAPE, false, false, {RESULT_LIST, RESULT_INT}},
    {"dims", QUESTION_DIMS, false, false, {RESULT_LIST, RESULT_ANY}},
    {"type", QUESTION_TYPE, false, false, {RESULT_STRING, RESULT_ANY}},
    {"element", QUESTION_ELEMENT, false, false, {RESULT_INT, RESULT_ANY}},
    {"sequence", QUESTION_SEQUENCE, false, false, {RESULT_BOOL, RESULT_ANY}},
    {"optional", QUESTION_OPTIONAL, false, false, {RESULT_BOOL, RESULT_ANY}},
    {"constant", QUESTION_CONSTANT, false, false, {RESULT_BOOL, RESULT_ANY}},
    {"nonnegative", QUESTION_NONNEGATIVE, false, false, {RESULT_BOOL, RESULT_ANY}},
    {"value", QUESTION_VALUE, false, false, {RESULT_LIST, RESULT_ANY}},
};

const struct question_row *question_find(struct bytes name)
{
    for (size_t i = 0; i < COUNT(questions); i++)
        if (bytes_are(name, questions[i].name))
            return &questions[i];
    return NULL;
}
