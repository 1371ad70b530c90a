/* Tiny parts of any sizes. What 32 bytes of a part are put together from repeats after a few rows: a pattern of loads
 * and byte shuffles is made for each part, and then only followed. */
#include "kernel/deal.h"

#ifdef DEAL_X86

#include <immintrin.h>
#include <string.h>

#include "base/processor.h"

#define LANE        16 /* bytes that one shuffle picks from */
#define VECTOR      32 /* two lanes */
#define TERMS_MAX   8  /* loads for a lane; with more of them the plain way is as fast */
#define VECTORS_MAX 32 /* until the pattern repeats */
#define PART_MAX    128
#define RUN_SHORT   8 /* bytes, on average */
#define ROWS_LEAST  2048
#define ROW_MAX     8192
#define TILE_SIZE   4096
#define BATCH       8 /* parts whose patterns are held at once */

struct pattern {
    unsigned rows, vectors, terms;             /* rows: a power of two */
    size_t reach;                              /* where its last load ends, from its first row on */
    uint32_t from[VECTORS_MAX * TERMS_MAX][2]; /* where each load starts, one for each lane */
    _Alignas(VECTOR) uint8_t pick[VECTORS_MAX * TERMS_MAX][VECTOR];
};

#define AVX2 __attribute__((target("avx2")))
/* Inlined where the number of terms is a constant. */
#define AVX2_INLINE __attribute__((target("avx2"), always_inline)) static inline
/* Only what is unrolled stays in registers. */
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

static size_t common_divisor(size_t a, size_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Plans the loads for the lane that starts at byte `at` of the part, each from the first byte that is still missing,
 * and gives their number. pattern NULL: only counts. */
static unsigned plan_lane(const struct deal *deal, const struct deal_part *part, size_t at, struct pattern *pattern,
                          unsigned entry)
{
    unsigned terms = 0, lane = at / LANE % 2;
    size_t in_part = at % part->size, place = at / part->size * deal->row + part->start + in_part, from = 0;
    for (size_t i = 0; i < LANE; i++) {
        if (terms == 0 || place - from >= LANE) {
            from = place;
            if (pattern != NULL) {
                pattern->from[entry + terms][lane] = (uint32_t)from;
                pattern->reach = from + LANE > pattern->reach ? from + LANE : pattern->reach;
            }
            terms++;
        }
        if (pattern != NULL)
            pattern->pick[entry + terms - 1][lane * LANE + i] = (uint8_t)(place - from);
        in_part++, place++;
        if (in_part == part->size) {
            in_part = 0;
            place += deal->row - part->size;
        }
    }
    return terms;
}

/* The most that a lane needs. */
static unsigned count_terms(const struct deal *deal, const struct deal_part *part)
{
    unsigned most = 0;
    size_t period = part->size / common_divisor(part->size, LANE) * LANE;
    for (size_t at = 0; at < period; at += LANE) {
        unsigned terms = plan_lane(deal, part, at, NULL, 0);
        most = terms > most ? terms : most;
    }
    return most;
}

static void plan_pattern(const struct deal *deal, const struct deal_part *part, struct pattern *pattern)
{
    size_t divisor = common_divisor(part->size, VECTOR);
    pattern->rows = (unsigned)(VECTOR / divisor);
    pattern->vectors = (unsigned)(part->size / divisor);
    pattern->terms = count_terms(deal, part);
    pattern->reach = part->start + LANE;
    for (unsigned i = 0; i < pattern->vectors * pattern->terms; i++) {
        /* A lane that needs fewer terms loads what is there and picks nothing of it. */
        pattern->from[i][0] = pattern->from[i][1] = (uint32_t)part->start;
        memset(pattern->pick[i], 0x80, VECTOR);
    }
    for (unsigned lane = 0; lane < 2 * pattern->vectors; lane++)
        plan_lane(deal, part, lane * LANE, pattern, lane / 2 * pattern->terms);
}

bool deal_shuffle_can(const struct deal *deal)
{
    if (deal->row > ROW_MAX || deal->most > PART_MAX || !processor_has_avx2())
        return false;
    for (size_t i = 0; i < deal->count; i++) {
        const struct deal_part *part = &deal->parts[i];
        if (part->size / common_divisor(part->size, VECTOR) > VECTORS_MAX || count_terms(deal, part) > TERMS_MAX)
            return false;
    }
    return true;
}

/* Not for so few rows that making the patterns takes longer than following them. Runs of more than a few bytes are
 * copied one by one as fast, but not past the cache. */
bool deal_shuffle_pays(const struct deal *deal)
{
    return deal->most <= PART_MAX && deal->rows >= ROWS_LEAST &&
           (deal->past_cache || deal->size / deal->rows <= RUN_SHORT * deal->count);
}

AVX2_INLINE __m256i load_both(const uint8_t *from, const uint32_t at[2])
{
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): plan_pattern fills as many as are followed. */
    __m256i low = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(from + at[0])));
    return _mm256_inserti128_si256(low, _mm_loadu_si128((const __m128i *)(from + at[1])), 1);
}

AVX2_INLINE void store(uint8_t *to, __m256i bytes, bool past_cache)
{
    if (past_cache)
        _mm256_stream_si256((__m256i *)to, bytes);
    else
        _mm256_storeu_si256((__m256i *)to, bytes);
}

