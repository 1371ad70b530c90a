/* Copies runs of one to a few thousand bytes, for which a call of memcpy costs more than the copy. The code is
 * inlined into functions for any processor and for processors with wider registers. */
#ifndef SPLIT_ROWS_H
#define SPLIT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The alignment of a short loop can double its time. */
#ifdef __clang__
#define ROWS_COPY_UNROLL _Pragma("clang loop unroll_count(4)")
#else
#define ROWS_COPY_UNROLL _Pragma("GCC unroll 4")
#endif
#define ROWS_COPY_LONG   256 /* bytes */
#define ROWS_COPY_INLINE __attribute__((always_inline)) static inline

/* `width` is a constant; uses as few loads and stores as possible. wide: 32-byte registers exist; compilers use a
 * single load and store for them only with an explicit vector type. */
ROWS_COPY_INLINE void copy_width(uint8_t *to, const uint8_t *from, size_t width, bool wide)
{
    typedef uint8_t vector __attribute__((vector_size(32), aligned(1), may_alias));
    if (wide && width >= sizeof(vector))
        for (size_t at = 0; at < width; at += sizeof(vector))
            *(vector *)(to + at) = *(const vector *)(from + at);
    else
        memcpy(to, from, width);
}

/* width <= size <= 2 * width: the first `width` bytes and the last, which may overlap. */
ROWS_COPY_INLINE void copy_ends(uint8_t *to, size_t to_step, const uint8_t *from, ptrdiff_t step, size_t size,
                                uint64_t rows, size_t width, bool wide)
{
    size_t last = size - width;
    if (last == 0) {
        ROWS_COPY_UNROLL for (; rows > 0; rows--, to += to_step, from += step) copy_width(to, from, width, wide);
        return;
    }
    ROWS_COPY_UNROLL for (; rows > 0; rows--, to += to_step, from += step)
    {
        copy_width(to, from, width, wide);
        copy_width(to + last, from + last, width, wide);
    }
}

/* size > 128: 128 bytes at a time, and the last 128 bytes again if a remainder is left. A loop of 64 bytes takes a
 * quarter longer when it straddles two lines of the instruction cache. */
ROWS_COPY_INLINE void copy_lines(uint8_t *to, size_t to_step, const uint8_t *from, ptrdiff_t step, size_t size,
                                 uint64_t rows, bool wide)
{
    size_t last = size - 128;
    for (; rows > 0; rows--, to += to_step, from += step) {
        for (size_t at = 0; at < last; at += 128) {
            copy_width(to + at, from + at, 64, wide);
            copy_width(to + at + 64, from + at + 64, 64, wide);
        }
        copy_width(to + last, from + last, 64, wide);
        copy_width(to + last + 64, from + last + 64, 64, wide);
    }
}

/* Copies `size` bytes at each of `rows` positions; positions are `step` bytes apart in the input and `to_step` in
 * the output. Without wide registers, runs of ROWS_COPY_LONG bytes and more use memcpy, which may have wider ones. */
ROWS_COPY_INLINE void rows_copy(uint8_t *to, size_t to_step, const uint8_t *from, ptrdiff_t step, size_t size,
                                uint64_t rows, bool wide)
{
    if (size >= 64) {
        if (size <= 128)
            copy_ends(to, to_step, from, step, size, rows, 64, wide);
        else if (wide || size < ROWS_COPY_LONG)
            copy_lines(to, to_step, from, step, size, rows, wide);
        else
            for (; rows > 0; rows--, to += to_step, from += step)
                memcpy(to, from, size);
    } else if (size >= 16) {
        if (size >= 32)
            copy_ends(to, to_step, from, step, size, rows, 32, wide);
        else
            copy_ends(to, to_step, from, step, size, rows, 16, wide);
    } else if (size >= 4) {
        if (size >= 8)
            copy_ends(to, to_step, from, step, size, rows, 8, wide);
        else
            copy_ends(to, to_step, from, step, size, rows, 4, wide);
    } else if (size >= 2) {
        copy_ends(to, to_step, from, step, size, rows, 2, wide);
    } else if (size == 1) {
        copy_ends(to, to_step, from, step, 1, rows, 1, wide);
    }
}

#endif
