/* Describes a fix: the text before and after. */
#ifndef LINT_FIX_H
#define LINT_FIX_H

#include "check/mend.h"
#include "lint/lint.h"

/* Gives the records that a fix touches, as they are and as its edits (those from `first` on) make them, as text in the
 * arena. */
enum opshift_status fix_tell(struct checking *checking, uint32_t first, struct arena *arena, struct opshift_fix *fix,
                             struct opshift_error *error);

#endif