/* Parts of 1, 2, 4, 8, 16 and 32 bytes have patterns of one vector, which stay in registers. */
AVX2_INLINE void follow_one(const struct pattern *pattern, const uint8_t *from, size_t step, uint8_t *to,
                            uint64_t count, bool past_cache, unsigned terms)
{
    __m256i pick[TERMS_MAX];
    uint32_t at[TERMS_MAX][2];
    UNROLL for (unsigned i = 0; i < terms; i++)
    {
        pick[i] = _mm256_load_si256((const __m256i *)pattern->pick[i]);
        memcpy(at[i], pattern->from[i], sizeof(at[i]));
    }
    for (uint64_t n = 0; n < count; n++, from += step, to += VECTOR) {
        __m256i sum = _mm256_shuffle_epi8(load_both(from, at[0]), pick[0]);
        UNROLL for (unsigned i = 1; i < terms; i++) sum =
            _mm256_or_si256(sum, _mm256_shuffle_epi8(load_both(from, at[i]), pick[i]));
        store(to, sum, past_cache);
    }
}

AVX2_INLINE void follow_many(const struct pattern *pattern, const uint8_t *from, size_t step, uint8_t *to,
                             uint64_t count, bool past_cache, unsigned terms)
{
    for (uint64_t n = 0; n < count; n++, from += step) {
        const uint32_t(*at)[2] = pattern->from;
        const uint8_t(*pick)[VECTOR] = pattern->pick;
        for (unsigned left = pattern->vectors; left > 0; left--, to += VECTOR, at += terms, pick += terms) {
            __m256i sum = _mm256_setzero_si256();
            UNROLL for (unsigned i = 0; i < terms; i++)
            {
                __m256i picked = _mm256_load_si256((const __m256i *)pick[i]);
                sum = _mm256_or_si256(sum, _mm256_shuffle_epi8(load_both(from, at[i]), picked));
            }
            store(to, sum, past_cache);
        }
    }
}

AVX2_INLINE void follow_terms(const struct pattern *pattern, const uint8_t *from, size_t row, uint8_t *to,
                              uint64_t count, bool past_cache, unsigned terms)
{
    size_t step = pattern->rows * row;
    if (pattern->vectors > 1)
        follow_many(pattern, from, step, to, count, past_cache, terms);
    else if (past_cache)
        follow_one(pattern, from, step, to, count, true, terms);
    else
        follow_one(pattern, from, step, to, count, false, terms);
}

/* The pattern `count` times. */
AVX2 static void follow(const struct pattern *pattern, const uint8_t *from, size_t row, uint8_t *to, uint64_t count,
                        bool past_cache)
{
    switch (pattern->terms) {
    case 1:
        follow_terms(pattern, from, row, to, count, past_cache, 1);
        break;
    case 2:
        follow_terms(pattern, from, row, to, count, past_cache, 2);
        break;
    case 3:
        follow_terms(pattern, from, row, to, count, past_cache, 3);
        break;
    case 4:
        follow_terms(pattern, from, row, to, count, past_cache, 4);
        break;
    case 5:
        follow_terms(pattern, from, row, to, count, past_cache, 5);
        break;
    case 6:
        follow_terms(pattern, from, row, to, count, past_cache, 6);
        break;
    case 7:
        follow_terms(pattern, from, row, to, count, past_cache, 7);
        break;
    default:
        follow_terms(pattern, from, row, to, count, past_cache, 8);
    }
}

/* Rows [first, end) of one part; what is left of them after whole patterns is dealt the plain way. */
static void run_part(const struct deal *deal, const struct deal_part *part, const struct pattern *pattern,
                     uint64_t first, uint64_t end, bool past_cache)
{
    uint64_t count = (end - first) >> __builtin_ctz(pattern->rows), all = deal->rows * deal->row;
    /* The last load may be longer than what it is for. */
    while (count > 0 && (first + (count - 1) * pattern->rows) * deal->row + pattern->reach > all)
        count--;
    follow(pattern, deal->from + first * deal->row, deal->row, part->to + first * part->size, count, past_cache);
    if (first + count * pattern->rows < end) {
        struct deal rest = *deal;
        rest.parts = part;
        rest.count = 1;
        deal_plain(&rest, first + count * pattern->rows, end);
    }
}

/* Whole cache lines of each part, of few rows: from one part to the next the processor forgets which lines it was to
 * fetch ahead. Shorter elements take so many steps for a tile that smaller tiles would cost more than they gain. */
static uint64_t tile_rows(const struct deal *deal)
{
    size_t divisor = DEAL_TILE_ROWS, size = deal->least < LANE ? TILE_SIZE : TILE_SIZE / 2;
    for (size_t i = 0; i < deal->count; i++)
        divisor = common_divisor(divisor, deal->parts[i].size);
    size_t unit = DEAL_TILE_ROWS / divisor, units = size / (deal->row * unit);
    return units == 0 ? unit : units * unit;
}

void deal_shuffle(const struct deal *deal, uint64_t first, uint64_t end)
{
    struct pattern patterns[BATCH];
    uint64_t tile = tile_rows(deal);
    bool past_cache = deal->aligned && first % VECTOR == 0 && deal->past_cache;
    for (size_t done = 0; done < deal->count; done += BATCH) {
        size_t count = deal->count - done < BATCH ? deal->count - done : BATCH;
        const struct deal_part *parts = deal->parts + done;
        for (size_t i = 0; i < count; i++)
            plan_pattern(deal, &parts[i], &patterns[i]);
        for (uint64_t at = first; at < end; at += tile)
            for (size_t i = 0; i < count; i++)
                run_part(deal, &parts[i], &patterns[i], at, end - at < tile ? end : at + tile, past_cache);
    }
    _mm_sfence();
}

#endif
