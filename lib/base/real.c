/* The locale's decimal point is taken from printf: localeconv is not thread-safe. */
#include "base/real.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINT_SIZE 16

/* The decimal point of the current locale. */
static void point_find(char point[POINT_SIZE])
{
    char half[POINT_SIZE + 2];
    size_t size = (size_t)snprintf(half, sizeof half, "%.1f", 0.5);
    point[0] = '\0';
    if (size < 3 || size >= sizeof half)
        return;
    memcpy(point, half + 1, size - 2);
    point[size - 2] = '\0';
}

/* Copies the number at the start of a text with the locale's decimal point. *dot: its position, or SIZE_MAX. */
static void text_localize(const char *text, const char *point, char *local, size_t *dot)
{
    size_t size = strspn(text, "0123456789abcdefABCDEFxXpP+-.infatyINFATY");
    const char *found = memchr(text, '.', size);
    *dot = SIZE_MAX;
    local[0] = '\0';
    if (size > REAL_SIZE_MAX)
        return;
    if (found == NULL) {
        memcpy(local, text, size);
        local[size] = '\0';
        return;
    }
    *dot = (size_t)(found - text);
    snprintf(local, REAL_SIZE_MAX + POINT_SIZE + 1, "%.*s%s%.*s", (int)*dot, text, point, (int)(size - *dot - 1),
             found + 1);
}

/* Maps the end of the number in the localized copy back to the text. */
static char *end_find(const char *text, const char *local, const char *local_end, size_t dot, const char *point)
{
    size_t read = (size_t)(local_end - local);
    if (read > dot)
        read -= strlen(point) - 1;
    return (char *)(uintptr_t)(text + read);
}

#define PARSE(name, type, function)                                                                                    \
    type name(const char *text, char **end)                                                                            \
    {                                                                                                                  \
        char point[POINT_SIZE], local[REAL_SIZE_MAX + POINT_SIZE + 1], *local_end;                                     \
        size_t dot;                                                                                                    \
        point_find(point);                                                                                             \
        text_localize(text, point, local, &dot);                                                                       \
        type value = function(local, &local_end);                                                                      \
        if (end)                                                                                                       \
            *end = end_find(text, local, local_end, dot, point);                                                       \
        return value;                                                                                                  \
    }

PARSE(real_parse, double, strtod)
PARSE(real_parse_float, float, strtof)

char *real_print(struct real_text *text, int precision, double value)
{
    char point[POINT_SIZE];
    point_find(point);
    snprintf(text->text, sizeof text->text, "%.*g", precision, value);
    char *found = strcmp(point, ".") == 0 || *point == '\0' ? NULL : strstr(text->text, point);
    if (found) {
        *found = '.';
        memmove(found + 1, found + strlen(point), strlen(found + strlen(point)) + 1);
    }
    return text->text;
}
