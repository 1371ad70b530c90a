/* Files that go with another: copied or linked into its folder, never over what differs, never outside. */
#ifndef BASE_BESIDE_H
#define BASE_BESIDE_H

#include "base/error.h"

/* How a file is put beside another. */
struct beside_how {
    bool link;                 /* by a hard link; else by a copy */
    bool sync;                 /* it is on the disk, and its name too, before success is reported */
    opshift_progress progress; /* NULL: nobody may cancel */
    void *progress_data;
};

/* What was made for it, which is what beside_remove takes away. */
struct beside_made {
    bool file;
    size_t folders; /* the innermost ones on its path */
};

/* Puts what descriptor `from` (a regular file) holds at folder/path, whose folders are made where they are missing; no
 * link is followed on the way. A file that is there already stays, and is refused (NO) when it differs. *made is true
 * to what was done also where it fails. UNSUPPORTED, IO, MEMORY, CANCELLED; messages name folder/path. */
enum opshift_status beside_put(int from, const char *folder, const char *path, struct beside_how how,
                               struct beside_made *made, struct opshift_error *error);
/* Takes away what beside_put made; a folder that others put something into stays. */
void beside_remove(const char *folder, const char *path, const struct beside_made *made);

#endif
