/* Copies tiny parts with byte shuffles. */
#include "split/split_copy.h"

#ifdef SPLIT_X86

#include <immintrin.h>
#include <string.h>

#include "base/processor.h"

#define LANE   16 /* bytes that one shuffle selects from */
#define VECTOR 32 /* two lanes */

#define AVX2 __attribute__((target("avx2")))
/* Must be inlined with a constant number of groups or terms; otherwise the vectors are spilled to memory. */
#define AVX2_INLINE __attribute__((target("avx2"), always_inline)) static inline
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

/* ---- group: up to eight parts of the same size, all from the same loads ---- */

#define GROUPS_MAX 8
#define GROUP_TILE 8192

/* Parts that one load of a row covers. */
static size_t batch_count(const struct split_job *job)
{
    return job->least < 2 ? GROUPS_MAX : LANE / job->least;
}

/* A job with the parts from `first` on. */
static struct split_job batch_make(const struct split_job *job, size_t first)
{
    struct split_job batch = *job;
    size_t left = job->count - first, most = batch_count(job);
    batch.parts += first;
    batch.count = left < most ? left : most;
    return batch;
}

/* The smallest power of two that holds the parts; the last groups may stay empty. A result above GROUPS_MAX: no load
 * covers the rows needed. */
static size_t group_count(const struct split_job *batch)
{
    size_t groups = 2;
    size_t span = batch->parts[batch->count - 1].start + batch->least - batch->parts[0].start;
    for (; groups <= GROUPS_MAX; groups *= 2) {
        size_t rows = LANE / groups / batch->least;
        if (groups >= batch->count && rows > 0 && (rows - 1) * batch->row + span <= LANE)
            break;
    }
    return groups;
}

bool split_group_can(const struct split_job *job)
{
    size_t size = job->least;
    if (job->count < 2 || size != job->most || (size & (size - 1)) != 0 || size > LANE / 2)
        return false;
    for (size_t i = 0; i < job->count; i += batch_count(job)) {
        struct split_job batch = batch_make(job, i);
        if (group_count(&batch) > GROUPS_MAX)
            return false;
    }
    return processor_has_avx2();
}

/* Beyond the caches, few or long parts are faster one by one. */
bool split_group_pays(const struct split_job *job)
{
    return !job->past_cache || (job->count > 3 && job->least < 8);
}

static void pick_groups(const struct split_job *batch, size_t groups, uint8_t pick[LANE])
{
    size_t rows = LANE / groups / batch->least;
    memset(pick, 0x80, LANE); /* selects nothing */
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

struct grouping {
    const uint8_t *from;
    size_t lane_step, half_step; /* bytes from one load to the next, and from the lower lane to the upper */
    uint8_t pick[LANE];
    size_t parts;
    uint8_t *to[GROUPS_MAX];
    uint64_t count; /* vectors per part */
    bool past_cache;
};

/* Loads one vector of each part. */
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

/* Beyond the caches, whole cache lines are written; alternating half lines of several parts would stall. */
AVX2_INLINE void copy_parts(const struct grouping *grouping, size_t groups, bool past_cache)
{
    __m256i pick = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)grouping->pick)), v[2][GROUPS_MAX];
    const uint8_t *from = grouping->from;
    size_t lane_step = grouping->lane_step, half_step = grouping->half_step, parts = grouping->parts;
    uint64_t end = grouping->count * VECTOR;
    uint8_t *to[GROUPS_MAX];
    memcpy(to, grouping->to, sizeof(to));
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

AVX2_INLINE void copy_groups(const struct grouping *grouping, size_t groups)
{
    if (grouping->past_cache)
        copy_parts(grouping, groups, true);
    else
        copy_parts(grouping, groups, false);
}

AVX2 static void copy_any(const struct grouping *grouping, size_t groups)
{
    if (groups == 2)
        copy_groups(grouping, 2);
    else if (groups == 4)
        copy_groups(grouping, 4);
    else
        copy_groups(grouping, 8);
}

