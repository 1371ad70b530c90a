/* Output files: written under a temporary name and renamed when complete. */
#include "config.h"

#include "base/destination.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/pump.h"
#include "base/rights.h"

/* Bytes per write of data collected from small pieces. */
#define ROOM (128u << 10)
/* Bytes per read of a long range, into one huge page: allocating as many small pages costs more than larger reads save,
 * except in a file of LARGE bytes. */
#define LARGE_ROOM (1u << 20)
#define LARGE_FROM (8u << 20)
#define LARGE_FILE (32u << 20)
#define HUGE_PAGE  (2u << 20)
/* Maximum bytes per write. The kernel allocates contiguous memory for each write, and long runs are scarce: larger
 * files use smaller writes. */
#define LARGE_WRITE (1u << 20)
#define WRITE       (256u << 10)
#define SMALL_WRITE (64u << 10)
#define FEW         (64ull << 20)
#define MANY        (2ull << 30)
/* The kernel copies several times faster to a page boundary, and three times slower when the target is up to AHEAD
 * bytes ahead of the source within a page. */
#define PAGE  4096u
#define AHEAD 31u
/* Smaller files are not preallocated, which would gain nothing. */
#define RESERVE_FROM (1u << 20)
/* With sync, write-back starts after so many bytes. */
#define FLUSH    (16ull << 20)
#define ATTEMPTS 100
/* Shorter ranges are copied through the source's windows. */
#define SMALL_RANGE (16u << 10)
/* Longer ranges are copied within the kernel. */
#define PUMP_FROM (512u << 10)

struct destination {
    char *shown;     /* name in messages */
    char *path;      /* what it will replace, symbolic links followed; NULL: it will be copied to `stream` */
    char *temporary; /* NULL: no temporary name, or no longer */
    int descriptor, stream;
    uint8_t *memory, *data; /* the allocation; the unwritten data in it, `room` bytes at an aligned place */
    size_t room, used;      /* room 0: not allocated yet */
    size_t full;            /* data is written when so many bytes are collected; set at the first byte */
    uint64_t offset;        /* file offset of data */
    uint64_t reserved;      /* preallocated length */
    uint64_t written;       /* end of the last byte written that is not in a hole */
    uint64_t size;          /* final length of the file */
    uint64_t flushed;       /* write-back was started up to here; UINT64_MAX: no sync */
    struct pump pump;       /* for long ranges */
    opshift_progress progress;
    void *progress_data;
};

static enum opshift_status destination_failed(const struct destination *destination, const char *what,
                                              struct opshift_error *error)
{
    const char *way = errno == ENOSPC || errno == EDQUOT ? "free some space, or write elsewhere"
                      : errno == EFBIG                   ? "raise the limit on the size of files"
                                       : "check the directory and its permissions, or write elsewhere";
    return opshift_fail(error, OPSHIFT_IO, "%s: %s: %s; %s", destination->shown, what, strerror(errno), way);
}

/* The temporary name: .NAME.XXXXXX.opshift, in the directory of path. */
char *temporary_name(const char *path)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
    uint8_t random[6];
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    struct buffer text = {0};
    if (getentropy(random, sizeof(random)) != 0)
        return NULL;
    buffer_add(&text, path, (size_t)(name - path));
    buffer_add_byte(&text, '.');
    buffer_add(&text, name, strnlen(name, NAME_MAX - 16));
    buffer_add_byte(&text, '.');
    for (size_t i = 0; i < sizeof(random); i++)
        buffer_add_byte(&text, (uint8_t)letters[random[i] % 64]);
    buffer_add_text(&text, ".opshift");
    return buffer_take(&text);
}

