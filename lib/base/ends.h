/* The first and last bytes of a byte string, to compare strings quickly: different strings rarely share both. */
#ifndef BASE_ENDS_H
#define BASE_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* They may overlap. */
struct ends {
    uint64_t first, last;
};

static inline uint64_t word_at(const uint8_t *data, size_t size)
{
    uint64_t word = 0;
    memcpy(&word, data, size);
    return word;
}

/* size: at least 1. */
static inline struct ends ends_of(const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size;
    if (size >= sizeof(uint64_t))
        return (struct ends){word_at(data, sizeof(uint64_t)), word_at(end - sizeof(uint64_t), sizeof(uint64_t))};
    if (size >= sizeof(uint32_t))
        return (struct ends){word_at(data, sizeof(uint32_t)), word_at(end - sizeof(uint32_t), sizeof(uint32_t))};
    return (struct ends){data[0], (uint64_t)end[-1] << 8 | data[size / 2]};
}

#endif
