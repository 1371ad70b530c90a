/* Sorting gives what qsort gives, in whichever order the items stand. */
#include "base/sort.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "tests/tap/tap.h"

static int order(const void *a, const void *b)
{
    uint32_t left, right;
    memcpy(&left, a, sizeof(left));
    memcpy(&right, b, sizeof(right));
    return left < right ? -1 : left > right;
}

int main(void)
{
    static const struct {
        const char *what;
        uint32_t items[32];
        size_t count;
    } cases[] = {
        {"nothing", {0}, 0},
        {"one item", {7}, 1},
        {"in order", {1, 2, 3, 4, 5, 6}, 6},
        {"in the opposite order, an even number", {6, 5, 4, 3, 2, 1}, 6},
        {"in the opposite order, an odd number", {5, 4, 3, 2, 1}, 5},
        {"the last one is out of order", {1, 2, 3, 4, 6, 5}, 6},
        {"the first one is out of order", {5, 6, 4, 3, 2, 1}, 6},
        {"two alike", {2, 2, 1}, 3},
        {"two runs that fall", {4, 3, 1, 6, 5, 2}, 6},
        {"a short run behind a long one", {1, 3, 5, 6, 7, 2, 4}, 7},
        {"a short run before a long one", {4, 7, 1, 2, 3, 5, 6}, 7},
        {"three runs of both kinds", {2, 5, 7, 6, 4, 1, 3}, 7},
        {"pairs that rise, each below the one before it, then more", {6, 7, 4, 5, 2, 3, 0, 1, 3, 5, 7}, 11},
        {"pairs that fall, each above the one before it, then more", {1, 0, 3, 2, 5, 4, 7, 6, 5, 3, 1}, 11},
        {"neighbours out of order", {2, 1, 3, 5, 4, 6, 7, 6, 7}, 9},
        {"a first one that is alike", {3, 3, 2, 2, 1, 1}, 6},
        {"two in the opposite order", {2, 1}, 2},
        {"more runs than are merged",
         {7, 0, 7, 1, 2, 6, 1, 6, 7, 3, 7, 2, 3, 6, 0, 7, 1, 3, 4, 3, 4, 0, 6, 1, 5, 3, 3, 6, 1, 7, 6, 3},
         32},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint32_t items[32];
        bool sorted = true;
        uint64_t before = 0, after = 0;
        memcpy(items, cases[i].items, sizeof(items));
        sort_items(items, cases[i].count, sizeof(*items), order);
        for (size_t k = 0; k < cases[i].count; k++) {
            sorted = sorted && (k == 0 || items[k - 1] <= items[k]);
            before += UINT64_C(1) << (8 * cases[i].items[k]);
            after += UINT64_C(1) << (8 * items[k]);
        }
        ok(sorted && before == after, "%s", cases[i].what);
    }
    return done();
}
