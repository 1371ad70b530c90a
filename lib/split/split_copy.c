/* Split on plain buffers: checks the request, selects a copy method, and implements the portable one. */
#include "split/split_copy.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/processor.h"
#include "split/split_rows.h"

/* ---- plain ---- */

#define TILE_SIZE 8192 /* bytes of rows per tile */
#define LINE      64   /* bytes of a cache line */

void split_plain_rows(uint8_t *to, const uint8_t *from, ptrdiff_t step, size_t size, uint64_t rows)
{
    rows_copy(to, size, from, step, size, rows, false);
}

/* Copies part by part within a tile of rows: large enough to write runs of each part, small enough that the tile's
 * input stays in the L1 cache. */
void split_tiles(const struct split_job *job, uint64_t first, uint64_t end, split_copy_rows *copy)
{
    uint64_t tile = TILE_SIZE / job->row + 1, least = LINE / job->least + 1;
    tile = tile < least ? least : tile;
    for (uint64_t at = first; at < end; at += tile) {
        uint64_t rows = end - at < tile ? end - at : tile;
        for (size_t i = 0; i < job->count; i++) {
            const struct split_part *part = &job->parts[i];
            copy(part->to + at * part->size, job->from + at * job->row + part->start, (ptrdiff_t)job->row, part->size,
                 rows);
        }
    }
}

void split_plain(const struct split_job *job, uint64_t first, uint64_t end)
{
    split_tiles(job, first, end, split_plain_rows);
}

#ifdef SPLIT_X86
/* ---- wide ---- */

#define WIDE_LEAST 16 /* shorter parts use the same instructions on every processor */

__attribute__((target("avx2"))) void split_wide_rows(uint8_t *to, const uint8_t *from, ptrdiff_t step, size_t size,
                                                     uint64_t rows)
{
    rows_copy(to, size, from, step, size, rows, true);
}

bool split_wide_can(const struct split_job *job)
{
    return processor_has_avx2();
}

bool split_wide_pays(const struct split_job *job)
{
    return job->least >= WIDE_LEAST;
}

void split_wide(const struct split_job *job, uint64_t first, uint64_t end)
{
    split_tiles(job, first, end, split_wide_rows);
}
#endif

/* ---- any request ---- */

#define SIZE_FEW    1024 /* bytes; below this, selecting a method costs more than it saves */
#define PARTS_STACK 16   /* parts that fit on the stack */

static bool always(const struct split_job *job)
{
    return true;
}

const struct split_method split_methods[] = {
#ifdef SPLIT_X86
    /* name, can, pays, run */
    {"stream", split_stream_can, split_stream_pays, split_stream},
    {"group", split_group_can, split_group_pays, split_group},
    {"shuffle", split_shuffle_can, split_shuffle_pays, split_shuffle},
#endif
#ifdef SPLIT_STRING
    {"string", split_string_can, split_string_pays, split_string},
#endif
#ifdef SPLIT_X86
    {"wide", split_wide_can, split_wide_pays, split_wide},
#endif
    {"plain", always, always, split_plain},
};
const size_t split_method_count = sizeof(split_methods) / sizeof(*split_methods);

const struct split_method *split_method_find(const struct split_job *job)
{
    const struct split_method *path = split_methods;
    while (!path->pays(job) || !path->can(job))
        path++;
    return path;
}

static void run_job(struct split_job *job, const struct opshift_split_options *options)
{
    job->past_cache = job->size >= SPLIT_PAST_CACHE;
    if (job->size < SIZE_FEW)
        split_plain(job, 0, job->rows);
    else
        split_share(job, split_method_find(job), options);
}

void split_rows(void *to, const void *from, ptrdiff_t step, size_t size, uint64_t rows, uint64_t all)
{
    if (rows > 0 && (rows == 1 || step == (ptrdiff_t)size)) {
        size *= rows;
        step = (ptrdiff_t)size;
        rows = 1;
    }
    if (size * rows < SIZE_FEW || step < (ptrdiff_t)size) {
        split_plain_rows(to, from, step, size, rows);
        return;
    }
    /* The last row may end with the last part, so rows - 1 rows can be read whole. */
    uint64_t whole = rows > 1 ? rows - 1 : 1;
    struct split_part part = {to, 0, size};
    struct split_job job = {.from = from, .rows = whole, .row = (size_t)step, .parts = &part, .count = 1, .size = all};
    job.least = job.most = size;
    job.aligned = (uintptr_t)to % 64 == 0;
    job.past_cache = all >= SPLIT_PAST_CACHE;
    split_method_find(&job)->run(&job, 0, whole);
    if (rows > 1)
        memcpy((uint8_t *)to + whole * size, (const uint8_t *)from + (ptrdiff_t)whole * step, size);
}

