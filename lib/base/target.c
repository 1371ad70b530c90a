/* Targets: a file written under a temporary name beside its place, which it takes when it is whole. */
#include "config.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/pump.h"
#include "base/rights.h"

/* What is put together from small pieces is written so many bytes at a time. */
#define ROOM (128u << 10)
/* A long range is read so many at a time, into one huge page: as many small ones take longer to get than they save in a
 * file that is not LARGE, and half of them do. */
#define LARGE_ROOM (1u << 20)
#define LARGE_FROM (8u << 20)
#define LARGE_FILE (32u << 20)
#define HUGE_PAGE  (2u << 20)
/* At most so many are written at once. The kernel takes runs of memory as long as a write; the longer, the sooner the
 * runs are used up that are at hand, so that the larger a file is, the smaller its writes. */
#define LARGE_WRITE (1u << 20)
#define WRITE       (256u << 10)
#define SMALL_WRITE (64u << 10)
#define FEW         (64ull << 20)
#define MANY        (2ull << 30)
/* The kernel copies several times as fast to where a page starts, and three times as slow where it writes so few bytes
 * ahead of what it reads, within a page. */
#define PAGE  4096u
#define AHEAD 31u
/* Smaller files gain nothing from reserving their room. */
#define RESERVE_FROM (1u << 20)
/* So many go to the disk together while more are written. */
#define FLUSH    (16ull << 20)
#define ATTEMPTS 100
/* Shorter ones are copied from what is at hand, with what is read around them. */
#define SMALL_RANGE (16u << 10)
/* Longer ones go from file to file within the kernel. */
#define PUMP_FROM (512u << 10)

struct target {
    char *shown;     /* how messages call it */
    char *path;      /* what it will replace, symbolic links followed; NULL: it will be copied to `stream` */
    char *temporary; /* NULL: it has no name, or not any more */
    int descriptor, stream;
    uint8_t *memory, *data; /* for `room` bytes at a place of a page's choice; what is not yet written, in it */
    size_t room, used;      /* room 0: not made yet */
    size_t full;            /* so many bytes of data are written at once; as it was when the first came in */
    uint64_t offset;        /* where data belongs */
    uint64_t reserved;      /* the length the file was given ahead */
    uint64_t written;       /* where the last byte was written that is no hole */
    uint64_t size;          /* that it is going to have */
    uint64_t flushed;       /* up to here it is on its way to the disk; UINT64_MAX: nobody waits for that */
    struct pump pump;       /* for long ranges */
    opshift_progress progress;
    void *progress_data;
};

static enum opshift_status target_failed(const struct target *target, const char *what, struct opshift_error *error)
{
    const char *way = errno == ENOSPC || errno == EDQUOT ? "free some space, or write elsewhere"
                      : errno == EFBIG                   ? "raise the limit on the size of files"
                                                         : "check the folder and its permissions, or write elsewhere";
    return opshift_fail(error, OPSHIFT_IO, "%s: %s: %s; %s", target->shown, what, strerror(errno), way);
}

/* The name that the new file has until it is whole: .NAME.XXXXXX.opshift, in the folder of path. */
char *temporary_name(const char *path)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
    uint8_t random[6];
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    struct buffer text = {0};
    if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
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

/* Makes the temporary file; mode is subject to the umask, as open has it. */
static enum opshift_status temporary_open(struct target *target, mode_t mode, struct opshift_error *error)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        char *name = temporary_name(target->path);
        if (name == NULL)
            return opshift_no_memory(error);
        target->descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
        if (target->descriptor >= 0) {
            target->temporary = name;
            return OPSHIFT_OK;
        }
        free(name);
        if (errno != EEXIST)
            break;
    }
    if (errno == ENOENT || errno == ENOTDIR)
        return opshift_fail(error, OPSHIFT_IO, "%s: there is no such folder; make it first", target->shown);
    return target_failed(target, "cannot be written", error);
}

static enum opshift_status replacement_open(struct target *target, const char *path, const struct stat *old,
                                            struct opshift_error *error)
{
    target->path = old ? realpath(path, NULL) : strdup(path);
    if (target->path == NULL)
        return target_failed(target, "cannot be followed to its file", error);
    if (old && access(path, W_OK) != 0)
        return target_failed(target, "may not be written", error);
    enum opshift_status status = temporary_open(target, old ? old->st_mode & 0600 : 0666, error);
    if (status == OPSHIFT_OK && old && !rights_keep(target->descriptor, target->path, old))
        return target_failed(target, "its permissions cannot be kept", error);
    return status;
}

