/* Small questions about texts that several readers have. */
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

/* Is all of it a decimal number, perhaps with a sign before it, that an int64 holds? *value is set if so. */
bool text_to_int64(const char *text, size_t size, int64_t *value);

#endif
