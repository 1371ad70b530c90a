/* Finds the common members of two lists that keep their order: a longest increasing subsequence, by patience
 * sorting. */
#include "diff/diff.h"

bool order_find(const uint32_t *mates, size_t count, bool *stays, struct arena *arena)
{
    /* tails[k]: the member with the lowest end of all subsequences of k + 1 members; before[i]: predecessor of i. */
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
