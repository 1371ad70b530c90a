#include "base/list.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 16u

/* The room after the next growth; 0: too many items. */
static uint32_t room_next(uint32_t room, size_t size)
{
    uint32_t wanted = room ? 2 * room : ROOM_FIRST;
    return room <= UINT32_MAX / 2 && wanted <= SIZE_MAX / size ? wanted : 0;
}

bool list_grow(void *list, size_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return true;
    void *items;
    memcpy(&items, list, sizeof(items));
    uint32_t wanted = room_next(*room, size);
    items = wanted ? realloc(items, wanted * size) : NULL;
    if (items == NULL)
        return false;
    memcpy(list, &items, sizeof(items));
    *room = wanted;
    assert(count < *room); /* items were added one by one */
    return true;
}

bool arena_list_grow(struct arena *arena, void *list, size_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return true;
    void *items;
    memcpy(&items, list, sizeof(items));
    uint32_t wanted = room_next(*room, size);
    void *grown = wanted ? arena_alloc(arena, wanted, size) : NULL;
    if (grown == NULL)
        return false;
    if (count > 0)
        memcpy(grown, items, count * size);
    memcpy(list, &grown, sizeof(grown));
    *room = wanted;
    assert(count < *room); /* items were added one by one */
    return true;
}
