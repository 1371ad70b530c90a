/* Memory of large tables: zeroed to its last byte, and mapped without a fault for each page. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/error.h"
#include "base/pages.h"
#include "tests/tap/tap.h"

#define MANY ((size_t)1 << 22)

static bool is_zero(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (data[i] != 0)
            return false;
    return true;
}

static void test_sizes(void)
{
    static const struct {
        const char *what;
        size_t count, size;
    } cases[] = {
        {"a small table", 10, 4},
        {"a table of several pages", 3000, 24},
        {"a large table that ends inside a page", MANY + 1, 3},
        {"a large table of one item", 1, MANY},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint8_t *made = pages_calloc(cases[i].count, cases[i].size);
        ok(made != NULL && is_zero(made, cases[i].count * cases[i].size), "%s is zeroed", cases[i].what);
        free(made);
    }
}

static long faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

/* Where the kernel cannot map pages at once, there is a fault for each. */
static void test_faults(void)
{
    long before = faults();
    uint8_t *made = pages_calloc(MANY, sizeof(uint64_t));
    for (size_t at = 0; made != NULL && at < MANY * sizeof(uint64_t); at += 4096)
        made[at] = (uint8_t)(made[at] + 1);
    long seen = faults() - before;
    diag("%ld faults for %zu pages", seen, MANY * sizeof(uint64_t) / 4096);
    ok(seen <= (long)(MANY * sizeof(uint64_t) / 4096 + 100), "no page is mapped twice, for reading and for writing");
    free(made);
}

int main(void)
{
    test_sizes();
    test_faults();
    return done();
}
