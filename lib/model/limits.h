/* The limits that a model is read within: what they are called, what they are, and what is said beyond them. */
#ifndef MODEL_LIMITS_H
#define MODEL_LIMITS_H

#include "base/error.h"

/* Most levels that opshift_limits.nesting may ask for: each costs some stack. */
#define NESTING_MAX 2000u

/* What is 0 gets its default. USAGE: a limit that is not possible. */
enum opshift_status limits_settle(struct opshift_limits *limits, struct opshift_error *error);

/* Is it a limit of what lint reports, which costs this program nothing when it is raised? */
bool limit_is_reported(const char *name);

/* "the model has more than N nodes; ...", at a byte of the file. */
enum opshift_status limit_exceeded(struct opshift_error *error, uint64_t offset, const char *what, uint64_t limit,
                                   const char *name);

#endif
