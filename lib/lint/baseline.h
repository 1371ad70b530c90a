/* Baselines: files of known findings, which do not fail. */
#ifndef LINT_BASELINE_H
#define LINT_BASELINE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

struct baseline_entry {
    const char *file; /* relative, and escaped by text_show */
    const char *id;
    const char *location;
    const char *message;
    const char *fingerprint;
};

/* Where a baseline is. A configuration can only name one below its own directory, without symbolic links on the way. */
struct baseline_place {
    const char *path;
    const char *directory, *below; /* its directory and the path below it; NULL: a user named the path */
};

struct baseline {
    struct baseline_entry *entries; /* by file, then by fingerprint */
    size_t count;
};

/* must_exist: otherwise a missing file is an empty baseline. USAGE: "file:line:column: ...". IO, MEMORY. */
enum opshift_status baseline_read(const struct baseline_place *place, bool must_exist, struct arena *arena,
                                  struct baseline *baseline, struct opshift_error *error);
/* The entries of a file: index of the first, and their number. */
size_t baseline_of_file(const struct baseline *baseline, const char *file, size_t *first);
/* Which of the entries of a file has the fingerprint; SIZE_MAX: none. */
size_t baseline_find(const struct baseline *baseline, size_t first, size_t count, const char *fingerprint);

#endif
