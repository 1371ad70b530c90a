/* Copies or links files of external data into the directory of a new model; never replaces a different file, never
 * leaves the directory. */
#ifndef BASE_NEW_FILE_H
#define BASE_NEW_FILE_H

#include "base/error.h"

/* How a file is put beside another. */
struct new_file_how {
    bool link;                 /* make a hard link instead of a copy */
    bool sync;                 /* flush the file and its name to the disk before success is reported */
    opshift_progress progress; /* may be NULL */
    void *progress_data;
};

/* What new_file_put created, for new_file_remove. */
struct new_file_made {
    bool file;
    size_t directories; /* the innermost ones on its path */
};

/* Copies or links the regular file open at `from` to directory/path, creating missing directories; no link is followed.
 * An existing file stays; NO if it differs. *made records what was created, also on failure. UNSUPPORTED, IO, MEMORY,
 * CANCELLED; messages name directory/path. */
enum opshift_status new_file_put(int from, const char *directory, const char *path, struct new_file_how how,
                                 struct new_file_made *made, struct opshift_error *error);
/* Removes what new_file_put created; a directory with other files in it stays. */
void new_file_remove(const char *directory, const char *path, const struct new_file_made *made);

#endif
