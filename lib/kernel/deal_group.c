/* Tiny parts of the same size, up to eight at a time. 16 bytes of rows are shuffled into one group for each part; the
 * groups of loads that follow each other are then joined, as a matrix is transposed: one load serves all parts. */
#include "kernel/deal.h"

#ifdef DEAL_X86

#include <immintrin.h>
#include <string.h>

#include "base/processor.h"

#define LANE      16 /* bytes that one shuffle picks from */
#define VECTOR    32 /* two lanes: 16 bytes of each part, and the 16 after them */
#define PARTS_MAX 8
#define TILE_SIZE 8192

#define AVX2 __attribute__((target("avx2")))
/* Inlined where the number of groups is a constant; only then do the vectors stay in registers. */
#define AVX2_INLINE __attribute__((target("avx2"), always_inline)) static inline
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

/* Parts that one load of a row can serve. */
static size_t batch_count(const struct deal *deal)
{
    return deal->least < 2 ? PARTS_MAX : LANE / deal->least;
}

/* Some parts of a deal, as a deal. */
static struct deal batch_make(const struct deal *deal, size_t first)
{
    struct deal batch = *deal;
    size_t left = deal->count - first, most = batch_count(deal);
    batch.parts += first;
    batch.count = left < most ? left : most;
    return batch;
}

/* A power of two, as few as hold the parts; the last ones may stay empty. More than PARTS_MAX: no load holds the rows
 * that it is for. */
static size_t group_count(const struct deal *batch)
{
    size_t groups = 2;
    size_t span = batch->parts[batch->count - 1].start + batch->least - batch->parts[0].start;
    for (; groups <= PARTS_MAX; groups *= 2) {
        size_t rows = LANE / groups / batch->least;
        if (groups >= batch->count && rows > 0 && (rows - 1) * batch->row + span <= LANE)
            break;
    }
    return groups;
}

bool deal_group_can(const struct deal *deal)
{
    size_t size = deal->least;
    if (deal->count < 2 || size != deal->most || (size & (size - 1)) != 0 || size > LANE / 2)
        return false;
    for (size_t i = 0; i < deal->count; i += batch_count(deal)) {
        struct deal batch = batch_make(deal, i);
        if (group_count(&batch) > PARTS_MAX)
            return false;
    }
    return processor_has_avx2();
}

/* Past the cache few or long parts are written faster one by one. */
bool deal_group_pays(const struct deal *deal)
{
    return !deal->past_cache || (deal->count > 3 && deal->least < 8);
}

static void plan_pick(const struct deal *batch, size_t groups, uint8_t pick[LANE])
{
    size_t rows = LANE / groups / batch->least;
    memset(pick, 0x80, LANE); /* picks nothing */
    for (size_t part = 0; part < batch->count; part++, pick += LANE / groups)
        for (size_t row = 0; row < rows; row++)
            for (size_t i = 0; i < batch->least; i++)
                pick[row * batch->least + i] =
                    (uint8_t)(row * batch->row + batch->parts[part].start - batch->parts[0].start + i);
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
    size_t parts;
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
AVX2_INLINE void copy_parts(const struct plan *plan, size_t groups, bool past_cache)
{
    __m256i pick = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)plan->pick)), v[2][PARTS_MAX];
    const uint8_t *from = plan->from;
    size_t lane_step = plan->lane_step, half_step = plan->half_step, parts = plan->parts;
    uint64_t end = plan->count * VECTOR;
    uint8_t *to[PARTS_MAX];
    memcpy(to, plan->to, sizeof(to));
    for (uint64_t at = 0; at < end && !past_cache; at += VECTOR, from += 2 * half_step) {
        load_groups(v[0], from, lane_step, half_step, pick, groups);
        UNROLL for (size_t i = 0; i < groups; i++) if (i < parts) _mm256_storeu_si256((__m256i *)(to[i] + at), v[0][i]);
    }
    for (uint64_t at = 0; at < end && past_cache; at += 2 * VECTOR, from += 4 * half_step) {
        load_groups(v[0], from, lane_step, half_step, pick, groups);
        load_groups(v[1], from + 2 * half_step, lane_step, half_step, pick, groups);
        UNROLL for (size_t i = 0; i < groups; i++) if (i < parts)
        {
            _mm256_stream_si256((__m256i *)(to[i] + at), v[0][i]);
            _mm256_stream_si256((__m256i *)(to[i] + at + VECTOR), v[1][i]);
        }
    }
}

AVX2_INLINE void copy_groups(const struct plan *plan, size_t groups)
{
    if (plan->past_cache)
        copy_parts(plan, groups, true);
    else
        copy_parts(plan, groups, false);
}

AVX2 static void copy(const struct plan *plan, size_t groups)
{
    if (groups == 2)
        copy_groups(plan, 2);
    else if (groups == 4)
        copy_groups(plan, 4);
    else
        copy_groups(plan, 8);
}

static void run_batch(const struct deal *batch, uint64_t first, uint64_t end)
{
    size_t groups = group_count(batch), lane_rows = LANE / groups / batch->least;
    uint64_t rows = VECTOR / batch->least, readable = batch->rows * batch->row - batch->parts[0].start;
    struct plan plan = {
        .from = batch->from + first * batch->row + batch->parts[0].start,
        .lane_step = lane_rows * batch->row,
        .half_step = rows / 2 * batch->row,
        .parts = batch->count,
        .count = (end - first) / rows,
        .past_cache = batch->aligned && first * batch->least % (2 * VECTOR) == 0 && batch->past_cache,
    };
    /* The last load may be longer than the rows that it is for. */
    while (plan.count > 0 && (first + plan.count * rows - lane_rows) * batch->row + LANE > readable)
        plan.count--;
    plan.count -= plan.past_cache ? plan.count % 2 : 0;
    plan_pick(batch, groups, plan.pick);
    for (size_t i = 0; i < batch->count; i++)
        plan.to[i] = batch->parts[i].to + first * batch->least;
    copy(&plan, groups);
    deal_plain(batch, first + plan.count * rows, end);
}

/* Several batches take turns within rows that stay in the nearest cache. */
void deal_group(const struct deal *deal, uint64_t first, uint64_t end)
{
    uint64_t units = TILE_SIZE / (deal->row * DEAL_TILE_ROWS) + 1;
    uint64_t tile = deal->count > batch_count(deal) ? units * DEAL_TILE_ROWS : deal->rows;
    for (uint64_t at = first; at < end; at += tile)
        for (size_t i = 0; i < deal->count; i += batch_count(deal)) {
            struct deal batch = batch_make(deal, i);
            run_batch(&batch, at, end - at < tile ? end : at + tile);
        }
    _mm_sfence();
}

#endif
