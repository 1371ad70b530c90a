/* A file that replaces another has the same permissions, and no more. */
#include "base/rights.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "tests/tap/tap.h"

#define DIRECTORY_LIST "system.posix_acl_default"
#define FILE_LIST      "system.posix_acl_access"
#define SOMEBODY       54321u

struct list {
    struct posix_acl_xattr_header header;
    struct posix_acl_xattr_entry entries[5];
};

/* Owner: read and write, group: read, one other named user: read and write. */
static const struct list list = {
    {POSIX_ACL_XATTR_VERSION},
    {{ACL_USER_OBJ, 6, ACL_UNDEFINED_ID},
     {ACL_USER, 6, SOMEBODY},
     {ACL_GROUP_OBJ, 4, ACL_UNDEFINED_ID},
     {ACL_MASK, 6, ACL_UNDEFINED_ID},
     {ACL_OTHER, 0, ACL_UNDEFINED_ID}},
};

static int file_new(const char *path, mode_t mode)
{
    int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor >= 0)
        fchmod(descriptor, mode);
    return descriptor;
}

static mode_t mode_of(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 ? found.st_mode & 07777 : 0;
}

static bool rights_carried(const char *from, int to)
{
    struct stat old;
    return stat(from, &old) == 0 && rights_keep(to, from, &old);
}

static void files_remove(int old, int new)
{
    close(old);
    close(new);
    unlink("old");
    unlink("new");
}

static void permissions_are_kept(void)
{
    int old = file_new("old", 0604), new = file_new("new", 0666);
    ok(rights_carried("old", new), "the old file's permissions");
    is_int(0604, mode_of("new"), "are the new one's");
    files_remove(old, new);
}

static void attributes_are_kept(void)
{
    char value[16] = "";
    int old = file_new("old", 0644), new = file_new("new", 0600);
    if (fsetxattr(old, "user.origin", "hub", 3, 0) != 0) {
        ok(true, "# SKIP no extended attributes here");
    } else {
        ok(rights_carried("old", new), "an attribute of the user's");
        is_int(3, fgetxattr(new, "user.origin", value, sizeof(value)), "is kept");
        is_string("hub", value, "as it was");
    }
    files_remove(old, new);
}

static void lists_are_kept(void)
{
    struct list seen;
    int old = file_new("old", 0600), new = file_new("new", 0600);
    if (fsetxattr(old, FILE_LIST, &list, sizeof(list), 0) != 0) {
        ok(true, "# SKIP no access control lists here");
    } else {
        is_int(0660, mode_of("old"), "with a list, the mode's middle is what the list may allow");
        ok(rights_carried("old", new), "a list of who may do what");
        is_int(sizeof(list), fgetxattr(new, FILE_LIST, &seen, sizeof(seen)), "is kept");
        is_bytes(&list, sizeof(list), &seen, sizeof(seen), "so that the group may not write the new file either");
    }
    files_remove(old, new);
}

static void nothing_is_inherited(void)
{
    if (mkdir("shared", 0700) != 0 || setxattr("shared", DIRECTORY_LIST, &list, sizeof(list), 0) != 0) {
        ok(true, "# SKIP no access control lists here");
    } else {
        struct list seen;
        int old = file_new("old", 0640), new = file_new("shared/new", 0600);
        ok(fgetxattr(new, FILE_LIST, &seen, sizeof(seen)) > 0, "the directory gives its files a list");
        ok(rights_carried("old", new), "which the old file did not have");
        ok(fgetxattr(new, FILE_LIST, &seen, sizeof(seen)) < 0, "nor has the new one");
        is_int(0640, mode_of("shared/new"), "but its permissions");
        unlink("shared/new");
        files_remove(old, new);
    }
    rmdir("shared");
}

int main(void)
{
    char directory[] = "/tmp/opshift-rights-XXXXXX";
    if (mkdtemp(directory) == NULL || chdir(directory) != 0)
        skip_all("no temporary directory");
    permissions_are_kept();
    attributes_are_kept();
    lists_are_kept();
    nothing_is_inherited();
    return chdir("/") == 0 && rmdir(directory) == 0 ? done() : 1;
}
