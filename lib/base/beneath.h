/* Opening a file that a stranger names, below a folder and nowhere else. */
#ifndef BASE_BENEATH_H
#define BASE_BENEATH_H

#include "opshift.h"

/* For reading; a descriptor, or -1 and errno: EXDEV or ELOOP where the path leads out, or meets a link that the policy
 * does not allow. Does not wait for a writer of a pipe. */
int open_beneath(const char *folder, const char *path, enum opshift_external_policy policy);

#endif
