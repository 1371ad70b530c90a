/* Products of matrices: every sum is that of its products in order, whatever the sizes, strides and types. */
#include "kernel/product.h"

#include <string.h>

#include "tests/split/random.h"
#include "tests/tap/tap.h"

#define ELEMENTS 400000u

static float floats[2][ELEMENTS];
static double doubles[2][ELEMENTS], sums[ELEMENTS], expected[ELEMENTS], room[256 * 256];

struct extents {
    uint64_t rows, columns, depth;
};

static double element(const struct factor *factor, uint64_t row, uint64_t column)
{
    uint64_t at = row * factor->row_stride + column * factor->column_stride;
    return factor->single ? (double)((const float *)factor->elements)[at] : ((const double *)factor->elements)[at];
}

/* A factor of drawn elements, by rows or by columns. */
static struct factor draw_factor(unsigned side, uint64_t rows, uint64_t columns)
{
    bool single = random_below(2), turned = random_below(2), exact = !single && random_below(2);
    struct factor factor = {single ? (const void *)floats[side] : (const void *)doubles[side], single, columns, 1,
                            exact};
    if (turned) {
        factor.row_stride = 1;
        factor.column_stride = rows;
    }
    for (uint64_t i = 0; i < rows * columns; i++) {
        doubles[side][i] = (double)random_below(2000001) / 1000003 - 1;
        floats[side][i] = (float)doubles[side][i];
        doubles[side][i] = exact ? (double)floats[side][i] : doubles[side][i];
    }
    return factor;
}

static bool is_same(const struct extents *sizes)
{
    struct factor a = draw_factor(0, sizes->rows, sizes->depth);
    struct factor b = draw_factor(1, sizes->depth, sizes->columns);
    uint64_t stride = sizes->columns + random_below(3);
    for (uint64_t i = 0; i < sizes->rows * stride; i++)
        sums[i] = expected[i] = (double)random_below(9);
    for (uint64_t row = 0; row < sizes->rows; row++)
        for (uint64_t column = 0; column < sizes->columns; column++)
            for (uint64_t k = 0; k < sizes->depth; k++)
                expected[row * stride + column] += element(&a, row, k) * element(&b, k, column);
    product_add(sizes->rows, sizes->columns, sizes->depth, &a, &b, sums, stride, room);
    return memcmp(sums, expected, sizes->rows * stride * sizeof(*sums)) == 0;
}

static void edges_of_blocks(void)
{
    static const struct extents edges[] = {{0, 5, 3},   {5, 0, 3},   {5, 3, 0},   {1, 1, 1},     {4, 8, 256},
                                           {5, 9, 257}, {3, 7, 255}, {4, 256, 2}, {130, 257, 3}, {1, 300, 520}};
    for (size_t i = 0; i < COUNT(edges); i++)
        ok(is_same(&edges[i]), "%d x %d x %d", (int)edges[i].rows, (int)edges[i].columns, (int)edges[i].depth);
}

static void drawn_sizes(void)
{
    bool same = true;
    for (int i = 0; i < 100 && same; i++) {
        const struct extents sizes = {random_below(20), random_below(30), random_below(600)};
        same = is_same(&sizes);
    }
    ok(same, "drawn sizes");
}

static void room_is_bounded(void)
{
    ok(product_room(UINT64_MAX, UINT64_MAX) == 256 * 256, "room is that of one block");
    ok(product_room(1, 3) == 8 * 3, "and less for less");
}

int main(void)
{
    edges_of_blocks();
    drawn_sizes();
    room_is_bounded();
    return done();
}
