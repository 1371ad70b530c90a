/* Sorts lists that consist of a few sorted runs. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>

/* Like qsort for unique items; nearly linear, with little memory, for a few ascending or descending runs with swapped
 * neighbours. */
void sort_items(void *items, size_t count, size_t size, int (*order)(const void *a, const void *b));

#endif
