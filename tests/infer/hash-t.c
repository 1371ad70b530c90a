/* The hashes of types, constants and tensors cover every field that distinguishes two of them. */
#include <string.h>

#include "infer/known.h"
#include "infer/result.h"
#include "tests/tap/tap.h"

enum { COUNT_KEYS = 2000, RANK = 3 };

static uint64_t state = 4711;
static uint32_t drawn(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static struct table table;

/* ---- types ---- */

struct drawn_type {
    struct value_type type, element;
    int64_t dims[RANK], element_dims[RANK];
    name_id params[RANK], element_params[RANK];
    char other[8];
};

static void type_draw(struct drawn_type *made)
{
    *made = (struct drawn_type){.element = {.type = (enum opshift_type)(1 + drawn(11)), .is_tensor = true},
                                .type = {.type = (enum opshift_type)drawn(11)}};
    for (uint32_t i = 0; i < RANK; i++) {
        made->dims[i] = drawn(9);
        made->element_dims[i] = drawn(9);
        made->params[i] = drawn(9);
        made->element_params[i] = drawn(9);
    }
    strcpy(made->other, "seq(f");
}

static struct value_type *type_join(struct drawn_type *made)
{
    made->type.dims = made->dims;
    made->type.params = made->params;
    made->type.rank = made->element.rank = RANK;
    made->element.dims = made->element_dims;
    made->element.params = made->element_params;
    made->type.other = made->other;
    made->type.element = &made->element;
    return &made->type;
}

static void type_change(struct drawn_type *made, uint32_t field)
{
    uint32_t at = drawn(RANK);
    switch (field) {
    case 0:
        made->type.type ^= 1;
        break;
    case 1:
        made->type.rank--;
        break;
    case 2:
        made->dims[at]++;
        break;
    case 3:
        made->params[at]++;
        break;
    case 4:
        made->type.is_tensor ^= true;
        break;
    case 5:
        made->other[4]++;
        break;
    case 6:
        made->type.other = NULL;
        break;
    case 7:
        made->type.element = NULL;
        break;
    case 8:
        made->element.type ^= 1;
        break;
    case 9:
        made->element.rank--;
        break;
    case 10:
        made->element_dims[at]++;
        break;
    case 11:
        made->element_params[at]++;
        break;
    default:
        made->element.element = &made->type;
        break;
    }
}

static void test_types(void)
{
    static const char *const fields[] = {"element type",       "rank",     "a dim",    "name of a dim",
                                         "tensor or not",      "other",    "no other", "no element",
                                         "the element's type", "its rank", "its dim",  "name of its dim"};
    for (uint32_t field = 0; field < sizeof(fields) / sizeof(*fields); field++) {
        uint32_t same = 0, differ = 0;
        for (uint32_t i = 0; i < COUNT_KEYS; i++) {
            struct drawn_type one, other;
            type_draw(&one);
            other = one;
            uint64_t hash = type_hash(&table, type_join(&one));
            same += type_is_same(&one.type, type_join(&other)) && hash == type_hash(&table, &other.type);
            type_change(&other, field);
            differ += !type_is_same(&one.type, &other.type) && hash != type_hash(&table, &other.type);
        }
        is_int(COUNT_KEYS, same, "types: equal ones");
        is_int(COUNT_KEYS, differ, "types: another %s", fields[field]);
    }
}

/* ---- constants ---- */

static void test_constants(void)
{
    static const char *const fields[] = {"type", "rank", "count", "dim", "number", "symbol", "number of symbols"};
    for (uint32_t field = 0; field < sizeof(fields) / sizeof(*fields); field++) {
        uint32_t same = 0, differ = 0;
        for (uint32_t i = 0; i < COUNT_KEYS; i++) {
            int64_t dims[RANK], numbers[RANK];
            name_id symbols[RANK];
            for (uint32_t k = 0; k < RANK; k++) {
                dims[k] = drawn(9);
                numbers[k] = drawn(9);
                symbols[k] = drawn(9);
            }
            struct known one = {(enum opshift_type)(1 + drawn(11)), RANK, RANK, dims, numbers, symbols}, other;
            struct arena *arena = arena_new(0);
            struct known *copy = known_copy(arena, &one);
            uint64_t hash = known_hash(&table, &one);
            uint32_t at = drawn(RANK);
            same += known_is_same(&one, copy) && hash == known_hash(&table, copy);
            other = *copy;
            other.type ^= field == 0;
            other.rank -= field == 1;
            other.count -= field == 2;
            other.dims[at] += field == 3;
            other.numbers[at] += field == 4;
            other.symbols[at] += field == 5;
            other.symbols = field == 6 ? NULL : other.symbols;
            differ += !known_is_same(&one, &other) && hash != known_hash(&table, &other);
            arena_free(arena);
        }
        is_int(COUNT_KEYS, same, "constants: equal ones");
        is_int(COUNT_KEYS, differ, "constants: another %s", fields[field]);
    }
}

/* ---- tensors ---- */

/* What of a tensor is changed: its type, its shape, or a bit of an element. */
enum { CHANGE_TYPE, CHANGE_RANK, CHANGE_DIM, CHANGE_BIT, CHANGES };

static void test_tensors(enum opshift_type type, enum opshift_type similar, const char *what)
{
    for (uint32_t change = 0; change < CHANGES; change++) {
        uint32_t same = 0, differ = 0;
        for (uint32_t i = 0; i < COUNT_KEYS; i++) {
            int64_t dims[] = {1 + drawn(9), 1, 1}, wider[] = {dims[0], 1, 1};
            uint8_t data[80], copy[80];
            uint64_t count = (uint64_t)dims[0], bits = count * type_bits(type);
            for (size_t k = 0; k < sizeof(data); k++)
                copy[k] = data[k] = (uint8_t)drawn(256);
            if (bits % 8) /* bits behind the last element mean nothing */
                copy[bits / 8] ^= 0x80;
            struct tensor one = {.type = type, .rank = 1, .dims = dims, .count = count, .data = data}, other = one;
            other.data = copy;
            other.dims = wider;
            uint64_t hash = tensor_hash(&table, &one), bit = drawn((uint32_t)bits);
            same += tensor_equal(&one, &other) && hash == tensor_hash(&table, &other);
            other.type = change == CHANGE_TYPE ? similar : other.type;
            other.rank += change == CHANGE_RANK;
            wider[0] += change == CHANGE_DIM;
            copy[bit / 8] ^= change == CHANGE_BIT ? (uint8_t)(1u << bit % 8) : 0;
            differ += !tensor_equal(&one, &other) && hash != tensor_hash(&table, &other);
        }
        is_int(COUNT_KEYS, same, "%s: equal ones", what);
        is_int(COUNT_KEYS, differ, "%s: change %u", what, change);
    }
}

static void test_strings(void)
{
    uint8_t text[] = "abcd", copy[] = "abcd", another[] = "abce";
    int64_t dims[] = {2};
    struct bytes strings[] = {{text, 4}, {text, 2}}, same[] = {{copy, 4}, {copy, 2}};
    struct bytes last[] = {{text, 4}, {text, 3}}, first[] = {{another, 4}, {text, 2}},
                 parted[] = {{text, 2}, {text, 4}};
    struct tensor one = {.type = OPSHIFT_TYPE_STRING, .rank = 1, .dims = dims, .count = 2}, other = one;
    one.strings = strings;
    struct bytes *const others[] = {last, first, parted};
    other.strings = same;
    ok(tensor_equal(&one, &other) && tensor_hash(&table, &one) == tensor_hash(&table, &other), "strings: equal ones");
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
        other.strings = others[i];
        ok(tensor_hash(&table, &one) != tensor_hash(&table, &other), "strings: others (%zu)", i);
    }
}

int main(void)
{
    ok(table_reserve(&table, 1), "a table");
    test_types();
    test_constants();
    test_tensors(OPSHIFT_TYPE_FLOAT, OPSHIFT_TYPE_INT32, "tensors");
    test_tensors(OPSHIFT_TYPE_INT8, OPSHIFT_TYPE_UINT8, "tensors of bytes");
    test_tensors(OPSHIFT_TYPE_INT4, OPSHIFT_TYPE_UINT4, "packed tensors");
    test_strings();
    table_free(&table);
    return done();
}
