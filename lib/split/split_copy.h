/* Copies the bytes of each row out to parts: what Split does, whatever its elements are. A row is read once and serves
 * all parts. There are seven ways to copy; split_ways lists them, and the first that can and pays is taken:
 *
 *   stream   outputs that no cache holds, in runs of 128 bytes or more: stores pass the caches by, so that lines which
 * are written whole are not read first group    parts of the same 1 to 8 bytes, up to eight at a time: 16 bytes of rows
 * are shuffled into a group for each part, and groups are joined as a matrix is transposed shuffle  parts of any sizes,
 * 8 bytes on average or fewer (or up to 128 past the caches), in 2,048 rows or more: a pattern of loads and byte
 * shuffles is made for each part, and followed string   runs of 1 KiB or more that the caches hold: the processor's own
 * instruction to copy a string, where it is fast wide     runs of 16 bytes or more that the caches hold: registers of
 * 32 bytes plain    everything else, and every machine (none)   fewer bytes than 64 KiB in a few runs: opshift_split
 * copies them at once; to choose would cost more
 *
 * split_copy.c takes requests and holds the last three ways, split_stream.c, split_shuffle.c the others;
 * split_threads.c shares rows among threads; split_rows.h is the loop over short runs that they are made of. */
#ifndef SPLIT_COPY_H
#define SPLIT_COPY_H

#include "opshift.h"

/* Bytes [start, start + size) of each row, put one after the other at `to`. size > 0. */
struct split_part {
    uint8_t *to;
    size_t start, size;
};

struct split_job {
    const uint8_t *from;
    uint64_t rows;
    size_t row;                     /* bytes of a row; all rows together are a size_t */
    const struct split_part *parts; /* by rising start, at least one */
    size_t count;
    size_t least, most; /* sizes of the shortest and the longest part */
    uint64_t size;      /* bytes that all parts take */
    bool past_cache;    /* they are more than the caches of those who write them hold: stores may pass these by */
    bool aligned;       /* every part is put at a multiple of 64 bytes */
};

struct split_way {
    const char *name;
    bool (*can)(const struct split_job *job);                               /* its results are right, on this machine */
    bool (*pays)(const struct split_job *job);                              /* it is faster than what comes after it */
    void (*run)(const struct split_job *job, uint64_t first, uint64_t end); /* rows [first, end) */
};

/* The last one always can. */
extern const struct split_way split_ways[];
extern const size_t split_way_count;

const struct split_way *split_way_find(const struct split_job *job);

/* opshift_split where that is not for few bytes; and as it is on processors that have no more than others. */
typedef enum opshift_status split_request(const void *input, size_t element_size, uint64_t outer, uint64_t dim,
                                          uint64_t inner, const int64_t *lengths, size_t count, void *const *outputs,
                                          const struct opshift_split_options *options, struct opshift_error *error);
split_request split_any, split_portable;

/* Copies all rows with the threads that the options give; NULL: the caller's alone. */
void split_share(const struct split_job *job, const struct split_way *path,
                 const struct opshift_split_options *options);

/* Tiny parts are copied part by part within a tile of rows, so that each of them is written in whole cache lines and
 * the tile is read from the nearest cache by all but the first. Of any parts so many rows are whole lines. */
#define SPLIT_TILE_ROWS 64
/* Outputs of so many bytes would not stay in the caches of one core: they are stored past them. */
#define SPLIT_PAST_CACHE ((uint64_t)10 << 20)

typedef void split_copy_rows(uint8_t *to, const uint8_t *from, ptrdiff_t step, size_t size, uint64_t rows);
/* Every part by `copy`, which is told about a few rows at a time. */
void split_tiles(const struct split_job *job, uint64_t first, uint64_t end, split_copy_rows *copy);
void split_plain(const struct split_job *job, uint64_t first, uint64_t end);
/* `size` bytes at each of `rows` places, which lie `step` bytes apart, one after the other. */
void split_plain_rows(uint8_t *to, const uint8_t *from, ptrdiff_t step, size_t size, uint64_t rows);

/* One part alone: `size` bytes of each of `rows` rows, which begin `step` bytes apart, also backwards or at the same
 * place, put one after the other. all: bytes that the caller puts into this output, of which these may be a few. */
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

/* Whether its copies of strings are fast the processor tells slowly; the C library has asked it already. */
#if __has_include(<sys/platform/x86.h>)
#define SPLIT_STRING
bool split_string_can(const struct split_job *job);
bool split_string_pays(const struct split_job *job);
void split_string(const struct split_job *job, uint64_t first, uint64_t end);
#endif
#endif

/* ---- split_threads.c: the team of opshift.h, as it is for who has work for it ---- */

/* Of the team, with the caller's. */
unsigned team_threads(const struct opshift_team *team);
/* `work` is called with `data` by the caller, and meanwhile by each of up to threads - 1 others that comes before the
 * caller is done; returns when all who began are done. false, and nothing is called: the team is at work already, for
 * another caller or for this one, or is that of a parent process. */
bool team_work(struct opshift_team *team, unsigned threads, void (*work)(void *data), void *data);

#endif
