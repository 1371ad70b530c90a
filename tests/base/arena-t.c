/* An arena returns zeroed, aligned memory up to its limit. */
#include "base/arena.h"

#include <string.h>

#include "tests/tap/tap.h"

static bool is_zeroed(const uint8_t *data, size_t size)
{
    while (size > 0 && data[size - 1] == 0)
        size--;
    return size == 0;
}

static void many_sizes(void)
{
    struct arena *arena = arena_new(0);
    bool aligned = true, zeroed = true;
    for (size_t size = 0; size < 5000; size += 7) {
        uint8_t *data = arena_alloc(arena, 1, size);
        aligned = aligned && (uintptr_t)data % 8 == 0;
        zeroed = zeroed && is_zeroed(data, size);
        memset(data, 0xff, size);
    }
    ok(aligned, "every piece is 8-byte aligned");
    ok(zeroed, "every piece is zeroed and its own");
    ok(arena_alloc(arena, SIZE_MAX / 2, 3) == NULL, "an overflowing product is refused");
    ok(arena_alloc(arena, 1, SIZE_MAX) == NULL, "a size that cannot be rounded up is refused");
    arena_free(arena);
}

static void no_memory(void)
{
    struct arena *arena = arena_new(0);
    /* malloc is not asked for more than an address can tell: AddressSanitizer would end the program. */
    ok(arena_alloc(arena, SIZE_MAX - 7, 1) == NULL, "more than all memory is refused");
    ok(arena_was_out(arena) && !arena_was_full(arena), "a lack of memory is no limit");
    arena_free(arena);
}

static void limit(void)
{
    struct arena *arena = arena_new(100);
    ok(arena_alloc(arena, 4, 16) != NULL, "within the limit");
    is_int(64, (int64_t)arena_size(arena), "the size is what was handed out");
    ok(arena_alloc(arena, 3, 16) == NULL, "beyond the limit");
    ok(arena_bytes(arena, 37) == NULL, "for plain bytes too");
    ok(arena_was_full(arena) && !arena_was_out(arena), "the limit is no lack of memory");
    ok(arena_alloc(arena, 2, 16) != NULL, "a smaller piece still fits");
    ok(arena_bytes(arena, 4) != NULL, "and plain bytes of any size");
    is_int(100, (int64_t)arena_size(arena), "which are counted as they are");
    arena_free(arena);
    arena_free(NULL);
}

static void copies(void)
{
    struct arena *arena = arena_new(0);
    is_string("abc", arena_copy(arena, "abcdef", 3), "a copy ends in a NUL");
    is_string("", arena_copy(arena, NULL, 0), "nothing can be copied");
    is_string("x_1", arena_print(arena, "%s_%d", "x", 1), "printing");
    ProtobufCAllocator *allocator = arena_allocator(arena);
    void *data = allocator->alloc(allocator->allocator_data, 10);
    ok(data != NULL, "protobuf-c allocates from the arena");
    allocator->free(allocator->allocator_data, data);
    arena_free(arena);
}

static void blocks(void)
{
    struct arena *arena = arena_new(0);
    arena_alloc(arena, 1, 16);
    uint64_t held = arena_held(arena);
    arena_alloc(arena, 1, 700);
    is_int((int64_t)held, (int64_t)arena_held(arena), "what fits takes no further block");
    arena_alloc(arena, 1, 700);
    ok(arena_held(arena) > held + 700 && arena_held(arena) < held + 800, "what does not gets one of its size");
    held = arena_held(arena);
    arena_alloc(arena, 1, 200);
    is_int((int64_t)held, (int64_t)arena_held(arena), "and the block before is still filled");
    arena_free(arena);
}

static void cleared(void)
{
    struct arena *arena = arena_new(0);
    bool zeroed = true;
    for (size_t round = 0; round < 4; round++) {
        for (size_t i = 0; i < (round == 1 ? 2000 : 10); i++) {
            uint8_t *data = arena_alloc(arena, 1, 100);
            uint8_t *bytes = arena_bytes(arena, 7);
            zeroed = zeroed && data && is_zeroed(data, 100) && bytes && is_zeroed(bytes, 7);
            memset(data, 0xff, 100);
            memset(bytes, 0xff, 7);
        }
        memset(arena_alloc(arena, 1, 100000), 0xff, 100000);
        arena_clear(arena);
        ok(arena_size(arena) == 0, "nothing is handed out after a clearing");
    }
    ok(zeroed, "what is handed out again is zeroed again");
    arena_free(arena);
}

/* Messages print the bytes of a decoded field as text. */
static void decoded(void)
{
    struct arena *arena = arena_new(0);
    ProtobufCAllocator *allocator = arena_allocator(arena);
    bool ended = true;
    for (size_t size = 0; size < 40; size++) {
        arena_clear(arena);
        memset(arena_alloc(arena, 1, 1000), 0xff, 1000);
        arena_clear(arena);
        const char *data = allocator->alloc(allocator->allocator_data, size);
        ended &= data[size] == '\0';
    }
    ok(ended, "what protobuf-c decodes is followed by a NUL");
    arena_free(arena);
}

static void owners(void)
{
    struct arena *arena = arena_new(0), *other = arena_new(0);
    char *small = arena_alloc(arena, 1, 10), *large = arena_alloc(arena, 1, 100000), here;
    ok(arena_owns(arena, small) && arena_owns(arena, large) && arena_owns(arena, large + 99999),
       "an arena owns what it handed out");
    ok(!arena_owns(other, small) && !arena_owns(other, large) && !arena_owns(arena, &here), "and nothing else");
    arena_free(arena);
    arena_free(other);
}

int main(void)
{
    owners();
    many_sizes();
    no_memory();
    blocks();
    cleared();
    decoded();
    limit();
    copies();
    return done();
}
