/* One owner for many small things: freed together, never one by one. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <protobuf-c/protobuf-c.h>

struct arena;

/* A run of bytes that somebody else owns; may hold NULs, need not end in one. */
struct bytes {
    const uint8_t *data;
    size_t size;
};

/* limit: bytes it may hand out in all; 0 is no limit. NULL: no memory. */
struct arena *arena_new(uint64_t limit);
void arena_free(struct arena *arena);
/* Takes back all that it handed out, and keeps some room for what comes next. */
void arena_clear(struct arena *arena);

/* 16-byte aligned, zeroed. NULL: no memory, over the limit, or count * size overflows. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);
/* The same for plain bytes, without alignment: many of them stand close. */
uint8_t *arena_bytes(struct arena *arena, size_t size);
void *arena_copy(struct arena *arena, const void *data, size_t size); /* followed by a NUL byte */
char *arena_print(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
uint64_t arena_size(const struct arena *arena); /* bytes handed out so far */
uint64_t arena_held(const struct arena *arena); /* bytes taken from the machine for them, its own included */
bool arena_was_full(const struct arena *arena); /* something was refused because of the limit */
bool arena_was_out(const struct arena *arena);  /* or because there was no memory */

/* Does it lie in what the arena handed out? */
bool arena_owns(const struct arena *arena, const void *pointer);

/* For protobuf-c: what it unpacks then belongs to the arena; its free does nothing. */
ProtobufCAllocator *arena_allocator(struct arena *arena);

#endif
