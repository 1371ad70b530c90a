/* Describes a fix: the text before and after. */
#ifndef LINT_FIX_ROUNDS_H
#define LINT_FIX_ROUNDS_H

#include "check/fix.h"
#include "lint/lint.h"

/* Prints the records that a fix changes, before and after its edits (those from `first` on), as text in the arena. */
enum opshift_status fix_tell(struct checking *checking, uint32_t first, struct arena *arena, struct opshift_fix *fix,
                             struct opshift_error *error);

#endif
