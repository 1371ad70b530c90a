/* Copies long runs: with non-temporal stores, or with the processor's string copy instruction. */
#include "split/split_copy.h"

#ifdef SPLIT_X86

#include <immintrin.h>
#include <string.h>

#include "base/processor.h"

/* ---- stream: outputs larger than the caches ---- */

#define LINE  64   /* bytes of a cache line */
#define AHEAD 1024 /* prefetch distance in bytes */

/* Copies `size` bytes, a multiple of LINE, to the start of a line. The input is not read again, so it need not evict
 * other data from the larger caches. */
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

/* Lines shared with a neighbouring run are stored through the cache. */
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

bool split_stream_can(const struct split_job *job)
{
    return true;
}

/* Shorter runs are profitable where no line belongs to two runs; the shortest are faster with shuffles. */
bool split_stream_pays(const struct split_job *job)
{
    if (!job->past_cache || job->least < 2 * LINE)
        return false;
    for (size_t i = 0; i < job->count && job->least < 1024; i++)
        if (job->parts[i].size % LINE != 0 || (uintptr_t)job->parts[i].to % LINE != 0)
            return false;
    return true;
}

void split_stream(const struct split_job *job, uint64_t first, uint64_t end)
{
    copy_lines *copy = processor_has_avx2() ? copy_lines_by_32 : copy_lines_by_16;
    for (uint64_t at = first; at < end; at++)
        for (size_t i = 0; i < job->count; i++) {
            const struct split_part *part = &job->parts[i];
            copy_run(part->to + at * part->size, job->from + at * job->row + part->start, part->size, copy);
        }
    _mm_sfence(); /* orders the non-temporal stores before later ones */
}

/* ---- string: where fast, writes whole lines without reading them first, unlike a loop of stores ---- */

#ifdef SPLIT_STRING

#include <sys/platform/x86.h>

#define STRING_LEAST 1024
#define STRING_SIZE  ((uint64_t)1 << 20) /* for fewer bytes ordinary stores are as fast */

bool split_string_can(const struct split_job *job)
{
    return true;
}

bool split_string_pays(const struct split_job *job)
{
    return job->least >= STRING_LEAST && job->size >= STRING_SIZE && CPU_FEATURE_ACTIVE(FSRM);
}

void split_string(const struct split_job *job, uint64_t first, uint64_t end)
{
    for (uint64_t at = first; at < end; at++)
        for (size_t i = 0; i < job->count; i++) {
            size_t size = job->parts[i].size;
            void *to = job->parts[i].to + at * size;
            const void *from = job->from + at * job->row + job->parts[i].start;
            __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
        }
}

#endif

#endif
