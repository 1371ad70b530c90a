/* Each file appears whole: it is written under a temporary name and renamed only if the target does not exist. */
#include "base/new_file.h"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_LINUX_FS_H
#include <linux/fs.h>
#endif

#include "base/descriptor.h"
#include "base/destination.h"

#define COMPARE_SIZE ((size_t)64 << 10)

/* The place of a new file. */
struct new_file_place {
    int directory;    /* the innermost one, open */
    const char *name; /* in it */
    const char *shown_directory, *shown_path;
    struct new_file_how how;
    struct opshift_error *error;
};

static enum opshift_status spot_failed(const struct new_file_place *spot, const char *what, int why)
{
    return opshift_fail(spot->error, OPSHIFT_IO, "%.200s/%.200s: %s: %s; write elsewhere, or keep the external data",
                        spot->shown_directory, spot->shown_path, what, strerror(why));
}

/* Flushed before its directory, so that a name on the disk always has a complete file. */
static enum opshift_status spot_flush(const struct new_file_place *spot, int descriptor)
{
    return spot->how.sync && descriptor_flush(descriptor) != 0
               ? spot_failed(spot, "cannot be flushed to the disk", errno)
               : OPSHIFT_OK;
}

/* Opens the next directory of a path. made: a missing directory is created and counted; sync: and flushed. -1: errno.
 */
static int directory_step(int at, const char *name, bool sync, struct new_file_made *made)
{
    if (made && mkdirat(at, name, 0777) == 0) {
        made->directories++;
        if (sync && descriptor_flush(at) != 0)
            return -1;
    } else if (made && errno != EEXIST) {
        return -1;
    }
    return openat(at, name, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW);
}

/* Opens the innermost directory of path; *path becomes the file name in it. made NULL: no directory is created. -1:
 * errno. */
