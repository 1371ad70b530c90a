/* openat2 where the kernel has it; else a walk from folder to folder that follows no link. */
#include "base/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "config.h"

#ifdef HAVE_LINUX_OPENAT2_H
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

#define READ_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

/* One part of a path, opened from where the walk is; that is closed. */
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

int open_beneath(const char *folder, const char *path)
{
    int at = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    if (at < 0)
        return -1;
#if defined(HAVE_LINUX_OPENAT2_H) && defined(SYS_openat2)
    struct open_how how = {.flags = READ_FLAGS, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
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
