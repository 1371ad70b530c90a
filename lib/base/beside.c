/* Each file appears whole: under a temporary name first, which it loses for its own only where nothing is yet. */
#include "base/beside.h"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
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
#include "base/file.h"

#define COMPARE_SIZE ((size_t)64 << 10)

/* Where a file is to be put. */
struct spot {
    int folder;       /* the innermost one, open */
    const char *name; /* in it */
    const char *shown_folder, *shown_path;
    struct opshift_error *error;
};

static enum opshift_status spot_failed(const struct spot *spot, const char *what, int why)
{
    return opshift_fail(spot->error, OPSHIFT_IO, "%.200s/%.200s: %s: %s; write elsewhere, or keep the external data",
                        spot->shown_folder, spot->shown_path, what, strerror(why));
}

/* One folder further down, made if it is not there. -1: errno. */
static int folder_step(int at, const char *name)
{
    if (mkdirat(at, name, 0777) != 0 && errno != EEXIST)
        return -1;
    return openat(at, name, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW);
}

/* Walks to the folder of path; *path becomes the name in it. -1: errno. */
static int folder_walk(const char *folder, char *path, bool make, char **name)
{
    int at = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    char *slash;
    while (at >= 0 && (slash = strchr(path, '/')) != NULL) {
        *slash = '\0';
        int next = -1;
        if (strcmp(path, "..") == 0)
            errno = EXDEV;
        else if (*path == '\0' || strcmp(path, ".") == 0)
            next = fcntl(at, F_DUPFD_CLOEXEC, 0);
        else
            next = make ? folder_step(at, path) : openat(at, path, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW);
        int why = errno;
        close(at);
        errno = why;
        at = next;
        path = slash + 1;
    }
    *name = path;
    return at;
}

static bool bytes_are_same(int a, int b, int *why)
{
    static const off_t start = 0;
    uint8_t *data = malloc(2 * COMPARE_SIZE);
    bool same = data != NULL;
    *why = data ? 0 : ENOMEM;
    for (off_t at = start; same; at += (off_t)COMPARE_SIZE) {
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

/* What is there already may stay if it is the same. */
static enum opshift_status compare(const struct spot *spot, int from)
{
    struct stat ours, there;
    int found = openat(spot->folder, spot->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    bool seen = found >= 0 && fstat(found, &there) == 0 && fstat(from, &ours) == 0;
    int why = seen || errno == ELOOP ? 0 : errno;
    bool same = seen && S_ISREG(there.st_mode) && ours.st_size == there.st_size;
    if (same && (ours.st_dev != there.st_dev || ours.st_ino != there.st_ino))
        same = bytes_are_same(from, found, &why);
    descriptor_close(found);
    if (same)
        return OPSHIFT_OK;
    if (why)
        return spot_failed(spot, "cannot be compared", why);
    return opshift_fail(spot->error, OPSHIFT_NO,
                        "%.200s/%.200s: is there already, and is not the model's external data; remove it, write "
                        "elsewhere, or keep the external data",
                        spot->shown_folder, spot->shown_path);
}

/* All of a file, by sharing its blocks where the file system can. */
static int copy(int from, int to)
{
#ifdef FICLONE
    if (ioctl(to, FICLONE, from) == 0)
        return 0;
#endif
    struct opshift_error ignored = {0};
    if (lseek(from, 0, SEEK_SET) != 0)
        return -1;
    errno = 0;
    if (descriptor_copy(from, to, &ignored) == OPSHIFT_OK)
        return 0;
    errno = errno ? errno : EIO;
    return -1;
}

/* Gives the temporary file its name, if that is free. */
static int name_take(const struct spot *spot, const char *temporary)
{
#ifdef HAVE_RENAMEAT2
    if (renameat2(spot->folder, temporary, spot->folder, spot->name, RENAME_NOREPLACE) == 0)
        return 0;
#endif
    int linked = linkat(spot->folder, temporary, spot->folder, spot->name, 0);
    int why = errno;
    if (linked != 0 && why != EEXIST) {
        /* A file system without links: nobody else is expected to take the name just now. */
        struct stat there;
        if (fstatat(spot->folder, spot->name, &there, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT)
            return renameat(spot->folder, temporary, spot->folder, spot->name);
    }
    unlinkat(spot->folder, temporary, 0);
    errno = why;
    return linked;
}

static enum opshift_status put_copy(const struct spot *spot, int from, bool *made)
{
    char *temporary = temporary_name(spot->name);
    if (temporary == NULL)
        return opshift_no_memory(spot->error);
    enum opshift_status status = OPSHIFT_OK;
    int to = openat(spot->folder, temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    int done = to < 0 ? -1 : copy(from, to);
    int why = errno;
    if (to >= 0 && close(to) != 0 && done == 0) {
        done = -1;
        why = errno;
    }
    if (done == 0 && name_take(spot, temporary) != 0) {
        done = -1;
        why = errno;
    } else if (done != 0 && to >= 0) {
        unlinkat(spot->folder, temporary, 0);
    }
    free(temporary);
    if (done == 0)
        *made = true;
    else if (why == EEXIST)
        status = compare(spot, from); /* somebody was faster */
    else
        status = spot_failed(spot, "cannot be written", why);
    return status;
}

static enum opshift_status put_link(const struct spot *spot, int from, bool *made)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", from);
    *made = linkat(AT_FDCWD, path, spot->folder, spot->name, AT_SYMLINK_FOLLOW) == 0;
    if (*made)
        return OPSHIFT_OK;
    return errno == EEXIST ? compare(spot, from) : spot_failed(spot, "cannot be linked", errno);
}

enum opshift_status beside_put(int from, const char *folder, const char *path, bool link, bool *made,
                               struct opshift_error *error)
{
    struct stat there;
    char *copied = strdup(path), *name = NULL;
    *made = false;
    if (copied == NULL)
        return opshift_no_memory(error);
    struct spot spot = {folder_walk(folder, copied, true, &name), name, folder, path, error};
    enum opshift_status status;
    if (spot.folder < 0)
        status = errno == ELOOP || errno == ENOTDIR || errno == EXDEV
                     ? opshift_fail(error, OPSHIFT_UNSUPPORTED,
                                    "%.200s/%.200s: a link or a file is on the way, which is not followed; write "
                                    "elsewhere, or keep the external data",
                                    folder, path)
                     : spot_failed(&spot, "its folder cannot be made", errno);
    else if (fstatat(spot.folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0)
        status = compare(&spot, from);
    else
        status = link ? put_link(&spot, from, made) : put_copy(&spot, from, made);
    descriptor_close(spot.folder);
    free(copied);
    return status;
}

void beside_remove(const char *folder, const char *path)
{
    char *copied = strdup(path), *name = NULL;
    int at = copied ? folder_walk(folder, copied, false, &name) : -1;
    if (at >= 0)
        unlinkat(at, name, 0);
    descriptor_close(at);
    free(copied);
}
