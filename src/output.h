/* Where results go: standard output, or a file that appears whole or not at all. */
#ifndef SRC_OUTPUT_H
#define SRC_OUTPUT_H

#include <stdio.h>

#include "command.h"

/* An output that is being written: a file that is not yet in its place, or a stream. Start with {0}. */
struct pending {
    struct opshift_file *file; /* NULL: standard output, a device or a pipe, which is written at once: */
    char *temporary;           /* where the file is until then, for who must remove it in a hurry */
    char *shown;               /* how messages call it */
    int descriptor;
    bool open;
};

/* path "-" is standard output. IO, MEMORY. */
enum opshift_status pending_open(struct pending *pending, const char *path, struct opshift_error *error);
enum opshift_status pending_add(struct pending *pending, const void *data, size_t size, struct opshift_error *error);
/* Nothing more is added. */
enum opshift_status pending_close(struct pending *pending, struct opshift_error *error);
/* Opens, adds all of it, closes. */
enum opshift_status pending_write(struct pending *pending, const char *path, const void *data, size_t size,
                                  struct opshift_error *error);
enum opshift_status pending_commit(struct pending *pending, struct opshift_error *error);
/* Removes what was not committed. */
void pending_free(struct pending *pending);
/* Write and commit. */
enum opshift_status output_write(const char *path, const void *data, size_t size, struct opshift_error *error);

/* Is it standard output, a pipe or a device? Then nothing lies beside it. */
bool output_is_stream(const char *path);
/* Do two files lie in one folder? "-" lies in the working folder. */
bool output_is_beside(const char *a, const char *b);

/* Writing to it just failed: output_finish will say why. */
void output_note(const FILE *out);
/* Flushes standard output; IO when anything that was printed did not get out. */
enum opshift_status output_finish(struct opshift_error *error);

#endif