static enum opshift_status check_lengths(const int64_t *lengths, size_t count, uint64_t dim,
                                         struct opshift_error *error)
{
    uint64_t left = dim;
    for (size_t i = 0; i < count; i++) {
        if (lengths[i] < 0)
            return opshift_fail(error, OPSHIFT_USAGE, "length %zu is %lld, below 0", i, (long long)lengths[i]);
        if ((uint64_t)lengths[i] > left)
            return opshift_fail(error, OPSHIFT_USAGE, "the lengths sum to more than the axis has, which is %llu",
                                (unsigned long long)dim);
        left -= (uint64_t)lengths[i];
    }
    if (left > 0)
        return opshift_fail(error, OPSHIFT_USAGE, "the lengths sum to %llu, the axis has %llu",
                            (unsigned long long)(dim - left), (unsigned long long)dim);
    return OPSHIFT_OK;
}

/* Adds the parts that have an output and are not empty. */
static void add_parts(struct split_job *job, struct split_part *parts, size_t unit, const int64_t *lengths,
                      size_t count, void *const *outputs)
{
    size_t start = 0;
    job->least = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t size = (size_t)lengths[i] * unit;
        if (size > 0 && outputs[i] != NULL) {
            parts[job->count++] = (struct split_part){outputs[i], start, size};
            job->least = size < job->least ? size : job->least;
            job->most = size > job->most ? size : job->most;
            job->size += size * job->rows;
            job->aligned = job->aligned && (uintptr_t)outputs[i] % 64 == 0;
        }
        start += size;
    }
}

/* *unit: bytes of one position along the axis; 0: the input is empty. */
static enum opshift_status check_request(size_t element_size, uint64_t outer, uint64_t dim, uint64_t inner,
                                         const int64_t *lengths, size_t count, size_t *unit,
                                         struct opshift_error *error)
{
    size_t row, all;
    enum opshift_status status = check_lengths(lengths, count, dim, error);
    *unit = 0;
    if (status)
        return status;
    if (element_size == 0)
        return opshift_fail(error, OPSHIFT_USAGE, "an element has 0 bytes, must have at least 1");
    if (outer == 0 || dim == 0 || inner == 0)
        return OPSHIFT_OK;
    if (__builtin_mul_overflow(element_size, inner, unit) || __builtin_mul_overflow(*unit, dim, &row) ||
        __builtin_mul_overflow(row, outer, &all) || all > PTRDIFF_MAX)
        return opshift_fail(error, OPSHIFT_USAGE, "%llu times %llu times %llu elements of %zu bytes fit no memory",
                            (unsigned long long)outer, (unsigned long long)dim, (unsigned long long)inner,
                            element_size);
    return OPSHIFT_OK;
}

__attribute__((noinline)) enum opshift_status
split_any(const void *input, size_t element_size, uint64_t outer, uint64_t dim, uint64_t inner, const int64_t *lengths,
          size_t count, void *const *outputs, const struct opshift_split_options *options, struct opshift_error *error)
{
    struct split_part few[PARTS_STACK], *parts = few;
    struct split_job job = {.from = input, .rows = outer, .aligned = true};
    size_t unit;
    enum opshift_status status = check_request(element_size, outer, dim, inner, lengths, count, &unit, error);
    if (status)
        return status;
    if (unit == 0 || outer == 0 || dim == 0)
        return OPSHIFT_OK;
    job.row = unit * (size_t)dim;
    if (count > PARTS_STACK && (parts = calloc(count, sizeof(*parts))) == NULL)
        return opshift_no_memory(error);
    add_parts(&job, parts, unit, lengths, count, outputs);
    job.parts = parts;
    if (job.count > 0)
        run_job(&job, options);
    if (parts != few)
        free(parts);
    return OPSHIFT_OK;
}

enum opshift_status opshift_split_views(const void *input, size_t element_size, uint64_t outer, uint64_t dim,
                                        uint64_t inner, const int64_t *lengths, size_t count, const void **views,
                                        struct opshift_error *error)
{
    size_t unit, start = 0;
    enum opshift_status status = check_request(element_size, outer, dim, inner, lengths, count, &unit, error);
    if (status)
        return status;
    if (outer > 1 && unit > 0)
        return OPSHIFT_NO;
    for (size_t i = 0; i < count; i++) {
        views[i] = (const uint8_t *)input + start;
        start += (size_t)lengths[i] * unit;
    }
    return OPSHIFT_OK;
}

