/* Sources: bytes at rest, read by range through one window that widens while the reading goes on in a row. */
#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"

#define WINDOW_ROOM  (256u << 10)
#define WINDOW_FIRST 4096u /* after a jump: the next field may again be one to jump over */
#define WINDOW_ASKED (64u << 10)

struct source {
    int descriptor; /* -1: memory, or made of another source */
    const uint8_t *memory;
    struct source *base; /* NULL: it has bytes of its own */
    const struct stretch *stretches;
    size_t stretch_count;
    uint64_t size;
    uint8_t *window; /* NULL: memory */
    uint64_t window_offset;
    size_t window_size, window_next; /* window_next: how much to read when it must move on */
};

static enum opshift_status source_new(struct source **source, struct opshift_error *error)
{
    *source = calloc(1, sizeof(**source));
    if (*source == NULL)
        return opshift_no_memory(error);
    (*source)->descriptor = -1;
    (*source)->window_next = WINDOW_FIRST;
    return OPSHIFT_OK;
}

/* What is neither a file nor a stream that ends cannot be a model. */
static enum opshift_status kind_check(int descriptor, const struct stat *stat, struct opshift_error *error)
{
    if (S_ISDIR(stat->st_mode))
        return opshift_fail(error, OPSHIFT_IO, "is a folder; name the file in it");
    if (isatty(descriptor))
        return opshift_fail(error, OPSHIFT_IO, "is a terminal; name a file, or pipe one in");
    if (!S_ISREG(stat->st_mode) && !S_ISFIFO(stat->st_mode) && !S_ISSOCK(stat->st_mode))
        return opshift_fail(error, OPSHIFT_IO, "is a device; name a file");
    return OPSHIFT_OK;
}

/* Takes over a descriptor, also when it fails. A stream, or a file of which a part was read already, is copied. */
static enum opshift_status source_adopt(int descriptor, struct source **source, struct opshift_error *error)
{
    struct stat stat;
    int copy = -1;
    enum opshift_status status = OPSHIFT_OK;
    *source = NULL;
    if (fstat(descriptor, &stat) != 0) {
        status = opshift_fail(error, OPSHIFT_IO, "cannot be looked at: %s", strerror(errno));
        goto out;
    }
    status = kind_check(descriptor, &stat, error);
    bool whole = S_ISREG(stat.st_mode) && lseek(descriptor, 0, SEEK_CUR) == 0;
    if (status == OPSHIFT_OK && !whole) {
        status = descriptor_anonymous(&copy, error);
        if (status == OPSHIFT_OK)
            status = descriptor_copy(descriptor, copy, error);
        if (status == OPSHIFT_OK && fstat(copy, &stat) != 0)
            status = opshift_fail(error, OPSHIFT_IO, "its copy cannot be looked at: %s", strerror(errno));
    }
    if (status == OPSHIFT_OK)
        status = source_new(source, error);
    if (status)
        goto out;
    (*source)->size = (uint64_t)stat.st_size;
    (*source)->descriptor = copy >= 0 ? copy : descriptor;
    (*source)->window = malloc(WINDOW_ROOM);
    if ((*source)->window == NULL) {
        free(*source);
        *source = NULL;
        status = opshift_no_memory(error);
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
    *source = NULL;
    int descriptor =
        strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    return descriptor < 0 ? open_failed(error) : source_adopt(descriptor, source, error);
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
    (*source)->memory = bytes;
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
    (*source)->window = malloc(WINDOW_ROOM);
    if ((*source)->window == NULL) {
        free(*source);
        *source = NULL;
        return opshift_no_memory(error);
    }
    return empty_refuse(source, OPSHIFT_OK, error);
}

enum opshift_status source_open_descriptor(int descriptor, struct source **source, struct opshift_error *error)
{
    *source = NULL;
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    return copy < 0 ? open_failed(error) : source_adopt(copy, source, error);
}

void source_free(struct source *source)
{
    if (source == NULL)
        return;
    descriptor_close(source->descriptor);
    free(source->window);
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

static enum opshift_status file_fill(struct source *source, uint64_t offset, void *into, size_t size,
                                     struct opshift_error *error)
{
    ssize_t count = descriptor_read(source->descriptor, into, size, (off_t)offset);
    if (count < 0)
        return opshift_fail(error, OPSHIFT_IO, "byte %" PRIu64 ": cannot be read: %s", offset, strerror(errno));
    if ((size_t)count < size)
        return opshift_fail(error, OPSHIFT_IO,
                            "the file shrank to %" PRIu64 " bytes while it was read (it had %" PRIu64
                            "); try again when nobody writes to it",
                            offset + (uint64_t)count, source->size);
    return OPSHIFT_OK;
}

/* The stretch that a byte of the source lies in. */
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

/* Moves the window to offset. Reading in a row doubles it, a jump makes it small again. */
static enum opshift_status window_move(struct source *source, uint64_t offset, size_t least,
                                       struct opshift_error *error)
{
    uint64_t start = source->window_offset, reach = source->window_size + source->window_next;
    bool in_a_row = source->window_size > 0 && offset >= start && offset - start <= reach;
    source->window_next = in_a_row ? source->window_next * 2 : WINDOW_FIRST;
    if (source->window_next > WINDOW_ROOM)
        source->window_next = WINDOW_ROOM;
    size_t size = source->window_next > least ? source->window_next : least;
    if (size > source->size - offset)
        size = (size_t)(source->size - offset);
    source->window_size = 0;
    enum opshift_status status = fill(source, offset, source->window, size, error);
    if (status)
        return status;
    source->window_offset = offset;
    source->window_size = size;
    return OPSHIFT_OK;
}

const uint8_t *source_window(struct source *source, uint64_t offset, size_t size, struct opshift_error *error)
{
    assert(size <= WINDOW_ASKED);
    if (range_check(source, offset, size, error))
        return NULL;
    if (source->memory)
        return source->memory + offset;
    bool inside = offset >= source->window_offset && offset + size <= source->window_offset + source->window_size;
    if (!inside && window_move(source, offset, size, error))
        return NULL;
    return source->window + (offset - source->window_offset);
}

enum opshift_status source_read(struct source *source, uint64_t offset, void *into, size_t size,
                                struct opshift_error *error)
{
    enum opshift_status status = range_check(source, offset, size, error);
    if (status || size == 0)
        return status;
    if (source->memory == NULL && size > WINDOW_ASKED)
        return fill(source, offset, into, size, error);
    if (source->memory) {
        memcpy(into, source->memory + offset, size);
        return OPSHIFT_OK;
    }
    struct opshift_error local = {0};
    const uint8_t *data = source_window(source, offset, size, error ? error : &local);
    if (data == NULL)
        return error ? error->status : local.status;
    memcpy(into, data, size);
    return OPSHIFT_OK;
}

enum opshift_status file_read(const char *path, size_t limit, char **data, size_t *size, struct opshift_error *error)
{
    struct source *source = NULL;
    char *text = NULL;
    enum opshift_status status = path_open(path, &source, error);
    if (status)
        goto out;
    if (source->size > limit) {
        status = opshift_fail(error, OPSHIFT_UNSUPPORTED, "has %" PRIu64 " bytes, more than the limit of %zu",
                              source->size, limit);
        goto out;
    }
    text = malloc((size_t)source->size + 1);
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
    return status ? opshift_within(error, status, "%s", strcmp(path, "-") == 0 ? "<stdin>" : path) : OPSHIFT_OK;
}
