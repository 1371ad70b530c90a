/* Outputs: standard output, or a file that appears complete or not at all. */
#ifndef SRC_OUTPUT_H
#define SRC_OUTPUT_H

#include <stdio.h>

#include "command.h"

/* An output under construction: a temporary file, or a stream. Start with {0}. */
struct pending {
    struct opshift_file *file; /* NULL: standard output, a device or a pipe, which is written directly */
    char *temporary;           /* path of the temporary file, for removal by a signal handler */
    char *shown;               /* name in messages */
    int descriptor;
    bool open;
};

/* path "-" is standard output. IO, MEMORY. */
enum opshift_status pending_open(struct pending *pending, const char *path, struct opshift_error *error);
enum opshift_status pending_add(struct pending *pending, const void *data, size_t size, struct opshift_error *error);
/* No more data follows. */
enum opshift_status pending_close(struct pending *pending, struct opshift_error *error);
/* Opens, writes everything, closes. */
enum opshift_status pending_write(struct pending *pending, const char *path, const void *data, size_t size,
                                  struct opshift_error *error);
enum opshift_status pending_commit(struct pending *pending, struct opshift_error *error);
/* Removes uncommitted files. */
void pending_free(struct pending *pending);
/* Write and commit. */
enum opshift_status output_write(const char *path, const void *data, size_t size, struct opshift_error *error);

/* Is it standard output, a pipe or a device? Then there is no temporary file. */
bool output_is_stream(const char *path);
/* Are two files in the same directory? "-" is in the working directory. */
bool output_is_beside(const char *a, const char *b);

/* Records errno of a failed write, for output_finish. */
void output_note(const FILE *out);
/* Flushes standard output; IO if any write to it failed. */
enum opshift_status output_finish(struct opshift_error *error);

#endif
