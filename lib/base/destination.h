/* Output files: written under a temporary name and renamed when complete. */
#ifndef BASE_DESTINATION_H
#define BASE_DESTINATION_H

#include "base/file.h"

/* An output under a temporary name beside path; it gets the mode of the file that it replaces (else 0666 and umask).
 * Path "-", a pipe or a device: an unnamed file, copied there at commit. Messages name the path. */
struct destination;

/* size: as for destination_reserve with room; 0: destination_reserve is called later. */
enum opshift_status destination_open(const char *path, uint64_t size, struct destination **destination,
                                     struct opshift_error *error);
/* Sets the final size of the file. room: preallocate it, which is faster; not for a file with holes. */
enum opshift_status destination_reserve(struct destination *destination, uint64_t size, bool room,
                                        struct opshift_error *error);
/* progress is called before each block is written, with the part of the size that is written; false: CANCELLED.
 */
void destination_watch(struct destination *destination, opshift_progress progress, void *data);
/* destination_commit will flush the data and the name to the disk. */
void destination_sync(struct destination *destination);
enum opshift_status destination_add(struct destination *destination, const void *data, size_t size,
                                    struct opshift_error *error);
/* Copies a range of a source in pieces; holes stay holes. name: of the source in messages. */
enum opshift_status destination_add_range(struct destination *destination, struct source *source, const char *name,
                                          uint64_t offset, uint64_t size, struct opshift_error *error);
/* Writes the buffered data; the file then has the length of all added data. */
enum opshift_status destination_flush(struct destination *destination, struct opshift_error *error);
int destination_descriptor(const struct destination *destination);
/* The temporary name; NULL: none. */
const char *destination_temporary(const struct destination *destination);
/* Renames it to path (or copies it to standard output). */
enum opshift_status destination_commit(struct destination *destination, struct opshift_error *error);
/* Removes what was not committed. */
void destination_free(struct destination *destination);

/* A temporary name beside path: .NAME.XXXXXX.opshift. Freed with free. NULL: no memory.
 */
char *temporary_name(const char *path);

#endif