static void run_batch(const struct split_job *batch, uint64_t first, uint64_t end)
{
    size_t groups = group_count(batch), lane_rows = LANE / groups / batch->least;
    uint64_t rows = VECTOR / batch->least, readable = batch->rows * batch->row - batch->parts[0].start;
    struct grouping grouping = {
        .from = batch->from + first * batch->row + batch->parts[0].start,
        .lane_step = lane_rows * batch->row,
        .half_step = rows / 2 * batch->row,
        .parts = batch->count,
        .count = (end - first) / rows,
        .past_cache = batch->aligned && first * batch->least % (2 * VECTOR) == 0 && batch->past_cache,
    };
    /* The last load may read past the rows it needs. */
    while (grouping.count > 0 && (first + grouping.count * rows - lane_rows) * batch->row + LANE > readable)
        grouping.count--;
    grouping.count -= grouping.past_cache ? grouping.count % 2 : 0;
    pick_groups(batch, groups, grouping.pick);
    for (size_t i = 0; i < batch->count; i++)
        grouping.to[i] = batch->parts[i].to + first * batch->least;
    copy_any(&grouping, groups);
    split_plain(batch, first + grouping.count * rows, end);
}

/* Batches alternate within rows that stay in the L1 cache. */
void split_group(const struct split_job *job, uint64_t first, uint64_t end)
{
    uint64_t units = GROUP_TILE / (job->row * SPLIT_TILE_ROWS) + 1;
    uint64_t tile = job->count > batch_count(job) ? units * SPLIT_TILE_ROWS : job->rows;
    for (uint64_t at = first; at < end; at += tile)
        for (size_t i = 0; i < job->count; i += batch_count(job)) {
            struct split_job batch = batch_make(job, i);
            run_batch(&batch, at, end - at < tile ? end : at + tile);
        }
    _mm_sfence();
}

/* ---- shuffle: parts of any sizes; the pattern that fills 32 bytes of a part repeats after a few rows ---- */

#define TERMS_MAX    8  /* loads per lane; with more, the plain method is as fast */
#define VECTORS_MAX  32 /* vectors until the pattern repeats */
#define PART_MAX     128
#define RUN_SHORT    8 /* bytes on average */
#define ROWS_LEAST   2048
#define ROW_MAX      8192
#define SHUFFLE_TILE 4096
#define BATCH        8 /* parts whose patterns are in memory at the same time */

struct shuffle_pattern {
    unsigned rows, vectors, terms;             /* rows is a power of two */
    size_t reach;                              /* bytes from the pattern's first row to the end of its last load */
    uint32_t from[VECTORS_MAX * TERMS_MAX][2]; /* offset of each load, one per lane */
    _Alignas(VECTOR) uint8_t pick[VECTORS_MAX * TERMS_MAX][VECTOR];
};

static size_t common_divisor(size_t a, size_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Plans the loads for the lane that starts at byte `at` of the part, each from the first byte still missing. Returns
 * their number. pattern NULL: only counts. */
static unsigned plan_lane(const struct split_job *job, const struct split_part *part, size_t at,
                          struct shuffle_pattern *pattern, unsigned entry)
{
    unsigned terms = 0, lane = at / LANE % 2;
    size_t in_part = at % part->size, place = at / part->size * job->row + part->start + in_part, from = 0;
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
            place += job->row - part->size;
        }
    }
    return terms;
}

/* The largest number of terms of any lane. */
static unsigned count_terms(const struct split_job *job, const struct split_part *part)
{
    unsigned most = 0;
    size_t period = part->size / common_divisor(part->size, LANE) * LANE;
    for (size_t at = 0; at < period; at += LANE) {
        unsigned terms = plan_lane(job, part, at, NULL, 0);
        most = terms > most ? terms : most;
    }
    return most;
}

static void plan_pattern(const struct split_job *job, const struct split_part *part, struct shuffle_pattern *pattern)
{
    size_t divisor = common_divisor(part->size, VECTOR);
    pattern->rows = (unsigned)(VECTOR / divisor);
    pattern->vectors = (unsigned)(part->size / divisor);
    pattern->terms = count_terms(job, part);
    pattern->reach = part->start + LANE;
    for (unsigned i = 0; i < pattern->vectors * pattern->terms; i++) {
        /* A lane that needs fewer terms loads valid bytes and selects none of them. */
        pattern->from[i][0] = pattern->from[i][1] = (uint32_t)part->start;
        memset(pattern->pick[i], 0x80, VECTOR);
    }
    for (unsigned lane = 0; lane < 2 * pattern->vectors; lane++)
        plan_lane(job, part, lane * LANE, pattern, lane / 2 * pattern->terms);
}

