/* Tables: keys that were added are found, whatever their number and distribution. */
#include "base/table.h"

#include "config.h"

#include <string.h>
#include <unistd.h>

#include "tests/tap/tap.h"

enum { COUNT_KEYS = 100000 };

/* In the place of libc's: how often the kernel is asked for random bytes. */
static unsigned asked;
int getentropy(void *into, size_t size)
{
    memset(into, (int)++asked, size);
    return 0;
}

static uint32_t find(const struct table *table, const uint64_t *keys, uint64_t key, uint64_t *steps)
{
    uint64_t hash = table_hash(table, &key, sizeof(key));
    for (uint32_t at = 0, item; (item = table_next(table, hash, &at)) != TABLE_NONE;) {
        *steps += at;
        if (keys[item] == key)
            return item;
    }
    return TABLE_NONE;
}

static void test_keys(const char *what, uint64_t factor)
{
    static uint64_t keys[COUNT_KEYS];
    struct table table = {0};
    uint64_t steps = 0, found = 0;
    for (uint32_t i = 0; i < COUNT_KEYS; i++) {
        keys[i] = i * factor;
        if (!table_reserve(&table, 1))
            break;
        table_put(&table, table_hash(&table, &keys[i], sizeof(keys[i])), i);
    }
    is_int(COUNT_KEYS, table.count, "%s: all are put", what);
    for (uint32_t i = 0; i < COUNT_KEYS; i++)
        found += find(&table, keys, keys[i], &steps) == i;
    is_int(COUNT_KEYS, (int64_t)found, "%s: all are found", what);
    ok(steps < 10 * COUNT_KEYS, "%s: within few steps each", what);
    is_int(TABLE_NONE, find(&table, keys, 7 + factor * COUNT_KEYS, &steps), "%s: another is not", what);
    table_clear(&table);
    is_int(TABLE_NONE, find(&table, keys, keys[1], &steps), "%s: nor is one that was cleared", what);
    table_free(&table);
}

/* Keys of any length, with one bit changed; equal keys are hashed from different addresses. */
static void test_bits(void)
{
    struct table table = {0};
    uint64_t state = 1, same = 0, other = 0, count = 0;
    uint8_t key[72], copy[73];
    ok(table_reserve(&table, 1), "a table");
    for (uint32_t size = 1; size <= sizeof(key); size++)
        for (uint32_t bit = 0; bit < size * 8; bit++, count++) {
            for (uint32_t i = 0; i < size; i++)
                key[i] = (uint8_t)((state = state * UINT64_C(6364136223846793005) + 1442695040888963407u) >> 56);
            memcpy(copy + 1, key, size);
            uint64_t hash = table_hash(&table, key, size);
            same += hash == table_hash(&table, copy + 1, size);
            key[bit / 8] ^= (uint8_t)(1u << bit % 8);
            other += hash >> 32 != table_hash(&table, key, size) >> 32;
        }
    is_int((int64_t)count, (int64_t)same, "equal keys have equal hashes");
    is_int((int64_t)count, (int64_t)other, "each bit counts");
    table_free(&table);
}

/* A caller's hash that leaves out a part of the key. */
static void test_crowded(void)
{
    struct table table = {0};
    uint32_t count = 0, found = 0;
    while (count < 10 * TABLE_PROBES_MOST && table_reserve(&table, 1))
        table_put(&table, 7, count++);
    is_int(TABLE_PROBES_MOST + 1, count, "a table whose keys all have one hash takes no more");
    for (uint32_t at = 0; table_next(&table, 7, &at) != TABLE_NONE;)
        found++;
    is_int(count, found, "what it took is found");
    table_clear(&table);
    ok(table_reserve(&table, 1), "cleared, it takes items again");
    ok(table_reserve(&table, 2 * TABLE_PROBES_MOST), "room for many");
    for (count = 0; count < 2 * TABLE_PROBES_MOST; count++)
        table_put(&table, 7, count);
    ok(!table_reserve(&table, 1), "nor does one take more whose room was reserved before");
    table_free(&table);
}

static void test_secret(void)
{
    struct table one = {0}, other = {0};
    ok(table_reserve(&one, 1) && table_reserve(&other, 1), "two tables");
    ok(table_hash(&one, "key", 3) != table_hash(&other, "key", 3), "each has a secret of its own");
    ok(!table_reserve(&one, TABLE_MOST + 1), "too many items");
    table_free(&one);
    table_free(&other);
}

/* Many small tables are made while a model is verified. */
static void test_system_calls(void)
{
    uint64_t secret = 0;
    asked = 0;
    for (unsigned i = 0; i < 1000; i++) {
        struct table table = {0};
        if (table_reserve(&table, 1))
            secret |= table.secret[0] & table.secret[1];
        table_free(&table);
    }
    ok(secret != 0, "1000 tables have secrets");
#ifdef HAVE_GETAUXVAL
    is_int(0, asked, "the kernel was asked for none of them");
#else
    is_int(1000, asked, "the kernel was asked for all of them");
#endif
}

static void test_empty(void)
{
    struct table table = {0};
    uint32_t at = 0;
    is_int(TABLE_NONE, table_next(&table, table_hash(&table, "key", 3), &at), "nothing is found in an empty table");
    table_clear(&table);
    table_free(&table);
}

int main(void)
{
    test_empty();
    test_keys("one after the other", 1);
    test_keys("multiples of a large power of two", UINT64_C(1) << 40);
    test_keys("multiples of what hashes by multiplication invert", UINT64_C(0xf1de83e19937733d));
    test_bits();
    test_crowded();
    test_secret();
    test_system_calls();
    return done();
}