/* ---- small requests: no list of parts; processor features are tested only where wider registers save more than the
 * test costs ---- */

#define SIZE_LITTLE 0xffff /* bytes; a product of four such numbers fits into 64 bits */
#define RUNS_FEW    32     /* more runs than this are faster with another method, */
#define RUN_SHORT   16     /* if their average size in bytes is below this */
#define SIZE_WIDE   192    /* bytes; for fewer, or fewer than RUN_WIDE per run, wide registers are not used */
#define RUN_WIDE    32

#define REQUEST                                                                                                        \
    const void *input, size_t element_size, uint64_t outer, uint64_t dim, uint64_t inner, const int64_t *lengths,      \
        size_t count, void *const *outputs, const struct opshift_split_options *options, struct opshift_error *error
#define SAME_REQUEST input, element_size, outer, dim, inner, lengths, count, outputs, options, error

/* Arguments of the small-request functions; few enough to be passed in registers. */
#define LITTLE const uint8_t *from, size_t unit, const int64_t *lengths, size_t count, void *const *outputs

/* Is the request valid and small? */
static inline bool is_little(size_t element_size, uint64_t outer, uint64_t dim, uint64_t inner, const int64_t *lengths,
                             size_t count)
{
    uint64_t sum = 0, any = 0, runs = outer * count, size = (element_size * inner) * (dim * outer);
    if ((element_size | outer | dim | inner | count) > SIZE_LITTLE || size - 1 >= SIZE_LITTLE ||
        (runs > RUNS_FEW && runs * RUN_SHORT > size))
        return false;
    for (size_t i = 0; i < count; i++) {
        sum += (uint64_t)lengths[i];
        any |= (uint64_t)lengths[i];
    }
    return sum == dim && any <= SIZE_LITTLE;
}

ROWS_COPY_INLINE enum opshift_status copy_row(LITTLE, bool wide)
{
    for (const int64_t *end = lengths + count; lengths < end; lengths++, outputs++) {
        size_t size = (size_t)*lengths * unit;
        if (*outputs != NULL)
            rows_copy(*outputs, 0, from, 0, size, 1, wide);
        from += size;
    }
    return OPSHIFT_OK;
}

ROWS_COPY_INLINE enum opshift_status copy_rows(LITTLE, uint64_t rows, size_t row, bool wide)
{
    for (size_t i = 0; i < count; i++) {
        size_t size = (size_t)lengths[i] * unit;
        if (outputs[i] != NULL)
            rows_copy(outputs[i], size, from, (ptrdiff_t)row, size, rows, wide);
        from += size;
    }
    return OPSHIFT_OK;
}

/* Not inlined: the one-row case would otherwise save the registers that several rows need. */
#define APART __attribute__((noinline)) static

APART enum opshift_status rows_plain(LITTLE, uint64_t rows, size_t row)
{
    return copy_rows(from, unit, lengths, count, outputs, rows, row, false);
}

ROWS_COPY_INLINE enum opshift_status split_little(LITTLE, uint64_t rows, size_t row)
{
    return rows == 1 ? copy_row(from, unit, lengths, count, outputs, false)
                     : rows_plain(from, unit, lengths, count, outputs, rows, row);
}

#ifdef SPLIT_X86
#define AVX2 __attribute__((target("avx2")))

AVX2 APART enum opshift_status row_wide(LITTLE)
{
    return copy_row(from, unit, lengths, count, outputs, true);
}

AVX2 APART enum opshift_status rows_wide(LITTLE, uint64_t rows, size_t row)
{
    return copy_rows(from, unit, lengths, count, outputs, rows, row, true);
}

enum opshift_status opshift_split(REQUEST)
{
    if (!is_little(element_size, outer, dim, inner, lengths, count))
        return split_any(SAME_REQUEST);
    size_t unit = element_size * inner, row = unit * dim;
    if (row < count * RUN_WIDE || row * outer < SIZE_WIDE || !processor_has_avx2())
        return split_little(input, unit, lengths, count, outputs, outer, row);
    if (outer == 1)
        return row_wide(input, unit, lengths, count, outputs);
    return rows_wide(input, unit, lengths, count, outputs, outer, row);
}
#endif

enum opshift_status split_portable(REQUEST)
{
    size_t unit = element_size * inner;
    if (!is_little(element_size, outer, dim, inner, lengths, count))
        return split_any(SAME_REQUEST);
    return split_little(input, unit, lengths, count, outputs, outer, unit * dim);
}

#ifndef SPLIT_X86
enum opshift_status opshift_split(REQUEST)
{
    return split_portable(SAME_REQUEST);
}
#endif
