/* Tables whose values may stay grow; in the others what comes to a taken place takes it. */
#include "model/seen.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"

#define ROOM_FIRST 256u  /* places; small models take few */
#define ROOM_LAST  4096u /* twice as many as there are numbers */
#define GROWTH     4u
#define TRIES      8u /* places that are looked at: bytes that meet may be chosen so */

/* A place that was taken once. */
struct slot {
    uint16_t number; /* which it has for good, also when it is forgotten and found once more */
    uint8_t size;    /* of the bytes; 0: free */
    uint8_t bytes[SEEN_SIZE];
    _Alignas(max_align_t) uint8_t value[];
};

struct seen {
    struct slot **slots, **numbered; /* room of the one, half of it of the other; NULL: never taken */
    uint32_t room;
    unsigned count; /* of numbers that were given */
};

static uint32_t place_of(const struct seen *seen, const uint8_t *bytes, size_t size)
{
    return (uint32_t)(hash_bytes(bytes, size, 0) >> 32) & (seen->room - 1);
}

static bool slot_holds(const struct slot *slot, const uint8_t *bytes, size_t size)
{
    return slot->size == size && memcmp(slot->bytes, bytes, size) == 0;
}

/* The place of these bytes, or the first that is free. NULL: neither is near. */
static struct slot **slot_find(const struct seen *seen, const uint8_t *bytes, size_t size)
{
    uint32_t place = place_of(seen, bytes, size);
    for (uint32_t i = 0; i < TRIES; i++) {
        struct slot **slot = &seen->slots[(place + i) & (seen->room - 1)];
        if (*slot == NULL || (*slot)->size == 0 || slot_holds(*slot, bytes, size))
            return slot;
    }
    return NULL;
}

static bool room_make(struct seen *seen, struct arena *arena, uint32_t room)
{
    struct seen grown = {.room = room, .count = seen->count};
    grown.slots = arena_alloc(arena, room, sizeof(struct slot *));
    grown.numbered = arena_alloc(arena, room / 2, sizeof(struct slot *));
    if (grown.slots == NULL || grown.numbered == NULL)
        return false;
    for (uint32_t i = 0; i < seen->room; i++) {
        struct slot *slot = seen->slots[i];
        struct slot **place = slot && slot->size ? slot_find(&grown, slot->bytes, slot->size) : NULL;
        if (place) /* or else it is not found again, and its number stays */
            *place = slot;
    }
    if (seen->count > 0)
        memcpy(grown.numbered, seen->numbered, (seen->count + 1) * sizeof(*grown.numbered));
    *seen = grown;
    return true;
}

/* Numbers start at 1: there is room for one less than half the places. */
static bool is_full(const struct seen *seen)
{
    return seen->count == seen->room / 2 - 1;
}

/* Gives a place that was never taken a number. NULL: there is none left, or no memory. */
static struct slot *slot_take(struct seen *seen, struct arena *arena, size_t value_size, const uint8_t *bytes,
                              size_t size)
{
    if (is_full(seen) && (seen->room == ROOM_LAST || !room_make(seen, arena, seen->room * GROWTH)))
        return NULL;
    struct slot **place = slot_find(seen, bytes, size);
    if (place && *place == NULL && (*place = arena_alloc(arena, 1, sizeof **place + value_size))) {
        (*place)->number = (uint16_t)++seen->count;
        seen->numbered[seen->count] = *place;
    }
    return place ? *place : NULL;
}

static void slot_fill(struct slot *slot, size_t value_size, const uint8_t *bytes, size_t size)
{
    slot->size = (uint8_t)size;
    memcpy(slot->bytes, bytes, size);
    memset(slot->value, 0, value_size);
}

/* The table, made when there is none. NULL: no memory. */
static struct seen *table_of(struct seen **seen, struct arena *arena)
{
    struct seen *made = *seen ? *seen : arena_alloc(arena, 1, sizeof *made);
    if (made == NULL || (made->room == 0 && !room_make(made, arena, ROOM_FIRST)))
        return NULL;
    return *seen = made;
}

void *seen_value(struct seen **seen, struct arena *arena, size_t value_size, const uint8_t *bytes, uint64_t size,
                 bool *known)
{
    struct seen *table = size > 0 && size <= SEEN_SIZE ? table_of(seen, arena) : NULL;
    struct slot **place = table ? slot_find(table, bytes, (size_t)size) : NULL;
    struct slot *slot = place ? *place : NULL;
    *known = slot && slot->size > 0;
    if (table == NULL || *known)
        return slot ? slot->value : NULL;
    if (slot == NULL)
        slot = slot_take(table, arena, value_size, bytes, (size_t)size);
    if (slot == NULL)
        return NULL;
    slot_fill(slot, value_size, bytes, (size_t)size);
    return slot->value;
}

void *seen_lately(struct seen **seen, struct arena *arena, size_t value_size, const uint8_t *bytes, uint64_t size,
                  bool *known)
{
    struct seen *table = size > 0 && size <= SEEN_SIZE ? table_of(seen, arena) : NULL;
    *known = false;
    if (table == NULL)
        return NULL;
    struct slot **slot = &table->slots[place_of(table, bytes, (size_t)size)];
    if (*slot == NULL && (*slot = arena_alloc(arena, 1, sizeof **slot + value_size)) == NULL)
        return NULL;
    *known = slot_holds(*slot, bytes, (size_t)size);
    if (!*known)
        slot_fill(*slot, value_size, bytes, (size_t)size);
    return (*slot)->value;
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
