/* Copies owner, permissions and extended attributes to a file that replaces another. */
#ifndef BASE_RIGHTS_H
#define BASE_RIGHTS_H

#include <stdbool.h>
#include <sys/stat.h>

/*
 * Gives the file open at `descriptor` the owner, where that is allowed, the permissions, the access control list and
 * the `user.` attributes of the file at `path`, whose stat is `old`. The new file never grants more access than the old
 * one: if the list or the group cannot be copied, their permissions are removed. False: the permissions cannot be set;
 * errno is set.
 */
bool rights_keep(int descriptor, const char *path, const struct stat *old);

#endif
