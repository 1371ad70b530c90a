/* Hashes of files, and what became of models. */
#ifndef MANY_OUTCOME_H
#define MANY_OUTCOME_H

#include "base/sha256.h"

/* Messages begin with the path. size may be NULL. */
enum opshift_status file_hash(const char *path, char text[SHA256_TEXT_SIZE], uint64_t *size,
                              struct opshift_error *error);
/* What became of a model, from the status of its work. */
enum opshift_outcome outcome_of(enum opshift_status status);
/* "done", "refused", ...; behind those of enum opshift_outcome, those of enum summary_kind */
extern const char *const outcome_names[];
/* And back; "killed" for any other name. */
enum opshift_outcome outcome_read(const char *name);

#endif