/* Standard output, a pipe or a device cannot be replaced: the whole file is copied to it at the end. */
static enum opshift_status stream_open(struct target *target, const char *path, struct opshift_error *error)
{
    target->stream =
        path == NULL ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (target->stream < 0)
        return target_failed(target, "cannot be written", error);
    enum opshift_status status = descriptor_anonymous(&target->descriptor, error);
    return status ? opshift_within(error, status, "%s", target->shown) : OPSHIFT_OK;
}

static enum opshift_status path_open(struct target *target, const char *path, struct opshift_error *error)
{
    struct stat old, link;
    if (strcmp(path, "-") == 0)
        return stream_open(target, NULL, error);
    bool exists = stat(path, &old) == 0;
    if (!exists && lstat(path, &link) == 0)
        return opshift_fail(error, OPSHIFT_IO, "%s: is a symbolic link to nothing; remove it, or write elsewhere",
                            path);
    if (exists && S_ISDIR(old.st_mode))
        return opshift_fail(error, OPSHIFT_IO, "%s: is a folder; name a file in it", path);
    if (*path == '\0' || path[strlen(path) - 1] == '/')
        return opshift_fail(error, OPSHIFT_IO, "%s: names no file; add its name", path);
    if (exists && !S_ISREG(old.st_mode))
        return stream_open(target, path, error);
    return replacement_open(target, path, exists ? &old : NULL, error);
}

/* What is missing is said before anything is written. */
enum opshift_status target_reserve(struct target *target, uint64_t size, bool room, struct opshift_error *error)
{
    target->size = size;
#ifdef HAVE_FALLOCATE
    if (!room || size < RESERVE_FROM || size > INT64_MAX)
        return OPSHIFT_OK;
    if (fallocate(target->descriptor, 0, 0, (off_t)size) == 0)
        target->reserved = size;
    else if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
        return target_failed(target, "cannot be written", error);
#endif
    return OPSHIFT_OK; /* a file system without reserving is written without */
}

enum opshift_status target_open(const char *path, uint64_t size, struct target **target, struct opshift_error *error)
{
    struct target *made = calloc(1, sizeof(*made));
    enum opshift_status status = OPSHIFT_OK;
    *target = NULL;
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
        status = target_reserve(made, size, true, error);
    if (status)
        target_free(made);
    else
        *target = made;
    return status;
}

void target_watch(struct target *target, opshift_progress progress, void *data)
{
    target->progress = progress;
    target->progress_data = data;
}

void target_sync(struct target *target)
{
    target->flushed = 0;
}

/* The disk works while the rest is copied. Not more than a start: fsync says whether it went well. */
static void flush_start(struct target *target)
{
#ifdef HAVE_SYNC_FILE_RANGE
    if (target->offset < target->flushed || target->offset - target->flushed < FLUSH)
        return;
    sync_file_range(target->descriptor, (off_t)target->flushed, (off_t)(target->offset - target->flushed),
                    SYNC_FILE_RANGE_WRITE);
    target->flushed = target->offset;
#endif
}

static bool is_cancelled(const struct target *target)
{
    double done = target->size ? (double)target->offset / (double)target->size : 1;
    return target->progress && !target->progress(target->progress_data, done < 1 ? done : 1);
}

/* How many bytes are written at once. */
static size_t write_most(const struct target *target)
{
    return target->size < FEW ? LARGE_WRITE : target->size > MANY ? SMALL_WRITE : WRITE;
}

static enum opshift_status data_write(struct target *target, struct opshift_error *error)
{
    if (is_cancelled(target))
        return opshift_fail(error, OPSHIFT_CANCELLED, "%s: cancelled; nothing is written", target->shown);
    size_t most = write_most(target), size;
    for (size_t done = 0; done < target->used; done += size) {
        size = most - (size_t)(target->offset % most);
        if (size > target->used - done)
            size = target->used - done;
        if (descriptor_write(target->descriptor, target->data + done, size, (off_t)target->offset) != 0)
            return target_failed(target, "cannot be written", error);
        target->written = target->offset += size;
    }
    target->used = 0;
    flush_start(target);
    return OPSHIFT_OK;
}

/* For what is put together: as much as a file of this size makes use of. */
static uint8_t *small_memory(const struct target *target, size_t *room)
{
    *room = target->size < ROOM ? (size_t)(target->size / PAGE + 1) * PAGE : ROOM;
    return aligned_alloc(PAGE, *room + PAGE);
}

