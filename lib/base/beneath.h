/* Opens a file by an untrusted path, only below a directory. */
#ifndef BASE_BENEATH_H
#define BASE_BENEATH_H

#include "opshift.h"

/* Opens for reading. Returns a descriptor, or -1 and errno: EXDEV or ELOOP if the path leaves the directory or contains
 * a link that the policy does not allow. Does not block on a pipe without a writer. */
int open_beneath(const char *directory, const char *path, enum opshift_external_policy policy);

#endif
