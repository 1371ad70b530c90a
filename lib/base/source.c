/* Sources: bytes read by range through a few windows, one for each place of sequential reading. */
#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/descriptor.h"

#define WRITER_MS    500                 /* how long to wait for the writer of a pipe */
#define HOLE_LEAST   ((uint64_t)1 << 20) /* writing zeros for a shorter hole is as fast */
#define WINDOWS      4u
#define WINDOW_ROOM  (64u << 10)
#define WINDOW_FIRST 512u  /* after a jump, since the next field may be skipped, too */
#define WINDOW_AFTER 4096u /* when reading backwards: bytes behind the requested offset */
#define WINDOW_ASKED (64u << 10)
#define WINDOW_SKIP  (12u << 10) /* a longer gap is skipped by a second read instead of being read */

/* Grows during sequential reading, forwards or backwards. */
struct file_window {
    uint64_t offset;
    size_t size;
    size_t next;    /* size of the next read */
    uint64_t moved; /* time stamp: the least recently moved window is reused */
    uint8_t data[WINDOW_ROOM];
};

static void window_set(struct source *source, const uint8_t *bytes, uint64_t offset, size_t size)
{
    source->window = bytes;
    source->window_offset = offset;
    source->window_size = size;
    source->window_pairs = size > 0 ? size - 1 : 0;
}

static enum opshift_status source_new(struct source **source, struct opshift_error *error)
{
    *source = calloc(1, sizeof(**source));
    if (*source == NULL)
        return opshift_no_memory(error);
    (*source)->descriptor = -1;
    return OPSHIFT_OK;
}

/* Allocates the windows; their memory is not touched before use. One window holds all of a small file. */
static enum opshift_status windows_make(struct source *source, struct opshift_error *error)
{
    bool small = source->size <= WINDOW_ROOM;
    source->window_count = small ? 1 : WINDOWS;
    source->windows = malloc(source->window_count * sizeof(*source->windows));
    if (source->windows == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < source->window_count; i++) {
        source->windows[i].offset = source->windows[i].moved = 0;
        source->windows[i].size = source->windows[i].next = 0;
    }
    return OPSHIFT_OK;
}

/* Refuses everything except regular files, pipes and sockets. */
static enum opshift_status kind_check(int descriptor, const struct stat *stat, struct opshift_error *error)
{
    if (S_ISDIR(stat->st_mode))
        return opshift_fail(error, OPSHIFT_IO, "is a directory; name the file in it");
    if (S_ISCHR(stat->st_mode) && isatty(descriptor))
        return opshift_fail(error, OPSHIFT_IO, "is a terminal; name a file, or pipe one in");
    if (!S_ISREG(stat->st_mode) && !S_ISFIFO(stat->st_mode) && !S_ISSOCK(stat->st_mode))
        return opshift_fail(error, OPSHIFT_IO, "is a device; name a file");
    return OPSHIFT_OK;
}

/* Waits for the writer of a named pipe that was opened without blocking, up to WRITER_MS. A read shows whether there is
 * one; a byte that it reads is added to the copy. A writer that has already gone leaves an empty pipe. */
static enum opshift_status writer_wait(int descriptor, int copy, struct opshift_error *error)
{
    struct pollfd pipe = {.fd = descriptor, .events = POLLIN};
    char first;
    int found;
    do
        found = poll(&pipe, 1, WRITER_MS);
    while (found < 0 && errno == EINTR);
    bool hung = found > 0 && (pipe.revents & POLLHUP);
    ssize_t count = read(descriptor, &first, 1);
    if (count == 0 && !hung)
        return opshift_fail(error, OPSHIFT_IO, "is a pipe without a writer; start the writer first, or name a file");
    if (count < 0 && errno != EAGAIN && errno != EINTR)
        return opshift_fail(error, OPSHIFT_IO, "cannot be read: %s", strerror(errno));
    if (count > 0 && descriptor_write(copy, &first, 1, -1) != 0)
        return opshift_fail(error, OPSHIFT_IO, "cannot be copied: %s", strerror(errno));
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) != 0)
        return opshift_fail(error, OPSHIFT_IO, "cannot be read: %s", strerror(errno));
    return OPSHIFT_OK;
}

