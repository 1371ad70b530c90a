/* Deals the bytes of each row out to parts: what Split does, whatever its elements are. A row is read once and serves
 * all parts. Which way is taken says deal_paths: the first that can and pays. */
#ifndef KERNEL_DEAL_H
#define KERNEL_DEAL_H

#include "opshift.h"

/* Bytes [start, start + size) of each row, put one after the other at `to`. size > 0. */
struct deal_part {
    uint8_t *to;
    size_t start, size;
};

struct deal {
    const uint8_t *from;
    uint64_t rows;
    size_t row;                    /* bytes of a row; all rows together are a size_t */
    const struct deal_part *parts; /* by rising start, at least one */
    size_t count;
    size_t least, most; /* sizes of the shortest and the longest part */
    uint64_t size;      /* bytes that all parts take */
    bool past_cache;    /* they are more than the caches of those who write them hold: stores may pass these by */
    bool aligned;       /* every part is put at a multiple of 64 bytes */
};

struct deal_path {
    const char *name;
    bool (*can)(const struct deal *deal);                               /* its results are right, on this machine */
    bool (*pays)(const struct deal *deal);                              /* it is faster than what comes after it */
    void (*run)(const struct deal *deal, uint64_t first, uint64_t end); /* rows [first, end) */
};

/* The last one always can. */
extern const struct deal_path deal_paths[];
extern const size_t deal_path_count;

const struct deal_path *deal_path_find(const struct deal *deal);

/* opshift_split where that is not for few bytes; and as it is on processors that have no more than others. */
typedef enum opshift_status deal_request(const void *input, size_t element_size, uint64_t outer, uint64_t dim,
                                         uint64_t inner, const int64_t *lengths, size_t count, void *const *outputs,
                                         const struct opshift_split_options *options, struct opshift_error *error);
deal_request deal_split, deal_split_plain;

/* Deals all rows out with the threads that the options give; NULL: the caller's alone. */
void deal_share(const struct deal *deal, const struct deal_path *path, const struct opshift_split_options *options);

/* Tiny parts are dealt part by part within a tile of rows, so that each of them is written in whole cache lines and
 * the tile is read from the nearest cache by all but the first. Of any parts so many rows are whole lines. */
#define DEAL_TILE_ROWS 64
/* Outputs of so many bytes would not stay in the caches of one core: they are stored past them. */
#define DEAL_PAST_CACHE ((uint64_t)10 << 20)

typedef void deal_rows_copy(uint8_t *to, const uint8_t *from, ptrdiff_t step, size_t size, uint64_t rows);
/* Every part by `copy`, which is told about a few rows at a time. */
void deal_tiles(const struct deal *deal, uint64_t first, uint64_t end, deal_rows_copy *copy);
void deal_plain(const struct deal *deal, uint64_t first, uint64_t end);
/* `size` bytes at each of `rows` places, which lie `step` bytes apart, one after the other. */
void deal_plain_rows(uint8_t *to, const uint8_t *from, ptrdiff_t step, size_t size, uint64_t rows);

/* One part alone: `size` bytes of each of `rows` rows, which begin `step` bytes apart, also backwards or at the same
 * place, put one after the other. all: bytes that the caller puts into this output, of which these may be a few. */
void deal_rows(void *to, const void *from, ptrdiff_t step, size_t size, uint64_t rows, uint64_t all);

#if defined(__x86_64__) && defined(__GNUC__)
#define DEAL_X86
bool deal_stream_can(const struct deal *deal);
bool deal_stream_pays(const struct deal *deal);
void deal_stream(const struct deal *deal, uint64_t first, uint64_t end);

bool deal_group_can(const struct deal *deal);
bool deal_group_pays(const struct deal *deal);
void deal_group(const struct deal *deal, uint64_t first, uint64_t end);

bool deal_shuffle_can(const struct deal *deal);
bool deal_shuffle_pays(const struct deal *deal);
void deal_shuffle(const struct deal *deal, uint64_t first, uint64_t end);

bool deal_wide_can(const struct deal *deal);
bool deal_wide_pays(const struct deal *deal);
void deal_wide(const struct deal *deal, uint64_t first, uint64_t end);
void deal_wide_rows(uint8_t *to, const uint8_t *from, ptrdiff_t step, size_t size, uint64_t rows);

/* Whether its copies of strings are fast the processor tells slowly; the C library has asked it already. */
#if __has_include(<sys/platform/x86.h>)
#define DEAL_STRING
bool deal_string_can(const struct deal *deal);
bool deal_string_pays(const struct deal *deal);
void deal_string(const struct deal *deal, uint64_t first, uint64_t end);
#endif
#endif

#endif
