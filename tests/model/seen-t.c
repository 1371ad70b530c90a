/* Tables of what was met: numbers for good, places that follow from the bytes, and no long searches. */
#include "model/seen.h"

#include <string.h>

#include "base/hash.h"
#include "tests/tap/tap.h"

#define KEYS   4000u /* more than there are numbers */
#define PLACES 4096u /* of a table that has grown as far as it does; of a smaller one, their lower bits count */
#define MEET   12u   /* more than are kept near one place */

static struct arena *arena;

static uint64_t *value_of(struct seen **seen, uint64_t key, bool *known)
{
    return seen_value(seen, arena, sizeof(uint64_t), (const uint8_t *)&key, sizeof key, known);
}

static uint64_t place_of(uint64_t key)
{
    return (hash_bytes((const uint8_t *)&key, sizeof key, 0) >> 32) % PLACES;
}

/* The next key behind this one that has the place of another. */
static uint64_t key_at(uint64_t place, uint64_t key)
{
    do
        key++;
    while (place_of(key) != place);
    return key;
}

static void test_numbers(void)
{
    static uint64_t *values[KEYS];
    struct seen *seen = NULL;
    unsigned count = 0, in_order = 0, right = 0, again = 0;
    bool known;
    for (uint64_t key = 0; key < KEYS; key++) {
        values[key] = value_of(&seen, key, &known);
        if (values[key] == NULL)
            continue;
        count++;
        in_order += !known && *values[key] == 0 && seen_number(values[key]) == count;
        *values[key] = key;
    }
    is_int(SEEN_NUMBERS, count, "so many values have a number, and no more are kept");
    is_int(SEEN_NUMBERS, in_order, "from 1 on, for each the next; the value is zero at first");
    for (uint64_t key = 0; key < KEYS; key++) {
        right += values[key] && *values[key] == key && seen_numbered(seen, seen_number(values[key])) == values[key];
        again += values[key] && value_of(&seen, key, &known) == values[key] && known;
    }
    is_int(SEEN_NUMBERS, right, "each stays where it is while the table grows, and its number is its own");
    ok(again > SEEN_NUMBERS * 99 / 100, "nearly all are found by their bytes: %u", again);
    ok(value_of(&seen, KEYS, &known) == NULL && !known, "one more is not kept");
}

static void test_sizes(void)
{
    static const uint8_t zeros[SEEN_SIZE + 1];
    struct seen *seen = NULL;
    bool known = true;
    ok(seen_value(&seen, arena, 0, zeros, 0, &known) == NULL && !known, "no bytes have no value");
    known = true;
    ok(seen_value(&seen, arena, 0, zeros, SEEN_SIZE + 1, &known) == NULL && !known, "nor have too many");
    known = true;
    ok(seen_lately(&seen, arena, 0, zeros, SEEN_SIZE + 1, &known) == NULL && !known, "nor lately");
    for (unsigned size = 1; size <= SEEN_SIZE; size++) {
        void *value = seen_value(&seen, arena, 0, zeros, size, &known);
        is_int(value && !known ? size : 0, value ? seen_number(value) : 0, "%u bytes are others than fewer", size);
    }
}

static void test_forgotten(void)
{
    struct seen *seen = NULL;
    bool known;
    uint64_t other = key_at(place_of(0), 0), *first = value_of(&seen, 0, &known), *second;
    *first = 7;
    seen_forget(first);
    ok(value_of(&seen, 0, &known) == first && !known, "what was forgotten is not known");
    is_int(0, (int64_t)*first, "and zero once more");
    is_int(1, seen_number(first), "its number is the one that it had");
    seen_forget(first);
    ok(value_of(&seen, other, &known) == first && !known, "others may come to its place");
    second = value_of(&seen, 0, &known);
    ok(second != first && !known && seen_number(second) == 2, "then it gets another");
    seen_forget(first);
    for (uint64_t key = 1000; key < 1200; key++) /* the table grows */
        value_of(&seen, key, &known);
    ok(value_of(&seen, 0, &known) == second && known, "what is known stays so in a larger table");
    uint64_t *third = value_of(&seen, other, &known);
    ok(third && third != first && !known, "what is forgotten is found anew");
    ok(seen_number(third) != 1 && seen_numbered(seen, 1) == first, "its old number is nobody's");
}

/* Bytes may be chosen so that they meet. */
static void test_crowd(void)
{
    struct seen *seen = NULL;
    uint64_t keys[MEET], *values[MEET];
    unsigned kept = 0, same = 0, others = 0;
    bool known;
    keys[0] = 0;
    for (unsigned i = 1; i < MEET; i++)
        keys[i] = key_at(place_of(0), keys[i - 1]);
    for (unsigned i = 0; i < MEET; i++) {
        values[i] = value_of(&seen, keys[i], &known);
        kept += values[i] != NULL;
    }
    is_int(8, kept, "of those that meet in one place, a few are kept");
    ok(values[7] && values[8] == NULL, "the first ones");
    for (uint64_t key = 1; key < KEYS; key++)
        others += place_of(key) != place_of(0) && value_of(&seen, key, &known) != NULL;
    ok(others > SEEN_NUMBERS * 9 / 10, "others are all the same: %u", others);
    for (unsigned i = 0; i < MEET; i++)
        same += value_of(&seen, keys[i], &known) == values[i];
    is_int(MEET, same, "in a larger table too");
}

static void test_lately(void)
{
    struct seen *seen = NULL;
    bool known;
    uint64_t keys[2] = {0, key_at(place_of(0), 0)}, *value, *replaced;
    value = seen_lately(&seen, arena, sizeof *value, (const uint8_t *)&keys[0], sizeof keys[0], &known);
    ok(value && !known && *value == 0, "one that is new");
    *value = 7;
    ok(seen_lately(&seen, arena, sizeof *value, (const uint8_t *)&keys[0], sizeof keys[0], &known) == value && known &&
           *value == 7,
       "is known then");
    is_int(0, seen_number(value), "without a number");
    replaced = seen_lately(&seen, arena, sizeof *value, (const uint8_t *)&keys[1], sizeof keys[1], &known);
    ok(replaced == value && !known && *value == 0, "another one takes its place");
    seen_lately(&seen, arena, sizeof *value, (const uint8_t *)&keys[0], sizeof keys[0], &known);
    ok(!known, "and the first is new again");
    *value = 7;
    seen_forget(value);
    ok(seen_lately(&seen, arena, sizeof *value, (const uint8_t *)&keys[0], sizeof keys[0], &known) == value && !known &&
           *value == 0,
       "what was forgotten is new too");
}

int main(void)
{
    arena = arena_new(0);
    test_numbers();
    test_sizes();
    test_forgotten();
    test_crowd();
    test_lately();
    arena_free(arena);
    return done();
}