/* Takes ownership of a descriptor, also on failure. named: it was opened by name, without blocking. A stream, or a file
 * at another offset than 0, is copied. */
static enum opshift_status source_adopt(int descriptor, bool named, struct source **source, struct opshift_error *error)
{
    struct stat stat;
    int copy = -1;
    enum opshift_status status = OPSHIFT_OK;
    *source = NULL;
    if (fstat(descriptor, &stat) != 0) {
        status = opshift_fail(error, OPSHIFT_IO, "cannot stat: %s", strerror(errno));
        goto out;
    }
    status = kind_check(descriptor, &stat, error);
    off_t stands = S_ISREG(stat.st_mode) ? lseek(descriptor, 0, SEEK_CUR) : -1;
    bool whole = stands == 0;
    if (status == OPSHIFT_OK && S_ISREG(stat.st_mode) && stands < 0 && errno != ESPIPE)
        status = opshift_fail(error, OPSHIFT_IO, "cannot stat: %s", strerror(errno));
    if (status == OPSHIFT_OK && !whole) {
        status = descriptor_anonymous(&copy, error);
        if (status == OPSHIFT_OK && named && S_ISFIFO(stat.st_mode))
            status = writer_wait(descriptor, copy, error);
        if (status == OPSHIFT_OK)
            status = descriptor_copy(descriptor, copy, NULL, NULL, error);
        if (status == OPSHIFT_OK && fstat(copy, &stat) != 0)
            status = opshift_fail(error, OPSHIFT_IO, "cannot stat its copy: %s", strerror(errno));
    }
    if (status == OPSHIFT_OK)
        status = source_new(source, error);
    if (status)
        goto out;
    (*source)->size = (uint64_t)stat.st_size;
    (*source)->sparse = (uint64_t)stat.st_blocks * 512 < (uint64_t)stat.st_size;
    (*source)->written = stat.st_mtim;
    (*source)->descriptor = copy >= 0 ? copy : descriptor;
    status = windows_make(*source, error);
    if (status) {
        free(*source);
        *source = NULL;
    }
out:
    if (status || copy >= 0)
        descriptor_close(descriptor);
    if (status)
        descriptor_close(copy);
    return status;
}

static enum opshift_status open_failed(struct opshift_error *error)
{
    if (errno == ENOENT || errno == ENOTDIR)
        return opshift_fail(error, OPSHIFT_IO, "there is no such file; check its name");
    if (errno == EACCES)
        return opshift_fail(error, OPSHIFT_IO, "may not be read; check its permissions");
    return opshift_fail(error, OPSHIFT_IO, "cannot be opened: %s", strerror(errno));
}

static enum opshift_status path_open(const char *path, struct source **source, struct opshift_error *error)
{
    bool named = strcmp(path, "-") != 0;
    *source = NULL;
    int descriptor =
        named ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    return descriptor < 0 ? open_failed(error) : source_adopt(descriptor, named, source, error);
}

static enum opshift_status empty_refuse(struct source **source, enum opshift_status status, struct opshift_error *error)
{
    if (status || (*source)->size > 0)
        return status;
    source_free(*source);
    *source = NULL;
    return opshift_fail_at(error, OPSHIFT_MALFORMED, OPSHIFT_FAULT_EMPTY, ERROR_WHOLE_FILE,
                           "is empty; fetch or write it again");
}

enum opshift_status source_open(const char *path, struct source **source, struct opshift_error *error)
{
    return empty_refuse(source, path_open(path, source, error), error);
}

enum opshift_status source_open_memory(const void *bytes, size_t size, struct source **source,
                                       struct opshift_error *error)
{
    enum opshift_status status = source_new(source, error);
    if (status)
        return status;
    window_set(*source, bytes, 0, size);
    (*source)->size = size;
    return empty_refuse(source, OPSHIFT_OK, error);
}

