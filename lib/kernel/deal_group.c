/* Two to eight tiny parts of the same size. 16 bytes of rows are shuffled into one group for each part; the groups of
 * loads that follow each other are then joined, as a matrix is transposed: one load serves all parts. */
#include "kernel/deal.h"

#ifdef DEAL_X86

#include <immintrin.h>
#include <string.h>

#include "base/processor.h"

#define LANE      16 /* bytes that one shuffle picks from */
#define VECTOR    32 /* two lanes: 16 bytes of each part, and the 16 after them */
#define PARTS_MAX 8

#define AVX2 __attribute__((target("avx2")))
/* Inlined where the number of parts is a constant; only then do the vectors stay in registers. */
#define AVX2_INLINE __attribute__((target("avx2"), always_inline)) static inline

/* A power of two; the last ones may stay empty. */
static size_t group_count(const struct deal *deal)
{
    return deal->count <= 2 ? 2 : deal->count <= 4 ? 4 : 8;
}

/* Rows that one shuffle takes; 0: not even one. */
static size_t lane_rows(const struct deal *deal)
{
    return LANE / group_count(deal) / deal->least;
}

bool deal_group_can(const struct deal *deal)
{
    size_t size = deal->least;
    if (deal->count < 2 || deal->count > PARTS_MAX || size != deal->most || (size & (size - 1)) != 0 ||
        lane_rows(deal) == 0 || deal->row > LANE)
        return false;
    size_t span = deal->parts[deal->count - 1].start + size - deal->parts[0].start;
    return (lane_rows(deal) - 1) * deal->row + span <= LANE && processor_has_avx2();
}

bool deal_group_pays(const struct deal *deal)
{
    return true;
}

static void plan_pick(const struct deal *deal, uint8_t pick[LANE])
{
    size_t group = LANE / group_count(deal), size = deal->least;
    memset(pick, 0x80, LANE); /* picks nothing */
    for (size_t part = 0; part < deal->count; part++) {
        size_t start = deal->parts[part].start - deal->parts[0].start;
        for (size_t i = 0; i < group; i++)
            pick[part * group + i] = (uint8_t)(i / size * deal->row + start + i % size);
    }
}

AVX2_INLINE void join_2(__m256i *v)
{
    __m256i low = _mm256_unpacklo_epi64(v[0], v[1]);
    v[1] = _mm256_unpackhi_epi64(v[0], v[1]);
    v[0] = low;
}

AVX2_INLINE void join_4(__m256i *v)
{
    __m256i a = _mm256_unpacklo_epi32(v[0], v[1]), b = _mm256_unpackhi_epi32(v[0], v[1]);
    __m256i c = _mm256_unpacklo_epi32(v[2], v[3]), d = _mm256_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm256_unpacklo_epi64(a, c);
    v[1] = _mm256_unpackhi_epi64(a, c);
    v[2] = _mm256_unpacklo_epi64(b, d);
    v[3] = _mm256_unpackhi_epi64(b, d);
}

AVX2_INLINE void join_8(__m256i *v)
{
    __m256i low[4] = {_mm256_unpacklo_epi16(v[0], v[1]), _mm256_unpacklo_epi16(v[2], v[3]),
                      _mm256_unpacklo_epi16(v[4], v[5]), _mm256_unpacklo_epi16(v[6], v[7])};
    __m256i high[4] = {_mm256_unpackhi_epi16(v[0], v[1]), _mm256_unpackhi_epi16(v[2], v[3]),
                       _mm256_unpackhi_epi16(v[4], v[5]), _mm256_unpackhi_epi16(v[6], v[7])};
    join_4(low);
    join_4(high);
    memcpy(v, low, sizeof(low));
    memcpy(v + 4, high, sizeof(high));
}

struct plan {
    const uint8_t *from;
    size_t lane_step, half_step; /* bytes from one load to the next, and to the upper lane's */
    uint8_t pick[LANE];
    uint8_t *to[PARTS_MAX];
    uint64_t count; /* vectors for each part */
    bool past_cache;
};

