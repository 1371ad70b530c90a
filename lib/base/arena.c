/* The arena: blocks that are filled from the front; a large allocation that does not fit gets its own. */
#include "base/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT  8u
#define BLOCK_KEPT (1u << 16) /* larger blocks are freed by arena_clear */
#ifndef BLOCK_FIRST           /* tests/fault/arena.c gives each allocation a block of its own */
#define BLOCK_FIRST 960u      /* glibc keeps blocks of up to 1,032 bytes at hand for the next ones */
#define BLOCK_LAST  (BLOCK_FIRST << 10)
#endif

struct block {
    struct block *next;
    size_t size;
    _Alignas(ALIGNMENT) uint8_t data[];
};

struct arena {
    struct block *blocks;
    struct block *shared; /* the newest that is filled from the front */
    uint8_t *free, *end;  /* its unused part; plain bytes are taken from the end */
    size_t block_size;    /* of the next shared block */
    uint64_t size, most;  /* bytes allocated so far, and at most */
    uint64_t held;        /* bytes of all blocks */
    bool was_full, was_out;
    ProtobufCAllocator allocator;
};

_Static_assert(offsetof(struct block, data) % ALIGNMENT == 0, "what is handed out is aligned");

static void *take(struct arena *arena, size_t size, bool zeroed);

static void *allocator_alloc(void *arena, size_t size)
{
    /* protobuf-c writes all of it; a NUL ends the bytes of a field, which messages print as text. */
    uint8_t *pointer = size < SIZE_MAX ? take(arena, size + 1, false) : NULL;
    if (pointer)
        pointer[size] = '\0';
    return pointer;
}

static void allocator_free(void *arena, void *pointer)
{
}

struct arena *arena_new(uint64_t limit)
{
    struct arena *arena = malloc(sizeof(*arena));
    if (arena != NULL)
        *arena = (struct arena){.block_size = BLOCK_FIRST,
                                .most = limit > 0 ? limit : UINT64_MAX,
                                .allocator = {allocator_alloc, allocator_free, arena}};
    return arena;
}

void arena_free(struct arena *arena)
{
    if (arena == NULL)
        return;
    for (struct block *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    free(arena);
}

void arena_clear(struct arena *arena)
{
    arena->was_full = arena->was_out = false;
    if (arena->size == 0)
        return;
    struct block *kept = arena->shared && arena->shared->size <= BLOCK_KEPT ? arena->shared : NULL;
    for (struct block *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        if (block != kept)
            free(block);
    }
    arena->size = 0;
    arena->held = kept ? sizeof(*kept) + kept->size : 0;
    arena->blocks = arena->shared = kept;
    if (kept) {
        kept->next = NULL;
        arena->free = kept->data;
        arena->end = kept->data + kept->size;
    } else {
        arena->free = arena->end = NULL;
        arena->block_size = BLOCK_FIRST;
    }
}

/* zeroed: the pages of a large block are not touched for it. */
static struct block *block_new(struct arena *arena, size_t size, bool zeroed)
{
    struct block *block = NULL;
    if (size <= SIZE_MAX - sizeof(*block))
        block = zeroed ? calloc(1, sizeof(*block) + size) : malloc(sizeof(*block) + size);
    arena->was_out |= block == NULL;
    if (block == NULL)
        return NULL;
    arena->held += sizeof(*block) + size;
    block->size = size;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

static bool shared_add(struct arena *arena)
{
    struct block *block = block_new(arena, arena->block_size, false);
    if (block == NULL)
        return false;
    arena->shared = block;
    arena->free = block->data;
    arena->end = block->data + block->size;
    if (arena->block_size < BLOCK_LAST)
        arena->block_size *= 2;
    return true;
}

static inline bool shared_has(const struct arena *arena, size_t size)
{
    assert(arena->free <= arena->end);
    return (size_t)(arena->end - arena->free) >= size;
}

/* False: over the limit. */
static inline bool size_count(struct arena *arena, size_t size)
{
    assert(arena->size <= arena->most);
    if (size > arena->most - arena->size) {
        arena->was_full = true;
        return false;
    }
    arena->size += size;
    return true;
}

static void *take(struct arena *arena, size_t size, bool zeroed)
{
    /* An empty allocation gets a unique address, too. */
    size_t wanted = size > 0 ? (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;
    if (wanted < size || !size_count(arena, wanted))
        return NULL;
    if (!shared_has(arena, wanted) && wanted > arena->block_size / 4) {
        struct block *block = block_new(arena, wanted, zeroed);
        return block ? block->data : NULL;
    }
    if (!shared_has(arena, wanted) && !shared_add(arena))
        return NULL;
    void *pointer = arena->free;
    arena->free += wanted;
    return zeroed ? memset(pointer, 0, wanted) : pointer;
}

void *arena_alloc(struct arena *arena, uint64_t count, size_t size)
{
    size_t wanted;
    return __builtin_mul_overflow(count, size, &wanted) ? NULL : take(arena, wanted, true);
}

uint8_t *arena_bytes(struct arena *arena, size_t size)
{
    if (size == 0 || size > arena->block_size / 4)
        return arena_alloc(arena, size, 1);
    if (!size_count(arena, size) || (!shared_has(arena, size) && !shared_add(arena)))
        return NULL;
    arena->end -= size;
    return memset(arena->end, 0, size);
}

void *arena_copy(struct arena *arena, const void *data, uint64_t size)
{
    uint8_t *copy = size < SIZE_MAX ? take(arena, (size_t)size + 1, false) : NULL;
    if (copy == NULL)
        return NULL;
    if (size > 0)
        memcpy(copy, data, (size_t)size);
    copy[size] = '\0';
    return copy;
}

char *arena_print(struct arena *arena, const char *format, ...)
{
    char most[256]; /* longer text is printed a second time */
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(most, sizeof(most), format, arguments);
    va_end(arguments);
    if (size >= 0 && (size_t)size < sizeof(most))
        return arena_copy(arena, most, (size_t)size);
    char *text = size >= 0 ? arena_alloc(arena, (size_t)size + 1, 1) : NULL;
    if (text == NULL)
        return NULL;
    va_start(arguments, format);
    vsnprintf(text, (size_t)size + 1, format, arguments);
    va_end(arguments);
    return text;
}

uint64_t arena_size(const struct arena *arena)
{
    return arena->size;
}

uint64_t arena_held(const struct arena *arena)
{
    return arena->held + sizeof(*arena);
}

bool arena_was_full(const struct arena *arena)
{
    return arena->was_full;
}

bool arena_was_out(const struct arena *arena)
{
    return arena->was_out;
}

bool arena_owns(const struct arena *arena, const void *pointer)
{
    const struct block *block = arena->blocks;
    while (block != NULL && (uintptr_t)pointer - (uintptr_t)block->data >= block->size)
        block = block->next;
    return block != NULL;
}

ProtobufCAllocator *arena_allocator(struct arena *arena)
{
    return &arena->allocator;
}
