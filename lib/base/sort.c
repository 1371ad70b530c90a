/* Looks before it sorts: lists made in one walk are in order, or in the opposite one. */
#include "base/sort.h"

#include <stdint.h>
#include <stdlib.h>

/* How many items at the front rise (sign 1) or fall (sign -1). */
static size_t run_count(const uint8_t *items, size_t count, size_t size, int sign,
                        int (*order)(const void *a, const void *b))
{
    size_t run = 1;
    while (run < count && sign * order(items + (run - 1) * size, items + run * size) < 0)
        run++;
    return run;
}

static void swap(uint8_t *a, uint8_t *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

void sort_items(void *items, size_t count, size_t size, int (*order)(const void *a, const void *b))
{
    uint8_t *bytes = items;
    if (count < 2 || run_count(bytes, count, size, 1, order) == count)
        return;
    if (run_count(bytes, count, size, -1, order) < count) {
        qsort(items, count, size, order);
        return;
    }
    for (size_t low = 0, high = count - 1; low < high; low++, high--)
        swap(bytes + low * size, bytes + high * size, size);
}
