/* Stores ranges in sorted runs of doubling size, like the carries of a binary counter: each range is moved at most
 * log n times, in any order of insertion. */
#include "check/ranges.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

void ranges_free(struct ranges *ranges)
{
    free(ranges->items);
    free(ranges->spare);
    *ranges = (struct ranges){0};
}

static bool is_before(const struct file_range *a, const struct file_range *b)
{
    if (a->file != b->file)
        return a->file < b->file;
    return a->offset != b->offset ? a->offset < b->offset : a->end < b->end;
}

/* The number of ranges of a run before it. */
static size_t place_find(const struct file_range *run, size_t count, const struct file_range *range)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_before(&run[middle], range))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool run_has(const struct file_range *run, size_t count, const struct file_range *range)
{
    size_t at = place_find(run, count, range);
    return at < count && !is_before(range, &run[at]);
}

/* Does any range that starts before the end of this one extend beyond its start? */
static bool run_is_across(const struct file_range *run, size_t count, const struct file_range *range)
{
    size_t at = place_find(run, count, &(struct file_range){.file = range->file, .offset = range->end});
    return at > 0 && run[at - 1].file == range->file && run[at - 1].reach > range->offset;
}

static bool room_make(struct ranges *ranges)
{
    uint32_t room = ranges->room;
    return list_grow(&ranges->spare, ranges->count, &room, sizeof(*ranges->spare)) &&
           list_grow(&ranges->items, ranges->count, &ranges->room, sizeof(*ranges->items));
}

/* Merges two adjacent runs. */
static void runs_merge(struct file_range *runs, size_t size, struct file_range *spare)
{
    size_t left = 0, right = size;
    for (size_t at = 0; at < 2 * size; at++) {
        bool take_right = left == size || (right < 2 * size && is_before(&runs[right], &runs[left]));
        struct file_range *item = &spare[at];
        *item = runs[take_right ? right++ : left++];
        item->reach = item->end;
        if (at > 0 && item[-1].file == item->file && item[-1].reach > item->reach)
            item->reach = item[-1].reach;
    }
    memcpy(runs, spare, 2 * size * sizeof(*runs));
}

bool ranges_add(struct ranges *ranges, uint64_t file, uint64_t offset, uint64_t size, bool *across)
{
    struct file_range range = {file, offset, offset + size, offset + size};
    size_t first = 0;
    *across = false;
    if (size == 0)
        return true;
    for (size_t bit = ranges->room; bit > 0; bit /= 2) {
        if (!(ranges->count & bit))
            continue;
        if (run_has(ranges->items + first, bit, &range)) {
            *across = false; /* already reported for the first one */
            return true;
        }
        *across = *across || run_is_across(ranges->items + first, bit, &range);
        first += bit;
    }
    if (!room_make(ranges))
        return false;
    ranges->items[ranges->count++] = range;
    for (size_t run = 1; ranges->count % (2 * run) == 0; run *= 2)
        runs_merge(ranges->items + ranges->count - 2 * run, run, ranges->spare);
    return true;
}