/* Creates the temporary file; mode is subject to the umask, as for open. */
static enum opshift_status temporary_open(struct destination *destination, mode_t mode, struct opshift_error *error)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        char *name = temporary_name(destination->path);
        if (name == NULL)
            return opshift_no_memory(error);
        destination->descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
        if (destination->descriptor >= 0) {
            destination->temporary = name;
            return OPSHIFT_OK;
        }
        free(name);
        if (errno != EEXIST)
            break;
    }
    if (errno == ENOENT || errno == ENOTDIR)
        return opshift_fail(error, OPSHIFT_IO, "%s: there is no such directory; make it first", destination->shown);
    return destination_failed(destination, "cannot be written", error);
}

static enum opshift_status replacement_open(struct destination *destination, const char *path, const struct stat *old,
                                            struct opshift_error *error)
{
    destination->path = old ? realpath(path, NULL) : strdup(path);
    if (destination->path == NULL)
        return destination_failed(destination, "cannot be followed to its file", error);
    if (old && access(path, W_OK) != 0)
        return destination_failed(destination, "may not be written", error);
    enum opshift_status status = temporary_open(destination, old ? old->st_mode & 0600 : 0666, error);
    if (status == OPSHIFT_OK && old && !rights_keep(destination->descriptor, destination->path, old))
        return destination_failed(destination, "its permissions cannot be kept", error);
    return status;
}

/* Standard output, a pipe or a device cannot be replaced: the whole file is copied to it at the end. */
static enum opshift_status stream_open(struct destination *destination, const char *path, struct opshift_error *error)
{
    destination->stream =
        path == NULL ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (destination->stream < 0)
        return destination_failed(destination, "cannot be written", error);
    enum opshift_status status = descriptor_anonymous(&destination->descriptor, error);
    return status ? opshift_within(error, status, "%s", destination->shown) : OPSHIFT_OK;
}

static enum opshift_status path_open(struct destination *destination, const char *path, struct opshift_error *error)
{
    struct stat old, link;
    if (strcmp(path, "-") == 0)
        return stream_open(destination, NULL, error);
    bool exists = stat(path, &old) == 0;
    if (!exists && lstat(path, &link) == 0)
        return opshift_fail(error, OPSHIFT_IO, "%s: is a dangling symbolic link; remove it, or write elsewhere", path);
    if (exists && S_ISDIR(old.st_mode))
        return opshift_fail(error, OPSHIFT_IO, "%s: is a directory; name a file in it", path);
    if (*path == '\0' || path[strlen(path) - 1] == '/')
        return opshift_fail(error, OPSHIFT_IO, "%s: names no file; add its name", path);
    if (exists && !S_ISREG(old.st_mode))
        return stream_open(destination, path, error);
    return replacement_open(destination, path, exists ? &old : NULL, error);
}

/* Fails before anything is written if the disk is full. */
enum opshift_status destination_reserve(struct destination *destination, uint64_t size, bool room,
                                        struct opshift_error *error)
{
    destination->size = size;
#ifdef HAVE_FALLOCATE
    if (!room || size < RESERVE_FROM || size > INT64_MAX)
        return OPSHIFT_OK;
    if (fallocate(destination->descriptor, 0, 0, (off_t)size) == 0)
        destination->reserved = size;
    else if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
        return destination_failed(destination, "cannot be written", error);
#endif
    return OPSHIFT_OK; /* the file system does not support preallocation */
}

enum opshift_status destination_open(const char *path, uint64_t size, struct destination **destination,
                                     struct opshift_error *error)
{
    struct destination *made = calloc(1, sizeof(*made));
    enum opshift_status status = OPSHIFT_OK;
    *destination = NULL;
    if (made == NULL)
        return opshift_no_memory(error);
    made->descriptor = made->stream = -1;
    made->flushed = UINT64_MAX;
    made->pump = PUMP_NEW;
    made->shown = strdup(strcmp(path, "-") == 0 ? "<stdout>" : path);
    if (made->shown == NULL)
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = path_open(made, path, error);
    if (status == OPSHIFT_OK)
        status = destination_reserve(made, size, true, error);
    if (status)
        destination_free(made);
    else
        *destination = made;
    return status;
}

void destination_watch(struct destination *destination, opshift_progress progress, void *data)
{
    destination->progress = progress;
    destination->progress_data = data;
}