enum opshift_status source_open_stretches(struct source *base, const struct stretch *stretches, size_t count,
                                          struct source **source, struct opshift_error *error)
{
    enum opshift_status status = source_new(source, error);
    if (status)
        return status;
    const struct stretch *last = count ? &stretches[count - 1] : NULL;
    (*source)->base = base;
    (*source)->stretches = stretches;
    (*source)->stretch_count = count;
    (*source)->size = last ? last->start + last->size : 0;
    status = windows_make(*source, error);
    if (status) {
        free(*source);
        *source = NULL;
        return status;
    }
    return empty_refuse(source, OPSHIFT_OK, error);
}

enum opshift_status source_open_descriptor(int descriptor, struct source **source, struct opshift_error *error)
{
    *source = NULL;
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    return copy < 0 ? open_failed(error) : source_adopt(copy, false, source, error);
}

void source_free(struct source *source)
{
    if (source == NULL)
        return;
    descriptor_close(source->descriptor);
    free(source->windows);
    free(source);
}

uint64_t source_size(const struct source *source)
{
    return source->size;
}

int source_descriptor(const struct source *source)
{
    return source->descriptor;
}

uint64_t source_hole(const struct source *source, uint64_t offset, uint64_t size, uint64_t *start)
{
    uint64_t found = 0;
#ifdef SEEK_HOLE
    if (!source->sparse || size < HOLE_LEAST)
        return 0;
    uint64_t end = offset + size;
    while (found == 0 && offset < end) {
        off_t hole = lseek(source->descriptor, (off_t)offset, SEEK_HOLE);
        if (hole < 0 || (uint64_t)hole >= end)
            break;
        off_t data = lseek(source->descriptor, hole, SEEK_DATA);
        if (data < 0 && errno == ENXIO) /* the hole extends to the end of the file, which may have changed */
            data = lseek(source->descriptor, 0, SEEK_END) == (off_t)source->size ? (off_t)source->size : -1;
        if (data < 0)
            break;
        offset = (uint64_t)data < end ? (uint64_t)data : end;
        if (offset - (uint64_t)hole >= HOLE_LEAST) {
            *start = (uint64_t)hole;
            found = offset - (uint64_t)hole;
        }
    }
    /* Reads here do not use the offset, but a program that gets the descriptor expects 0. */
    if (lseek(source->descriptor, 0, SEEK_SET) != 0)
        return 0;
#endif
    return found;
}

const struct stretch *source_stretches(const struct source *source, size_t *count, struct source **base)
{
    *count = source->stretch_count;
    *base = source->base;
    return source->stretches;
}

static enum opshift_status range_check(const struct source *source, uint64_t offset, uint64_t size,
                                       struct opshift_error *error)
{
    if (offset <= source->size && size <= source->size - offset)
        return OPSHIFT_OK;
    return opshift_fail_at(error, OPSHIFT_MALFORMED, OPSHIFT_FAULT_CUT_SHORT, offset,
                           "%" PRIu64 " bytes are wanted, but the file ends at byte %" PRIu64
                           "; it is damaged or cut short; fetch it again",
                           size, source->size);
}

/* A mixture of two states of a file would be a wrong model. Checked after each read, so that no change is missed. */
enum opshift_status source_check_unchanged(const struct source *source, struct opshift_error *error)
{
    int same = source->descriptor < 0 ? 1 : descriptor_is_as(source->descriptor, source->size, source->written);
    if (same < 0)
        return opshift_fail(error, OPSHIFT_IO, "cannot stat: %s", strerror(errno));
    if (same)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_IO,
                        "the file changed while it was read; try again when no program writes to it");
}

static enum opshift_status file_fill(struct source *source, uint64_t offset, void *into, size_t size,
                                     struct opshift_error *error)
{
    ssize_t count = descriptor_read(source->descriptor, into, size, (off_t)offset);
    if (count < 0)
        return opshift_fail(error, OPSHIFT_IO, "byte %" PRIu64 ": cannot be read: %s", offset, strerror(errno));
    if ((size_t)count < size)
        return opshift_fail(error, OPSHIFT_IO,
                            "the file shrank to %" PRIu64 " bytes while it was read (it had %" PRIu64
                            "); try again when no program writes to it",
                            offset + (uint64_t)count, source->size);
    return source_check_unchanged(source, error);
}

