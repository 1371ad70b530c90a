/* Products of matrices of real numbers, in blocks that fit the caches: a block of b is packed into columns of
 * TILE_COLUMNS, a strip of a into rows of TILE_ROWS, and a tile of sums stays in registers for the depth of a block. */
#include "kernel/product.h"

#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#define TILE_ROWS     4u
#define TILE_COLUMNS  8u
#define LINE_COLUMNS  (4 * TILE_COLUMNS)
#define BLOCK_DEPTH   256u
#define BLOCK_COLUMNS 256u

/* Multiply-adds in a step, which is about a nanosecond. */
#define PRODUCTS_PER_STEP 2u

/* gcc keeps arrays of vectors in registers only where loops over them are written out. */
#if defined __GNUC__ && !defined __clang__
#define WRITTEN_OUT _Pragma("GCC unroll 4")
#else
#define WRITTEN_OUT
#endif

struct tile {
    uint64_t rows, columns, depth; /* of the tile's sums; of its products */
    const double *a;               /* depth x TILE_ROWS */
    const double *b;               /* depth x TILE_COLUMNS */
};

/* Adds the products of a strip and a column block to a whole tile of sums, whose rows are `stride` apart. */
static inline __attribute__((always_inline)) void tile_sum(const struct tile *block, double *tile, uint64_t stride)
{
    lanes left[TILE_ROWS], right[TILE_ROWS];
    const double *a = block->a, *b = block->b;
    WRITTEN_OUT
    for (unsigned r = 0; r < TILE_ROWS; r++) {
        left[r] = *(const lanes *)(tile + r * stride);
        right[r] = *(const lanes *)(tile + r * stride + LANES);
    }
    for (uint64_t k = 0; k < block->depth; k++, a += TILE_ROWS, b += TILE_COLUMNS) {
        lanes first = *(const lanes *)b, second = *(const lanes *)(b + LANES);
        WRITTEN_OUT
        for (unsigned r = 0; r < TILE_ROWS; r++) {
            left[r] += a[r] * first;
            right[r] += a[r] * second;
        }
    }
    WRITTEN_OUT
    for (unsigned r = 0; r < TILE_ROWS; r++) {
        *(lanes *)(tile + r * stride) = left[r];
        *(lanes *)(tile + r * stride + LANES) = right[r];
    }
}

static void tile_sum_plain(const struct tile *block, double *tile, uint64_t stride)
{
    tile_sum(block, tile, stride);
}

enum tile_kind { TILE_PLAIN, TILE_WIDE, TILE_FUSED };

#ifdef __x86_64__
/* Where both factors are floats, their product is exact in a double: fused or not, the sums are the same. */
__attribute__((target("avx2,fma"))) static void tile_sum_fused(const struct tile *block, double *tile, uint64_t stride)
{
    __m256d left[TILE_ROWS], right[TILE_ROWS];
    const double *a = block->a, *b = block->b;
    WRITTEN_OUT
    for (unsigned r = 0; r < TILE_ROWS; r++) {
        left[r] = _mm256_loadu_pd(tile + r * stride);
        right[r] = _mm256_loadu_pd(tile + r * stride + LANES);
    }
    for (uint64_t k = 0; k < block->depth; k++, a += TILE_ROWS, b += TILE_COLUMNS) {
        __m256d first = _mm256_loadu_pd(b), second = _mm256_loadu_pd(b + LANES);
        WRITTEN_OUT
        for (unsigned r = 0; r < TILE_ROWS; r++) {
            __m256d factor = _mm256_set1_pd(a[r]);
            left[r] = _mm256_fmadd_pd(factor, first, left[r]);
            right[r] = _mm256_fmadd_pd(factor, second, right[r]);
        }
    }
    WRITTEN_OUT
    for (unsigned r = 0; r < TILE_ROWS; r++) {
        _mm256_storeu_pd(tile + r * stride, left[r]);
        _mm256_storeu_pd(tile + r * stride + LANES, right[r]);
    }
}

