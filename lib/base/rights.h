/* What a file that replaces another takes over from it besides the name: owner, permissions, extended attributes. */
#ifndef BASE_RIGHTS_H
#define BASE_RIGHTS_H

#include <stdbool.h>
#include <sys/stat.h>

/*
 * Gives the file open at `descriptor` the owner, where that is allowed, the permissions, the access control list and
 * the user's extended attributes of the file at `path`, which `old` describes. Nobody may do more with the new file
 * than with the old one: what a list or a group allowed is taken away where the list or the group cannot be kept.
 * False: errno says why the permissions cannot be set.
 */
bool rights_keep(int descriptor, const char *path, const struct stat *old);

#endif
