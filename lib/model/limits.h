/* The limits for reading a model: names, defaults, messages. */
#ifndef MODEL_LIMITS_H
#define MODEL_LIMITS_H

#include "base/arena.h"
#include "base/error.h"

/* Maximum of opshift_limits.nesting: each level takes some stack. */
#define NESTING_MAX 2000u

/* Replaces 0 by the default. USAGE: an impossible limit. */
enum opshift_status limits_complete(struct opshift_limits *limits, struct opshift_error *error);

/* Is it only a threshold of lint, which does not protect this program? */
bool limit_is_reported(const char *name);

/* "the model has more than N nodes; ...", at a byte of the file. */
enum opshift_status limit_exceeded(struct opshift_error *error, uint64_t offset, const char *what, uint64_t limit,
                                   const char *name);
/* The status of work in an arena that the limit 'memory' bounds. MEMORY, if the limit was met, becomes UNSUPPORTED:
 * "WHAT take more than N bytes; ...". */
enum opshift_status limit_judge_memory(const struct opshift_limits *limits, const struct arena *arena,
                                       enum opshift_status status, const char *what, struct opshift_error *error);

#endif
