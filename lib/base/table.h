/* An open-addressing hash table for untrusted keys. The hash is keyed by a secret, so that a file cannot choose keys
 * that collide. Items are numbers; the caller stores and compares the keys. */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

#define TABLE_NONE UINT32_MAX
#define TABLE_MOST (UINT32_C(1) << 30)
/* With random hashes an item takes fewer probes. A table in which one takes more gets no further items. */
#define TABLE_PROBES_MOST 512u

/* Starts with {0}, or with {.arena = } to allocate from an arena. */
struct table {
    uint64_t *slots; /* upper half: of a key's hash; lower half: the item + 1, or 0 where the slot is free */
    uint32_t room;   /* slots, a power of two; 0: empty */
    uint32_t most;   /* items that they take */
    uint32_t count;  /* items */
    bool is_crowded; /* an item took TABLE_PROBES_MOST probes: hashes collide, or the same key is added many times */
    uint64_t secret[2];
    struct arena *arena; /* NULL: table_free frees the slots */
};

/* Makes room for `more` items. False: no memory, more than TABLE_MOST items, or the table is crowded; it is unchanged.
 */
static inline bool table_reserve(struct table *table, uint32_t more);
/* table_reserve where the slots do not suffice. */
bool table_grow(struct table *table, uint32_t more);
/* The hash of a key; 0 in a table without slots. */
uint64_t table_hash(const struct table *table, const void *key, size_t size);
/* Adds a new item, below TABLE_NONE, after table_reserve. */
void table_put(struct table *table, uint64_t hash, uint32_t item);
void table_clear(struct table *table);
void table_free(struct table *table);

static inline bool table_reserve(struct table *table, uint32_t more)
{
    return more <= table->most - table->count || table_grow(table, more);
}

static inline uint64_t table_memory(const struct table *table)
{
    return table->room * sizeof(*table->slots);
}

/* Starts to load the memory that table_next reads for this hash. */
static inline void table_prefetch(const struct table *table, uint64_t hash)
{
    __builtin_prefetch(&table->slots[(uint32_t)(hash >> 32) & (table->room - 1)]);
}

/* Iterates over the items whose keys may have this hash; other items are rare.
 *
 *     for (uint32_t at = 0, item; (item = table_next(table, hash, &at)) != TABLE_NONE;)
 *         if (the item's key is the one that is looked for) */
static inline uint32_t table_next(const struct table *table, uint64_t hash, uint32_t *at)
{
    uint32_t last = table->room - 1;
    if (table->room == 0)
        return TABLE_NONE;
    for (;;) {
        uint64_t slot = table->slots[((uint32_t)(hash >> 32) + (*at)++) & last];
        if (slot == 0)
            return TABLE_NONE;
        if (slot >> 32 == hash >> 32)
            return (uint32_t)slot - 1;
    }
}

#endif
