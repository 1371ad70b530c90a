/* The plain way to deal rows out, which every machine can: one memcpy for each part of each row. */
#include "kernel/deal.h"

#include <string.h>

static inline void copy_rows(uint8_t *to, const uint8_t *from, size_t row, size_t size, uint64_t rows)
{
    for (uint64_t i = 0; i < rows; i++)
        memcpy(to + i * size, from + i * row, size);
}

/* Sizes that compilers turn into one load and one store, when they see them. */
static void copy_part(uint8_t *to, const uint8_t *from, size_t row, size_t size, uint64_t rows)
{
    switch (size) {
    case 1:
        copy_rows(to, from, row, 1, rows);
        break;
    case 2:
        copy_rows(to, from, row, 2, rows);
        break;
    case 4:
        copy_rows(to, from, row, 4, rows);
        break;
    case 8:
        copy_rows(to, from, row, 8, rows);
        break;
    case 16:
        copy_rows(to, from, row, 16, rows);
        break;
    default:
        copy_rows(to, from, row, size, rows);
    }
}

void deal_plain(const struct deal *deal, uint64_t first, uint64_t end)
{
    uint64_t tile = deal->least < 64 ? DEAL_TILE_ROWS : 1;
    for (uint64_t at = first; at < end; at += tile) {
        uint64_t rows = end - at < tile ? end - at : tile;
        for (size_t i = 0; i < deal->count; i++) {
            const struct deal_part *part = &deal->parts[i];
            copy_part(part->to + at * part->size, deal->from + at * deal->row + part->start, deal->row, part->size,
                      rows);
        }
    }
}
