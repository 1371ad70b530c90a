/* An arena allocator: many small allocations, freed together. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <protobuf-c/protobuf-c.h>

#include "base/bytes.h"

struct arena;

/* limit: total bytes that it may allocate; 0: no limit. NULL: no memory. Freed by arena_free. */
struct arena *arena_new(uint64_t limit);
void arena_free(struct arena *arena);
/* Frees all allocations, but keeps one block for the next ones. */
void arena_clear(struct arena *arena);

/* 8-byte aligned, zeroed. NULL: no memory, over the limit, or count * size overflows. */
void *arena_alloc(struct arena *arena, uint64_t count, size_t size);
/* The same without alignment and without padding between allocations. */
uint8_t *arena_bytes(struct arena *arena, size_t size);
void *arena_copy(struct arena *arena, const void *data, uint64_t size); /* followed by a NUL byte */
char *arena_print(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
uint64_t arena_size(const struct arena *arena); /* bytes allocated so far */
uint64_t arena_held(const struct arena *arena); /* bytes taken from malloc for them, its own included */
bool arena_was_full(const struct arena *arena); /* an allocation failed because of the limit */
bool arena_was_out(const struct arena *arena);  /* an allocation failed because malloc did */

/* Does pointer point into an allocation of the arena? */
bool arena_owns(const struct arena *arena, const void *pointer);

/* An allocator for protobuf-c: unpacked messages belong to the arena; its free does nothing. */
ProtobufCAllocator *arena_allocator(struct arena *arena);

#endif
