/* The plain way to deal rows out, which every machine can: one memcpy for each part of each row. */
#include "kernel/deal.h"

#include <string.h>

static inline void copy_rows(uint8_t *to, size_t to_step, const uint8_t *from, ptrdiff_t step, size_t size,
                             uint64_t rows)
{
    for (uint64_t i = 0; i < rows; i++)
        memcpy(to + i * to_step, from + (ptrdiff_t)i * step, size);
}

/* Sizes that compilers turn into one load and one store, when they see them. */
void deal_plain_rows(uint8_t *to, size_t to_step, const uint8_t *from, ptrdiff_t step, size_t size, uint64_t rows)
{
    switch (size) {
    case 1:
        copy_rows(to, to_step, from, step, 1, rows);
        break;
    case 2:
        copy_rows(to, to_step, from, step, 2, rows);
        break;
    case 4:
        copy_rows(to, to_step, from, step, 4, rows);
        break;
    case 8:
        copy_rows(to, to_step, from, step, 8, rows);
        break;
    case 16:
        copy_rows(to, to_step, from, step, 16, rows);
        break;
    default:
        copy_rows(to, to_step, from, step, size, rows);
    }
}

void deal_plain(const struct deal *deal, uint64_t first, uint64_t end)
{
    uint64_t tile = deal->least < 64 ? DEAL_TILE_ROWS : 1;
    for (uint64_t at = first; at < end; at += tile) {
        uint64_t rows = end - at < tile ? end - at : tile;
        for (size_t i = 0; i < deal->count; i++) {
            const struct deal_part *part = &deal->parts[i];
            deal_plain_rows(part->to + at * part->size, part->size, deal->from + at * deal->row + part->start,
                            (ptrdiff_t)deal->row, part->size, rows);
        }
    }
}
