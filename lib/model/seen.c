/* A table without chains: what comes to a taken place takes it. */
#include "model/seen.h"

#include <string.h>

#define SEEN_BITS  6
#define SEEN_COUNT (1u << SEEN_BITS)

struct seen {
    size_t value_size;
    uint8_t sizes[SEEN_COUNT]; /* of the bytes; 0: free */
    uint8_t bytes[SEEN_COUNT][SEEN_SIZE];
    uint8_t *values;
};

static uint32_t place_of(const uint8_t *bytes, size_t size)
{
    uint64_t hash = size, word;
    for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    }
    for (; size > 0; bytes++, size--)
        hash = (hash ^ *bytes) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> (64 - SEEN_BITS)); /* what a product mixes best */
}

static struct seen *seen_new(struct arena *arena, size_t value_size)
{
    struct seen *seen = arena_alloc(arena, 1, sizeof *seen);
    if (seen == NULL)
        return NULL;
    seen->value_size = value_size;
    seen->values = arena_alloc(arena, SEEN_COUNT, value_size);
    return seen->values ? seen : NULL;
}

void *seen_value(struct seen **seen, struct arena *arena, size_t value_size, const uint8_t *bytes, uint64_t size,
                 bool *known)
{
    if (size == 0 || size > SEEN_SIZE)
        return NULL;
    if (*seen == NULL && (*seen = seen_new(arena, value_size)) == NULL)
        return NULL;
    uint32_t at = place_of(bytes, (size_t)size);
    void *value = (*seen)->values + at * value_size;
    *known = (*seen)->sizes[at] == size && memcmp((*seen)->bytes[at], bytes, (size_t)size) == 0;
    if (!*known) {
        (*seen)->sizes[at] = (uint8_t)size;
        memcpy((*seen)->bytes[at], bytes, (size_t)size);
        memset(value, 0, value_size);
    }
    return value;
}

void seen_forget(struct seen *seen, const void *value)
{
    seen->sizes[(size_t)((const uint8_t *)value - seen->values) / seen->value_size] = 0;
}
