/* A quick number for a run of bytes, for tables of which each place holds little: it resists nobody who wants
 * collisions.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The upper bits are mixed best. */
static inline uint64_t hash_bytes(const uint8_t *bytes, size_t size, uint64_t hash)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t word;
    hash ^= size;
    for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * factor;
        hash ^= hash >> 32;
    }
    for (word = 0; size > 0; size--)
        word = word << 8 | bytes[size - 1];
    return (hash ^ word) * factor;
}

/* The same for one number, or two in one: all of its bits have a say in the lowest ones, as in those of a product they
 * have not. */
static inline uint32_t hash_number(uint64_t number)
{
    return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

#endif
