/* File descriptors, with the interruptions and short answers that read and write may give already dealt with. */
#ifndef BASE_DESCRIPTOR_H
#define BASE_DESCRIPTOR_H

#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#include "base/error.h"

/* Reads until size bytes are there or the file ends: how many they are. -1: errno says why. offset -1: where it stands.
 */
ssize_t descriptor_read(int descriptor, void *into, size_t size, off_t offset);
/* Writes all of it. -1: errno says why. offset -1: where it stands. */
int descriptor_write(int descriptor, const void *data, size_t size, off_t offset);
/* A new file without a name, in TMPDIR or else the system's folder for such files; it goes when it is closed. */
enum opshift_status descriptor_anonymous(int *descriptor, struct opshift_error *error);
/* Copies one to the end of the other, each from where it stands; holes stay holes where both are files. progress is
 * asked before each piece, false: CANCELLED; it may be NULL. */
enum opshift_status descriptor_copy(int from, int to, opshift_progress progress, void *data,
                                    struct opshift_error *error);
/* Is it a large file of which next to nothing is on the disk? What reads all of it reads zeros for hours. */
bool file_is_hollow(const struct stat *file);
/* From offset on, the first byte that may be other than 0: in no hole. size: where the file ends, and the answer where
 * all the rest is a hole. */
off_t descriptor_next_data(int descriptor, off_t offset, off_t size);
/* Has the file this size, and was it last written then? 1 or 0; -1: errno says why. */
int descriptor_is_as(int descriptor, uint64_t size, struct timespec written);
/* Closes it unless it is -1. */
void descriptor_close(int descriptor);

#endif
