/* Sorting what is mostly in order already. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>

/* What qsort does for items of which no two are alike; in few steps and with little memory where they are a few runs
 * that rise or fall, but for neighbours, which is what walks over a file leave behind. */
void sort_items(void *items, size_t count, size_t size, int (*order)(const void *a, const void *b));

#endif
