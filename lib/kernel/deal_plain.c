/* The plain way to deal rows out, which every machine can. */
#include "kernel/deal.h"
#include "kernel/rows_copy.h"

#define TILE_SIZE 8192 /* bytes of rows that one part after the other is taken from */
#define LINE      64

void deal_plain_rows(uint8_t *to, const uint8_t *from, ptrdiff_t step, size_t size, uint64_t rows)
{
    rows_copy(to, size, from, step, size, rows, false);
}

/* So many rows that a part is written for a while before the next one, and that all read them from the nearest cache.
 */
void deal_tiles(const struct deal *deal, uint64_t first, uint64_t end, deal_rows_copy *copy)
{
    uint64_t tile = TILE_SIZE / deal->row + 1, least = LINE / deal->least + 1;
    tile = tile < least ? least : tile;
    for (uint64_t at = first; at < end; at += tile) {
        uint64_t rows = end - at < tile ? end - at : tile;
        for (size_t i = 0; i < deal->count; i++) {
            const struct deal_part *part = &deal->parts[i];
            copy(part->to + at * part->size, deal->from + at * deal->row + part->start, (ptrdiff_t)deal->row,
                 part->size, rows);
        }
    }
}

void deal_plain(const struct deal *deal, uint64_t first, uint64_t end)
{
    deal_tiles(deal, first, end, deal_plain_rows);
}
