/* lint --fix and lint --diff: one model mended, or what would be mended of it. */
#ifndef SRC_FIXING_H
#define SRC_FIXING_H

#include "command.h"

/* Writes the mended model to output (NULL: over the model itself, and only where something changes), and gives done
 * what is left. A model that cannot be read is a finding; one that cannot be written is told on standard error, and
 * *gravest says so. What done answers, CANCELLED, MEMORY. */
enum opshift_status fixing_write(const struct opshift_lint *lint, const char *path, const char *output,
                                 opshift_lint_done done, void *data, enum opshift_status *gravest,
                                 struct opshift_error *error);
/* Prints what would change. NO: something would; MALFORMED, UNSUPPORTED, IO: the model cannot be read (whole). */
enum opshift_status fixing_show(const struct opshift_lint *lint, const char *path, struct opshift_error *error);

#endif