/* One vector of each part. */
AVX2_INLINE void load_groups(__m256i *v, const uint8_t *from, size_t lane_step, size_t half_step, __m256i pick,
                             size_t groups)
{
    for (size_t i = 0; i < groups; i++, from += lane_step) {
        __m256i low = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)from));
        __m256i both = _mm256_inserti128_si256(low, _mm_loadu_si128((const __m128i *)(from + half_step)), 1);
        v[i] = _mm256_shuffle_epi8(both, pick);
    }
    if (groups == 2)
        join_2(v);
    else if (groups == 4)
        join_4(v);
    else
        join_8(v);
}

/* Past the cache whole lines are written: halves of them, of several parts, wait for each other. */
AVX2_INLINE void copy_parts(const struct plan *plan, size_t parts, size_t groups, bool past_cache)
{
    __m256i pick = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)plan->pick)), v[2][PARTS_MAX];
    const uint8_t *from = plan->from;
    size_t lane_step = plan->lane_step, half_step = plan->half_step;
    uint64_t end = plan->count * VECTOR;
    uint8_t *to[PARTS_MAX];
    memcpy(to, plan->to, sizeof(to));
    for (uint64_t at = 0; at < end && !past_cache; at += VECTOR, from += 2 * half_step) {
        load_groups(v[0], from, lane_step, half_step, pick, groups);
        for (size_t i = 0; i < parts; i++)
            _mm256_storeu_si256((__m256i *)(to[i] + at), v[0][i]);
    }
    for (uint64_t at = 0; at < end && past_cache; at += 2 * VECTOR, from += 4 * half_step) {
        load_groups(v[0], from, lane_step, half_step, pick, groups);
        load_groups(v[1], from + 2 * half_step, lane_step, half_step, pick, groups);
        for (size_t i = 0; i < parts; i++) {
            _mm256_stream_si256((__m256i *)(to[i] + at), v[0][i]);
            _mm256_stream_si256((__m256i *)(to[i] + at + VECTOR), v[1][i]);
        }
    }
}

AVX2_INLINE void copy_stored(const struct plan *plan, size_t parts, size_t groups)
{
    if (plan->past_cache)
        copy_parts(plan, parts, groups, true);
    else
        copy_parts(plan, parts, groups, false);
}

AVX2 static void copy(const struct plan *plan, size_t parts)
{
    switch (parts) {
    case 2:
        copy_stored(plan, 2, 2);
        break;
    case 3:
        copy_stored(plan, 3, 4);
        break;
    case 4:
        copy_stored(plan, 4, 4);
        break;
    case 5:
        copy_stored(plan, 5, 8);
        break;
    case 6:
        copy_stored(plan, 6, 8);
        break;
    case 7:
        copy_stored(plan, 7, 8);
        break;
    default:
        copy_stored(plan, 8, 8);
    }
}

void deal_group(const struct deal *deal, uint64_t first, uint64_t end)
{
    uint64_t rows = VECTOR / deal->least, readable = deal->rows * deal->row - deal->parts[0].start;
    struct plan plan = {
        .from = deal->from + first * deal->row + deal->parts[0].start,
        .lane_step = lane_rows(deal) * deal->row,
        .half_step = rows / 2 * deal->row,
        .count = (end - first) / rows,
        .past_cache = deal->aligned && first * deal->least % (2 * VECTOR) == 0 && deal->past_cache,
    };
    /* The last load may be longer than the rows that it is for. */
    while (plan.count > 0 && (first + plan.count * rows - lane_rows(deal)) * deal->row + LANE > readable)
        plan.count--;
    plan.count -= plan.past_cache ? plan.count % 2 : 0;
    plan_pick(deal, plan.pick);
    for (size_t i = 0; i < deal->count; i++)
        plan.to[i] = deal->parts[i].to + first * deal->least;
    copy(&plan, deal->count);
    deal_plain(deal, first + plan.count * rows, end);
    _mm_sfence();
}

#endif
