/* Does an edited model compute what the first one does? */
#ifndef EDIT_VERIFY_EDIT_H
#define EDIT_VERIFY_EDIT_H

#include "edit/edit.h"

/* What the steps make of the name of a value; in the arena. NULL: no memory. */
const char *renamed_by(const struct opshift_edit_options *options, struct arena *arena, const char *name);

#endif
