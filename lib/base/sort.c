/* Merge sort of a few sorted runs. */
#include "base/sort.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define RUNS_MAX 8u /* with more runs qsort is used */

typedef int (*item_order)(const void *a, const void *b);

static void swap(uint8_t *a, uint8_t *b, size_t size)
{
    uint8_t held[64];
    for (size_t done = 0, part; done < size; done += part) {
        part = size - done < sizeof(held) ? size - done : sizeof(held);
        memcpy(held, a + done, part);
        memcpy(a + done, b + done, part);
        memcpy(b + done, held, part);
    }
}

/* Length of the ascending or strictly descending run at the front, in which neighbours may be swapped. */
static size_t run_take(uint8_t *items, size_t count, size_t size, item_order order, bool *falls)
{
    size_t run = 1;
    *falls = count > 1 && order(items, items + (count > 2 ? 2 : 1) * size) > 0;
    for (; run < count; run++) {
        uint8_t *next = items + run * size, *last = next - size;
        if ((order(last, next) > 0) == *falls)
            continue;
        if (run > 1 && (order(last - size, next) > 0) != *falls)
            break;
        swap(last, next, size);
    }
    return run;
}

static void reverse(uint8_t *items, size_t count, size_t size)
{
    for (size_t low = 0, high = count; low + 1 < high; low++)
        swap(items + low * size, items + --high * size, size);
}

/* Merges two runs, the second being the shorter one. False: no memory. */
static bool merge_short_last(uint8_t *items, size_t first, size_t second, size_t size, item_order order)
{
    uint8_t *left = items + first * size, *to = left + second * size, *copy = malloc(second * size);
    if (copy == NULL)
        return false;
    memcpy(copy, left, second * size);
    for (const uint8_t *right = copy + second * size; right > copy;) {
        bool left_is_last = left > items && order(left - size, right - size) > 0;
        const uint8_t *last = left_is_last ? (left -= size) : (right -= size);
        memcpy(to -= size, last, size);
    }
    free(copy);
    return true;
}

/* The same with the first being the shorter one. */
static bool merge_short_first(uint8_t *items, size_t first, size_t second, size_t size, item_order order)
{
    const uint8_t *right = items + first * size, *end = right + second * size;
    uint8_t *to = items, *copy = malloc(first * size);
    if (copy == NULL)
        return false;
    memcpy(copy, items, first * size);
    for (const uint8_t *left = copy; left < copy + first * size; to += size) {
        bool right_is_next = right < end && order(left, right) > 0;
        memcpy(to, right_is_next ? right : left, size);
        *(right_is_next ? &right : &left) += size;
    }
    free(copy);
    return true;
}

/* Merges the sorted items with the run behind them. False: no memory. */
static bool merge(uint8_t *items, size_t first, size_t second, size_t size, item_order order)
{
    if (first == 0 || order(items + (first - 1) * size, items + first * size) <= 0)
        return true;
    return second <= first ? merge_short_last(items, first, second, size, order)
                           : merge_short_first(items, first, second, size, order);
}

void sort_items(void *items, size_t count, size_t size, int (*order)(const void *a, const void *b))
{
    uint8_t *bytes = items;
    size_t sorted = 0;
    for (unsigned runs = 0; sorted < count; runs++) {
        bool falls;
        size_t run = run_take(bytes + sorted * size, count - sorted, size, order, &falls);
        if (falls)
            reverse(bytes + sorted * size, run, size);
        if (runs == RUNS_MAX || !merge(bytes, sorted, run, size, order)) {
            qsort(items, count, size, order);
            return;
        }
        sorted += run;
    }
}
