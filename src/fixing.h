/* lint --fix and lint --diff: fixes a model, or shows the fixes. */
#ifndef SRC_FIXING_H
#define SRC_FIXING_H

#include "command.h"

/* Writes the fixed model to output (NULL: over the model itself, if something changed), and passes the remaining
 * findings to done. A model that cannot be read is a finding; one that cannot be written is reported on standard
 * error and in *gravest. The status of done, CANCELLED, MEMORY. */
enum opshift_status fixing_write(const struct opshift_lint *lint, const char *path, const char *output,
                                 opshift_lint_done done, void *data, enum opshift_status *gravest,
                                 struct opshift_error *error);
/* Prints the changes. NO: there are changes; MALFORMED, UNSUPPORTED, IO: the model cannot be read completely. */
enum opshift_status fixing_show(const struct opshift_lint *lint, const char *path, struct opshift_error *error);

#endif
