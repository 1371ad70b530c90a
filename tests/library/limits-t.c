/* SECURITY.md has each limit with its default: both equal those of the library. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "opshift.h"
#include "tests/tap/tap.h"

/* "4,294,967,296", "64 MiB": 0 if it is not a number. */
static uint64_t read_number(const char *text)
{
    uint64_t number = 0;
    for (; (*text >= '0' && *text <= '9') || *text == ','; text++)
        number = *text == ',' ? number : number * 10 + (uint64_t)(*text - '0');
    if (strncmp(text, " MiB", 4) == 0)
        return number << 20;
    return strncmp(text, " GiB", 4) == 0 ? number << 30 : number;
}

static const struct opshift_limit *limit_named(const char *name)
{
    for (size_t i = 0; i < opshift_limit_count(); i++)
        if (strcmp(opshift_limit_at(i)->name, name) == 0)
            return opshift_limit_at(i);
    return NULL;
}

int main(void)
{
    const char *srcdir = getenv("srcdir");
    char path[4096], line[1024], name[33], value[33];
    size_t rows = 0;
    snprintf(path, sizeof path, "%s/SECURITY.md", srcdir ? srcdir : ".");
    FILE *file = fopen(path, "r");
    if (file == NULL)
        skip_all("SECURITY.md is not here");
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "| `%32[a-z]` | %32[0-9,MGiB ]|", name, value) != 2)
            continue;
        const struct opshift_limit *limit = limit_named(name);
        ok(limit != NULL && limit->preset == read_number(value), "%s: %s", name, value);
        rows++;
    }
    is_int((int64_t)opshift_limit_count(), (int64_t)rows, "each of them has a row");
    fclose(file);
    return done();
}