void destination_sync(struct destination *destination)
{
    destination->flushed = 0;
}

/* Starts write-back while the rest is copied; fsync reports its errors later. */
static void flush_start(struct destination *destination)
{
#ifdef HAVE_SYNC_FILE_RANGE
    if (destination->offset < destination->flushed || destination->offset - destination->flushed < FLUSH)
        return;
    sync_file_range(destination->descriptor, (off_t)destination->flushed,
                    (off_t)(destination->offset - destination->flushed), SYNC_FILE_RANGE_WRITE);
    destination->flushed = destination->offset;
#endif
}

static bool is_cancelled(const struct destination *destination)
{
    double done = destination->size ? (double)destination->offset / (double)destination->size : 1;
    return destination->progress && !destination->progress(destination->progress_data, done < 1 ? done : 1);
}

/* Bytes per write. */
static size_t write_most(const struct destination *destination)
{
    return destination->size < FEW ? LARGE_WRITE : destination->size > MANY ? SMALL_WRITE : WRITE;
}

static enum opshift_status data_write(struct destination *destination, struct opshift_error *error)
{
    if (is_cancelled(destination))
        return opshift_fail(error, OPSHIFT_CANCELLED, "%s: cancelled; nothing is written", destination->shown);
    size_t most = write_most(destination), size;
    for (size_t done = 0; done < destination->used; done += size) {
        size = most - (size_t)(destination->offset % most);
        if (size > destination->used - done)
            size = destination->used - done;
        if (descriptor_write(destination->descriptor, destination->data + done, size, (off_t)destination->offset) != 0)
            return destination_failed(destination, "cannot be written", error);
        destination->written = destination->offset += size;
    }
    destination->used = 0;
    flush_start(destination);
    return OPSHIFT_OK;
}

/* Memory for collected small pieces, as much as a file of this size can use. */
static uint8_t *small_memory(const struct destination *destination, size_t *room)
{
    *room = destination->size < ROOM ? (size_t)(destination->size / PAGE + 1) * PAGE : ROOM;
    return aligned_alloc(PAGE, *room + PAGE);
}

/* Memory for a long range, in huge pages if available. */
static uint8_t *large_memory(const struct destination *destination, size_t *room)
{
    uint8_t *memory = aligned_alloc(HUGE_PAGE, HUGE_PAGE);
    bool huge = false;
#ifdef MADV_HUGEPAGE
    huge = memory && madvise(memory, HUGE_PAGE, MADV_HUGEPAGE) == 0;
#endif
    *room = huge || destination->size >= LARGE_FILE ? LARGE_ROOM : LARGE_ROOM / 2;
    return memory;
}

/* Bytes to collect before a write, so that writes end at multiples of that in the file. */
static size_t data_room(const struct destination *destination)
{
    return destination->room - (size_t)(destination->offset % destination->room);
}

/* Allocates memory for a contiguous part of `size` bytes. Data in the memory before it is moved along: to use all of
 * that memory would make the system allocate it. */
static enum opshift_status memory_make(struct destination *destination, uint64_t size, struct opshift_error *error)
{
    bool large = size >= LARGE_FROM;
    if (destination->room > (large ? ROOM : 0))
        return OPSHIFT_OK;
    size_t room;
    uint8_t *memory = (large ? large_memory : small_memory)(destination, &room);
    if (memory == NULL)
        return opshift_no_memory(error);
    if (destination->used > 0)
        memcpy(memory, destination->data, destination->used);
    free(destination->memory);
    destination->memory = destination->data = memory;
    destination->room = room;
    destination->full = data_room(destination);
    return OPSHIFT_OK;
}

