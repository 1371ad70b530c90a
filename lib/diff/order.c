/* Which of two lists' common members stand in the same order: a longest rising run, by patience sorting. */
#include "diff/diff.h"

bool order_find(const uint32_t *mates, size_t count, bool *stays, struct arena *arena)
{
    /* tails[k]: where the run of k + 1 members ends that ends lowest; before[i]: who stands in front of i in its run.
     */
    uint32_t *tails = arena_alloc(arena, count + 1, sizeof(*tails));
    uint32_t *before = arena_alloc(arena, count + 1, sizeof(*before));
    size_t length = 0;
    if (tails == NULL || before == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t low = 0, high = length;
        if (mates[i] == UINT32_MAX)
            continue;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (mates[tails[middle]] < mates[i])
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low > 0 ? tails[low - 1] : UINT32_MAX;
        tails[low] = (uint32_t)i;
        length += low == length;
    }
    for (uint32_t at = length > 0 ? tails[length - 1] : UINT32_MAX; at != UINT32_MAX; at = before[at])
        stays[at] = true;
    return true;
}
