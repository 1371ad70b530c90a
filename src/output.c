/* Writes results so that a full disk, a closed pipe or a crash never leaves an incomplete file that looks complete. */
#include "output.h"
#include "interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum opshift_status write_all(int descriptor, const char *path, const void *data, size_t size,
                                     struct opshift_error *error)
{
    const char *at = data;
    while (size > 0) {
        ssize_t done = write(descriptor, at, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return fail(error, OPSHIFT_IO, "%s: cannot be written: %s", path, strerror(errno));
        at += done;
        size -= (size_t)done;
    }
    return OPSHIFT_OK;
}

/* A device or a pipe is written directly, without a temporary file. */
static enum opshift_status open_special(struct pending *pending, const char *path, struct opshift_error *error)
{
    struct stat found;
    pending->descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (pending->descriptor < 0)
        return fail(error, OPSHIFT_IO, "%s: cannot be opened for writing: %s", path, strerror(errno));
    pending->open = true;
    if (fstat(pending->descriptor, &found) != 0 || S_ISREG(found.st_mode))
        return fail(error, OPSHIFT_IO, "%s: was replaced by another file; try again", path);
    return OPSHIFT_OK;
}

bool output_is_stream(const char *path)
{
    struct stat found;
    return strcmp(path, "-") == 0 || (stat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode));
}

enum opshift_status pending_open(struct pending *pending, const char *path, struct opshift_error *error)
{
    bool is_stdout = strcmp(path, "-") == 0;
    pending->shown = strdup(is_stdout ? "standard output" : path);
    if (pending->shown == NULL)
        return fail(error, OPSHIFT_MEMORY, "%s: out of memory", path);
    if (is_stdout) {
        pending->descriptor = STDOUT_FILENO;
        return output_finish(error);
    }
    if (output_is_stream(path))
        return open_special(pending, path, error);
    interrupt_hold();
    enum opshift_status status = opshift_file_open(path, &pending->file, error);
    const char *temporary = status == OPSHIFT_OK ? opshift_file_temporary(pending->file) : NULL;
    pending->temporary = temporary ? strdup(temporary) : NULL;
    interrupt_file_add(pending->temporary);
    interrupt_release();
    return status;
}

enum opshift_status pending_add(struct pending *pending, const void *data, size_t size, struct opshift_error *error)
{
    return pending->file ? opshift_file_add(pending->file, data, size, error)
                         : write_all(pending->descriptor, pending->shown, data, size, error);
}

enum opshift_status pending_close(struct pending *pending, struct opshift_error *error)
{
    bool open = pending->open;
    pending->open = false;
    if (pending->file)
        return opshift_file_flush(pending->file, error);
    /* On EINTR the descriptor is closed, too. */
    if (open && close(pending->descriptor) != 0 && errno != EINTR)
        return fail(error, OPSHIFT_IO, "%s: cannot be written: %s", pending->shown, strerror(errno));
    return OPSHIFT_OK;
}

enum opshift_status pending_write(struct pending *pending, const char *path, const void *data, size_t size,
                                  struct opshift_error *error)
{
    enum opshift_status status = pending_open(pending, path, error);
    if (status == OPSHIFT_OK)
        status = pending_add(pending, data, size, error);
    if (status == OPSHIFT_OK)
        status = pending_close(pending, error);
    return status;
}

enum opshift_status pending_commit(struct pending *pending, struct opshift_error *error)
{
    if (pending->file == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = opshift_file_commit(pending->file, error);
    if (status == OPSHIFT_OK)
        interrupt_file_drop(pending->temporary);
    return status;
}

void pending_free(struct pending *pending)
{
    if (pending->open)
        close(pending->descriptor);
    opshift_file_free(pending->file);
    interrupt_file_drop(pending->temporary);
    free(pending->temporary);
    free(pending->shown);
    *pending = (struct pending){0};
}

enum opshift_status output_write(const char *path, const void *data, size_t size, struct opshift_error *error)
{
    struct pending pending = {0};
    bool stream = output_is_stream(path);
    if (!stream)
        interrupt_watch();
    enum opshift_status status = pending_write(&pending, path, data, size, error);
    if (status == OPSHIFT_OK)
        status = pending_commit(&pending, error);
    pending_free(&pending);
    if (!stream)
        interrupt_end();
    return status;
}

/* False: no such directory. */
static bool directory_look(const char *path, struct stat *directory)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return stat(".", directory) == 0;
    char *name = strndup(path, slash == path ? 1 : (size_t)(slash - path));
    bool found = name != NULL && stat(name, directory) == 0;
    free(name);
    return found;
}

bool output_is_beside(const char *a, const char *b)
{
    struct stat first, second;
    return directory_look(a, &first) && directory_look(b, &second) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static int noted; /* errno of the first failed write to standard output */

void output_note(const FILE *out)
{
    if (out == stdout && noted == 0)
        noted = errno;
}

enum opshift_status output_finish(struct opshift_error *error)
{
    int reason = noted;
    if (fflush(stdout) != 0 && reason == 0)
        reason = errno;
    if (reason == 0 && !ferror(stdout))
        return OPSHIFT_OK;
    return fail(error, OPSHIFT_IO, "standard output: cannot be written: %s", strerror(reason ? reason : EIO));
}