/* The place for the next bytes and how many fit there (at most size, at least one). */
static enum opshift_status room_next(struct destination *destination, uint64_t size, uint8_t **into, size_t *room,
                                     struct opshift_error *error)
{
    enum opshift_status status = memory_make(destination, size, error);
    if (status == OPSHIFT_OK && destination->used >= destination->full)
        status = data_write(destination, error);
    if (status)
        return status;
    if (destination->used == 0)
        destination->full = data_room(destination);
    *room = destination->full - destination->used;
    if (*room > size)
        *room = (size_t)size;
    *into = destination->data + destination->used;
    return OPSHIFT_OK;
}

/* Do size bytes fit behind the unwritten data? */
static bool is_room(const struct destination *destination, uint64_t size)
{
    return destination->used > 0 && destination->used < destination->full &&
           size <= destination->full - destination->used;
}

static void data_add(struct destination *destination, const void *data, size_t size)
{
    memcpy(destination->data + destination->used, data, size);
    destination->used += size;
}

enum opshift_status destination_add(struct destination *destination, const void *data, size_t size,
                                    struct opshift_error *error)
{
    size_t room;
    if (size > 0 && is_room(destination, size)) {
        data_add(destination, data, size);
        return OPSHIFT_OK;
    }
    for (size_t done = 0; done < size; done += room) {
        uint8_t *into;
        enum opshift_status status = room_next(destination, size - done, &into, &room, error);
        if (status)
            return status;
        memcpy(into, (const uint8_t *)data + done, room);
        destination->used += room;
    }
    return OPSHIFT_OK;
}

/* Is the target a few bytes ahead of the source within a page? Each read then waits for the write before it (store
 * forwarding), three times slower. */
static bool is_ahead(const struct destination *destination, uint64_t offset)
{
    return (destination->offset + destination->used - offset) % PAGE - 1 < AHEAD;
}

/* Start of an empty buffer. */
static uint8_t *data_place(const struct destination *destination, uint64_t offset)
{
    return destination->memory + (is_ahead(destination, offset) ? PAGE / 2 : 0);
}

static enum opshift_status bytes_copy(struct destination *destination, struct source *source, const char *name,
                                      uint64_t offset, uint64_t size, struct opshift_error *error)
{
    size_t room;
    for (uint64_t done = 0; done < size; done += room) {
        uint8_t *into;
        enum opshift_status status = room_next(destination, size - done, &into, &room, error);
        if (status)
            return status;
        if (destination->used == 0)
            into = destination->data = data_place(destination, offset + done);
        status = source_read(source, offset + done, into, room, error);
        if (status)
            return opshift_within(error, status, "%s", name);
        destination->used += room;
    }
    return OPSHIFT_OK;
}

/* The same within the kernel, as far as that works: *done bytes. */
static enum opshift_status bytes_pump(struct destination *destination, struct source *source, const char *name,
                                      uint64_t offset, uint64_t size, uint64_t *done, struct opshift_error *error)
{
    size_t piece = 0, moved = 0;
    for (*done = 0; *done < size && moved == piece; *done += moved) {
        enum opshift_status status = data_write(destination, error); /* writes the collected data and calls progress */
        if (status)
            return status;
        piece = PUMP_PIECE - (size_t)(destination->offset % PUMP_PIECE);
        if (piece > size - *done)
            piece = (size_t)(size - *done);
        moved = pump_move(&destination->pump, source_descriptor(source), offset + *done, destination->descriptor,
                          destination->offset, piece);
        destination->written = destination->offset += moved;
        status = moved == piece ? source_check_unchanged(source, error)
                                : OPSHIFT_OK; /* else the next read gives the error */
        if (status)
            return opshift_within(error, status, "%s", name);
    }
    return OPSHIFT_OK;
}

static enum opshift_status bytes_move(struct destination *destination, struct source *source, const char *name,
                                      uint64_t offset, uint64_t size, struct opshift_error *error)
{
    uint64_t done = 0;
    enum opshift_status status = OPSHIFT_OK;
    if (size >= PUMP_FROM && source_descriptor(source) >= 0 && !is_ahead(destination, offset))
        status = bytes_pump(destination, source, name, offset, size, &done, error);
    return status ? status : bytes_copy(destination, source, name, offset + done, size - done, error);
}

