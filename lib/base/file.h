/* Reads a file by ranges; small files and temporary names. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <time.h>

#include "base/buffer.h"
#include "base/error.h"

/* A source of bytes: a file, a pipe copied to an unnamed file, or memory. Files are not mapped, so that a shrinking
 * file gives an error, not SIGBUS. Messages do not name the source; callers add the name. An empty source is refused
 * (MALFORMED). */
struct source {            /* visible only for source_view */
    const uint8_t *window; /* the bytes in memory: all of them, or those of the current window */
    uint64_t window_offset;
    size_t window_size;
    size_t window_pairs; /* of two neighbouring bytes in the window: one less than its size, or 0 */
    uint64_t size;
    int descriptor;          /* -1: memory, or made of stretches */
    struct timespec written; /* modification time when it was opened */
    bool sparse;             /* the file has holes */
    struct source *base;     /* NULL: not made of stretches */
    const struct stretch *stretches;
    size_t stretch_count;
    struct file_window *windows; /* NULL: memory */
    size_t window_count;
    uint64_t moves; /* number of window moves so far */
};

enum opshift_status source_open(const char *path, struct source **source, struct opshift_error *error); /* "-": stdin */
enum opshift_status source_open_memory(const void *bytes, size_t size, struct source **source,
                                       struct opshift_error *error);
enum opshift_status source_open_descriptor(int descriptor, struct source **source,
                                           struct opshift_error *error); /* dup'ed */
/* A piece of a source that is made of stretches: data, or if data is NULL, size bytes of the base at offset. */
struct stretch {
    uint64_t start; /* offset in the new source; the first is 0, each starts at the end of the previous one */
    uint64_t size;
    const uint8_t *data;
    uint64_t offset;
};
/* Makes a source of stretches. They, their data and the base belong to the caller and must outlive the source. */
enum opshift_status source_open_stretches(struct source *base, const struct stretch *stretches, size_t count,
                                          struct source **source, struct opshift_error *error);
void source_free(struct source *source);
/* A source of bytes that outlive it; it is not freed. */
static inline struct source source_of(const void *bytes, size_t size)
{
    return (struct source){.window = (const uint8_t *)bytes,
                           .window_size = size,
                           .window_pairs = size > 0 ? size - 1 : 0,
                           .size = size,
                           .descriptor = -1};
}
uint64_t source_size(const struct source *source);
/* Fails (IO) if the file changed since it was opened. Every read checks this; code that copies bytes otherwise must
 * call it afterwards. */
enum opshift_status source_check_unchanged(const struct source *source, struct opshift_error *error);
/* The descriptor; -1: none. */
int source_descriptor(const struct source *source);
/* Finds the first hole of a sparse file in a range. Returns its size and start; 0: no hole, or none long enough to be
 * useful. */
uint64_t source_hole(const struct source *source, uint64_t offset, uint64_t size, uint64_t *start);
/* The stretches of the source; NULL: it is not made of stretches. */
const struct stretch *source_stretches(const struct source *source, size_t *count, struct source **base);

/* Gives a pointer to size bytes at offset, valid until the next call on this source; size is at most 64 KiB. Served
 * from a few windows (256 KiB in total) filled by pread. */
static inline enum opshift_status source_view(struct source *source, uint64_t offset, uint64_t size,
                                              const uint8_t **bytes, struct opshift_error *error);
/* source_view for bytes outside of the current window. */
enum opshift_status source_view_move(struct source *source, uint64_t offset, uint64_t size, const uint8_t **bytes,
                                     struct opshift_error *error);
/* source_view for callers that do not need the error: NULL on failure. */
static inline const uint8_t *source_window(struct source *source, uint64_t offset, uint64_t size);
/* Reads any size into the caller's memory. */
enum opshift_status source_read(struct source *source, uint64_t offset, void *into, uint64_t size,
                                struct opshift_error *error);
/* Are ranges of two sources the same bytes? */
enum opshift_status sources_same(struct source *a, uint64_t offset_a, struct source *b, uint64_t offset_b,
                                 uint64_t size, bool *same, struct opshift_error *error);

static inline enum opshift_status source_view(struct source *source, uint64_t offset, uint64_t size,
                                              const uint8_t **bytes, struct opshift_error *error)
{
    uint64_t within = offset - source->window_offset;
    if (within > source->window_size || size > source->window_size - within)
        return source_view_move(source, offset, size, bytes, error);
    *bytes = source->window + within;
    return OPSHIFT_OK;
}

static inline const uint8_t *source_window(struct source *source, uint64_t offset, uint64_t size)
{
    const uint8_t *bytes;
    return source_view(source, offset, size, &bytes, NULL) ? NULL : bytes;
}

/* file_read of directory/path that follows no link (base/beneath.h). USAGE: the path has a link or leaves the
 * directory. */
enum opshift_status file_read_below(const char *directory, const char *path, size_t limit, char **data, size_t *size,
                                    struct opshift_error *error);
/* Reads a small file, or standard input ("-"), of at most limit bytes. *data is NUL-terminated and freed with free.
 * Messages name the path. */
enum opshift_status file_read(const char *path, size_t limit, char **data, size_t *size, struct opshift_error *error);

#endif
