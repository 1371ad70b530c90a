/* Reading a file by ranges, and writing one that appears whole or not at all. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <time.h>

#include "base/buffer.h"
#include "base/error.h"

/* Bytes at rest: a file, a pipe copied to an anonymous file, or memory. Never mapped: a file that shrinks gives an
 * error. Messages do not name the source: its owner knows what it is called. An empty source is refused (MALFORMED). */
struct source {            /* seen here for source_view alone */
    const uint8_t *window; /* the bytes at hand: all of memory, or what one of the windows holds */
    uint64_t window_offset;
    size_t window_size;
    uint64_t size;
    int descriptor;          /* -1: memory, or made of another source */
    struct timespec written; /* when the file was last written, as it was opened */
    bool sparse;             /* the file has holes */
    struct source *base;     /* NULL: it has bytes of its own */
    const struct stretch *stretches;
    size_t stretch_count;
    struct file_window *windows; /* NULL: memory */
    size_t window_count;
    uint64_t moves; /* of windows, so far */
};

enum opshift_status source_open(const char *path, struct source **source, struct opshift_error *error); /* "-": stdin */
enum opshift_status source_open_memory(const void *bytes, size_t size, struct source **source,
                                       struct opshift_error *error);
enum opshift_status source_open_descriptor(int descriptor, struct source **source,
                                           struct opshift_error *error); /* dup'ed */
/* A run of bytes of a source that is made of others: data, or where data is NULL size bytes of the base at offset. */
struct stretch {
    uint64_t start; /* in the whole; the first one at 0, each where the one before ends */
    uint64_t size;
    const uint8_t *data;
    uint64_t offset;
};
/* The stretches in a row. They, their data and the base stay the caller's and outlive the source. */
enum opshift_status source_open_stretches(struct source *base, const struct stretch *stretches, size_t count,
                                          struct source **source, struct opshift_error *error);
void source_free(struct source *source);
uint64_t source_size(const struct source *source);
/* Is the file what it was when it was opened? Every read asks; who takes its bytes another way asks afterwards. IO. */
enum opshift_status source_check_unchanged(const struct source *source, struct opshift_error *error);
/* The descriptor; -1: there is none. */
int source_descriptor(const struct source *source);
/* The first hole of a sparse file in a range: bytes that are 0 and take no room on the disk. Gives how many, and where
 * they start; 0: there is none, or none long enough to be worth it. */
uint64_t source_hole(const struct source *source, uint64_t offset, uint64_t size, uint64_t *start);
/* What the source is made of; NULL: it has bytes of its own. */
const struct stretch *source_stretches(const struct source *source, size_t *count, struct source **base);

/* A pointer to size bytes at offset, valid until the next call on this source: small reads come from a few windows
 * (256 KiB in all) read with pread; size at most 64 KiB. */
static inline enum opshift_status source_view(struct source *source, uint64_t offset, size_t size,
                                              const uint8_t **bytes, struct opshift_error *error);
/* The same for what is not at hand. */
enum opshift_status source_view_move(struct source *source, uint64_t offset, size_t size, const uint8_t **bytes,
                                     struct opshift_error *error);
/* The same for those to whom it is all one why there is nothing: NULL. */
static inline const uint8_t *source_window(struct source *source, uint64_t offset, size_t size);
/* Any size, into the caller's memory. */
enum opshift_status source_read(struct source *source, uint64_t offset, void *into, size_t size,
                                struct opshift_error *error);

static inline enum opshift_status source_view(struct source *source, uint64_t offset, size_t size,
                                              const uint8_t **bytes, struct opshift_error *error)
{
    uint64_t within = offset - source->window_offset;
    if (within > source->window_size || size > source->window_size - within)
        return source_view_move(source, offset, size, bytes, error);
    *bytes = source->window + within;
    return OPSHIFT_OK;
}

static inline const uint8_t *source_window(struct source *source, uint64_t offset, size_t size)
{
    const uint8_t *bytes;
    return source_view(source, offset, size, &bytes, NULL) ? NULL : bytes;
}

/* An output under a temporary name beside path, mode of the old file kept (else 0666 and umask). Path "-", a pipe or a
 * device: an anonymous file, copied there at commit. Messages name the path. */
struct destination;

/* size: what destination_reserve is told, with room; 0: it will be told. */
enum opshift_status destination_open(const char *path, uint64_t size, struct destination **destination,
                                     struct opshift_error *error);
/* How long the file is going to be. room: it is to be there before anything is written, which is faster; not for a file
 * that has holes. */
enum opshift_status destination_reserve(struct destination *destination, uint64_t size, bool room,
                                        struct opshift_error *error);
/* progress is asked before each block is written, and given how much of size (destination_open's) is; false: CANCELLED.
 */
void destination_watch(struct destination *destination, opshift_progress progress, void *data);
/* What is written is to be on the disk, and its name in the folder, before destination_commit succeeds. */
void destination_sync(struct destination *destination);
enum opshift_status destination_add(struct destination *destination, const void *data, size_t size,
                                    struct opshift_error *error);
/* Streams a range of a source, without holding it; holes stay holes. name: how messages call the source. */
enum opshift_status destination_add_range(struct destination *destination, struct source *source, const char *name,
                                          uint64_t offset, uint64_t size, struct opshift_error *error);
/* Writes out what is buffered; the file then has the length of what was added. */
enum opshift_status destination_flush(struct destination *destination, struct opshift_error *error);
int destination_descriptor(const struct destination *destination);
/* Its name until then; NULL: it has none. */
const char *destination_temporary(const struct destination *destination);
/* Gives it its name (or copies it to standard output). */
enum opshift_status destination_commit(struct destination *destination, struct opshift_error *error);
/* Removes what was not committed. */
void destination_free(struct destination *destination);

/* The name that a new file has until it is whole, beside path: .NAME.XXXXXX.opshift. Freed with free. NULL: no memory.
 */
char *temporary_name(const char *path);

/* The same below a folder, where no link is followed on the way (base/beneath.h). USAGE: one is, or it leads out. */
enum opshift_status file_read_below(const char *folder, const char *path, size_t limit, char **data, size_t *size,
                                    struct opshift_error *error);
/* A whole small file, or standard input ("-"); at most limit bytes. *data is freed with free and NUL-terminated.
 * Messages name the path. */
enum opshift_status file_read(const char *path, size_t limit, char **data, size_t *size, struct opshift_error *error);

#endif
