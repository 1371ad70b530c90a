/* The table of names: bytes in blocks that never move, and a hash table of ids. */
#include "model/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/table.h"

#define BLOCK_BITS 16u
#define BLOCK_SIZE ((size_t)1 << BLOCK_BITS)
#define BLOCKS_MAX ((uint32_t)1 << (32 - BLOCK_BITS))
#define ROOM_FIRST 64u
/* Each name starts with its size: one byte, or LONG and four bytes. */
#define LONG 255u

/* One allocation: a block, or several contiguous ones for a name longer than a block. */
struct chunk {
    struct chunk *next;
    uint8_t data[];
};

struct names {
    struct chunk *chunks;
    uint8_t **blocks;
    uint32_t block_count, block_room;
    uint8_t *next;       /* place of the next name, if it fits in `left` */
    size_t left;         /* bytes free in the last block */
    uint32_t next_start; /* entry of the next name in starts */
    uint64_t memory;     /* without the hash table's */
    uint32_t *starts;    /* by id: block and offset in it */
    uint32_t count;
    uint32_t room;      /* of the starts */
    struct table table; /* ids */
};

struct names *names_new(void)
{
    struct names *names = calloc(1, sizeof(*names));
    if (names == NULL)
        return NULL;
    names->room = ROOM_FIRST;
    names->starts = calloc(names->room, sizeof(*names->starts));
    if (names->starts == NULL || !table_reserve(&names->table, 1)) {
        names_free(names);
        return NULL;
    }
    names->memory = sizeof(*names) + names->room * sizeof(*names->starts);
    names->count = NAME_NONE + 1;
    return names;
}

void names_free(struct names *names)
{
    if (names == NULL)
        return;
    for (struct chunk *chunk = names->chunks; chunk != NULL;) {
        struct chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    free(names->blocks);
    free(names->starts);
    table_free(&names->table);
    free(names);
}

/* id: of a name that was added. */
static inline struct bytes text_of(const struct names *names, name_id id)
{
    const uint8_t *head = names->blocks[names->starts[id] >> BLOCK_BITS] + (names->starts[id] & (BLOCK_SIZE - 1));
    uint32_t size = *head++;
    if (size == LONG) {
        memcpy(&size, head, sizeof(size));
        head += sizeof(size);
    }
    return (struct bytes){head, size};
}

struct bytes names_bytes(const struct names *names, name_id id)
{
    if (id == NAME_NONE || id >= names->count)
        return (struct bytes){(const uint8_t *)"", 0};
    return text_of(names, id);
}

const char *names_text(const struct names *names, name_id id)
{
    return (const char *)names_bytes(names, id).data;
}

const char *names_whole(const struct names *names, name_id id)
{
    struct bytes text = names_bytes(names, id);
    return strlen((const char *)text.data) == text.size ? (const char *)text.data : NULL;
}

uint32_t names_count(const struct names *names)
{
    return names->count;
}

uint64_t names_memory(const struct names *names)
{
    return names->memory + table_memory(&names->table);
}

bool names_is(const struct names *names, name_id id, const void *data, size_t size)
{
    struct bytes there = names_bytes(names, id);
    return id < names->count && there.size == size && (size == 0 || memcmp(there.data, data, size) == 0);
}

/* TABLE_NONE: there is no such name. */
static inline name_id id_find(const struct names *names, uint64_t hash, const void *data, size_t size)
{
    for (uint32_t at = 0, id; (id = table_next(&names->table, hash, &at)) != TABLE_NONE;) {
        struct bytes there = text_of(names, id);
        if (there.size == size && memcmp(there.data, data, size) == 0)
            return id;
    }
    return TABLE_NONE;
}

bool names_find(const struct names *names, const void *data, size_t size, name_id *id)
{
    *id = size == 0 ? NAME_NONE : id_find(names, table_hash(&names->table, data, size), data, size);
    return *id != TABLE_NONE;
}

bool names_find_likely(const struct names *names, struct bytes text, name_id likely, name_id *id)
{
    if (names_is(names, likely, text.data, text.size)) {
        *id = likely;
        return true;
    }
    return names_find(names, text.data, text.size, id);
}

static bool starts_grow(struct names *names)
{
    if (names->room > INT32_MAX / 2)
        return false;
    uint32_t *starts = realloc(names->starts, (size_t)names->room * 2 * sizeof(*starts));
    if (starts == NULL)
        return false;
    names->starts = starts;
    names->memory += names->room * sizeof(*starts);
    names->room *= 2;
    return true;
}

/* Allocates contiguous blocks for `size` bytes. */
static bool blocks_add(struct names *names, size_t size)
{
    size_t count = size / BLOCK_SIZE + (size % BLOCK_SIZE != 0);
    if (count > BLOCKS_MAX - names->block_count)
        return false;
    size_t wanted = names->block_count + count;
    if (wanted > names->block_room) {
        size_t room = wanted * 2;
        uint8_t **blocks = realloc(names->blocks, room * sizeof(*blocks));
        if (blocks == NULL)
            return false;
        names->blocks = blocks;
        names->block_room = (uint32_t)room;
    }
    struct chunk *chunk = malloc(sizeof(*chunk) + count * BLOCK_SIZE);
    if (chunk == NULL)
        return false;
    chunk->next = names->chunks;
    names->chunks = chunk;
    names->next = chunk->data;
    names->left = count * BLOCK_SIZE;
    names->next_start = names->block_count << BLOCK_BITS;
    for (size_t i = 0; i < count; i++)
        names->blocks[names->block_count++] = chunk->data + i * BLOCK_SIZE;
    names->memory += sizeof(*chunk) + count * (BLOCK_SIZE + sizeof(uint8_t *));
    return true;
}

/* Writes a name's size, bytes and a NUL into the blocks; *start is its entry. */
static bool text_put(struct names *names, const void *data, size_t size, uint32_t *start)
{
    size_t head = size < LONG ? 1 : 1 + sizeof(uint32_t), need = head + size + 1;
    if (need > names->left && !blocks_add(names, need))
        return false;
    uint8_t *to = names->next;
    uint32_t count = (uint32_t)size;
    *to = size < LONG ? (uint8_t)size : LONG;
    if (size >= LONG)
        memcpy(to + 1, &count, sizeof(count));
    memcpy(to + head, data, size);
    to[head + size] = '\0';
    *start = names->next_start;
    names->next += need;
    names->next_start += (uint32_t)need;
    names->left -= need;
    return true;
}

static name_id add_new(struct names *names, uint64_t hash, const void *data, size_t size)
{
    uint32_t start;
    if (size > UINT32_MAX - BLOCK_SIZE || (names->count == names->room && !starts_grow(names)) ||
        !table_reserve(&names->table, 1) || !text_put(names, data, size, &start))
        return NAME_NO_MEMORY;
    names->starts[names->count] = start;
    table_put(&names->table, hash, names->count);
    return names->count++;
}

name_id names_add(struct names *names, const void *data, size_t size)
{
    if (size == 0)
        return NAME_NONE;
    uint64_t hash = table_hash(&names->table, data, size);
    name_id id = id_find(names, hash, data, size);
    return id != TABLE_NONE ? id : add_new(names, hash, data, size);
}

void names_expect(const struct names *names, const void *data, size_t size)
{
    table_prefetch(&names->table, table_hash(&names->table, data, size));
}

static int compare_ids(const void *a, const void *b)
{
    name_id left = *(const name_id *)a, right = *(const name_id *)b;
    return left < right ? -1 : left > right;
}

void names_sort(name_id *ids, size_t count)
{
    if (count > 1)
        qsort(ids, count, sizeof(*ids), compare_ids);
}
