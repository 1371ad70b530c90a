/* The documents of -f: findings in several formats at once, to standard output and to files. */
#ifndef SRC_DOCUMENTS_H
#define SRC_DOCUMENTS_H

#include "command.h"

struct documents {
    struct document *list;
    size_t count;
};

/* wanted: each "FORMAT" or "FORMAT=FILE"; none: text to standard output. USAGE, IO, MEMORY. */
enum opshift_status documents_open(struct documents *documents, const struct opshift_lint *lint,
                                   const struct option_values *wanted, bool exit_zero, struct opshift_error *error);
enum opshift_status documents_add(struct documents *documents, const struct opshift_findings *findings,
                                  struct opshift_error *error);
/* Does any of them go to standard output? */
bool documents_are_shown(const struct documents *documents);
/* Completes all documents, then renames the files. */
enum opshift_status documents_finish(struct documents *documents, struct opshift_error *error);
/* Removes unfinished files. */
void documents_free(struct documents *documents);

#endif
