/* Copies owner, permissions, access control list and extended attributes from one file to another. */
#include "config.h"

#include "base/rights.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_FSETXATTR
#include <sys/xattr.h>

/* Linux's limits: all names of a file together, and one value. */
#define NAMES_MAX  ((size_t)64 << 10)
#define ACL_NAME   "system.posix_acl_access"
#define USER_START "user."

static bool attribute_keep(int descriptor, const char *path, const char *name, void *value)
{
    ssize_t size = getxattr(path, name, value, NAMES_MAX);
    return size >= 0 && fsetxattr(descriptor, name, value, (size_t)size, 0) == 0;
}

/* False: the access control list could not be copied. */
static bool attributes_keep(int descriptor, const char *path)
{
    fremovexattr(descriptor, ACL_NAME); /* removes a list that the directory's default gave it */
    ssize_t size = listxattr(path, NULL, 0);
    if (size == 0 || (size < 0 && errno == ENOTSUP))
        return true;
    char *names = malloc(2 * NAMES_MAX);
    if (names == NULL)
        return false;
    bool kept = false;
    size = listxattr(path, names, NAMES_MAX);
    if (size >= 0) {
        kept = true;
        for (const char *name = names; name < names + size; name += strlen(name) + 1)
            if (strcmp(name, ACL_NAME) == 0)
                kept = attribute_keep(descriptor, path, name, names + NAMES_MAX);
            else if (strncmp(name, USER_START, strlen(USER_START)) == 0)
                attribute_keep(descriptor, path, name, names + NAMES_MAX); /* not relevant for access */
    }
    free(names);
    return kept;
}
#else
/* A system without extended attributes. */
static bool attributes_keep(int descriptor, const char *path)
{
    return true;
}
#endif

bool rights_keep(int descriptor, const char *path, const struct stat *old)
{
    struct stat made;
    mode_t mode = old->st_mode & 0777;
    if (fstat(descriptor, &made) != 0)
        return false;
    /* Another group must not get the permissions of the old group. */
    bool group_kept = made.st_gid == old->st_gid || fchown(descriptor, (uid_t)-1, old->st_gid) == 0;
    if (made.st_uid != old->st_uid && fchown(descriptor, old->st_uid, (gid_t)-1) != 0)
        errno = 0; /* only a privileged user may change the owner: otherwise the file is the writer's */
    /* With an access control list, the group bits of the mode are the list's mask. */
    if (!group_kept || !attributes_keep(descriptor, path))
        mode &= ~(mode_t)S_IRWXG;
    return fchmod(descriptor, mode) == 0;
}