/* The stretch that contains a byte of the source. */
static const struct stretch *stretch_find(const struct source *source, uint64_t offset)
{
    size_t low = 0, high = source->stretch_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (source->stretches[middle].start <= offset)
            low = middle;
        else
            high = middle;
    }
    return &source->stretches[low];
}

static enum opshift_status stretches_fill(struct source *source, uint64_t offset, void *into, size_t size,
                                          struct opshift_error *error)
{
    const struct stretch *stretch = stretch_find(source, offset);
    uint8_t *to = into;
    for (size_t done = 0, count; done < size; done += count, stretch++) {
        uint64_t inside = offset + done - stretch->start, left = stretch->size - inside;
        count = left < size - done ? (size_t)left : size - done;
        if (stretch->data) {
            memcpy(to + done, stretch->data + inside, count);
            continue;
        }
        enum opshift_status status = source_read(source->base, stretch->offset + inside, to + done, count, error);
        if (status)
            return status;
    }
    return OPSHIFT_OK;
}

static enum opshift_status fill(struct source *source, uint64_t offset, void *into, size_t size,
                                struct opshift_error *error)
{
    return source->base ? stretches_fill(source, offset, into, size, error)
                        : file_fill(source, offset, into, size, error);
}

static bool window_holds(const struct file_window *window, uint64_t offset, uint64_t size)
{
    return offset >= window->offset && offset + size <= window->offset + window->size;
}

/* Distance of the offset from the window's bytes. */
static uint64_t window_gap(const struct file_window *window, uint64_t offset)
{
    uint64_t end = window->offset + window->size;
    return offset < window->offset ? window->offset - offset : offset > end ? offset - end : 0;
}

/* The window to move to offset: the nearest one if offset is behind it, else the least recently used one. *near: the
 * nearest one, which is read sequentially; NULL: none. Two readers close together use two windows. */
static struct file_window *window_choose(struct source *source, uint64_t offset, struct file_window **near)
{
    struct file_window *oldest = source->windows;
    *near = NULL;
    for (size_t i = 0; i < source->window_count; i++) {
        struct file_window *window = &source->windows[i];
        if (window->moved < oldest->moved)
            oldest = window;
        if (window->size > 0 && window_gap(window, offset) <= WINDOW_ROOM &&
            (*near == NULL || window_gap(window, offset) < window_gap(*near, offset)))
            *near = window;
    }
    return *near && offset >= (*near)->offset ? *near : oldest;
}

/* Sequential reading doubles the window, a jump makes it small again. */
static enum opshift_status window_move(struct source *source, struct file_window *window,
                                       const struct file_window *near, uint64_t offset, size_t least,
                                       struct opshift_error *error)
{
    bool in_a_row = near && window_gap(near, offset) <= WINDOW_SKIP, backwards = in_a_row && offset < near->offset;
    window->next = in_a_row ? near->next * 2 : WINDOW_FIRST;
    if (window->next > WINDOW_ROOM || source->window_count == 1)
        window->next = WINDOW_ROOM;
    size_t size = window->next > least ? window->next : least;
    uint64_t start = source->window_count == 1 ? 0 : offset;
    /* A backward walk over records reads each record forwards. */
    if (backwards && size > least + WINDOW_AFTER) {
        size_t before = size - least - WINDOW_AFTER;
        start = offset > before ? offset - before : 0;
    }
    if (size > source->size - start)
        size = (size_t)(source->size - start);
    enum opshift_status status = fill(source, start, window->data, size, error);
    window->offset = start;
    window->size = status ? 0 : size;
    return status;
}

/* After a failed read the windows are invalid. */
static void windows_forget(struct source *source)
{
    window_set(source, NULL, 0, 0);
    for (size_t i = 0; i < source->window_count; i++)
        source->windows[i].size = 0;
}

