/* A table without chains: what comes to a taken place takes it, or is not kept. */
#include "model/seen.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"

#define SEEN_BITS  8
#define SEEN_COUNT (1u << SEEN_BITS)

/* A place that was taken once. */
struct slot {
    uint8_t size; /* of the bytes; 0: free */
    uint8_t number;
    uint8_t bytes[SEEN_SIZE];
    _Alignas(max_align_t) uint8_t value[];
};

struct seen {
    struct slot *slots[SEEN_COUNT]; /* NULL: never taken; small models take few */
    struct slot *numbered[SEEN_NUMBERS + 1];
    unsigned count; /* of numbers that were given */
};

/* What is in a slot has it for good, also when it is forgotten and found once more. */
static void number_give(struct seen *seen, struct slot *slot)
{
    if (slot->number > 0 || seen->count == SEEN_NUMBERS)
        return;
    slot->number = (uint8_t)++seen->count;
    seen->numbered[slot->number] = slot;
}

static uint32_t place_of(const uint8_t *bytes, size_t size)
{
    return (uint32_t)(hash_bytes(bytes, size, 0) >> (64 - SEEN_BITS));
}

void *seen_value(struct seen **seen, struct arena *arena, size_t value_size, bool stays, const uint8_t *bytes,
                 uint64_t size, bool *known)
{
    if (size == 0 || size > SEEN_SIZE)
        return NULL;
    if (*seen == NULL && (*seen = arena_alloc(arena, 1, sizeof **seen)) == NULL)
        return NULL;
    struct slot **place = &(*seen)->slots[place_of(bytes, (size_t)size)], *slot = *place;
    if (slot == NULL && (slot = *place = arena_alloc(arena, 1, sizeof *slot + value_size)) == NULL)
        return NULL;
    *known = slot->size == size && memcmp(slot->bytes, bytes, (size_t)size) == 0;
    if (!*known && stays && slot->size > 0)
        return NULL;
    if (!*known) {
        slot->size = (uint8_t)size;
        memcpy(slot->bytes, bytes, (size_t)size);
        memset(slot->value, 0, value_size);
    }
    if (stays)
        number_give(*seen, slot);
    return slot->value;
}

unsigned seen_number(const void *value)
{
    return ((const struct slot *)((const uint8_t *)value - offsetof(struct slot, value)))->number;
}

void *seen_numbered(const struct seen *seen, unsigned number)
{
    return seen->numbered[number]->value;
}

void seen_forget(void *value)
{
    struct slot *slot = (struct slot *)((uint8_t *)value - offsetof(struct slot, value));
    slot->size = 0;
}
