/* Edit distance between short names: insertion, deletion, substitution, transposition of neighbours. */
#include "base/nearest.h"

#include <string.h>

#include "base/ascii.h"
#include "opshift.h"

#define SIZE_MAX_COMPARED 96u

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

void nearest_begin(struct nearest *nearest, const char *wanted)
{
    *nearest = (struct nearest){.wanted = wanted, .size = strlen(wanted)};
    /* At most a third of the letters may differ. */
    nearest->distance = least(nearest->size / 3, 3) + 1;
    if (nearest->size > SIZE_MAX_COMPARED)
        nearest->distance = 0;
}

/* Case-insensitive. Uses three rows of the dynamic programming table. */
static size_t distance(const char *a, size_t a_size, const char *b, size_t b_size, size_t limit)
{
    size_t rows[3][SIZE_MAX_COMPARED + 1];
    size_t *older = rows[0], *old = rows[1], *row = rows[2];
    for (size_t k = 0; k <= b_size; k++)
        old[k] = k;
    for (size_t i = 1; i <= a_size; i++) {
        size_t lowest = row[0] = i;
        for (size_t k = 1; k <= b_size; k++) {
            size_t change = old[k - 1] + (ascii_lower(a[i - 1]) != ascii_lower(b[k - 1]));
            row[k] = least(least(old[k], row[k - 1]) + 1, change);
            if (i > 1 && k > 1 && ascii_lower(a[i - 1]) == ascii_lower(b[k - 2]) &&
                ascii_lower(a[i - 2]) == ascii_lower(b[k - 1]))
                row[k] = least(row[k], older[k - 2] + 1);
            lowest = least(lowest, row[k]);
        }
        if (lowest >= limit)
            return limit;
        size_t *spare = older;
        older = old;
        old = row;
        row = spare;
    }
    return old[b_size];
}

void nearest_offer(struct nearest *nearest, const char *candidate)
{
    size_t size = strnlen(candidate, SIZE_MAX_COMPARED + 1);
    size_t apart = size > nearest->size ? size - nearest->size : nearest->size - size;
    if (size == 0 || size > SIZE_MAX_COMPARED || apart >= nearest->distance)
        return;
    size_t found = distance(nearest->wanted, nearest->size, candidate, size, nearest->distance);
    if (found < nearest->distance) {
        nearest->distance = found;
        nearest->best = candidate;
    }
}

const char *opshift_text_nearest(const char *text, const char *const *candidates, size_t count)
{
    struct nearest nearest;
    nearest_begin(&nearest, text);
    /* A wrong suggestion does no harm here: one more letter may differ. */
    nearest.distance += nearest.distance > 0 && nearest.size > 0;
    for (size_t i = 0; i < count; i++)
        nearest_offer(&nearest, candidates[i]);
    for (size_t i = 0; i < count && nearest.best == NULL && nearest.size > 2; i++)
        if (strncmp(candidates[i], text, nearest.size) == 0)
            nearest.best = candidates[i];
    return nearest.best;
}