enum opshift_status source_view_move(struct source *source, uint64_t offset, uint64_t size, const uint8_t **bytes,
                                     struct opshift_error *error)
{
    assert(size <= WINDOW_ASKED);
    enum opshift_status status = range_check(source, offset, size, error);
    if (status)
        return status;
    assert(source->windows); /* memory is always in the window, or out of range */
    struct file_window *window = NULL;
    for (size_t i = 0; i < source->window_count && window == NULL; i++)
        if (window_holds(&source->windows[i], offset, size))
            window = &source->windows[i];
    if (window == NULL) {
        struct file_window *near;
        window = window_choose(source, offset, &near);
        status = window_move(source, window, near, offset, (size_t)size, error);
        if (status) {
            windows_forget(source);
            return status;
        }
    }
    window->moved = ++source->moves;
    window_set(source, window->data, window->offset, window->size);
    *bytes = source->window + (offset - source->window_offset);
    return OPSHIFT_OK;
}

enum opshift_status source_read(struct source *source, uint64_t offset, void *into, uint64_t size,
                                struct opshift_error *error)
{
    enum opshift_status status = range_check(source, offset, size, error);
    if (status || size == 0)
        return status;
    if (source->windows && size > WINDOW_ASKED)
        return fill(source, offset, into, (size_t)size, error);
    const uint8_t *data;
    status = source_view(source, offset, size, &data, error);
    if (status == OPSHIFT_OK)
        memcpy(into, data, (size_t)size);
    return status;
}

enum opshift_status sources_same(struct source *a, uint64_t offset_a, struct source *b, uint64_t offset_b,
                                 uint64_t size, bool *same, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    *same = true;
    if (a == b && offset_a == offset_b)
        return OPSHIFT_OK;
    for (uint64_t at = 0, part; status == OPSHIFT_OK && *same && at < size; at += part) {
        uint8_t copy[4096];
        const uint8_t *window;
        part = size - at < sizeof(copy) ? size - at : sizeof(copy);
        status = source_read(a, offset_a + at, copy, part, error);
        if (status == OPSHIFT_OK)
            status = source_view(b, offset_b + at, part, &window, error);
        *same = status == OPSHIFT_OK && memcmp(copy, window, part) == 0;
    }
    return status;
}

/* Reads all of a source and frees it. shown: its name in messages. */
static enum opshift_status whole_read(struct source *source, const char *shown, size_t limit, char **data, size_t *size,
                                      struct opshift_error *error)
{
    char *text = NULL;
    enum opshift_status status = OPSHIFT_OK;
    if (source->size > limit) {
        status = opshift_fail(error, OPSHIFT_UNSUPPORTED, "has %" PRIu64 " bytes, more than the limit of %zu",
                              source->size, limit);
        goto out;
    }
    text = source->size < SIZE_MAX ? malloc((size_t)source->size + 1) : NULL;
    if (text == NULL) {
        status = opshift_no_memory(error);
        goto out;
    }
    status = source_read(source, 0, text, (size_t)source->size, error);
    if (status)
        goto out;
    text[source->size] = '\0';
    *data = text;
    *size = (size_t)source->size;
    text = NULL;
out:
    free(text);
    source_free(source);
    return status ? opshift_within(error, status, "%s", shown) : OPSHIFT_OK;
}

enum opshift_status file_read(const char *path, size_t limit, char **data, size_t *size, struct opshift_error *error)
{
    struct source *source = NULL;
    const char *shown = strcmp(path, "-") == 0 ? "<stdin>" : path;
    enum opshift_status status = path_open(path, &source, error);
    return status ? opshift_within(error, status, "%s", shown) : whole_read(source, shown, limit, data, size, error);
}

enum opshift_status file_read_below(const char *directory, const char *path, size_t limit, char **data, size_t *size,
                                    struct opshift_error *error)
{
    struct source *source = NULL;
    int descriptor = open_beneath(directory, path, OPSHIFT_EXTERNAL_STRICT);
    if (descriptor < 0 && (errno == ELOOP || errno == EXDEV))
        return opshift_fail(error, OPSHIFT_USAGE, "%s/%s: the path leaves its directory or contains a link", directory,
                            path);
    enum opshift_status status = descriptor < 0 ? open_failed(error) : source_adopt(descriptor, true, &source, error);
    if (status)
        return opshift_within(error, status, "%s/%s", directory, path);
    return whole_read(source, path, limit, data, size, error);
}

enum opshift_status opshift_file_read(const char *path, char **text, size_t *size, struct opshift_error *error)
{
    return file_read(path, SIZE_MAX, text, size, error);
}
