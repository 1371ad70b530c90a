/* Copies or links files of external data into the directory of a new model; never replaces a different file, never
 * leaves the directory. */
#ifndef BASE_BESIDE_H
#define BASE_BESIDE_H

#include "base/error.h"

/* How a file is put beside another. */
struct beside_how {
    bool link;                 /* make a hard link instead of a copy */
    bool sync;                 /* flush the file and its name to the disk before success is reported */
    opshift_progress progress; /* may be NULL */
    void *progress_data;
};

/* What beside_put created, for beside_remove. */
struct beside_made {
    bool file;
    size_t directories; /* the innermost ones on its path */
};

/* Copies or links the regular file open at `from` to directory/path, creating missing directories; no link is followed.
 * An existing file stays; NO if it differs. *made records what was created, also on failure. UNSUPPORTED, IO, MEMORY,
 * CANCELLED; messages name directory/path. */
enum opshift_status beside_put(int from, const char *directory, const char *path, struct beside_how how,
                               struct beside_made *made, struct opshift_error *error);
/* Removes what beside_put created; a directory with other files in it stays. */
void beside_remove(const char *directory, const char *path, const struct beside_made *made);

#endif
