/* Small string functions. */
#ifndef BASE_STRINGS_H
#define BASE_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool text_ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), end_size = strlen(end);
    return size >= end_size && memcmp(text + size - end_size, end, end_size) == 0;
}

/* True if the whole text is a decimal number, with or without a sign, that fits into int64; sets *value. */
bool text_to_int64(const char *text, size_t size, int64_t *value);

#endif
