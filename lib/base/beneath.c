/* Uses openat2 where the kernel has it, else openat for each component of the path. Neither follows links: where the
 * policy allows links, they are resolved first, and the target is opened by its real path below the permitted
 * directory.
 */
#include "base/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"

#ifdef HAVE_LINUX_OPENAT2_H
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

#define READ_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

/* A link in place of a directory is refused with ELOOP, like openat2 does. */
static bool is_link(int at, const char *name)
{
    struct stat there;
    return fstatat(at, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(there.st_mode);
}

/* Opens one component of a path relative to `at`, which is closed. */
static int walk_step(int at, const char *part, size_t size, int flags)
{
    char name[256];
    int next = -1;
    if (size == 0 || size >= sizeof(name) || (size == 2 && memcmp(part, "..", 2) == 0)) {
        errno = size >= sizeof(name) ? ENAMETOOLONG : EXDEV;
    } else {
        memcpy(name, part, size);
        name[size] = '\0';
        next = openat(at, name, flags | O_NOFOLLOW);
        if (next < 0 && errno == ENOTDIR)
            errno = is_link(at, name) ? ELOOP : ENOTDIR;
    }
    int why = errno;
    close(at);
    errno = why;
    return next;
}

static int walk(int at, const char *path)
{
    while (at >= 0) {
        size_t size = strcspn(path, "/");
        const char *rest = path + size + strspn(path + size, "/");
        if (*rest == '\0')
            return walk_step(at, path, size, READ_FLAGS);
        at = walk_step(at, path, size, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
        path = rest;
    }
    return at;
}

/* The policy without links. */
static int open_strict(const char *directory, const char *path)
{
    int at = open(directory, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    if (at < 0)
        return -1;
#if defined(HAVE_LINUX_OPENAT2_H) && defined(SYS_openat2)
    struct open_how how = {.flags = READ_FLAGS, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    long opened = syscall(SYS_openat2, at, path, &how, sizeof(how));
    if (opened >= 0 || (errno != ENOSYS && errno != EPERM)) {
        int why = errno;
        close(at);
        errno = why;
        return (int)opened;
    }
#endif
    return walk(at, path);
}

/* The part of a real path below a real directory; NULL: it is not below it. */
static const char *part_below(const char *directory, const char *path)
{
    size_t size = strlen(directory);
    if (size == 1)
        return path + 1; /* the root */
    return strncmp(directory, path, size) == 0 && path[size] == '/' ? path + size + 1 : NULL;
}

/* ROOT/snapshots/REVISION/... becomes ROOT/blobs; false: the directory lies elsewhere. */
static bool blobs_of(char *directory)
{
    static const char above[] = "/snapshots/";
    char *found = NULL;
    for (char *next = directory; (next = strstr(next, above)) != NULL; next++)
        found = next;
    if (found == NULL || found[strlen(above)] == '\0')
        return false;
    memcpy(found, "/blobs", sizeof("/blobs"));
    return true;
}

static int open_resolved(char *directory, const char *path, enum opshift_external_policy policy)
{
    const char *below = part_below(directory, path);
    if (below == NULL && policy == OPSHIFT_EXTERNAL_HF_CACHE && blobs_of(directory)) {
        below = part_below(directory, path);
        below = below && strchr(below, '/') == NULL ? below : NULL;
    }
    if (below != NULL)
        return open_strict(directory, below);
    errno = EXDEV;
    return -1;
}

/* Resolves the links of a path. NULL: errno is set. */
static char *path_resolve(const char *directory, const char *path)
{
    char *joined = NULL, *resolved;
    if (asprintf(&joined, "%s/%s", directory, path) < 0)
        return NULL;
    resolved = realpath(joined, NULL);
    int why = errno;
    free(joined);
    errno = why;
    return resolved;
}

int open_beneath(const char *directory, const char *path, enum opshift_external_policy policy)
{
    int descriptor = open_strict(directory, path);
    if (descriptor >= 0 || (errno != ELOOP && errno != EXDEV && errno != ENOTDIR) ||
        policy == OPSHIFT_EXTERNAL_STRICT || policy == OPSHIFT_EXTERNAL_NONE)
        return descriptor;
    char *real_directory = realpath(directory, NULL);
    char *real_path = real_directory ? path_resolve(directory, path) : NULL;
    if (real_path != NULL)
        descriptor = open_resolved(real_directory, real_path, policy);
    int why = errno;
    free(real_path);
    free(real_directory);
    errno = why;
    return descriptor;
}