bool split_shuffle_can(const struct split_job *job)
{
    if (job->row > ROW_MAX || job->most > PART_MAX || !processor_has_avx2())
        return false;
    for (size_t i = 0; i < job->count; i++) {
        const struct split_part *part = &job->parts[i];
        if (part->size / common_divisor(part->size, VECTOR) > VECTORS_MAX || count_terms(job, part) > TERMS_MAX)
            return false;
    }
    return true;
}

/* With too few rows, computing the patterns takes longer than applying them. Longer runs are as fast one by one,
 * except beyond the caches. */
bool split_shuffle_pays(const struct split_job *job)
{
    return job->most <= PART_MAX && job->rows >= ROWS_LEAST &&
           (job->past_cache || job->size / job->rows <= RUN_SHORT * job->count);
}

AVX2_INLINE __m256i load_both(const uint8_t *from, const uint32_t at[2])
{
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): plan_pattern fills what is applied. */
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

/* Parts of 1, 2, 4, 8, 16 and 32 bytes have one-vector patterns, which stay in registers. */
AVX2_INLINE void follow_one(const struct shuffle_pattern *pattern, const uint8_t *from, size_t step, uint8_t *to,
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

AVX2_INLINE void follow_many(const struct shuffle_pattern *pattern, const uint8_t *from, size_t step, uint8_t *to,
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

AVX2_INLINE void follow_terms(const struct shuffle_pattern *pattern, const uint8_t *from, size_t row, uint8_t *to,
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

/* Applies the pattern `count` times. */
AVX2 static void follow(const struct shuffle_pattern *pattern, const uint8_t *from, size_t row, uint8_t *to,
                        uint64_t count, bool past_cache)
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

/* Copies rows [first, end) of one part; the rows left after whole patterns use the plain method. */
static void run_part(const struct split_job *job, const struct split_part *part, const struct shuffle_pattern *pattern,
                     uint64_t first, uint64_t end, bool past_cache)
{
    uint64_t count = (end - first) >> __builtin_ctz(pattern->rows), all = job->rows * job->row;
    /* The last load may read past the bytes it needs. */
    while (count > 0 && (first + (count - 1) * pattern->rows) * job->row + pattern->reach > all)
        count--;
    follow(pattern, job->from + first * job->row, job->row, part->to + first * part->size, count, past_cache);
    if (first + count * pattern->rows < end) {
        struct split_job rest = *job;
        rest.parts = part;
        rest.count = 1;
        split_plain(&rest, first + count * pattern->rows, end);
    }
}

/* Whole cache lines of each part, of few rows: hardware prefetching restarts at each part. With shorter elements,
 * smaller tiles would cost more than they save. */
static uint64_t tile_rows(const struct split_job *job)
{
    size_t divisor = SPLIT_TILE_ROWS, size = job->least < LANE ? SHUFFLE_TILE : SHUFFLE_TILE / 2;
    for (size_t i = 0; i < job->count; i++)
        divisor = common_divisor(divisor, job->parts[i].size);
    size_t unit = SPLIT_TILE_ROWS / divisor, units = size / (job->row * unit);
    return units == 0 ? unit : units * unit;
}

void split_shuffle(const struct split_job *job, uint64_t first, uint64_t end)
{
    struct shuffle_pattern patterns[BATCH];
    uint64_t tile = tile_rows(job);
    bool past_cache = job->aligned && first % VECTOR == 0 && job->past_cache;
    for (size_t done = 0; done < job->count; done += BATCH) {
        size_t count = job->count - done < BATCH ? job->count - done : BATCH;
        const struct split_part *parts = job->parts + done;
        for (size_t i = 0; i < count; i++)
            plan_pattern(job, &parts[i], &patterns[i]);
        for (uint64_t at = first; at < end; at += tile)
            for (size_t i = 0; i < count; i++)
                run_part(job, &parts[i], &patterns[i], at, end - at < tile ? end : at + tile, past_cache);
    }
    _mm_sfence();
}

#endif
