/* Writes results so that a full disk, a closed pipe or a crash never leaves half a file that looks whole. */
#include "output.h"
#include "interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

/* mkostemps makes a file that only its owner may read; the target gets the rights that it has, or that a new file gets.
 */
static mode_t rights_of(const char *path)
{
    struct stat found;
    if (stat(path, &found) == 0)
        return found.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static enum opshift_status open_beside(struct pending *pending, struct opshift_error *error)
{
    static const char ending[] = ".opshift";
    const char *slash = strrchr(pending->target, '/');
    const char *name = slash ? slash + 1 : pending->target;
    char *temporary = NULL;
    /* The same kind of name as a model has while it is written: whoever finds it knows it. */
    if (asprintf(&temporary, "%.*s.%.*s.XXXXXX%s", (int)(name - pending->target), pending->target, NAME_MAX - 16, name,
                 ending) < 0)
        return fail(error, OPSHIFT_MEMORY, "%s: no memory", pending->shown);
    interrupt_hold();
    pending->descriptor = mkostemps(temporary, (int)strlen(ending), O_CLOEXEC);
    int why = errno;
    if (pending->descriptor >= 0)
        interrupt_file_add(temporary);
    interrupt_release();
    if (pending->descriptor < 0) {
        free(temporary);
        return fail(error, OPSHIFT_IO, "%s: cannot be made: %s", pending->target, strerror(why));
    }
    pending->temporary = temporary;
    pending->open = true;
    if (fchmod(pending->descriptor, rights_of(pending->target)) != 0)
        return fail(error, OPSHIFT_IO, "%s: its rights cannot be set: %s", pending->target, strerror(errno));
    return OPSHIFT_OK;
}

/* A device or a pipe has no place beside it. */
static enum opshift_status open_special(struct pending *pending, const char *path, struct opshift_error *error)
{
    pending->descriptor = open(path, O_WRONLY | O_CLOEXEC);
    if (pending->descriptor < 0)
        return fail(error, OPSHIFT_IO, "%s: cannot be opened for writing: %s", path, strerror(errno));
    pending->open = true;
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
        return fail(error, OPSHIFT_MEMORY, "%s: no memory", path);
    if (is_stdout) {
        pending->descriptor = STDOUT_FILENO;
        return output_finish(error);
    }
    if (output_is_stream(path))
        return open_special(pending, path, error);
    /* What a link names is replaced, not the link. */
    pending->target = realpath(path, NULL);
    if (pending->target == NULL)
        pending->target = strdup(path);
    if (pending->target == NULL)
        return fail(error, OPSHIFT_MEMORY, "%s: no memory", path);
    return open_beside(pending, error);
}

enum opshift_status pending_add(struct pending *pending, const void *data, size_t size, struct opshift_error *error)
{
    return write_all(pending->descriptor, pending->shown, data, size, error);
}

enum opshift_status pending_close(struct pending *pending, struct opshift_error *error)
{
    bool open = pending->open;
    pending->open = false;
    if (open && close(pending->descriptor) != 0)
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
    if (pending->temporary == NULL)
        return OPSHIFT_OK;
    if (rename(pending->temporary, pending->target) != 0)
        return fail(error, OPSHIFT_IO, "%s: cannot be put in its place: %s", pending->target, strerror(errno));
    interrupt_file_drop(pending->temporary);
    free(pending->temporary);
    pending->temporary = NULL;
    return OPSHIFT_OK;
}

void pending_free(struct pending *pending)
{
    if (pending->open)
        close(pending->descriptor);
    if (pending->temporary)
        unlink(pending->temporary);
    interrupt_file_drop(pending->temporary);
    free(pending->temporary);
    free(pending->shown);
    free(pending->target);
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
        interrupt_settle();
    return status;
}

/* False: there is no such file. */
static bool file_look(const char *path, struct stat *file)
{
    return strcmp(path, "-") != 0 && stat(path, file) == 0 && S_ISREG(file->st_mode);
}

bool output_is_among(const char *path, char *const *paths, size_t count)
{
    struct stat file, other;
    bool there = file_look(path, &file);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(path, paths[i]) == 0)
            return true;
        if (there && file_look(paths[i], &other) && file.st_dev == other.st_dev && file.st_ino == other.st_ino)
            return true;
    }
    return false;
}

bool output_is_same(const char *a, const char *b)
{
    char *other = (char *)b;
    return output_is_among(a, &other, 1);
}

/* False: there is no such folder. */
static bool folder_look(const char *path, struct stat *folder)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return stat(".", folder) == 0;
    char *name = strndup(path, slash == path ? 1 : (size_t)(slash - path));
    bool found = name != NULL && stat(name, folder) == 0;
    free(name);
    return found;
}

bool output_is_beside(const char *a, const char *b)
{
    struct stat first, second;
    return folder_look(a, &first) && folder_look(b, &second) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static int noted; /* the errno of the first write to standard output that failed */

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