/* For a long range. Where the system has no huge pages, or none left, it gives small ones. */
static uint8_t *large_memory(const struct target *target, size_t *room)
{
    uint8_t *memory = aligned_alloc(HUGE_PAGE, HUGE_PAGE);
    bool huge = false;
#ifdef MADV_HUGEPAGE
    huge = memory && madvise(memory, HUGE_PAGE, MADV_HUGEPAGE) == 0;
#endif
    *room = huge || target->size >= LARGE_FILE ? LARGE_ROOM : LARGE_ROOM / 2;
    return memory;
}

/* How many bytes are put together before they are written, up to where as many end in the file. */
static size_t data_room(const struct target *target)
{
    return target->room - (size_t)(target->offset % target->room);
}

/* Memory for a part of `size` bytes in a row. What waits in the memory before it goes along: to use all of that would
 * only have the system get it. */
static enum opshift_status memory_make(struct target *target, uint64_t size, struct opshift_error *error)
{
    bool large = size >= LARGE_FROM;
    if (target->room > (large ? ROOM : 0))
        return OPSHIFT_OK;
    size_t room;
    uint8_t *memory = (large ? large_memory : small_memory)(target, &room);
    if (memory == NULL)
        return opshift_no_memory(error);
    if (target->used > 0)
        memcpy(memory, target->data, target->used);
    free(target->memory);
    target->memory = target->data = memory;
    target->room = room;
    target->full = data_room(target);
    return OPSHIFT_OK;
}

/* Where the next bytes go, and how many fit there (at most size, at least one). */
static enum opshift_status room_next(struct target *target, uint64_t size, uint8_t **into, size_t *room,
                                     struct opshift_error *error)
{
    enum opshift_status status = memory_make(target, size, error);
    if (status == OPSHIFT_OK && target->used >= target->full)
        status = data_write(target, error);
    if (status)
        return status;
    if (target->used == 0)
        target->full = data_room(target);
    *room = target->full - target->used;
    if (*room > size)
        *room = (size_t)size;
    *into = target->data + target->used;
    return OPSHIFT_OK;
}

/* Does what comes fit behind what waits to be written? */
static bool is_room(const struct target *target, uint64_t size)
{
    return target->used > 0 && target->used < target->full && size <= target->full - target->used;
}

static void data_add(struct target *target, const void *data, size_t size)
{
    memcpy(target->data + target->used, data, size);
    target->used += size;
}

enum opshift_status target_add(struct target *target, const void *data, size_t size, struct opshift_error *error)
{
    size_t room;
    if (size > 0 && is_room(target, size)) {
        data_add(target, data, size);
        return OPSHIFT_OK;
    }
    for (size_t done = 0; done < size; done += room) {
        uint8_t *into;
        enum opshift_status status = room_next(target, size - done, &into, &room, error);
        if (status)
            return status;
        memcpy(into, (const uint8_t *)data + done, room);
        target->used += room;
    }
    return OPSHIFT_OK;
}

/* Will what is written stand a few bytes ahead of what is read, within a page? The processor waits for each write then
 * before it reads on: three times as slow. */
static bool is_ahead(const struct target *target, uint64_t offset)
{
    return (target->offset + target->used - offset) % PAGE - 1 < AHEAD;
}

/* Where an empty buffer starts. */
static uint8_t *data_place(const struct target *target, uint64_t offset)
{
    return target->memory + (is_ahead(target, offset) ? PAGE / 2 : 0);
}

static enum opshift_status bytes_copy(struct target *target, struct source *source, const char *name, uint64_t offset,
                                      uint64_t size, struct opshift_error *error)
{
    size_t room;
    for (uint64_t done = 0; done < size; done += room) {
        uint8_t *into;
        enum opshift_status status = room_next(target, size - done, &into, &room, error);
        if (status)
            return status;
        if (target->used == 0)
            into = target->data = data_place(target, offset + done);
        status = source_read(source, offset + done, into, room, error);
        if (status)
            return opshift_within(error, status, "%s", name);
        target->used += room;
    }
    return OPSHIFT_OK;
}

/* The same within the kernel, as far as it goes: *done bytes. */
static enum opshift_status bytes_pump(struct target *target, struct source *source, const char *name, uint64_t offset,
                                      uint64_t size, uint64_t *done, struct opshift_error *error)
{
    size_t piece = 0, moved = 0;
    for (*done = 0; *done < size && moved == piece; *done += moved) {
        enum opshift_status status = data_write(target, error); /* what waits; and asks whether to go on */
        if (status)
            return status;
        piece = PUMP_PIECE - (size_t)(target->offset % PUMP_PIECE);
        if (piece > size - *done)
            piece = (size_t)(size - *done);
        moved = pump_move(&target->pump, source_descriptor(source), offset + *done, target->descriptor, target->offset,
                          piece);
        target->written = target->offset += moved;
        status = moved == piece ? source_check_unchanged(source, error) : OPSHIFT_OK; /* or who reads on tells why */
        if (status)
            return opshift_within(error, status, "%s", name);
    }
    return OPSHIFT_OK;
}