/* The same sums: multiplications and additions stay apart, only more lanes are computed at once. */
__attribute__((target("avx2"))) static void tile_sum_wide(const struct tile *block, double *tile, uint64_t stride)
{
    tile_sum(block, tile, stride);
}

static enum tile_kind tile_kind_of(const struct factor *a, const struct factor *b)
{
    if (!__builtin_cpu_supports("avx2"))
        return TILE_PLAIN;
    bool exact = (a->single || a->exact) && (b->single || b->exact);
    return exact && __builtin_cpu_supports("fma") ? TILE_FUSED : TILE_WIDE;
}
#else
#define tile_sum_wide  tile_sum_plain
#define tile_sum_fused tile_sum_plain

static enum tile_kind tile_kind_of(const struct factor *a, const struct factor *b)
{
    (void)a;
    (void)b;
    return TILE_PLAIN;
}
#endif

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Lines of a factor: the stride goes to the next line, the step to the next element of a line. */
struct lines {
    const struct factor *from;
    uint64_t count, stride, step;
};

/* Packs `depth` elements of each line, `width` lines beside each other; missing ones are zeros. stride: the lines' own,
 * or a constant that makes the loop over neighbours a vector. */
static inline __attribute__((always_inline)) void pack_as(const struct lines *lines, bool single, uint64_t stride,
                                                          uint64_t depth, unsigned width, double *to)
{
    uint64_t count = lines->count;
    for (uint64_t k = 0; k < depth; k++, to += width) {
        const float *floats = (const float *)lines->from->elements + k * lines->step;
        const double *doubles = (const double *)lines->from->elements + k * lines->step;
        if (count < width)
            memset(to, 0, width * sizeof(*to));
        if (count == width)
            for (unsigned line = 0; line < width; line++)
                to[line] = single ? (double)floats[line * stride] : doubles[line * stride];
        else
            for (uint64_t line = 0; line < count; line++)
                to[line] = single ? (double)floats[line * stride] : doubles[line * stride];
    }
}

static inline __attribute__((always_inline)) void pack(const struct lines *lines, uint64_t depth, unsigned width,
                                                       double *to)
{
    if (lines->from->single && lines->stride == 1)
        pack_as(lines, true, 1, depth, width, to);
    else if (lines->from->single)
        pack_as(lines, true, lines->stride, depth, width, to);
    else if (lines->stride == 1)
        pack_as(lines, false, 1, depth, width, to);
    else
        pack_as(lines, false, lines->stride, depth, width, to);
}

/* Packs columns whose elements are neighbours, LINE_COLUMNS at most: lines of the cache are read once, and few are
 * written at a time. */
static inline __attribute__((always_inline)) void pack_rows(const struct lines *lines, bool single, uint64_t depth,
                                                            double *to)
{
    const void *elements = lines->from->elements;
    uint64_t columns = lines->count;
    for (uint64_t k = 0; k < depth; k++, to += TILE_COLUMNS) {
        const float *floats = (const float *)elements + k * lines->step;
        const double *doubles = (const double *)elements + k * lines->step;
        double *line = to;
        uint64_t column = 0, rest = columns % TILE_COLUMNS;
        for (; column < columns - rest; column += TILE_COLUMNS, line += depth * TILE_COLUMNS)
            for (unsigned i = 0; i < TILE_COLUMNS; i++)
                line[i] = single ? (double)floats[column + i] : doubles[column + i];
        for (unsigned i = 0; rest > 0 && i < TILE_COLUMNS; i++)
            line[i] = i >= rest ? 0 : single ? (double)floats[column + i] : doubles[column + i];
    }
}

/* Packs a block of b into columns of TILE_COLUMNS. */
static void pack_block(const struct factor *b, uint64_t depth, uint64_t columns, double *to)
{
    unsigned width = b->column_stride == 1 ? LINE_COLUMNS : TILE_COLUMNS;
    for (uint64_t column = 0; column < columns; column += width, to += width * depth) {
        struct factor from = factor_from(*b, column * b->column_stride);
        struct lines lines = {&from, least(columns - column, width), b->column_stride, b->row_stride};
        if (b->column_stride != 1)
            pack(&lines, depth, TILE_COLUMNS, to);
        else if (b->single)
            pack_rows(&lines, true, depth, to);
        else
            pack_rows(&lines, false, depth, to);
    }
}

