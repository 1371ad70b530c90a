/* Files that go with another: copied or linked into its folder, never over what differs, never outside. */
#ifndef BASE_BESIDE_H
#define BASE_BESIDE_H

#include "base/error.h"

/* Puts what descriptor `from` (a regular file) holds at folder/path, whose folders are made where they are missing; no
 * link is followed on the way. link: by a hard link. A file that is there already stays, and is refused (NO) when it
 * differs. *made: there was none. UNSUPPORTED, IO, MEMORY; messages name folder/path. */
enum opshift_status beside_put(int from, const char *folder, const char *path, bool link, bool *made,
                               struct opshift_error *error);
/* Takes away what beside_put made. */
void beside_remove(const char *folder, const char *path);

#endif
