/* Overlapping byte ranges are found in any order, in bounded time. */
#include "check/ranges.h"

#include "tests/tap/tap.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct {
    const char *what;
    struct {
        uint64_t file, offset, size;
        bool across;
    } ranges[5];
} cases[] = {
    {"side by side", {{1, 0, 4, false}, {1, 8, 4, false}, {1, 4, 4, false}}},
    {"a byte too many", {{1, 0, 5, false}, {1, 4, 4, true}}},
    {"a byte too early", {{1, 4, 4, false}, {1, 0, 5, true}}},
    {"in another file", {{1, 0, 8, false}, {2, 4, 8, false}, {0, 4, 8, false}}},
    {"the same bytes, shared", {{1, 0, 8, false}, {1, 0, 8, false}, {1, 8, 8, false}, {1, 0, 8, false}}},
    {"one inside another", {{1, 0, 100, false}, {1, 10, 10, true}}},
    {"far behind the start of a long one", {{1, 0, 100, false}, {1, 10, 10, true}, {1, 50, 10, true}}},
    {"around all others", {{1, 10, 1, false}, {1, 20, 1, false}, {1, 30, 1, false}, {1, 0, 100, true}}},
    {"of no size", {{1, 0, 8, false}, {1, 4, 0, false}, {1, 4, 4, true}}},
    {"the same start, another end", {{1, 0, 8, false}, {1, 0, 4, true}}},
    {"at the end of what can be said", {{1, UINT64_MAX - 1, 1, false}, {1, UINT64_MAX - 2, 2, true}}},
};

static void test_cases(void)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ranges ranges = {0};
        bool good = true, across;
        for (size_t j = 0; j < COUNT(cases[i].ranges) && cases[i].ranges[j].file + cases[i].ranges[j].size; j++)
            good = ranges_add(&ranges, cases[i].ranges[j].file, cases[i].ranges[j].offset, cases[i].ranges[j].size,
                              &across) &&
                   across == cases[i].ranges[j].across && good;
        ok(good, "%s", cases[i].what);
        ranges_free(&ranges);
    }
}

/* Compares with checking all pairs. */
static void test_all_pairs(void)
{
    enum { MANY = 600 };
    struct {
        uint64_t file, from, to;
    } seen[MANY];
    struct ranges ranges = {0};
    uint64_t drawn = 1;
    size_t wrong = 0, found = 0;
    for (size_t i = 0; i < MANY; i++) {
        drawn = drawn * 6364136223846793005u + 1442695040888963407u;
        seen[i].file = drawn >> 62;
        seen[i].from = (drawn >> 40) % 20000;
        seen[i].to = seen[i].from + 1 + (drawn >> 33) % 64;
        bool wanted = false, same = false, across;
        for (size_t j = 0; j < i; j++)
            if (seen[j].file == seen[i].file && seen[j].from < seen[i].to && seen[i].from < seen[j].to) {
                wanted = true;
                same = same || (seen[j].from == seen[i].from && seen[j].to == seen[i].to);
            }
        wanted = wanted && !same;
        wrong += !ranges_add(&ranges, seen[i].file, seen[i].from, seen[i].to - seen[i].from, &across);
        wrong += across != wanted;
        found += wanted;
    }
    ok(wrong == 0 && found > 100, "as when every two are compared; %zu of %d lie across", found, MANY);
    ranges_free(&ranges);
}

/* Each range before all earlier ones: with a move of all items per insertion this would take hours. */
static void test_backwards(void)
{
    struct ranges ranges = {0};
    size_t wrong = 0;
    bool across;
    for (uint64_t i = 1000000; i > 0; i--)
        wrong += !ranges_add(&ranges, 1, i * 16, 16, &across) || across;
    ok(wrong == 0, "a million ranges, the last one first");
    ranges_free(&ranges);
}

int main(void)
{
    test_cases();
    test_all_pairs();
    test_backwards();
    return done();
}