static void tile_add(const struct tile *block, enum tile_kind kind, double *sums, uint64_t stride)
{
    if (kind == TILE_FUSED)
        tile_sum_fused(block, sums, stride);
    else if (kind == TILE_WIDE)
        tile_sum_wide(block, sums, stride);
    else
        tile_sum_plain(block, sums, stride);
}

/* The same at the edges, where there are fewer sums than a tile has. */
static void tile_add_part(const struct tile *block, enum tile_kind kind, double *sums, uint64_t stride)
{
    double part[TILE_ROWS * TILE_COLUMNS];
    for (uint64_t r = 0; r < TILE_ROWS; r++)
        for (uint64_t c = 0; c < TILE_COLUMNS; c++)
            part[r * TILE_COLUMNS + c] = r < block->rows && c < block->columns ? sums[r * stride + c] : 0;
    tile_add(block, kind, part, TILE_COLUMNS);
    for (uint64_t r = 0; r < block->rows; r++)
        for (uint64_t c = 0; c < block->columns; c++)
            sums[r * stride + c] = part[r * TILE_COLUMNS + c];
}

/* Adds the products of all rows with a packed block of b. */
static void strips_add(uint64_t rows, uint64_t columns, uint64_t depth, const struct factor *a, const double *packed,
                       enum tile_kind kind, double *sums, uint64_t stride)
{
    double strip[TILE_ROWS * BLOCK_DEPTH];
    for (uint64_t row = 0; row < rows; row += TILE_ROWS) {
        struct factor from = factor_from(*a, row * a->row_stride);
        struct tile block = {.rows = least(rows - row, TILE_ROWS), .depth = depth, .a = strip};
        struct lines lines = {&from, block.rows, a->row_stride, a->column_stride};
        pack(&lines, depth, TILE_ROWS, strip);
        for (uint64_t column = 0; column < columns; column += TILE_COLUMNS) {
            block.columns = least(columns - column, TILE_COLUMNS);
            block.b = packed + column * depth;
            if (block.rows == TILE_ROWS && block.columns == TILE_COLUMNS)
                tile_add(&block, kind, sums + row * stride + column, stride);
            else
                tile_add_part(&block, kind, sums + row * stride + column, stride);
        }
    }
}

uint64_t product_room(uint64_t columns, uint64_t depth)
{
    uint64_t broad = (least(columns, BLOCK_COLUMNS) + TILE_COLUMNS - 1) / TILE_COLUMNS * TILE_COLUMNS;
    return broad * least(depth, BLOCK_DEPTH);
}

void product_add(uint64_t rows, uint64_t columns, uint64_t depth, const struct factor *a, const struct factor *b,
                 double *sums, uint64_t stride, double *room)
{
    enum tile_kind kind = tile_kind_of(a, b);
    for (uint64_t k = 0; k < depth; k += BLOCK_DEPTH) {
        uint64_t deep = least(depth - k, BLOCK_DEPTH);
        struct factor left = factor_from(*a, k * a->column_stride);
        for (uint64_t first = 0; first < columns; first += BLOCK_COLUMNS) {
            uint64_t broad = least(columns - first, BLOCK_COLUMNS);
            struct factor right = factor_from(*b, k * b->row_stride + first * b->column_stride);
            pack_block(&right, deep, broad, room);
            strips_add(rows, broad, deep, &left, room, kind, sums + first, stride);
        }
    }
}

enum opshift_status product_work(const struct kernel_call *call, uint64_t count, uint64_t depth,
                                 struct opshift_error *error)
{
    enum opshift_status status = kernel_work(call, kernel_times(count, depth) / PRODUCTS_PER_STEP, 1, error);
    return status ? status : kernel_work(call, count, STEPS_COMPUTE, error);
}
