/* What the reports about target profiles share. */
#ifndef LINT_TARGETS_H
#define LINT_TARGETS_H

#include "base/report.h"
#include "check/target.h"

/* Copies the caller's options and loads the profiles that they name, in arena. USAGE, IO, MEMORY. */
enum opshift_status targets_wanted(const struct opshift_targets_options *given, struct opshift_targets_options *options,
                                   struct arena *arena, struct target **targets, struct opshift_error *error);

#endif
