/* read and write as one would like them to be, and files without a name. */
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
    const char *folder = getenv("TMPDIR");
    if (folder == NULL || *folder == '\0')
        folder = "/tmp";
#ifdef O_TMPFILE
    /* Without a name from the start nothing can be left behind. */
    *descriptor = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    if (*descriptor >= 0)
        return OPSHIFT_OK;
#endif
    int size = snprintf(path, sizeof(path), "%s/opshift.XXXXXX", folder);
    if (size < 0 || (size_t)size >= sizeof(path))
        errno = ENAMETOOLONG;
    else
        *descriptor = mkostemp(path, O_CLOEXEC);
    if (size < 0 || (size_t)size >= sizeof(path) || *descriptor < 0)
        return opshift_fail(error, OPSHIFT_IO,
                            "no temporary file can be made in '%s': %s; set TMPDIR to a folder that can be written",
                            folder, strerror(errno));
    unlink(path);
    return OPSHIFT_OK;
}

static enum opshift_status copy_ask(opshift_progress progress, void *data, struct opshift_error *error)
{
    return progress && !progress(data, 1) ? opshift_fail(error, OPSHIFT_CANCELLED, "cancelled; nothing is written")
                                          : OPSHIFT_OK;
}

/* From file to file within the kernel, as far as it goes; both then stand behind what was copied. */
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
    char *piece = malloc(COPY_SIZE);
    if (piece == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = files_pump(from, to, progress, data, error);
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

void descriptor_close(int descriptor)
{
    if (descriptor >= 0)
        close(descriptor);
}
