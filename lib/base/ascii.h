/* Compares words case-insensitively as ASCII, independent of the locale. */
#ifndef BASE_ASCII_H
#define BASE_ASCII_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline char ascii_lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static inline char ascii_upper(char letter)
{
    return letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
}

/* Compares the first `size` bytes; a NUL ends both. */
static inline bool ascii_starts_same(const char *a, const char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (ascii_lower(a[i]) != ascii_lower(b[i]))
            return false;
        if (a[i] == '\0')
            return true;
    }
    return true;
}

static inline bool ascii_same(const char *a, const char *b)
{
    return ascii_starts_same(a, b, SIZE_MAX);
}

#endif
