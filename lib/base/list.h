/* Lists that grow by doubling. */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* Makes room for one more item after `count` items of `size` bytes, of *room. `list` is the address of the pointer to
 * the items, which realloc moves; free releases them. False: no memory; the list is as before. */
bool list_grow(void *list, size_t count, uint32_t *room, size_t size);

/* list_grow with memory of an arena; the old items stay allocated. */
bool arena_list_grow(struct arena *arena, void *list, size_t count, uint32_t *room, size_t size);

#endif
