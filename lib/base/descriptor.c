/* Complete reads and writes, copies between files, and unnamed temporary files. */
#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pump.h"

#define COPY_SIZE (256u << 10)

ssize_t descriptor_read(int descriptor, void *into, size_t size, off_t offset)
{
    size_t done = 0;
    while (done < size) {
        char *next = (char *)into + done;
        ssize_t count = offset < 0 ? read(descriptor, next, size - done)
                                   : pread(descriptor, next, size - done, offset + (off_t)done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return -1;
        if (count == 0)
            break;
        done += (size_t)count;
    }
    return (ssize_t)done;
}

int descriptor_write(int descriptor, const void *data, size_t size, off_t offset)
{
    for (size_t done = 0; done < size;) {
        const char *next = (const char *)data + done;
        ssize_t count = offset < 0 ? write(descriptor, next, size - done)
                                   : pwrite(descriptor, next, size - done, offset + (off_t)done);
        if (count < 0 && errno != EINTR)
            return -1;
        if (count > 0)
            done += (size_t)count;
    }
    return 0;
}

enum opshift_status descriptor_anonymous(int *descriptor, struct opshift_error *error)
{
    char path[PATH_MAX];
    const char *directory = getenv("TMPDIR");
    if (directory == NULL || *directory == '\0')
        directory = "/tmp";
#ifdef O_TMPFILE
    /* A file without a name cannot be left behind. */
    *descriptor = open(directory, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    if (*descriptor >= 0)
        return OPSHIFT_OK;
#endif
    int size = snprintf(path, sizeof(path), "%s/opshift.XXXXXX", directory);
    if (size < 0 || (size_t)size >= sizeof(path))
        errno = ENAMETOOLONG;
    else
        *descriptor = mkostemp(path, O_CLOEXEC);
    if (size < 0 || (size_t)size >= sizeof(path) || *descriptor < 0)
        return opshift_fail(error, OPSHIFT_IO,
                            "cannot create a temporary file in '%s': %s; set TMPDIR to a directory that can be written",
                            directory, strerror(errno));
    unlink(path);
    return OPSHIFT_OK;
}

static enum opshift_status copy_ask(opshift_progress progress, void *data, struct opshift_error *error)
{
    return progress && !progress(data, 1) ? opshift_fail(error, OPSHIFT_CANCELLED, "cancelled; nothing is written")
                                          : OPSHIFT_OK;
}

#define HOLLOW_FROM  ((off_t)64 << 20)
#define HOLLOW_RATIO 64

bool file_is_hollow(const struct stat *file)
{
    return S_ISREG(file->st_mode) && file->st_size >= HOLLOW_FROM &&
           (off_t)file->st_blocks * 512 < file->st_size / HOLLOW_RATIO;
}

off_t descriptor_next_data(int descriptor, off_t offset, off_t size)
{
#ifdef SEEK_DATA
    off_t data = lseek(descriptor, offset, SEEK_DATA);
    if (data >= 0)
        return data < size ? data : size;
    if (errno == ENXIO)
        return size;
#endif
    return offset;
}

/* Copies a range of data between holes. */
static enum opshift_status run_copy(int from, off_t start, int to, off_t place, off_t size, opshift_progress progress,
                                    void *data, struct opshift_error *error)
{
    char *piece = malloc(COPY_SIZE);
    enum opshift_status status = piece ? OPSHIFT_OK : opshift_no_memory(error);
    for (off_t done = 0; status == OPSHIFT_OK && done < size;) {
        size_t wanted = size - done < (off_t)COPY_SIZE ? (size_t)(size - done) : COPY_SIZE;
        status = copy_ask(progress, data, error);
        ssize_t count = status ? 0 : descriptor_read(from, piece, wanted, start + done);
        if (count < 0)
            status = opshift_fail(error, OPSHIFT_IO, "cannot be read: %s", strerror(errno));
        else if (count > 0 && descriptor_write(to, piece, (size_t)count, place + done) != 0)
            status = opshift_fail(error, OPSHIFT_IO, "cannot be copied: %s", strerror(errno));
        if (count <= 0)
            break; /* the file shrank: the caller detects it */
        done += count;
    }
    free(piece);
    return status;
}

/* Does the source have holes, and can the copy have them, too? */
static bool holes_stay(int from, int to, struct stat *file)
{
    struct stat other;
    return fstat(from, file) == 0 && fstat(to, &other) == 0 && S_ISREG(file->st_mode) && S_ISREG(other.st_mode) &&
           file->st_blocks * 512 < file->st_size && (fcntl(to, F_GETFL) & O_APPEND) == 0;
}

/* Copies the data ranges and skips the holes. Both offsets end behind the copied range. */
static enum opshift_status data_copy(int from, int to, const struct stat *file, opshift_progress progress, void *data,
                                     struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
#if defined(SEEK_DATA) && defined(SEEK_HOLE)
    off_t start = lseek(from, 0, SEEK_CUR), place = lseek(to, 0, SEEK_CUR), end = file->st_size;
    if (start < 0 || place < 0 || start >= end)
        return OPSHIFT_OK;
    for (off_t at = descriptor_next_data(from, start, end); status == OPSHIFT_OK && at < end;) {
        off_t hole = lseek(from, at, SEEK_HOLE);
        if (hole <= at || hole > end)
            hole = end;
        status = run_copy(from, at, to, place + at - start, hole - at, progress, data, error);
        at = descriptor_next_data(from, hole, end);
    }
    struct stat made;
    bool sized = status || (fstat(to, &made) == 0 &&
                            (made.st_size >= place + end - start || ftruncate(to, place + end - start) == 0));
    if (!sized || lseek(from, end, SEEK_SET) < 0 || lseek(to, place + end - start, SEEK_SET) < 0)
        return status ? status : opshift_fail(error, OPSHIFT_IO, "cannot be copied: %s", strerror(errno));
#endif
    return status;
}

/* Copies within the kernel as far as that works; both offsets end behind the copied bytes. */
static enum opshift_status files_pump(int from, int to, opshift_progress progress, void *data,
                                      struct opshift_error *error)
{
    struct pump pump = PUMP_NEW;
    enum opshift_status status = OPSHIFT_OK;
    off_t start = lseek(from, 0, SEEK_CUR), place = lseek(to, 0, SEEK_CUR), done = 0;
    if (start < 0 || place < 0)
        return OPSHIFT_OK;
    for (size_t moved = PUMP_PIECE; status == OPSHIFT_OK && moved == PUMP_PIECE; done += (off_t)moved) {
        status = copy_ask(progress, data, error);
        moved = status ? 0 : pump_move(&pump, from, (uint64_t)(start + done), to, (uint64_t)(place + done), PUMP_PIECE);
    }
    pump_close(&pump);
    if (status == OPSHIFT_OK && (lseek(from, start + done, SEEK_SET) < 0 || lseek(to, place + done, SEEK_SET) < 0))
        status = opshift_fail(error, OPSHIFT_IO, "cannot be copied: %s", strerror(errno));
    return status;
}

enum opshift_status descriptor_copy(int from, int to, opshift_progress progress, void *data,
                                    struct opshift_error *error)
{
    struct stat file;
    char *piece = malloc(COPY_SIZE);
    if (piece == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = holes_stay(from, to, &file) ? data_copy(from, to, &file, progress, data, error)
                                                             : files_pump(from, to, progress, data, error);
    for (ssize_t count = 1; count > 0 && status == OPSHIFT_OK;) {
        if ((status = copy_ask(progress, data, error)) != OPSHIFT_OK)
            break;
        if ((count = descriptor_read(from, piece, COPY_SIZE, -1)) < 0)
            status = opshift_fail(error, OPSHIFT_IO, "cannot be read: %s", strerror(errno));
        else if (descriptor_write(to, piece, (size_t)count, -1) != 0)
            status = opshift_fail(error, OPSHIFT_IO, "cannot be copied: %s", strerror(errno));
    }
    free(piece);
    return status;
}

int descriptor_is_as(int descriptor, uint64_t size, struct timespec written)
{
    struct stat now;
    if (fstat(descriptor, &now) != 0)
        return -1;
    return now.st_mtim.tv_sec == written.tv_sec && now.st_mtim.tv_nsec == written.tv_nsec &&
           (uint64_t)now.st_size == size;
}

int descriptor_flush(int descriptor)
{
    int flushed;
    do
        flushed = fsync(descriptor);
    while (flushed != 0 && errno == EINTR);
    return flushed;
}

int descriptor_finish(int descriptor)
{
    return close(descriptor) == 0 || errno == EINTR ? 0 : -1;
}

void descriptor_close(int descriptor)
{
    if (descriptor >= 0)
        close(descriptor);
}
