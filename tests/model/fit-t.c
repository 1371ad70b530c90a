/* Filler: any number of bytes can be filled, readers skip it, and what is long stays where it is. */
#include "model/fit.h"

#include <stdlib.h>
#include <string.h>

#include "tests/tap/tap.h"

static struct opshift_error error;

/* One edit's filler, of this size, behind a record of a node's input. */
static bool filled(struct arena *arena, uint32_t size, struct bytes *added)
{
    uint32_t fills[] = {size};
    bool live[] = {false};
    struct fit fit = {.fills = fills, .added = added, .live = live};
    struct bytes record = {(const uint8_t *)"\x0a\x03"
                                            "abc",
                           5};
    return fit_fill(&fit, 0, record, arena) && live[0];
}

/* The fields that a reader sees: the input, then filler or nothing. */
static bool is_read(struct bytes added, uint32_t size)
{
    struct source *source;
    struct wire_field field;
    bool found, good = source_open_memory(added.data, added.size, &source, &error) == OPSHIFT_OK;
    struct wire_cursor cursor = {source, 0, added.size};
    good = good && wire_next(&cursor, &field, &found, &error) == OPSHIFT_OK && found && field.number == 1 &&
           field.size == 3 && !fit_is_filler(&field);
    if (good && size >= 4)
        good = wire_next(&cursor, &field, &found, &error) == OPSHIFT_OK && found && fit_is_filler(&field);
    good = good && wire_next(&cursor, &field, &found, &error) == OPSHIFT_OK && !found;
    source_free(source);
    return good;
}

static void sizes(void)
{
    static const struct {
        uint32_t from, to;
    } ranges[] = {{0, 300}, {4000, 4200}, {16380, 16400}, {2097140, 2097170}};
    for (size_t i = 0; i < COUNT(ranges); i++) {
        struct arena *arena = arena_new(0);
        uint32_t size = ranges[i].from;
        struct bytes added;
        while (size < ranges[i].to && filled(arena, size, &added) && added.size == 5 + size && is_read(added, size))
            size++;
        is_int(ranges[i].to, size, "every size from %u up", ranges[i].from);
        arena_free(arena);
    }
}

int main(void)
{
    sizes();
    return done();
}
