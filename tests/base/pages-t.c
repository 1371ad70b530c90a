/* Memory of large tables: zeroed to its last byte. */
#include <stdint.h>
#include <stdlib.h>

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

int main(void)
{
    test_sizes();
    return done();
}
