/* Runs of outputs that the caches can hold, in registers of 32 bytes. */
#include "kernel/deal.h"

#ifdef DEAL_X86

#include "base/processor.h"
#include "kernel/rows_copy.h"

#define RUN_LEAST 16 /* shorter ones are copied by the same instructions everywhere */

__attribute__((target("avx2"))) void deal_wide_rows(uint8_t *to, const uint8_t *from, ptrdiff_t step, size_t size,
                                                    uint64_t rows)
{
    rows_copy(to, size, from, step, size, rows, true);
}

bool deal_wide_can(const struct deal *deal)
{
    return processor_has_avx2();
}

bool deal_wide_pays(const struct deal *deal)
{
    return deal->least >= RUN_LEAST;
}

void deal_wide(const struct deal *deal, uint64_t first, uint64_t end)
{
    deal_tiles(deal, first, end, deal_wide_rows);
}

#endif
