/* A hash table with linear probing, at most two thirds full. */
#include "base/table.h"

#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_GETAUXVAL
#include <sys/auxv.h>
#endif
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ends.h"
#include "base/pages.h"

#define ROOM_FIRST 16u

/* The halves of a product of 128 bits, folded into one. */
static inline uint64_t fold(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
#else
    uint64_t a_high = a >> 32, a_low = (uint32_t)a, b_high = b >> 32, b_low = (uint32_t)b;
    uint64_t low = a_low * b_low, left = a_high * b_low, right = a_low * b_high;
    uint64_t middle = (low >> 32) + (uint32_t)left + (uint32_t)right;
    uint64_t high = a_high * b_high + (left >> 32) + (right >> 32) + (middle >> 32);
    return high ^ (middle << 32 | (uint32_t)low);
#endif
}

/* 16 random bytes: those that the kernel gave the process at its start, so that many small tables cost no system calls;
 * else new ones. */
static void random_read(uint64_t random[2])
{
#ifdef HAVE_GETAUXVAL
    const void *given = (const void *)getauxval(AT_RANDOM); /* NOLINT(performance-no-int-to-ptr) */
    if (given != NULL) {
        memcpy(random, given, 2 * sizeof(*random));
        return;
    }
#endif
    if (getentropy(random, 2 * sizeof(*random)) != 0)
        random[0] = (uint64_t)clock();
}

/* Tables at different addresses have different secrets, from which the random bytes do not follow. */
static void secret_make(struct table *table)
{
    uint64_t random[2] = {0};
    random_read(random);
    for (size_t i = 0; i < 2; i++)
        table->secret[i] = fold(random[i] ^ (uintptr_t)table, random[1 - i] ^ UINT64_C(0x9e3779b97f4a7c15));
}

/* Multiplies words with a secret, so that keys cannot be chosen to collide. */
uint64_t table_hash(const struct table *table, const void *key, size_t size)
{
    const uint8_t *data = key;
    uint64_t state = table->secret[0] ^ size;
    if (table->room == 0 || size == 0)
        return 0;
    struct ends ends = ends_of(data, size);
    for (size_t at = sizeof(uint64_t); at + sizeof(uint64_t) < size; at += sizeof(uint64_t))
        state = fold(state ^ word_at(data + at, sizeof(uint64_t)), table->secret[1]);
    return fold(fold(state ^ ends.first, table->secret[1] ^ ends.last), table->secret[0]);
}

/* The number of probes. */
static uint32_t slot_fill(uint64_t *slots, uint32_t room, uint64_t slot)
{
    uint32_t first = (uint32_t)(slot >> 32), at = first;
    while (slots[at & (room - 1)] != 0)
        at++;
    slots[at & (room - 1)] = slot;
    return at - first;
}

bool table_grow(struct table *table, uint32_t more)
{
    uint32_t room = table->room ? table->room : ROOM_FIRST;
    if (table->is_crowded || more > TABLE_MOST - table->count)
        return false;
    while (table->count + more > room / 3 * 2)
        room *= 2;
    uint64_t *slots =
        table->arena ? arena_alloc(table->arena, room, sizeof(*slots)) : pages_calloc(room, sizeof(*slots));
    if (slots == NULL)
        return false;
    assert((room & (room - 1)) == 0);
    if (table->room == 0)
        secret_make(table);
    for (uint32_t i = 0; i < table->room; i++)
        if (table->slots[i] != 0)
            slot_fill(slots, room, table->slots[i]);
    if (table->arena == NULL)
        free(table->slots);
    table->slots = slots;
    table->room = room;
    table->most = room / 3 * 2;
    return true;
}

void table_put(struct table *table, uint64_t hash, uint32_t item)
{
    assert(table->count < table->room && item < TABLE_NONE); /* after table_reserve */
    uint32_t probes = slot_fill(table->slots, table->room, hash >> 32 << 32 | (item + 1));
    table->count++;
    table->is_crowded |= probes >= TABLE_PROBES_MOST;
    if (table->is_crowded)
        table->most = table->count;
}

void table_clear(struct table *table)
{
    if (table->room)
        memset(table->slots, 0, table->room * sizeof(*table->slots));
    table->count = 0;
    table->most = table->room / 3 * 2;
    table->is_crowded = false;
}

void table_free(struct table *table)
{
    if (table->arena == NULL)
        free(table->slots);
    *table = (struct table){.arena = table->arena};
}
