/* Reads and writes of descriptors that handle EINTR and short counts. */
#ifndef BASE_DESCRIPTOR_H
#define BASE_DESCRIPTOR_H

#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#include "base/error.h"

/* Reads size bytes, fewer only at the end of the file; returns the count. -1: errno is set. offset -1: the current
 * one.
 */
ssize_t descriptor_read(int descriptor, void *into, size_t size, off_t offset);
/* Writes all bytes. -1: errno is set. offset -1: the current one. */
int descriptor_write(int descriptor, const void *data, size_t size, off_t offset);
/* Creates an unnamed temporary file in TMPDIR, else in /tmp; it disappears when it is closed. */
enum opshift_status descriptor_anonymous(int *descriptor, struct opshift_error *error);
/* Copies the rest of `from` to `to`, from the current offsets on; holes stay holes if both are regular files. progress
 * is called before each piece, false: CANCELLED; it may be NULL. */
enum opshift_status descriptor_copy(int from, int to, opshift_progress progress, void *data,
                                    struct opshift_error *error);
/* Is it a large sparse file with hardly any allocated data? Reading all of it would read zeros for hours. */
bool file_is_hollow(const struct stat *file);
/* The first offset from `offset` on that is not in a hole; size, the end of the file, if the rest is a hole. */
off_t descriptor_next_data(int descriptor, off_t offset, off_t size);
/* 1 if the file has this size and modification time, else 0; -1: errno is set. */
int descriptor_is_as(int descriptor, uint64_t size, struct timespec written);
/* fsync, again when a signal interrupts it. -1: errno is set. */
int descriptor_flush(int descriptor);
/* Closes what was written to. -1: errno is set; an interrupted close has closed it, too, and is no failure. */
int descriptor_finish(int descriptor);
/* Closes it unless it is -1. */
void descriptor_close(int descriptor);

#endif
