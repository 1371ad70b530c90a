/* Parts that are runs of whole cache lines, of outputs that the caches cannot hold: stores that pass the cache by do
 * not read what they overwrite. */
#include "kernel/deal.h"

#ifdef DEAL_X86

#include <immintrin.h>
#include <string.h>

#include "base/processor.h"

#define LINE  64
#define AHEAD 1024 /* bytes that are asked for before they are read */

/* `size` bytes, a multiple of LINE, to where a line starts. What is read is not read again: it need not push what
 * others have there out of the larger caches. */
typedef void copy_lines(uint8_t *to, const uint8_t *from, size_t size);

static void copy_lines_by_16(uint8_t *to, const uint8_t *from, size_t size)
{
    for (; size > 0; to += LINE, from += LINE, size -= LINE) {
        _mm_prefetch((const char *)from + AHEAD, _MM_HINT_NTA);
        for (int i = 0; i < LINE; i += 16)
            _mm_stream_si128((__m128i *)(to + i), _mm_loadu_si128((const __m128i *)(from + i)));
    }
}

__attribute__((target("avx2"))) static void copy_lines_by_32(uint8_t *to, const uint8_t *from, size_t size)
{
    for (; size > 0; to += LINE, from += LINE, size -= LINE) {
        _mm_prefetch((const char *)from + AHEAD, _MM_HINT_NTA);
        _mm256_stream_si256((__m256i *)to, _mm256_loadu_si256((const __m256i *)from));
        _mm256_stream_si256((__m256i *)(to + 32), _mm256_loadu_si256((const __m256i *)(from + 32)));
    }
}

/* What shares a line with a neighbour is stored into the cache. */
static void copy_run(uint8_t *to, const uint8_t *from, size_t size, copy_lines *copy)
{
    size_t head = (size_t)(-(uintptr_t)to % LINE);
    if (head > 0) {
        head = head < size ? head : size;
        memcpy(to, from, head);
        to += head, from += head, size -= head;
    }
    size_t tail = size % LINE;
    copy(to, from, size - tail);
    if (tail > 0)
        memcpy(to + size - tail, from + size - tail, tail);
}

bool deal_stream_can(const struct deal *deal)
{
    return true;
}

/* Shorter runs pay where no line belongs to two of them, the shortest are shuffled faster. */
bool deal_stream_pays(const struct deal *deal)
{
    if (!deal->past_cache || deal->least < 2 * LINE)
        return false;
    for (size_t i = 0; i < deal->count && deal->least < 1024; i++)
        if (deal->parts[i].size % LINE != 0 || (uintptr_t)deal->parts[i].to % LINE != 0)
            return false;
    return true;
}

void deal_stream(const struct deal *deal, uint64_t first, uint64_t end)
{
    copy_lines *copy = processor_has_avx2() ? copy_lines_by_32 : copy_lines_by_16;
    for (uint64_t at = first; at < end; at++)
        for (size_t i = 0; i < deal->count; i++) {
            const struct deal_part *part = &deal->parts[i];
            copy_run(part->to + at * part->size, deal->from + at * deal->row + part->start, part->size, copy);
        }
    _mm_sfence(); /* other threads see these stores no later than what follows */
}

#endif