static enum opshift_status range_copy(struct destination *destination, struct source *source, const char *name,
                                      uint64_t offset, uint64_t size, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    uint64_t hole, start;
    while (status == OPSHIFT_OK && (hole = source_hole(source, offset, size, &start)) > 0) {
        status = bytes_move(destination, source, name, offset, start - offset, error);
        if (status == OPSHIFT_OK)
            status = data_write(destination, error);
        destination->offset += hole;
        size -= start + hole - offset;
        offset = start + hole;
    }
    return status ? status : bytes_move(destination, source, name, offset, size, error);
}

enum opshift_status destination_add_range(struct destination *destination, struct source *source, const char *name,
                                          uint64_t offset, uint64_t size, struct opshift_error *error)
{
    if (size == 0)
        return OPSHIFT_OK;
    if (size < SMALL_RANGE && is_room(destination, size)) {
        const uint8_t *data;
        enum opshift_status status = source_view(source, offset, (size_t)size, &data, error);
        if (status)
            return opshift_within(error, status, "%s", name);
        data_add(destination, data, (size_t)size);
        return OPSHIFT_OK;
    }
    return range_copy(destination, source, name, offset, size, error);
}

enum opshift_status destination_flush(struct destination *destination, struct opshift_error *error)
{
    enum opshift_status status = data_write(destination, error);
    if (status || (destination->reserved <= destination->offset && destination->written == destination->offset))
        return status;
    if (ftruncate(destination->descriptor, (off_t)destination->offset) != 0)
        return destination_failed(destination, "cannot be given its length", error);
    destination->reserved = 0;
    destination->written = destination->offset;
    return OPSHIFT_OK;
}

int destination_descriptor(const struct destination *destination)
{
    return destination->descriptor;
}

const char *destination_temporary(const struct destination *destination)
{
    return destination->temporary;
}

/* Flushes the directory, so that the new name itself is on the disk. */
static enum opshift_status directory_sync(const struct destination *destination, struct opshift_error *error)
{
    char *path = strdup(destination->path);
    if (path == NULL)
        return opshift_no_memory(error);
    int directory = open(dirname(path), O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    free(path);
    enum opshift_status status = OPSHIFT_OK;
    if (directory < 0 || descriptor_flush(directory) != 0)
        status = destination_failed(destination, "is written, but its directory cannot be flushed to the disk", error);
    descriptor_close(directory);
    return status;
}

static enum opshift_status stream_commit(struct destination *destination, struct opshift_error *error)
{
    enum opshift_status status = descriptor_copy(destination->descriptor, destination->stream, NULL, NULL, error);
    return status ? opshift_within(error, status, "%s", destination->shown) : OPSHIFT_OK;
}

enum opshift_status destination_commit(struct destination *destination, struct opshift_error *error)
{
    enum opshift_status status = destination_flush(destination, error);
    if (status || destination->path == NULL)
        return status ? status : stream_commit(destination, error);
    bool sync = destination->flushed != UINT64_MAX;
    if (sync && descriptor_flush(destination->descriptor) != 0)
        return destination_failed(destination, "cannot be flushed to the disk", error);
    int closed = descriptor_finish(destination->descriptor); /* network file systems report a full disk here */
    destination->descriptor = -1;
    if (closed != 0)
        return destination_failed(destination, "cannot be written", error);
    if (rename(destination->temporary, destination->path) != 0)
        return destination_failed(destination, "cannot be put in its place", error);
    free(destination->temporary);
    destination->temporary = NULL;
    return sync ? directory_sync(destination, error) : OPSHIFT_OK;
}

void destination_free(struct destination *destination)
{
    if (destination == NULL)
        return;
    descriptor_close(destination->descriptor);
    descriptor_close(destination->stream);
    if (destination->temporary)
        unlink(destination->temporary);
    free(destination->temporary);
    free(destination->path);
    pump_close(&destination->pump);
    free(destination->shown);
    free(destination->memory);
    free(destination);
}
