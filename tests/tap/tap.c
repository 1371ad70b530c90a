/* Test Anything Protocol for C. */
#include "tests/tap/tap.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count, failed;

static bool result(bool yes, const char *what, va_list arguments)
{
    printf("%sok %d - ", yes ? "" : "not ", ++count);
    vprintf(what, arguments);
    putchar('\n');
    fflush(stdout);
    failed += !yes;
    return yes;
}

#define RESULT(yes)                                                                                                    \
    va_list arguments;                                                                                                 \
    va_start(arguments, what);                                                                                         \
    bool passed = result(yes, what, arguments);                                                                        \
    va_end(arguments)

bool ok(bool yes, const char *what, ...)
{
    RESULT(yes);
    return passed;
}

bool is_int(int64_t wanted, int64_t seen, const char *what, ...)
{
    RESULT(wanted == seen);
    if (!passed)
        diag("wanted %lld, saw %lld", (long long)wanted, (long long)seen);
    return passed;
}

bool is_double(double wanted, double seen, const char *what, ...)
{
    RESULT(wanted == seen || (isnan(wanted) && isnan(seen)));
    if (!passed)
        diag("wanted %.17g, saw %.17g", wanted, seen);
    return passed;
}

bool is_string(const char *wanted, const char *seen, const char *what, ...)
{
    RESULT(wanted && seen ? strcmp(wanted, seen) == 0 : wanted == seen);
    if (!passed)
        diag("wanted: %s\n saw:    %s", wanted ? wanted : "(null)", seen ? seen : "(null)");
    return passed;
}

bool is_bytes(const void *wanted, size_t wanted_size, const void *seen, size_t seen_size, const char *what, ...)
{
    bool same = wanted_size == seen_size && (wanted_size == 0 || memcmp(wanted, seen, wanted_size) == 0);
    RESULT(same);
    if (!passed) {
        size_t at = 0, least = wanted_size < seen_size ? wanted_size : seen_size;
        while (at < least && ((const uint8_t *)wanted)[at] == ((const uint8_t *)seen)[at])
            at++;
        diag("wanted %zu bytes, saw %zu; first difference at %zu", wanted_size, seen_size, at);
    }
    return passed;
}

void diag(const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    for (char *line = text; line;) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        fprintf(stderr, "# %s\n", line);
        line = next;
    }
}

void skip_all(const char *why, ...)
{
    va_list arguments;
    va_start(arguments, why);
    printf("1..0 # SKIP ");
    vprintf(why, arguments);
    putchar('\n');
    va_end(arguments);
    exit(0);
}

int done(void)
{
    printf("1..%d\n", count);
    return failed != 0;
}