static enum opshift_status bytes_move(struct target *target, struct source *source, const char *name, uint64_t offset,
                                      uint64_t size, struct opshift_error *error)
{
    uint64_t done = 0;
    enum opshift_status status = OPSHIFT_OK;
    if (size >= PUMP_FROM && source_descriptor(source) >= 0 && !is_ahead(target, offset))
        status = bytes_pump(target, source, name, offset, size, &done, error);
    return status ? status : bytes_copy(target, source, name, offset + done, size - done, error);
}

static enum opshift_status range_copy(struct target *target, struct source *source, const char *name, uint64_t offset,
                                      uint64_t size, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    uint64_t hole, start;
    while (status == OPSHIFT_OK && (hole = source_hole(source, offset, size, &start)) > 0) {
        status = bytes_move(target, source, name, offset, start - offset, error);
        if (status == OPSHIFT_OK)
            status = data_write(target, error);
        target->offset += hole;
        size -= start + hole - offset;
        offset = start + hole;
    }
    return status ? status : bytes_move(target, source, name, offset, size, error);
}

enum opshift_status target_add_range(struct target *target, struct source *source, const char *name, uint64_t offset,
                                     uint64_t size, struct opshift_error *error)
{
    if (size == 0)
        return OPSHIFT_OK;
    if (size < SMALL_RANGE && is_room(target, size)) {
        const uint8_t *data = source_window(source, offset, (size_t)size, error);
        if (data)
            data_add(target, data, (size_t)size);
        return data ? OPSHIFT_OK : opshift_within(error, OPSHIFT_IO, "%s", name);
    }
    return range_copy(target, source, name, offset, size, error);
}

enum opshift_status target_flush(struct target *target, struct opshift_error *error)
{
    enum opshift_status status = data_write(target, error);
    if (status || (target->reserved <= target->offset && target->written == target->offset))
        return status;
    if (ftruncate(target->descriptor, (off_t)target->offset) != 0)
        return target_failed(target, "cannot be given its length", error);
    target->reserved = 0;
    target->written = target->offset;
    return OPSHIFT_OK;
}

int target_descriptor(const struct target *target)
{
    return target->descriptor;
}

const char *target_temporary(const struct target *target)
{
    return target->temporary;
}

/* Flushes the folder, so that the new name itself is on the disk. */
static enum opshift_status folder_sync(const struct target *target, struct opshift_error *error)
{
    char *path = strdup(target->path);
    if (path == NULL)
        return opshift_no_memory(error);
    int folder = open(dirname(path), O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    free(path);
    enum opshift_status status = OPSHIFT_OK;
    if (folder < 0 || fsync(folder) != 0)
        status = target_failed(target, "is written, but its folder cannot be flushed to the disk", error);
    descriptor_close(folder);
    return status;
}

static enum opshift_status stream_commit(struct target *target, struct opshift_error *error)
{
    enum opshift_status status = descriptor_copy(target->descriptor, target->stream, NULL, NULL, error);
    return status ? opshift_within(error, status, "%s", target->shown) : OPSHIFT_OK;
}

enum opshift_status target_commit(struct target *target, struct opshift_error *error)
{
    enum opshift_status status = target_flush(target, error);
    if (status || target->path == NULL)
        return status ? status : stream_commit(target, error);
    bool sync = target->flushed != UINT64_MAX;
    if (sync && fsync(target->descriptor) != 0)
        return target_failed(target, "cannot be flushed to the disk", error);
    int closed = close(target->descriptor); /* where a network's file system tells that it had no room */
    target->descriptor = -1;
    if (closed != 0)
        return target_failed(target, "cannot be written", error);
    if (rename(target->temporary, target->path) != 0)
        return target_failed(target, "cannot be put in its place", error);
    free(target->temporary);
    target->temporary = NULL;
    return sync ? folder_sync(target, error) : OPSHIFT_OK;
}

void target_free(struct target *target)
{
    if (target == NULL)
        return;
    descriptor_close(target->descriptor);
    descriptor_close(target->stream);
    if (target->temporary)
        unlink(target->temporary);
    free(target->temporary);
    free(target->path);
    pump_close(&target->pump);
    free(target->shown);
    free(target->memory);
    free(target);
}