static int directory_walk(const char *directory, char *path, bool sync, struct new_file_made *made, char **name)
{
    int at = open(directory, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    char *slash;
    while (at >= 0 && (slash = strchr(path, '/')) != NULL) {
        *slash = '\0';
        int next = -1;
        if (strcmp(path, "..") == 0)
            errno = EXDEV;
        else if (*path == '\0' || strcmp(path, ".") == 0)
            next = fcntl(at, F_DUPFD_CLOEXEC, 0);
        else
            next = directory_step(at, path, sync, made);
        int why = errno;
        close(at);
        errno = why;
        at = next;
        path = slash + 1;
    }
    *name = path;
    return at;
}

/* The next offset at which one of the files has data. */
static off_t data_from(int a, int b, off_t at, off_t size)
{
    off_t in_a = descriptor_next_data(a, at, size), in_b = descriptor_next_data(b, at, size);
    return in_a < in_b ? in_a : in_b;
}

static bool bytes_are_same(int a, int b, off_t size, int *why)
{
    static const off_t start = 0;
    uint8_t *data = malloc(2 * COMPARE_SIZE);
    bool same = data != NULL;
    *why = data ? 0 : ENOMEM;
    for (off_t at = data_from(a, b, start, size); same && at < size;
         at = data_from(a, b, at + (off_t)COMPARE_SIZE, size)) {
        ssize_t left = descriptor_read(a, data, COMPARE_SIZE, at);
        ssize_t right = descriptor_read(b, data + COMPARE_SIZE, COMPARE_SIZE, at);
        if (left < 0 || right < 0)
            *why = errno;
        same = left >= 0 && left == right && memcmp(data, data + COMPARE_SIZE, (size_t)left) == 0;
        if (left <= 0)
            break;
    }
    free(data);
    return same;
}

/* An existing file stays if it is equal. */
static enum opshift_status compare(const struct new_file_place *spot, int from)
{
    struct stat ours, there;
    int found = openat(spot->directory, spot->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    bool seen = found >= 0 && fstat(found, &there) == 0 && fstat(from, &ours) == 0;
    int why = seen || errno == ELOOP ? 0 : errno;
    bool same = seen && S_ISREG(there.st_mode) && ours.st_size == there.st_size;
    if (same && (ours.st_dev != there.st_dev || ours.st_ino != there.st_ino))
        same = bytes_are_same(from, found, ours.st_size, &why);
    enum opshift_status status = same ? spot_flush(spot, found) : OPSHIFT_OK;
    descriptor_close(found);
    if (same)
        return status;
    if (why)
        return spot_failed(spot, "cannot be compared", why);
    return opshift_fail(spot->error, OPSHIFT_NO,
                        "%.200s/%.200s: exists already and differs from the model's external data; remove it, write "
                        "elsewhere, or keep the external data",
                        spot->shown_directory, spot->shown_path);
}

/* Copies a file, as a reflink where the file system supports it. Fails if the file changes meanwhile: a mixture of two
 * states would be wrong weights. */
static enum opshift_status copy(const struct new_file_place *spot, int from, int to)
{
#ifdef FICLONE
    if (ioctl(to, FICLONE, from) == 0)
        return OPSHIFT_OK;
#endif
    struct stat before;
    if (lseek(from, 0, SEEK_SET) != 0 || fstat(from, &before) != 0)
        return spot_failed(spot, "cannot be read", errno);
    struct opshift_error why = {0};
    enum opshift_status status = descriptor_copy(from, to, spot->how.progress, spot->how.progress_data, &why);
    if (status == OPSHIFT_OK && descriptor_is_as(from, (uint64_t)before.st_size, before.st_mtim) != 1)
        return opshift_fail(
            spot->error, OPSHIFT_IO,
            "%.200s/%.200s: the original changed while it was copied; try again when no program writes to it",
            spot->shown_directory, spot->shown_path);
    if (status == OPSHIFT_OK)
        return status;
    return opshift_fail(spot->error, status, "%.200s/%.200s: %.300s%s", spot->shown_directory, spot->shown_path,
                        why.text, status == OPSHIFT_IO ? "; write elsewhere, or keep the external data" : "");
}

/* Renames the temporary file, if the name is free. */
static int name_take(const struct new_file_place *spot, const char *temporary)
{
#ifdef HAVE_RENAMEAT2
    if (renameat2(spot->directory, temporary, spot->directory, spot->name, RENAME_NOREPLACE) == 0)
        return 0;
#endif
    int linked = linkat(spot->directory, temporary, spot->directory, spot->name, 0);
    int why = errno;
    if (linked != 0 && why != EEXIST) {
        /* A file system without hard links: a race for the name is accepted. */
        struct stat there;
        if (fstatat(spot->directory, spot->name, &there, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT &&
            renameat(spot->directory, temporary, spot->directory, spot->name) == 0)
            return 0;
    }
    unlinkat(spot->directory, temporary, 0);
    errno = why;
    return linked;
}

/* A temporary file, whole. */
static enum opshift_status temporary_write(const struct new_file_place *spot, int from, const char *temporary)
{
    struct stat about;
    if (fstat(from, &about) != 0)
        return spot_failed(spot, "cannot be read", errno);
    /* Like cp: the copy's permissions do not exceed those of the file. */
    mode_t mode = (about.st_mode & 0777) | S_IRUSR | S_IWUSR;
    int to = openat(spot->directory, temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (to < 0)
        return spot_failed(spot, "cannot be written", errno);
    enum opshift_status status = copy(spot, from, to);
    if (status == OPSHIFT_OK)
        status = spot_flush(spot, to);
    if (descriptor_finish(to) != 0 && status == OPSHIFT_OK)
        status = spot_failed(spot, "cannot be written", errno);
    if (status)
        unlinkat(spot->directory, temporary, 0);
    return status;
}

static enum opshift_status put_copy(const struct new_file_place *spot, int from, struct new_file_made *made)
{
    char *temporary = temporary_name(spot->name);
    if (temporary == NULL)
        return opshift_no_memory(spot->error);
    enum opshift_status status = temporary_write(spot, from, temporary);
    if (status == OPSHIFT_OK) {
        made->file = name_take(spot, temporary) == 0;
        if (!made->file) /* EEXIST: another process created it */
            status = errno == EEXIST ? compare(spot, from) : spot_failed(spot, "cannot be written", errno);
    }
    free(temporary);
    return status;
}

static enum opshift_status put_link(const struct new_file_place *spot, int from, struct new_file_made *made)
{
    char path[32];
    enum opshift_status status = spot_flush(spot, from);
    if (status)
        return status;
    snprintf(path, sizeof path, "/proc/self/fd/%d", from);
    made->file = linkat(AT_FDCWD, path, spot->directory, spot->name, AT_SYMLINK_FOLLOW) == 0;
    if (made->file)
        return OPSHIFT_OK;
    return errno == EEXIST ? compare(spot, from) : spot_failed(spot, "cannot be linked", errno);
}

/* In the directory of the spot. */
static enum opshift_status spot_put(const struct new_file_place *spot, int from, struct new_file_made *made)
{
    struct stat there;
    enum opshift_status status;
    if (fstatat(spot->directory, spot->name, &there, AT_SYMLINK_NOFOLLOW) == 0)
        status = compare(spot, from);
    else
        status = spot->how.link ? put_link(spot, from, made) : put_copy(spot, from, made);
    return status ? status : spot_flush(spot, spot->directory);
}

enum opshift_status new_file_put(int from, const char *directory, const char *path, struct new_file_how how,
                                 struct new_file_made *made, struct opshift_error *error)
{
    char *copied = strdup(path), *name = NULL;
    *made = (struct new_file_made){0};
    if (copied == NULL)
        return opshift_no_memory(error);
    int at = directory_walk(directory, copied, how.sync, made, &name), why = errno;
    struct new_file_place spot = {at, name, directory, path, how, error};
    enum opshift_status status;
    if (at >= 0)
        status = spot_put(&spot, from, made);
    else if (why == ELOOP || why == ENOTDIR || why == EXDEV)
        status =
            opshift_fail(error, OPSHIFT_UNSUPPORTED,
                         "%.200s/%.200s: the path contains a link, which is not followed, or a file; write elsewhere, "
                         "or keep the external data",
                         directory, path);
    else
        status = spot_failed(&spot, "its directory cannot be made", why);
    descriptor_close(at);
    free(copied);
    return status;
}

/* Allocates nothing, since it may run after an allocation failed. */
static void path_remove(const char *directory, const char *path, size_t size, int flags)
{
    char copied[PATH_MAX], *name = NULL;
    if (size >= sizeof copied)
        return;
    memcpy(copied, path, size);
    copied[size] = '\0';
    int at = directory_walk(directory, copied, false, NULL, &name);
    if (at >= 0)
        unlinkat(at, name, flags);
    descriptor_close(at);
}

void new_file_remove(const char *directory, const char *path, const struct new_file_made *made)
{
    size_t size = strlen(path);
    if (made->file)
        path_remove(directory, path, size, 0);
    for (size_t left = made->directories; left > 0; left--) {
        while (size > 0 && path[size - 1] != '/')
            size--;
        while (size > 0 && path[size - 1] == '/')
            size--;
        path_remove(directory, path, size, AT_REMOVEDIR);
    }
}
