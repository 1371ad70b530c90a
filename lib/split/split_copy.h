/* Copies the bytes of each row to the outputs of a Split, for elements of any type. Each row is read once for all
 * parts.
 * There are seven copy methods; split_methods lists them, and the first one that can run and is profitable is taken:
 *
 * - stream: runs of 128 bytes or more, in outputs larger than the caches. Uses non-temporal stores, so that cache
 *   lines that are written completely are not read first.
 * - group: parts of the same size (1 to 8 bytes), up to eight at a time. Byte shuffles sort 16 bytes of rows into
 *   one group per part; groups are then combined like a matrix transposition.
 * - shuffle: parts of any sizes, 8 bytes on average or less (up to 128 if larger than the caches), in 2,048 rows or
 *   more. Computes a pattern of loads and byte shuffles for each part, then applies it.
 * - string: runs of 1 KiB or more that fit into the caches. Uses the processor's string copy instruction where it is
 *   fast.
 * - wide: runs of 16 bytes or more that fit into the caches. Uses 32-byte registers.
 * - plain: everything else, and every other processor.
 * - (none): less than 64 KiB in a few runs. opshift_split copies directly, as selecting a method would cost more.
 *
 * split_copy.c handles requests and implements the last three, split_stream.c stream and string, split_shuffle.c
 * group and shuffle. split_threads.c distributes rows over threads; split_rows.h is the loop over short runs that
 * the methods share. */
#ifndef SPLIT_COPY_H
#define SPLIT_COPY_H

#include "opshift.h"

/* Bytes [start, start + size) of each row, stored contiguously at `to`. size > 0. */
struct split_part {
    uint8_t *to;
    size_t start, size;
};

struct split_job {
    const uint8_t *from;
    uint64_t rows;
    size_t row;                     /* bytes per row; the size of all rows fits into a size_t */
    const struct split_part *parts; /* sorted by start, at least one */
    size_t count;
    size_t least, most; /* sizes of the shortest and the longest part */
    uint64_t size;      /* total bytes of all parts */
    bool past_cache; /* the outputs are larger than the caches of the writing threads: non-temporal stores are possible
                      */
    bool aligned;    /* every output starts at a multiple of 64 bytes */
};

struct split_method {
    const char *name;
    bool (*can)(const struct split_job *job);                               /* gives correct results on this machine */
    bool (*pays)(const struct split_job *job);                              /* is faster than the methods after it */
    void (*run)(const struct split_job *job, uint64_t first, uint64_t end); /* rows [first, end) */
};

/* The last entry can always run. */
extern const struct split_method split_methods[];
extern const size_t split_method_count;

const struct split_method *split_method_find(const struct split_job *job);

/* opshift_split for requests that are not small, and its version for processors without further instruction sets. */
typedef enum opshift_status split_request(const void *input, size_t element_size, uint64_t outer, uint64_t dim,
                                          uint64_t inner, const int64_t *lengths, size_t count, void *const *outputs,
                                          const struct opshift_split_options *options, struct opshift_error *error);
split_request split_any, split_portable;

/* Copies all rows with the threads that the options give; NULL: with the caller's thread only. */
void split_share(const struct split_job *job, const struct split_method *path,
                 const struct opshift_split_options *options);

/* Tiny parts are copied part by part within a tile of rows: each part is written in whole cache lines, and the tile
 * stays in the L1 cache. This many rows of any part are a multiple of cache lines. */
#define SPLIT_TILE_ROWS 64
/* Outputs of this many bytes exceed the caches of one core; they are written with non-temporal stores. */
#define SPLIT_PAST_CACHE ((uint64_t)10 << 20)

typedef void split_copy_rows(uint8_t *to, const uint8_t *from, ptrdiff_t step, size_t size, uint64_t rows);
/* Copies every part with `copy`, a tile of rows at a time. */
void split_tiles(const struct split_job *job, uint64_t first, uint64_t end, split_copy_rows *copy);
void split_plain(const struct split_job *job, uint64_t first, uint64_t end);
/* Copies `size` bytes at each of `rows` positions, `step` bytes apart, contiguously to `to`. */
void split_plain_rows(uint8_t *to, const uint8_t *from, ptrdiff_t step, size_t size, uint64_t rows);

/* Copies one part: `size` bytes of each of `rows` rows, contiguously. Rows start `step` bytes apart; step may be
 * negative or 0. all: total bytes that the caller writes to this output, of which this part may be a fraction. */
void split_rows(void *to, const void *from, ptrdiff_t step, size_t size, uint64_t rows, uint64_t all);

#if defined(__x86_64__) && defined(__GNUC__)
#define SPLIT_X86
bool split_stream_can(const struct split_job *job);
bool split_stream_pays(const struct split_job *job);
void split_stream(const struct split_job *job, uint64_t first, uint64_t end);

bool split_group_can(const struct split_job *job);
bool split_group_pays(const struct split_job *job);
void split_group(const struct split_job *job, uint64_t first, uint64_t end);

bool split_shuffle_can(const struct split_job *job);
bool split_shuffle_pays(const struct split_job *job);
void split_shuffle(const struct split_job *job, uint64_t first, uint64_t end);

bool split_wide_can(const struct split_job *job);
bool split_wide_pays(const struct split_job *job);
void split_wide(const struct split_job *job, uint64_t first, uint64_t end);
void split_wide_rows(uint8_t *to, const uint8_t *from, ptrdiff_t step, size_t size, uint64_t rows);

/* cpuid is a slow way to find whether string copies are fast; the C library has already read it. */
#if __has_include(<sys/platform/x86.h>)
#define SPLIT_STRING
bool split_string_can(const struct split_job *job);
bool split_string_pays(const struct split_job *job);
void split_string(const struct split_job *job, uint64_t first, uint64_t end);
#endif
#endif

/* ---- split_threads.c: the team of opshift.h, for any work ---- */

/* Threads of the team, the caller's included. */
unsigned team_threads(const struct opshift_team *team);
/* Calls `work` with `data` in the caller's thread and, at the same time, in up to threads - 1 others that start
 * before the caller's call ends; returns when all calls have ended. false, and nothing is called: the team is busy,
 * or belongs to a parent process. */
bool team_work(struct opshift_team *team, unsigned threads, void (*work)(void *data), void *data);

#endif
